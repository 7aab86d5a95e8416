"""The names of answers: the cells that they are for, in the order in which they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.declarations import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tightrope.releases.planning import Plan

Names = tuple[tuple[str, ...], ...]


class Margin(str):
    """The words for all cells of a column, in margins: no category, whatever it is called."""

    __slots__ = ()


ALL = Margin("(all)")


def group_cells(plan: Plan) -> Names:
    """The cells of the columns by which answers are given: one answer for each."""
    return Tally(plan.declaration, tuple(plan.question.by)).cells


def cells_within(plan: Plan, names: Iterable[str]) -> Names:
    """Several answers with these names in each group."""
    names = tuple(names)
    return tuple((*group, name) for group in group_cells(plan) for name in names)
