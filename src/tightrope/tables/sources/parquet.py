"""A Parquet file: names and types as Arrow has them, many rows added up by DuckDB.

Where each row is a unit and every column that matters has a type that both engines read alike,
DuckDB counts a large file in a connection of its own. Small files, people's rows, other types and
whatever DuckDB refuses are read in batches by Arrow; the statistic is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from tightrope.declarations import CutKey, KeyTally, Tallied, Tally
from tightrope.errors import SystemFailed
from tightrope.tables.sources.batches import BatchSource, Snapshot, columns_of, naming_of
from tightrope.tables.sources.typed import Kind
from tightrope.tables.tables import is_text

LARGE = 2**20
"""Rows from which on starting another engine takes less time than it saves."""

_PATTERN = frozenset("*?[")  # in the name of a file, marks of a pattern to DuckDB


@dataclass(frozen=True)
class ParquetSource:
    """The rows of a Parquet file, in batches, and how many the file states."""

    path: str
    rows: int
    arrow: BatchSource

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return self.arrow.names

    @property
    def types(self) -> Mapping[str, Any] | None:
        """The types of the columns, as Arrow names them."""
        return self.arrow.types

    def tallies(self, tallies: Sequence[Tally], key: CutKey) -> tuple[Tallied, ...]:
        """The exact statistics of several requests, in one pass over the rows."""
        if self.rows >= LARGE and not naming_of(tallies) and not _PATTERN & {*self.path}:
            with suppress(SystemFailed):  # such as a text that is no UTF-8
                statistics = self._by_duckdb(tallies, key)
                if statistics is not None:
                    return statistics
        return self.arrow.tallies(tallies, key)

    def count_keys(self, tally: KeyTally, key: CutKey) -> dict[str, int]:
        """The units of each key, in one pass."""
        return self.arrow.count_keys(tally, key)

    def snapshot(
        self, tallies: Sequence[Tally], keyed: Sequence[KeyTally], key: CutKey
    ) -> Snapshot:
        """The exact statistics and the units of keys, in one pass over the rows."""
        return self.arrow.snapshot(tallies, keyed, key)

    def _by_duckdb(self, tallies: Sequence[Tally], key: CutKey) -> tuple[Tallied, ...] | None:
        """The statistics by DuckDB; None where it reads a column otherwise than Arrow."""
        import duckdb

        from tightrope.tables.sources.duck import OPTIMIZERS, DuckSource, translating_errors

        assert self.types is not None
        with TemporaryDirectory() as private, translating_errors(), duckdb.connect(
            config={"temp_directory": private, **OPTIMIZERS}
        ) as connection:
            source = DuckSource(connection.read_parquet(self.path, hive_partitioning=False))
            kinds = source.kinds
            if source.names != self.names or not all(
                is_alike(self.types[name], kinds[name]) for name in columns_of(tallies)
            ):
                return None
            return source.add_up(tallies, key)


def is_alike(type_: pa.DataType, kind: Kind | None) -> bool:
    """Whether cells of a type of Arrow mean the same as cells of a kind of DuckDB."""
    of = pa.types
    if of.is_integer(type_):
        return kind is Kind.WHOLE
    if of.is_boolean(type_):
        return kind is Kind.TRUTH
    if is_text(type_):
        return kind is Kind.TEXT
    return (of.is_float64(type_) and kind is Kind.DOUBLE) or (
        of.is_float32(type_) and kind is Kind.SINGLE)
