"""`tightrope compare`: every construction side by side."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from tightrope.characters import shorten
from tightrope.cli.asked import AskedEffort, AskedLevel, AskedObjective
from tightrope.cli.options import Force, Json, OutputsOption, PlotFile, SpaceArgument

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.constructions import Comparison, Row


PATIENCE = 60.0
"""Seconds that the search for the optimum takes at most if not asked otherwise."""


def compare(
    space: SpaceArgument,
    *,
    asked: AskedLevel,
    aim: AskedObjective,
    outputs: OutputsOption = None,
    search: AskedEffort,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Compare all constructions at a level: their loss, and the level each one really has.

    The optimum, and with it the bound, is sought last and for a minute at most, unless --time
    says otherwise.

    Example: tightrope compare path:0..49 --epsilon 0.5 --loss absolute
    """
    from tightrope import constructions
    from tightrope.cli.progress import announce, closing
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.cli.wording import level_json
    from tightrope.data import read_space
    from tightrope.plots import comparison_figure

    picture = PictureTarget(plot, force)
    level = asked.level()
    points = read_space(space)
    aimed = aim.on(points, outputs)
    with closing("comparing") as watch:
        effort = search.effort(watch, seconds=PATIENCE)
        found = constructions.compare(
            points,
            level,
            **aimed,
            effort=effort,
            told=lambda row: announce(_line(row)),
        )
    rows = sorted((_row(row) for row in found.rows), key=_worth)
    losses = [(row["construction"], row["value"]) for row in rows if row["value"] is not None]
    if not losses:
        raise constructions.nothing_applies(points, found.rows)
    loss, goal = found.problem.loss.name, found.problem.goal.value
    title = f"{shorten(points.text)}, {level!s}, {loss} loss, {goal}"
    picture.draw(lambda: comparison_figure(losses, title))
    answer = {
        "rows": rows,
        "bound": found.bound,
        **level_json(level),
        "space": points.text,
        "loss": loss,
        "goal": goal,
        "picture": picture.name,
    }
    deliver(answer, lambda screen: _show(screen, title, answer, found, effort.gap), as_json=as_json)


def _line(row: Row) -> str:
    """A row as it is told while others are still sought."""
    if row.solution is None:
        return f"{row.construction}: not here"
    return f"{row.construction}: loss {row.solution.value:.6g}"


def _worth(row: dict[str, Any]) -> float:
    return inf if row["value"] is None else float(row["value"])


def _row(row: Row) -> dict[str, Any]:
    solution = row.solution
    closeness = None if solution is None else solution.closeness
    smallest = None if solution is None else solution.certified.certificate.smallest
    return {
        "construction": row.construction,
        "value": None if solution is None else solution.value,
        "gap": None if solution is None else solution.gap,
        "error": None if closeness is None else closeness.as_json(),
        "epsilon": None if smallest is None else smallest.upper,
        "certified": solution is not None,
        "reason": row.reason,
    }


def _show(
    screen: Console, title: str, answer: dict[str, Any], found: Comparison, gap: float
) -> None:
    from tightrope.cli.report import facts, paragraph, table
    from tightrope.cli.wording import best_saves, number
    from tightrope.utility import BRIEFLY

    close = {
        row.construction: row.solution.closeness.brief
        for row in found.rows
        if row.solution is not None and row.solution.closeness is not None
    }

    present = [row for row in answer["rows"] if row["certified"]]
    screen.print(title)
    screen.print(
        table(
            ("construction", "loss", "best saves at most", "ε proved", "error"),
            [
                (
                    row["construction"],
                    number(row["value"], 6),
                    best_saves(row["gap"], gap),
                    number(row["epsilon"], 6),
                    close.get(row["construction"], ""),
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
        *([BRIEFLY] if any(said.startswith("±") for said in close.values()) else []),
    )
