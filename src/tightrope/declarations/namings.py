"""Names of units: the text by which the rows of one unit are told from all others.

Where one column names people, it is the text of their cell. Where several do, the texts of their
cells are joined by commas, with a backslash before every comma and backslash in them, so that
different cells have different texts. A row that lacks one of them is nobody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tightrope.declarations.cells import as_text
from tightrope.declarations.periods import PeriodColumn
from tightrope.declarations.times import TimeColumn


@dataclass(frozen=True)
class Naming:
    """A part of the name of a unit: the column of the table, and how its cells are read.

    A declared date or time is its day or second, not clamped, and a period its number; any other
    cell is its text.

    >>> Naming("day", TimeColumn("2024-01-01", "2024-12-31")).text("1970-01-03 12:00")
    '2'
    """

    name: str
    column: TimeColumn | PeriodColumn | None = None

    def text(self, cell: Any) -> str | None:
        """The text of a cell in the name; None if it has none."""
        if self.column is None:
            return as_text(cell)
        if isinstance(self.column, PeriodColumn):
            code = self.column.code(cell)
            return None if code is None else str(code)
        number = self.column.number(cell)
        return None if number is None else str(int(number))
