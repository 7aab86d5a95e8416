r"""The one splitter of text into rows and cells: every line is one row and changes no other.

A line ends with a line feed, a carriage return, or both. A cell that begins with a quote ends with
the next single quote or, if there is none, with its line; two quotes in it are one. What follows
its end up to the delimiter belongs to it. A short line lacks its last cells, and what a long line
has beyond the names is not looked at. An empty line is no row, except in a table of one column.
Bytes that are no UTF-8 become marks of replacement; zero bytes are characters. An empty cell is
missing, with quotes or without. No line is refused here: `tightrope.tables` gives every cell a
meaning, `tightrope.files.sheets` refuses what is not clear. Cells with line breaks need Parquet.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pyarrow as pa

DELIMITERS: Final = {".csv": b",", ".tsv": b"\t"}
"""The delimiter of cells, by the ending of a name."""

BLOCK_BYTES = 2**21
MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8, which is no part of the first line."""

_LONGEST_LINE = 2**30  # bytes of a line that are looked at
_LINE_END = re.compile(rb"\r\n|\r|\n")


def split_lines(content: bytes) -> list[bytes]:
    r"""The lines of a text without its byte order mark.

    >>> split_lines(b"a\r\n\rb\n")
    [b'a', b'', b'b']
    """
    return content.removeprefix(MARK).splitlines()


def plain_lines(content: bytes) -> list[bytes]:
    """The lines of plain text that are neither blank nor remarks (#)."""
    lines = (line.strip() for line in split_lines(content))
    return [line for line in lines if line and not line.startswith(b"#")]


def line_cells(line: bytes, delimiter: bytes) -> list[bytes]:
    r"""The cells of one line.

    >>> line_cells(b'a,"b, ""c"" d",,"e,f', b",")
    [b'a', b'b, "c" d', b'', b'e,f']
    """
    if b'"' not in line:
        return line.split(delimiter)
    return [plain if quoted is None else quoted.replace(b'""', b'"') + rest
            for quoted, _, rest, plain in _parts(line, delimiter)]


def closed_cells(line: bytes, delimiter: bytes) -> list[bool]:
    r"""Whether each cell of a line that begins with a quote also ends with one.

    >>> closed_cells(b'a,"b",,"c"d,"e,f', b",")
    [True, True, True, False, False]
    """
    return [quoted is None or (end == b'"' and not rest)
            for quoted, end, rest, _ in _parts(line, delimiter)]


def _parts(line: bytes, delimiter: bytes) -> Iterator[tuple[Any, ...]]:
    """Each cell: inside its quotes, the last quote, what follows; or the cell without quotes."""
    cell, at = _cell(delimiter), 0
    while at <= len(line):
        match = cell.match(line, at)
        assert match is not None  # a cell may be empty
        yield match.groups()
        at = match.end() + 1


@lru_cache(maxsize=8)
def _cell(delimiter: bytes) -> re.Pattern[bytes]:
    plain = b"[^" + re.escape(delimiter) + b"]*+"
    quoted = rb'"([^"]*+(?:""[^"]*+)*+)("?)(' + plain + b")"
    return re.compile(quoted + b"|(" + plain + b")")


def line_names(line: bytes, delimiter: bytes) -> tuple[str, ...]:
    """The names of columns that a first line holds; an empty line holds none."""
    bare = _LINE_END.sub(b"", line.removeprefix(MARK))
    return tuple(cell.decode(errors="replace") for cell in line_cells(bare, delimiter)) if (
        bare) else ()


def first_line(file: IO[bytes]) -> bytes:
    """The first line of a file, with what ends it."""
    blocks = line_blocks(file)
    block = next(blocks, b"")
    end = _LINE_END.search(block)
    return block if end is None else block[: end.end()]


def text_batches(
    file: IO[bytes], columns: int, delimiter: bytes, wanted: Sequence[int], *,
    quoted_missing: bool = False,
) -> Iterator[pa.RecordBatch]:
    """The cells of some columns by place, block by block; empty ones without quotes are null.

    With `quoted_missing` those in quotes are null as well.
    """
    import pyarrow as pa
    import pyarrow.csv as pacsv

    names = [str(place) for place in range(columns)]
    read = pacsv.ReadOptions(column_names=names)
    parse = pacsv.ParseOptions(delimiter=delimiter.decode(), ignore_empty_lines=columns > 1)
    convert = pacsv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.large_string()), null_values=[""],
        include_columns=[str(place) for place in wanted], strings_can_be_null=True,
        quoted_strings_can_be_null=quoted_missing,
    )
    def read_block(content: bytes) -> pa.Table:
        marked = MARK + content  # one is taken off each
        read.block_size = len(marked) + 1
        return pacsv.read_csv(pa.BufferReader(marked), read, parse, convert)

    for block in line_blocks(file):
        text = _unicode(block)
        try:  # without quotes a reader of CSV can be wrong about the number of cells alone
            plain = text if b'"' not in text and b"\r" not in text else (
                _regular_lines(text, columns, delimiter))
            rows = read_block(plain) if plain else None
        except pa.ArrowInvalid:
            rows = read_block(_regular_lines(text, columns, delimiter))
        yield from [] if rows is None else rows.to_batches()


def _unicode(block: bytes) -> bytes:
    """A block with marks of replacement for bytes that are no UTF-8."""
    try:
        _ = block.isascii() or block.decode()
    except UnicodeDecodeError:
        return block.decode(errors="replace").encode()
    return block


def line_blocks(file: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a file in blocks of whole lines; what is left of a damaged archive."""
    waiting = b""
    while part := _read(file, max(BLOCK_BYTES, len(waiting))):
        waiting += part
        end = waiting.rfind(b"\n") + 1 or waiting[:-1].rfind(b"\r") + 1
        if end:
            yield _bound_length(waiting[:end])
            waiting = waiting[end:]
    if waiting:
        yield _bound_length(waiting)


def _read(file: IO[bytes], size: int) -> bytes:
    try:
        return file.read(size)
    except (EOFError, OSError, zlib.error):
        return b""


def _bound_length(block: bytes) -> bytes:
    """A block as it is, and of one that only a very long line makes long, its beginning."""
    return block if len(block) <= _LONGEST_LINE else block[:_LONGEST_LINE] + b"\n"


def _regular_lines(block: bytes, columns: int, delimiter: bytes) -> bytes:
    """The same rows in lines that every reader of CSV reads alike."""
    whole, parts, at = _lines(columns, delimiter), [], 0
    while at < len(block):
        match = whole.match(block, at)
        assert match is not None  # there may be no such line
        parts.append(block[at : match.end()])
        at = match.end()
        if at < len(block):
            end = _LINE_END.search(block, at)
            stop, after = (len(block),) * 2 if end is None else end.span()
            parts.append(_row(block[at:stop], columns, delimiter))
            at = after
    return b"".join(parts)


@lru_cache(maxsize=8)
def _lines(columns: int, delimiter: bytes) -> re.Pattern[bytes]:
    """Lines of as many cells as there are columns, each plain or with quotes that match."""
    mark = re.escape(delimiter)
    quoted = rb'"[^"\r\n]*+(?:""[^"\r\n]*+)*+"'
    cell = b"(?:" + quoted + rb'|[^"\r\n' + mark + b"]*+)"
    others = b"(?:" + mark + cell + b"){%d}" % (columns - 1)
    return re.compile(b"(?:" + cell + others + rb"(?:\r\n|\r|\n))*+")


def _row(line: bytes, columns: int, delimiter: bytes) -> bytes:
    """A line with as many cells as there are columns; an empty one stays as it is.

    It ends with both characters: a line feed alone would join a carriage return before it.
    """
    if not line:
        return b"\r\n"
    cells = line_cells(line, delimiter)[:columns]
    quoted = [b'"' + cell.replace(b'"', b'""') + b'"' if cell else b"" for cell in cells]
    return delimiter.join([*quoted, *[b""] * (columns - len(cells))]) + b"\r\n"
