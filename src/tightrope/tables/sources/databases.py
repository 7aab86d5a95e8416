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

from tightrope.declarations import NUMERAL, CutKey, Reading, Tallied, Tally, as_text
from tightrope.errors import BadInput, SystemFailed
from tightrope.extras import require
from tightrope.tables.sources.queries import Engine as Speech
from tightrope.tables.sources.queries import statistic_of, tally_query
from tightrope.tables.sources.typed import FEW, Kind, TypedEngine, clamp, count_edges, double

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

    def tally(self, tally: Tally, key: CutKey) -> Tallied:
        """The exact statistic, added up where the rows are."""
        schema, _, name = self.table.rpartition(".")
        speech: Speech = _Sqlite() if self.kinds is None else _Postgres(self.kinds)
        query = tally_query(tally, key, speech, name, self.names, schema or None)
        with translating_errors(), _connect(self.url) as engine, engine.connect() as connection:
            if self.kinds is None:
                _register_functions(connection.connection.driver_connection, tally, key)
            else:  # floats are written as their shortest decimals
                connection.exec_driver_sql("SET extra_float_digits = 1")
            rows = connection.execute(query).all()
        return statistic_of(tally, rows)


class _Sqlite:
    """SQLite stores no types: a cell goes through the very functions that declare its reading."""

    def read(
        self, rows: FromClause, cell: Any, place: int, reading: Reading
    ) -> tuple[Any, FromClause]:
        from sqlalchemy import Integer, func

        reading_of = getattr(func, f"{_READING}_{place}")
        return reading_of(func.typeof(cell), _bare(cell), type_=Integer()), rows

    def text(self, cell: Any) -> Any:
        from sqlalchemy import String, collate, func

        text = getattr(func, _TEXT)(func.typeof(cell), _bare(cell), type_=String())
        return collate(text, "BINARY")

    def digest(self, key: CutKey, text: Any) -> Any:
        from sqlalchemy import func

        return getattr(func, _HASH)(text)


def _register_functions(driver: Any, tally: Tally, key: CutKey) -> None:
    """Register the readings, the texts of people and the hash in SQLite: no query holds the key."""

    (encoding,) = driver.execute("PRAGMA encoding").fetchone()

    def learn(name: str, function: Callable[[Any], Any]) -> None:
        def of(kind: str, cell: Any) -> Any:
            return function(cell.decode(encoding, "replace") if kind == "text" else cell)

        driver.create_function(name, 2, of, deterministic=True)

    for place, reading in enumerate(tally.readings):
        learn(f"{_READING}_{place}", reading.of)
    learn(_TEXT, as_text)
    driver.create_function(_HASH, 1, lambda text: key.digest(text.encode()), deterministic=True)


def _bare(cell: Any) -> Any:
    """A cell with the bytes of a text, which need not be of any encoding."""
    from sqlalchemy import LargeBinary, case, cast, func

    return case((func.typeof(cell) == "text", cast(cell, LargeBinary)), else_=cell)


POSTGRES: Mapping[str, Kind] = {
    "smallint": Kind.WHOLE, "integer": Kind.WHOLE, "bigint": Kind.WHOLE, "numeric": Kind.EXACT,
    "real": Kind.SINGLE, "double precision": Kind.DOUBLE, "boolean": Kind.TRUTH,
    "text": Kind.TEXT, "character varying": Kind.TEXT, "character": Kind.TEXT,
    "uuid": Kind.TEXT, "date": Kind.TEXT,
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

    def bin(self, number: Any, edges: Sequence[float]) -> Any:
        from sqlalchemy import Double, func, literal
        from sqlalchemy.dialects.postgresql import ARRAY

        if len(edges) <= FEW:
            return count_edges(number, edges, 0, len(edges))
        return func.width_bucket(number, literal(list(edges), ARRAY(Double)))

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
