"""Points of GeoJSON, read and written; whatever else a file says of a position is left out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tightrope.applications.locations.rows import Rows, listed_columns, pairs
from tightrope.errors import BadTable

_WGS84 = ("crs84", "epsg::4326", "epsg:4326")


def parse_geojson(content: bytes, keep: Sequence[str], where: str) -> Rows:
    """The points of a collection of features; other geometries are unusable rows."""
    try:
        held = json.loads(content.decode("utf-8-sig", errors="replace"), parse_int=_whole)
    except (ValueError, RecursionError):
        held = None
    match held:
        case {"type": "FeatureCollection", "features": list() as features}:
            pass
        case {"type": "Feature"}:
            features = [held]
        case _:
            raise BadTable(f"{where} is no GeoJSON collection of features.", path=where)
    if not features:
        raise BadTable(f"{where} has no features.", path=where)
    crs = held.get("crs")
    if crs is not None and not json.dumps(crs).lower().rstrip('"} ').endswith(_WGS84):
        raise BadTable(f"{where} states another reference system than longitude and latitude "
                       "(WGS84); expected one without crs.", path=where)
    lon, lat = pairs(map(_point, features))
    return Rows(lon, lat, listed_columns(features, keep, _property))


def _whole(digits: str) -> float:
    """A whole number; beyond all positions where it is too long to be one."""
    return int(digits) if len(digits) < 20 else float(digits)


def _point(feature: Any) -> tuple[object, object]:
    match feature:
        case {"geometry": {"type": "Point", "coordinates": [lon, lat, *_]}}:
            return (None, None) if isinstance(lon, str) or isinstance(lat, str) else (lon, lat)
        case _:
            return None, None


def _property(feature: Any, name: str) -> object:
    held = feature.get("properties") if isinstance(feature, Mapping) else None
    found = held.get(name) if isinstance(held, Mapping) else None
    return json.dumps(found) if isinstance(found, dict | list | bool) else found


def render_geojson(rows: Rows, about: Mapping[str, Any]) -> bytes:
    """A collection of points with the columns that stay, and what was promised of them."""
    columns = {name: rows.columns.column(name).to_pylist() for name in rows.columns.column_names}
    lines = []
    for place, (lon, lat) in enumerate(zip(rows.lon.tolist(), rows.lat.tolist(), strict=True)):
        held = {name: cells[place] for name, cells in columns.items()}
        point = {"type": "Point", "coordinates": [lon, lat]}
        lines.append(json.dumps({"type": "Feature", "geometry": point, "properties": held}))
    head = f'{{"type": "FeatureCollection", "tightrope": {json.dumps(about)}, "features": [\n'
    return (head + ",\n".join(lines) + "\n]}\n").encode()
