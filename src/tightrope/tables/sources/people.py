"""People's rows as columns: which of them count, decided for all people at once.

The plain definition is in `tightrope.declarations.cuts`. Here only people with more rows than may
count are hashed, and what is sorted are numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tightrope.declarations import CutKey, Tally
from tightrope.exact import IntArray

BoolArray = NDArray[np.bool_]
Texts = Callable[[slice], pa.Array]
_AT_ONCE = 2**17


@dataclass(frozen=True)
class Rows:
    """Rows that may count: their cells, people and readings, and what they add.

    Readings are all that a release reads of a row, -1 for what is left out.
    """

    cells: IntArray
    people: pa.Array | None
    readings: tuple[IntArray, ...]
    measures: tuple[IntArray, ...] = ()
    met: tuple[BoolArray, ...] = ()

    @classmethod
    def together(cls, parts: Sequence[Rows]) -> Rows:
        """The rows of several batches."""
        def join(columns: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
            return tuple(np.concatenate(column) for column in zip(*columns, strict=True))

        people = pa.chunked_array([part.people for part in parts], pa.large_binary())
        people = pc.dictionary_encode(people).combine_chunks()
        return cls(np.concatenate([part.cells for part in parts]), people,
                   join([part.readings for part in parts]),
                   join([part.measures for part in parts]), join([part.met for part in parts]))

    def take(self, places: IntArray) -> Rows:
        """Some of the rows, without the people whose they are."""
        return Rows(self.cells[places], None,
                    tuple(column[places] for column in self.readings),
                    tuple(column[places] for column in self.measures),
                    tuple(column[places] for column in self.met))

    @property
    def texts(self) -> pa.Array:
        """The readings as hashes cover them."""
        if not self.readings:
            return pa.array([b""] * len(self.cells), pa.large_binary())
        return _join_texts([
            pc.if_else(pa.array(column < 0), "-", pa.array(column).cast(pa.string()))
            for column in self.readings])


def bound_contributions(tally: Tally, key: CutKey, rows: Rows) -> Rows:
    """Of each person's rows, those that count within the contribution bounds of the unit."""
    unit = tally.declaration.unit
    assert unit.cells is not None
    assert rows.people is not None
    encoded = pc.dictionary_encode(rows.people)
    who = np.asarray(encoded.indices, dtype=np.int64)
    names = encoded.dictionary
    if tally.people:
        places = _first(who * tally.size + rows.cells)
    else:
        places = _cut_rows(key, names, who, rows, unit.rows)
    if tally.cuts_cells:
        groups = rows.cells[places] // tally.values
        places = places[_cut_cells(key, names, who[places], groups, unit.cells)]
    return rows.take(places)


def _cut_rows(key: CutKey, names: pa.Array, who: IntArray, rows: Rows, most: int) -> IntArray:
    """The places of rows with the least hashes of their person's."""
    many = np.flatnonzero(np.bincount(who, minlength=len(names))[who] > most)
    who_of, encoded = who[many], pc.dictionary_encode(rows.take(many).texts)
    contents = np.asarray(encoded.indices, dtype=np.int64)
    same = who_of * len(encoded.dictionary) + contents
    copies = _rank_in_group(np.argsort(same), same)

    def texts(some: slice) -> pa.Array:
        return _join_texts([pa.array(copies[some]).cast(pa.string()),
                            encoded.dictionary.take(pa.array(contents[some])),
                            names.take(pa.array(who_of[some]))])

    kept = np.ones(len(who), dtype=bool)
    kept[many] = _rank_in_group(_order_by_hash(key, texts, who_of), who_of) <= most
    return np.flatnonzero(kept)


def _cut_cells(
    key: CutKey, names: pa.Array, who: IntArray, cells: IntArray, most: int
) -> BoolArray:
    """Which rows lie in the cells with the least hashes of their person's."""
    width = int(cells.max(initial=0)) + 1
    pairs, place = np.unique(who * width + cells, return_inverse=True)
    who_of, cell_of = pairs // width, pairs % width
    many = np.flatnonzero(np.bincount(who_of, minlength=len(names))[who_of] > most)

    def texts(some: slice) -> pa.Array:
        cell = pa.array(cell_of[many[some]]).cast(pa.string())
        return _join_texts([pc.binary_join_element_wise("cell", cell, " "),
                            names.take(pa.array(who_of[many[some]]))])

    kept = np.ones(len(pairs), dtype=bool)
    kept[many] = _rank_in_group(_order_by_hash(key, texts, who_of[many]), who_of[many]) <= most
    return np.asarray(kept[place])


def _first(numbers: IntArray) -> IntArray:
    return np.asarray(np.unique(numbers, return_index=True)[1], dtype=np.int64)


def _rank_in_group(order: IntArray, groups: IntArray) -> IntArray:
    """The number of each row, from 1, among those of its group that come up to it in an order."""
    count = len(order)
    starts = np.diff(groups[order], prepend=-1) != 0
    begun = np.maximum.accumulate(np.where(starts, np.arange(count), 0)) if count else order
    numbers = np.empty(count, dtype=np.int64)
    numbers[order] = np.arange(count) - begun + 1
    return numbers


def _order_by_hash(key: CutKey, texts: Texts, who: IntArray) -> IntArray:
    """An order by people, each person's rows by the hashes of their texts.

    As many bits of a hash as have room beside the person are sorted by; more of them where two
    rows of a person begin alike.
    """
    parts = [slice(begin, begin + _AT_ONCE) for begin in range(0, len(who), _AT_ONCE)]
    hashes = np.concatenate([np.zeros(0, np.uint64), *(_hashes(key, texts(part))
                                                       for part in parts)])
    room = np.uint64(64 - int(who.max(initial=0)).bit_length())
    short = (who.astype(np.uint64) << room) | (hashes >> (np.uint64(64) - room))
    order = np.argsort(short)
    if np.diff(short[order]).all():
        return order
    order = np.lexsort((hashes, who))
    if (np.diff(hashes[order]) | np.diff(who[order]).astype(np.uint64)).all():
        return order
    whole = [key.digest(text) for part in parts for text in texts(part).to_pylist()]
    return np.array(sorted(range(len(who)), key=lambda k: (who[k], whole[k])), dtype=np.int64)


def _hashes(key: CutKey, texts: pa.Array) -> NDArray[np.uint64]:
    """The first 64 bits of `CutKey.digest` of many texts."""
    copy = hashlib.sha256(key.prefix.encode("ascii")).copy
    digests = []
    for text in texts.to_pylist():
        hashed = copy()
        hashed.update(text)
        digests.append(hashed.digest())
    return np.frombuffer(b"".join(digests), dtype=">u8")[::4].astype(np.uint64)


def _join_texts(texts: Sequence[pa.Array]) -> pa.Array:
    """Texts with commas between them."""
    return pc.binary_join_element_wise(*(text.cast(pa.large_binary()) for text in texts),
                                       pa.scalar(b",", pa.large_binary()))
