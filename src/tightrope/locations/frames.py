"""Positions in frames of pandas, Polars, Arrow, DuckDB or GeoPandas, columns by name, or pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from sys import modules
from typing import Any

import numpy as np
import pyarrow as pa

from tightrope.errors import BadTable
from tightrope.locations.rows import Rows, numbers, pairs, position_columns
from tightrope.tables import Relation, arrow_of, frame_of, gathered, released


def frame_rows(
    frame: Any, lon: str | None, lat: str | None, keep: Sequence[str]
) -> tuple[Rows, Callable[[Rows], Any]]:
    """The positions of a frame, and what makes a frame of the same kind from new ones.

    The new frame has the position and the columns that stay, and no index of the old one.
    """
    if hasattr(frame, "geometry") and hasattr(frame, "crs") and lon is None and lat is None:
        return _geo_rows(frame, keep)
    if isinstance(frame, np.ndarray) or (isinstance(frame, list | tuple) and lon is None):
        return _pair_rows(frame, keep)
    frame = gathered(frame)
    known = frame_of(frame, [])
    names = position_columns(known.names, lon, lat, "the frame")
    wanted = [*names, *keep]
    read = frame_of(frame, wanted, read=names)
    for name in wanted:
        read.position(name)
    x, y = (numbers(read.table.column(name)) for name in names)
    rows = Rows(x, y, read.table.select(list(keep)), names)
    return rows, lambda new: _as_given(frame, new)


def _pair_rows(given: Any, keep: Sequence[str]) -> tuple[Rows, Callable[[Rows], Any]]:
    """Pairs of longitude and latitude: a list of them, or an array of two columns.

    What is no pair in a list is a row without a position.
    """
    if keep or (isinstance(given, np.ndarray) and (given.ndim != 2 or given.shape[1] != 2)):
        raise BadTable("expected a file, a frame, or pairs of longitude and latitude without "
                       "other columns.")
    x, y = pairs(map(_pair, given))

    def rebuild(rows: Rows) -> Any:
        if isinstance(given, np.ndarray):
            return np.stack([rows.lon, rows.lat], axis=1)
        return list(zip(rows.lon.tolist(), rows.lat.tolist(), strict=True))

    return Rows(x, y, pa.table({})), rebuild


def _pair(given: Any) -> tuple[Any, Any]:
    is_pair = isinstance(given, list | tuple | np.ndarray) and len(given) == 2
    return (given[0], given[1]) if is_pair else (None, None)


def _as_given(frame: Any, rows: Rows) -> Any:
    table = rows.table()
    if isinstance(frame, Relation):
        return released(Relation(table))
    if isinstance(frame, pa.Table):
        return table
    if isinstance(frame, Mapping):
        given = {name: frame[name] for name in table.column_names}
        return {name: np.array(cells) if isinstance(given[name], np.ndarray) else cells
                for name, cells in table.to_pydict().items()}
    import narwhals as nw

    space = nw.get_native_namespace(nw.from_native(frame, eager_only=True))
    return nw.from_arrow(table, backend=space).to_native()


def _geo_rows(frame: Any, keep: Sequence[str]) -> tuple[Rows, Callable[[Rows], Any]]:
    """A GeoDataFrame of points in longitude and latitude."""
    if frame.crs is None or frame.crs.to_epsg() != 4326:
        raise BadTable("expected a GeoDataFrame in longitude and latitude: call to_crs(4326).")
    points = [(shape.x, shape.y) if getattr(shape, "geom_type", "") == "Point"
              and not shape.is_empty else (np.nan, np.nan) for shape in frame.geometry]
    pairs = np.array(points, dtype=np.float64).reshape(-1, 2)
    for name in keep:
        if name not in frame.columns:
            raise BadTable(f"the frame has no column {name!r}.")
    columns = pa.table({name: arrow_of(frame[name], read=False) for name in keep})

    def rebuild(rows: Rows) -> Any:
        geopandas = modules[type(frame).__module__.partition(".")[0]]  # whose frame it is
        kept = rows.columns.to_pandas()
        points = geopandas.points_from_xy(rows.lon, rows.lat)
        return geopandas.GeoDataFrame(kept, geometry=points, crs=4326)

    return Rows(pairs[:, 0].copy(), pairs[:, 1].copy(), columns), rebuild
