"""`tightrope compare`: every construction side by side."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from tightrope.cli.options import (
    Delta,
    Epsilon,
    Force,
    GapOption,
    GoalOption,
    Json,
    LossOption,
    OutputsOption,
    PlotFile,
    PriorOption,
    Ratio,
    SpaceArgument,
    TimeOption,
    check_plot,
    effort_of,
    goal_of,
    level_of,
    loss_of,
    outputs_of,
    prior_of,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.constructions import Row


def compare(
    space: SpaceArgument,
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    delta: Delta = "0",
    prior: PriorOption = "uniform",
    loss: LossOption = "binary",
    goal: GoalOption = "average",
    outputs: OutputsOption = None,
    gap: GapOption = None,
    time: TimeOption = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Compare all constructions at a level: their loss, and the level each one really has.

    Example: tightrope compare path:0..49 --epsilon 0.5 --loss absolute
    """
    from tightrope import constructions
    from tightrope.cli.pictures import comparison_picture
    from tightrope.cli.progress import closing
    from tightrope.cli.report import deliver
    from tightrope.cli.wording import level_json, level_text
    from tightrope.data import read_space, write_bytes

    check_plot(plot, force=force)
    level = level_of(epsilon, ratio, delta)
    aim = goal_of(goal)
    points = read_space(space)
    answers = outputs_of(outputs, points)
    law, cost = prior_of(prior, points), loss_of(loss, points, answers)
    with closing("comparing") as watch:
        effort = effort_of(gap, time, watch)
        found = constructions.compare(
            points, level, prior=law, loss=cost, goal=aim, outputs=answers, effort=effort
        )
    rows = sorted((_row(row) for row in found.rows), key=_worth)
    if all(row["value"] is None for row in rows):
        raise constructions.nothing_applies(points, found.rows)
    title = f"{points.text}, {level_text(level)}, {cost.name} loss, {aim.value}"
    if plot is not None:
        write_bytes(plot, comparison_picture(rows, title, plot), force=force)
    answer = {
        "rows": rows,
        "bound": found.bound,
        **level_json(level),
        "space": points.text,
        "loss": cost.name,
        "goal": aim.value,
        "picture": None if plot is None else str(plot),
    }
    deliver(answer, lambda screen: _show(screen, title, answer), as_json=as_json)


def _worth(row: dict[str, Any]) -> float:
    return inf if row["value"] is None else float(row["value"])


def _row(row: Row) -> dict[str, Any]:
    solution = row.solution
    smallest = None if solution is None else solution.certified.certificate.smallest
    return {
        "construction": row.construction,
        "value": None if solution is None else solution.value,
        "gap": None if solution is None else solution.gap,
        "epsilon": None if smallest is None else smallest.upper,
        "certified": solution is not None,
        "reason": row.reason,
    }


def _show(screen: Console, title: str, answer: dict[str, Any]) -> None:
    from tightrope.cli.report import facts, paragraph, table
    from tightrope.cli.wording import number

    present = [row for row in answer["rows"] if row["certified"]]
    screen.print(title, markup=False)
    screen.print(
        table(
            ("construction", "loss", "above the bound", "ε proved"),
            [
                (
                    row["construction"],
                    number(row["value"], 6),
                    "" if row["gap"] is None else f"{100 * row['gap']:.4g} %",
                    number(row["epsilon"], 6),
                )
                for row in present
            ],
        )
    )
    absent: list[tuple[str, object]] = [
        (f"  {row['construction']}", row["reason"])
        for row in answer["rows"]
        if not row["certified"]
    ]
    if absent:
        screen.print("Not here:")
        screen.print(facts(absent))
    bound = answer["bound"]
    known = "not known" if bound is None else number(bound)
    paragraph(
        screen,
        "Each level is proved. The least loss of any mechanism at the level asked for: "
        f"{known}.",
    )
