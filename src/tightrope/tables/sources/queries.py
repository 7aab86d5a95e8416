"""Tallies as one query of a database: only cells come back, rows are never fetched.

What is counted is written once, for every engine. An engine says how a cell is read, how it is
written to tell people apart and how a text is hashed; filters, cells, cuts and sums follow from
that. Which rows of a person count is decided by a window over that person's rows, in the order of
their hashes. One query is one snapshot of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, assert_never

from tightrope.declarations import (
    All,
    AnyOf,
    CutKey,
    Filter,
    Naming,
    Not,
    Once,
    Reading,
    Tallied,
    Tally,
)
from tightrope.tables.sources.batches import naming_of, readings_of
from tightrope.tables.sources.sums import HALF

if TYPE_CHECKING:
    from sqlalchemy import FromClause, Select


class Engine(Protocol):
    """Expressions of SQLAlchemy in which databases differ."""

    def read(
        self, rows: FromClause, cell: Any, place: int, reading: Reading
    ) -> tuple[Any, FromClause]:
        """The reading of a cell, NULL for None, and the rows with what it takes to find it."""

    def name(self, cell: Any, place: int, naming: Naming) -> Any:
        """`Naming.text`, in an order that no setting changes; NULL for None."""

    def digest(self, key: CutKey, text: Any) -> Any:
        """`key.digest`, as a value with the order of its bytes, whatever the settings."""


def tallies_query(
    tallies: Sequence[Tally], key: CutKey, engine: Engine, table: str, names: Iterable[str],
    schema: str | None = None,
) -> Any:
    """The tally's number, cells, counts, both halves of each measure's sums, conditions' counts.

    Several tallies share one reading of the table, which the database keeps while it counts.
    """
    from sqlalchemy import union_all

    table_rows = named_table(table, names, schema)
    wanted = _select_readings(tallies, engine, table_rows)
    if len(tallies) == 1:
        return _sums(tallies[0], key, engine, wanted.subquery("read"), readings_of(tallies))
    read = wanted.cte("read").prefix_with("MATERIALIZED")
    return union_all(*(_sums(tally, key, engine, read, readings_of(tallies), number,
                             width_of(tallies)) for number, tally in enumerate(tallies)))


def named_table(table: str, names: Iterable[str], schema: str | None = None) -> Any:
    """A table of a database by its name, with its columns."""
    from sqlalchemy import column
    from sqlalchemy import table as table_clause
    from sqlalchemy.sql import quoted_name

    return table_clause(quoted_name(table, True), *(column(quoted_name(name, True))
                                                    for name in names),
                        schema=None if schema is None else quoted_name(schema, True))


def width_of(tallies: Sequence[Tally]) -> int:
    """Columns of the answer behind the number of the tally: the cell and its numbers."""
    return max(2 + 2 * len(tally.measures) + len(tally.conditions) for tally in tallies)


def statistics_of(tallies: Sequence[Tally], rows: Iterable[Any]) -> tuple[Tallied, ...]:
    """The statistics that the rows of a `tallies_query` hold; rows without a cell do not count."""
    cells: list[dict[int, list[int]]] = [{} for _ in tallies]
    for number, cell, count, *others in (
            [int(value) for value in row] for row in rows if row[1] is not None):
        halves, met = 2 * len(tallies[number].measures), len(tallies[number].conditions)
        sums = [low + (high << HALF)
                for low, high in zip(others[:halves:2], others[1:halves:2], strict=True)]
        cells[number][cell] = [count, *sums, *others[halves : halves + met]]
    return tuple(Tallied.of(tally, numbers)
                 for tally, numbers in zip(tallies, cells, strict=True))


def _select_readings(tallies: Sequence[Tally], engine: Engine, table: Any) -> Any:
    """All that is read of each row, and the person whose it is."""
    from sqlalchemy import literal, select

    naming, rows = naming_of(tallies), table
    wanted = []
    for place, reading in enumerate(readings_of(tallies)):
        value, rows = engine.read(rows, table.c[reading.name], place, reading)
        wanted.append(value.label(f"reading_{place}"))
    if naming:
        parts = [engine.name(table.c[part.name], place, part) for place, part in enumerate(naming)]
        wanted.append(unit_text(parts).label("person"))
    return select(*(wanted or [literal(1).label("one")])).select_from(rows)


def _sums(
    tally: Tally, key: CutKey, engine: Engine, read: Any, readings: Sequence[Reading],
    number: int = 0, width: int = 0,
) -> Select[Any]:
    """The counts and sums of one tally, padded to a width."""
    from sqlalchemy import func, literal_column, select

    places = {reading: read.c[f"reading_{place}"] for place, reading in enumerate(readings)}
    rows = _counting(tally, read, places, f"counting_{number}")
    if tally.declaration.unit.person is not None:
        rows = _bound_contributions(tally, key, engine, rows)
    wanted = [literal_column(str(number)).label("tally"), rows.c.cell, func.count()]
    for place in range(len(tally.measures)):
        measured = rows.c[f"measured_{place}"]
        wanted += [func.sum(measured.op("%")(literal_column(str(2**HALF)))),
                   func.sum(measured.op(">>")(literal_column(str(HALF))))]
    wanted += [func.sum(rows.c[f"met_{place}"]) for place in range(len(tally.conditions))]
    wanted += [literal_column("0")] * (1 + width - len(wanted))
    return select(*wanted).group_by(rows.c.cell)


def _counting(tally: Tally, read: Any, places: Mapping[Reading, Any], name: str) -> Any:
    """The rows that the filter and the rules of their columns let count, as cells and readings."""
    from sqlalchemy import case, select

    readings = {reading: places[reading] for reading in tally.readings}
    kept = [cell_of(tally, readings).label("cell")]
    kept += [readings[measured].label(f"measured_{place}")
             for place, measured in enumerate(tally.measured)]
    kept += [case((holds(condition, readings), 1), else_=0).label(f"met_{place}")
             for place, condition in enumerate(tally.conditions)]
    conditions = [holds(tally.where, readings)]
    conditions += [readings[reading].is_not(None) for reading in tally.required]
    if tally.declaration.unit.person is not None:
        kept += [read.c.person, _readings_text(readings.values()).label("readings")]
        conditions.append(read.c.person.is_not(None))
    return select(*kept).select_from(read).where(*conditions).subquery(name)


def _bound_contributions(tally: Tally, key: CutKey, engine: Engine, rows: Any) -> Any:
    """Of each person's rows, those that count."""
    from sqlalchemy import String, cast, func, literal, select

    unit = tally.declaration.unit
    if tally.once is not None:
        return _once(tally, tally.once, rows)
    if tally.people:
        rows = select(rows.c.person, rows.c.cell).distinct().subquery("people")
    else:
        copies = select(rows, func.row_number().over(
            partition_by=(rows.c.person, rows.c.readings)).label("copy")).subquery("copies")
        text = join_texts([cast(copies.c.copy, String), copies.c.readings, copies.c.person])
        numbered = select(copies, func.row_number().over(
            partition_by=copies.c.person, order_by=engine.digest(key, text)).label("number"),
        ).subquery("numbered")
        rows = select(numbered).where(numbered.c.number <= unit.rows).subquery("rows")
    if not tally.cuts_cells:
        return rows
    spot = quotient(rows.c.cell, tally.values) if tally.values > 1 else rows.c.cell
    text = join_texts([literal("cell ") + cast(spot, String), rows.c.person])
    ranked = select(rows, func.dense_rank().over(
        partition_by=rows.c.person, order_by=engine.digest(key, text)).label("rank"),
    ).subquery("ranked")
    return select(ranked).where(ranked.c.rank <= unit.cells).subquery("cut")


def _once(tally: Tally, once: Once, rows: Any) -> Any:
    """The one cell of each person; NULL for nobody who counts."""
    from sqlalchemy import case, func, literal_column, select

    unit, cell = tally.declaration.unit, rows.c.cell
    match once:
        case Once.HIGHEST:
            cell = func.max(cell)
        case Once.LOWEST:
            cell = func.min(cell)
        case Once.CUT:
            cell = case((func.count() > unit.rows, literal_column("0")),
                        (func.count(cell.distinct()) > unit.cells, literal_column("1")))
        case _:
            assert_never(once)
    return select(cell.label("cell")).group_by(rows.c.person).subquery("once")


def _readings_text(readings: Iterable[Any]) -> Any:
    """All that is read of a row, as hashes cover it."""
    from sqlalchemy import String, cast, func, literal

    return join_texts([func.coalesce(cast(value, String), literal("-")) for value in readings])


def join_texts(texts: Sequence[Any], between: str = ",") -> Any:
    """Texts with a comma, or another character, between them."""
    from sqlalchemy import literal

    whole: Any = texts[0] if texts else literal("")
    for text in texts[1:]:
        whole = whole + literal(between) + text
    return whole


def unit_text(parts: Sequence[Any]) -> Any:
    """The name of a unit, its parts joined as in `namings`; NULL for nobody."""
    from sqlalchemy import String, func

    if len(parts) == 1:
        return parts[0]
    for mark in ("\\", ","):
        parts = [func.replace(part, mark, f"\\{mark}", type_=String()) for part in parts]
    return join_texts(parts)


def cell_of(tally: Tally, readings: Mapping[Reading, Any]) -> Any:
    """The cell of a row, from its readings."""
    from sqlalchemy import literal

    whole: Any = literal(0)
    for number, (key, length) in enumerate(zip(tally.key_readings, tally.shape, strict=True)):
        inside = readings[key]
        whole = whole * length + (quotient(inside, tally.fine) if tally.by_code(number) else inside)
    return whole


def quotient(code: Any, by: int) -> Any:
    """A whole number that is not negative over another, rounded down, whatever `/` means."""
    from sqlalchemy import BigInteger, cast

    whole = code - code.op("%", precedence=10)(by)
    return cast(whole.op("/", precedence=10)(by), BigInteger)


def holds(of: Filter, readings: Mapping[Reading, Any]) -> Any:
    """The filter in SQL, whose logic has the same three values."""
    from sqlalchemy import and_, false, not_, or_, true

    match of:
        case Not():
            return not_(holds(of.inner, readings))
        case All():
            return and_(true(), *(holds(part, readings) for part in of.parts))
        case AnyOf():
            return or_(false(), *(holds(part, readings) for part in of.parts))
        case _:
            return readings[of] == 1
