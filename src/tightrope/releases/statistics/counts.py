"""Counts of rows, of people, and of rows that meet conditions; the share of rows that meet one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tightrope.declarations import (
    Absent,
    All,
    AnyOf,
    Declaration,
    Filter,
    Not,
    Tallied,
    Tally,
    conditions_in,
    read_filter,
)
from tightrope.errors import BadInput
from tightrope.releases.accuracy import NOISE, RATIO
from tightrope.releases.answers import (
    Answer,
    Drawn,
    Ends,
    answers_between,
    noisy_answers,
    ratio_ends,
)
from tightrope.releases.cuts import unit_of_rows
from tightrope.releases.figures import interval_figure
from tightrope.releases.names import Names, cells_within, group_cells
from tightrope.releases.resolutions import Resolution
from tightrope.releases.sensitivity import joint_sensitivity
from tightrope.releases.subqueries import (
    Evaluate,
    Strategy,
    Subquery,
    count_cells,
    in_range,
    most_of_all,
    public_size,
)
from tightrope.spaces import LARGEST_RECORD, LONGEST_TOTALS, Tallies, Totals

if TYPE_CHECKING:
    from tightrope.releases.planning import Plan

@dataclass(frozen=True)
class Count:
    """How many rows there are."""

    name, phrase = "count", "count"
    resolution, adjustable = Resolution.COLUMN, True
    unit_of_error = staticmethod(unit_of_rows)
    cells = staticmethod(group_cells)
    answers = staticmethod(noisy_answers)
    figure = staticmethod(interval_figure)

    def strategies(
        self, declaration: Declaration, by: tuple[str, ...], where: Filter
    ) -> tuple[Strategy, ...]:
        """Rows of each group."""
        size = public_size(declaration, by, where, total=True)
        if size is not None:
            raise BadInput("the number of rows is public where neighbors replace one: it is "
                           f"{size:,}.")
        return (count_cells(Tally(declaration, by, where=where)),)


@dataclass(frozen=True)
class People:
    """How many people there are."""

    name, phrase = "people", "people"
    resolution, adjustable = Resolution.COLUMN, True
    cells = staticmethod(group_cells)
    answers = staticmethod(noisy_answers)
    figure = staticmethod(interval_figure)

    def strategies(
        self, declaration: Declaration, by: tuple[str, ...], where: Filter
    ) -> tuple[Strategy, ...]:
        """People of each group, who count once there."""
        return (count_cells(Tally(declaration, by, where=where, people=True)),)

    def unit_of_error(self, declaration: Declaration) -> str:
        """People."""
        return "people"


@dataclass(frozen=True)
class Counts:
    """How many rows meet each of some conditions, which may overlap."""

    conditions: tuple[str, ...]
    name, phrase = "counts", "counts of CONDITIONS"
    resolution, adjustable = Resolution.COLUMN, False
    unit_of_error = staticmethod(unit_of_rows)
    answers = staticmethod(noisy_answers)
    figure = staticmethod(interval_figure)

    def strategies(
        self, declaration: Declaration, by: tuple[str, ...], where: Filter
    ) -> tuple[Strategy, ...]:
        """Counts with noise each, or in a box of noise for all together."""
        filters = tuple(read_filter(text, declaration.columns) for text in self.conditions)
        tally = Tally(declaration, by, where=where, conditions=filters)
        rows, number = declaration.unit.rows, len(filters)

        def counts(tallied: Tallied) -> list[int]:
            return [met[cell] for cell in range(tally.size) for met in tallied.met]

        # a kept row may meet several conditions
        strategies = [_conditions(tally, number, number * rows, counts)]
        if tally.size == 1 and 1 < number <= LONGEST_TOTALS:
            people = min(2**40, (LARGEST_RECORD - 1) // rows)
            strategies.append(Strategy((Subquery(tally, Totals(people, rows, number), counts),)))
        return tuple(strategies)

    def cells(self, plan: Plan) -> Names:
        """The conditions in each group."""
        return cells_within(plan, self.conditions)


@dataclass(frozen=True)
class Proportion:
    """The share of rows that meet a condition, among those of which it is known."""

    condition: str
    name, phrase = "proportion", "proportion of CONDITION"
    resolution, adjustable = Resolution.COLUMN, False
    cells = staticmethod(group_cells)
    figure = staticmethod(interval_figure)

    def strategies(
        self, declaration: Declaration, by: tuple[str, ...], where: Filter
    ) -> tuple[Strategy, ...]:
        """Rows that meet the condition, and unless the number of rows is public, those that do not.
        """
        met = read_filter(self.condition, declaration.columns)
        total = all(isinstance(condition, Absent) or condition.column.is_total
                    for condition in conditions_in(met))
        size = public_size(declaration, by, where, total=total)
        tally = Tally(declaration, by, where=All((where, AnyOf((met, Not(met))))),
                      conditions=(met,))

        def both(tallied: Tallied) -> list[int]:
            return [count for yes, rows in zip(*tallied.met, tallied.counts, strict=True)
                    for count in (yes, rows - yes)]

        # a kept row is on one side of the condition
        rows = declaration.unit.rows
        strategy = (_conditions(tally, 2, rows, both) if size is None else
                    _conditions(tally, 1, rows, lambda tallied: tallied.met[0]))
        return (replace(
            strategy, accuracy=NOISE if size else RATIO, divisor=size, range_length=Fraction(1),
            rows="rows for which the condition is true or false, not unknown"),)

    def unit_of_error(self, declaration: Declaration) -> str:
        """Shares."""
        return "shares"

    def answers(self, plan: Plan, drawn: Drawn) -> tuple[Answer, ...]:
        """Shares of all rows, or of the rows on both sides."""
        return noisy_answers(plan, drawn) if plan.size is not None else (
            answers_between(plan, drawn, _shares))


def _shares(plan: Plan, numbers: Sequence[int]) -> list[Ends]:
    return ratio_ends(numbers, plan.widths_of_ratio, Fraction(0), Fraction(1), 1)


def _conditions(tally: Tally, number: int, total: int, counts: Evaluate) -> Strategy:
    """So many counts of conditions among the same kept rows of each group."""
    rows, space = tally.declaration.unit.rows, joint_sensitivity(tally, number, total)
    if tally.size == 1:  # whatever becomes of a unit, no count moves by more than its rows
        change = min(space.change, number * rows)
        space = Tallies(number, min(space.touched, change), change)
    subquery = Subquery(tally, space, counts)
    return Strategy((in_range(subquery, most_of_all(tally.declaration, rows)),))
