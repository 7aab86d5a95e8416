"""All that a new table has in clear: columns that are kept or not dropped, index, order of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from tightrope.characters import few
from tightrope.errors import BadInput
from tightrope.tables.frames import columns_in, gathered, select_columns
from tightrope.tables.tables import BATCH_ROWS, FileTable, Table

ORDER: Final = "(order of rows)"
INDEX: Final = "(index)"
SORTED: Final = (
    "The order of rows is as it was: a table that is sorted by what is protected gives it away."
)


@dataclass(frozen=True)
class Keeping:
    """The names of columns in clear to keep or to drop, and those to randomize, which stay."""

    keep: tuple[str, ...] | None
    drop: tuple[str, ...]
    drawn: tuple[str, ...]

    @classmethod
    def of(
        cls, keep: str | Sequence[str] | None, drop: str | Sequence[str] | None,
        drawn: Sequence[str],
    ) -> Keeping:
        """Checked: one of both at most, and no column to randomize is dropped."""
        if keep is not None and drop is not None:
            raise BadInput("name the columns in clear to keep, or those to drop, not both.")
        kept = None if keep is None else _names(keep)
        dropped = _names(drop or ())
        if both := [name for name in dropped if name in drawn]:
            raise BadInput(f"column {both[0]!r} is to be randomized and dropped; decide on one.")
        return cls(kept, dropped, tuple(drawn))

    @property
    def everything(self) -> bool:
        """Whether all columns stay."""
        return self.keep is None and not self.drop

    def names(self, table: Any, known: Sequence[str]) -> list[str]:
        """The columns of the new table, in their order; `table` refuses unknown names."""
        for name in (*(self.keep or ()), *self.drop, *self.drawn):
            table.position(name)
        return [name for name in known if name in self.drawn or (
            name not in self.drop if self.keep is None else name in self.keep)]

    def of_file(self, table: FileTable) -> Table:
        """The table of a file with these columns alone."""
        if self.everything:
            return table
        return NarrowTable(table, tuple(self.names(table, list(table.schema.names))))

    def of_frame(self, table: Any) -> Any:
        """A table in memory, of the same kind, with these columns alone."""
        table = gathered(table)
        if self.everything:
            return table
        return select_columns(table, self.names_in(table))

    def names_in(self, table: Any) -> list[str]:
        """The columns of the new table, of a table in memory."""
        known = columns_in(gathered(table))
        if known is None:
            raise BadInput("a single column has no others to keep or drop.")
        return self.names(_Names(tuple(known)), known)

    def of_spark(self, frame: Any) -> Any:
        """A frame of Spark with these columns alone."""
        if self.everything:
            return frame
        known = list(frame.columns)
        chosen = self.names(_Names(tuple(known)), known)
        return frame.select(*(f"`{name.replace('`', '``')}`" for name in chosen))


@dataclass(frozen=True)
class _Names:
    """The names of columns that may be told."""

    names: tuple[str, ...]

    def position(self, column: str) -> int:
        if column not in self.names:
            raise BadInput(f"the table has no column {column!r}; its columns are "
                           f"{few(self.names)}.")
        return self.names.index(column)


@dataclass(frozen=True)
class NarrowTable:
    """A table in a file, with these of its columns alone."""

    table: FileTable
    names: tuple[str, ...]

    @property
    def path(self) -> str:
        """The name of the file."""
        return self.table.path

    @property
    def codec(self) -> str:
        """How the file is compressed."""
        return self.table.codec

    @property
    def schema(self) -> pa.Schema:
        """The columns that stay."""
        return pa.schema([self.table.schema.field(name) for name in self.names])

    def position(self, column: str) -> int:
        """Where a column stands among those that stay; unknown names are refused by the file."""
        self.table.position(column)
        return self.names.index(column)

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        encoded: Sequence[str] = (),
        batch_rows: int = BATCH_ROWS,
    ) -> Iterator[pa.RecordBatch]:
        """The rows in order, all columns that stay or those named."""
        chosen = self.names if columns is None else columns
        return self.table.batches(chosen, encoded=encoded, batch_rows=batch_rows)


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise BadInput("expected the names of columns, as in [\"age\", \"sex\"].")
    return (given,) if isinstance(given, str) else tuple(given)


def clear_of(
    names: Sequence[str], drawn: Sequence[str], *, index: bool = False, shuffle: bool = False
) -> tuple[str, ...]:
    """All that stays in clear: columns, the index of a frame, and the order of rows.

    >>> clear_of(["id", "vote"], ["vote"])
    ('id', '(order of rows)')
    """
    return (*(name for name in names if name not in drawn), *[INDEX] * index,
            *[ORDER] * (not shuffle))
