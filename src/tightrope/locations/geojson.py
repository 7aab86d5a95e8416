"""Points of GeoJSON, read and written; whatever else a file says of a position is left out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tightrope.errors import BadInput, BadTable
from tightrope.files import StrPath, read_bytes
from tightrope.locations.rows import Rows, listed_columns, pairs

_DEEPEST = 64
"""Levels within a cell that is kept; a deeper one is missing."""
_TOO_DEEP = _DEEPEST + 5  # below a collection, its list, a feature, its properties and a cell
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]]', re.DOTALL)
_WGS84 = ("crs84", "epsg::4326", "epsg:4326")


def read_geojson(path: StrPath) -> Any:
    """The content of a public file of GeoJSON."""
    try:
        return json.loads(read_bytes(path).decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise BadInput(f"{path} is no GeoJSON.", path=str(path)) from None


def parse_geojson(content: bytes, keep: Sequence[str], where: str) -> Rows:
    """The points of a collection of features; other geometries are unusable rows."""
    collection = _parse(content.decode("utf-8-sig", errors="replace"))
    match collection:
        case {"type": "FeatureCollection", "features": list() as features}:
            pass
        case {"type": "Feature"}:
            features = [collection]
        case _:
            raise BadTable(f"{where} is no GeoJSON collection of features.", path=where)
    crs = collection.get("crs")
    if crs is not None and not (
        _is_flat(crs) and json.dumps(crs).lower().rstrip('"} ').endswith(_WGS84)
    ):
        raise BadTable(f"{where} states another reference system than longitude and latitude "
                       "(WGS84); expected one without crs.", path=where)
    lon, lat = pairs(map(_point, features))
    return Rows(lon, lat, listed_columns(features, keep, _property))


def _parse(text: str) -> Any:
    """The value of a text of JSON, however deep; None if it is no JSON."""
    try:
        return json.loads(text, parse_int=_whole)
    except ValueError:
        return None
    except RecursionError:  # one feature must not decide about the others
        shallow = _shallow(text)
        return None if shallow is None else _parse(shallow)


def _shallow(text: str) -> str | None:
    """The same text with empty lists for what is nested deeper than any cell that is kept."""
    parts, depth, start = [], 0, 0
    for mark in _MARKS.finditer(text):
        if mark[0] in ("{", "["):
            depth += 1
            if depth == _TOO_DEEP:
                parts.append(text[start : mark.start()] + "[]")
        elif mark[0] in ("}", "]"):
            if depth == _TOO_DEEP:
                start = mark.end()
            depth -= 1
    return "".join([*parts, text[start:]]) if parts and depth == 0 else None


def _is_flat(value: Any) -> bool:
    """Whether something is nested no deeper than cells that are kept."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [part for whole in level if isinstance(whole, dict | list)
                 for part in (whole.values() if isinstance(whole, dict) else whole)]
        if not level:
            return True
    return not any(isinstance(part, dict | list) for part in level)


def _whole(digits: str) -> float:
    """A whole number; beyond all positions where it is too long to be one."""
    return int(digits) if len(digits) < 20 else float(digits)


def _point(feature: Any) -> tuple[object, object]:
    match feature:
        case {"geometry": {"type": "Point", "coordinates": [lon, lat, *_]}}:
            return (lon, lat) if _is_number(lon) and _is_number(lat) else (None, None)
        case _:
            return None, None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _property(feature: Any, name: str) -> object:
    properties = feature.get("properties") if isinstance(feature, Mapping) else None
    value = properties.get(name) if isinstance(properties, Mapping) else None
    if not isinstance(value, dict | list | bool):
        return value
    return json.dumps(value) if _is_flat(value) else None


def render_geojson(rows: Rows, about: Mapping[str, Any]) -> bytes:
    """A collection of points with the columns that stay, and what was promised of them."""
    columns = {name: rows.columns.column(name).to_pylist() for name in rows.columns.column_names}
    lines = []
    for place, (lon, lat) in enumerate(zip(rows.lon.tolist(), rows.lat.tolist(), strict=True)):
        properties = {name: cells[place] for name, cells in columns.items()}
        point = {"type": "Point", "coordinates": [lon, lat]}
        lines.append(json.dumps({"type": "Feature", "geometry": point, "properties": properties}))
    head = f'{{"type": "FeatureCollection", "tightrope": {json.dumps(about)}, "features": [\n'
    return (head + ",\n".join(lines) + "\n]}\n").encode()
