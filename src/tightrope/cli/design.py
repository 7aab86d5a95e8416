"""`tightrope design`: the best mechanism that the catalog has for a space and a level, proved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.characters import shorten
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
)
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.cli.asked import Aim
    from tightrope.constructions import Effort
    from tightrope.exact import Level
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
    outputs: OutputsOption = None,
    max_loss: Annotated[
        str | None,
        typer.Option(
            "--max-loss",
            metavar="NUMBER",
            help="Instead of a level: find the smallest ε at which the loss is at most this.",
            rich_help_panel="Privacy",
            show_default=False,
        ),
    ] = None,
    output: OutputFile = None,
    search: AskedEffort,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Design the mechanism with the smallest loss at a level, and prove its privacy.

    With --max-loss in place of a level it finds the smallest ε that is accurate enough. With
    --query the points are datasets, and the mechanism answers a question about them.

    Example: tightrope design path:0..49 --epsilon 0.5 --loss absolute -o m.json
    """
    from tightrope.cli.progress import closing
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import DocumentTarget, PictureTarget
    from tightrope.files import read_space
    from tightrope.mechanisms import finite
    from tightrope.plots import mechanism_figure

    document, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    wanted, delta = _wanted(asked, max_loss, construction), asked.exact_delta()
    points = read_space(space)
    aimed = question.aim(aim, points, outputs)
    start = perf_counter()
    with closing("designing and proving", search.gap) as watch:
        effort = search.effort(watch)
        found, refuted = _found(points, wanted, delta, aimed, construction, effort)
    seconds = perf_counter() - start
    level = found.certified.certificate.level
    title = f"{found.construction} on {shorten(points.text)}, {level!s}"
    picture.draw(lambda: mechanism_figure(finite(found.certified.mechanism), title))
    document.keep(found)
    answer = {
        **found.as_json(),
        "epsilon_refuted": None if refuted is None else float(refuted),
        "seconds": seconds,
        "file": document.name,
        "picture": picture.name,
    }
    shown = _Shown(found, refuted, effort.gap, document.name, picture.name)
    deliver(answer, lambda screen: _show(screen, shown), as_json=as_json)


def _wanted(asked: AskedLevel, max_loss: str | None, construction: str | None) -> Level | Fraction:
    """The level asked for or, instead of one, the loss that must not be exceeded."""
    if max_loss is None:
        return asked.level()
    if asked.epsilon is not None or asked.ratio is not None:
        raise BadInput("give a level or --max-loss, not both: --max-loss finds the level.")
    if construction not in (None, "optimal"):
        raise BadInput(f"--max-loss goes with the optimal construction, not {construction}.")
    return exact_number(max_loss, "--max-loss as a number")


def _found(
    points: Space,
    wanted: Level | Fraction,
    delta: Fraction,
    aimed: Aim,
    construction: str | None,
    effort: Effort,
) -> tuple[Solution, Level | None]:
    """The best mechanism, and the largest level that was refuted where the level was looked for."""
    from tightrope import constructions

    if isinstance(wanted, Fraction):
        least = constructions.min_level_given_loss(
            points, wanted, **aimed, delta=delta, effort=effort
        )
        return least.solution, least.refuted
    return constructions.design(
        points, wanted, **aimed, construction=construction, effort=effort
    ), None


def _best(found: Solution, gap: float) -> str:
    from tightrope.cli.wording import number
    from tightrope.exact import tolerances
    from tightrope.utility import standing_of

    if found.bound is None:
        return f"this: {found.theorem}" if found.theorem else "not known"
    standing = standing_of(found, min(gap, tolerances.DEFAULT_GAP))
    this = f"this is {standing}" if standing.startswith("optimal") else standing
    return f"{number(found.bound)} or more, proved: {this}"


@dataclass(frozen=True)
class _Shown:
    """What people are told: the solution, the level refuted if one was, and the files."""

    found: Solution
    refuted: Level | None
    gap: float
    file: str | None
    picture: str | None


def _show(screen: Console, shown: _Shown) -> None:
    from shlex import quote

    from tightrope.choices import Goal
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import number, probability_table, space_text
    from tightrope.constructions import entry
    from tightrope.documents import checker
    from tightrope.mechanisms import count_outputs
    from tightrope.privacy import promise, protection, smallest_text

    found, refuted, problem = shown.found, shown.refuted, shown.found.problem
    certificate, mechanism = found.certified.certificate, found.certified.mechanism
    what = entry(found.construction).reason
    listed = count_outputs(mechanism)
    outputs = "all integers" if listed is None else f"{listed:,} outputs"
    average = "on average" if problem.goal is Goal.AVERAGE else "for the worst input"
    smallest = certificate.smallest
    rows: list[tuple[str, object]] = [
        ("construction", f"{shorten(found.construction)}: {what}"),
        ("space", f"{space_text(problem.space.text)}: {problem.space.size:,} inputs, {outputs}"),
        ("loss", f"{number(found.value)} ({problem.loss.name}, {average})"),
        ("error", found.closeness),
        ("best possible", _best(found, shown.gap)),
        ("level asked" if refuted is None else "level found", str(problem.level)),
        ("no smaller than", None if refuted is None else
         f"ε = {number(float(refuted), 10)}: there the loss is proved too large"),
        ("level proved" if certificate.level.delta == 0 else "level at δ = 0",
         None if smallest is None else smallest_text(smallest)),
        ("proof", f"{certificate.evidence.value}: {certificate.statement}"),
        ("file", shown.file),
        ("picture", shown.picture),
    ]
    screen.print(facts(rows))
    if (small := probability_table(mechanism)) is not None:
        screen.print()
        screen.print(small)
    level = certificate.level
    paragraph(screen, promise(level, mechanism.space), protection(mechanism, level))
    if shown.file is None:
        paragraph(screen, "Nothing was written; add -o FILE to keep this mechanism.")
        return
    file = quote(shown.file)
    paragraph(
        screen,
        "Next:",
        f"  tightrope verify {file}",
        f"  python -m tightrope.{checker(mechanism)} {file}   (a stranger's check)",
    )
