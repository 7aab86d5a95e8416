"""Data where they are: files, frames of any library, tables of databases; one door for all.

The schema is compared with the declaration once. For CSV text, pandas and SQLite it is the names
of the columns alone; Parquet, Arrow, Polars, DuckDB and PostgreSQL store types apart from their
rows, and a declaration that contradicts them is refused. After that nothing is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from tightrope.characters import label_text
from tightrope.declarations import (
    AnyColumn,
    Clock,
    Column,
    CutKey,
    Declaration,
    KeyTally,
    NumberColumn,
    PeriodColumn,
    Tallied,
    Tally,
    TextColumn,
    TimeColumn,
)
from tightrope.errors import BadInput, BadTable, Refused, SystemFailed
from tightrope.files import StrPath, extension, reading
from tightrope.ledger import address
from tightrope.tables.cells import cells_of
from tightrope.tables.sources.batches import Batch, BatchSource, Snapshot
from tightrope.tables.sources.databases import DatabaseSource, open_database
from tightrope.tables.sources.duck import DuckSource, open_duckdb
from tightrope.tables.sources.parquet import ParquetSource
from tightrope.tables.sources.spark import SparkSource
from tightrope.tables.sources.typed import NUMBERS, WHOLES, Kind, check_types
from tightrope.tables.tables import BATCH_ROWS, TABLES, is_text, is_text_table, open_table, readable

_ARROW = (".arrow", ".feather", ".ipc")
_DUCKDB, _SQLITE = (".duckdb", ".ddb"), (".sqlite", ".sqlite3", ".db")
_PANDAS, _POLARS = "pandas", "polars"


class Source(Protocol):
    """Rows somewhere, of which nothing is asked but tallies."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def types(self) -> Mapping[str, Any] | None: ...

    def tallies(self, tallies: Sequence[Tally], key: CutKey) -> tuple[Tallied, ...]:
        """The exact statistics of one snapshot in one scan, people's rows cut by a key."""

    def count_keys(self, tally: KeyTally, key: CutKey) -> dict[str, int]:
        """The units of each key that is not declared, of one snapshot, people's keys cut."""

    def snapshot(
        self, tallies: Sequence[Tally], keyed: Sequence[KeyTally], key: CutKey
    ) -> Snapshot:
        """Both of these for several requests, all of one snapshot."""


def open_source(data: Any, declaration: Declaration, *, table: str | None = None) -> Source:
    """The rows of a file, a frame or a database, if what is declared can be in them.

    `data` is the name of a CSV (also .gz, or - for standard input), Parquet or Arrow file; the URL
    of a database, or a DuckDB or SQLite file, with the name of its `table`; or a frame of pandas,
    Polars, Arrow, DuckDB or Spark.
    """
    source = open_rows(data, table=table)
    check_source(source, declaration)
    return source


def check_source(source: Source, declaration: Declaration) -> None:
    """Refuse a declaration that contradicts names and stored types; no row is read."""
    naming = declaration.naming
    stored = dict.fromkeys(map(declaration.source, declaration.columns))
    for name in [*stored, *(part.name for part in naming)]:
        count = source.names.count(name)
        if count != 1:
            raise BadTable(f"the declaration names the column {label_text(name)!r}, and the table "
                           f"has {'none' if not count else 'several'} of that name.")
    wanted = {name: column for name, column in declaration.columns.items()
              if isinstance(column, TextColumn)
              or not isinstance(column, AnyColumn | PeriodColumn)}
    if isinstance(source, DatabaseSource | DuckSource):
        if isinstance(source, DatabaseSource) and source.types is not None and any(
                type(column) is AnyColumn for column in declaration.columns.values()):
            raise BadTable("a column of type any is not read in PostgreSQL: declare each as "
                           "number or category.")
        if source.types is not None and source.kinds is not None:
            check_types(source.types, source.kinds, wanted, naming,
                        texts=isinstance(source, DuckSource))
        if isinstance(source, DuckSource):
            _refuse_failing(source.failing & {*stored, *(part.name for part in naming)})
    elif source.types is not None:
        _check_arrow(source.types, wanted)
    if isinstance(source, DatabaseSource | BatchSource):
        _refuse_dates(source.dates, wanted)


def _refuse_dates(dates: frozenset[str], columns: Mapping[str, Column | TextColumn]) -> None:
    for name, declared in columns.items():
        if name in dates and isinstance(declared, NumberColumn) and not isinstance(
                declared, TimeColumn):
            raise BadTable(f"the column {label_text(name)!r} is declared as a number, and the "
                           "table holds dates or times there.")


def _refuse_failing(names: frozenset[str]) -> None:
    if names:
        raise BadTable(f"the column {label_text(min(names))!r} holds times with a zone of a frame, "
                       "and DuckDB fails on some of them: give the frame itself, or store it as a "
                       "table of DuckDB first.")


def schema_of(
    data: Any, *, table: str | None = None, header: bool = False
) -> dict[str, str | None]:
    """The columns of a table, each with its kind where types are stored apart from rows.

    A kind is whole, number, category, date, datetime or time.

    The first line of a text file is taken for names only if `header` says so: it may be a row.
    """
    if isinstance(data, str | PathLike) and "://" not in str(data) and is_text_table(data) and (
        not header
    ):
        raise Refused("the first line of a text file may be a row; say if it holds the names of "
                      "the columns (header).")
    source = open_rows(data, table=table)
    if len(set(source.names)) < len(source.names):
        raise BadTable("several columns of the table have the same name.")
    return kinds_of(source)


def kinds_of(source: Source) -> dict[str, str | None]:
    """The kind of every column, as `schema_of` has it; None where no type is stored apart."""
    if source.types is None:
        dates = source.dates if isinstance(source, DatabaseSource | BatchSource) else frozenset()
        return {name: "datetime" if name in dates else None for name in source.names}
    if isinstance(source, DatabaseSource | DuckSource):
        return {name: _KINDS.get(kind, "category") for name, kind in (source.kinds or {}).items()}
    return {name: None if (type_ := source.types.get(name)) is None else _arrow_kind(type_)
            for name in source.names}


_KINDS: Mapping[Kind | None, str] = {
    **dict.fromkeys(WHOLES, "whole"), **dict.fromkeys(NUMBERS - WHOLES, "number"),
    Kind.DAY: "date", Kind.HOUR: "time",
    **dict.fromkeys((Kind.MOMENT, Kind.ZONED, Kind.STREAMED), "datetime"),
}


def _arrow_kind(type_: Any) -> str:
    of = pa.types
    if of.is_date(type_) or of.is_timestamp(type_) or of.is_time(type_):
        return "date" if of.is_date(type_) else "time" if of.is_time(type_) else "datetime"
    if of.is_integer(type_) or (of.is_decimal(type_) and type_.scale <= 0):
        return "whole"
    return "number" if of.is_floating(type_) or of.is_decimal(type_) else "category"


def open_rows(data: Any, *, table: str | None = None) -> Source:
    """The rows of a file, a frame or a database, of which nothing is declared yet."""
    if is_database(data) and table is None:
        raise BadInput("name the table of the database (table).")
    if isinstance(data, str) and "://" in data:
        assert table is not None
        return open_database(address(data, held="tables by an address are looked up"), table)
    if is_database(data):
        assert table is not None
        if extension(data) in _DUCKDB:
            return open_duckdb(data, table)
        with reading(data), Path(data).open("rb"):
            return open_database(address(data), table)
    if table is not None:
        raise BadInput("only a database has tables by name.")
    if isinstance(data, str | PathLike):
        return _file(data)
    if isinstance(data, pa.Table | pa.RecordBatch):
        return _arrow(pa.table(data) if isinstance(data, pa.RecordBatch) else data)
    if isinstance(data, Mapping):
        return _mapping(data)
    return _frame(data)


def is_database(data: Any) -> bool:
    """Whether this is the URL of a database, or the name of a DuckDB or SQLite file."""
    return isinstance(data, str | PathLike) and (
        "://" in str(data) or extension(data) in (*_DUCKDB, *_SQLITE))


def _file(path: StrPath) -> Source:
    text = is_text_table(path)
    if extension(path) in _ARROW:
        with readable(path):
            return _arrow(pa.ipc.open_file(pa.memory_map(str(path))).read_all())
    if not text and extension(path) not in TABLES:
        raise BadInput(f"{path} is no table that can be read: expected .csv, .tsv, .csv.gz, "
                       ".parquet, .arrow, .duckdb or .sqlite, or the URL of a database.")
    table = open_table(path)
    names = tuple(table.schema.names)

    def batches(columns: Sequence[str]) -> Iterator[Batch]:
        for batch in table.batches(columns or names[:1], encoded=columns if text else ()):
            yield Batch.of(batch)

    types = None if text else dict(zip(names, table.schema.types, strict=True))
    source = BatchSource(names, batches, types)
    return source if table.rows is None else ParquetSource(str(path), table.rows, source)


def _arrow(table: pa.Table) -> BatchSource:
    def batches(columns: Sequence[str]) -> Iterator[Batch]:
        if not columns:
            yield Batch(table.num_rows, {})
            return
        for batch in table.select(list(columns)).to_batches(max_chunksize=BATCH_ROWS):
            yield Batch.of(batch)

    names = tuple(table.schema.names)
    return BatchSource(names, batches, dict(zip(names, table.schema.types, strict=True)))


def _mapping(data: Mapping[Any, Any]) -> BatchSource:
    columns = list(data.values())
    if any(isinstance(column, str | bytes) or not hasattr(column, "__len__")
           for column in columns):
        raise BadTable('expected columns by name, each a list: {"age": [31, 40]}.')
    if len({len(column) for column in columns}) > 1:
        raise BadTable("expected columns of equal length.")
    return _columns(tuple(map(str, data)), columns, len(columns[0]) if columns else 0)


def _columns(names: tuple[str, ...], columns: Sequence[Any], rows: int) -> BatchSource:
    """Columns in memory, each of a stored type or of any cells."""
    def batches(asked: Sequence[str]) -> Iterator[Batch]:
        yield Batch(rows, {name: _cells(columns[names.index(name)]) for name in asked})

    dates = frozenset(name for name, column in zip(names, columns, strict=True)
                      if _is_date(column))
    return BatchSource(names, batches, dates=dates)


def _cells(column: Any) -> Any:
    """A column, of dates and times as an array of Arrow: Python has none beyond the year 9999."""
    if getattr(getattr(column, "dtype", None), "kind", "") == "M":
        try:
            return cells_of(pa.array(column, from_pandas=True))
        except (pa.ArrowException, TypeError, ValueError):  # years and months of NumPy
            pass
    return cells_of(column)


def _frame(data: Any) -> Source:
    import narwhals as nw

    try:
        frame = nw.from_native(data)
    except TypeError:
        relation = ": take its .table(…) or .sql(…)" if hasattr(data, "sql") else ""
        raise BadInput(f"expected a table: a file, a frame or the URL of a database, found "
                       f"{type(data).__name__}{relation}.") from None
    except nw.exceptions.DuplicateError:
        raise BadTable("several columns of the table have the same name.") from None
    kind = frame.implementation.value if hasattr(frame.implementation, "value") else ""
    if kind == _PANDAS:
        names = tuple(map(str, data.columns))
        return _columns(names, [data.iloc[:, place] for place in range(len(names))], len(data))
    if isinstance(frame, nw.LazyFrame):
        return _lazy(data, frame, str(kind))
    return _typed_frame(lambda names: frame.select(*names), frame.head(0)) if (
        kind == _POLARS) else _arrow(frame.to_arrow())


def _typed_frame(chosen: Callable[[Sequence[str]], Any], empty: Any) -> BatchSource:
    """A frame of Polars: types are stored apart, but for objects and what Arrow has no type for."""
    names = tuple(empty.columns)
    cells_by_name = {name: cells_of(empty[name].to_native()) for name in names}
    types = {name: cells.type for name, cells in cells_by_name.items()
             if not isinstance(cells, list)}

    def batches(columns: Sequence[str]) -> Iterator[Batch]:
        rows = chosen(columns or names[:1])
        cells = {name: cells_of(rows[name].to_native()) for name in columns}
        yield Batch(len(rows), cells)

    return BatchSource(names, batches, types)


def _is_date(column: Any) -> bool:
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return bool(pa.types.is_temporal(column.type))
    dtype = getattr(column, "dtype", None)
    return getattr(dtype, "kind", "") in ("M", "m") or str(dtype).startswith("period")


def _lazy(data: Any, frame: Any, kind: str) -> Source:
    if kind == "duckdb":
        return DuckSource(data)
    if kind == _POLARS:
        return _typed_frame(lambda names: _collect(frame.select(*names)), _collect(frame.head(0)))
    if kind.startswith("pyspark"):
        return SparkSource(data)
    raise BadInput(f"lazy frames of {kind} are not read here.")


def _collect(lazy: Any) -> Any:
    """The rows of a lazy frame of Polars, whose errors would quote cells."""
    import polars
    from narwhals.exceptions import NarwhalsError

    try:
        return lazy.collect()
    except (polars.exceptions.PolarsError, NarwhalsError):
        raise SystemFailed("Polars failed or could not be read.") from None


def _check_arrow(types: Mapping[str, Any], columns: Mapping[str, Column | TextColumn]) -> None:
    """Refuse a declaration that contradicts the types of a table."""
    of = pa.types
    for name, declared in columns.items():
        kind = types.get(name, pa.null())
        value = kind.value_type if of.is_dictionary(kind) else kind
        stated = _arrow_kind(value)
        number = stated in ("whole", "number") or of.is_boolean(value) or of.is_null(value)
        if isinstance(declared, TimeColumn):
            if not (is_text(value) or of.is_null(value) or stated in _moments(declared)):
                raise BadTable(f"the column {label_text(name)!r} is declared as "
                               f"{declared.clock.noun}, and the table holds {kind} there.")
            continue
        if isinstance(declared, NumberColumn) and not number:
            raise BadTable(f"the column {label_text(name)!r} is declared as a number, and the "
                           f"table holds {kind} there.")
        if not number and not is_text(value):
            raise BadTable(f"the column {label_text(name)!r} holds {kind}; expected numbers, texts "
                           "or truth values.")


def _moments(declared: TimeColumn) -> tuple[str, ...]:
    """The kinds of columns that hold the moments of a declared one."""
    return "datetime", "time" if declared.clock is Clock.TIME else "date"
