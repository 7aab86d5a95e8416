"""A tally over batches of columns: files and frames of every kind, in bounded memory.

Only the columns that matter are read. Cells become numbers and codes a distinct value at a time
where that is quicker, and readings follow from these; sums are kept in two halves, so that no
integer overflows. Where a column names people, their readings are held until the end: which of
their rows count is decided person by person.
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

Readings = Mapping[Reading, IntArray]

HALF = 20
"""Bits of the lower half of a code."""

_NONE = -1  # the reading of a cell that is left out
_FALSE, _UNKNOWN, _TRUE = 0, 1, 2  # `and` is the least, `or` the largest


@dataclass(frozen=True)
class Batch:
    """Some rows of some columns: arrays of Arrow, or lists where no array holds the cells."""

    rows: int
    columns: Mapping[str, Any]

    @classmethod
    def of(cls, held: pa.RecordBatch | pa.Table) -> Batch:
        """A batch or table of Arrow."""
        columns = [column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
                   for column in held.columns]
        return cls(held.num_rows, dict(zip(held.schema.names, columns, strict=True)))


@dataclass(frozen=True)
class BatchSource:
    """Rows that come in batches; `types` where they are stored apart from the rows."""

    names: tuple[str, ...]
    batches: Callable[[Sequence[str]], Iterator[Batch]]
    types: Mapping[str, Any] | None = None

    def tally(self, tally: Tally) -> Tallied:
        """The exact statistic."""
        person = tally.declaration.unit.person
        columns = [*tally.columns, *([] if person is None else [person])]
        total = _Sums(tally) if person is None else _People(tally)
        for batch in self.batches(list(dict.fromkeys(columns))):
            held, kept = counting(tally, batch)
            if isinstance(total, _People):
                total.add(held, batch.columns[str(person)], kept)
            else:
                total.add(held, int(kept.sum()))
        return total.found()


def counting(tally: Tally, batch: Batch) -> tuple[dict[Reading, IntArray], Any]:
    """The readings of the rows that count, and which rows these are."""
    bases = {reading.name: base_of(batch.columns[reading.name], reading.column)
             for reading in tally.readings}
    held = {reading: read(reading, bases[reading.name]) for reading in tally.readings}
    kept = truths(tally.where, held, batch.rows) == _TRUE
    for reading in tally.required:
        kept &= held[reading] != _NONE
    return {reading: values[kept] for reading, values in held.items()}, kept


class _Sums:
    """Counts and sums of codes, cell by cell."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._counts = np.zeros(tally.size, dtype=np.int64)
        self._halves = np.zeros((2, tally.size if tally.measure else 0), dtype=np.int64)

    def add(self, readings: Readings, rows: int) -> None:
        measured = self._tally.measured
        codes = None if measured is None else readings[measured]
        self.put(cells_of(self._tally, readings, rows), codes)

    def put(self, cells: IntArray, codes: IntArray | None) -> None:
        size = self._tally.size
        self._counts += np.bincount(cells, minlength=size)
        if codes is not None:
            for half, part in enumerate((codes & (2**HALF - 1), codes >> HALF)):
                # below 2^20 each and a batch of rows: doubles hold the sums exactly
                added = np.bincount(cells, weights=part, minlength=size)
                self._halves[half] += added.astype(np.int64)

    def found(self) -> Tallied:
        counts = tuple(self._counts.tolist())
        if self._tally.measure is None:
            return Tallied(counts)
        low, high = self._halves.tolist()
        return Tallied(counts, tuple(a + (b << HALF) for a, b in zip(low, high, strict=True)))


class _People:
    """Readings of people's rows, until it is decided which of them count."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._places: dict[str, int] = {}
        self._people: list[IntArray] = []
        self._readings: dict[Reading, list[IntArray]] = {each: [] for each in tally.readings}

    def add(self, readings: Readings, people: Any, kept: Any) -> None:
        who = self._numbered(people)[kept]
        named = who != _NONE
        self._people.append(who[named])
        for reading, held in self._readings.items():
            held.append(readings[reading][named])

    def _numbered(self, people: Any) -> IntArray:
        def number(cell: Any) -> int | None:
            text = as_text(cell)
            return None if text is None else self._places.setdefault(text, len(self._places))

        return np.asarray(_each(people, number, _NONE), dtype=np.int64)

    def found(self) -> Tallied:
        tally, sums = self._tally, _Sums(self._tally)
        unit = tally.declaration.unit
        people = np.concatenate(self._people) if self._people else np.zeros(0, dtype=np.int64)
        held = {reading: np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
                for reading, parts in self._readings.items()}
        cells = cells_of(tally, held, len(people))
        if tally.people:
            people, cells = np.unique(np.stack([people, cells]), axis=1)
        order = np.lexsort((cells, people))
        people, cells = people[order], cells[order]
        starts = np.flatnonzero(np.diff(people, prepend=_NONE)).tolist()
        ends = [*starts, len(people)][1:]
        measured = None if tally.measured is None else held[tally.measured][order]
        kept = np.ones(len(people), dtype=bool)
        most = min(unit.rows, int(unit.cells or 1)) if tally.cuts_cells else unit.rows
        for start, end in zip(starts, ends, strict=True):
            if end - start > most:
                own = order[start:end]
                kept[start:end] = self._chosen(cells[start:end], held, own)
        sums.put(cells[kept], None if measured is None else measured[kept])
        return sums.found()

    def _chosen(self, cells: IntArray, held: Readings, rows: IntArray) -> Any:
        """Which of one person's rows count."""
        tally = self._tally
        unit = tally.declaration.unit
        inside = np.ones(len(cells), dtype=bool)
        if tally.cuts_cells:
            allowed = sorted(set(cells.tolist()), key=tally.cell_hash)[: unit.cells]
            inside = np.isin(cells, allowed)
        if tally.people:
            return inside
        places = np.flatnonzero(inside)
        hashes = [tally.row_hash([_reading(values[rows[place]]) for values in held.values()])
                  for place in places]
        first = sorted(range(len(places)), key=hashes.__getitem__)[: unit.rows]
        chosen = np.zeros(len(cells), dtype=bool)
        chosen[places[first]] = True
        return chosen


def _reading(number: np.int64) -> int | None:
    return None if number == _NONE else int(number)


def base_of(cells: Any, column: Column) -> Any:
    """The numbers of a column, NaN for those that are left out; or its codes, -1 for those."""
    cells = _doubles(cells)
    if isinstance(column, CategoryColumn):
        return _each(cells, column.code, _NONE).astype(np.int64)
    if isinstance(cells, pa.Array) and (
        pa.types.is_floating(cells.type) or pa.types.is_integer(cells.type)
    ):
        numbers = np.asarray(pc.fill_null(cells.cast(pa.float64(), safe=False), np.nan)
                             .to_numpy(zero_copy_only=False))
        absent = column.number(None)
        return numbers if absent is None else np.where(np.isnan(numbers), absent, numbers)
    return _each(cells, column.number, np.nan).astype(np.float64)


def _doubles(cells: Any) -> Any:
    """Cells with the doubles that shorter floats mean by their shortest decimals."""
    if not isinstance(cells, pa.Array):
        return cells
    if pa.types.is_float32(cells.type):
        return cells.cast(pa.string()).cast(pa.float64())
    if pa.types.is_float16(cells.type):
        numbers = cells.to_numpy(zero_copy_only=False)
        return pa.array([float(str(number)) for number in numbers], pa.float64(), from_pandas=True)
    return cells


def read(reading: Reading, base: Any) -> IntArray:
    """A reading of all cells, -1 where it is None."""
    absent = np.isnan(base) if isinstance(reading.column, NumberColumn) else base == _NONE
    if isinstance(reading, Absent):
        return np.asarray(absent, dtype=np.int64)
    return np.where(absent, _NONE, _values(reading, base)).astype(np.int64)


def _values(reading: Reading, base: Any) -> Any:
    """A reading of numbers or codes that are not left out."""
    match reading:
        case Code(column=NumberColumn() as column):
            return _rounded(base, column)
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


def _each(cells: Any, function: Callable[[Any], float | None], absent: float) -> Any:
    """A total function of cells, asked once for every distinct one where that can be."""
    try:
        encoded = pc.dictionary_encode(cells) if isinstance(cells, pa.Array) else None
    except (pa.ArrowException, NotImplementedError):
        encoded = None
    listed = cells if encoded is None else [*encoded.dictionary, None]
    found = [function(_plain(cell)) for cell in listed]
    table = np.array([absent if value is None else value for value in found])
    return table if encoded is None else table[_indices(encoded)]


def people_of(cells: pa.Array) -> pa.Array:
    """The texts that name people, null for nobody."""
    texts: dict[str, int] = {}

    def place(cell: Any) -> int | None:
        text = as_text(cell)
        return None if text is None else texts.setdefault(text, len(texts))

    found = np.asarray(_each(cells, place, _NONE), dtype=np.int64)
    return pa.array([*texts, None], pa.string()).take(pa.array(found % (len(texts) + 1)))


def _plain(cell: Any) -> Any:
    """A cell as Python holds it; one that Python cannot hold is missing."""
    try:
        return cell.as_py() if isinstance(cell, pa.Scalar) else cell
    except Exception:  # a date beyond all years, say: no cell is refused
        return None


def _indices(encoded: Any) -> IntArray:
    """Indices into a dictionary, -1 for what is missing."""
    return np.asarray(pc.fill_null(encoded.indices, _NONE).to_numpy(zero_copy_only=False),
                      dtype=np.int64)


def _rounded(numbers: FloatArray, column: NumberColumn) -> FloatArray:
    """Clamped and rounded, with the operations of `NumberColumn.rounded`; NaN stays."""
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
