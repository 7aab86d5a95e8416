"""`tightrope design`: the best mechanism that the catalog has for a space and a level, proved."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.options import (
    Delta,
    Epsilon,
    Force,
    GapOption,
    GoalOption,
    Json,
    LossOption,
    OutputFile,
    OutputsOption,
    PlotFile,
    PriorOption,
    Ratio,
    SpaceArgument,
    TimeOption,
    check_output,
    check_plot,
    complete_construction,
    effort_of,
    goal_of,
    level_of,
    loss_of,
    outputs_of,
    prior_of,
)
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.constructions import Solution
    from tightrope.exact import Level


def design(
    space: SpaceArgument,
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    delta: Delta = "0",
    prior: PriorOption = "uniform",
    loss: LossOption = "binary",
    goal: GoalOption = "average",
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
    gap: GapOption = None,
    time: TimeOption = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Design the mechanism with the smallest loss at a level, and prove its privacy.

    With --max-loss in place of a level it finds the smallest ε that is accurate enough.

    Example: tightrope design path:0..49 --epsilon 0.5 --loss absolute -o m.json
    """
    from tightrope import constructions
    from tightrope.cli.pictures import mechanism_picture
    from tightrope.cli.progress import closing
    from tightrope.cli.report import deliver
    from tightrope.cli.wording import count_outputs, level_json, level_text, smallest_json
    from tightrope.data import read_space, save, write_bytes
    from tightrope.documents import optimality_of

    check_output(output, force=force)
    check_plot(plot, force=force)
    asked = _asked(epsilon, ratio, delta, max_loss, construction)
    aim = goal_of(goal)
    points = read_space(space)
    answers = outputs_of(outputs, points)
    law, cost = prior_of(prior, points), loss_of(loss, points, answers)
    start = perf_counter()
    refuted: Level | None = None
    with closing("designing and proving") as watch:
        effort = effort_of(gap, time, watch)
        if isinstance(asked, Fraction):
            objective = constructions.Objective(law, cost, aim, answers)
            least = constructions.min_level_given_loss(
                points, asked, objective, delta=Fraction(delta), effort=effort
            )
            found, level, refuted = least.solution, least.level, least.refuted
        else:
            level = asked
            found = constructions.design(
                points,
                level,
                prior=law,
                loss=cost,
                goal=aim,
                outputs=answers,
                construction=construction,
                effort=effort,
            )
    seconds = perf_counter() - start
    title = f"{found.construction} on {points.text}, {level_text(level)}"
    drawn = None if plot is None else mechanism_picture(found.certified.mechanism, title, plot)
    if output is not None:
        save(
            found.certified,
            output,
            construction={"name": found.construction},
            optimality=optimality_of(found, constructions.Objective(law, cost, aim, answers)),
            force=force,
        )
    if plot is not None and drawn is not None:
        write_bytes(plot, drawn, force=force)
    certificate = found.certified.certificate
    answer = {
        "construction": found.construction,
        "theorem": found.theorem,
        "value": found.value,
        "bound": found.bound,
        "gap": found.gap,
        **level_json(level),
        "epsilon_refuted": None if refuted is None else float(refuted),
        "certified": certificate.holds,
        "evidence": certificate.evidence.value,
        "proved": smallest_json(certificate.smallest),
        "checked": certificate.checked,
        "space": points.text,
        "inputs": points.size,
        "outputs": count_outputs(found.certified.mechanism),
        "neighbors": certificate.neighbors,
        "loss": cost.name,
        "goal": aim.value,
        "seconds": seconds,
        "file": None if output is None else str(output),
        "picture": None if plot is None else str(plot),
    }
    deliver(answer, lambda screen: _show(screen, found, answer), as_json=as_json)


def _asked(
    epsilon: str | None,
    ratio: str | None,
    delta: str,
    max_loss: str | None,
    construction: str | None,
) -> Level | Fraction:
    """The level asked for or, instead of one, the loss that must not be exceeded."""
    from tightrope.exact import Level

    if max_loss is None:
        return level_of(epsilon, ratio, delta)
    if epsilon is not None or ratio is not None:
        raise BadInput("give a level or --max-loss, not both: --max-loss finds the level.")
    if construction not in (None, "optimal"):
        raise BadInput(f"--max-loss goes with the optimal construction, not {construction}.")
    Level.ratio(2, delta)
    try:
        return Fraction(max_loss)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"expected --max-loss as a number, found {max_loss!r}.") from None


def _best(found: Solution) -> str:
    from tightrope.cli.wording import number

    if found.bound is None:
        return f"this: {found.theorem}" if found.theorem else "not known"
    gap = f"gap {found.gap:.1e}" if found.gap else "no gap"
    return f"{number(found.bound)} or more, proved ({gap})"


def _no_smaller(answer: dict[str, Any]) -> str | None:
    from tightrope.cli.wording import number

    low = answer["epsilon_refuted"]
    return None if low is None else f"ε = {number(low, 10)}: there the loss is proved too large"


def _show(screen: Console, found: Solution, answer: dict[str, Any]) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import (
        level_text,
        meaning,
        number,
        probability_table,
        protection,
        smallest_text,
    )
    from tightrope.constructions import CATALOG

    certificate, mechanism = found.certified.certificate, found.certified.mechanism
    what = next(entry.reason for entry in CATALOG if entry.name == found.construction)
    outputs = "all integers" if answer["outputs"] is None else f"{answer['outputs']:,} outputs"
    average = "on average" if answer["goal"] == "average" else "for the worst input"
    smallest = certificate.smallest
    rows: list[tuple[str, object]] = [
        ("construction", f"{found.construction}: {what}"),
        ("space", f"{answer['space']}: {answer['inputs']:,} inputs, {outputs}"),
        ("loss", f"{number(found.value)} ({answer['loss']}, {average})"),
        ("best possible", _best(found)),
        ("level asked", level_text(certificate.level)),
        ("no smaller than", _no_smaller(answer)),
        ("level proved" if certificate.level.delta == 0 else "level at δ = 0",
         None if smallest is None else smallest_text(smallest)),
        ("proof", f"{certificate.evidence.value}: {certificate.statement}"),
        ("file", answer["file"]),
        ("picture", answer["picture"]),
    ]
    screen.print(facts(rows))
    if (shown := probability_table(mechanism)) is not None:
        screen.print()
        screen.print(shown)
    level = certificate.level
    paragraph(screen, meaning(level), protection(mechanism, level))
    if answer["file"] is None:
        paragraph(screen, "Nothing was written; add -o FILE to keep this mechanism.")
        return
    paragraph(
        screen,
        "Next:",
        f"  tightrope verify {answer['file']}",
        f"  python -m tightrope.receipt {answer['file']}   (a stranger's check)",
    )
