"""Views: the tables of numbers that a question answers, with intervals that hold together.

A question that counts has one table, in the order of its cells; a cross table has its margins and
totals as well. Two views of one family have equal sums over the columns that they share. So an
interval of a sum bounds its terms, and intervals of terms bound the sum; all bounds hold if the
intervals that they are made from do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.releases.planning import QuestionPlan

Cells = NDArray[Any]

ROUNDS = 2
"""Times that all pairs of views bound each other: a cell by a margin, and another cell by that."""


def cells_of(numbers: Any) -> Cells:
    """Exact numbers as an array, one alone as an array without axes."""
    return np.asarray(numbers, dtype=object)


@dataclass(frozen=True)
class View:
    """Numbers by the cells of some keys, each a sum of so many drawn ones, with their intervals."""

    plan: QuestionPlan
    keys: tuple[str, ...]
    axes: tuple[int, ...]
    terms: int
    values: Cells
    low: Cells
    high: Cells

    def margins(self, cells: Cells) -> Cells:
        """The same sums of other numbers."""
        return cells_of(cells.sum(axis=self.axes) if self.axes else cells)

    def wide(self, sure: Fraction) -> View:
        """The view with intervals each of which holds so surely."""
        width = self.plan.subqueries[0].width(sure, self.terms)
        return replace(self, low=cells_of(self.values - width),
                       high=cells_of(self.values + width))

    def sums(self, cells: Cells, keys: Sequence[str]) -> Cells:
        """Sums of cells over all keys but these, in their order, with an axis for each."""
        axes = tuple(place for place, key in enumerate(self.keys) if key not in keys)
        summed = cells_of(cells.sum(axis=axes) if axes else cells)
        left = [key for key in self.keys if key in keys]
        return np.transpose(summed, [left.index(key) for key in keys])

    def spread(self, cells: Cells, keys: Sequence[str]) -> Cells:
        """Numbers by the cells of some keys, repeated along all other keys of the view."""
        order = [keys.index(key) for key in self.keys if key in keys]
        moved = np.transpose(cells_of(cells), order)
        lengths = iter(moved.shape)
        return moved.reshape([next(lengths) if key in keys else 1 for key in self.keys])


def views_of(plan: QuestionPlan, values: Cells) -> list[View]:
    """The tables that a question answers, in the order of its answers."""
    keys = plan.tally.keys
    axes: list[tuple[int, ...]] = [()]
    if len(plan.question.columns) == 2:  # a cross table
        axes = [(), (1,), (0,), (0, 1)]
    made = []
    for left_out in axes:
        cells = cells_of(values.sum(axis=left_out) if left_out else values)
        own = tuple(key for place, key in enumerate(keys) if place not in left_out)
        terms = values.size // max(cells.size, 1)
        made.append(View(plan, own, left_out, terms, cells, cells, cells))
    return made


def within_relations(
    views: Sequence[tuple[int, View]], *, totals_only: bool
) -> list[tuple[int, View]]:
    """The views with intervals narrowed by all others; as they were if some would be empty."""
    narrowed = [*views]
    for _ in range(ROUNDS):
        for one in range(len(narrowed)):
            for other in range(len(narrowed)):
                if one != other:
                    place, view = narrowed[one]
                    beside, bound = narrowed[other]
                    shared = tuple(key for key in view.keys if key in bound.keys)
                    if totals_only and place != beside:
                        shared = ()
                    narrowed[one] = place, _bounded(view, bound, shared)
    empty = any(np.any(view.low > view.high) for _, view in narrowed)
    return [*views] if empty else narrowed


def _bounded(view: View, other: View, shared: tuple[str, ...]) -> View:
    """The view with every cell within what sums of the other leave for it."""
    low, high = (view.spread(other.sums(cells, shared), shared)
                 for cells in (other.low, other.high))
    all_low, all_high = (view.spread(view.sums(cells, shared), shared)
                         for cells in (view.low, view.high))
    least = low - (all_high - view.high)
    most = high - (all_low - view.low)
    return replace(view, low=cells_of(np.maximum(view.low, least)),
                   high=cells_of(np.minimum(view.high, most)))
