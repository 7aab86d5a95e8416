"""A tally as one query of a database: only cells come back, rows are never fetched.

What is counted is written once, for every engine. An engine says how a cell is read, how it is
written to tell people apart and how a text is hashed; filters, cells, cuts and sums follow from
that. Which rows of a person count is decided by a window over that person's rows, in the order of
their hashes, unless the engine has something quicker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tightrope.data.sources.batches import HALF
from tightrope.declarations import All, AnyOf, Filter, Not, Reading, Tallied, Tally

if TYPE_CHECKING:
    from sqlalchemy import FromClause, Select


class Engine(Protocol):
    """What databases say differently, in expressions of SQLAlchemy."""

    def read(
        self, rows: FromClause, held: Any, place: int, reading: Reading
    ) -> tuple[Any, FromClause]:
        """The reading of a cell, NULL for None, and the rows with what it takes to find it."""

    def text(self, held: Any) -> Any:
        """`as_text`, in an order that no setting changes; NULL for None."""

    def hashed(self, tally: Tally, text: Any) -> Any:
        """`tally.hashed`, in an order of its digits that no setting changes."""


First = Callable[[Tally, Engine, Any], Any]


def first_rows(tally: Tally, engine: Engine, rows: Any) -> Any:
    """Of each person's rows the first so many, in the order of their hashes."""
    from sqlalchemy import func, select

    numbered = select(rows, func.row_number().over(
        partition_by=rows.c.person, order_by=engine.hashed(tally, rows.c.row_text)).label("number"),
    ).subquery("numbered")
    return select(numbered).where(numbered.c.number <= tally.declaration.unit.rows).subquery("cut")


def tally_query(
    tally: Tally, engine: Engine, table: str, names: Iterable[str], schema: str | None = None,
    first: First = first_rows,
) -> Select[Any]:
    """Cells, their counts and, for a measure, both halves of their sums."""
    from sqlalchemy import column, func, literal_column, select
    from sqlalchemy import table as table_clause
    from sqlalchemy.sql import quoted_name

    quoted = {name: quoted_name(name, True) for name in names}
    held = table_clause(quoted_name(table, True), *(column(name) for name in quoted.values()),
                        schema=None if schema is None else quoted_name(schema, True))
    rows = _counting(tally, engine, held)
    if tally.declaration.unit.person is not None:
        rows = _cut(tally, engine, rows, first)
    wanted = [rows.c.cell, func.count()]
    if tally.measure is not None:
        wanted += [func.sum(rows.c.measured.op("%")(literal_column(str(2**HALF)))),
                   func.sum(rows.c.measured.op(">>")(literal_column(str(HALF))))]
    return select(*wanted).group_by(rows.c.cell)


def tallied(tally: Tally, rows: Iterable[Any]) -> Tallied:
    """The statistic that the rows of a `tally_query` hold."""
    counts, sums = [0] * tally.size, [0] * tally.size
    for row in rows:
        counts[int(row[0])] = int(row[1])
        if tally.measure is not None:
            sums[int(row[0])] = int(row[2]) + (int(row[3]) << HALF)
    return Tallied(tuple(counts), None if tally.measure is None else tuple(sums))


def _counting(tally: Tally, engine: Engine, table: Any) -> Any:
    """The rows that the filter and the rules of their columns let count, as cells and readings."""
    from sqlalchemy import literal, select

    person, rows = tally.declaration.unit.person, table
    wanted = []
    for place, reading in enumerate(tally.readings):
        value, rows = engine.read(rows, table.c[reading.name], place, reading)
        wanted.append(value.label(f"reading_{place}"))
    if person is not None:
        wanted.append(engine.text(table.c[person]).label("person"))
    read = select(*(wanted or [literal(1).label("one")])).select_from(rows).subquery("read")
    readings = {reading: read.c[f"reading_{place}"] for place, reading in enumerate(tally.readings)}
    kept = [_cell(tally, readings).label("cell")]
    if tally.measured is not None:
        kept.append(readings[tally.measured].label("measured"))
    conditions = [_holds(tally.where, readings)]
    conditions += [readings[reading].is_not(None) for reading in tally.required]
    if person is not None:
        kept += [read.c.person, _row_text(readings).label("row_text")]
        conditions.append(read.c.person.is_not(None))
    return select(*kept).select_from(read).where(*conditions).subquery("counting")


def _cut(tally: Tally, engine: Engine, rows: Any, first: First) -> Any:
    """Of each person's rows, those that count."""
    from sqlalchemy import String, cast, func, literal, select

    if tally.cuts_cells:
        name = engine.hashed(tally, literal("cell ") + cast(rows.c.cell, String))
        ranked = select(rows, func.dense_rank().over(
            partition_by=rows.c.person, order_by=(name, rows.c.cell)).label("rank"),
        ).subquery("ranked")
        few = tally.declaration.unit.cells
        rows = select(ranked).where(ranked.c.rank <= few).subquery("inside")
    if tally.people:
        return select(rows.c.person, rows.c.cell).distinct().subquery("people")
    return first(tally, engine, rows)


def _row_text(readings: Mapping[Reading, Any]) -> Any:
    """What `Tally.row_hash` hashes."""
    from sqlalchemy import String, cast, func, literal

    whole: Any = literal("")
    for place, value in enumerate(readings.values()):
        written = func.coalesce(cast(value, String), literal("-"))
        whole = written if place == 0 else whole + literal(",") + written
    return whole


def _cell(tally: Tally, readings: Mapping[Reading, Any]) -> Any:
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


def _holds(of: Filter, readings: Mapping[Reading, Any]) -> Any:
    """The filter in SQL, whose logic has the same three values."""
    from sqlalchemy import and_, false, not_, or_, true

    match of:
        case Not():
            return not_(_holds(of.inner, readings))
        case All():
            return and_(true(), *(_holds(part, readings) for part in of.parts))
        case AnyOf():
            return or_(false(), *(_holds(part, readings) for part in of.parts))
        case _:
            return readings[of] == 1
