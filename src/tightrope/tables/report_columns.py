"""Reports of sets as cells of a table: one hexadecimal digit for four values.

A set of k values is written as ceil(k/8) bytes of two digits each; the value with index v is
bit v mod 8 of byte v // 8. A cell of a thousand values is then 250 characters long, whatever
the values are called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tightrope.errors import BadTable
from tightrope.files import StrPath
from tightrope.mechanisms import ReportMechanism, SubsetMechanism
from tightrope.tables.tables import BATCH_ROWS, Table, is_text, table_of

_DIGITS = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
_NO_DIGIT = 255
_VALUES = np.full(256, _NO_DIGIT, dtype=np.uint8)
_VALUES[_DIGITS] = np.arange(16)
_AT_A_TIME = 1 << 13


def report_cells(packed: NDArray[Any]) -> pa.Array:
    """Packed reports as text.

    >>> report_cells(np.array([[5, 0], [255, 1]], dtype=np.uint8)).to_pylist()
    ['0500', 'ff01']
    """
    rows, width = len(packed), 2 * packed.shape[1]
    text = np.empty((rows, packed.shape[1], 2), dtype=np.uint8)
    text[:, :, 0] = _DIGITS[packed >> 4]
    text[:, :, 1] = _DIGITS[packed & 15]
    ends = np.arange(rows + 1, dtype=np.int64) * width
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(text.tobytes())]
    return pa.Array.from_buffers(pa.large_string(), rows, buffers)


def count_reports(
    table: StrPath | Table,
    column: str,
    mechanism: ReportMechanism,
    *,
    batch_rows: int = BATCH_ROWS,
    curator: bool = False,
) -> tuple[NDArray[np.int64], int]:
    """How many reports hold each value, and how many reports there are.

    Raises `BadTable` if a cell is no report of this mechanism, or if there is no such column;
    which there are, a text file tells only a `curator`.
    """
    opened = table_of(table, curator=curator)
    check_reports(opened, column)
    counts, rows = np.zeros(mechanism.space.size, dtype=np.int64), 0
    for batch in opened.batches([column], batch_rows=batch_rows):
        cells = batch.column(0)
        for start in range(0, len(cells), _AT_A_TIME):
            bits = report_bits(cells.slice(start, _AT_A_TIME), mechanism, column)
            counts += np.count_nonzero(bits, axis=0)
        rows += len(cells)
    if not rows:
        raise BadTable(f"{opened.path} has no rows.")
    return counts, rows


def check_reports(table: Table, column: str) -> None:
    """Refuse a column that cannot hold reports, or that there is not."""
    kind = table.schema.field(table.position(column)).type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not is_text(kind):
        raise BadTable(f"column {column!r} holds {kind}; expected reports of sets.", column=column)


def report_bits(cells: pa.Array, mechanism: ReportMechanism, column: str) -> NDArray[np.uint8]:
    """A bit for each cell and value: whether the report holds it. All cells are checked."""
    k = mechanism.space.size
    cells = cells.cast(pa.large_string())
    width = (k + 7) // 8
    if cells.null_count or not pc.all(pc.equal(pc.binary_length(cells), 2 * width)).as_py():
        raise _no_report(column, k)
    ends = np.frombuffer(cells.buffers()[1], dtype=np.int64)[cells.offset :]
    text = np.frombuffer(cells.buffers()[2], dtype=np.uint8)[ends[0] : ends[len(cells)]]
    digits = _VALUES[text].reshape(len(cells), width, 2)
    if (digits == _NO_DIGIT).any():
        raise _no_report(column, k)
    packed = (digits[:, :, 0] << 4 | digits[:, :, 1]).astype(np.uint8)
    bits = np.unpackbits(packed, axis=1, bitorder="little")
    members = np.count_nonzero(bits, axis=1)
    if bits[:, k:].any():
        raise _no_report(column, k)
    if isinstance(mechanism, SubsetMechanism) and (members != mechanism.size).any():
        raise _no_report(column, k)
    return np.asarray(bits[:, :k])


def _no_report(column: str, values: int) -> BadTable:
    return BadTable(
        f"column {column!r} holds a cell that is no report of this mechanism, a set of its "
        f"{values} values in hexadecimal digits; it went through another mechanism or none.",
        column=column,
    )
