"""A tally inside DuckDB: a relation, or a table of a database file, added up by the engine.

The query is the one of every database. DuckDB works in parallel, and what does not fit into its
memory goes to its own temporary files, so that the number of rows and of people is bounded by
the disk alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from tightrope.declarations import (
    FIRST,
    LAST,
    NUMERAL,
    Bin,
    Clock,
    Column,
    CutKey,
    KeyTally,
    NumberColumn,
    PeriodColumn,
    Tallied,
    Tally,
    TimeColumn,
)
from tightrope.errors import BadInput, SystemFailed
from tightrope.files import StrPath, reading
from tightrope.tables.sources.batches import Batch, BatchSource, Snapshot, naming_of
from tightrope.tables.sources.grouped import counts_of, grouped_query, is_groupable
from tightrope.tables.sources.key_queries import barred_characters, key_query
from tightrope.tables.sources.keys import all_columns, count_keys, key_columns
from tightrope.tables.sources.queries import named_table, statistics_of, tallies_query
from tightrope.tables.sources.typed import (
    CATEGORIES,
    FLOATS,
    NUMBERS,
    Kind,
    TypedEngine,
    clamp,
    count_edges,
    double,
    moments_for,
    without_zeros,
)
from tightrope.tables.tables import BATCH_ROWS

MOST_EDGES = 4096
"""Edges of bins that a query searches; rows with more are streamed."""

MOST_PEOPLE_ROWS = 2**24
"""Rows of people that are cut in memory, with about 40 bytes each; a query cuts more of them."""

_ROWS = "tightrope_rows"
_COPIES = count(1)  # their names differ, whatever a connection is used for at once
_BARRED = barred_characters(r"\x{{{:x}}}").replace(r"[\x{1}", r"[\x{0}")
_FRAMES = ("ARROW_SCAN", "PANDAS_SCAN")
OPTIMIZERS = {"disabled_optimizers": "statistics_propagation,filter_pushdown"}
"""A setting that keeps DuckDB from concluding anything from the statistics of a file.

They leave out NaN, and whoever wrote the file may have stated others: a comparison that they
decide would let a number through that is not clamped.
"""
_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT",
                     "UINTEGER"), Kind.WHOLE),
    **dict.fromkeys(("UBIGINT", "HUGEINT", "UHUGEINT"), Kind.LONG),
    "DECIMAL": Kind.EXACT, "FLOAT": Kind.SINGLE, "DOUBLE": Kind.DOUBLE, "BOOLEAN": Kind.TRUTH,
    "VARCHAR": Kind.TEXT, "ENUM": Kind.TEXT, "DATE": Kind.DAY, "TIMESTAMP": Kind.MOMENT,
    "TIMESTAMP WITH TIME ZONE": Kind.ZONED, "TIME": Kind.HOUR,
    **dict.fromkeys(("TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMPTZ_NS"),
                    Kind.STREAMED),
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

    @property
    def failing(self) -> frozenset[str]:
        """Columns that DuckDB may fail on: times with a zone, of frames that it scans.

        Their seconds or milliseconds become microseconds as they are scanned, and some overflow.
        """
        frames = any(scan in self.relation.explain().upper() for scan in _FRAMES)
        return frozenset(name for name, kind in self.kinds.items()
                         if frames and kind is Kind.ZONED)

    def tallies(self, tallies: Sequence[Tally], key: CutKey) -> tuple[Tallied, ...]:
        """The exact statistics of several requests, added up by DuckDB in one query."""
        with translating_errors(), _ignoring_statistics(self.relation):
            return self.add_up(tallies, key)

    def add_up(self, tallies: Sequence[Tally], key: CutKey) -> tuple[Tallied, ...]:
        """The exact statistics, where the connection ignores statistics of files."""
        if not all(_is_searched(tally) and self._is_read(tally) for tally in tallies):
            return self._batch_source(tallies).tallies(tallies, key)
        if naming_of(tallies) and self._is_small():
            return self._batch_source(tallies).tallies(tallies, key)
        if is_groupable(tallies):
            return self._grouped(tallies)
        query = tallies_query(tallies, key, _Duck(self.kinds), _ROWS, self.names)
        return statistics_of(tallies, self._answer(query).fetchall())

    def _grouped(self, tallies: Sequence[Tally]) -> tuple[Tallied, ...]:
        """The exact statistics where each row is a unit, at the price of a plain aggregate."""
        query = grouped_query(tallies, _Duck(self.kinds), named_table(_ROWS, self.names))
        if len(tallies) > 1 or tallies[0].measures:  # whose sums may be beyond 2^63
            return statistics_of(tallies, self._answer(query).fetchall())
        return (counts_of(tallies[0], self._answer(query).fetchnumpy()),)

    def _answer(self, query: Any) -> Any:
        text = str(query.compile(dialect=_dialect(), compile_kwargs={"literal_binds": True}))
        return self.relation.query(_ROWS, text)

    def _is_small(self) -> bool:
        """Whether people's rows are cut in memory, which is quicker than a window over them."""
        [(rows,)] = self.relation.aggregate("count(*)").fetchall()
        return int(rows) <= MOST_PEOPLE_ROWS

    def count_keys(self, tally: KeyTally, key: CutKey) -> dict[str, int]:
        """The units of each key, counted by DuckDB."""
        kinds = self.kinds
        if not _is_searched(tally) or not self._is_read(tally) or any(
                kinds[name] not in CATEGORIES for name in tally.texts):
            return count_keys(tally, key, self._batch_source((tally,)).batches(key_columns(tally)))
        query = key_query(tally, key, _Duck(kinds), _ROWS, self.names)
        with translating_errors(), _ignoring_statistics(self.relation):
            return dict(self._answer(query).fetchall())

    def snapshot(
        self, tallies: Sequence[Tally], keyed: Sequence[KeyTally], key: CutKey
    ) -> Snapshot:
        """The exact statistics and the units of keys, of one copy of the columns that matter.

        A relation may read files, which no transaction holds still; the copy is read once.
        """
        listed = ", ".join(map(_quoted, all_columns(tallies, keyed))) or "1 AS one"
        name = f"{_ROWS}_{next(_COPIES)}"
        with translating_errors():
            self.relation.query(_ROWS, f"CREATE TEMP TABLE {name} AS SELECT {listed} FROM {_ROWS}")
            try:
                copied = DuckSource(self.relation.query(_ROWS, f"SELECT * FROM temp.{name}"))
                return (copied.tallies(tallies, key) if tallies else (),
                        tuple(copied.count_keys(each, key) for each in keyed))
            finally:
                self.relation.query(_ROWS, f"DROP TABLE temp.{name}")

    def _is_read(self, tally: Tally | KeyTally) -> bool:
        """Whether a query reads all cells: texts as numbers or moments, and lists, are streamed."""
        parts = [part for part in tally.declaration.naming if part.column is not None]
        return all(self.kinds[read.name] in _read_by_query(read.column)
                   for read in (*tally.readings, *parts) if read.column is not None)

    def _batch_source(self, tallies: Sequence[Tally | KeyTally]) -> BatchSource:
        """The rows in batches; what Arrow does not hold as a number or a text is its text."""
        kinds = self.kinds
        moments = {read.name for tally in tallies
                   for read in (*tally.readings, *tally.declaration.naming)
                   if isinstance(read.column, TimeColumn | PeriodColumn)}

        def fetched(column: str) -> str:
            name = _quoted(column)
            stays = (NUMBERS - {Kind.LONG}) | {Kind.TRUTH, Kind.TEXT}
            return name if column in moments or kinds[column] in stays else (
                f"CAST({name} AS VARCHAR) AS {name}")

        def batches(columns: Sequence[str]) -> Iterator[Batch]:
            wanted = [fetched(column) for column in columns]
            with translating_errors():
                for batch in self.relation.project(", ".join(wanted)).to_arrow_reader(BATCH_ROWS):
                    yield Batch.of(batch)

        return BatchSource(self.names, batches, self.types)


def _quoted(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _read_by_query(column: Column) -> frozenset[Kind]:
    """The kinds of values that a query reads as those of a declared column."""
    time = column.time if isinstance(column, PeriodColumn) else column
    if isinstance(time, TimeColumn):
        return moments_for(time.clock)
    return NUMBERS | {Kind.TRUTH} if isinstance(time, NumberColumn) else CATEGORIES


@contextmanager
def _ignoring_statistics(relation: Any) -> Iterator[None]:
    """Set `OPTIMIZERS` for a while, where Parquet is read."""
    if "PARQUET" not in relation.explain().upper():
        yield
        return
    [(name, disabled)] = OPTIMIZERS.items()
    [(before,)] = relation.query(_ROWS, f"SELECT current_setting('{name}')").fetchall()
    relation.query(_ROWS, f"SET {name} = '{disabled}'")
    try:
        yield
    finally:
        relation.query(_ROWS, f"SET {name} = '{before}'")


def _is_searched(tally: Tally | KeyTally) -> bool:
    return all(key.size <= MOST_EDGES for key in tally.readings
               if isinstance(key, Bin)
               or (isinstance(key.column, PeriodColumn) and key.column.even is None))


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

    def seconds(self, cell: Any, kind: Kind | None) -> Any:
        from sqlalchemy import func, literal_column

        if kind is Kind.HOUR:  # of frames it may be negative, and is rounded down all the same
            return func.floor(func.epoch_us(cell).op("/", precedence=10)(double(1e6)))
        name = "DATE" if kind is Kind.DAY else "TIMESTAMPTZ" if kind is Kind.ZONED else "TIMESTAMP"
        ends: list[Any] = [literal_column(f"{name} '{Clock.DATETIME.text(end)}+00'")
                           for end in (FIRST, LAST)]
        since = func.epoch_us(clamp(cell, *ends)) - literal_column(str(FIRST * 10**6))
        return since.op("//", precedence=10)(literal_column("1000000")) + FIRST

    def is_barred(self, text: Any) -> Any:
        from sqlalchemy import func

        return func.regexp_matches(text, _BARRED)

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
