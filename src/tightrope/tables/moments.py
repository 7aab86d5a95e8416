"""Columns of dates and times in memory: the day or second of each cell.

Arrays of Arrow are read by their whole numbers, since Python has no date before the year 1 or
after 9999. All other cells go through the function that declares their reading.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from tightrope.declarations import DAY, FIRST, LAST, Clock, TimeColumn
from tightrope.exact import FloatArray
from tightrope.tables.cells import each, filled

_PER_SECOND = {"s": 1, "ms": 1000, "us": 10**6, "ns": 10**9}


def moments_of(cells: Any, column: TimeColumn) -> FloatArray:
    """The days or seconds of cells, NaN or what stands for missing where one is no moment."""
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
