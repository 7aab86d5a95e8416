"""A tally as one query of a database: only cells come back, rows are never fetched.

What is counted is written once, for every engine. An engine says how a cell becomes its code, by
which value people are told apart, how a text is hashed and in which bin a code lies; codes,
filters, cuts and sums follow from that. Which rows of a person count is decided by a window over
that person's rows, in the order of their hashes, unless the engine has something quicker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tightrope.data.sources.batches import HALF
from tightrope.declarations import (
    Absent,
    All,
    Among,
    AnyOf,
    CategoryColumn,
    Column,
    Filter,
    Not,
    Tallied,
    Tally,
    Within,
)

if TYPE_CHECKING:
    from sqlalchemy import FromClause, Select


class Engine(Protocol):
    """What databases say differently, in expressions of SQLAlchemy."""

    def code(
        self, rows: FromClause, held: Any, place: int, declared: Column
    ) -> tuple[Any, FromClause]:
        """The code of a cell, and the rows with what it takes to find it."""

    def person(self, held: Any) -> Any:
        """A value that is the same for the same person, NULL for nobody."""

    def hashed(self, tally: Tally, text: Any) -> Any:
        """`tally.hashed`, in an order of its digits that no setting changes."""

    def bin(self, code: Any, place: int, declared: Column) -> Any:
        """The bin of a code of numbers."""


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
    """The rows that the filter and the rules of their columns let count, as cells and codes."""
    from sqlalchemy import literal, select

    person, rows = tally.declaration.unit.person, table
    wanted = []
    for place, name in enumerate(tally.columns):
        code, rows = engine.code(rows, table.c[name], place, tally.declaration.column(name))
        wanted.append(code.label(f"code_{place}"))
    if person is not None:
        wanted.append(engine.person(table.c[person]).label("person"))
    coded = select(*(wanted or [literal(1).label("one")])).select_from(rows).subquery("coded")
    codes = {name: coded.c[f"code_{place}"] for place, name in enumerate(tally.columns)}
    kept = [_cell(tally, engine, codes).label("cell")]
    if tally.measure is not None:
        kept.append(codes[tally.measure].label("measured"))
    conditions = [_holds(tally.where, codes)]
    conditions += [codes[name].is_not(None) for name in tally.required]
    if person is not None:
        kept += [coded.c.person, _row_text(codes).label("row_text")]
        conditions.append(coded.c.person.is_not(None))
    return select(*kept).select_from(coded).where(*conditions).subquery("counting")


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


def _row_text(codes: Mapping[str, Any]) -> Any:
    """What `Tally.row_hash` hashes."""
    from sqlalchemy import String, cast, func, literal

    whole: Any = literal("")
    for place, code in enumerate(codes.values()):
        written = func.coalesce(cast(code, String), literal("-"))
        whole = written if place == 0 else whole + literal(",") + written
    return whole


def _cell(tally: Tally, engine: Engine, codes: Mapping[str, Any]) -> Any:
    from sqlalchemy import literal

    whole: Any = literal(0)
    for number, (name, length) in enumerate(zip(tally.keys, tally.shape, strict=True)):
        declared = tally.declaration.column(name)
        if tally.by_code(number):
            inside = quotient(codes[name], tally.fine)
        elif isinstance(declared, CategoryColumn):
            inside = codes[name]
        else:
            inside = engine.bin(codes[name], tally.columns.index(name), declared)
        whole = whole * length + inside
    return whole


def quotient(code: Any, by: int) -> Any:
    """A whole number that is not negative over another, rounded down, whatever `/` means."""
    from sqlalchemy import BigInteger, cast

    whole = code - code.op("%", precedence=10)(by)
    return cast(whole.op("/", precedence=10)(by), BigInteger)


def _holds(found: Filter, codes: Mapping[str, Any]) -> Any:
    from sqlalchemy import and_, false, func, not_, or_, true

    match found:
        case Within():
            inside = codes[found.column].between(found.low, found.high)
            return func.coalesce(inside, false())
        case Among():
            return func.coalesce(codes[found.column].in_(sorted(found.codes)), false())
        case Absent():
            return codes[found.column].is_(None)
        case Not():
            return not_(_holds(found.inner, codes))
        case All():
            return and_(true(), *(_holds(part, codes) for part in found.parts))
        case AnyOf():
            return or_(false(), *(_holds(part, codes) for part in found.parts))
