"""The one statistic: rows counted, and codes added up, in every cell of declared keys.

Counts, sums, histograms, cross-tables and distributions are all tallies. What is counted is a
function of the declaration: rows that the filter leaves out, or whose cell or code is left out,
do not count; of a person's other rows only so many do, in only so many cells. `cuts` says which.
A release has one tally: all that it counts and adds up is read at once, from the same kept rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import product
from typing import Any, assert_never

from tightrope.declarations.columns import NumberColumn
from tightrope.declarations.cuts import CutKey, least_cells, least_rows, readings_text
from tightrope.declarations.declaration import Declaration
from tightrope.declarations.filters import All, Filter, conditions_in, truth
from tightrope.declarations.forms import Column
from tightrope.declarations.namings import unit_text
from tightrope.declarations.readings import Bin, Code, Reading
from tightrope.declarations.times import TimeColumn
from tightrope.errors import BadInput
from tightrope.markup import brief

MOST_CELLS, MOST_CODES = 10_000_000, 2**60
"""Cells of one release, and codes of all of its cells together."""


class Once(Enum):
    """The one cell in which a person counts, however many their rows touch.

    `CUT` is for people of whom something is cut: cell 0 if more rows than may count pass the
    filter, else cell 1 if these touch more cells than may be. Nobody else counts.
    """

    HIGHEST = "the last of a person's cells"
    LOWEST = "the first of a person's cells"
    CUT = "the kind of cut"


@dataclass(frozen=True)
class Tally:
    """A request to count or add up rows that pass a filter, in the cells of some columns.

    `measures` are columns whose codes are added up beside the count, and `conditions` are
    filters: the kept rows that meet them are counted beside all kept ones. With `people`, a person
    counts once in a cell, however many rows there are; with `once`, in one cell alone. With `fine`
    above 0 the last key is counted by its codes instead of its bins, so many of them to a cell.
    """

    declaration: Declaration
    keys: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    where: Filter = All()  # noqa: RUF009, a frozen value
    conditions: tuple[Filter, ...] = ()
    people: bool = False
    fine: int = 0
    once: Once | None = None

    def __post_init__(self) -> None:
        for name in self.keys[:-1] if self.fine else self.keys:
            column = self.declaration.column(name)
            if not column.cells:
                raise BadInput(_without_bins(name, column))
        if len(set(self.keys)) < len(self.keys):
            raise BadInput("a column is named twice among those to count by.")
        for name in (*self.measures, *self.keys[-1:]):
            self.declaration.column(name)
        if self.once is not None:
            object.__setattr__(self, "people", True)
        if self.people and self.declaration.unit.person is None:
            raise BadInput("people are counted where a column names them; here each row is a "
                           "unit.")
        if self.size // self.values > MOST_CELLS:
            raise BadInput(f"a release has at most {MOST_CELLS:,} cells, found "
                           f"{self.size // self.values:,}.")
        if self.size > MOST_CODES:
            raise BadInput("the values of all cells together are more than 2^60; declare a coarser "
                           "resolution.")

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
        column, source = self.declaration.column(name), self.declaration.source(name)
        if isinstance(column, NumberColumn) and not self.by_code(number):
            return Bin(source, column)
        return Code(source, column)

    @cached_property
    def measured(self) -> tuple[Code, ...]:
        """How the measures are read."""
        return tuple(Code(name, self.declaration.column(name)) for name in self.measures)

    @cached_property
    def required(self) -> tuple[Reading, ...]:
        """Readings without which a row does not count."""
        return (*self.key_readings, *self.measured)

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """All that is read of a row, column by column in the order of the declaration."""
        order = {name: place for place, name in enumerate(self.declaration.columns)}
        asked = conditions_in(All((self.where, *self.conditions)))
        wanted = dict.fromkeys((*self.required, *asked))
        return tuple(sorted(wanted, key=lambda reading: order[reading.name]))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that matter, in the order of the declaration."""
        return tuple(dict.fromkeys(reading.name for reading in self.readings))

    @property
    def values(self) -> int:
        """Cells that are cut as one: all codes of the last key, if it is counted by them."""
        return self.shape[-1] if self.fine else 1

    @property
    def touched(self) -> int:
        """The most cells that one unit touches."""
        unit = self.declaration.unit
        assert unit.cells is not None
        if self.once is not None:
            return 1
        if self.people:
            return min(unit.cells, self.size)
        return min(unit.rows if self.fine else unit.cells, unit.rows, self.size)

    @property
    def cuts_cells(self) -> bool:
        """Whether a person's rows can touch more cells than may be.

        Where as many cells may be touched as rows may count, rows alone are cut.
        """
        unit = self.declaration.unit
        assert unit.cells is not None
        return self.once is None and self.size // self.values > unit.cells and (
            self.people or unit.cells < unit.rows)

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


def _without_bins(name: str, column: Column) -> str:
    """Why a column cannot be counted by, and what would help."""
    if isinstance(column, TimeColumn):
        return (f"the column {name!r} holds moments without bins: declare its bins, or a period "
                f"(type = \"period\", of = \"{name}\", period = \"month\"), to count by them.")
    return f"the column {name!r} is a number without bins: declare its bins to count by them."


@dataclass(frozen=True)
class Tallied:
    """The exact statistic, before any noise: a curator's figure, never shown.

    Counts are in the order of the cells; so are the sums of codes of each measure, and `met`, the
    counts for each condition. `cells` are those that rows fall into, where a key is counted by its
    codes; else it is None, and all cells are counted.
    """

    counts: tuple[int, ...]
    sums: tuple[tuple[int, ...], ...] = ()
    met: tuple[tuple[int, ...], ...] = ()
    cells: tuple[int, ...] | None = None

    @classmethod
    def of(cls, tally: Tally, numbers: Mapping[int, Sequence[int]]) -> Tallied:
        """From the cells that rows fall into, each with its count, sums, and counts that met."""
        sums, all_numbers = len(tally.measures), 1 + len(tally.measures) + len(tally.conditions)
        cells = sorted(numbers) if tally.fine else range(tally.size)
        none = (0,) * all_numbers
        columns = tuple(tuple(numbers.get(cell, none)[place] for cell in cells)
                        for place in range(all_numbers))
        return cls(columns[0], columns[1 : 1 + sums], columns[1 + sums :],
                   tuple(cells) if tally.fine else None)

    def __repr__(self) -> str:
        return f"Tallied({len(self.counts)} cells, not shown)"


def tally_rows(tally: Tally, rows: Iterable[Mapping[str, Any]], key: CutKey) -> Tallied:
    """The statistic of rows given one by one: what every engine must agree with.

    >>> fair = Declaration.of({"dataset": "fair", "columns": {
    ...     "vote": {"type": "category", "values": ["no", "yes"]}}})
    >>> rows, key = [{"vote": "yes"}, {"vote": "?"}], CutKey(bytes(32))
    >>> tally_rows(Tally(fair, ("vote",)), rows, key).counts
    (0, 1)
    """
    unit = tally.declaration.unit
    counting: list[_Row] = []
    people: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        values = {reading: reading.of(row.get(reading.name)) for reading in tally.readings}
        if any(values[reading] is None for reading in tally.required) or not truth(
            tally.where, values
        ):
            continue
        read = _read(tally, values)
        person = None if unit.person is None else unit_text(tally.declaration.naming, row)
        if unit.person is None:
            counting.append(read)
        elif person is not None:
            people[person].append(read)
    for person, own in people.items():
        counting.extend(_bound_contributions(tally, key, person, own))
    return _sum_rows(tally, counting)


@dataclass(frozen=True)
class _Row:
    """A row that may count, and what it adds to its cell."""

    cell: int
    readings: str
    codes: tuple[int, ...]
    met: tuple[bool, ...]


def _read(tally: Tally, values: Mapping[Reading, int | None]) -> _Row:
    return _Row(tally.cell_of(values), readings_text(values[reading] for reading in tally.readings),
                tuple(values[reading] or 0 for reading in tally.measured),
                tuple(truth(condition, values) is True for condition in tally.conditions))


def _bound_contributions(tally: Tally, key: CutKey, person: str, rows: list[_Row]) -> list[_Row]:
    """Of one person's rows, those that count within the contribution bounds of the unit."""
    unit = tally.declaration.unit
    assert unit.cells is not None
    if tally.once is not None:
        return _once(tally, tally.once, rows)
    if tally.people:
        rows = list({row.cell: row for row in rows}.values())
    else:
        places = least_rows(key, person, [row.readings for row in rows], unit.rows)
        rows = [rows[place] for place in places]
    if not tally.cuts_cells:
        return rows
    cells = least_cells(key, person, (row.cell // tally.values for row in rows), unit.cells)
    return [row for row in rows if row.cell // tally.values in cells]


def _once(tally: Tally, once: Once, rows: list[_Row]) -> list[_Row]:
    """One row in the one cell in which a person counts, or none."""
    unit, cells = tally.declaration.unit, {row.cell for row in rows}
    assert unit.cells is not None
    match once:
        case Once.HIGHEST:
            cell = max(cells)
        case Once.LOWEST:
            cell = min(cells)
        case Once.CUT:
            if len(rows) <= unit.rows and len(cells) <= unit.cells:
                return []
            cell = 0 if len(rows) > unit.rows else 1
        case _:
            assert_never(once)
    return [replace(rows[0], cell=cell)]


def _sum_rows(tally: Tally, rows: Iterable[_Row]) -> Tallied:
    numbers: dict[int, list[int]] = {}
    for row in rows:
        added = (1, *row.codes, *row.met)
        before = numbers.get(row.cell, (0,) * len(added))
        numbers[row.cell] = [a + b for a, b in zip(before, added, strict=True)]
    return Tallied.of(tally, numbers)
