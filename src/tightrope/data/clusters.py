"""Sanitizing on Apache Spark: the same exact sampler in every executor, and one draw per row.

A plan of Spark may be run again at any time: by a second action, after an executor was lost, or
for a task that is slow. What is drawn is therefore written down once, as Parquet files. Every
attempt of a task writes apart, and one attempt of each is accepted when it ends; what the others
drew is thrown away unseen. Only what was written is ever read or counted. Each executor checks
the documents of the mechanisms anew and draws with its own system's entropy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from time import perf_counter
from typing import Any

import pyarrow as pa

from tightrope.data.beside import mechanism_path
from tightrope.data.booking import TableBooking, booking_of
from tightrope.data.domains import Domain
from tightrope.data.files import StrPath, refuse_existing
from tightrope.data.ledger import Account
from tightrope.data.protected import ProtectedColumn, Sanitized
from tightrope.data.sanitization import Randomized, drawn_rows, plan_column
from tightrope.data.sources import arrow_schema, spark_speaking
from tightrope.data.tables import position_in
from tightrope.documents import accept, compose, read, render
from tightrope.errors import BadInput, BadTable
from tightrope.exact import Level
from tightrope.privacy import Certified

COMMIT = ("mapreduce.fileoutputcommitter.algorithm.version", "1")
"""What an attempt wrote is moved in place only when the job has ended with one of each task."""


@dataclass(frozen=True)
class Shipped:
    """A column as it is sent to executors: its name, what it may hold, its document."""

    name: str
    domain: Domain
    document: bytes

    @classmethod
    def of(cls, name: str, domain: Domain, certified: Certified) -> Shipped:
        """A column and its proved mechanism."""
        return cls(name, domain, render(compose(certified, None)))


@dataclass(frozen=True)
class _Part:
    """The rows of one task, as `sanitize` reads tables."""

    schema: pa.Schema
    rows: Iterable[pa.RecordBatch] = ()
    path: str = "the table"
    codec: str = "SNAPPY"

    def position(self, column: str) -> int:
        return position_in(list(self.schema.names), column, self.path)

    def batches(
        self, columns: Sequence[str] | None = None, **_: Any
    ) -> Iterator[pa.RecordBatch]:
        for batch in self.rows:
            yield pa.record_batch(batch.columns, schema=self.schema)


def sanitize_spark(
    frame: Any, total: Level, asked: Sequence[ProtectedColumn], output: StrPath | None,
    account: Account | None,
) -> Sanitized:
    """A frame of Spark, drawn once into a folder; mechanisms beside it if it is on this disk.

    An account is charged before the first row is drawn. A request that was answered is refused:
    the folder of its draws has no seal by which it could be known again.
    """
    if output is None:
        raise BadInput("a frame of Spark is drawn once into a new folder: name it (output).")
    booking = booking_of(account, f"sanitize {', '.join(column.name for column in asked)}", total,
                         [column.response for column in asked])
    if booking is not None:
        booking.again(None)
    if _is_local(output):
        asked = [replace(c, document=mechanism_path(output, c.name)) for c in asked]
        _check_folder(output, [c.document for c in asked if c.document is not None])
    shipped = [Shipped.of(column.name, column.domain, column.response) for column in asked]
    done = _randomized(frame, output, shipped, booking)
    made = tuple(replace(column, rows=done.rows) for column in asked)
    for column in made if done.rows else ():
        if column.document is not None:
            column.save(column.document)
    return Sanitized(done.table, done.rows, total, made, done.clear, (), done.seconds, 0.0,
                     done.booked)


def _randomized(
    frame: Any, output: StrPath, columns: Sequence[Shipped], booking: TableBooking | None
) -> Randomized:
    """Randomize columns of a frame of Spark; the rows drawn are in Parquet files in a folder."""
    started = perf_counter()
    held = arrow_schema(frame)
    if len(set(held.names)) < len(held.names):
        raise BadTable("several columns of the table have the same name.")
    plans = [plan_column(_Part(held), one.name, _proved(one.document), one.domain)
             for one in columns]
    found: list[Any] = []

    def draw() -> None:
        with spark_speaking():
            found.append(_written(frame, held, columns, [plan.kind for plan in plans],
                                  str(output)))

    booked = None
    if booking is None:
        draw()
    else:
        with spark_speaking():
            number = int(frame.count())
        booked = booking.spend(number, None, draw)
        if not found:  # somebody else was answered meanwhile
            booking.again(None)
    (made,) = found
    with spark_speaking():
        rows = int(made.count())
    names = tuple(one.name for one in columns)
    clear = tuple(name for name in held.names if name not in names)
    return Randomized(rows, names, clear, perf_counter() - started, 0.0, made, booked)


def _written(
    frame: Any, held: pa.Schema, columns: Sequence[Shipped], kinds: Sequence[pa.DataType],
    output: str,
) -> Any:
    """The frame of what was drawn and written, once."""
    from pyspark.errors import AnalysisException
    from pyspark.sql.pandas.types import from_arrow_schema

    schema = held
    for one, kind in zip(columns, kinds, strict=True):
        plain = pa.string() if pa.types.is_large_string(kind) else kind
        schema = schema.set(schema.get_field_index(one.name), pa.field(one.name, plain))
    drawn = frame.mapInArrow(partial(_drawn, held, schema, columns), from_arrow_schema(schema))
    try:
        drawn.write.option(*COMMIT).mode("error").parquet(output)
    except AnalysisException:
        raise BadInput(f"{output} exists already, or is no folder that Spark can write.") from None
    return frame.sparkSession.read.schema(drawn.schema).parquet(output)


def _drawn(
    held: pa.Schema, schema: pa.Schema, columns: Sequence[Shipped],
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """In an executor: rows with the columns drawn."""
    part = _Part(held, batches)
    plans = [plan_column(part, one.name, _proved(one.document), one.domain) for one in columns]
    written = schema
    for plan in plans:
        written = written.set(plan.position, pa.field(plan.name, plan.kind))
    for batch in drawn_rows(part, plans, written):
        yield batch.cast(schema)


@lru_cache(maxsize=64)
def _proved(document: bytes) -> Certified:
    """The mechanism of a document, proved again by whoever draws from it."""
    return accept(read(document))


def _is_local(output: StrPath) -> bool:
    """Whether a folder is on this machine's disk, as far as its name tells."""
    return isinstance(output, Path) or "://" not in str(output)


def _check_folder(output: StrPath, documents: Sequence[Path]) -> None:
    """Refuse, before any row is read, a folder or documents that would be overwritten."""
    if Path(output).exists():
        raise BadInput(f"{output} exists already; name a new folder.")
    if len(set(documents)) < len(documents):
        raise BadInput("two columns have names that are the same in a file name; rename one.")
    for path in documents:
        refuse_existing(path, force=False)
