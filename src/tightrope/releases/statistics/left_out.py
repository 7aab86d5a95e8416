"""Counts of what is left out: cells clamped, not declared or missing, and people who are cut."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tightrope.characters import counted, decimal_text, label_text
from tightrope.declarations import (
    Absent,
    All,
    CategoryColumn,
    Compared,
    Filter,
    Neighbors,
    Not,
    NumberColumn,
    Once,
    PeriodColumn,
    Sign,
    Tallied,
    Tally,
    TimeColumn,
)
from tightrope.errors import BadInput
from tightrope.releases.answers import Names, cells_within, noisy_answers
from tightrope.releases.figures import interval_figure
from tightrope.releases.statistics.counts import count_conditions
from tightrope.releases.subqueries import Rows, Strategy, Subquery, in_range
from tightrope.spaces import Tallies

if TYPE_CHECKING:
    from tightrope.declarations import Declaration
    from tightrope.releases.planning import QuestionPlan


@dataclass(frozen=True)
class LeftOut:
    """How many rows have a cell beyond the bounds, none of the declared values, or no value."""

    column: str
    name, phrase, adjustable = "left_out", "left out of COLUMN", False
    answers = staticmethod(noisy_answers)
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """Counts of the kept rows of each kind; a row is of one kind at most."""
        kinds = kinds_of(rows.declaration, self.column)
        tally = rows.tally(conditions=tuple(kinds.values()))

        def counts(tallied: Tallied) -> list[int]:
            return [met[cell] for cell in range(tally.size) for met in tallied.met]

        each = rows.declaration.unit.rows
        return (Strategy((count_conditions(tally, len(kinds), each, counts),), rows.unit),)

    def cells(self, plan: QuestionPlan) -> Names:
        """The kinds in each group."""
        return cells_within(plan, [*kinds_of(plan.declaration, self.column)])


def kinds_of(declaration: Declaration, name: str) -> dict[str, Filter]:
    """Why a cell is clamped or left out, whatever then stands for it, each as a condition."""
    column = declaration.column(name)
    if isinstance(column, CategoryColumn):
        unknown = Absent(name, replace(column, other=None, missing=None))
        missing = Absent(name, replace(column, other=column.values[0], missing=None))
        return {"not declared": All((unknown, Not(missing))), "missing": missing}
    if not isinstance(column, NumberColumn):
        of = f": ask left out of {label_text(column.of)}" if isinstance(
            column, PeriodColumn) else ""
        raise BadInput(f"no cells of the column {label_text(name)!r} are counted as left out{of}.")
    bare, time = replace(column, missing=None), isinstance(column, TimeColumn)
    low, high, _ = column.doubles
    least, most = (_bound(column, end) for end in (column.low, column.high))
    return {
        f"{'before' if time else 'below'} {least}": Compared(name, bare, Sign.LESS, low),
        f"{'after' if time else 'above'} {most}": Compared(name, bare, Sign.MORE, high),
        "no date or time" if time else "no number": Absent(name, bare),
    }


def _bound(column: NumberColumn, end: Fraction) -> str:
    if isinstance(column, TimeColumn):
        return column.clock.text(int(end))
    return decimal_text(end)


@dataclass(frozen=True)
class Cut:
    """How many people have rows, or cells, beyond the contribution bounds.

    How many rows one person loses is not bounded, so people are counted, each once: those with
    more rows than may count, or else with rows in more cells of the groups than may be.
    """

    name, phrase, adjustable = "cut", "left out", False
    answers = staticmethod(noisy_answers)
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """People of each kind; a person is of one kind at most."""
        unit = rows.declaration.unit
        if unit.person is None:
            raise BadInput("where each row is a unit, none is cut; ask left out of a column.")
        tally = rows.tally(once=Once.CUT)
        kinds = len(cut_kinds(tally))
        changed = kinds if unit.neighbors is Neighbors.REPLACE else 1
        subquery = Subquery(tally, Tallies(kinds, changed, changed),
                            lambda tallied: tallied.counts[:kinds])
        return (Strategy((in_range(subquery, 1),), unit.nouns),)

    def cells(self, plan: QuestionPlan) -> Names:
        """The kinds, in the whole table."""
        return tuple((kind,) for kind in cut_kinds(plan.tally))


def cut_kinds(tally: Tally) -> list[str]:
    """Why something of a person is cut: too many rows, or too many cells where these are cut."""
    unit = tally.declaration.unit
    assert unit.cells is not None
    kinds = [f"more than {counted(unit.rows, 'row')}"]
    if min(tally.size, unit.rows) > unit.cells:
        kinds.append(f"else more than {counted(unit.cells, 'cell')}")
    return kinds
