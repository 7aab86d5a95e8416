"""A tally on Apache Spark: counted in the executors, only cells come back.

Cells go through the very functions of every other source, batch by batch (`mapInArrow`). Where
each row is a unit, an executor sends the sums of its part. Where a column names people, all rows
of a person meet in one executor, which cuts them: the key is in no query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tightrope.declarations import CutKey, Tallied, Tally
from tightrope.errors import SystemFailed
from tightrope.tables.sources.batches import HALF, Batch, BatchSource, Sums, rows_of
from tightrope.tables.sources.people import Rows, bound_contributions
from tightrope.tables.sources.queries import statistic_of


@dataclass(frozen=True)
class SparkSource:
    """A frame of Spark."""

    frame: Any

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(self.frame.columns)

    @property
    def types(self) -> Mapping[str, Any]:
        """The types of the columns, as Arrow names them."""
        return dict(zip(self.names, arrow_schema(self.frame).types, strict=True))

    def tally(self, tally: Tally, key: CutKey) -> Tallied:
        """The exact statistic, added up by Spark."""
        from pyspark.sql import functions as say

        person = tally.declaration.unit.person
        names = list(dict.fromkeys([*tally.columns, *([] if person is None else [person])]))
        placed = self.frame.toDF(*(f"column_{place}" for place in range(len(self.names))))
        wanted = [f"column_{self.names.index(name)}" for name in names]
        rows = placed.select(*wanted) if wanted else placed.selectExpr("1 AS one")
        sums = _long("cell", 2 + 2 * len(tally.measures) + len(tally.conditions))
        with translating_errors():
            if person is None:
                parts = rows.mapInArrow(partial(_sum_rows, tally, key, names), sums)
            else:
                listed = "person binary, " + _long("row", 1 + sum(_widths(tally)))
                people = rows.mapInArrow(partial(_list_rows, tally, names), listed)
                together = people.repartition("person").sortWithinPartitions("person")
                parts = together.mapInArrow(partial(_bound_and_sum, tally, key), sums)
            cell, *numbers = parts.columns
            total = parts.groupBy(cell).agg(*(say.sum(name) for name in numbers))
            return statistic_of(tally, total.collect())


def _long(name: str, count: int) -> str:
    """Columns of whole numbers."""
    return ", ".join(f"{name}_{place} long" for place in range(count))


def _widths(tally: Tally) -> tuple[int, int, int]:
    """Columns of readings, measures and conditions."""
    return len(tally.readings), len(tally.measures), len(tally.conditions)


def _sum_rows(
    tally: Tally, key: CutKey, names: Sequence[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In an executor: the cells that rows fall into, with their counts and sums."""
    unnamed = BatchSource((), lambda _: (_name_columns(batch, names) for batch in batches))
    yield _batch_of(unnamed.tally(tally, key))


def _batch_of(statistic: Tallied) -> pa.RecordBatch:
    """The cells that rows fall into, with the numbers of a `tally_query`."""
    touched = np.flatnonzero(np.array(statistic.counts)).tolist()
    cells = touched if statistic.cells is None else [statistic.cells[place] for place in touched]
    numbers = [cells, [statistic.counts[place] for place in touched]]
    for sums in statistic.sums:
        numbers += [[sums[place] & (2**HALF - 1) for place in touched],
                    [sums[place] >> HALF for place in touched]]
    numbers += [[met[place] for place in touched] for met in statistic.met]
    return pa.record_batch([pa.array(column, pa.int64()) for column in numbers],
                           names=[f"cell_{place}" for place in range(len(numbers))])


def _list_rows(
    tally: Tally, names: Sequence[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In an executor: the rows that may count, with the people whose they are."""
    for batch in batches:
        rows = rows_of(tally, _name_columns(batch, names))
        columns = [rows.cells, *rows.readings, *rows.measures, *rows.met]
        assert rows.people is not None
        yield pa.record_batch(
            [rows.people.cast(pa.binary()),
             *(pa.array(column.astype(np.int64)) for column in columns)],
            names=["person", *(f"row_{place}" for place in range(len(columns)))])


def _bound_and_sum(
    tally: Tally, key: CutKey, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In an executor: the sums of the rows that count, of people whose rows follow each other."""
    total = Sums(tally)
    for rows in _whole_people(batches):
        total.add(bound_contributions(tally, key, _rows(tally, rows)))
    yield _batch_of(total.statistic())


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


def _rows(tally: Tally, listed: pa.Table) -> Rows:
    people, *columns = (column.combine_chunks() for column in listed.columns)
    cells, *others = (np.asarray(column) for column in columns)
    read, measured, _ = _widths(tally)
    return Rows(cells, people.cast(pa.large_binary()), tuple(others[:read]),
                tuple(others[read : read + measured]),
                tuple(column.astype(bool) for column in others[read + measured :]))


def _name_columns(batch: pa.RecordBatch, names: Sequence[str]) -> Batch:
    return Batch(batch.num_rows, dict(zip(names, batch.columns, strict=False)))


def arrow_schema(frame: Any) -> pa.Schema:
    """The names and types of the columns of a frame, as Arrow has them in the executors."""
    return pa.schema([(field.name, _arrow_type(field.dataType)) for field in frame.schema])


def _arrow_type(kind: Any) -> pa.DataType:
    """The type of a column; intervals are the only ones that have no name of their own."""
    from pyspark.errors import PySparkTypeError
    from pyspark.sql.pandas.types import to_arrow_type

    try:
        return to_arrow_type(kind, timezone="UTC")
    except PySparkTypeError:
        return pa.month_day_nano_interval()


def is_spark(table: Any) -> bool:
    """Whether this is a frame of Spark; nothing is imported to tell."""
    return type(table).__module__.startswith("pyspark.sql.") and hasattr(table, "mapInArrow")


@contextmanager
def translating_errors() -> Iterator[None]:
    """Turn what Spark says into one of our errors, without a word of its own."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError):
        raise SystemFailed("Spark failed or could not be reached.") from None
