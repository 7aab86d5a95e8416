"""Bounds that are not known: one of the edges of a column's bins, chosen by rank.

The bins are the declared grid of magnitudes. The bin that holds a rank near the end is chosen as an
extreme value is, by permute-and-flip, and its outer edge is the bound: few rows are beyond it.
Where a column names people, each counts once, in the bin of their outermost row.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tightrope.characters import label_text
from tightrope.declarations import Once
from tightrope.errors import BadInput
from tightrope.releases.accuracy import Ranks
from tightrope.releases.answers import Answer, Drawn, answers_without_intervals, group_cells
from tightrope.releases.statistics.ranks import rank_figure
from tightrope.releases.subqueries import Rows, Score, Strategy, choose_values, number_column

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan


@dataclass(frozen=True)
class UpperBound:
    """The edge of a bin that few rows, or people's largest rows, are above."""

    column: str
    name, phrase, adjustable = "upper_bound", "upper bound of COLUMN", False
    cells = staticmethod(group_cells)
    figure = staticmethod(rank_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The choice of a bin by the rows above it."""
        return bound_strategies(rows, self.column, "upper bound", Score(0, 1, 1), Once.HIGHEST)

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """The upper edge of the bin, within the widest bounds."""
        column = number_column(plan.declaration, self.column, "bound")
        return answers_without_intervals(plan, [min(_edge(plan, drawn, 1), column.high)])


@dataclass(frozen=True)
class LowerBound:
    """The edge of a bin that few rows, or people's smallest rows, are below."""

    column: str
    name, phrase, adjustable = "lower_bound", "lower bound of COLUMN", False
    cells = staticmethod(group_cells)
    figure = staticmethod(rank_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The choice of a bin by the rows below it."""
        return bound_strategies(rows, self.column, "lower bound", Score(1, 0, -1), Once.LOWEST)

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """The lower edge of the bin, within the widest bounds."""
        column = number_column(plan.declaration, self.column, "bound")
        return answers_without_intervals(plan, [max(_edge(plan, drawn, 0), column.low)])


def bound_strategies(
    rows: Rows, name: str, statistic: str, score: Score, once: Once
) -> tuple[Strategy, ...]:
    """The choice of one bin of the column, for the whole table."""
    unit, column = rows.declaration.unit, number_column(rows.declaration, name, statistic)
    if rows.by:
        raise BadInput(f"a column has one {statistic} for all groups: leave by out.")
    if not column.bins:
        raise BadInput(f"declare the grid that the {statistic} is chosen from as bins of the "
                       f"column {label_text(name)!r}, such as bins = [0, 1000, 10000, 100000].")
    tally = rows.tally(name, once=None if unit.person is None else once)
    return (Strategy((choose_values(tally, score),), f"{unit.nouns} beyond it",
                     Ranks(beyond=True)),)


def _edge(plan: QuestionPlan, drawn: Drawn, side: int) -> Fraction:
    """An edge of the chosen bin."""
    column, place = plan.question.columns[0], int(drawn[0][0])
    return number_column(plan.declaration, column, "bound").bins[place + side]
