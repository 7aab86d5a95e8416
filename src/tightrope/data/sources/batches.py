"""A tally over batches of columns: files and frames of every kind, in bounded memory.

Only the columns that matter are read. Cells become codes a distinct value at a time where that
is quicker; sums are kept in two halves, so that no integer overflows. Where a column names
people, their rows are held as codes until the end: which of them count is decided person by
person.
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
    CategoryColumn,
    Column,
    Filter,
    Not,
    NumberColumn,
    Tallied,
    Tally,
    Within,
    as_text,
)
from tightrope.exact import IntArray

HALF = 20
"""Bits of the lower half of a code."""

_NONE = -1  # the code of a cell that is left out

@dataclass(frozen=True)
class Batch:
    """Some rows of some columns: arrays of Arrow, or lists where no array holds the cells.

    Where they are `untyped`, all cells are texts, and some may stand for numbers.
    """

    rows: int
    columns: Mapping[str, Any]
    untyped: bool = False

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


def counting(tally: Tally, batch: Batch) -> tuple[dict[str, IntArray], Any]:
    """The codes of the rows that the filter and the rules of columns let count, and which."""
    held = {name: coded(batch.columns[name], tally.declaration.column(name), batch.untyped)
            for name in tally.columns}
    kept = passes(tally.where, held, batch.rows)
    for name in tally.required:
        kept &= held[name] != _NONE
    return {name: codes[kept] for name, codes in held.items()}, kept


class _Sums:
    """Counts and sums of codes, cell by cell."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._counts = np.zeros(tally.size, dtype=np.int64)
        self._halves = np.zeros((2, tally.size if tally.measure else 0), dtype=np.int64)

    def add(self, codes: Mapping[str, IntArray], rows: int) -> None:
        self.put(cells_of(self._tally, codes, rows), codes.get(self._tally.measure or ""))

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
    """Rows of people, as codes, until it is decided which of them count."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._places: dict[str, int] = {}
        self._people: list[IntArray] = []
        self._codes: dict[str, list[IntArray]] = {name: [] for name in tally.columns}

    def add(self, codes: Mapping[str, IntArray], people: Any, kept: Any) -> None:
        who = self._numbered(people)[kept]
        named = who != _NONE
        self._people.append(who[named])
        for name, held in self._codes.items():
            held.append(codes[name][named])

    def _numbered(self, people: Any) -> IntArray:
        def number(cell: Any) -> int | None:
            text = as_text(cell)
            return None if text is None else self._places.setdefault(text, len(self._places))

        return _each(people, number)

    def found(self) -> Tallied:
        tally, sums = self._tally, _Sums(self._tally)
        unit = tally.declaration.unit
        people = np.concatenate(self._people) if self._people else np.zeros(0, dtype=np.int64)
        held = {name: np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
                for name, parts in self._codes.items()}
        cells = cells_of(tally, held, len(people))
        if tally.people:
            people, cells = np.unique(np.stack([people, cells]), axis=1)
        order = np.lexsort((cells, people))
        people, cells = people[order], cells[order]
        starts = np.flatnonzero(np.diff(people, prepend=_NONE)).tolist()
        ends = [*starts, len(people)][1:]
        measured = None if tally.measure is None else held[tally.measure][order]
        kept = np.ones(len(people), dtype=bool)
        most = min(unit.rows, int(unit.cells or 1)) if tally.cuts_cells else unit.rows
        for start, end in zip(starts, ends, strict=True):
            if end - start > most:
                own = order[start:end]
                kept[start:end] = self._chosen(cells[start:end], held, own)
        sums.put(cells[kept], None if measured is None else measured[kept])
        return sums.found()

    def _chosen(self, cells: IntArray, held: Mapping[str, IntArray], rows: IntArray) -> Any:
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
        hashes = [tally.row_hash({name: _code(codes[rows[place]])
                                  for name, codes in held.items()}) for place in places]
        first = sorted(range(len(places)), key=hashes.__getitem__)[: unit.rows]
        chosen = np.zeros(len(cells), dtype=bool)
        chosen[places[first]] = True
        return chosen


def _code(number: np.int64) -> int | None:
    return None if number == _NONE else int(number)


def coded(cells: Any, column: Column, untyped: bool = False) -> IntArray:
    """The codes of a column, -1 for cells that are left out."""
    if isinstance(column, NumberColumn) and isinstance(cells, pa.Array) and (
        pa.types.is_floating(cells.type) or pa.types.is_integer(cells.type)
    ):
        return _rounded(cells, column)
    if untyped and isinstance(column, CategoryColumn):
        return _each(cells, column.code_of_text)
    return _each(cells, column.code)


def _each(cells: Any, code: Callable[[Any], int | None]) -> IntArray:
    """A total function of cells, asked once for every distinct one where that can be."""
    try:
        encoded = pc.dictionary_encode(cells) if isinstance(cells, pa.Array) else None
    except (pa.ArrowException, NotImplementedError):
        encoded = None
    listed = cells if encoded is None else [*encoded.dictionary, None]
    found = [code(_plain(cell)) for cell in listed]
    table: IntArray = np.array([_NONE if one is None else one for one in found], dtype=np.int64)
    return table if encoded is None else table[_indices(encoded)]


def people_of(cells: pa.Array) -> pa.Array:
    """The texts that name people, null for nobody."""
    texts: dict[str, int] = {}

    def place(cell: Any) -> int | None:
        text = as_text(cell)
        return None if text is None else texts.setdefault(text, len(texts))

    found = _each(cells, place)
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


def _rounded(cells: Any, column: NumberColumn) -> IntArray:
    numbers = np.asarray(pc.fill_null(cells.cast(pa.float64(), safe=False), np.nan)
                         .to_numpy(zero_copy_only=False))
    low, high, step = float(column.low), float(column.high), float(column.resolution)
    absent = column.code(None)
    with np.errstate(invalid="ignore"):
        inside = np.minimum(np.maximum(numbers, low), high)
        codes = np.floor((inside - low) / step + 0.5)
    missing = np.isnan(codes)
    codes[missing] = 0.0
    found: IntArray = np.clip(codes.astype(np.int64), 0, column.steps)
    found[missing] = _NONE if absent is None else absent
    return found


def passes(found: Filter, codes: Mapping[str, IntArray], rows: int) -> Any:
    """Which rows a filter lets through."""
    match found:
        case Within():
            held = codes[found.column]
            return (held >= found.low) & (held <= found.high) & (held != _NONE)
        case Among():
            return np.isin(codes[found.column], list(found.codes))
        case Absent():
            return codes[found.column] == _NONE
        case Not():
            return ~passes(found.inner, codes, rows)
        case All():
            every = np.ones(rows, dtype=bool)
            for part in found.parts:
                every &= passes(part, codes, rows)
            return every
        case AnyOf():
            some = np.zeros(rows, dtype=bool)
            for part in found.parts:
                some |= passes(part, codes, rows)
            return some


def cells_of(tally: Tally, codes: Mapping[str, IntArray], rows: int) -> IntArray:
    """The cell of every row."""
    place = np.zeros(rows, dtype=np.int64)
    for number, (name, length) in enumerate(zip(tally.keys, tally.shape, strict=True)):
        own = codes[name] // tally.fine if tally.by_code(number) else (
            _cells(codes[name], tally.declaration.column(name)))
        place = place * length + own
    return place


def _cells(codes: IntArray, column: Column) -> IntArray:
    if isinstance(column, CategoryColumn):
        return codes
    edges = np.array(column.thresholds, dtype=np.int64)
    return np.searchsorted(edges, codes, side="right").astype(np.int64)
