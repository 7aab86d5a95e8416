"""A tally as one query of a database: only cells come back, rows are never fetched.

What is counted is written once, for every engine. An engine says how a cell is read, how it is
written to tell people apart and how a text is hashed; filters, cells, cuts and sums follow from
that. Which rows of a person count is decided by a window over that person's rows, in the order of
their hashes. One query is one snapshot of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tightrope.declarations import All, AnyOf, CutKey, Filter, Not, Reading, Tallied, Tally
from tightrope.tables.sources.batches import HALF

if TYPE_CHECKING:
    from sqlalchemy import FromClause, Select


class Engine(Protocol):
    """Expressions of SQLAlchemy in which databases differ."""

    def read(
        self, rows: FromClause, cell: Any, place: int, reading: Reading
    ) -> tuple[Any, FromClause]:
        """The reading of a cell, NULL for None, and the rows with what it takes to find it."""

    def text(self, cell: Any) -> Any:
        """`as_text`, in an order that no setting changes; NULL for None."""

    def digest(self, key: CutKey, text: Any) -> Any:
        """`key.digest`, as a value with the order of its bytes, whatever the settings."""


def tally_query(
    tally: Tally, key: CutKey, engine: Engine, table: str, names: Iterable[str],
    schema: str | None = None,
) -> Select[Any]:
    """Cells, their counts, both halves of the sums of each measure, and the conditions' counts."""
    from sqlalchemy import column, func, literal_column, select
    from sqlalchemy import table as table_clause
    from sqlalchemy.sql import quoted_name

    quoted = {name: quoted_name(name, True) for name in names}
    table_rows = table_clause(quoted_name(table, True), *(column(name) for name in quoted.values()),
                              schema=None if schema is None else quoted_name(schema, True))
    rows = _counting(tally, engine, table_rows)
    if tally.declaration.unit.person is not None:
        rows = _bound_contributions(tally, key, engine, rows)
    wanted = [rows.c.cell, func.count()]
    for place in range(len(tally.measures)):
        measured = rows.c[f"measured_{place}"]
        wanted += [func.sum(measured.op("%")(literal_column(str(2**HALF)))),
                   func.sum(measured.op(">>")(literal_column(str(HALF))))]
    wanted += [func.sum(rows.c[f"met_{place}"]) for place in range(len(tally.conditions))]
    return select(*wanted).group_by(rows.c.cell)


def statistic_of(tally: Tally, rows: Iterable[Any]) -> Tallied:
    """The statistic that the rows of a `tally_query` hold."""
    numbers: dict[int, list[int]] = {}
    for cell, count, *others in ([int(number) for number in row] for row in rows):
        halves = 2 * len(tally.measures)
        sums = [low + (high << HALF)
                for low, high in zip(others[:halves:2], others[1:halves:2], strict=True)]
        numbers[cell] = [count, *sums, *others[halves:]]
    return Tallied.of(tally, numbers)


def _counting(tally: Tally, engine: Engine, table: Any) -> Any:
    """The rows that the filter and the rules of their columns let count, as cells and readings."""
    from sqlalchemy import case, literal, select

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
    kept += [readings[measured].label(f"measured_{place}")
             for place, measured in enumerate(tally.measured)]
    kept += [case((_holds(condition, readings), 1), else_=0).label(f"met_{place}")
             for place, condition in enumerate(tally.conditions)]
    conditions = [_holds(tally.where, readings)]
    conditions += [readings[reading].is_not(None) for reading in tally.required]
    if person is not None:
        kept += [read.c.person, _readings_text(readings.values()).label("readings")]
        conditions.append(read.c.person.is_not(None))
    return select(*kept).select_from(read).where(*conditions).subquery("counting")


def _bound_contributions(tally: Tally, key: CutKey, engine: Engine, rows: Any) -> Any:
    """Of each person's rows, those that count."""
    from sqlalchemy import String, cast, func, literal, select

    unit = tally.declaration.unit
    if tally.people:
        rows = select(rows.c.person, rows.c.cell).distinct().subquery("people")
    else:
        copies = select(rows, func.row_number().over(
            partition_by=(rows.c.person, rows.c.readings)).label("copy")).subquery("copies")
        text = _join_texts([cast(copies.c.copy, String), copies.c.readings, copies.c.person])
        numbered = select(copies, func.row_number().over(
            partition_by=copies.c.person, order_by=engine.digest(key, text)).label("number"),
        ).subquery("numbered")
        rows = select(numbered).where(numbered.c.number <= unit.rows).subquery("rows")
    if not tally.cuts_cells:
        return rows
    spot = quotient(rows.c.cell, tally.values) if tally.values > 1 else rows.c.cell
    text = _join_texts([literal("cell ") + cast(spot, String), rows.c.person])
    ranked = select(rows, func.dense_rank().over(
        partition_by=rows.c.person, order_by=engine.digest(key, text)).label("rank"),
    ).subquery("ranked")
    return select(ranked).where(ranked.c.rank <= unit.cells).subquery("cut")


def _readings_text(readings: Iterable[Any]) -> Any:
    """All that is read of a row, as hashes cover it."""
    from sqlalchemy import String, cast, func, literal

    return _join_texts([func.coalesce(cast(value, String), literal("-")) for value in readings])


def _join_texts(texts: Sequence[Any]) -> Any:
    """Texts with commas between them."""
    from sqlalchemy import literal

    whole: Any = texts[0] if texts else literal("")
    for text in texts[1:]:
        whole = whole + literal(",") + text
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
