"""A tally over batches of columns: files and frames of every kind, in bounded memory.

Only the columns that matter are read. Cells become numbers and codes a distinct value at a time
where that is quicker, and readings follow from these. Where a column names people, their readings
are held until the end, when it is decided which of their rows count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

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
    KeyTally,
    Listed,
    Naming,
    Not,
    NumberColumn,
    PeriodColumn,
    Reading,
    Tallied,
    Tally,
    TimeColumn,
    as_text,
)
from tightrope.exact import FloatArray, IntArray
from tightrope.tables.cells import NONE, doubles_of, doubles_of_texts, each, moments_of
from tightrope.tables.sources.people import Rows, bound_contributions
from tightrope.tables.sources.sums import Sums

Readings = Mapping[Reading, IntArray]

Snapshot = tuple[tuple[Tallied, ...], tuple[dict[str, int], ...]]
"""The statistics of several tallies, and the units of keys of several others."""

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

    def tallies(self, tallies: Sequence[Tally], key: CutKey) -> tuple[Tallied, ...]:
        """The exact statistics of several requests, in one pass over the rows."""
        running = Tallying(tallies)
        for batch in self.batches(columns_of(tallies)):
            running.add(batch)
        return running.statistics(key)

    def snapshot(
        self, tallies: Sequence[Tally], keyed: Sequence[KeyTally], key: CutKey
    ) -> Snapshot:
        """The exact statistics and the units of keys, in one pass over the rows."""
        from tightrope.tables.sources.keys import count_all

        return count_all(tallies, keyed, key, self.batches)

    def count_keys(self, tally: KeyTally, key: CutKey) -> dict[str, int]:
        """The units of each key, in one pass."""
        from tightrope.tables.sources.keys import count_keys, key_columns

        return count_keys(tally, key, self.batches(key_columns(tally)))


class Tallying:
    """Tallies to which batches are added one by one."""

    def __init__(self, tallies: Sequence[Tally]) -> None:
        self._tallies, self._naming = tallies, naming_of(tallies)
        self._totals = [Sums(tally) for tally in tallies]
        self._people: list[ReadRows] = []

    def add(self, batch: Batch) -> None:
        """Add rows; those of people are held until the end."""
        read = read_batch(self._tallies, batch)
        if self._naming:
            self._people.append(read.kept(self._tallies))
            return
        for tally, total in zip(self._tallies, self._totals, strict=True):
            total.add(rows_of(tally, read))

    def statistics(self, key: CutKey) -> tuple[Tallied, ...]:
        """The exact statistics of all rows that were added."""
        if self._people:
            together = ReadRows.together(self._people)
            self._people.clear()  # else all rows are in memory twice while they are cut
            for tally, total in zip(self._tallies, self._totals, strict=True):
                total.add(bound_contributions(tally, key, rows_of(tally, together)))
        return tuple(total.statistic() for total in self._totals)


@dataclass(frozen=True)
class ReadRows:
    """All readings of some rows, -1 where one is None, and the people whose rows they are."""

    count: int
    codes: Readings
    people: pa.Array | None

    @classmethod
    def together(cls, parts: Sequence[ReadRows]) -> ReadRows:
        """The rows of several batches; people are encoded once."""
        codes = {reading: np.concatenate([part.codes[reading] for part in parts])
                 for reading in parts[0].codes}
        people = pa.chunked_array([part.people for part in parts]).unify_dictionaries()
        return cls(sum(part.count for part in parts), codes, people.combine_chunks())

    def kept(self, tallies: Sequence[Tally]) -> ReadRows:
        """The rows of people that may count in some tally."""
        assert self.people is not None
        kept = np.zeros(self.count, dtype=bool)
        for tally in tallies:
            kept |= keeps(tally, self)
        return ReadRows(int(kept.sum()),
                        {reading: codes[kept] for reading, codes in self.codes.items()},
                        self.people.filter(pa.array(kept)))


def naming_of(tallies: Sequence[Tally]) -> tuple[Naming, ...]:
    """How columns name people, the same for all tallies of a table; none if each row is a unit."""
    (naming,) = {tally.declaration.naming for tally in tallies} or {()}
    return naming


def readings_of(tallies: Sequence[Tally]) -> tuple[Reading, ...]:
    """All that is read of a row for several tallies."""
    return tuple(dict.fromkeys(reading for tally in tallies for reading in tally.readings))


def columns_of(tallies: Sequence[Tally]) -> list[str]:
    """The columns that matter to several tallies, and those that name people."""
    names = [reading.name for reading in readings_of(tallies)]
    return list(dict.fromkeys([*names, *(naming.name for naming in naming_of(tallies))]))


def read_batch(tallies: Sequence[Tally], batch: Batch) -> ReadRows:
    """The readings of a batch; a column that several tallies read is read once."""
    wanted, naming = readings_of(tallies), naming_of(tallies)
    bases = {(name, column): base_of(batch.columns[name], column)
             for name, column in dict.fromkeys(
                 (reading.name, reading.column) for reading in wanted)}
    codes = {reading: read(reading, bases[reading.name, reading.column]) for reading in wanted}
    return ReadRows(batch.rows, codes,
                    units_of(naming, batch) if naming else None)


def keeps(tally: Tally, read: ReadRows) -> Any:
    """Whether the filter, the rules of columns and a missing person let each row count."""
    kept = truths(tally.where, read.codes, read.count) == _TRUE
    for reading in tally.required:
        kept &= read.codes[reading] != NONE
    return kept if read.people is None else kept & np.asarray(read.people.is_valid())


def rows_of(tally: Tally, read: ReadRows) -> Rows:
    """The rows that may count in one tally, with what they add to it."""
    kept = keeps(tally, read)
    readings = {reading: read.codes[reading][kept] for reading in tally.readings}
    count = int(kept.sum())
    return Rows(cells_of(tally, readings, count),
                None if read.people is None else read.people.filter(pa.array(kept)),
                tuple(readings.values()),
                tuple(readings[measured].astype(np.int64) for measured in tally.measured),
                tuple(truths(condition, readings, count) == _TRUE
                      for condition in tally.conditions))


def base_of(cells: Any, column: Column) -> Any:
    """The numbers of a column, NaN for those that are left out; or its codes, -1 for those."""
    if isinstance(column, CategoryColumn):
        return each(cells, column.code, NONE).astype(np.int64)
    if isinstance(column, PeriodColumn):
        return moments_of(cells, column.time)
    if isinstance(column, TimeColumn):
        return moments_of(cells, column)
    if isinstance(cells, pa.StringArray | pa.LargeStringArray) and column.is_pointed:
        return doubles_of_texts(cells, column.number, column.number(None))
    return doubles_of(cells, column.number, column.number(None))


def read(reading: Reading, base: Any) -> IntArray:
    """A reading of all cells, -1 where it is None, in the shortest integers that hold all."""
    absent = base == NONE if isinstance(reading.column, CategoryColumn) else np.isnan(base)
    kind = kind_of(reading)
    if isinstance(reading, Absent):
        return np.asarray(absent, dtype=kind)
    return np.where(absent, NONE, _values(reading, base)).astype(kind)


def kind_of(reading: Reading) -> np.dtype[Any]:
    """The shortest integers that hold a reading and -1."""
    return np.min_scalar_type(-reading.size)


def _values(reading: Reading, base: Any) -> Any:
    """A reading of numbers or codes that are not left out."""
    match reading:
        case Code(column=NumberColumn() as column):
            return _codes(base, column)
        case Code(column=PeriodColumn() as column):
            return _periods(base, column)
        case Bin():
            low, high, _ = reading.column.doubles
            inside = np.clip(base, low, high)
            return np.searchsorted(np.array(reading.column.edges), inside, side="right")
        case Compared():
            return reading.sign.holds(base, reading.constant)
        case Listed():
            return np.isin(base, list(reading.numbers))
        case Among(column=PeriodColumn() as column):
            return np.isin(_periods(base, column), list(reading.codes))
        case Among():
            return np.isin(base, list(reading.codes))
        case _:
            return base


def units_of(naming: Sequence[Naming], batch: Batch) -> pa.Array:
    """The names of the units whose rows these are, in UTF-8 and encoded, null for nobody."""
    parts = [_name_texts(part, batch.columns[part.name]) for part in naming]
    if len(parts) == 1:
        return pc.dictionary_encode(parts[0])
    parts = [part.dictionary_decode() if isinstance(part, pa.DictionaryArray) else part
             for part in parts]
    for mark in ("\\", ","):
        parts = [pc.replace_substring(part, mark, f"\\{mark}") for part in parts]
    return pc.dictionary_encode(
        pc.binary_join_element_wise(*parts, pa.scalar(b",", pa.large_binary())))


def _name_texts(naming: Naming, cells: Any) -> pa.Array:
    """A part of names, with the operations of `Naming.text`."""
    column = naming.column
    if column is None:
        return people_of(cells)
    base = base_of(cells, column)
    numbers = _periods(base, column) if isinstance(column, PeriodColumn) else np.nan_to_num(base)
    texts = pa.array(np.asarray(numbers, dtype=np.int64), mask=np.isnan(base)).cast(
        pa.large_string())
    return texts.cast(pa.large_binary())


def people_of(cells: Any) -> pa.DictionaryArray:
    """The texts that name people, in UTF-8 and each encoded once, null for nobody."""
    if isinstance(cells, pa.Array) and _is_plain(cells.type):
        encoded = pc.dictionary_encode(cells)
        names = encoded.dictionary.cast(pa.large_string()).cast(pa.large_binary())
        return pa.DictionaryArray.from_arrays(encoded.indices, names)
    texts: dict[str, int] = {}

    def place(cell: Any) -> int | None:
        text = as_text(cell)
        return None if text is None else texts.setdefault(text, len(texts))

    places = np.asarray(each(cells, place, NONE), dtype=np.int64)
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    return pa.DictionaryArray.from_arrays(
        pa.array(places, pa.int32(), mask=places == NONE), pa.array(encoded, pa.large_binary()))


def _is_plain(kind: pa.DataType) -> bool:
    """Whether Arrow writes all cells of a type as `as_text` does."""
    of = pa.types
    return bool(of.is_string(kind) or of.is_large_string(kind) or of.is_integer(kind))


def _codes(numbers: FloatArray, column: NumberColumn) -> FloatArray:
    """Clamped and rounded, with the operations of `NumberColumn.round_code`; NaN stays."""
    low, high, step = column.doubles
    return np.clip(np.rint((np.clip(numbers, low, high) - low) / step), 0, column.steps)


def _periods(numbers: FloatArray, column: PeriodColumn) -> IntArray:
    """The periods of days or seconds, with the operations of `PeriodColumn.code`; of NaN, any."""
    low, high, _ = column.time.doubles
    inside = np.clip(np.nan_to_num(numbers, nan=low), low, high)
    if column.even is None:
        return np.searchsorted(np.array(column.edges), inside, side="right")
    length, start, count = column.even
    places = ((inside - low).astype(np.int64) + start) // length
    return places % count if count else places


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
        own = readings[key].astype(np.int64)
        place = place * length + (own // tally.fine if tally.by_code(number) else own)
    return place
