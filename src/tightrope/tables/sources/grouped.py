"""Rows that are units, added up by DuckDB at the price of the plain aggregate.

Rows are first grouped by the raw cells of category keys and by the readings of all other columns;
measures are added up within these groups. Categories are then read once a group, with the
expressions of `typed`. Numbers are clamped, shifted and rounded by the fewest operations that give
the codes of `NumberColumn.round_code`, bit for bit; adding 1.5 · 2^52 and taking it off again
rounds a double below 2^51 to a whole number, halves to even ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tightrope.declarations import (
    Bin,
    CategoryColumn,
    Code,
    NumberColumn,
    Reading,
    Tallied,
    Tally,
)
from tightrope.tables.sources.queries import cell_of, holds
from tightrope.tables.sources.typed import FLOATS, Kind, TypedEngine, double

if TYPE_CHECKING:
    from sqlalchemy import Select

ROUNDING = 1.5 * 2**52
_EXACT_STEPS = 2**20  # codes up to here add up exactly in doubles, of fewer than 2^33 rows
_EXACT_WHOLES = 2**53


def is_groupable(tally: Tally) -> bool:
    """Whether rows are units, and measures are plain numbers."""
    return tally.declaration.unit.person is None and all(
        type(measured.column) is NumberColumn for measured in tally.measured)


def grouped_query(tally: Tally, engine: TypedEngine, table: Any) -> Select[Any]:
    """The answer of `tallies_query` for one tally of rows that are units."""
    from sqlalchemy import BigInteger, case, cast, func, literal_column, null, select

    groups, later = _grouped(tally, engine, table)
    rows, readings = groups, {reading: groups.c[f"reading_{place}"]
                              for place, reading in enumerate(_grouped_readings(tally))}
    for place, reading in enumerate(later, len(readings)):
        readings[reading], rows = engine.read(rows, groups.c[reading.name], place, reading)
    # a filter would be moved below the groups, and evaluated once a row: a cell is NULL instead
    cell = case((holds(tally.where, readings), cell_of(tally, readings)), else_=null())
    counted = [cell.label("cell"), groups.c.count, *(
        groups.c[f"sum_{place}"] for place in range(len(tally.measures)))]
    counted += [case((holds(condition, readings), groups.c.count), else_=0).label(f"met_{place}")
                for place, condition in enumerate(tally.conditions)]
    cells = select(*counted).select_from(rows).subquery("cells")
    wanted: list[Any] = [literal_column("0").label("tally"), cells.c.cell,
                         cast(func.sum(cells.c.count), BigInteger).label("count")]
    for place in range(len(tally.measures)):
        wanted += [func.coalesce(func.sum(cells.c[f"sum_{place}"]), 0), literal_column("0")]
    wanted += [cast(func.sum(cells.c[f"met_{place}"]), BigInteger).label(f"met_{place}")
               for place in range(len(tally.conditions))]
    return select(*wanted).group_by(cells.c.cell)


def counts_of(tally: Tally, columns: Mapping[str, Any]) -> Tallied:
    """The statistic that the columns of a `grouped_query` without measures hold."""
    known = ~np.ma.getmaskarray(columns["cell"])
    cells = np.asarray(columns["cell"])[known]
    order = np.argsort(cells)
    numbers = [np.asarray(columns[name])[known][order]
               for name in ("count", *(f"met_{place}" for place in range(len(tally.conditions))))]
    if not tally.fine:
        spread = np.zeros((len(numbers), tally.size), dtype=np.int64)
        spread[:, cells[order]] = numbers
        numbers = list(spread)
    counts, *met = (tuple(column.tolist()) for column in numbers)
    return Tallied(counts, (), tuple(met), tuple(cells[order].tolist()) if tally.fine else None)


def _raw_keys(tally: Tally) -> list[str]:
    """The columns whose cells rows are grouped by as they are."""
    return [reading.name for reading in tally.key_readings
            if isinstance(reading.column, CategoryColumn)]


def _grouped_readings(tally: Tally) -> list[Reading]:
    """The readings that rows are grouped by: of other keys, and of conditions."""
    asked = [reading for reading in tally.readings if not isinstance(reading, Code | Bin)]
    return [reading for reading in dict.fromkeys((*tally.key_readings, *asked))
            if reading.name not in _raw_keys(tally)]


def _grouped(tally: Tally, engine: TypedEngine, table: Any) -> tuple[Any, list[Reading]]:
    """Groups with their counts and sums, and the readings that follow from their raw cells."""
    from sqlalchemy import func, select

    raw, rows, keys = _raw_keys(tally), table, []
    for place, reading in enumerate(_grouped_readings(tally)):
        value = _short_reading(engine, table.c[reading.name], reading, tally)
        if value is None:
            value, rows = engine.read(rows, table.c[reading.name], place, reading)
        keys.append(value.label(f"reading_{place}"))
    sums = []
    for place, measured in enumerate(tally.measured):
        cell = table.c[measured.name]
        value = _short_reading(engine, cell, measured, tally, summed=True)
        if value is None:
            value, rows = engine.read(rows, cell, place, measured)
        sums.append(func.sum(value).label(f"sum_{place}"))
    present = [_is_present(engine, table.c[reading.name], reading.column)
               for reading in tally.required if type(reading.column) is NumberColumn]
    groups = [*(_raw_cell(engine, table.c[name]) for name in raw), *keys]
    grouped = select(*groups, func.count().label("count"), *sums).select_from(rows).where(
        *present).group_by(*groups).subquery("grouped")
    return grouped, [reading for reading in tally.readings if reading.name in raw]


def _raw_cell(engine: TypedEngine, cell: Any) -> Any:
    """A cell that rows are grouped by, apart from every other text whatever the collation."""
    return engine.text(cell).label(cell.name) if engine.kinds[cell.name] is Kind.TEXT else cell


def _is_present(engine: TypedEngine, cell: Any, column: NumberColumn) -> Any:
    """Whether a cell is a number, or another stands for it."""
    from sqlalchemy import func, not_, true

    if column.is_total:
        return true()
    return not_(func.isnan(cell)) if engine.kinds[cell.name] in FLOATS else cell.is_not(None)


def _short_reading(
    engine: TypedEngine, cell: Any, reading: Reading, tally: Tally, *, summed: bool = False
) -> Any:
    """A reading by the fewest operations, of a cell that is sure to be a number; or None."""
    kind, column = engine.kinds[cell.name], reading.column
    if type(column) is not NumberColumn or column.is_total or kind not in (
        Kind.WHOLE, Kind.DOUBLE
    ) or reading not in tally.required:
        return None
    if isinstance(reading, Bin):
        return _bin(engine, engine.double(cell, kind) if kind is Kind.WHOLE else cell, column)
    return _code(cell, kind, column, summed) if is_shiftable(column) else None


def is_shiftable(column: NumberColumn) -> bool:
    """Whether a number within the bounds is never rounded beyond the codes."""
    low, high, step = column.doubles
    return 0 <= round((high - low) / step) <= column.steps


def _code(cell: Any, kind: Kind | None, column: NumberColumn, summed: bool) -> Any:
    """The code of a number; where it is `summed`, a double if doubles hold the sums."""
    from sqlalchemy import BigInteger, Double, cast, literal_column

    low, high, step = column.doubles
    if kind is Kind.WHOLE and step == 1 and low.is_integer() and high.is_integer() and max(
        -low, high
    ) < _EXACT_WHOLES:
        least: Any = literal_column(str(int(low)))
        inside = _clamp(cast(cell, BigInteger), least, literal_column(str(int(high))))
        return inside - least
    number = _clamp(cell if kind is Kind.DOUBLE else cast(cell, Double), double(low), double(high))
    number = number - double(low) if low else number
    number = number.op("/", precedence=10)(double(step)) if step != 1 else number
    rounded = (number + double(ROUNDING)) - double(ROUNDING)
    return rounded if summed and column.steps <= _EXACT_STEPS else cast(rounded, BigInteger)


def _clamp(number: Any, low: Any, high: Any) -> Any:
    from sqlalchemy import case

    return case((number.between(low, high), number), (number < low, low), else_=high)


def _bin(engine: TypedEngine, number: Any, column: NumberColumn) -> Any:
    """The bin of a number, whose edges outside the bounds decide nothing."""
    low, high, _ = column.doubles
    below = sum(edge <= low for edge in column.edges)
    inside = [edge for edge in column.edges if low < edge <= high]
    return engine.bin(number, inside) + below if below else engine.bin(number, inside)
