"""Readings: all that a release looks at in a row, each a total function of one cell.

A release reads the code of a column, the bin of a number, and whether a condition holds. Codes
are clamped and rounded; bins are those of the clamped number, which is not rounded; comparisons
are about the cell's own number, neither clamped nor rounded. A reading is a whole number, 1 and 0
for true and false, or None where the cell is left out: then a condition is unknown.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tightrope.choices import member_of
from tightrope.declarations.columns import CategoryColumn, NumberColumn
from tightrope.declarations.forms import Column
from tightrope.declarations.periods import PeriodColumn


@dataclass(frozen=True)
class Code:
    """Where a cell stands among the declared values; `name` is the column of the table."""

    name: str
    column: Column

    @property
    def size(self) -> int:
        """How many values the reading has, apart from None."""
        return self.column.steps + 1

    def of(self, cell: Any) -> int | None:
        """The reading of a cell."""
        return self.column.code(cell)


@dataclass(frozen=True)
class Bin:
    """The bin of a number, clamped and not rounded."""

    name: str
    column: NumberColumn

    @property
    def size(self) -> int:
        """How many values the reading has, apart from None."""
        return len(self.column.cells)

    def of(self, cell: Any) -> int | None:
        """The reading of a cell."""
        number = self.column.number(cell)
        return None if number is None else self.column.bin(number)


class Sign(StrEnum):
    """How a number is compared with a constant."""

    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="

    @property
    def holds(self) -> Callable[[Any, Any], Any]:
        """The comparison, of numbers, arrays or expressions."""
        return {Sign.LESS: operator.lt, Sign.AT_MOST: operator.le, Sign.MORE: operator.gt,
                Sign.AT_LEAST: operator.ge}[self]


@dataclass(frozen=True)
class Compared:
    """Whether a number is on one side of a constant."""

    name: str
    column: NumberColumn
    sign: Sign
    constant: float
    size = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "sign", member_of(Sign, self.sign))

    def of(self, cell: Any) -> int | None:
        """The reading of a cell."""
        number = self.column.number(cell)
        return None if number is None else int(self.sign.holds(number, self.constant))


@dataclass(frozen=True)
class Listed:
    """Whether a number is one of some constants."""

    name: str
    column: NumberColumn
    numbers: frozenset[float]
    size = 2

    def of(self, cell: Any) -> int | None:
        """The reading of a cell."""
        number = self.column.number(cell)
        return None if number is None else int(number in self.numbers)


@dataclass(frozen=True)
class Among:
    """Whether a category is one of some."""

    name: str
    column: CategoryColumn | PeriodColumn
    codes: frozenset[int]
    size = 2

    def of(self, cell: Any) -> int | None:
        """The reading of a cell."""
        code = self.column.code(cell)
        return None if code is None else int(code in self.codes)


@dataclass(frozen=True)
class Absent:
    """Whether a cell is left out, which is never unknown."""

    name: str
    column: Column
    size = 2

    def of(self, cell: Any) -> int:
        """The reading of a cell."""
        return int(self.column.code(cell) is None)


Condition = Compared | Listed | Among | Absent
Reading = Code | Bin | Condition
