"""A tally inside a database, through SQLAlchemy: rows are never fetched, only cells.

The same codes as everywhere, in the language of the database. PostgreSQL stores types apart from
the rows, and casts are written so that no value can fail. SQLite stores none: there the cell goes
through the very function that declares its code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tightrope.data.sources.batches import HALF, thresholds
from tightrope.declarations import (
    Absent,
    All,
    Among,
    AnyOf,
    CategoryColumn,
    Column,
    Filter,
    Not,
    NumberColumn,
    Tallied,
    Tally,
    Within,
    as_text,
)
from tightrope.errors import BadInput, BadTable, Refused, SystemFailed

if TYPE_CHECKING:
    from sqlalchemy import Engine, Select, TableClause
    from sqlalchemy.engine import URL

_HASH, _TEXT = "tightrope_hash", "tightrope_text"


@dataclass(frozen=True)
class DatabaseSource:
    """A table or view of a SQLite or PostgreSQL database."""

    url: Any
    table: str
    names: tuple[str, ...]
    types: Mapping[str, str] | None

    def tally(self, tally: Tally) -> Tallied:
        """The exact statistic, added up where the rows are."""
        with speaking(), _connected(self.url) as engine:
            query = _Query(tally, self, engine)
            with engine.connect() as connection:
                query.teach(connection)
                rows = connection.execute(query.whole()).all()
        counts, sums = [0] * tally.size, [0] * tally.size
        for row in rows:
            counts[int(row[0])] = int(row[1])
            if tally.measure is not None:
                sums[int(row[0])] = int(row[2]) + (int(row[3]) << HALF)
        return Tallied(tuple(counts), None if tally.measure is None else tuple(sums))


class _Query:
    """One tally as a query of one database."""

    def __init__(self, tally: Tally, source: DatabaseSource, engine: Engine) -> None:
        from sqlalchemy import column, table

        self._tally, self._types = tally, source.types
        self._lite = engine.dialect.name == "sqlite"
        schema, _, name = source.table.rpartition(".")
        held: TableClause = table(name, *(column(name) for name in source.names),
                                  schema=schema or None)
        self._table = held

    def teach(self, connection: Any) -> None:
        """SQLite learns the codes of the columns, and the hash."""
        if not self._lite:
            return
        driver = connection.connection.driver_connection
        for place, name in enumerate(self._tally.columns):
            declared = self._tally.declaration.column(name)
            driver.create_function(f"tightrope_code_{place}", 1, declared.code,
                                   deterministic=True)
        driver.create_function(_HASH, 1, self._tally.hashed, deterministic=True)
        driver.create_function(_TEXT, 1, as_text, deterministic=True)

    def whole(self) -> Select[Any]:
        """Cells, counts, and both halves of the sums."""
        from sqlalchemy import func, literal, literal_column, select

        tally = self._tally
        person = tally.declaration.unit.person
        codes = {name: self._code(place, name) for place, name in enumerate(tally.columns)}
        wanted = [code.label(f"code_{place}") for place, code in enumerate(codes.values())]
        if person is not None:
            wanted.append(self._person(person).label("person"))
        wanted = wanted or [literal(1).label("one")]
        coded = select(*wanted).select_from(self._table).subquery("coded")
        held = {name: coded.c[f"code_{place}"] for place, name in enumerate(tally.columns)}
        row = self._row_text(held)
        kept = select(
            self._cell(held).label("cell"),
            (held[tally.measure] if tally.measure else literal(0)).label("measured"),
            (self._hash(row) if person is not None else literal("")).label("row_hash"),
            (coded.c.person if person is not None else literal("")).label("person"),
        ).select_from(coded).where(self._holds(tally.where, held),
                *(held[name].is_not(None) for name in tally.required),
                *([coded.c.person.is_not(None)] if person is not None else []))
        rows = kept.subquery("kept")
        if person is not None:
            rows = self._cut(rows)
        measured = rows.c.measured
        return select(
            rows.c.cell, func.count(), func.sum(measured.op("%")(literal_column(str(2**HALF)))),
            func.sum(measured.op(">>")(literal_column(str(HALF)))),
        ).group_by(rows.c.cell)

    def _cut(self, rows: Any) -> Any:
        """Of each person's rows, those that count."""
        from sqlalchemy import String, cast, func, literal, select

        unit = self._tally.declaration.unit
        name = self._hash(literal("cell ") + cast(rows.c.cell, String))
        ranked = select(rows, func.dense_rank().over(
            partition_by=rows.c.person, order_by=(name, rows.c.cell)).label("cells"),
        ).subquery("ranked")
        inside = select(ranked).where(ranked.c.cells <= unit.cells).subquery("inside")
        if self._tally.people:
            return select(inside.c.person, inside.c.cell, inside.c.measured).distinct().subquery()
        numbered = select(inside, func.row_number().over(
            partition_by=inside.c.person, order_by=inside.c.row_hash).label("number"),
        ).subquery("numbered")
        return select(numbered).where(numbered.c.number <= unit.rows).subquery("cut")

    def _code(self, place: int, name: str) -> Any:
        from sqlalchemy import BigInteger, Integer, case, cast, func, literal, null

        held = self._table.c[name]
        declared = self._tally.declaration.column(name)
        if self._lite:
            return getattr(func, f"tightrope_code_{place}")(held, type_=Integer())
        absent = declared.code(None)
        missing = null() if absent is None else literal(absent)
        kind = (self._types or {})[name]
        if isinstance(declared, CategoryColumn):
            other = null() if declared.other is None else literal(declared.code(declared.other))
            text = _postgres_text(held, kind)
            known = {value: literal(code) for code, value in enumerate(declared.values)}
            return cast(case((text.is_(None), missing),
                             else_=case(known, value=text, else_=other)), BigInteger)
        return cast(case((_postgres_absent(held, kind), missing),
                         else_=_postgres_rounded(held, kind, declared)), BigInteger)

    def _person(self, name: str) -> Any:
        from sqlalchemy import String, func

        held = self._table.c[name]
        if self._lite:
            return getattr(func, _TEXT)(held, type_=String())
        return _postgres_text(held, (self._types or {})[name])

    def _row_text(self, codes: Mapping[str, Any]) -> Any:
        from sqlalchemy import String, cast, func, literal

        whole: Any = literal("")
        for place, code in enumerate(codes.values()):
            written = func.coalesce(cast(code, String), literal("-"))
            whole = written if place == 0 else whole + literal(",") + written
        return whole

    def _hash(self, text: Any) -> Any:
        from sqlalchemy import String, collate, func, literal

        if self._lite:
            return getattr(func, _HASH)(text, type_=String())
        keyed = literal(f"{self._tally.key}:") + text
        found = func.encode(func.sha256(func.convert_to(keyed, "UTF8")), "hex", type_=String())
        return collate(found, "C")

    def _cell(self, codes: Mapping[str, Any]) -> Any:
        from sqlalchemy import literal

        place: Any = literal(0)
        tally = self._tally
        for number, (name, length) in enumerate(zip(tally.keys, tally.shape, strict=True)):
            own = codes[name].op("/")(tally.fine) if tally.by_code(number) else (
                _bin(codes[name], tally.declaration.column(name)))
            place = place * length + own
        return place

    def _holds(self, found: Filter, codes: Mapping[str, Any]) -> Any:
        from sqlalchemy import and_, false, func, not_, or_, true

        match found:
            case Within():
                code = codes[found.column]
                return func.coalesce(code.between(found.low, found.high), false())
            case Among():
                return func.coalesce(codes[found.column].in_(sorted(found.codes)), false())
            case Absent():
                return codes[found.column].is_(None)
            case Not():
                return not_(self._holds(found.inner, codes))
            case All():
                return and_(true(), *(self._holds(part, codes) for part in found.parts))
            case AnyOf():
                return or_(false(), *(self._holds(part, codes) for part in found.parts))


def _bin(code: Any, declared: Column) -> Any:
    from sqlalchemy import case

    if isinstance(declared, CategoryColumn):
        return code
    edges = thresholds(declared)
    return _searched(code, edges, 0, len(edges), case)


def _searched(code: Any, edges: list[int], low: int, high: int, case: Any) -> Any:
    """The number of edges up to a code, by halving."""
    from sqlalchemy import literal

    if low == high:
        return literal(low)
    middle = (low + high) // 2
    return case((code < edges[middle], _searched(code, edges, low, middle, case)),
                else_=_searched(code, edges, middle + 1, high, case))


_WHOLE = frozenset({"smallint", "integer", "bigint"})
_EXACT, _DOUBLE = frozenset({"numeric"}), frozenset({"real", "double precision"})
NUMBERS = _WHOLE | _EXACT | _DOUBLE
_TEXTS = frozenset({"text", "character varying", "character", "uuid", "date"})


def check_types(
    types: Mapping[str, str], columns: Mapping[str, Column], person: str | None
) -> None:
    """Refuse a declaration that contradicts the types of a table in PostgreSQL."""
    for name, declared in columns.items():
        kind = types[name]
        if isinstance(declared, NumberColumn) and kind not in NUMBERS:
            raise BadTable(f"the column {name!r} is declared as a number, and the table holds "
                           f"{kind} there.")
        if kind not in NUMBERS | _TEXTS | {"boolean"}:
            raise BadTable(f"the column {name!r} holds {kind}; expected numbers, texts or truth "
                           "values.")
    if person is not None and types[person] not in NUMBERS | _TEXTS:
        raise BadTable(f"the column {person!r} holds {types[person]}; people are named by texts "
                       "or numbers.")


def _postgres_text(held: Any, kind: str) -> Any:
    from sqlalchemy import Text, cast, func

    if kind in _EXACT:
        return cast(func.trim_scale(held), Text)
    if kind in _DOUBLE:
        return cast(func.nullif(cast(held, Text), "NaN"), Text)
    return cast(held, Text)


def _postgres_absent(held: Any, kind: str) -> Any:
    from sqlalchemy import Text, cast, or_

    return held.is_(None) if kind in _WHOLE else or_(held.is_(None), cast(held, Text) == "NaN")


def _postgres_rounded(held: Any, kind: str, declared: NumberColumn) -> Any:
    from sqlalchemy import Double, Numeric, cast, func, literal

    if kind in _EXACT:  # a decimal may be beyond all doubles, or below them
        low, high = (cast(literal(str(end)), Numeric) for end in (
            _decimal(declared.low, down=True), _decimal(declared.high, down=False)))
        held = func.round(func.least(func.greatest(held, low), high), 60)
    number = cast(held, Double)
    low, high, step = (cast(literal(float(value)), Double)
                       for value in (declared.low, declared.high, declared.resolution))
    inside = func.least(func.greatest(number, low), high)
    code = func.floor((inside - low) / step + cast(literal(0.5), Double))
    return func.least(func.greatest(code, 0), declared.steps)


def _decimal(value: Any, *, down: bool) -> str:
    """A decimal at most or at least as large as a fraction, close to it."""
    scaled = value * 10**30
    whole = scaled.numerator // scaled.denominator if down else -(
        -scaled.numerator // scaled.denominator)
    return f"{whole}e-30"


def open_database(url: URL, table: str) -> DatabaseSource:
    """A table of a database, with its names and, in PostgreSQL, its types."""
    from sqlalchemy import inspect

    with speaking(), _connected(url) as engine:
        schema, _, name = table.rpartition(".")
        looked = inspect(engine)
        known = [*looked.get_table_names(schema or None), *looked.get_view_names(schema or None)]
        if name not in known:
            raise BadInput(f"the database has no table {table!r}.")
        names = tuple(str(one["name"]) for one in looked.get_columns(name, schema or None))
        types = None if engine.dialect.name == "sqlite" else _types(engine, schema, name)
    return DatabaseSource(url, table, names, types)


def _types(engine: Engine, schema: str, name: str) -> dict[str, str]:
    from sqlalchemy import text

    query = text("SELECT column_name, data_type FROM information_schema.columns WHERE table_name "
                 "= :name AND (table_schema = :schema OR (:schema = '' AND table_schema = "
                 "ANY(current_schemas(false))))")
    with engine.connect() as connection:
        rows = connection.execute(query, {"name": name, "schema": schema})
        return {str(row[0]): str(row[1]) for row in rows}


@contextmanager
def _connected(url: Any) -> Iterator[Engine]:
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    try:
        engine = create_engine(url, poolclass=NullPool, hide_parameters=True)
    except ImportError:
        raise Refused("PostgreSQL needs psycopg: pip install 'tightrope[postgres]'.") from None
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def speaking() -> Iterator[None]:
    """Turn what a database says into one of our errors, without a word of its own."""
    from sqlalchemy.exc import OperationalError, SQLAlchemyError

    try:
        yield
    except OperationalError as error:
        said = str(error.orig).lower()
        if "password" in said or "authentication" in said or "role" in said:
            raise BadInput("the database refused this user or password.") from None
        raise SystemFailed("the database failed or could not be reached.") from None
    except SQLAlchemyError:
        raise SystemFailed("the database failed.") from None
