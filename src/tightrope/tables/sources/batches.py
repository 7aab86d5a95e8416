"""A tally over batches of columns: files and frames of every kind, in bounded memory.

Only the columns that matter are read. Cells become numbers and codes a distinct value at a time
where that is quicker, and readings follow from these; sums are kept in two halves, so that no
integer overflows. Where a column names people, their readings are held until the end, when it is
decided which of their rows count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tightrope.declarations import (
    Absent,
    All,
    Among,
    AnyOf,
    Bin,
    CategoryColumn,
    Code,
    Column,
    Compared,
    CutKey,
    Filter,
    Listed,
    Not,
    NumberColumn,
    Reading,
    Tallied,
    Tally,
    as_text,
)
from tightrope.exact import FloatArray, IntArray
from tightrope.tables.cells import NONE, doubles_of, each
from tightrope.tables.sources.people import Rows, bound_contributions

Readings = Mapping[Reading, IntArray]

HALF = 20
"""Bits of the lower half of a code."""

_FALSE, _UNKNOWN, _TRUE = 0, 1, 2  # `and` is the least, `or` the largest


@dataclass(frozen=True)
class Batch:
    """Some rows of some columns: arrays of Arrow, or lists where no array holds the cells."""

    rows: int
    columns: Mapping[str, Any]

    @classmethod
    def of(cls, table: pa.RecordBatch | pa.Table) -> Batch:
        """A batch or table of Arrow."""
        columns = [column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
                   for column in table.columns]
        return cls(table.num_rows, dict(zip(table.schema.names, columns, strict=True)))


@dataclass(frozen=True)
class BatchSource:
    """Rows that come in batches; `types` where they are stored apart from the rows.

    `dates` are the columns of which no more is stored than that they hold dates or times.
    """

    names: tuple[str, ...]
    batches: Callable[[Sequence[str]], Iterator[Batch]]
    types: Mapping[str, Any] | None = None
    dates: frozenset[str] = frozenset()

    def tally(self, tally: Tally, key: CutKey) -> Tallied:
        """The exact statistic, in one pass."""
        person = tally.declaration.unit.person
        columns = [*tally.columns, *([] if person is None else [person])]
        total = Sums(tally)
        parts = []
        for batch in self.batches(list(dict.fromkeys(columns))):
            rows = rows_of(tally, batch)
            if person is None:
                total.add(rows)
            else:
                parts.append(rows)
        if parts:
            together = Rows.together(parts)
            parts.clear()  # else all rows are in memory twice while they are cut
            total.add(bound_contributions(tally, key, together))
        return total.statistic()


def rows_of(tally: Tally, batch: Batch) -> Rows:
    """The rows that may count: those that the filter and the rules of columns let through."""
    bases = {(name, column): base_of(batch.columns[name], column)
             for name, column in dict.fromkeys(
                 (reading.name, reading.column) for reading in tally.readings)}
    codes = {reading: read(reading, bases[reading.name, reading.column])
             for reading in tally.readings}
    kept = truths(tally.where, codes, batch.rows) == _TRUE
    for reading in tally.required:
        kept &= codes[reading] != NONE
    person = tally.declaration.unit.person
    people = None if person is None else people_of(batch.columns[person])
    if people is not None:
        kept &= np.asarray(people.is_valid())
        people = people.filter(pa.array(kept))
    readings = {reading: values[kept] for reading, values in codes.items()}
    count = int(kept.sum())
    return Rows(cells_of(tally, readings, count), people, tuple(readings.values()),
                tuple(readings[measured] for measured in tally.measured),
                tuple(truths(condition, readings, count) == _TRUE
                      for condition in tally.conditions))


class Sums:
    """Counts and sums of codes, cell by cell; where codes are counted, of cells that rows touch."""

    def __init__(self, tally: Tally) -> None:
        self._cells = np.zeros(0, dtype=np.int64) if tally.fine else None
        size = 0 if tally.fine else tally.size
        self._counts = np.zeros(size, dtype=np.int64)
        self._halves = np.zeros((len(tally.measures), 2, size), dtype=np.int64)
        self._met = np.zeros((len(tally.conditions), size), dtype=np.int64)

    def add(self, rows: Rows) -> None:
        """Add rows that count."""
        places = self._places(rows.cells)
        size = len(self._counts)
        self._counts += np.bincount(places, minlength=size)
        for halves, codes in zip(self._halves, rows.measures, strict=True):
            for half, part in zip(halves, (codes & (2**HALF - 1), codes >> HALF), strict=True):
                # below 2^20 each, and fewer than 2^33 rows: doubles hold the sums exactly
                added = np.bincount(places, weights=part, minlength=size)
                half += added.astype(np.int64)
        for met, truth in zip(self._met, rows.met, strict=True):
            met += np.bincount(places[truth], minlength=size)

    def _places(self, cells: IntArray) -> IntArray:
        """Where the numbers of cells are, with room for those that are touched anew."""
        if self._cells is None:
            return cells
        known = np.union1d(self._cells, cells)
        before = np.searchsorted(known, self._cells)
        self._cells = known
        for name in ("_counts", "_halves", "_met"):
            numbers = getattr(self, name)
            grown = np.zeros((*numbers.shape[:-1], len(known)), dtype=np.int64)
            grown[..., before] = numbers
            setattr(self, name, grown)
        return np.searchsorted(known, cells)

    def statistic(self) -> Tallied:
        """The statistic of all rows that were added."""
        sums = [[a + (b << HALF) for a, b in zip(*halves.tolist(), strict=True)]
                for halves in self._halves]
        return Tallied(tuple(self._counts.tolist()), tuple(map(tuple, sums)),
                       tuple(map(tuple, self._met.tolist())),
                       None if self._cells is None else tuple(self._cells.tolist()))


def base_of(cells: Any, column: Column) -> Any:
    """The numbers of a column, NaN for those that are left out; or its codes, -1 for those."""
    if isinstance(column, CategoryColumn):
        return each(cells, column.code, NONE).astype(np.int64)
    return doubles_of(cells, column.number, column.number(None))


def read(reading: Reading, base: Any) -> IntArray:
    """A reading of all cells, -1 where it is None."""
    absent = np.isnan(base) if isinstance(reading.column, NumberColumn) else base == NONE
    if isinstance(reading, Absent):
        return np.asarray(absent, dtype=np.int64)
    return np.where(absent, NONE, _values(reading, base)).astype(np.int64)


def _values(reading: Reading, base: Any) -> Any:
    """A reading of numbers or codes that are not left out."""
    match reading:
        case Code(column=NumberColumn() as column):
            return _codes(base, column)
        case Bin():
            low, high, _ = reading.column.doubles
            inside = np.clip(base, low, high)
            return np.searchsorted(np.array(reading.column.edges), inside, side="right")
        case Compared():
            return reading.sign.holds(base, reading.constant)
        case Listed():
            return np.isin(base, list(reading.numbers))
        case Among():
            return np.isin(base, list(reading.codes))
        case _:
            return base


def people_of(cells: Any) -> pa.Array:
    """The texts that name people, in UTF-8, null for nobody."""
    if isinstance(cells, pa.Array) and _is_plain(cells.type):
        return cells.cast(pa.large_string()).cast(pa.large_binary())
    texts: dict[str, int] = {}

    def place(cell: Any) -> int | None:
        text = as_text(cell)
        return None if text is None else texts.setdefault(text, len(texts))

    places = np.asarray(each(cells, place, NONE), dtype=np.int64)
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    return pa.array([*encoded, None], pa.large_binary()).take(
        pa.array(places % (len(texts) + 1)))


def _is_plain(kind: pa.DataType) -> bool:
    """Whether Arrow writes all cells of a type as `as_text` does."""
    of = pa.types
    return bool(of.is_string(kind) or of.is_large_string(kind) or of.is_integer(kind))


def _codes(numbers: FloatArray, column: NumberColumn) -> FloatArray:
    """Clamped and rounded, with the operations of `NumberColumn.round_code`; NaN stays."""
    low, high, step = column.doubles
    return np.clip(np.rint((np.clip(numbers, low, high) - low) / step), 0, column.steps)


def truths(of: Filter, readings: Readings, rows: int) -> Any:
    """Whether a filter is true, false or unknown for each row."""
    match of:
        case Not():
            return _TRUE - truths(of.inner, readings, rows)
        case All():
            every = np.full(rows, _TRUE)
            for part in of.parts:
                every = np.minimum(every, truths(part, readings, rows))
            return every
        case AnyOf():
            some = np.full(rows, _FALSE)
            for part in of.parts:
                some = np.maximum(some, truths(part, readings, rows))
            return some
        case _:
            return np.array([_FALSE, _TRUE, _UNKNOWN])[readings[of]]  # -1 is the last


def cells_of(tally: Tally, readings: Readings, rows: int) -> IntArray:
    """The cell of every row."""
    place = np.zeros(rows, dtype=np.int64)
    for number, (key, length) in enumerate(zip(tally.key_readings, tally.shape, strict=True)):
        own = readings[key] // tally.fine if tally.by_code(number) else readings[key]
        place = place * length + own
    return place
