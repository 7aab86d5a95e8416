"""Counts in the cells of columns, empty ones included; and keys that nobody listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from tightrope.characters import label_text
from tightrope.errors import BadInput
from tightrope.releases.answers import (
    Answer,
    Drawn,
    Ends,
    Margin,
    Names,
    answers_between,
    group_cells,
    mark_of,
    noisy_answers,
)
from tightrope.releases.figures import bar_figure, drawn_answer, interval_figure
from tightrope.releases.keys import key_answers, key_strategy
from tightrope.releases.labels import shown_cells
from tightrope.releases.subqueries import Rows, Strategy, count_cells

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.releases.planning import QuestionPlan


ALL = Margin("(all)")



@dataclass(frozen=True)
class Histogram:
    """The number of rows in every cell of a column."""

    column: str
    name, phrase, adjustable = "histogram", "histogram of COLUMN", True
    answers = staticmethod(noisy_answers)
    figure = staticmethod(bar_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """Rows of each cell and group."""
        return (key_strategy(rows, self.column) or count_cells(rows, self.column),)

    def cells(self, plan: QuestionPlan) -> Names:
        """The cells of the column, and in each of them the groups."""
        return plan.tally.cells


@dataclass(frozen=True)
class Cross:
    """The number of rows in every pair of cells of two columns, with margins and totals."""

    first: str
    second: str
    name, phrase, adjustable = "cross", "histogram of COLUMN and COLUMN", True

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """Rows of each pair of cells and group."""
        if key_strategy(rows, self.first, self.second) is not None:
            raise BadInput("a cross table needs declared values in both columns: ask count by "
                           f"{label_text(self.first)}, {label_text(self.second)}.")
        strategy = count_cells(rows, self.first, self.second)
        first, second = strategy.subqueries[0].by_cells.shape[:2]
        return (replace(strategy, sums=(
            (f"margins of {self.first}", second), (f"margins of {self.second}", first),
            ("totals", first * second))),)

    def cells(self, plan: QuestionPlan) -> Names:
        """Pairs of cells, margins of the first column, of the second, and totals, by group."""
        first, second = (plan.declaration.column(name).cells for name in (self.first, self.second))
        pairs = [*product(first, second), *product(first, [ALL]), *product([ALL], second),
                 (ALL, ALL)]
        return tuple((*pair, *group) for pair in pairs for group in group_cells(plan))

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """Cells, and margins and totals that are their sums, by group."""
        return answers_between(plan, drawn, _cells_and_margins)

    def figure(self, plan: QuestionPlan, answers: Sequence[Answer]) -> Figure:
        """A heat map; by groups, all answers with their intervals."""
        from tightrope import plots

        if plan.question.by:
            return interval_figure(plan, answers)
        rows, columns = shown_cells(plan, self.first), shown_cells(plan, self.second)
        return plots.crossed_figure(
            rows, columns, [drawn_answer(answer) for answer in answers[: len(rows) * len(columns)]],
            f"{plan.title}\n{plan.accuracy}", (self.first, self.second), plan.unit_of_error,
            mark_of(plan))


def _cells_and_margins(plan: QuestionPlan, numbers: Sequence[int]) -> list[Ends]:
    first, second = plan.tally.shape[:2]
    cells = np.array(numbers, dtype=object).reshape(first, second, -1)
    assert plan.width is not None
    widths = [plan.width, *(spread.width for spread in plan.sums)]
    axes: list[Any] = [(), (1,), (0,), (0, 1)]
    return [(Fraction(int(number)), number - width, number + width)
            for axis, width in zip(axes, widths, strict=True)
            for number in cells.sum(axis=axis).flat]


@dataclass(frozen=True)
class Keys:
    """Which values of a column appear, by the largest chances that the level allows."""

    column: str
    name, phrase, adjustable = "keys", "keys of COLUMN", False
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The keys of the column, and of groups beside it."""
        strategy = key_strategy(rows, self.column, counted=False)
        if strategy is None:
            cells = rows.declaration.column(self.column).cells
            raise BadInput(f"the values of the column {label_text(self.column)!r} are declared, "
                           f"{len(cells):,} of them: ask histogram of {label_text(self.column)}.")
        return (strategy,)

    def cells(self, plan: QuestionPlan) -> Names:
        """None before the draw: only the keys that appear have names."""
        return ()

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """The keys that appear."""
        return key_answers(plan, drawn)
