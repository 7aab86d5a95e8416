"""The one statistic: rows counted, and codes added up, in every cell of declared keys.

Counts, sums, histograms, cross-tables and distributions are all tallies. What is counted is a
function of the declaration: rows that the filter leaves out, or whose cell or code is left out,
do not count; of a person's other rows only so many do, in only so many cells. `cuts` says which.
A release has one tally: all that it counts and adds up is read at once, from the same kept rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import product

from tightrope.declarations.columns import NumberColumn
from tightrope.declarations.declaration import Declaration
from tightrope.declarations.filters import All, Filter, conditions_in
from tightrope.declarations.forms import Column
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
