"""A tally inside a database, through SQLAlchemy: rows are never fetched, only cells.

The same readings as everywhere, in the language of the database. PostgreSQL stores types apart
from the rows, and casts are written so that no value can fail. SQLite stores none: there the cell
goes through the very function that declares its reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from tightrope.declarations import (
    FIRST,
    LAST,
    NUMERAL,
    Clock,
    CutKey,
    KeyTally,
    Naming,
    Reading,
    Tallied,
    Tally,
)
from tightrope.errors import BadInput, SystemFailed
from tightrope.extras import require
from tightrope.tables.sources.batches import Batch, Snapshot, naming_of, readings_of
from tightrope.tables.sources.key_queries import barred_characters, key_query
from tightrope.tables.sources.keys import count_keys, key_columns
from tightrope.tables.sources.queries import Engine as Speech
from tightrope.tables.sources.queries import named_table, statistics_of, tallies_query
from tightrope.tables.sources.typed import FEW, Kind, TypedEngine, clamp, count_edges, double
from tightrope.tables.tables import BATCH_ROWS

if TYPE_CHECKING:
    from sqlalchemy import Engine, FromClause
    from sqlalchemy.engine import URL

_HASH, _TEXT, _READING = (f"tightrope_{what}" for what in ("hash", "text", "reading"))


@dataclass(frozen=True)
class DatabaseSource:
    """A table or view of a SQLite or PostgreSQL database."""

    url: Any
    table: str
    names: tuple[str, ...]
    types: Mapping[str, str] | None
    dates: frozenset[str] = frozenset()

    @property
    def kinds(self) -> Mapping[str, Kind | None] | None:
        """The kinds of the columns, where types are stored apart from the rows."""
        return None if self.types is None else {
            name: POSTGRES.get(type_) for name, type_ in self.types.items()}

    def tallies(self, tallies: Sequence[Tally], key: CutKey) -> tuple[Tallied, ...]:
        """The exact statistics of several requests, added up where the rows are in one query."""
        return self.snapshot(tallies, (), key)[0]

    def count_keys(self, tally: KeyTally, key: CutKey) -> dict[str, int]:
        """The units of each key: counted in PostgreSQL, read row by row from a SQLite file."""
        return self.snapshot((), (tally,), key)[1][0]

    def snapshot(
        self, tallies: Sequence[Tally], keyed: Sequence[KeyTally], key: CutKey
    ) -> Snapshot:
        """The exact statistics and the units of keys, in one transaction that sees one state."""
        with translating_errors(), _connect(self.url) as engine, engine.connect() as connection:
            if self.kinds is None:
                connection.exec_driver_sql("BEGIN")  # else each query has a transaction of its own
            else:
                connection.execution_options(isolation_level="REPEATABLE READ")
                # floats are written as their shortest decimals, dates by ISO 8601
                connection.exec_driver_sql("SET extra_float_digits = 1")
                connection.exec_driver_sql("SET datestyle = ISO")
            statistics = self._tallies(connection, tallies, key) if tallies else ()
            return statistics, tuple(self._keys(connection, each, key) for each in keyed)

    def _tallies(
        self, connection: Any, tallies: Sequence[Tally], key: CutKey
    ) -> tuple[Tallied, ...]:
        schema, _, name = self.table.rpartition(".")
        speech: Speech = _Sqlite() if self.kinds is None else _Postgres(self.kinds)
        query = tallies_query(tallies, key, speech, name, self.names, schema or None)
        if self.kinds is None:
            _register_functions(connection.connection.driver_connection, tallies, key)
        return statistics_of(tallies, connection.execute(query).all())

    def _keys(self, connection: Any, tally: KeyTally, key: CutKey) -> dict[str, int]:
        schema, _, name = self.table.rpartition(".")
        if self.kinds is None:
            rows = _batches(connection, name, schema, key_columns(tally))
            return count_keys(tally, key, rows)
        query = key_query(tally, key, _Postgres(self.kinds), name, self.names, schema or None)
        return {str(text): int(units) for text, units in connection.execute(query)}


def _batches(
    connection: Any, name: str, schema: str, columns: Sequence[str]
) -> Iterator[Batch]:
    """The rows of a SQLite file in batches, texts of any encoding decoded as everywhere."""
    from sqlalchemy import select

    driver = connection.connection.driver_connection
    (encoding,) = driver.execute("PRAGMA encoding").fetchone()
    driver.text_factory = lambda text: text.decode(encoding, "replace")
    rows = connection.execute(select(named_table(name, columns, schema or None)))
    while part := rows.fetchmany(BATCH_ROWS):
        yield Batch(len(part), dict(zip(columns, map(list, zip(*part, strict=True)), strict=True)))


class _Sqlite:
    """SQLite stores no types: a cell goes through the very functions that declare its reading."""

    def read(
        self, rows: FromClause, cell: Any, place: int, reading: Reading
    ) -> tuple[Any, FromClause]:
        from sqlalchemy import Integer, func

        reading_of = getattr(func, f"{_READING}_{place}")
        return reading_of(func.typeof(cell), _bare(cell), type_=Integer()), rows

    def name(self, cell: Any, place: int, naming: Naming) -> Any:
        from sqlalchemy import String, collate, func

        text = getattr(func, f"{_TEXT}_{place}")(func.typeof(cell), _bare(cell), type_=String())
        return collate(text, "BINARY")

    def digest(self, key: CutKey, text: Any) -> Any:
        from sqlalchemy import func

        return getattr(func, _HASH)(text)


def _register_functions(driver: Any, tallies: Sequence[Tally], key: CutKey) -> None:
    """Register the readings, the texts of people and the hash in SQLite: no query holds the key."""

    (encoding,) = driver.execute("PRAGMA encoding").fetchone()

    def learn(name: str, function: Callable[[Any], Any]) -> None:
        def of(kind: str, cell: Any) -> Any:
            return function(cell.decode(encoding, "replace") if kind == "text" else cell)

        driver.create_function(name, 2, of, deterministic=True)

    for place, reading in enumerate(readings_of(tallies)):
        learn(f"{_READING}_{place}", reading.of)
    for place, naming in enumerate(naming_of(tallies)):
        learn(f"{_TEXT}_{place}", naming.text)
    driver.create_function(_HASH, 1, lambda text: key.digest(text.encode()), deterministic=True)


def _bare(cell: Any) -> Any:
    """A cell with the bytes of a text, which need not be of any encoding."""
    from sqlalchemy import LargeBinary, case, cast, func

    return case((func.typeof(cell) == "text", cast(cell, LargeBinary)), else_=cell)


POSTGRES: Mapping[str, Kind] = {
    "smallint": Kind.WHOLE, "integer": Kind.WHOLE, "bigint": Kind.WHOLE, "numeric": Kind.EXACT,
    "real": Kind.SINGLE, "double precision": Kind.DOUBLE, "boolean": Kind.TRUTH,
    "text": Kind.TEXT, "character varying": Kind.TEXT, "character": Kind.TEXT,
    "uuid": Kind.TEXT, "date": Kind.DAY, "timestamp without time zone": Kind.MOMENT,
    "timestamp with time zone": Kind.ZONED, "time without time zone": Kind.HOUR,
}
"""The kinds of the types of PostgreSQL that are read."""


@dataclass(frozen=True)
class _Postgres(TypedEngine):
    """Readings in the language of PostgreSQL, whose casts fail where a number has no double."""

    def double(self, cell: Any, kind: Kind | None) -> Any:
        from sqlalchemy import Double, Integer, Numeric, Text, case, cast, func, literal, null

        if kind is Kind.TRUTH:
            return cast(cast(cell, Integer), Double)
        if kind is Kind.WHOLE:
            return cast(cell, Double)
        if kind is Kind.SINGLE:
            cell = cast(cast(cell, Text), Double)  # its shortest decimal
        if kind is Kind.EXACT:
            low, high = (cast(literal(sign + _LARGEST), Numeric) for sign in ("-", ""))
            plain = func.round(clamp(cell, low, high), 300)  # nearer to 0 it is no double
            number = case((cell.is_(None), null()), (cell > high, double(inf)),
                          (cell < low, double(-inf)), else_=cast(plain, Double))
        else:
            number = cast(cell, Double) + double(0.0)
        return case((cast(cell, Text) == "NaN", null()), else_=number)

    def digits(self, cell: Any, kind: Kind | None) -> Any:
        from sqlalchemy import Numeric, String, Text, case, cast, func, literal, null

        if kind in (Kind.WHOLE, Kind.LONG):
            return cast(cell, String)
        text = cast(cell, Text)
        written = cast(func.trim_scale(cast(text, Numeric)), String)
        return case((text == "NaN", null()), (text == "Infinity", literal("inf")),
                    (text == "-Infinity", literal("-inf")), else_=written)

    def is_numeral(self, text: Any) -> Any:
        return text.op("~")(f"^{NUMERAL}$")

    def seconds(self, cell: Any, kind: Kind | None) -> Any:
        from sqlalchemy import Date, DateTime, cast, extract, func, literal

        if kind is not Kind.HOUR:
            stored_as = Date() if kind is Kind.DAY else DateTime(timezone=kind is Kind.ZONED)
            first, last = (cast(literal(f"{Clock.DATETIME.text(end)}+00"), stored_as)
                           for end in (FIRST, LAST))
            cell = clamp(cell, first, last)
        return func.floor(extract("epoch", cell))

    def bin(self, number: Any, edges: Sequence[float]) -> Any:
        from sqlalchemy import Double, func, literal
        from sqlalchemy.dialects.postgresql import ARRAY

        if len(edges) <= FEW:
            return count_edges(number, edges, 0, len(edges))
        return func.width_bucket(number, literal(list(edges), ARRAY(Double)))

    def is_barred(self, text: Any) -> Any:
        return text.op("~")(barred_characters(r"\U{:08x}"))

    def even(self, number: Any) -> Any:
        from sqlalchemy import func

        return func.round(number)

    def digest(self, key: CutKey, text: Any) -> Any:
        from sqlalchemy import func, literal

        return func.sha256(func.convert_to(literal(key.prefix) + text, "UTF8"))


_LARGEST = str(2**1024 - 2**970 - 1)  # the largest whole number that is rounded to a finite double


def open_database(url: URL, table: str) -> DatabaseSource:
    """A table of a database, with its names and, in PostgreSQL, its types."""
    from sqlalchemy import Date, DateTime, Time, inspect

    with translating_errors(), _connect(url) as engine:
        schema, _, name = table.rpartition(".")
        looked = inspect(engine)
        known = [*looked.get_table_names(schema or None), *looked.get_view_names(schema or None)]
        if name not in known:
            raise BadInput(f"the database has no table {table!r}.")
        columns = looked.get_columns(name, schema or None)
        names = tuple(str(column["name"]) for column in columns)
        types = None if engine.dialect.name == "sqlite" else _types(engine, schema, name)
        dates = frozenset(str(column["name"]) for column in columns
                          if isinstance(column["type"], Date | DateTime | Time))
    return DatabaseSource(url, table, names, types, dates)


def _types(engine: Engine, schema: str, name: str) -> dict[str, str]:
    from sqlalchemy import text

    query = text("SELECT column_name, data_type FROM information_schema.columns WHERE table_name "
                 "= :name AND (table_schema = :schema OR (:schema = '' AND table_schema = "
                 "ANY(current_schemas(false))))")
    with engine.connect() as connection:
        rows = connection.execute(query, {"name": name, "schema": schema})
        return {str(row[0]): str(row[1]) for row in rows}


@contextmanager
def _connect(url: Any) -> Iterator[Engine]:
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    if url.get_backend_name() == "postgresql":
        require("postgres", "a table in PostgreSQL")
    engine = create_engine(url, poolclass=NullPool, hide_parameters=True)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def translating_errors() -> Iterator[None]:
    """Turn what a database says into one of our errors, without a word of its own."""
    from sqlalchemy.exc import OperationalError, SQLAlchemyError

    try:
        yield
    except OperationalError as error:
        message = str(error.orig).lower()
        if "password" in message or "authentication" in message or "role" in message:
            raise BadInput("the database refused this user or password.") from None
        raise SystemFailed("the database failed or could not be reached.") from None
    except SQLAlchemyError:
        raise SystemFailed("the database failed.") from None
