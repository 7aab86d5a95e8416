"""A tally inside DuckDB: a relation, or a table of a database file, added up by the engine.

The query is the one of every database. DuckDB works in parallel, and what does not fit into its
memory goes to its own temporary files, so that the number of rows and of people is bounded by
the disk alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tightrope.declarations import NUMERAL, Bin, CutKey, NumberColumn, Tallied, Tally
from tightrope.errors import BadInput, SystemFailed
from tightrope.files import StrPath, reading
from tightrope.tables.sources.batches import Batch, BatchSource
from tightrope.tables.sources.queries import statistic_of, tally_query
from tightrope.tables.sources.typed import (
    FLOATS,
    NUMBERS,
    Kind,
    TypedEngine,
    count_edges,
    double,
    without_zeros,
)
from tightrope.tables.tables import BATCH_ROWS

MOST_EDGES = 4096
"""Edges of bins that a query searches; rows with more are streamed."""

_ROWS = "tightrope_rows"
_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT",
                     "UINTEGER"), Kind.WHOLE),
    **dict.fromkeys(("UBIGINT", "HUGEINT", "UHUGEINT"), Kind.LONG),
    "DECIMAL": Kind.EXACT, "FLOAT": Kind.SINGLE, "DOUBLE": Kind.DOUBLE, "BOOLEAN": Kind.TRUTH,
    "VARCHAR": Kind.TEXT, "ENUM": Kind.TEXT,
}


@dataclass(frozen=True)
class DuckSource:
    """A relation of DuckDB."""

    relation: Any

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(self.relation.columns)

    @property
    def types(self) -> Mapping[str, str]:
        """The types of the columns, as DuckDB names them."""
        return dict(zip(self.names, map(str, self.relation.types), strict=True))

    @property
    def kinds(self) -> Mapping[str, Kind | None]:
        """The kinds of the columns."""
        return {name: None if type_.endswith("]") else _KINDS.get(type_.partition("(")[0])
                for name, type_ in self.types.items()}

    def tally(self, tally: Tally, key: CutKey) -> Tallied:
        """The exact statistic, added up by DuckDB."""
        if not _is_searched(tally) or not self._is_read(tally):
            return self._batch_source().tally(tally, key)
        query = tally_query(tally, key, _Duck(self.kinds), _ROWS, self.names)
        text = str(query.compile(dialect=_dialect(), compile_kwargs={"literal_binds": True}))
        with translating_errors():
            return statistic_of(tally, self.relation.query(_ROWS, text).fetchall())

    def _is_read(self, tally: Tally) -> bool:
        """Whether a query reads all cells: texts as numbers, and lists or dates, are streamed."""
        kinds = self.kinds
        return all(
            kinds[reading.name] in NUMBERS | {Kind.TRUTH}
            if isinstance(reading.column, NumberColumn) else kinds[reading.name] is not None
            for reading in tally.readings)

    def _batch_source(self) -> BatchSource:
        """The rows in batches; what Arrow does not hold as a number or a text is its text."""
        kinds = self.kinds

        def batches(columns: Sequence[str]) -> Iterator[Batch]:
            quoted = ['"' + name.replace('"', '""') + '"' for name in columns]
            wanted = [f"CAST({name} AS VARCHAR) AS {name}" if kinds[column] in (None, Kind.LONG)
                      else name for column, name in zip(columns, quoted, strict=True)]
            with translating_errors():
                for batch in self.relation.project(", ".join(wanted)).to_arrow_reader(BATCH_ROWS):
                    yield Batch.of(batch)

        return BatchSource(self.names, batches, self.types)


def _is_searched(tally: Tally) -> bool:
    return all(key.size <= MOST_EDGES for key in tally.key_readings if isinstance(key, Bin))


class _Duck(TypedEngine):
    """Readings in the language of DuckDB."""

    def double(self, cell: Any, kind: Kind | None) -> Any:
        from sqlalchemy import Double, Integer, String, case, cast, func, null

        if kind is Kind.TRUTH:
            return cast(cast(cell, Integer), Double)
        if kind is Kind.WHOLE:
            return cast(cell, Double)
        if kind in (Kind.EXACT, Kind.LONG):  # a text is read as the nearest double
            return cast(cast(cell, String), Double)
        number = cast(cast(cell, String), Double) if kind is Kind.SINGLE else cell
        return case((func.isnan(cell), null()), else_=number + double(0.0))

    def digits(self, cell: Any, kind: Kind | None) -> Any:
        from sqlalchemy import String, case, cast, func, literal, null

        text = cast(cell, String)
        if kind in FLOATS:
            plain = _with_sign(cell, _positional(cast(func.abs(cell), String)))
            return case((cell.is_(None) | func.isnan(cell), null()), (func.isinf(cell), text),
                        (cell == 0, literal("0")), else_=plain)
        return without_zeros(text) if kind is Kind.EXACT else text

    def is_numeral(self, text: Any) -> Any:
        from sqlalchemy import func

        return func.regexp_full_match(text, NUMERAL)

    def even(self, number: Any) -> Any:
        from sqlalchemy import func, literal

        return func.round_even(number, literal(0))

    def bin(self, number: Any, edges: Sequence[float]) -> Any:
        return count_edges(number, edges, 0, len(edges))

    def digest(self, key: CutKey, text: Any) -> Any:
        from sqlalchemy import String, collate, func, literal

        return collate(func.sha256(literal(key.prefix) + text, type_=String()), "C")


def _with_sign(number: Any, text: Any) -> Any:
    from sqlalchemy import case, literal

    return case((number < 0, literal("-") + text), else_=text)


def _positional(text: Any) -> Any:
    """A positive float, written like 1.5 or 1.5e-07, with all of its digits."""
    from sqlalchemy import Integer, case, cast, func

    powered = func.concat(text, "e0")  # the first power is the number's own
    base, power = func.split_part(powered, "e", 1), func.split_part(powered, "e", 2)
    whole, part = func.split_part(base, ".", 1), func.split_part(base, ".", 2)
    digits, point = func.concat(whole, part), func.length(whole) + cast(power, Integer)
    after = func.repeat("0", func.greatest(point - func.length(digits), 0))
    small = func.concat("0.", func.repeat("0", func.greatest(-point, 0)), digits)
    middle = func.concat(func.substr(digits, 1, point), ".", func.substr(digits, point + 1))
    return without_zeros(case((point <= 0, small), (after != "", func.concat(digits, after)),
                              else_=middle))


def _dialect() -> Any:
    """The language of DuckDB, as far as a tally speaks it."""
    from sqlalchemy.engine.default import DefaultDialect

    dialect = DefaultDialect(paramstyle="named")
    dialect.supports_native_boolean = True
    return dialect


def open_duckdb(path: StrPath, table: str) -> DuckSource:
    """A table or view of a DuckDB file, opened for reading."""
    import duckdb

    with reading(path), translating_errors():
        with Path(path).open("rb"):
            pass
        connection = duckdb.connect(str(path), read_only=True)
    try:
        return DuckSource(connection.table(table))
    except duckdb.Error:
        raise BadInput(f"the database has no table {table!r}.") from None


@contextmanager
def translating_errors() -> Iterator[None]:
    """Turn what DuckDB says into one of our errors, without a word of its own."""
    import duckdb

    try:
        yield
    except duckdb.Error:
        raise SystemFailed("DuckDB failed or could not be read.") from None
