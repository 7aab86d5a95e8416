"""Points in Parquet: columns of longitude and latitude, or GeoParquet with points in WKB."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from tightrope.errors import BadTable
from tightrope.exact import FloatArray
from tightrope.locations.rows import Rows

_POINT = np.dtype([("order", "u1"), ("kind", "<u4"), ("x", "<f8"), ("y", "<f8")])


def geometry_column(schema: pa.Schema, where: str) -> str | None:
    """The primary column of a GeoParquet file, if it is one with longitude and latitude."""
    about = (schema.metadata or {}).get(b"geo")
    if about is None:
        return None
    try:
        metadata = json.loads(about)
        name = metadata["primary_column"]
        column = metadata["columns"][name]
        wkb, crs = column["encoding"] == "WKB", column.get("crs")
    except (ValueError, KeyError, TypeError):
        raise BadTable(f"{where} has metadata of GeoParquet that cannot be read.") from None
    code = (crs.get("id") or {}).get("code") if isinstance(crs, Mapping) else None
    if not wkb or (crs is not None and str(code) not in ("4326", "CRS84")):
        raise BadTable(f"{where} has geometries that are no WKB in longitude and latitude (WGS84).")
    return str(name)


def points_of(column: pa.ChunkedArray) -> tuple[FloatArray, FloatArray]:
    """Longitude and latitude of points in WKB; not a number for any other geometry."""
    points = np.full((len(column), 2), np.nan)
    for place, cell in enumerate(column.to_pylist()):
        if isinstance(cell, bytes) and len(cell) >= 21 and cell[0] in (0, 1):
            order = "<" if cell[0] else ">"
            kind = int(np.frombuffer(cell, f"{order}u4", 1, 1)[0])
            if kind in (1, 1001, 2001, 3001, 0x80000001):
                points[place] = np.frombuffer(cell, f"{order}f8", 2, 5)
    return points[:, 0].copy(), points[:, 1].copy()


def with_points(rows: Rows, about: Mapping[str, Any]) -> pa.Table:
    """A table of GeoParquet: the columns, and points made from the longitudes and latitudes."""
    points = np.empty(len(rows.lon), dtype=_POINT)
    points["order"], points["kind"] = 1, 1
    points["x"], points["y"] = rows.lon, rows.lat
    packed = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(_POINT.itemsize), len(points), [None, pa.py_buffer(points.tobytes())])
    table = rows.table().append_column("geometry", packed.cast(pa.binary()))
    geo = {"version": "1.1.0", "primary_column": "geometry",
           "columns": {"geometry": {"encoding": "WKB", "geometry_types": ["Point"]}}}
    return table.replace_schema_metadata({"geo": json.dumps(geo), "tightrope": json.dumps(about)})
