"""A tally on Apache Spark: counted in the executors, only cells come back.

Cells go through the very functions of every other source, batch by batch (`mapInArrow`). Where
each row is a unit, an executor sends the sums of its part; where a column names people, a window
over each person's rows keeps those with the least hashes.
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

from tightrope.data.sources.batches import (
    HALF,
    Batch,
    BatchSource,
    cells_of,
    counting,
    people_of,
)
from tightrope.data.sources.queries import tallied
from tightrope.declarations import Tallied, Tally
from tightrope.errors import SystemFailed

_SUMS = "cell long, rows long, low long, high long"
_ROWS = "person string, cell long, low long, high long, row_text string"


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

    def tally(self, tally: Tally) -> Tallied:
        """The exact statistic, added up by Spark."""
        from pyspark.sql import functions as say

        person = tally.declaration.unit.person
        names = list(dict.fromkeys([*tally.columns, *([] if person is None else [person])]))
        wanted = [say.col(quoted(name)).alias(f"column_{place}")
                  for place, name in enumerate(names)]
        rows = self.frame.select(*(wanted or [say.lit(1).alias("one")]))
        with speaking():
            if person is None:
                parts = rows.mapInArrow(partial(_summed, tally, names), _SUMS)
            else:
                held = rows.mapInArrow(partial(_listed, tally, names), _ROWS)
                parts = _cut(tally, held).withColumn("rows", say.lit(1))
            total = parts.groupBy("cell").agg(*(say.sum(name) for name in ("rows", "low", "high")))
            return tallied(tally, total.collect())


def _summed(
    tally: Tally, names: Sequence[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In an executor: the cells that rows fall into, with their counts and sums."""
    unnamed = BatchSource((), lambda _: (_named(batch, names) for batch in batches))
    found = unnamed.tally(tally)
    touched = np.flatnonzero(np.array(found.counts)).tolist()
    sums = [0 if found.sums is None else found.sums[cell] for cell in touched]
    yield pa.record_batch([
        pa.array(touched, pa.int64()),
        pa.array([found.counts[cell] for cell in touched], pa.int64()),
        pa.array([total & (2**HALF - 1) for total in sums], pa.int64()),
        pa.array([total >> HALF for total in sums], pa.int64()),
    ], names=["cell", "rows", "low", "high"])


def _listed(
    tally: Tally, names: Sequence[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In an executor: the rows that may count, as people, cells and readings."""
    for given in batches:
        batch = _named(given, names)
        readings, kept = counting(tally, batch)
        count = int(kept.sum())
        person = people_of(batch.columns[str(tally.declaration.unit.person)]).filter(pa.array(kept))
        measured = (np.zeros(count, dtype=np.int64) if tally.measured is None
                    else readings[tally.measured])
        texts = [pc.replace_with_mask(pa.array(held).cast(pa.string()), pa.array(held < 0), "-")
                 for held in readings.values()]
        text = pc.binary_join_element_wise(*texts, ",") if texts else pa.array([""] * count)
        rows = pa.record_batch([
            person, pa.array(cells_of(tally, readings, count)), pa.array(measured & (2**HALF - 1)),
            pa.array(measured >> HALF), text,
        ], names=["person", "cell", "low", "high", "row_text"])
        yield rows.filter(pc.is_valid(rows.column("person")))


def _cut(tally: Tally, rows: Any) -> Any:
    """Of each person's rows, those that count."""
    from pyspark.sql import Window
    from pyspark.sql import functions as say

    unit, person = tally.declaration.unit, Window.partitionBy("person")

    def hashed(text: Any) -> Any:
        return say.sha2(say.concat(say.lit(f"{tally.key}:"), text), 256)

    if tally.cuts_cells:
        cell = hashed(say.concat(say.lit("cell "), say.col("cell").cast("string")))
        rank = say.dense_rank().over(person.orderBy(cell, say.col("cell")))
        rows = rows.withColumn("rank", rank).where(say.col("rank") <= say.lit(unit.cells))
    if tally.people:
        return rows.select("person", "cell", "low", "high").distinct()
    number = say.row_number().over(person.orderBy(hashed(say.col("row_text"))))
    return rows.withColumn("number", number).where(say.col("number") <= say.lit(unit.rows))


def _named(batch: pa.RecordBatch, names: Sequence[str]) -> Batch:
    return Batch(batch.num_rows, dict(zip(names, batch.columns, strict=False)))


def arrow_schema(frame: Any) -> pa.Schema:
    """The schema of a frame, as Arrow has it in the executors."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(frame.schema)


def quoted(name: str) -> str:
    """The name of a column, whatever it holds."""
    return "`" + name.replace("`", "``") + "`"


def is_spark(table: Any) -> bool:
    """Whether this is a frame of Spark; nothing is imported to tell."""
    return type(table).__module__.startswith("pyspark.sql.") and hasattr(table, "mapInArrow")


@contextmanager
def speaking() -> Iterator[None]:
    """Turn what Spark says into one of our errors, without a word of its own."""
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException:
        raise SystemFailed("Spark failed or could not be reached.") from None
