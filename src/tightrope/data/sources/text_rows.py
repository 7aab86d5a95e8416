"""Rows of CSV text, read by a total function: no line is ever refused.

Bytes that are no UTF-8 become marks of replacement, a short line lacks its last cells, a long one
has cells of no column, a quote without match ends with the file. An empty cell without quotes is
missing, and so is one with quotes: both follow the rule of their column. Standard input can be
read only once and is kept in memory.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from tightrope.characters import refuse_controls
from tightrope.data.files import StrPath, extension, reading
from tightrope.data.sources.batches import Batch, BatchSource
from tightrope.data.tables import BATCH_ROWS
from tightrope.errors import BadTable

STANDARD_INPUT = "-"
_LONGEST_CELL = 2**31 - 1
_DELIMITERS = {".csv": ",", ".tsv": "\t", ".csv.gz": ",", ".tsv.gz": "\t"}


def is_text_table(path: StrPath) -> bool:
    """Whether the name says that this is CSV text."""
    return str(path) == STANDARD_INPUT or extension(path) in _DELIMITERS


def text_source(path: StrPath) -> BatchSource:
    """The rows of CSV text; its first line holds the names."""
    held = sys.stdin.buffer.read() if str(path) == STANDARD_INPUT else None
    with _opened(path, held) as rows:
        names = tuple(next(rows, []))
    for name in names:
        refuse_controls(name, "the name of a column", BadTable)
    return BatchSource(names, lambda columns: _batches(path, held, names, columns))


def _batches(
    path: StrPath, held_bytes: bytes | None, names: Sequence[str], columns: Sequence[str]
) -> Iterator[Batch]:
    """The cells of some columns, as text, in batches."""
    places = [list(names).index(column) for column in columns]
    with _opened(path, held_bytes) as rows:
        next(rows, None)
        while True:
            held: list[list[str | None]] = [[] for _ in columns]
            count = 0
            for row in rows:
                for cells, place in zip(held, places, strict=True):
                    cells.append((row[place] or None) if place < len(row) else None)
                count += 1
                if count == BATCH_ROWS:
                    break
            if not count:
                return
            arrays = [pa.array(cells, type=pa.large_string()) for cells in held]
            yield Batch(count, dict(zip(columns, arrays, strict=True)))


@contextmanager
def _opened(path: StrPath, held: bytes | None) -> Iterator[Iterator[list[str]]]:
    """The rows of a file, compressed or not, or of bytes that are held."""
    name = str(path)
    if held is not None:
        with _decoded(io.BytesIO(held)) as text:
            yield _all(text, ",")
        return
    with reading(name), Path(name).open("rb") as file:
        raw = gzip.GzipFile(fileobj=file) if name.endswith(".gz") else file
        with _decoded(raw) as text:
            yield _all(text, _DELIMITERS[extension(name)])


@contextmanager
def _decoded(raw: Any) -> Iterator[io.TextIOWrapper]:
    text = io.TextIOWrapper(raw, "utf-8-sig", errors="replace", newline="")
    before = csv.field_size_limit(_LONGEST_CELL)  # the lines of a long cell are not rows
    try:
        yield text
    finally:
        csv.field_size_limit(before)
        text.detach()  # whoever opened the bytes closes them


def _all(text: io.TextIOWrapper, delimiter: str) -> Iterator[list[str]]:
    rows = csv.reader(text, delimiter=delimiter)
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            continue  # a line that no rule can read is a row without cells
        except (EOFError, OSError, zlib.error):
            return  # what is left of a damaged archive
        if row:
            yield row
