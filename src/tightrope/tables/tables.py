"""Files of private rows, read and written batch by batch.

A table is a Parquet, CSV or TSV file; its extension says which. Text is read compressed by gzip
as well, or from standard input, which can be read only once and is kept in memory. Otherwise
memory is bounded by one batch. A column of a CSV file is text and stays text, so that
cells nobody asked to change ("007", "1.10", "NA") come out as they went in. What a row of it
is, `tightrope.files.splitter` says; no row is refused. Messages never quote a cell, nor the
first line of a text file, which may be a row where the line of names was forgotten.
"""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, Final, Protocol, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tightrope.characters import refuse_controls, shorten
from tightrope.errors import BadTable
from tightrope.files import (
    DELIMITERS,
    PARQUET,
    StrPath,
    extension,
    first_line,
    header_line,
    line_names,
    reading,
    replacing,
    text_batches,
    text_of,
)

BATCH_ROWS: Final = 2**18
"""Rows held at a time."""

STANDARD_INPUT: Final = "-"
"""The name of standard input, and of standard output."""
_GZIP = ".gz"
_CODECS = {"UNCOMPRESSED": "NONE", "LZ4_RAW": "LZ4"} | {
    name: name for name in ("SNAPPY", "GZIP", "ZSTD", "BROTLI", "LZ4")
}

TABLES: Final = (*PARQUET, *DELIMITERS)
"""How the names of tables end."""

Write = Callable[[pa.RecordBatch], None]


class Table(Protocol):
    """Rows that can be read again and again, in a file or in memory; `path` names them."""

    @property
    def path(self) -> str: ...

    @property
    def schema(self) -> pa.Schema: ...

    @property
    def codec(self) -> str: ...

    def position(self, column: str) -> int:
        """Where a column stands; an unknown or ambiguous name is refused."""

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        encoded: Sequence[str] = (),
        batch_rows: int = BATCH_ROWS,
    ) -> Iterator[pa.RecordBatch]:
        """The rows in order, all columns or those named."""


def position_in(names: Sequence[str], column: str, table: str) -> int:
    """Where a column stands among the names of a table that may be told."""
    if column not in names:
        listed = ", ".join(map(shorten, names[:20])) + (", …" if len(names) > 20 else "")
        raise BadTable(
            f"{table} has no column {column!r}; its columns are {listed}.",
            column=column,
            columns=tuple(names),
        )
    if names.count(column) > 1:
        raise BadTable(f"{table} has several columns named {column!r}.", column=column)
    return names.index(column)


@dataclass(frozen=True)
class FileTable:
    """A table in a file; `rows` is None where only reading tells.

    Of text, `delimiter` stands between cells, `header` is the number of bytes before the first
    row, and `content` is what standard input held; `curator` says that the names of the columns
    may be told.
    """

    path: str
    schema: pa.Schema
    rows: int | None = None
    delimiter: bytes | None = None
    codec: str = "SNAPPY"
    header: int = 0
    curator: bool = False
    content: bytes | None = None

    def position(self, column: str) -> int:
        """Where a column stands; an unknown or ambiguous name is refused."""
        names = list(self.schema.names)
        if column not in names and self.delimiter is not None and not self.curator:
            raise BadTable(
                f"{self.path} names no column {column!r} in its first line; what stands there is "
                "told on request (curator).",
                column=column,
            )
        return position_in(names, column, self.path)

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        encoded: Sequence[str] = (),
        batch_rows: int = BATCH_ROWS,
    ) -> Iterator[pa.RecordBatch]:
        """The rows in order, all columns or those named; every batch but the last has as many.

        Text columns named in `encoded` may come as indices into a dictionary, which is how
        Parquet holds them; in a text file their empty cells are missing, also those in quotes.
        Where the file was cut into blocks does not show: that depends on the length of its cells.
        """
        with readable(self.path):
            if self.delimiter is None:
                texts = [name for name in encoded if is_text(self.schema.field(name).type)]
                with pq.ParquetFile(self.path, read_dictionary=texts) as file:
                    yield from _rebatch(file.iter_batches(batch_rows, columns=columns), batch_rows)
                return
            with _text_file(self.path, self.content) as file:
                file.read(self.header)
                blocks = self._text_blocks(file, self.delimiter, columns, encoded)
                yield from _rebatch(blocks, batch_rows)

    def _text_blocks(
        self, file: IO[bytes], delimiter: bytes, columns: Sequence[str] | None,
        encoded: Sequence[str],
    ) -> Iterator[pa.RecordBatch]:
        """The rows of text, in blocks of any length."""
        names = self.schema.names
        wanted = range(len(names)) if columns is None else [names.index(name) for name in columns]
        asked = pa.schema([self.schema.field(place) for place in wanted])
        alike = set(asked.names) <= set(encoded)
        for batch in text_batches(file, len(names), delimiter, wanted, quoted_missing=alike):
            cells = [column if alike or name not in encoded
                     else pc.if_else(pc.equal(column, ""), None, column)
                     for name, column in zip(asked.names, batch.columns, strict=True)]
            yield pa.record_batch(cells, schema=asked)


def table_of(table: StrPath | Table, *, curator: bool = False) -> Table:
    """The table itself, or the one in the file of this name."""
    return open_table(table, curator=curator) if isinstance(table, str | PathLike) else table


def open_table(path: StrPath, *, curator: bool = False) -> FileTable:
    """The table in a file; `BadTable` if it is none that can be read.

    Parameters
    ----------
    curator
        Whether an error may tell what the first line of a text file holds.

    Raises
    ------
    BadTable
        If the format is not known, or the file is not of it, or the name of a column holds a
        control character.
    """
    table = _text_table(path, curator) if is_text_table(path) else _parquet_table(path)
    for position, name in enumerate(table.schema.names, start=1):
        refuse_controls(name, f"{path}: the name of column {position}", BadTable)
    return table


def is_text_table(path: StrPath) -> bool:
    """Whether a table of this name is text, in which cells have no type."""
    return str(path) == STANDARD_INPUT or extension(path).removesuffix(_GZIP) in DELIMITERS


def _text_table(path: StrPath, curator: bool) -> FileTable:
    content = sys.stdin.buffer.read() if str(path) == STANDARD_INPUT else None
    delimiter = DELIMITERS.get(extension(path).removesuffix(_GZIP), b",")
    with readable(path), _text_file(path, content) as file:
        line = first_line(file)
    schema = pa.schema([(name, pa.large_string()) for name in line_names(line, delimiter)])
    return FileTable(str(path), schema, delimiter=delimiter, header=len(line), curator=curator,
                     content=content)


def _text_file(path: StrPath, content: bytes | None) -> IO[bytes]:
    """Text to read, in a file, compressed or not, or in memory."""
    if content is not None:
        return io.BytesIO(content)
    if extension(path).endswith(_GZIP):
        return cast(IO[bytes], gzip.open(path))
    return Path(path).open("rb")


def _parquet_table(path: StrPath) -> FileTable:
    _table_format(path)
    with readable(path), pq.ParquetFile(path) as file:
        about = file.metadata
        codec = "SNAPPY"
        if about.num_row_groups and about.num_columns:
            codec = _CODECS.get(about.row_group(0).column(0).compression, codec)
        return FileTable(str(path), file.schema_arrow, about.num_rows, codec=codec)


def _rebatch(blocks: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of this many, the last one shorter; none without rows."""
    waiting: list[pa.RecordBatch] = []
    count = 0
    for block in blocks:
        taken = 0
        while count + block.num_rows - taken >= rows:
            part = block.slice(taken, rows - count)
            yield _concatenate([*waiting, part])
            waiting, count, taken = [], 0, taken + part.num_rows
        if taken < block.num_rows:
            waiting.append(block.slice(taken))
            count += block.num_rows - taken
    if waiting:
        yield _concatenate(waiting)


def _concatenate(parts: list[pa.RecordBatch]) -> pa.RecordBatch:
    return parts[0] if len(parts) == 1 else pa.concat_batches(parts)


@contextmanager
def writing(path: Path, named: StrPath, schema: pa.Schema, codec: str) -> Iterator[Write]:
    """A function that appends batches to a new table at `path`.

    `named` is the name whose extension says the format. In text a line is a row: line breaks in
    cells become blanks. Metadata of the file it came from
    is not carried along: it may describe the columns as they were.
    """
    if _table_format(named) in PARQUET:
        bare = schema.remove_metadata()
        with pq.ParquetWriter(path, bare, compression=codec) as writer:
            yield lambda batch: writer.write_batch(_as(batch, bare), row_group_size=len(batch))
        return
    delimiter = DELIMITERS[extension(named)].decode()
    with path.open("wb") as out:
        out.write(header_line(schema.names, delimiter))
        yield lambda batch: (out.write(text_of(batch, delimiter)), None)[1]


def count_rows(path: Path, named: StrPath) -> int:
    """How many rows a table written by `writing` holds, from the file itself."""
    if _table_format(named) in PARQUET:
        return int(pq.read_metadata(path).num_rows)
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 22), b"")) - 1


def write_table(
    path: StrPath, columns: Mapping[str, Sequence[str]], *, force: bool = False
) -> None:
    """Write columns of text as a new table: Parquet, CSV or TSV, as the name says."""
    _table_format(path)
    with replacing(path, force=force) as unfinished:
        fill_table(unfinished, path, columns)


def fill_table(path: Path, named: StrPath, columns: Mapping[str, Sequence[str]]) -> None:
    """Write columns of text to `path`; `named` is the name whose extension says the format."""
    batch = pa.record_batch({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
    with writing(path, named, batch.schema, "SNAPPY") as write:
        if len(batch):
            write(batch)


def writable(path: StrPath, schema: pa.Schema) -> None:
    """Refuse a name or columns that `writing` could not write."""
    if _table_format(path) in PARQUET:
        return
    for field in schema:
        if not is_flat(field.type):
            raise BadTable(
                f"column {field.name!r} holds {field.type}, which has no form in {path}; "
                "write a .parquet file instead.",
                column=field.name,
            )


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this type holds text."""
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def is_flat(kind: pa.DataType) -> bool:
    """Whether a value of this type can be one cell of a text file."""
    if pa.types.is_dictionary(kind):
        return is_flat(kind.value_type)
    if "binary" in str(kind) or isinstance(kind, pa.BaseExtensionType):
        return False
    try:
        pa.nulls(0, kind).cast(pa.large_string())
    except pa.ArrowNotImplementedError:
        return False
    return True


def _as(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    return pa.record_batch(batch.columns, schema=schema)


def _table_format(path: StrPath) -> str:
    """The extension of a table, in lower case; other formats are refused."""
    ending = extension(path)
    if ending in PARQUET or ending in DELIMITERS:
        return ending
    known = ", ".join([*DELIMITERS, *PARQUET])
    raise BadTable(
        f"{path} is not a table that can be used: expected a name that ends in {known}, "
        f"found {ending or 'no extension'!r}.",
        path=str(path),
    )


@contextmanager
def readable(path: StrPath) -> Iterator[None]:
    """Turn what a reader says about a broken table into `BadTable`, without its content."""
    try:
        with reading(path):
            try:
                yield
            except OSError as error:
                if error.errno is not None:
                    raise
                raise BadTable(f"{path} is not a readable table.", path=str(path)) from None
    except pa.ArrowException:
        raise BadTable(f"{path} is not a readable table.", path=str(path)) from None
