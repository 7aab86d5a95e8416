"""Columns of cells in memory, each cell judged by itself.

A column whose type is stored apart from its cells (an array of numbers, a typed Series) is an array
of Arrow. Of a list or a column of objects no type is inferred, since one cell would then change how
all others are read: its cells stay as they are.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tightrope.declarations import DAY, FIRST, LAST, Clock, TimeColumn, as_double, as_text
from tightrope.exact import FloatArray, IntArray

NONE = -1
"""The place of a cell that is missing."""

_HASHED = frozenset({str, int, float, bool, type(None)})  # equal cells of one type are the same
_UNREAD = object()
_PER_SECOND = {"s": 1, "ms": 1000, "us": 10**6, "ns": 10**9}
_CLEAR = (({str}, pa.large_string()), ({bool}, pa.bool_()), ({int}, pa.int64()),
          ({int, float}, pa.float64()))


def cells_of(column: Any) -> Any:
    """A column as an array of Arrow if its type is stored apart, else as a list of its cells."""
    if isinstance(column, pa.ChunkedArray):
        return column.combine_chunks()
    if isinstance(column, pa.Array):
        return column
    if is_typed(column):
        try:
            made = column.to_arrow() if hasattr(column, "to_arrow") else pa.array(
                column, from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError):
            return _cell_list(column)  # a text that is no Unicode: it means the same in a list
        return made.combine_chunks() if isinstance(made, pa.ChunkedArray) else made
    return _cell_list(column)


def _cell_list(column: Any) -> list[Any]:
    """The cells of a column; one that Python cannot hold is missing."""
    try:
        return list(column)
    except Exception:  # a time of pandas beyond all years, say: no cell is refused
        return [_cell(column, place) for place in range(len(column))]


def _cell(column: Any, place: int) -> Any:
    try:
        return getattr(column, "iloc", column)[place]
    except Exception:
        return None


def is_typed(column: Any) -> bool:
    """Whether a column stores one type of numbers, texts or truth values for all its cells."""
    dtype = getattr(column, "dtype", None)
    if type(column).__module__.startswith("polars"):
        return str(dtype) != "Object"
    if type(dtype).__name__ in ("StringDtype", "ArrowDtype"):
        return True
    stored = getattr(dtype, "numpy_dtype", dtype)
    return getattr(stored, "kind", "") in tuple("biufU") and not hasattr(dtype, "fill_value")


def each(cells: Any, function: Callable[[Any], float | None], absent: float) -> Any:
    """A total function of every cell, asked once for equal ones where that is sure to agree.

    A cell that warns when it is asked (a masked or a complex one) would tell of itself.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _each(cells, function, absent)


def _each(cells: Any, function: Callable[[Any], float | None], absent: float) -> Any:
    if isinstance(cells, list):
        return _each_listed(cells, function, absent)
    cells = shortest(cells)
    if pa.types.is_dictionary(cells.type):
        encoded = pa.DictionaryArray.from_arrays(
            cells.indices.cast(pa.int64()), shortest(cells.dictionary))
    else:
        try:
            encoded = pc.dictionary_encode(cells)
        except (pa.ArrowException, NotImplementedError):
            return _each_listed(_python_cells(cells), function, absent)
    distinct = [function(_plain(cell)) for cell in [*_python_cells(encoded.dictionary), None]]
    table = np.array([absent if value is None else value for value in distinct])
    return table[_places(encoded)]


def _each_listed(cells: list[Any], function: Callable[[Any], float | None], absent: float) -> Any:
    known: dict[Any, Any] = {}
    read = []
    for cell in cells:
        kind = type(cell)
        value = known.get((kind, cell), _UNREAD) if kind in _HASHED else _UNREAD
        if value is _UNREAD:
            value = function(_plain(cell))
            value = absent if value is None else value
            if kind in _HASHED:
                known[kind, cell] = value
        read.append(value)
    return np.array(read, dtype=np.float64 if isinstance(absent, float) else np.int64)


def doubles_of(
    cells: Any, number: Callable[[Any], float | None] = as_double, absent: float | None = None
) -> FloatArray:
    """The numbers of cells, NaN or what stands for missing where one is no number."""
    if not isinstance(cells, list):
        cells = shortest(cells)
        if pa.types.is_floating(cells.type) or pa.types.is_integer(cells.type):
            return _present(filled(cells.cast(pa.float64(), safe=False), np.nan), absent)
    return np.asarray(each(cells, number, np.nan), dtype=np.float64)


def doubles_of_texts(
    cells: pa.Array, number: Callable[[Any], float | None], absent: float | None
) -> FloatArray:
    """The numbers of texts without other marks than a point: plain decimals are read at once.

    Arrow reads a plain decimal as the nearest double, like `as_double`; other texts go there.
    """
    texts = _characters(cells)
    if not texts.translate(None, b"0123456789.-"):
        try:
            return _present(filled(cells.cast(pa.float64()), np.nan), absent)
        except pa.ArrowInvalid:
            pass  # such as 1-2 or 1.2.3
    plain = pc.fill_null(pc.match_substring_regex(cells, r"^-?[0-9]{1,99}([.][0-9]{1,99})?$"),
                         False)
    numbers = np.empty(len(cells))
    chosen = np.asarray(plain)
    numbers[chosen] = filled(cells.filter(plain).cast(pa.float64()), np.nan)
    numbers[~chosen] = each(cells.filter(pc.invert(plain)), number, np.nan)
    return _present(numbers, absent)


def _present(numbers: FloatArray, absent: float | None) -> FloatArray:
    """Numbers with what stands for missing ones."""
    return numbers if absent is None else np.where(np.isnan(numbers), absent, numbers)


def _characters(cells: pa.Array) -> bytes:
    """The bytes of all texts of an array, one after the other."""
    _, places, memory = cells.buffers()
    if memory is None or not len(cells):
        return b""
    width = np.int64 if pa.types.is_large_string(cells.type) else np.int32
    ends = np.frombuffer(places, dtype=width)[[cells.offset, cells.offset + len(cells)]]
    return bytes(memoryview(memory)[ends[0] : ends[1]])


def filled(cells: pa.Array, absent: float) -> Any:
    """The numbers of an array of one width, with another where they are missing.

    They are read from the array's memory: to convert it, Arrow would import pandas.
    """
    known, memory = cells.buffers()
    begin, end = cells.offset, cells.offset + len(cells)
    numbers = np.frombuffer(memory or b"", dtype=cells.type.to_pandas_dtype())[begin:end]
    if known is None or not cells.null_count:
        return numbers
    bits = np.unpackbits(np.frombuffer(known, dtype=np.uint8), bitorder="little")[begin:end]
    return np.where(bits == 0, absent, numbers)


def arrow_of(
    column: Any, *, read: bool, text: Callable[[Any], str | None] = as_text
) -> pa.Array:
    """A column as an array of Arrow: cells of no stored type that are `read` become their texts.

    A column in clear keeps texts, numbers and truth values if all of its cells are of one kind.
    """
    cells = cells_of(column)
    if not isinstance(cells, list):
        return cells
    kinds = {type(cell) for cell in cells} - {type(None)}
    for known, kind in () if read else _CLEAR:
        if kinds <= known:
            try:
                return pa.array(cells, kind)
            except (pa.ArrowException, ValueError, OverflowError):
                break
    return pa.array([_unicode(text(cell)) for cell in cells], pa.large_string())


def shortest(cells: pa.Array) -> pa.Array:
    """Cells with the doubles that shorter floats mean by their shortest decimals."""
    if pa.types.is_float32(cells.type):
        return cells.cast(pa.string()).cast(pa.float64())
    if pa.types.is_float16(cells.type):
        numbers = cells.to_numpy(zero_copy_only=False)
        return pa.array([float(str(number)) for number in numbers], pa.float64(), from_pandas=True)
    return cells


def _unicode(text: str | None) -> str | None:
    """A text with marks of replacement for what is no Unicode."""
    return None if text is None else text.encode("utf-16", "surrogatepass").decode(
        "utf-16", "replace")


def _python_cells(cells: pa.Array) -> list[Any]:
    """Cells as Python holds them, at once where it can hold all of them."""
    try:
        return list(cells.to_pylist())
    except Exception:  # a date beyond all years, say
        return list(cells)


def _plain(cell: Any) -> Any:
    """A cell as Python holds it; one that Python cannot hold is missing."""
    try:
        return cell.as_py() if isinstance(cell, pa.Scalar) else cell
    except Exception:  # a date beyond all years, say: no cell is refused
        return None


def _places(encoded: pa.DictionaryArray) -> IntArray:
    """Places in a dictionary, -1 for what is missing."""
    return np.asarray(filled(encoded.indices.cast(pa.int64()), NONE), dtype=np.int64)


def moments_of(cells: Any, column: TimeColumn) -> FloatArray:
    """The days or seconds of cells, NaN or what stands for missing where one is no moment.

    Arrays of Arrow are read by their whole numbers: Python has no date before the year 1 or after
    9999.
    """
    absent = column.number(None)
    if not isinstance(cells, list):
        if pa.types.is_dictionary(cells.type) and pa.types.is_temporal(cells.type.value_type):
            cells = cells.dictionary_decode()
        numbers = _stored_moments(cells, column.clock)
        if numbers is not None:
            empty = np.asarray(cells.is_null())
            return np.where(empty, np.nan if absent is None else absent, numbers)
    return np.asarray(each(cells, column.number, np.nan), dtype=np.float64)


def _stored_moments(cells: pa.Array, clock: Clock) -> Any:
    """The days or seconds of an array whose type is a date or time; None for other types."""
    of, kind = pa.types, cells.type
    if of.is_date(kind):
        days = _wholes(cells, pa.int32()) if of.is_date32(kind) else (
            _wholes(cells, pa.int64()) // (1000 * DAY))
        seconds = np.clip(days, FIRST // DAY, LAST // DAY) * DAY
    elif of.is_timestamp(kind):
        seconds = _wholes(cells, pa.int64()) // _PER_SECOND[kind.unit]
    elif of.is_time(kind) and clock is Clock.TIME:
        wide = pa.int32() if of.is_time32(kind) else pa.int64()
        return _wholes(cells, wide) // _PER_SECOND[kind.unit]
    else:
        return None
    return clock.of_seconds(np.clip(seconds, FIRST, LAST))


def _wholes(cells: pa.Array, kind: pa.DataType) -> Any:
    """The whole numbers by which moments are stored, 0 where there is none."""
    return filled(cells.cast(kind), 0).astype(np.int64)
