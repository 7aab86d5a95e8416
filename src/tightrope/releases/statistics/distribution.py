"""The distribution function of a column, with a band that holds all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tightrope.declarations import TimeColumn
from tightrope.releases.accuracy import Band
from tightrope.releases.answers import (
    Answer,
    Drawn,
    Ends,
    Names,
    answers_between,
    between,
    cells_within,
    in_order,
)
from tightrope.releases.figures import by_group, confidence_text
from tightrope.releases.subqueries import (
    MOST_VALUES,
    Rows,
    Strategy,
    ordered_column,
    tree_subquery,
)
from tightrope.releases.trees import trees

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.releases.planning import QuestionPlan

MOST_POINTS = 1024
"""Points of a distribution function, where no bins are declared."""


@dataclass(frozen=True)
class Distribution:
    """The share of rows up to every value of a column, or every edge of its bins."""

    column: str
    name, phrase, adjustable = "distribution", "distribution of COLUMN", False

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """Counts of blocks of values, in trees of so many levels."""
        rows.check_values(self.column, self.name)
        column = ordered_column(rows.declaration, self.column, self.name)
        points = max(min(MOST_POINTS, MOST_VALUES // rows.tally().size), 2)
        fine = 0 if column.bins else -(-(column.steps + 1) // points)
        tally, size = rows.tally(self.column, fine=fine), rows.public_size(total=column.is_total)
        return tuple(
            Strategy((tree_subquery(tally, tree),), "shares", Band(), tree, size, Fraction(1),
                     rows=f"rows whose {self.column} is not left out")
            for tree in trees(tally.shape[-1]))

    def cells(self, plan: QuestionPlan) -> Names:
        """The points in each group."""
        column = ordered_column(plan.declaration, self.column, self.name)
        return cells_within(plan, [f"{'<=' if closed else '<'} {column.text(point)}"
                                   for point, closed in self._points(plan)])

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """Shares up to every point; values if the lower limit of the size is at least 1."""
        return answers_between(plan, drawn, _shares_up_to)

    def figure(self, plan: QuestionPlan, answers: Sequence[Answer]) -> Figure:
        """The function of every group in its band."""
        from tightrope import plots

        column = ordered_column(plan.declaration, self.column, self.name)
        known = plan.tally.fine == 1
        edges = "" if known else "; between edges only what monotonicity allows"
        return plots.distribution_figure(
            [point for point, _ in self._points(plan)], by_group(plan, answers),
            f"{plan.title}\n{confidence_text(plan)} for all points together{edges}", self.column,
            start=float(column.low), every_value=known,
            axis_text=column.text if isinstance(column, TimeColumn) else None)

    def _points(self, plan: QuestionPlan) -> list[tuple[float, bool]]:
        """The points, each with whether it counts itself."""
        tally, column = plan.tally, ordered_column(plan.declaration, self.column, self.name)
        if tally.fine:
            ends = [min((k + 1) * tally.fine - 1, column.steps) for k in range(tally.shape[-1])]
            return [(float(column.value(code)), True) for code in ends]
        *inner, last = column.bins[1:]
        return [*((float(edge), False) for edge in inner), (float(last), True)]


def _shares_up_to(plan: QuestionPlan, numbers: Sequence[int]) -> list[Ends]:
    tree, band = plan.strategy.tree, plan.band
    assert tree is not None
    zero, whole = Fraction(0), Fraction(1)
    ends: list[Ends] = []
    for start in range(0, len(numbers), tree.nodes):
        upto = tree.upto(numbers[start : start + tree.nodes])
        total = Fraction(upto[-1]) if plan.size is None else Fraction(plan.size)
        slack = band if plan.size is None else zero
        full = total - slack >= 1
        for middle, low, high in zip(in_order(upto), np.maximum.accumulate(upto),
                                     np.minimum.accumulate(upto[::-1])[::-1], strict=True):
            least = max(int(low) - band, zero) / max(total + slack, whole)
            most = max(int(high) + band, zero) / max(total - slack, whole)
            ends.append(between(zero, whole, middle / total if full else None, least, most))
        ends[-1] = (whole if full else None, whole, whole)
    return ends
