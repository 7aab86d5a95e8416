"""Tables in memory: frames of any library, columns by name, or one column alone.

A frame of pandas, Polars, Arrow or another library that Narwhals knows is read as it is, and
answered in the same kind: only the columns that were drawn are new, and an index stays, in clear.
A new column is made from declared values and drawn numbers alone: no type, category or metadata of
the old one is kept. A mapping of names to lists or arrays is answered with such a mapping, a list,
an array or a Series with one. A lazy frame is refused: its plan could be run, and draw, twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pyarrow as pa

from tightrope.declarations import as_text
from tightrope.errors import BadTable
from tightrope.exact import IntArray
from tightrope.tables.cells import arrow_of
from tightrope.tables.tables import BATCH_ROWS, position_in

ALONE: Final = "value"
"""The name of a column that came without one."""


@dataclass(frozen=True, eq=False)
class FrameTable:
    """A table in memory: those of its columns that are asked for, and the names of all.

    `rebuild` makes a table of the same kind in which these columns are replaced. `index` says
    that rows have labels of their own, which stay in clear.
    """

    table: pa.Table
    names: tuple[str, ...]
    rebuild: Callable[[pa.Table], Any]
    index: bool = False
    path: str = "the table"
    codec: str = "SNAPPY"

    @property
    def schema(self) -> pa.Schema:
        """The names and types of the columns that are asked for."""
        return self.table.schema

    def position(self, column: str) -> int:
        """Where a column stands; an unknown or ambiguous name is refused."""
        position_in(self.names, column, self.path)
        return int(self.table.column_names.index(column))

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        encoded: Sequence[str] = (),
        batch_rows: int = BATCH_ROWS,
    ) -> Iterator[pa.RecordBatch]:
        """The rows in order, all columns or those named."""
        chosen = self.table if columns is None else self.table.select(list(columns))
        yield from chosen.combine_chunks().to_batches(max_chunksize=batch_rows)


def name_alone(column: Any) -> str | None:
    """The name of a single column, None for a table of several.

    >>> name_alone(["no", "yes"]), name_alone({"answer": ["no", "yes"]})
    ('value', None)
    """
    if isinstance(column, list | tuple | np.ndarray | pa.Array | pa.ChunkedArray):
        return ALONE
    if isinstance(column, pa.Table | Mapping | Relation):
        return None
    frame = _narwhals(column)
    return None if hasattr(frame, "columns") else str(frame.name or ALONE)


Texts = Mapping[str, Callable[[Any], str | None]]
"""How cells of no stored type become texts, by the names of their columns."""


def frame_of(
    table: Any, columns: Sequence[str] | None = None, *, read: Sequence[str] | None = None,
    texts: Texts | None = None,
) -> FrameTable:
    """A table in memory, whatever holds it: only these columns, if any are named.

    Cells of the columns to `read` (all, if not named) are judged one by one: where no type is
    stored apart from them, they become their texts, some by functions of their own (`texts`).

    >>> frame_of({"answer": ["no", "yes"], "age": np.array([30, 41])}).names
    ('answer', 'age')

    Raises `BadTable` for what is no table.
    """
    table = gathered(table)
    if isinstance(table, Relation):
        frame = frame_of(table.rows, columns)
        return replace(frame, rebuild=lambda new: Relation(_replace(table.rows, new)))
    if isinstance(table, pa.Table):
        names, asked = _check_names(table.column_names, columns)
        return FrameTable(table.select(asked), names, lambda new: _replace(table, new))
    if isinstance(table, Mapping):
        names, asked = _check_names(table, columns)
        cells = _arrow({name: table[name] for name in asked}, read, texts or {})
        return FrameTable(cells, names, lambda new: {**table, **_lists(new, table)})
    if isinstance(table, list | tuple | np.ndarray | pa.Array | pa.ChunkedArray):
        column = {ALONE: table}
        cells = _arrow(column, None, texts or {})
        return FrameTable(cells, (ALONE,), lambda new: _lists(new, column)[ALONE])
    return _native(table, columns, read, texts or {})


def _check_names(
    names: Sequence[Any] | Mapping[Any, Any], columns: Sequence[str] | None
) -> tuple[tuple[str, ...], list[str]]:
    """All names, and those of the columns to read: others are refused where they are used."""
    known = tuple(names)
    if not all(isinstance(name, str) for name in known):
        raise BadTable("expected columns whose names are texts.")
    wanted = known if columns is None else [name for name in columns if known.count(name) == 1]
    return known, list(wanted)


def _arrow(
    columns: Mapping[str, Any], read: Sequence[str] | None, texts: Texts
) -> pa.Table:
    arrays = {name: arrow_of(column, read=read is None or name in read,
                             text=texts.get(name, as_text))
              for name, column in columns.items()}
    if len({len(column) for column in arrays.values()}) > 1:
        raise BadTable("expected columns of equal length.")
    return pa.table(arrays)


def _lists(new: pa.Table, old: Mapping[str, Any]) -> dict[str, Any]:
    """Drawn columns as lists or arrays, whatever the old ones were."""
    made: dict[str, Any] = {}
    for name in new.column_names:
        column, was = new.column(name), old[name]
        if isinstance(was, np.ndarray):
            made[name] = np.array(column.to_pylist())
        elif isinstance(was, pa.Array):
            made[name] = column.combine_chunks()
        else:
            made[name] = column if isinstance(was, pa.ChunkedArray) else column.to_pylist()
    return made


def _replace(table: pa.Table, new: pa.Table) -> pa.Table:
    columns = [new.column(name) if name in new.column_names else table.column(place)
               for place, name in enumerate(table.column_names)]
    # without metadata, which may tell of the columns as they were
    return pa.Table.from_arrays(columns, table.column_names)


def _narwhals(table: Any) -> Any:
    """A frame or a Series of another library, as Narwhals knows it."""
    import narwhals as nw

    try:
        return nw.from_native(table, eager_only=True, allow_series=True)
    except TypeError:
        raise BadTable(
            "expected the name of a file, a frame in memory (collect a lazy one first), columns "
            f"by name or a list, found {type(table).__name__}."
        ) from None
    except nw.exceptions.NarwhalsError:
        raise BadTable("several columns of the table have the same name.") from None


def _native(
    table: Any, columns: Sequence[str] | None, read: Sequence[str] | None, texts: Texts
) -> FrameTable:
    native = _narwhals(table)
    alone = not hasattr(native, "columns")
    frame = native.alias(name_alone(table)).to_frame() if alone else native
    names, asked = _check_names(frame.columns, columns)
    columns_alone = {name: frame[name].to_native() for name in asked}  # without an index
    cells = _arrow(columns_alone, read, texts)

    def rebuild(new: pa.Table) -> Any:
        drawn = (_series(new.column(name), frame[name]) for name in new.column_names)
        made = frame.with_columns(*drawn)
        return made[names[0]].alias(native.name).to_native() if alone else made.to_native()

    return FrameTable(cells, names, rebuild, _labels_rows(native))


def _labels_rows(frame: Any) -> bool:
    """Whether a frame of pandas has an index that is not the plain count of its rows."""
    if not frame.implementation.is_pandas():
        return False
    import pandas

    index = frame.to_native().index
    return not (type(index) is pandas.RangeIndex and index.start == 0 and index.step == 1
                and index.name is None)


def permute(table: Any, order: IntArray) -> Any:
    """A table in memory with its rows in this order; a plain count of rows begins anew.

    >>> permute({"a": ["x", "y"], "b": np.array([1, 2])}, np.array([1, 0]))
    {'a': ['y', 'x'], 'b': array([2, 1])}
    """
    if isinstance(table, Relation):
        return Relation(permute(table.rows, order))
    if isinstance(table, Mapping):
        return {name: permute(column, order) for name, column in table.items()}
    if isinstance(table, list | tuple):
        return [table[place] for place in order]
    if isinstance(table, np.ndarray):
        return table[order]
    if isinstance(table, pa.Table | pa.Array | pa.ChunkedArray):
        return table.take(pa.array(order))
    frame = _narwhals(table)
    if not frame.implementation.is_pandas():
        return frame[order.tolist()].to_native()
    moved = table.iloc[order]
    return moved if _labels_rows(frame) else moved.reset_index(drop=True)


def _series(column: pa.ChunkedArray, old: Any) -> Any:
    """A drawn column as a Series of the same library; in pandas, with the old index."""
    import narwhals as nw

    if old.implementation.is_pandas():
        import pandas

        kinds = {pa.int64(): pandas.Int64Dtype(), pa.bool_(): pandas.BooleanDtype()}
        values = column.to_pandas(types_mapper=kinds.get if column.null_count else None).array
        made = pandas.Series(values, old.to_native().index)
        return nw.from_native(made, series_only=True).alias(old.name)
    return nw.from_arrow(pa.table({old.name: column}), backend=old.implementation)[old.name]


def gathered(table: Any) -> Any:
    """A relation of DuckDB as a `Relation`, read once; anything else as it is.

    A relation is a plan, which could be run, and draw, twice.
    """
    if type(table).__name__ != "DuckDBPyRelation":
        return table
    import duckdb

    try:
        return Relation(table.to_arrow_table())
    except duckdb.Error:  # its words may quote a cell
        raise BadTable("the relation of DuckDB cannot be read.") from None


@dataclass(frozen=True, eq=False)
class Relation:
    """The rows of a relation of DuckDB, read once."""

    rows: pa.Table


def released(table: Any) -> Any:
    """A new table as its users know it: rows of a relation in DuckDB's default connection."""
    if not isinstance(table, Relation):
        return table
    import duckdb

    return duckdb.from_arrow(table.rows)


def columns_in(table: Any) -> list[str] | None:
    """The names of the columns of a table in memory, None for a single column."""
    if isinstance(table, Relation):
        return list(table.rows.column_names)
    if name_alone(table) is not None:
        return None
    return list(table.column_names if isinstance(table, pa.Table) else
                table if isinstance(table, Mapping) else _narwhals(table).columns)


def select_columns(table: Any, names: Sequence[str]) -> Any:
    """A table in memory with these columns alone, of the same kind."""
    if isinstance(table, Relation):
        return Relation(table.rows.select(list(names)))
    if isinstance(table, pa.Table):
        return table.select(list(names))
    if isinstance(table, Mapping):
        return {name: table[name] for name in names}
    return _narwhals(table)[list(names)].to_native()
