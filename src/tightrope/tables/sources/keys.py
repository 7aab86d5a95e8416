"""Units counted by keys that are not declared, over batches of columns.

What is held in memory are the different keys, and where a column names people, the different
pairs of person and key. What one row adds is bounded by the longest key that is declared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tightrope.declarations import BETWEEN, CutKey, KeyTally, Tally, TextColumn
from tightrope.tables.cells import NONE, each
from tightrope.tables.sources.batches import (
    Batch,
    Snapshot,
    Tallying,
    base_of,
    columns_of,
    read,
    truths,
    units_of,
)

_TRUE = 2
"""The value of `truths` where a filter is true."""

PERSON, KEY = "person", "key"


def key_columns(tally: KeyTally) -> list[str]:
    """The columns that are read, that of people included."""
    naming = tally.declaration.naming
    return list(dict.fromkeys([*tally.columns, *(part.name for part in naming)]))


def all_columns(tallies: Sequence[Tally], keyed: Sequence[KeyTally]) -> list[str]:
    """The columns that are read for several requests."""
    return list(dict.fromkeys([*columns_of(tallies), *(
        name for each in keyed for name in key_columns(each))]))


def count_keys(tally: KeyTally, key: CutKey, batches: Iterable[Batch]) -> dict[str, int]:
    """The units of each key, in one pass."""
    running = KeyCounting(tally)
    for batch in batches:
        running.add(batch)
    return running.counts(key)


def count_all(
    tallies: Sequence[Tally], keyed: Sequence[KeyTally], key: CutKey,
    batches: Callable[[Sequence[str]], Iterable[Batch]],
) -> Snapshot:
    """Tallies and units of keys together, in one pass: of one snapshot of the rows."""
    running, counting = Tallying(tallies), [KeyCounting(each) for each in keyed]
    for batch in batches(all_columns(tallies, keyed)):
        running.add(batch)
        for units in counting:
            units.add(batch)
    return running.statistics(key), tuple(units.counts(key) for units in counting)


class KeyCounting:
    """Units of keys to which batches are added one by one."""

    def __init__(self, tally: KeyTally) -> None:
        self._tally, self._counts = tally, Counter[str]()
        self._pairs: list[pa.Table] = []

    def add(self, batch: Batch) -> None:
        """Add rows; the keys of people are held until the end."""
        rows = keyed_rows(self._tally, batch)
        if self._tally.people:
            self._pairs.append(distinct(rows))
        else:
            self._counts.update(rows_by_key(rows))

    def counts(self, key: CutKey) -> dict[str, int]:
        """The units of each key of all rows that were added."""
        if self._pairs:
            pairs = distinct(pa.concat_tables(self._pairs))
            self._counts.update(rows_by_key(cut_keys(self._tally, key, pairs)))
            self._pairs.clear()
        return dict(self._counts)


def keyed_rows(tally: KeyTally, batch: Batch) -> pa.Table:
    """The keys of the rows that may count, and the people whose they are."""
    codes = {reading: read(reading, base_of(batch.columns[reading.name], reading.column))
             for reading in tally.readings}
    kept = truths(tally.where, codes, batch.rows) == _TRUE
    for reading in tally.required:
        kept &= codes[reading] != NONE
    parts = [texts_of(batch.columns[name], tally.texts[name]) if name in tally.texts
             else pa.array(codes[tally.key_readings[name]]).cast(pa.large_string())
             for name in tally.keys]
    columns = {KEY: _joined(parts)}
    kept &= np.asarray(columns[KEY].is_valid())
    if tally.people:
        columns[PERSON] = units_of(tally.declaration.naming, batch).dictionary_decode()
        kept &= np.asarray(columns[PERSON].is_valid())
    return pa.table(columns).filter(pa.array(kept))


def texts_of(cells: Any, column: TextColumn) -> pa.Array:
    """The keys of cells, null where one is left out."""
    texts: dict[str, int] = {}

    def place(cell: Any) -> int | None:
        text = column.key(cell)
        return None if text is None else texts.setdefault(text, len(texts))

    places = np.asarray(each(cells, place, NONE), dtype=np.int64)
    return pa.array([*texts, None], pa.large_string()).take(pa.array(places % (len(texts) + 1)))


def rows_by_key(rows: pa.Table) -> dict[str, int]:
    """How many rows there are of each key."""
    counted = pc.value_counts(rows[KEY])
    return dict(zip(counted.field(0).to_pylist(), counted.field(1).to_pylist(), strict=True))


def distinct(rows: pa.Table) -> pa.Table:
    """The different pairs of person and key."""
    return rows.group_by([PERSON, KEY]).aggregate([])


def cut_keys(tally: KeyTally, key: CutKey, pairs: pa.Table) -> pa.Table:
    """Of each person's keys, those with the least hashes, as many as count."""
    who = np.asarray(pc.dictionary_encode(pairs[PERSON]).combine_chunks().indices, dtype=np.int64)
    many = np.flatnonzero(np.bincount(who)[who] > tally.most) if len(who) else who
    kept = np.ones(len(who), dtype=bool)
    if len(many):
        kept[many] = _rank_by_hash(key, pairs.take(pa.array(many)), who[many]) < tally.most
    return pairs.filter(pa.array(kept))


def _rank_by_hash(key: CutKey, pairs: pa.Table, who: Any) -> Any:
    """The place of each pair, from 0, among those of its person in the order of their hashes."""
    digests = b"".join(
        key.digest(b"key " + text.encode() + b"," + person)
        for text, person in zip(pairs[KEY].to_pylist(), pairs[PERSON].to_pylist(), strict=True))
    words = np.frombuffer(digests, dtype=">u8").reshape(-1, 4)
    order = np.lexsort((*(words[:, place] for place in (3, 2, 1, 0)), who))
    ordered, ranks = who[order], np.empty(len(who), dtype=np.int64)
    ranks[order] = np.arange(len(who)) - np.searchsorted(ordered, ordered)
    return ranks


def _joined(parts: Sequence[pa.Array]) -> pa.Array:
    """Keys of several parts as one text."""
    if len(parts) == 1:
        return parts[0]
    return pc.binary_join_element_wise(*parts, pa.scalar(BETWEEN, pa.large_string()))
