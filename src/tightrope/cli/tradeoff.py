"""`tightrope tradeoff`: loss against ε, or the smallest ε for a radius and a failure."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.options import (
    Delta,
    Force,
    GapOption,
    GoalOption,
    Json,
    LossOption,
    PlotFile,
    PriorOption,
    SpaceArgument,
    TimeOption,
    check_plot,
    effort_of,
    goal_of,
    loss_of,
    prior_of,
)
from tightrope.cli.radius import Failure, OpenBalls, Radius, RowsFor, smallest
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.constructions import LevelComparison
    from tightrope.exact import Level

MOST_LEVELS = 1000


def tradeoff(
    space: SpaceArgument,
    epsilons: Annotated[
        str | None,
        typer.Option(
            "--epsilons",
            metavar="A:B:STEP",
            help="The levels: from A to B in steps, as in 0.25:2:0.25.",
            show_default=False,
        ),
    ] = None,
    radius: Radius = None,
    failure: Failure = None,
    open_balls: OpenBalls = False,
    rows_for: RowsFor = None,
    delta: Delta = "0",
    prior: PriorOption = "uniform",
    loss: LossOption = "binary",
    goal: GoalOption = "average",
    gap: GapOption = None,
    time: TimeOption = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Show the loss of every construction over a range of ε, and the least possible.

    With --radius and --failure: the smallest ε at which every answer is within
    the radius except with that probability, whatever the input.

    Example: tightrope tradeoff path:0..20 --epsilons 0.25:2:0.25 --loss absolute --plot t.svg
    """
    from tightrope import constructions
    from tightrope.cli.progress import counting
    from tightrope.cli.report import deliver
    from tightrope.data import read_space, write_bytes

    if radius is not None or failure is not None:
        if epsilons is not None or plot is not None:
            raise BadInput("--radius and --failure go with neither --epsilons nor --plot.")
        others = (delta, prior, loss, goal, gap, time)
        if others != ("0", "uniform", "binary", "average", None, None):
            raise BadInput(
                "--radius and --failure ask about the worst input at δ = 0: they go with none of "
                "--delta, --prior, --loss, --goal, --gap and --time."
            )
        smallest(space, radius, failure, open_balls=open_balls, rows_for=rows_for, as_json=as_json)
        return
    if epsilons is None:
        raise BadInput(
            "expected --epsilons, such as 0.25:2:0.25, or --radius and --failure."
        )
    if open_balls or rows_for is not None:
        raise BadInput("--open and --rows-for go with --radius and --failure.")
    check_plot(plot, force=force)
    levels = levels_of(epsilons, delta)
    aim = goal_of(goal)
    points = read_space(space)
    objective = constructions.Objective(prior_of(prior, points), loss_of(loss, points), aim)
    effort = effort_of(gap, time, lambda iteration, value, bound: None)
    found = []
    with counting("levels") as count:
        for at in constructions.tradeoff(points, levels, objective, effort=effort):
            found.append(at)
            count(len(found))
    rows = [row for at in found for row in _rows(at)]
    if not rows:
        raise constructions.nothing_applies(points, found[0].comparison.rows)
    title = f"{points.text}, {objective.loss.name} loss, {aim.value}"
    if plot is not None:
        write_bytes(plot, _picture(rows, title, plot.suffix.lower().lstrip(".")), force=force)
    answer = {
        "rows": rows,
        "space": points.text,
        "delta": float(levels[0].delta),
        "loss": objective.loss.name,
        "goal": aim.value,
        "picture": None if plot is None else str(plot),
    }
    deliver(answer, lambda screen: _show(screen, title, rows), as_json=as_json)


def levels_of(text: str, delta: str) -> list[Level]:
    """The levels of a range, each exact.

    >>> [level.text for level in levels_of("0.5:1.5:0.5", "0")]
    ['0.5', '1', '1.5']
    """
    from tightrope.exact import Level

    parts = text.split(":")
    try:
        first, last, step = (Fraction(part) for part in parts)
    except (ValueError, ZeroDivisionError):
        raise BadInput(
            f"expected --epsilons as A:B:STEP, such as 0.25:2:0.25, found {text!r}."
        ) from None
    if not (first > 0 and step > 0 and last >= first):
        raise BadInput(f"expected --epsilons from above 0 upwards in steps, found {text!r}.")
    count = (last - first) // step + 1
    if count > MOST_LEVELS:
        raise BadInput(f"expected at most {MOST_LEVELS} levels, found {count}; use a larger step.")
    return [Level.epsilon(first + k * step, delta).checked() for k in range(count)]


def _rows(at: LevelComparison) -> list[dict[str, Any]]:
    return [
        {
            "epsilon": float(at.level),
            "construction": row.construction,
            "value": row.solution.value,
            "bound": row.solution.bound,
            "gap": row.solution.gap,
            "theorem": row.solution.theorem,
        }
        for row in at.comparison.rows
        if row.solution is not None
    ]


def _picture(rows: list[dict[str, Any]], title: str, kind: str) -> bytes:
    from tightrope.plots import picture, tradeoff_figure

    curves: dict[str, list[tuple[float, float]]] = {}
    bounds = {row["epsilon"]: row["bound"] for row in rows if row["bound"] is not None}
    for row in rows:
        curves.setdefault(row["construction"], []).append((row["epsilon"], row["value"]))
    return picture(tradeoff_figure(curves, sorted(bounds.items()), title), kind)


def _show(screen: Console, title: str, rows: list[dict[str, Any]]) -> None:
    from tightrope.cli.report import paragraph, table
    from tightrope.cli.wording import number

    screen.print(title, markup=False)
    lines, shown = [], None
    for row in sorted(rows, key=lambda row: (row["epsilon"], row["value"])):
        lines.append(
            (
                "" if row["epsilon"] == shown else number(row["epsilon"], 6),
                row["construction"],
                number(row["value"], 6),
                "" if row["gap"] is None else f"{100 * row['gap']:.4g} %",
            )
        )
        shown = row["epsilon"]
    screen.print(table(("ε", "construction", "loss", "above the bound"), lines))
    paragraph(screen, "Every mechanism behind these losses is proved at its ε.")
