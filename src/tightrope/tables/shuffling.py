"""Rows of a table in a uniform order, also where they are more than memory holds.

Each row goes to one of several parts, uniformly and independently; each part, which fits into
memory, is put in a uniform order, and the parts follow each other. Every order of all rows is then
equally likely (Rao, 1961; Sandelius, 1962). Parts are kept in a folder beside the new table that
only its owner can read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa

from tightrope.files import private_folder
from tightrope.samplers import SYSTEM, Source, uniform_order, uniform_parts


def shuffle_rows(
    batches: Iterator[pa.RecordBatch],
    schema: pa.Schema,
    rows: int,
    beside: Path,
    batch_rows: int,
    source: Source = SYSTEM,
) -> Iterator[pa.RecordBatch]:
    """The rows of batches in a uniform order; parts hold about `batch_rows` of so many."""
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
