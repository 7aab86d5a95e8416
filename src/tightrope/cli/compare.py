"""`tightrope compare`: every construction side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import shorten
from tightrope.cli.asked import AskedEffort, AskedLevel, AskedObjective
from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import Force, Json, OutputsOption, PlotFile, SpaceArgument

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.constructions import Comparison, Row


PATIENCE = 60.0
"""Seconds that the search for the optimum takes at most if not asked otherwise."""

_NOMINAL = (
    "Nominal mechanisms are as their theorems state them, at half of the level; the others are "
    "calibrated to it."
)


def compare(
    space: SpaceArgument,
    *,
    asked: AskedLevel,
    aim: AskedObjective,
    question: AskedQuery,
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
    from tightrope.files import read_space
    from tightrope.plots import comparison_figure

    picture = PictureTarget(plot, force)
    level = asked.level()
    points = read_space(space)
    aimed = question.aim(aim, points, outputs)
    with closing("comparing", search.gap) as watch:
        effort = search.effort(watch, seconds=PATIENCE)
        found = constructions.compare(
            points,
            level,
            **aimed,
            effort=effort,
            told=lambda row: announce(_line(row)),
        )
    if not found.solutions:
        raise constructions.nothing_applies(found)
    losses = [(row.construction, row.solution.value) for row in found.ranked
              if row.solution is not None]
    title = (
        f"{shorten(points.text)}, {level!s}, {found.problem.loss.name} loss, "
        f"{found.problem.goal.value}"
    )
    picture.draw(lambda: comparison_figure(losses, title))
    answer = {**found.as_json(), "picture": picture.name}
    deliver(answer, lambda screen: _show(screen, title, found), as_json=as_json)


def _line(row: Row) -> str:
    """A row as it is told while others are still sought."""
    if row.solution is None:
        return f"{row.construction}: not here"
    return f"{row.construction}: loss {row.solution.value:.6g}"


def _show(screen: Console, title: str, found: Comparison) -> None:
    from tightrope.cli.report import facts, paragraph, table
    from tightrope.cli.wording import best_saves, number
    from tightrope.utility import BRIEFLY

    lines = []
    for row in found.ranked:
        one = row.solution
        if one is None:
            continue
        smallest = one.certified.certificate.smallest
        lines.append((
            row.construction,
            number(one.value, 6),
            best_saves(one),
            number(None if smallest is None else smallest.upper, 6),
            "" if one.closeness is None else one.closeness.brief,
        ))
    saves = "best saves at most" if found.problem.query is None else "best saves"
    screen.print(title)
    screen.print(table(("construction", "loss", saves, "ε proved", "error"), lines))
    tuned = [(f"  {row.construction}", shorten(row.parameters)) for row in found.ranked
             if row.parameters is not None]
    if tuned:
        screen.print("Parameters:")
        screen.print(facts(tuned))
    absent = [(f"  {row.construction}", row.reason) for row in found.rows if row.solution is None]
    if absent:
        screen.print("Not here:")
        screen.print(facts(absent))
    known = "not known" if found.bound is None else number(found.bound)
    paragraph(
        screen,
        "Each level is proved. The least loss of any mechanism at the level asked for: "
        f"{known}.",
        *([_NOMINAL] if found.problem.query is not None else []),
        *([BRIEFLY] if any(line[-1].startswith("±") for line in lines) else []),
    )
