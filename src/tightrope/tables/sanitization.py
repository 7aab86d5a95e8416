"""Columns of a table, randomized row by row.

The table is read twice. First its rows are counted; only a curator is told, and refused, what
is not among the declared values. Then the rows are read again, the columns drawn with a certified
mechanism, and everything else passed through in order and in clear. Every cell has a meaning: one
that holds no declared value counts as missing, and a missing one as a value of its own or as the
first. Memory is bounded by one batch, and the new table appears only when it is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow as pa

from tightrope.errors import BadTable, NotCertified, Refused, SystemFailed
from tightrope.exact import IntArray
from tightrope.files import StrPath, private_folder, refuse_existing, replacing_all
from tightrope.ledger import Booked, TableBooking
from tightrope.privacy import Certified
from tightrope.samplers import SYSTEM, Source, uniform_order, uniform_parts
from tightrope.tables.column_plans import ColumnPlan, plan_column
from tightrope.tables.columns import Outsiders, refuse_outsiders
from tightrope.tables.domains import Domain
from tightrope.tables.keeping import NarrowTable, clear_of
from tightrope.tables.tables import (
    BATCH_ROWS,
    FileTable,
    Table,
    count_rows,
    is_text_table,
    table_of,
    writable,
    writing,
)

Progress = Callable[[int], None]
"""Called with the number of rows written so far."""


@dataclass(frozen=True)
class Randomized:
    """The result: how many rows, which columns were randomized and which stay in clear.

    `table` is the new table if it was not written, `order` that of its rows if they were shuffled
    in memory. `seconds` is for everything, `seconds_drawing` the part spent on drawing.
    """

    rows: int
    randomized: tuple[str, ...]
    clear: tuple[str, ...]
    seconds: float
    seconds_drawing: float
    table: pa.Table | None = None
    booked: Booked | None = None
    order: IntArray | None = None


def sanitize_table(
    source: StrPath | Table,
    target: StrPath | None,
    columns: Sequence[tuple[str, Certified]],
    *,
    batch_rows: int = BATCH_ROWS,
    shuffle: bool = False,
    force: bool = False,
    curator: bool = False,
    progress: Progress | None = None,
    domains: Mapping[str, Domain] | None = None,
    beside: Mapping[Path, Callable[[int], bytes]] | None = None,
    booking: TableBooking | None = None,
    allow_seeded: bool = False,
    source_of_entropy: Source = SYSTEM,
) -> Randomized:
    """A copy of a table in which the named columns are randomized by these mechanisms.

    Each value goes through the mechanism of its column, independently of all others. Declared
    whole numbers come out as 64-bit integers, true and false as truth values, all else as text,
    whatever the type of the column was.

    Parameters
    ----------
    source, target
        Parquet, CSV or TSV files; the extensions say which. Without a target, the new table
        is held in memory.
    shuffle
        Whether rows are put in a uniform order; in memory that is given beside the table.
    domains
        How the cells of a column are read, where they are not the points themselves.
    beside
        Files that belong to the new table and are written with it, all or none, each from its
        number of rows.
    booking
        The budget that is charged before the first row is drawn; the new table takes its place
        when its seal is kept with the entry.
    curator
        Whether a table with values outside the declared ones is refused, and how many and which
        they are is told: not private. Otherwise each counts as missing, without a word.
    allow_seeded
        A seeded source repeats itself and protects nothing; tests say so here.

    Raises
    ------
    BadTable
        For a curator, if some cell holds no declared value; nothing is written.
    SystemFailed
        If the new table does not hold as many rows as were read; nothing is written.
    NotCertified
        If a mechanism comes without its proof.
    Refused
        If the source of entropy is seeded.
    """
    started = perf_counter()
    _check_request(columns, source_of_entropy, allow_seeded)
    again = None if booking is None else booking.again(target)
    if target is not None and again is None:
        refuse_existing(target, force=force)
    opened = table_of(source, curator=curator)
    if target is not None and _is_file_of(opened, Path(target)):
        raise BadTable(f"{target} is the table itself; choose another name for the result.")
    plans = [
        plan_column(opened, name, certified, (domains or {}).get(name), source_of_entropy,
                    text=target is not None and is_text_table(target))
        for name, certified in columns
    ]
    schema = opened.schema
    for plan in plans:
        schema = schema.set(plan.position, pa.field(plan.name, plan.kind))
    if target is not None:
        writable(target, schema)
    rows = int(again.answer["rows"]) if again else _check(opened, plans, batch_rows, curator)
    drawn = draw_rows(opened, plans, schema, batch_rows, progress)
    made, booked, order = None, again, None
    if target is None:
        made, booked = _draw_in_memory(schema, drawn, rows, booking)
        order = uniform_order(rows, source_of_entropy) if shuffle else None
    elif again is None:
        if shuffle:
            drawn = shuffle_rows(drawn, schema, rows, Path(target), batch_rows, source_of_entropy)
        booked = _write(target, opened, schema, drawn, rows, beside or {}, booking, force)
    names = tuple(plan.name for plan in plans)
    return Randomized(
        rows,
        names,
        clear_of(schema.names, names, shuffle=shuffle),
        perf_counter() - started,
        sum(plan.seconds for plan in plans),
        made,
        booked,
        order,
    )


def _is_file_of(table: Table, target: Path) -> bool:
    if isinstance(table, NarrowTable):
        table = table.table
    return (isinstance(table, FileTable) and table.content is None and target.exists()
            and target.samefile(table.path))


def draw_rows(
    table: Table,
    plans: Sequence[ColumnPlan],
    schema: pa.Schema,
    batch_rows: int = BATCH_ROWS,
    progress: Progress | None = None,
) -> Iterator[pa.RecordBatch]:
    """The new rows, batch by batch."""
    done = 0
    for batch in table.batches(encoded=[plan.name for plan in plans], batch_rows=batch_rows):
        cells = list(batch.columns)
        for plan in plans:
            cells[plan.position] = plan.draw(cells[plan.position])
        yield pa.record_batch(cells, schema=schema)
        done += len(batch)
        if progress is not None:
            progress(done)
    for plan in plans:
        plan.finish()


def _draw_in_memory(
    schema: pa.Schema,
    drawn: Iterator[pa.RecordBatch],
    rows: int,
    booking: TableBooking | None,
) -> tuple[pa.Table, Booked | None]:
    """The new table in memory."""
    made: list[pa.Table] = []

    def draw() -> None:
        made.append(pa.Table.from_batches(drawn, schema))

    booked = None
    if booking is None:
        draw()
    else:
        booked = booking.spend(rows, None, draw)
    return made[0], booked


def _write(
    target: StrPath,
    source: Table,
    schema: pa.Schema,
    drawn: Iterator[pa.RecordBatch],
    rows: int,
    belonging: Mapping[Path, Callable[[int], bytes]],
    booking: TableBooking | None,
    force: bool,
) -> Booked | None:
    """Write the new table and what belongs to it, all or nothing, once it was paid for."""
    with replacing_all([target, *belonging], force=force) as (unfinished, *others):
        def draw() -> None:
            _fill(unfinished, target, source, schema, drawn, rows)

        booked = None
        if booking is None:
            draw()
        else:
            booked = booking.spend(rows, unfinished, draw)
        for made, content in zip(others, belonging.values(), strict=True):
            made.write_bytes(content(rows))
    return booked


def _fill(
    unfinished: Path,
    target: StrPath,
    source: Table,
    schema: pa.Schema,
    drawn: Iterator[pa.RecordBatch],
    rows: int,
) -> None:
    """Write the rows, and make sure that all are there."""
    with writing(unfinished, target, schema, source.codec) as write:
        done = 0
        for batch in drawn:
            write(batch)
            done += len(batch)
    if not rows == done == count_rows(unfinished, target):
        raise SystemFailed(
            f"{target} did not come out with as many rows as {source.path} has, so nothing "
            "was written; was the table changed while it was read?"
        )


def _check_request(
    columns: Sequence[tuple[str, Certified]], source: Source, allow_seeded: bool
) -> None:
    names = [name for name, _ in columns]
    if not names:
        raise BadTable("name at least one column to randomize.")
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadTable(f"column {twice!r} is named twice; a column is randomized once.")
    for _, certified in columns:
        if not isinstance(certified, Certified):
            raise NotCertified(certified)
    if source.seeded and not allow_seeded:
        raise Refused("a seeded source repeats itself and protects nothing; use the system's.")


def _check(table: Table, plans: Sequence[ColumnPlan], batch_rows: int, curator: bool) -> int:
    """The number of rows; a curator's table with a value that has no label is refused."""
    rows, outsiders = look_through(table, plans, batch_rows, curator=curator)
    refuse_outsiders(outsiders)
    for plan in plans:
        if plan.rows is not None and plan.rows != rows:
            raise BadTable(f"the mechanism of column {plan.name!r} is for a table of {plan.rows} "
                           f"rows, found {rows}.")
    return rows


def look_through(
    table: Table, plans: Sequence[ColumnPlan], batch_rows: int = BATCH_ROWS, *, curator: bool
) -> tuple[int, list[Outsiders]]:
    """The number of rows and, for a curator, what columns hold beside their declared values."""
    names = [plan.name for plan in plans]
    outsiders, rows = [Outsiders(name) for name in names], 0
    for batch in table.batches(names, encoded=names, batch_rows=batch_rows):
        for plan, outside in zip(plans, outsiders, strict=True) if curator else ():
            column = batch.column(plan.name)
            outside.note(column, plan.matcher.positions(column), curator=curator)
        rows += len(batch)
    return rows, outsiders


def shuffle_rows(
    batches: Iterator[pa.RecordBatch],
    schema: pa.Schema,
    rows: int,
    beside: Path,
    batch_rows: int,
    source: Source = SYSTEM,
) -> Iterator[pa.RecordBatch]:
    """The rows of batches in a uniform order, also where they are more than memory holds.

    Each row goes to one of several parts of about `batch_rows` rows, uniformly and independently;
    each part is put in a uniform order, and the parts follow each other. Every order of all rows
    is then equally likely (Rao, 1961; Sandelius, 1962). Parts are kept beside the new table in a
    folder that only its owner can read.
    """
    parts = -(-rows // batch_rows) or 1
    with private_folder(beside) as folder:
        places = [folder / f"{part}.arrow" for part in range(parts)]
        _scatter(batches, schema, places, source)
        for place in places:
            with pa.OSFile(str(place)) as file, pa.ipc.open_stream(file) as stream:
                table = stream.read_all()
            order = uniform_order(table.num_rows, source)
            yield from table.take(pa.array(order)).combine_chunks().to_batches()
            place.unlink()


def _scatter(
    batches: Iterator[pa.RecordBatch], schema: pa.Schema, places: list[Path], source: Source
) -> None:
    """Write every row to one of the parts."""
    with ExitStack() as opened:
        writers = [opened.enter_context(pa.ipc.new_stream(
            opened.enter_context(pa.OSFile(str(place), "wb")), schema)) for place in places]
        for batch in batches:
            part = uniform_parts(batch.num_rows, len(places), source)
            for number, writer in enumerate(writers):
                own = np.flatnonzero(part == number)
                if len(own):
                    writer.write_batch(batch.take(pa.array(own)))
