"""A tally on Apache Spark, also by Spark Connect: counted in executors, only cells come back.

Cells go through the very functions of every other source, batch by batch (`mapInArrow`). Where
each row is a unit, an executor sends the sums of its part. Where a column names people, all rows
of a person meet in one executor, which cuts them: the key is in no query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tightrope.declarations import CutKey, KeyTally, Reading, Tallied, Tally
from tightrope.errors import SystemFailed
from tightrope.tables.sources.batches import (
    Batch,
    BatchSource,
    ReadRows,
    Snapshot,
    columns_of,
    kind_of,
    naming_of,
    read_batch,
    readings_of,
    rows_of,
)
from tightrope.tables.sources.keys import (
    KEY,
    PERSON,
    all_columns,
    cut_keys,
    key_columns,
    keyed_rows,
)
from tightrope.tables.sources.people import bound_contributions
from tightrope.tables.sources.queries import statistics_of, width_of
from tightrope.tables.sources.sums import HALF, Sums


@dataclass(frozen=True)
class SparkSource:
    """A frame of Spark."""

    frame: Any

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        with translating_errors():
            return tuple(self.frame.columns)

    @property
    def types(self) -> Mapping[str, Any]:
        """The types of the columns, as Arrow names them."""
        return dict(zip(self.names, arrow_schema(self.frame).types, strict=True))

    def tallies(self, tallies: Sequence[Tally], key: CutKey) -> tuple[Tallied, ...]:
        """The exact statistics of several requests, added up by Spark in one job."""
        from pyspark.sql import functions as say

        names, asked = columns_of(tallies), tuple(tallies)
        rows = self._select(names) if names else self.frame.selectExpr("1 AS one")
        sums = _long("cell", 1 + width_of(tallies))
        with translating_errors():
            if not naming_of(tallies):
                parts = rows.mapInArrow(partial(_sum_rows, asked, key, names), sums)
            else:
                listed = ", ".join(["person binary", *_narrow("row", readings_of(tallies))])
                people = rows.mapInArrow(partial(_list_rows, asked, names), listed)
                together = people.repartition("person").sortWithinPartitions("person")
                parts = together.mapInArrow(partial(_bound_and_sum, asked, key), sums)
            number, cell, *numbers = parts.columns
            total = parts.groupBy(number, cell).agg(*(say.sum(name) for name in numbers))
            return statistics_of(tallies, total.collect())

    def count_keys(self, tally: KeyTally, key: CutKey) -> dict[str, int]:
        """The units of each key, counted by Spark."""
        from pyspark.sql import functions as say

        names = key_columns(tally)
        rows = self._select(names)
        listed = "key string, person binary" if tally.people else "key string"
        with translating_errors():
            keyed = rows.mapInArrow(partial(_list_keys, tally, names), listed)
            if tally.people:
                together = keyed.distinct().repartition("person").sortWithinPartitions("person")
                keyed = together.mapInArrow(partial(_cut_keys, tally, key), listed)
            counted = keyed.groupBy("key").agg(say.count("key"))
            return {str(text): int(units) for text, units in counted.collect()}

    def snapshot(
        self, tallies: Sequence[Tally], keyed: Sequence[KeyTally], key: CutKey
    ) -> Snapshot:
        """The exact statistics and the units of keys, of one copy of the columns that matter."""
        names = all_columns(tallies, keyed)
        copied = SparkSource(checkpoint(self._select(names).toDF(*names)))
        return (copied.tallies(tallies, key) if tallies else (),
                tuple(copied.count_keys(each, key) for each in keyed))

    def _select(self, names: Sequence[str]) -> Any:
        """The columns of these names, under names that clash with none."""
        placed = self.frame.toDF(*(f"column_{place}" for place in range(len(self.names))))
        return placed.select(*(f"column_{self.names.index(name)}" for name in names))


def _long(name: str, count: int) -> str:
    """Columns of whole numbers."""
    return ", ".join(f"{name}_{place} long" for place in range(count))


def _narrow(name: str, readings: Sequence[Reading]) -> list[str]:
    """Columns of the shortest whole numbers that hold these readings: they are shuffled."""
    kinds = {1: "tinyint", 2: "smallint", 4: "int", 8: "bigint"}
    return [f"{name}_{place} {kinds[kind_of(reading).itemsize]}"
            for place, reading in enumerate(readings)]


def _sum_rows(
    tallies: Sequence[Tally], key: CutKey, names: Sequence[str],
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """In an executor: the cells that rows fall into, with their counts and sums."""
    unnamed = BatchSource((), lambda _: (_name_columns(batch, names) for batch in batches))
    yield from _batches_of(tallies, unnamed.tallies(tallies, key))


def _batches_of(
    tallies: Sequence[Tally], statistics: Sequence[Tallied]
) -> Iterator[pa.RecordBatch]:
    """The cells that rows fall into, with the numbers of a `tallies_query`."""
    width = 1 + width_of(tallies)
    for number, statistic in enumerate(statistics):
        touched = np.flatnonzero(np.array(statistic.counts)).tolist()
        cells = touched if statistic.cells is None else [statistic.cells[at] for at in touched]
        numbers = [[number] * len(cells), cells, [statistic.counts[at] for at in touched]]
        for sums in statistic.sums:
            numbers += [[sums[at] & (2**HALF - 1) for at in touched],
                        [sums[at] >> HALF for at in touched]]
        numbers += [[met[at] for at in touched] for met in statistic.met]
        numbers += [[0] * len(cells)] * (width - len(numbers))
        yield pa.record_batch([pa.array(column, pa.int64()) for column in numbers],
                              names=[f"cell_{place}" for place in range(width)])


def _list_rows(
    tallies: Sequence[Tally], names: Sequence[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In an executor: the rows that may count, with the people whose they are."""
    for batch in batches:
        rows = read_batch(tallies, _name_columns(batch, names)).kept(tallies)
        assert rows.people is not None
        yield pa.record_batch(
            [rows.people.dictionary_decode().cast(pa.binary()),
             *map(pa.array, rows.codes.values())],
            names=["person", *(f"row_{place}" for place in range(len(rows.codes)))])


def _bound_and_sum(
    tallies: Sequence[Tally], key: CutKey, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In an executor: the sums of the rows that count, of people whose rows follow each other."""
    totals = [Sums(tally) for tally in tallies]
    for listed in _whole_people(batches):
        people, *columns = (column.combine_chunks() for column in listed.columns)
        codes = dict(zip(readings_of(tallies), map(np.asarray, columns), strict=True))
        encoded = pc.dictionary_encode(people.cast(pa.large_binary()))
        read = ReadRows(listed.num_rows, codes, encoded)
        for tally, total in zip(tallies, totals, strict=True):
            total.add(bound_contributions(tally, key, rows_of(tally, read)))
    yield from _batches_of(tallies, [total.statistic() for total in totals])


def _whole_people(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Batches again, cut where one person's rows end."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        if not batch.num_rows:
            continue
        last = pc.index(batch.column(0), batch.column(0)[-1]).as_py()
        if waiting and (last or waiting[-1].column(0)[-1] != batch.column(0)[0]):
            yield pa.Table.from_batches([*waiting, batch.slice(0, last)])
            waiting = []
        elif last:
            yield pa.Table.from_batches([batch.slice(0, last)])
        waiting.append(batch.slice(last))
    if waiting:
        yield pa.Table.from_batches(waiting)


def _list_keys(
    tally: KeyTally, names: Sequence[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In an executor: the keys of rows that may count, with the people whose they are."""
    for batch in batches:
        yield from _shared(keyed_rows(tally, _name_columns(batch, names)))


def _cut_keys(
    tally: KeyTally, key: CutKey, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In an executor: the keys that count, of people whose keys follow each other."""
    for pairs in _whole_people(batch.select([PERSON, KEY]) for batch in batches):
        yield from _shared(cut_keys(tally, key, pairs))


def _shared(rows: pa.Table) -> Iterator[pa.RecordBatch]:
    """Keys, and people if there are any, of the types that Spark has."""
    kinds = {KEY: pa.string(), PERSON: pa.binary()}
    names = [name for name in kinds if name in rows.column_names]
    schema = pa.schema([(name, kinds[name]) for name in names])
    yield from rows.select(names).cast(schema).to_batches()


def _name_columns(batch: pa.RecordBatch, names: Sequence[str]) -> Batch:
    return Batch(batch.num_rows, dict(zip(names, batch.columns, strict=False)))


def arrow_schema(frame: Any) -> pa.Schema:
    """The names and types of the columns of a frame, as Arrow has them in the executors."""
    with translating_errors():  # Spark Connect looks at a plan only now
        fields = frame.schema.fields
    return pa.schema([(field.name, _arrow_type(field.dataType)) for field in fields])


def _arrow_type(kind: Any) -> pa.DataType:
    """The type of a column; intervals are the only ones that have no name of their own."""
    from pyspark.errors import PySparkTypeError
    from pyspark.sql.pandas.types import to_arrow_type

    try:
        return to_arrow_type(kind, timezone="UTC")
    except PySparkTypeError:
        return pa.month_day_nano_interval()


def checkpoint(frame: Any) -> Any:
    """The rows of a frame, evaluated once and kept by Spark, in two executors if there are two.

    If none of them is left, Spark fails: it does not evaluate the frame again. A second attempt
    of a task (`spark.speculation`) that is stopped may take the second copy with it.
    """
    from pyspark import StorageLevel

    with translating_errors():
        return frame.localCheckpoint(True, StorageLevel.DISK_ONLY_2)


def is_spark(table: Any) -> bool:
    """Whether this is a frame of Spark; nothing is imported to tell."""
    return type(table).__module__.startswith("pyspark.sql.") and hasattr(table, "mapInArrow")


@contextmanager
def translating_errors() -> Iterator[None]:
    """Turn what Spark says into one of our errors, without a word of its own."""
    from pyspark.errors import PySparkException

    failures: tuple[type[Exception], ...] = (PySparkException, ConnectionError)
    if find_spec("py4j") is not None:  # a client of Spark Connect alone does without
        from py4j.protocol import Py4JError

        failures += (Py4JError,)
    try:
        yield
    except failures:
        raise SystemFailed("Spark failed or could not be reached.") from None
