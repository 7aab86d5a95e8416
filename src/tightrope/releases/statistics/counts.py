"""Counts of rows, of people, and of rows that meet conditions; the share of rows that meet one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tightrope.declarations import (
    Absent,
    All,
    AnyOf,
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
    Names,
    cells_within,
    group_cells,
    noisy_answers,
    ratio_answers,
)
from tightrope.releases.figures import interval_figure
from tightrope.releases.keys import key_strategy
from tightrope.releases.subqueries import (
    Evaluate,
    Rows,
    Strategy,
    Subquery,
    count_cells,
    in_range,
    joint_sensitivity,
)
from tightrope.spaces import LARGEST_RECORD, LONGEST_TOTALS, Tallies, Totals

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan

@dataclass(frozen=True)
class Count:
    """How many rows there are."""

    name, phrase, adjustable = "count", "count", True
    cells = staticmethod(group_cells)
    answers = staticmethod(noisy_answers)
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """Rows of each group."""
        size = rows.public_size(total=True)
        if size is not None:
            raise BadInput("the number of rows is public where neighbors replace one: it is "
                           f"{size:,}.")
        return (key_strategy(rows) or count_cells(rows),)


@dataclass(frozen=True)
class People:
    """How many people there are."""

    name, phrase, adjustable = "people", "people", True
    cells = staticmethod(group_cells)
    answers = staticmethod(noisy_answers)
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """People of each group, who count once there."""
        return (key_strategy(rows, people=True) or count_cells(rows, people=True),)


@dataclass(frozen=True)
class Counts:
    """How many rows meet each of some conditions, which may overlap."""

    conditions: tuple[str, ...]
    name, phrase, adjustable = "counts", "counts of CONDITIONS", False
    answers = staticmethod(noisy_answers)
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """Counts with noise each, or in a box of noise for all together."""
        columns, each = rows.declaration.columns, rows.declaration.unit.rows
        filters = tuple(read_filter(text, columns) for text in self.conditions)
        tally, number = rows.tally(conditions=filters), len(filters)

        def counts(tallied: Tallied) -> list[int]:
            return [met[cell] for cell in range(tally.size) for met in tallied.met]

        # a kept row may meet several conditions
        noise = Strategy((count_conditions(tally, number, number * each, counts),), rows.unit)
        if tally.size > 1 or not 1 < number <= LONGEST_TOTALS:
            return (noise,)
        box = Totals(min(2**40, (LARGEST_RECORD - 1) // each), each, number)
        return noise, replace(noise, subqueries=(Subquery(tally, box, counts),))

    def cells(self, plan: QuestionPlan) -> Names:
        """The conditions in each group."""
        return cells_within(plan, self.conditions)


@dataclass(frozen=True)
class Proportion:
    """The share of rows that meet a condition, among those of which it is known."""

    condition: str
    name, phrase, adjustable = "proportion", "proportion of CONDITION", False
    cells = staticmethod(group_cells)
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """Rows that meet the condition, and unless the number of rows is public, those that do not.
        """
        met = read_filter(self.condition, rows.declaration.columns)
        total = all(isinstance(condition, Absent) or condition.column.is_total
                    for condition in conditions_in(met))
        size = rows.public_size(total=total)
        tally = Tally(rows.declaration, rows.by, conditions=(met,),
                      where=All((rows.where, AnyOf((met, Not(met))))))

        def both(tallied: Tallied) -> list[int]:
            return [count for yes, all_rows in zip(*tallied.met, tallied.counts, strict=True)
                    for count in (yes, all_rows - yes)]

        # a kept row is on one side of the condition
        each = rows.declaration.unit.rows
        subquery = (count_conditions(tally, 2, each, both) if size is None else
                    count_conditions(tally, 1, each, lambda tallied: tallied.met[0]))
        return (Strategy((subquery,), "shares", RATIO if size is None else NOISE, divisor=size,
                         range_length=Fraction(1),
                         rows="rows for which the condition is true or false, not unknown"),)

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """Shares of all rows, or of the rows on both sides."""
        return ratio_answers(plan, drawn, Fraction(0), Fraction(1), 1)


def count_conditions(tally: Tally, number: int, total: int, counts: Evaluate) -> Subquery:
    """So many counts of conditions among the same kept rows of each group."""
    rows, space = tally.declaration.unit.rows, joint_sensitivity(tally, number, total)
    if tally.size == 1:  # whatever becomes of a unit, no count moves by more than its rows
        change = min(space.change, number * rows)
        space = Tallies(number, min(space.touched, change), change)
    return in_range(Subquery(tally, space, counts), rows)
