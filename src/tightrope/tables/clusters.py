"""Sanitizing on Apache Spark: the same exact sampler in every executor, and one draw per row.

A plan of Spark may be run again at any time: by a second action, after an executor was lost, or
for a task that is slow. Rows that are counted or looked at before they are drawn are therefore
kept by Spark first, and drawn from what it kept. What is drawn is written down once, as Parquet
files. Every attempt of a task writes apart, and one attempt of each is accepted when it ends; what
the others drew is thrown away unseen. Only what was written is ever read or counted. Each executor
checks the documents of the mechanisms anew and draws with its own system's entropy.
"""

from __future__ import annotations

import os
import pickle
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import pyarrow as pa

from tightrope.documents import accept, compose, read, render
from tightrope.errors import BadInput, BadTable, SystemFailed
from tightrope.exact import Level
from tightrope.files import (
    StrPath,
    check_name_of_file,
    making_folder,
    mechanism_path,
    remove_files,
    replacing_all,
    stale_mechanisms,
)
from tightrope.ledger import Account, Booked, TableBooking
from tightrope.privacy import Certified
from tightrope.tables.column_plans import ColumnPlan, plan_column
from tightrope.tables.columns import Outsiders, refuse_outsiders
from tightrope.tables.domains import Domain
from tightrope.tables.keeping import clear_of
from tightrope.tables.protected import ProtectedColumn, Sanitized, sanitize_booking
from tightrope.tables.sanitization import look_through
from tightrope.tables.sources import translating_spark_errors
from tightrope.tables.sources.spark import arrow_schema, checkpoint
from tightrope.tables.tables import position_in

COMMIT = ("mapreduce.fileoutputcommitter.algorithm.version", "1")
"""Files of an attempt are moved in place only when the job has ended with one of each task."""
_ADDRESS: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")
_FILE: Final = re.compile(r"file:(//(localhost)?(?=/))?", re.IGNORECASE)
_PATTERN: Final = re.compile(r"([\\{}\[\]*?])")


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
        names = self.schema.names if columns is None else columns
        for batch in self.rows:
            yield pa.record_batch([batch.column(self.position(name)) for name in names],
                                  names=list(names))


@dataclass(frozen=True)
class _Task:
    """The work of executors: the columns to draw, of rows of this schema."""

    schema: pa.Schema
    columns: tuple[Shipped, ...]

    def plans(self) -> list[ColumnPlan]:
        """How each column is drawn; its mechanism is proved again by whoever asks."""
        part = _Part(self.schema)
        return [plan_column(part, column.name, _accept(column.document), column.domain)
                for column in self.columns]


def sanitize_spark(
    frame: Any, total: Level, asked: Sequence[ProtectedColumn], output: StrPath | None,
    account: Account | None, *, curator: bool = False, force: bool = False,
) -> Sanitized:
    """A frame of Spark, drawn once into a folder; mechanisms beside it if it is on this disk.

    With `force`, those that an earlier run left there are replaced or removed, never a folder. An
    account is charged before the first row is drawn. A request that was answered is refused: the
    folder of its draws has no seal by which it could be known again.
    """
    if output is None:
        raise BadInput("a frame of Spark is drawn once into a new folder: name it (output).")
    started, names = perf_counter(), [column.name for column in asked]
    booking = sanitize_booking(account, total, asked)
    if booking is not None:
        booking.again(None)
    task = _task(frame, asked)
    schema = _new_schema(frame, task.plans())
    write = partial(_draw_and_charge, frame, task, schema, booking, curator)
    folder = folder_of(output)
    stale: tuple[Path, ...] = ()
    if folder is None:
        address = str(output)
        refuse_used(frame.sparkSession, address)
        rows, booked = write(address)
    else:
        address = f"file://{folder}"
        asked = [replace(c, document=mechanism_path(folder, c.name)) for c in asked]
        stale = tuple(stale_mechanisms(frame.columns, folder, names, force=force))
        rows, booked = _in_folder(folder, asked, write, force)
        remove_files(stale)
    table = _read(frame.sparkSession, schema, address)
    return Sanitized(
        table, rows, total, tuple(replace(column, rows=rows) for column in asked),
        clear_of(frame.columns, names), stale, perf_counter() - started, 0.0, booked)


def _in_folder(
    folder: Path, asked: Sequence[ProtectedColumn],
    write: Callable[[str], tuple[int, Booked | None]], force: bool,
) -> tuple[int, Booked | None]:
    """Write the rows and the mechanisms beside them, all or nothing."""
    documents = [c.document for c in asked if c.document is not None]
    if len(set(documents)) < len(documents):
        raise BadInput("two columns have names that are the same in a file name; rename one.")
    with making_folder(folder) as made, replacing_all(documents, force=force) as unfinished:
        rows, booked = write(f"file://{made}")
        for column, path, document in zip(asked, unfinished, documents, strict=True):
            path.write_bytes(column.document_bytes(rows, document))
    return rows, booked


def _task(frame: Any, asked: Sequence[ProtectedColumn]) -> _Task:
    """The work that is sent to executors, if Parquet files can have these columns."""
    schema = arrow_schema(frame)
    with translating_spark_errors():
        exact = frame.sparkSession.conf.get("spark.sql.caseSensitive") == "true"
    alike = Counter(name if exact else name.lower() for name in schema.names)
    if max(alike.values(), default=1) > 1:
        raise BadTable(
            "several columns of the table have the same name"
            + ("; rename them." if exact else
               ", or names that differ in case alone; rename them, or set "
               "spark.sql.caseSensitive to true."))
    for field in schema:
        if pa.types.is_interval(field.type):
            raise BadTable(f"column {field.name!r} holds intervals, which Arrow cannot carry; "
                           "cast it to another type or leave it out.", column=field.name)
    return _Task(schema, tuple(Shipped.of(column.name, column.domain, column.response)
                               for column in asked))


def _new_schema(frame: Any, plans: Sequence[ColumnPlan]) -> Any:
    """The schema of Spark in which drawn columns have the types of their declared values."""
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructField, StructType

    fields = list(frame.schema.fields)
    for plan in plans:
        fields[plan.position] = StructField(plan.name, from_arrow_type(plan.kind))
    return StructType(fields)


def _draw_and_charge(
    frame: Any, task: _Task, schema: Any, booking: TableBooking | None, curator: bool, address: str
) -> tuple[int, Booked | None]:
    """Write the drawn rows; return how many there are, and the charge for them."""
    if booking is None and not curator:
        return _draw_and_write(frame, task, schema, address), None
    kept = checkpoint(frame)
    number = _count_rows(kept, task, curator)
    written: list[int] = []

    def draw() -> None:
        written.append(_draw_and_write(kept, task, schema, address))
        if written != [number]:
            raise SystemFailed("the new table has another number of rows than were counted, and "
                               "is no result; remove it if it is not on this disk.")

    if booking is None:
        draw()
        return number, None
    booked = booking.spend(number, None, draw)
    if not written:  # somebody else was answered meanwhile
        booking.again(None)
    return number, booked


def _count_rows(frame: Any, task: _Task, curator: bool) -> int:
    """The number of rows; a curator's frame with a value that has no label is refused."""
    with translating_spark_errors():
        parts = frame.mapInArrow(partial(_look, task, curator),
                                 "rows long, outsiders binary").collect()
    total = [Outsiders(column.name) for column in task.columns]
    for part in parts:
        for all_of, some in zip(total, pickle.loads(part["outsiders"]), strict=True):
            all_of.add(some)
    refuse_outsiders(total)
    return sum(int(part["rows"]) for part in parts)


def _look(
    task: _Task, curator: bool, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In an executor: how many rows there are, and what a curator is told of them."""
    rows, outsiders = look_through(_Part(task.schema, batches), task.plans(), curator=curator)
    yield pa.record_batch([pa.array([rows]), pa.array([pickle.dumps(outsiders)])],
                          names=["rows", "outsiders"])


def _draw_and_write(frame: Any, task: _Task, schema: Any, address: str) -> int:
    """Draw and write, once; return the number of rows that were written."""
    with translating_spark_errors():
        drawn = frame.mapInArrow(partial(_draw_batches, task), schema)
        drawn.write.option(*COMMIT).mode("error").parquet(address)
        return int(_read(frame.sparkSession, schema, address).count())


def _read(session: Any, schema: Any, address: str) -> Any:
    """The frame of what was written."""
    with translating_spark_errors():
        return session.read.schema(schema).parquet(literal(address))


def _draw_batches(task: _Task, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """In an executor: rows with the columns drawn, all others as they came."""
    plans = task.plans()
    for batch in batches:
        for plan in plans:
            drawn = plan.draw(batch.column(plan.position))
            if pa.types.is_large_string(drawn.type):
                drawn = drawn.cast(pa.string())
            batch = batch.set_column(plan.position, plan.name, drawn)
        yield batch
    for plan in plans:
        plan.finish()


@lru_cache(maxsize=64)
def _accept(document: bytes) -> Certified:
    """The mechanism of a document, proved again by whoever draws from it."""
    return accept(read(document))


def folder_of(output: StrPath) -> Path | None:
    """The folder on this disk that is meant, links followed; None for another address.

    A name without an address, or one that begins with `file:`, is a folder that all executors must
    see. Every other address is of a system that Spark knows, such as `hdfs://` or `s3a://`.

    >>> folder_of("file:///out/a[1]").as_posix(), folder_of("hdfs://host/out")
    ('/out/a[1]', None)
    """
    check_name_of_file(output)
    text = os.fspath(output)
    address = None if isinstance(output, os.PathLike) else _ADDRESS.match(text)
    if address is not None and address[1].lower() != "file":
        return None
    return Path(os.path.realpath(text if address is None else _FILE.sub("", text, count=1)))


def literal(address: str) -> str:
    r"""An address that Spark reads as it is written, and not as a pattern.

    >>> literal("file:///out/a[1]")
    'file:///out/a\\[1\\]'
    """
    return _PATTERN.sub(r"\\\1", address)


def refuse_used(session: Any, address: str) -> None:
    """Refuse an address where something is, before any row is read."""
    from pyspark.errors import AnalysisException

    with translating_spark_errors():
        try:
            _ = session.read.format("binaryFile").load(literal(address)).schema
        except AnalysisException as error:
            if error.getCondition() == "PATH_NOT_FOUND":
                return
            raise
    raise BadInput(f"{address} exists already; name a new folder.", path=address)
