"""The names of answers: the cells that they are for, in the order in which they are given."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tightrope.declarations import CategoryColumn, NumberColumn, Tally
from tightrope.releases.questions import CHOSEN, Ask

if TYPE_CHECKING:
    from tightrope.releases.planning import Plan

class Margin(str):
    """The words for all cells of a column, in margins: no category, whatever it is called."""

    __slots__ = ()


ALL = Margin("(all)")


def cells_of(plan: Plan) -> tuple[tuple[str, ...], ...]:
    """The names of all answers."""
    question, declaration = plan.question, plan.declaration
    groups = group_cells(plan)
    match question.ask:
        case Ask.HISTOGRAM:
            return plan.parts[0].part.tally.cells
        case Ask.CROSS:
            first, second = (declaration.column(name).cells for name in question.columns)
            pairs = [*product(first, second), *((one, ALL) for one in first),
                     *((ALL, one) for one in second), (ALL, ALL)]
            return tuple((*pair, *group) for pair in pairs for group in groups)
        case Ask.COUNTS:
            return tuple((*group, text) for group in groups for text in question.details)
        case Ask.QUANTILES:
            return tuple((*group, f"{float(p):g}")
                         for group in groups for p in question.probabilities)
        case Ask.FREQUENT:
            return tuple((*group, str(k + 1)) for group in groups for k in range(question.picks))
        case Ask.DISTRIBUTION:
            points = point_names(plan)
            return tuple((*group, point) for group in groups for point in points)
        case _:
            return groups


def group_cells(plan: Plan) -> tuple[tuple[str, ...], ...]:
    """The cells of the columns by which answers are given."""
    return Tally(plan.declaration, tuple(plan.question.by)).cells


def points_of(plan: Plan) -> list[tuple[float, bool]]:
    """The points of a distribution function, each with whether it counts itself."""
    tally = plan.parts[0].part.tally
    column = plan.declaration.column(plan.question.columns[0])
    assert isinstance(column, NumberColumn)
    if tally.fine:
        ends = [min((k + 1) * tally.fine - 1, column.steps) for k in range(tally.shape[-1])]
        return [(float(column.value(code)), True) for code in ends]
    *inner, last = column.bins[1:]
    return [*((float(edge), False) for edge in inner), (float(last), True)]


def point_names(plan: Plan) -> list[str]:
    """The points of a distribution function in words."""
    return [f"{'<=' if closed else '<'} {point:.10g}" for point, closed in points_of(plan)]


def item_name(plan: Plan, place: int) -> str:
    """The value that a choice among the most frequent stands for."""
    assert plan.question.ask in CHOSEN
    tally = plan.parts[0].part.tally
    column = plan.declaration.column(plan.question.columns[0])
    if tally.fine:
        assert isinstance(column, NumberColumn)
        return f"{float(column.value(place * tally.fine)):.10g}"
    assert isinstance(column, CategoryColumn | NumberColumn)
    return column.cells[place]

