"""Rows that are units, added up by DuckDB at the price of the plain aggregate.

Rows are first grouped by the raw cells of category keys and by the readings of all other columns;
measures are added up within these groups. Categories are then read once a group, with the
expressions of `typed`. Tallies share groups while these are few; all are one query, with a
grouping set for each of the others. Numbers are clamped, shifted and rounded by the fewest
operations that give the codes of `NumberColumn.round_code`, bit for bit; adding 1.5 · 2^52 and
taking it off again rounds a double below 2^51 to a whole number, halves to even ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
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
from tightrope.tables.sources.queries import cell_of, holds, width_of
from tightrope.tables.sources.typed import FLOATS, Kind, TypedEngine, double

if TYPE_CHECKING:
    from sqlalchemy import Select

ROUNDING = 1.5 * 2**52
_EXACT_STEPS = 2**20  # codes up to here add up exactly in doubles, of fewer than 2^33 rows
_EXACT_WHOLES = 2**53


MOST_SHARED = 2**12
"""Groups that several tallies share: a hash table of so many stays in the processor's cache."""

_MOST_COLUMNS = 60  # DuckDB tells at most 64 apart in one `GROUPING`


@dataclass(frozen=True)
class _Raw:
    """The cells of a category column, as they are."""

    name: str
    size: int


@dataclass(frozen=True)
class _Presence:
    """Whether a cell is a number."""

    name: str
    column: NumberColumn
    size: int = 2


_Group = _Raw | _Presence | Reading


@dataclass(frozen=True)
class _Grouping:
    """By what the rows of several tallies are grouped, in which sets."""

    tallies: tuple[Tally, ...]

    @cached_property
    def raw(self) -> dict[str, _Raw]:
        """The columns whose cells rows are grouped by as they are."""
        return {key.name: _Raw(key.name, key.size + 1) for tally in self.tallies
                for key in tally.key_readings if isinstance(key.column, CategoryColumn)}

    @cached_property
    def everywhere(self) -> frozenset[_Presence]:
        """The numbers without which no row counts."""
        return frozenset.intersection(*map(_numbers, self.tallies))

    @cached_property
    def columns(self) -> tuple[_Group, ...]:
        """All by which rows are grouped."""
        return tuple(dict.fromkeys(group for tally in self.tallies for group in self.of(tally)))

    @cached_property
    def measured(self) -> tuple[Code, ...]:
        """All that is added up."""
        return tuple(dict.fromkeys(code for tally in self.tallies for code in tally.measured))

    @cached_property
    def sets(self) -> list[set[_Group]]:
        """The grouping sets; small ones are joined while they are few groups."""
        sets: list[set[_Group]] = []
        for own in sorted(map(self.of, self.tallies), key=lambda own: _size(own)):
            for shared in sets:
                if _size(shared | own) <= MOST_SHARED or own <= shared:
                    shared |= own
                    break
            else:
                sets.append(set(own))
        return sets

    def of(self, tally: Tally) -> frozenset[_Group]:
        """By what the rows of one tally are grouped."""
        keys, measured = {*tally.key_readings}, {code.name for code in tally.measured}
        wanted: list[_Group] = [
            self.raw.get(reading.name, reading) for reading in tally.readings
            if reading.name in self.raw or reading in keys or not isinstance(reading, Code)]
        wanted += [number for number in _numbers(tally) - self.everywhere
                   if number.name in measured]
        return frozenset(wanted)

    def mask(self, tally: Tally) -> int:
        """The value of `GROUPING` for the set in which a tally is."""
        own = self.of(tally)
        shared = next(groups for groups in self.sets if own <= groups)
        return int("0" + "".join("01"[group not in shared] for group in self.columns), 2)

    @property
    def derived(self) -> tuple[Reading, ...]:
        """The readings that follow from raw cells."""
        return tuple(dict.fromkeys(reading for tally in self.tallies for reading in tally.readings
                                   if reading.name in self.raw))


def _numbers(tally: Tally) -> frozenset[_Presence]:
    """The numbers without which a row does not count."""
    return frozenset(_Presence(reading.name, reading.column) for reading in tally.required
                     if type(reading.column) is NumberColumn and not reading.column.is_total)


def _size(groups: Collection[_Group]) -> int:
    """The most groups there are, if every category is a declared one."""
    return prod(group.size + 1 if isinstance(group, _Raw | Code | Bin) else 3 for group in groups)


def is_groupable(tallies: Sequence[Tally]) -> bool:
    """Whether rows are units, and measures are plain numbers."""
    return all(
        tally.declaration.unit.person is None
        and all(type(measured.column) is NumberColumn for measured in tally.measured)
        for tally in tallies) and len(_Grouping(tuple(tallies)).columns) <= _MOST_COLUMNS


def grouped_query(tallies: Sequence[Tally], engine: TypedEngine, table: Any) -> Any:
    """The answer of `tallies_query` for tallies of rows that are units."""
    from sqlalchemy import union_all

    grouping = _Grouping(tuple(tallies))
    read = _read_groups(grouping, engine, table)
    if len(tallies) == 1:
        return _sums(grouping, 0, read.subquery("read"))
    shared = read.cte("read").prefix_with("MATERIALIZED")
    return union_all(*(_sums(grouping, number, shared) for number in range(len(tallies))))


def _sums(grouping: _Grouping, number: int, read: Any) -> Select[Any]:
    """The counts and sums of one tally, padded to the width of all."""
    from sqlalchemy import BigInteger, and_, case, cast, func, literal_column, null, select

    tally = grouping.tallies[number]
    places: dict[Any, Any] = {
        **{group: read.c[f"group_{place}"] for place, group in enumerate(grouping.columns)},
        **{reading: read.c[f"derived_{place}"] for place, reading in enumerate(grouping.derived)}}
    readings = {reading: places[reading] for reading in tally.readings if reading in places}
    present = [places[group] for group in sorted(
        grouping.of(tally), key=grouping.columns.index) if isinstance(group, _Presence)]
    # a filter would be moved below the groups, and evaluated once a row: a cell is NULL instead
    cell = case((and_(holds(tally.where, readings), *present), cell_of(tally, readings)),
                else_=null())
    sums = [read.c[f"sum_{grouping.measured.index(code)}"] for code in tally.measured]
    counted = [cell.label("cell"), read.c["count"].label("count")]
    counted += [column.label(f"sum_{place}") for place, column in enumerate(sums)]
    counted += [case((holds(condition, readings), read.c["count"]), else_=0).label(f"met_{place}")
                for place, condition in enumerate(tally.conditions)]
    rows = select(*counted).select_from(read)
    if len(grouping.sets) > 1:
        rows = rows.where(read.c.place == grouping.mask(tally))
    cells = rows.subquery(f"cells_{number}")
    wanted: list[Any] = [literal_column(str(number)).label("tally"), cells.c.cell,
                         cast(func.sum(cells.c["count"]), BigInteger).label("count")]
    for place in range(len(sums)):
        wanted += [func.coalesce(func.sum(cells.c[f"sum_{place}"]), 0), literal_column("0")]
    wanted += [cast(func.sum(cells.c[f"met_{place}"]), BigInteger).label(f"met_{place}")
               for place in range(len(tally.conditions))]
    wanted += [literal_column("0")] * (1 + width_of(grouping.tallies) - len(wanted))
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


def _read_groups(grouping: _Grouping, engine: TypedEngine, table: Any) -> Select[Any]:
    """Groups with their counts and sums, and the readings that follow from their raw cells."""
    from sqlalchemy import func, select, tuple_

    rows = _select_groups(grouping, engine, table)
    groups = [rows.c[f"group_{place}"] for place in range(len(grouping.columns))]
    sums = [_sum(code, rows.c[f"measured_{place}"]).label(f"sum_{place}")
            for place, code in enumerate(grouping.measured)]
    wanted = [*groups, func.count().label("count"), *sums]
    query = select(*wanted).select_from(rows).group_by(*groups)
    if len(grouping.sets) > 1:
        query = select(*wanted, func.grouping(*groups).label("place")).select_from(rows).group_by(
            func.grouping_sets(*(tuple_(*(
                column for column, group in zip(groups, grouping.columns, strict=True)
                if group in shared)) for shared in grouping.sets)))
    grouped = query.subquery("grouped")
    raw = {group.name: place for place, group in enumerate(grouping.columns)
           if isinstance(group, _Raw)}
    later = type(engine)({f"group_{place}": engine.kinds[name] for name, place in raw.items()})
    read: Any = grouped
    derived = []
    for place, reading in enumerate(grouping.derived):
        value, read = later.read(read, grouped.c[f"group_{raw[reading.name]}"], place, reading)
        derived.append(value.label(f"derived_{place}"))
    return select(*grouped.c, *derived).select_from(read)


def _sum(code: Code, codes: Any) -> Any:
    """A sum in whole numbers, so that no other one beside it is made a double."""
    from sqlalchemy import BigInteger, cast, func

    total = func.sum(codes)
    return cast(total, BigInteger) if code.column.steps <= _EXACT_STEPS else total


def _select_groups(grouping: _Grouping, engine: TypedEngine, table: Any) -> Any:
    """Of each row, by what it is grouped and what is added up."""
    from sqlalchemy import case, literal, null, select

    rows, wanted = table, []
    everywhere = sorted(number.name for number in grouping.everywhere)
    for place, group in enumerate(grouping.columns):
        cell = table.c[group.name]
        match group:
            case _Raw():
                value = _raw_cell(engine, cell)
            case _Presence():
                value = _is_present(engine, cell)
            case _:
                value = _short_reading(engine, cell, group)
                if value is None:
                    value, rows = engine.read(rows, cell, place, group)
                elif group.name not in everywhere:
                    value = case((_is_present(engine, cell), value), else_=null())
        wanted.append(value.label(f"group_{place}"))
    for place, code in enumerate(grouping.measured):
        cell = table.c[code.name]
        value = _short_reading(engine, cell, code, summed=True)
        if value is None:
            value, rows = engine.read(rows, cell, place, code)
        wanted.append(value.label(f"measured_{place}"))
    present = [_is_present(engine, table.c[name]) for name in everywhere]
    return select(*(wanted or [literal(1).label("one")])).select_from(rows).where(
        *present).subquery("rows")


def _raw_cell(engine: TypedEngine, cell: Any) -> Any:
    """A cell that rows are grouped by, apart from every other text whatever the collation."""
    return engine.text(cell) if engine.kinds[cell.name] is Kind.TEXT else cell


def _is_present(engine: TypedEngine, cell: Any) -> Any:
    """Whether a cell is a number; unknown or false where it is not."""
    from sqlalchemy import func, not_

    return not_(func.isnan(cell)) if engine.kinds[cell.name] in FLOATS else cell.is_not(None)


def _short_reading(
    engine: TypedEngine, cell: Any, reading: Reading, *, summed: bool = False
) -> Any:
    """A reading by the fewest operations, of a cell that is sure to be a number; or None."""
    kind, column = engine.kinds[cell.name], reading.column
    if type(column) is not NumberColumn or column.is_total or kind not in (
        Kind.WHOLE, Kind.DOUBLE
    ) or not isinstance(reading, Code | Bin):
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
