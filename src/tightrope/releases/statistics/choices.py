"""The most frequent of the declared categories, bins or values, chosen by their counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tightrope.declarations import NumberColumn
from tightrope.releases.accuracy import Ranks
from tightrope.releases.answers import (
    Answer,
    Drawn,
    Names,
    answers_without_intervals,
    cells_within,
    group_cells,
)
from tightrope.releases.figures import interval_figure
from tightrope.releases.subqueries import Rows, Score, Strategy, choose_values

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan


def frequent_strategy(rows: Rows, column: str, statistic: str, picks: int) -> Strategy:
    """A choice of so many values by their counts, one after the other, in each group."""
    rows.check_values(column, statistic)
    tally = rows.tally(column, fine=int(rows.declaration.column(column).cells == ()))
    return Strategy((choose_values(tally, Score(picks=picks)),), "rows short of the most frequent",
                    Ranks(picks=picks, by_rank=False))


def chosen_answers(plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
    """The names of the values that were chosen."""
    tally = plan.tally
    column = plan.declaration.column(tally.keys[-1])
    if tally.fine:
        assert isinstance(column, NumberColumn)
        return answers_without_intervals(plan, [
            column.text(column.value(place * tally.fine)) for place in drawn[0]])
    return answers_without_intervals(plan, [column.cells[place] for place in drawn[0]])


@dataclass(frozen=True)
class Mode:
    """The most frequent value of a column."""

    column: str
    name, phrase, adjustable = "mode", "mode of COLUMN", False
    cells = staticmethod(group_cells)
    answers = staticmethod(chosen_answers)
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The choice of one value."""
        return (frequent_strategy(rows, self.column, self.name, 1),)


@dataclass(frozen=True)
class Frequent:
    """So many of the most frequent values of a column, the first one first."""

    picks: int
    column: str
    name, phrase, adjustable = "frequent", "NUMBER most frequent of COLUMN", False
    answers = staticmethod(chosen_answers)
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The choice of so many values."""
        return (frequent_strategy(rows, self.column, self.name, self.picks),)

    def cells(self, plan: QuestionPlan) -> Names:
        """The places in each group."""
        return cells_within(plan, [str(k + 1) for k in range(self.picks)])
