"""People's rows as columns: which of them count, decided for all people at once.

The plain definition is in `tightrope.declarations.cuts`. Here only people with more rows than may
count are hashed, and what is sorted are numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tightrope.declarations import CutKey, Once, Tally
from tightrope.exact import IntArray

BoolArray = NDArray[np.bool_]
_MOST_COUNTED = 2**24  # sizes up to which distinct numbers are counted instead of sorted
_MOST_NUMBERS = 2**62
_AT_ONCE = 2**17  # hashes that are in memory as texts


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
    if tally.once is not None:
        return Rows(_once(tally, tally.once, who, rows.cells), None, ())
    if tally.people:
        places = _first(who * tally.size + rows.cells)
    else:
        places = _cut_rows(key, names, who, rows, unit.rows)
    if tally.cuts_cells:
        groups = rows.cells[places] // tally.values
        places = places[_cut_cells(key, names, who[places], groups, unit.cells)]
    return rows.take(places)


def _once(tally: Tally, once: Once, who: IntArray, cells: IntArray) -> IntArray:
    """The one cell of each person who counts."""
    unit, people = tally.declaration.unit, np.unique(who)
    assert unit.cells is not None
    if not len(people):
        return cells
    match once:
        case Once.HIGHEST | Once.LOWEST:
            order = np.lexsort((cells, who))
            ends = np.flatnonzero(np.diff(who[order], append=-1) if once is Once.HIGHEST else
                                  np.diff(who[order], prepend=-1))
            return np.asarray(cells[order][ends])
        case Once.CUT:
            rows_of = np.bincount(who)[people]
            cells_of = np.bincount(np.unique(who * tally.size + cells) // tally.size)[people]
            many = rows_of > unit.rows
            return np.asarray(np.where(many, 0, 1)[many | (cells_of > unit.cells)])
        case _:
            assert_never(once)


def _cut_rows(key: CutKey, names: pa.Array, who: IntArray, rows: Rows, most: int) -> IntArray:
    """The places of rows with the least hashes of their person's."""
    many = np.flatnonzero(np.bincount(who, minlength=len(names))[who] > most)
    contents, texts = _contents(rows.take(many))
    same = who[many] * len(texts) + contents
    order = np.argsort(same)  # a person's rows follow each other: their name stays at hand
    many, contents, same = many[order], contents[order], same[order]
    who_of, copies = who[many], _rank_in_group(np.arange(len(many)), same)
    width = int(copies.max(initial=0)) + 1
    heads, head = _distinct(contents * width + copies, len(texts) * width)
    begun = [b"%d,%b," % (number % width, texts[number // width]) for number in heads.tolist()]
    hashed = Hashed(key, begun, head, names.to_pylist(), who_of)
    kept = np.ones(len(who), dtype=bool)
    kept[many] = _rank_in_group(_order_by_hash(hashed), who_of) <= most
    return np.flatnonzero(kept)


def _contents(rows: Rows) -> tuple[IntArray, list[bytes]]:
    """A number for each row, the same where all readings are, and the text of each number."""
    numbers, size = np.zeros(len(rows.cells), dtype=np.int64), 1
    for column in rows.readings:
        width = int(column.max(initial=-1)) + 2
        if size * width > _MOST_NUMBERS:
            distinct, numbers = _distinct(numbers, size)
            size = len(distinct)
        numbers, size = numbers * width + column.astype(np.int64) + 1, size * width
    distinct, places = _distinct(numbers, size)
    firsts = np.empty(len(distinct), dtype=np.int64)
    firsts[places[::-1]] = np.arange(len(places))[::-1]
    return places, rows.take(firsts).texts.to_pylist()


def _distinct(numbers: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """The distinct ones of numbers below a size, in order, and where each number is among them."""
    if size > _MOST_COUNTED:
        return np.unique(numbers, return_inverse=True)
    distinct = np.flatnonzero(np.bincount(numbers, minlength=size))
    places = np.zeros(size, dtype=np.int64)
    places[distinct] = np.arange(len(distinct))
    return distinct, places[numbers]


def _cut_cells(
    key: CutKey, names: pa.Array, who: IntArray, cells: IntArray, most: int
) -> BoolArray:
    """Which rows lie in the cells with the least hashes of their person's."""
    width = int(cells.max(initial=0)) + 1
    pairs, place = np.unique(who * width + cells, return_inverse=True)
    who_of, cell_of = pairs // width, pairs % width
    many = np.flatnonzero(np.bincount(who_of, minlength=len(names))[who_of] > most)
    heads, head = _distinct(cell_of[many], width)
    begun = [b"cell %d," % cell for cell in heads.tolist()]
    hashed = Hashed(key, begun, head, names.to_pylist(), who_of[many])
    kept = np.ones(len(pairs), dtype=bool)
    kept[many] = _rank_in_group(_order_by_hash(hashed), who_of[many]) <= most
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


@dataclass(frozen=True)
class Hashed:
    """Texts to hash, each the beginning of one of few and the name of one of many people."""

    key: CutKey
    begun: Sequence[bytes]
    head: IntArray
    names: Sequence[bytes]
    who: IntArray

    def short(self) -> NDArray[np.uint64]:
        """The first 64 bits of each hash; what begins alike is hashed once."""
        prefix = self.key.prefix.encode("ascii")
        copies = [hashlib.sha256(prefix + text).copy for text in self.begun]
        parts = [self._digests(copies, slice(begin, begin + _AT_ONCE))
                 for begin in range(0, len(self.who), _AT_ONCE)]
        return np.concatenate([np.zeros(0, np.uint64), *parts])

    def _digests(
        self, copies: Sequence[Callable[[], Any]], some: slice
    ) -> NDArray[np.uint64]:
        names, digests = self.names, []
        for head, who in zip(self.head[some].tolist(), self.who[some].tolist(), strict=True):
            hashed = copies[head]()
            hashed.update(names[who])
            digests.append(hashed.digest())
        return np.frombuffer(b"".join(digests), dtype=">u8")[::4].astype(np.uint64)

    def whole(self) -> list[bytes]:
        """All bits of each hash."""
        return [self.key.digest(self.begun[head] + self.names[who])
                for head, who in zip(self.head.tolist(), self.who.tolist(), strict=True)]


def _order_by_hash(texts: Hashed) -> IntArray:
    """An order by people, each person's rows by the hashes of their texts.

    As many bits of a hash as have room beside the person are sorted by; more of them where two
    rows of a person begin alike.
    """
    who, hashes = texts.who, texts.short()
    room = np.uint64(64 - int(who.max(initial=0)).bit_length())
    short = (who.astype(np.uint64) << room) | (hashes >> (np.uint64(64) - room))
    order = np.argsort(short)
    if np.diff(short[order]).all():
        return order
    order = np.lexsort((hashes, who))
    if (np.diff(hashes[order]) | np.diff(who[order]).astype(np.uint64)).all():
        return order
    whole = texts.whole()
    return np.array(sorted(range(len(who)), key=lambda k: (who[k], whole[k])), dtype=np.int64)


def _join_texts(texts: Sequence[pa.Array]) -> pa.Array:
    """Texts with commas between them."""
    return pc.binary_join_element_wise(*(text.cast(pa.large_binary()) for text in texts),
                                       pa.scalar(b",", pa.large_binary()))
