"""`tightrope design`: the best mechanism that the catalog has for a space and a level, proved."""

from __future__ import annotations

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
    prior_of,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.constructions import Solution


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
    output: OutputFile = None,
    gap: GapOption = None,
    time: TimeOption = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Design the mechanism with the smallest loss at a level, and prove its privacy.

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
    level = level_of(epsilon, ratio, delta)
    aim = goal_of(goal)
    points = read_space(space)
    law, cost = prior_of(prior, points), loss_of(loss, points)
    start = perf_counter()
    with closing("designing and proving") as watch:
        effort = effort_of(gap, time, watch)
        found = constructions.design(
            points,
            level,
            prior=law,
            loss=cost,
            goal=aim,
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
            optimality=optimality_of(found, constructions.Objective(law, cost, aim)),
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


def _best(found: Solution) -> str:
    from tightrope.cli.wording import number

    if found.bound is None:
        return f"this: {found.theorem}" if found.theorem else "not known"
    gap = f"gap {found.gap:.1e}" if found.gap else "no gap"
    return f"{number(found.bound)} or more, proved ({gap})"


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
        ("level proved", None if smallest is None else smallest_text(smallest)),
        ("proof", f"{certificate.evidence.value}: {certificate.statement}"),
        ("file", answer["file"]),
        ("picture", answer["picture"]),
    ]
    screen.print(facts(rows))
    if (shown := probability_table(mechanism)) is not None:
        screen.print()
        screen.print(shown)
    paragraph(screen, meaning(certificate.level), protection(mechanism))
    if answer["file"] is None:
        paragraph(screen, "Nothing was written; add -o FILE to keep this mechanism.")
        return
    paragraph(
        screen,
        "Next:",
        f"  tightrope verify {answer['file']}",
        f"  python -m tightrope.receipt {answer['file']}   (a stranger's check)",
    )
