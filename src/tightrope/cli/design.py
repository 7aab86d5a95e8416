"""`tightrope design`: the best mechanism that the catalog has for a space and a level, proved."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import (
    AskedEffort,
    AskedLevel,
    AskedObjective,
    exact_number,
)
from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import (
    Force,
    Json,
    OutputFile,
    OutputsOption,
    PlotFile,
    SpaceArgument,
    complete_construction,
    flag,
    value,
)
from tightrope.errors import BadInput
from tightrope.facts import Fact, Shown, data

if TYPE_CHECKING:
    from tightrope.cli.asked import Aim
    from tightrope.cli.targets import DocumentTarget, PictureTarget
    from tightrope.constructions import Effort
    from tightrope.exact import Level
    from tightrope.mechanisms import Mechanism
    from tightrope.spaces import Space
    from tightrope.utility import Solution


def design(
    space: SpaceArgument,
    *,
    asked: AskedLevel,
    aim: AskedObjective,
    question: AskedQuery,
    construction: Annotated[
        str | None,
        typer.Option(
            "--construction",
            metavar="NAME",
            help="Only this construction; `compare` lists their names.",
            autocompletion=complete_construction,
            show_default=False,
        ),
    ] = None,
    exact: Annotated[bool, flag(
        "--exact", "The optimum in fractions, gap 0 (with --ratio or a level ln(q); else as "
        "functions of e^ε); at most 40 inputs and outputs.")] = False,
    every: Annotated[bool, flag(
        "--all", "With --exact: whether the optimum is unique, and all optimal vertices.")] = False,
    outputs: OutputsOption = None,
    max_loss: Annotated[str | None, value(
        "--max-loss", "NUMBER", "Instead of a level: find the smallest ε at which the loss is at "
        "most this.", panel="Privacy")] = None,
    definition: Annotated[str | None, value(
        "--definition", "FILE", "Instead of a level: a .toml or .json file with a piecewise linear "
        "bound for each protected pair.", panel="Privacy")] = None,
    output: OutputFile = None,
    search: AskedEffort,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Design the mechanism with the smallest loss at a level, and prove its privacy.

    With --max-loss in place of a level it finds the smallest ε that is accurate enough. With
    --query the points are datasets, and the mechanism answers a question about them. With
    --exact loss, entries and proof are fractions, and the gap is 0. With --definition the optimum
    is one under a generic definition (Kifer and Lin), in fractions too.

    Example: tightrope design path:0..49 --epsilon 0.5 --loss absolute -o m.json
    """
    from tightrope.cli.output import tell
    from tightrope.cli.progress import closing
    from tightrope.cli.targets import DocumentTarget, PictureTarget
    from tightrope.constructions import all_optima, entry
    from tightrope.files import read_space
    from tightrope.mechanisms import finite
    from tightrope.plots import mechanism_figure
    from tightrope.privacy import probability_table

    document, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    if definition is not None:
        if exact or every or max_loss is not None or construction is not None:
            raise BadInput("--definition finds the exact optimum; leave out --exact, --all, "
                           "--max-loss and --construction.")
        _under(space, definition, asked, question.aim(aim, read_space(space), outputs),
               document, picture, as_json=as_json)
        return
    wanted, delta = _level_or_loss(asked, max_loss, construction), asked.exact_delta()
    if exact and isinstance(wanted, Fraction):
        raise BadInput("--exact needs a level, such as --ratio 2, not --max-loss.")
    if every and not exact:
        raise BadInput("--all goes with --exact.")
    points = read_space(space)
    aimed = question.aim(aim, points, outputs)
    start = perf_counter()
    with closing("designing and proving", search.gap) as watch:
        effort = search.effort(watch)
        solution, refuted = _solve(points, wanted, delta, aimed, construction, effort, exact=exact)
        face = () if not every else (solution.form.uniqueness,) if solution.form else (
            all_optima(solution.problem, effort).facts().items)
    seconds = perf_counter() - start
    facts, mechanism = solution.facts(), solution.mechanism
    picture.draw(lambda: mechanism_figure(finite(mechanism), facts.title))
    document.keep(solution)
    smaller = None if refuted is None else Shown(
        float(refuted), f"ε = {float(refuted):.10g}: there the loss is proved too large")
    tell(facts.also(
        Fact(None, "level found", solution.problem.level if refuted else None),
        Fact("epsilon_refuted", "no smaller than", smaller),
        Fact(None, "construction", entry(solution.construction).reason),
        *face, *data(seconds=seconds), document.fact, picture.fact,
        *probability_table(mechanism),
        sentences=[*document.advice, *_next(document.name, mechanism)]), as_json=as_json)


def _under(
    space: str, definition: str, asked: AskedLevel, aimed: Aim,
    document: DocumentTarget, picture: PictureTarget, *, as_json: bool,
) -> None:
    """The optimum under a definition from a file."""
    from shlex import quote

    from tightrope import constructions
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.files import read_definition, read_space
    from tightrope.plots import mechanism_figure
    from tightrope.privacy import probability_table

    if asked.if_any() is not None:
        raise BadInput("give a level or --definition, not both.")
    if aimed["query"] is not None:
        raise BadInput("--definition is about the inputs themselves; leave out --query.")
    points = read_space(space)
    bounds = read_definition(definition, points, hull=True)
    with working("designing and proving"):
        solution = constructions.design(
            points, definition=bounds, prior=aimed["prior"], loss=aimed["loss"],
            goal=aimed["goal"], outputs=aimed["outputs"])
    picture.draw(lambda: mechanism_figure(solution.mechanism, solution.facts().title))
    document.keep(solution)
    check = [] if document.name is None else [
        "Next:", f"  tightrope verify {quote(document.name)}",
        f"  python -m tightrope.receipt {quote(document.name)}   (a stranger's check)"]
    tell(solution.facts().also(
        document.fact, picture.fact, *probability_table(solution.mechanism),
        sentences=[*document.advice, *check]), as_json=as_json)


def _next(file: str | None, mechanism: Mechanism) -> list[str]:
    """The commands that check a document."""
    from shlex import quote

    from tightrope.documents import checker

    return [] if file is None else [
        "Next:", f"  tightrope verify {quote(file)}",
        f"  python -m tightrope.{checker(mechanism)} {quote(file)}   (a stranger's check)"]


def _level_or_loss(
    asked: AskedLevel, max_loss: str | None, construction: str | None
) -> Level | Fraction:
    """The level asked for or, instead of one, the loss that must not be exceeded."""
    if max_loss is None:
        return asked.level()
    if asked.epsilon is not None or asked.ratio is not None:
        raise BadInput("give a level or --max-loss, not both: --max-loss finds the level.")
    if construction not in (None, "optimal"):
        raise BadInput(f"--max-loss goes with the optimal construction, not {construction}.")
    return exact_number(max_loss, "--max-loss as a number")


def _solve(
    points: Space,
    wanted: Level | Fraction,
    delta: Fraction,
    aimed: Aim,
    construction: str | None,
    effort: Effort,
    *,
    exact: bool,
) -> tuple[Solution, Level | None]:
    """The best mechanism; if the level was searched for, also the largest refuted level."""
    from tightrope import constructions

    if isinstance(wanted, Fraction):
        least = constructions.min_level_given_loss(
            points, wanted, **aimed, delta=delta, effort=effort
        )
        return least.solution, least.refuted
    return constructions.design(
        points, wanted, **aimed, construction=construction, exact=exact, effort=effort
    ), None
