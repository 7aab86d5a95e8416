"""The most frequent of the declared categories, bins or values, chosen by their counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tightrope.declarations import Declaration, Filter, NumberColumn, Tally
from tightrope.releases.accuracy import Ranks
from tightrope.releases.answers import Answer, Drawn, answers_without_intervals
from tightrope.releases.figures import interval_figure
from tightrope.releases.names import Names, cells_within, group_cells
from tightrope.releases.resolutions import Resolution
from tightrope.releases.subqueries import Score, Strategy, choose_values

if TYPE_CHECKING:
    from tightrope.releases.planning import Plan


def rows_short(declaration: Declaration) -> str:
    """The unit of errors."""
    return "rows short of the most frequent"


def frequent_strategy(
    column: str, picks: int, declaration: Declaration, by: tuple[str, ...], where: Filter
) -> Strategy:
    """A choice of so many values by their counts, one after the other, in each group."""
    fine = int(declaration.column(column).cells == ())
    tally = Tally(declaration, (*by, column), where=where, fine=fine)
    return Strategy((choose_values(tally, Score(picks=picks)),), Ranks(picks=picks, off="up to"))


def chosen_answers(plan: Plan, drawn: Drawn) -> tuple[Answer, ...]:
    """The names of the values that were chosen."""
    tally = plan.tally
    column = plan.declaration.column(tally.keys[-1])
    if tally.fine:
        assert isinstance(column, NumberColumn)
        return answers_without_intervals(plan, [
            f"{float(column.value(place * tally.fine)):.10g}" for place in drawn[0]])
    return answers_without_intervals(plan, [column.cells[place] for place in drawn[0]])


@dataclass(frozen=True)
class Mode:
    """The most frequent value of a column."""

    column: str
    name, phrase = "mode", "mode of COLUMN"
    resolution, adjustable = Resolution.DECLARED, False
    unit_of_error = staticmethod(rows_short)
    cells = staticmethod(group_cells)
    answers = staticmethod(chosen_answers)
    figure = staticmethod(interval_figure)

    def strategies(
        self, declaration: Declaration, by: tuple[str, ...], where: Filter
    ) -> tuple[Strategy, ...]:
        """The choice of one value."""
        return (frequent_strategy(self.column, 1, declaration, by, where),)


@dataclass(frozen=True)
class Frequent:
    """So many of the most frequent values of a column, the first one first."""

    picks: int
    column: str
    name, phrase = "frequent", "NUMBER most frequent of COLUMN"
    resolution, adjustable = Resolution.DECLARED, False
    unit_of_error = staticmethod(rows_short)
    answers = staticmethod(chosen_answers)
    figure = staticmethod(interval_figure)

    def strategies(
        self, declaration: Declaration, by: tuple[str, ...], where: Filter
    ) -> tuple[Strategy, ...]:
        """The choice of so many values."""
        return (frequent_strategy(self.column, self.picks, declaration, by, where),)

    def cells(self, plan: Plan) -> Names:
        """The places in each group."""
        return cells_within(plan, [str(k + 1) for k in range(self.picks)])
