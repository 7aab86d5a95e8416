"""Batches as lines of delimited text, without a Python object per cell.

A cell is quoted only if it must be: if it holds a quote or the delimiter, or if it is empty text.
A line is a row, so that every line break in a cell becomes a blank.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

_NEVER_QUOTED = (
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_boolean,
    pa.types.is_decimal,
    pa.types.is_date,
)


def header_line(names: Sequence[str], delimiter: str) -> bytes:
    """The line of column names.

    >>> header_line(["id", "weight, kg"], ",")
    b'id,"weight, kg"\\n'
    """
    columns = [pa.array([name]) for name in names]
    return text_of(pa.record_batch(columns, names=list(names)), delimiter)


def text_of(batch: pa.RecordBatch, delimiter: str) -> bytes:
    r"""All rows of a batch as text, each row ended by a line feed.

    >>> text_of(pa.record_batch({"a": [1, None], "b": ["x", 'a "y" b']}), ",")
    b'1,x\n,"a ""y"" b"\n'
    """
    cells = [_cells(column, delimiter) for column in batch.columns]
    nothing = pa.scalar("", pa.large_string())
    rows = pc.binary_join_element_wise(*cells, _large(delimiter)) if len(cells) > 1 else cells[0]
    rows = pc.binary_join_element_wise(rows, nothing, _large("\n"))
    _, offsets, text = rows.buffers()
    if text is None or len(rows) == 0:
        return b""
    ends = memoryview(offsets).cast("q")
    return bytes(memoryview(text)[ends[rows.offset] : ends[rows.offset + len(rows)]])


def _cells(column: pa.Array, delimiter: str) -> pa.Array:
    """One column as text; missing values become nothing."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.dictionary_decode()
        kind = column.type
    if any(holds(kind) for holds in _NEVER_QUOTED):
        text = column.cast(pa.string()).cast(pa.large_string())
    else:
        text = _quote_cells(column.cast(pa.large_string()), delimiter)
    return text.fill_null("") if text.null_count else text


def _quote_cells(text: pa.Array, delimiter: str) -> pa.Array:
    """Text cells, quoted where they must be."""
    empty = pc.equal(text, "")
    if _needs_no_quotes(text, delimiter) and not pc.any(empty).as_py():
        return text
    text = pc.replace_substring_regex(text, "\r\n|\r|\n", " ")
    special = pc.match_substring_regex(text, f'["{delimiter}]')
    inside = pc.replace_substring(text, '"', '""')
    quote, nothing = _large('"'), _large("")
    wrapped = pc.binary_join_element_wise(quote, inside, quote, nothing)
    return pc.if_else(pc.or_(special, empty), wrapped, text)


def _needs_no_quotes(text: pa.Array, delimiter: str) -> bool:
    """Whether no byte of the text asks for quotes; looks at the memory as a whole."""
    data = text.buffers()[2]
    if data is None:
        return True
    ends = memoryview(text.buffers()[1]).cast("q")
    content = bytes(memoryview(data)[ends[text.offset] : ends[text.offset + len(text)]])
    return not any(mark.encode() in content for mark in ('"', "\r", "\n", delimiter))


def _large(text: str) -> pa.Scalar:
    return pa.scalar(text, pa.large_string())
