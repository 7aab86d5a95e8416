"""Rows of CSV text as a source: lines are read by the rule of `tightrope.files.splitter`.

Standard input can be read only once and is kept in memory.
"""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pyarrow.compute as pc

from tightrope.characters import refuse_controls
from tightrope.errors import BadTable
from tightrope.files import StrPath, extension, first_line, line_names, reading, text_batches
from tightrope.tables.sources.batches import Batch, BatchSource

STANDARD_INPUT = "-"
_DELIMITERS = {".csv": b",", ".tsv": b"\t", ".csv.gz": b",", ".tsv.gz": b"\t"}


def is_text_table(path: StrPath) -> bool:
    """Whether the name says that this is CSV text."""
    return str(path) == STANDARD_INPUT or extension(path) in _DELIMITERS


def text_source(path: StrPath) -> BatchSource:
    """The rows of CSV text; its first line holds the names."""
    held = sys.stdin.buffer.read() if str(path) == STANDARD_INPUT else None
    delimiter = b"," if held is not None else _DELIMITERS[extension(path)]
    with _opened(path, held) as file:
        line = first_line(file)
    names = line_names(line, delimiter)
    for name in names:
        refuse_controls(name, "the name of a column", BadTable)

    def batches(columns: Sequence[str]) -> Iterator[Batch]:
        places = [names.index(column) for column in columns]
        with _opened(path, held) as file:
            file.read(len(line))
            for batch in text_batches(file, len(names), delimiter, places or [0]):
                cells = dict(zip(columns, batch.columns, strict=False))
                yield Batch(len(batch), {name: pc.if_else(pc.equal(column, ""), None, column)
                                         for name, column in cells.items()})

    return BatchSource(names, batches)


@contextmanager
def _opened(path: StrPath, held: bytes | None) -> Iterator[IO[bytes] | Any]:
    """A file, compressed or not, or the bytes that are held."""
    if held is not None:
        yield io.BytesIO(held)
        return
    with reading(path), Path(path).open("rb") as file:
        yield gzip.GzipFile(fileobj=file) if str(path).lower().endswith(".gz") else file
