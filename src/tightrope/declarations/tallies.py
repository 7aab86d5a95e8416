"""The one statistic: rows counted, and codes added up, in every cell of declared keys.

Counts, sums, histograms, cross-tables and distributions are all tallies. What is counted is a
function of the declaration: rows that the filter leaves out, or whose cell or code is left out,
do not count; of a person's rows only so many do, in only so many cells. Which of them is a
function of that person's rows alone: those with the least hash of their readings, whatever the
order of the table and whichever engine adds up. Rows with equal readings are alike, so ties change
nothing.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from tightrope.declarations.cells import as_text
from tightrope.declarations.columns import CategoryColumn
from tightrope.declarations.declaration import Declaration
from tightrope.declarations.filters import All, Filter, conditions_in, truth
from tightrope.declarations.readings import Bin, Code, Reading
from tightrope.errors import BadInput
from tightrope.markup import brief

MOST_CELLS = 10_000_000
"""Cells of one release."""


@dataclass(frozen=True)
class Tally:
    """What is counted, or added up: rows that pass a filter, in the cells of some columns.

    `measure` is a column whose codes are added up beside the count. With `people`, a person
    counts once in a cell, however many rows there are. With `fine` above 0 the last key is
    counted by its codes instead of its bins, so many of them to a cell.
    """

    declaration: Declaration
    keys: tuple[str, ...] = ()
    measure: str | None = None
    where: Filter = All()  # noqa: RUF009, a frozen value
    people: bool = False
    fine: int = 0

    def __post_init__(self) -> None:
        for name in self.keys[:-1] if self.fine else self.keys:
            if not self.declaration.column(name).cells:
                raise BadInput(f"the column {name!r} is a number without bins: declare its bins "
                               "to count by them.")
        if len(set(self.keys)) < len(self.keys):
            raise BadInput("a column is named twice among those to count by.")
        for name in self.keys[-1:] if self.measure is None else (self.measure, *self.keys[-1:]):
            self.declaration.column(name)
        if self.people and self.declaration.unit.person is None:
            raise BadInput("people are counted where a column names them; here each row is a "
                           "unit.")
        if self.size > MOST_CELLS:
            raise BadInput(f"a release has at most {MOST_CELLS:,} cells, found {self.size:,}.")

    __repr__ = brief

    @property
    def shape(self) -> tuple[int, ...]:
        """Cells along each key."""
        columns = [self.declaration.column(name) for name in self.keys]
        if self.fine:
            *others, last = columns
            return (*(len(column.cells) for column in others), last.steps // self.fine + 1)
        return tuple(len(column.cells) for column in columns)

    @property
    def size(self) -> int:
        """Cells in all: one if there is no key."""
        size = 1
        for length in self.shape:
            size *= length
        return size

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The names of all cells, the last key changing fastest; of codes, the keys before."""
        keys = self.keys[:-1] if self.fine else self.keys
        return tuple(product(*(self.declaration.column(name).cells for name in keys)))

    @cached_property
    def key_readings(self) -> tuple[Code | Bin, ...]:
        """How each key is read: categories and the last key of `fine` by codes, others by bins."""
        return tuple(self._key_reading(number, name) for number, name in enumerate(self.keys))

    def _key_reading(self, number: int, name: str) -> Code | Bin:
        column = self.declaration.column(name)
        if isinstance(column, CategoryColumn) or self.by_code(number):
            return Code(name, column)
        return Bin(name, column)

    @cached_property
    def measured(self) -> Code | None:
        """How the measure is read."""
        return None if self.measure is None else (
            Code(self.measure, self.declaration.column(self.measure)))

    @cached_property
    def required(self) -> tuple[Reading, ...]:
        """Readings without which a row does not count."""
        return (*self.key_readings, *(() if self.measured is None else (self.measured,)))

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """All that is read of a row, column by column in the order of the declaration."""
        order = {name: place for place, name in enumerate(self.declaration.columns)}
        wanted = dict.fromkeys((*self.required, *conditions_in(self.where)))
        return tuple(sorted(wanted, key=lambda reading: order[reading.name]))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that matter, in the order of the declaration."""
        return tuple(dict.fromkeys(reading.name for reading in self.readings))

    @property
    def key(self) -> str:
        """What hashes of rows begin with."""
        return self.declaration.digest[:16]

    @property
    def cuts_cells(self) -> bool:
        """Whether a person's rows can touch more cells than may be.

        Where as many cells may be touched as rows may count, rows alone are cut.
        """
        unit = self.declaration.unit
        assert unit.cells is not None
        return self.size > unit.cells and (self.people or unit.cells < unit.rows)

    def cell_of(self, readings: Mapping[Reading, int | None]) -> int:
        """The cell of a row that counts."""
        place = 0
        for number, (key, length) in enumerate(zip(self.key_readings, self.shape, strict=True)):
            own = readings[key]
            assert own is not None
            place = place * length + (own // self.fine if self.by_code(number) else own)
        return place

    def by_code(self, number: int) -> bool:
        """Whether the key of this number is counted by its codes."""
        return self.fine > 0 and number == len(self.keys) - 1

    def row_hash(self, values: Sequence[int | None]) -> str:
        """The hash of a row by its readings, in order."""
        return self.hashed(",".join("-" if value is None else str(value) for value in values))

    def cell_hash(self, cell: int) -> str:
        """The hash of a cell."""
        return self.hashed(f"cell {cell}")

    def hashed(self, text: str) -> str:
        """SHA-256 of a text behind the key, in hexadecimal digits."""
        return hashlib.sha256(f"{self.key}:{text}".encode("ascii")).hexdigest()


@dataclass(frozen=True)
class Tallied:
    """The exact statistic, before any noise: a curator's figure, never shown.

    Counts and sums of codes are in the order of the cells.
    """

    counts: tuple[int, ...]
    sums: tuple[int, ...] | None = None

    def __repr__(self) -> str:
        return f"Tallied({len(self.counts)} cells, not shown)"


def tally_rows(tally: Tally, rows: Iterable[Mapping[str, Any]]) -> Tallied:
    """The statistic of rows given one by one: what every engine must agree with.

    >>> fair = Declaration.of({"dataset": "fair", "columns": {
    ...     "vote": {"type": "category", "values": ["no", "yes"]}}})
    >>> tally_rows(Tally(fair, ("vote",)), [{"vote": "yes"}, {"vote": "?"}]).counts
    (0, 1)
    """
    unit = tally.declaration.unit
    counted: list[tuple[int, int]] = []
    people: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for row in rows:
        values = {reading: reading.of(row.get(reading.name)) for reading in tally.readings}
        if any(values[reading] is None for reading in tally.required) or not truth(
            tally.where, values
        ):
            continue
        cell = tally.cell_of(values)
        code = 0 if tally.measured is None else values[tally.measured] or 0
        if unit.person is None:
            counted.append((cell, code))
            continue
        person = as_text(row.get(unit.person))
        if person is not None:
            people[person].append((tally.row_hash(tuple(values.values())), cell, code))
    for held in people.values():
        counted.extend(_kept(tally, held))
    counts, sums = [0] * tally.size, [0] * tally.size
    for cell, code in counted:
        counts[cell] += 1
        sums[cell] += code
    return Tallied(tuple(counts), None if tally.measure is None else tuple(sums))


def _kept(tally: Tally, rows: list[tuple[str, int, int]]) -> list[tuple[int, int]]:
    """Of one person's rows, those that count."""
    unit = tally.declaration.unit
    touched = {cell for _, cell, _ in rows}
    cells = sorted(touched, key=tally.cell_hash)[: unit.cells] if tally.cuts_cells else touched
    if tally.people:
        return [(cell, 0) for cell in cells]
    inside = sorted(row for row in rows if row[1] in cells)
    return [(cell, code) for _, cell, code in inside[: unit.rows]]

