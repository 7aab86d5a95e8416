"""Regions as they are declared: a box in degrees, corners, a GeoJSON file, a country."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tightrope.errors import BadInput, BadSpace
from tightrope.locations.countries import country
from tightrope.locations.geojson import read_geojson
from tightrope.spaces import Region

_BOX: Final = re.compile(r"\s*[-+0-9.e/]+(\s*,\s*[-+0-9.e/]+){3}\s*", re.ASCII)
_WORLD: Final = ("world", "earth", "globe")


def region_of(given: Any) -> Region:
    """The region that is meant: never one that was read off the data.

    Text is a box west,south,east,north in degrees, the name of a country, or that of a file that
    ends in .geojson or .json; a list has the four sides of a box, or corners (lon, lat); a
    mapping is GeoJSON, or names the sides.

    >>> region_of("-4,40,-3,41") == region_of([-4, 40, -3, 41])
    True
    >>> region_of([(-4, 40), (-3, 40), (-3.5, 41)]).text
    'polygon of 3 corners in -4,40,-3,41'
    """
    if isinstance(given, Region):
        return given
    if isinstance(given, Path) or (isinstance(given, str) and _is_file(given)):
        return _geojson(read_geojson(given))
    if isinstance(given, str):
        if _BOX.fullmatch(given):
            return Region.box(*given.split(","))
        if given.strip().lower() in _WORLD:
            raise BadInput(
                "the whole world has no plane, and no mechanism on the sphere is offered; expected "
                "a region such as a country, or west,south,east,north in degrees."
            )
        return country(given)
    if isinstance(given, Mapping):
        sides = [given.get(name) for name in ("west", "south", "east", "north")]
        return _geojson(given) if None in sides else Region.box(*sides)
    parts = list(given) if hasattr(given, "__iter__") else []
    if len(parts) == 4 and not any(hasattr(side, "__len__") for side in parts):
        return Region.box(*parts)
    if parts:
        return Region((tuple(parts),))
    raise BadInput(
        "expected a region: west,south,east,north in degrees, a country, corners (lon, lat), or "
        "a GeoJSON file."
    )


def _is_file(text: str) -> bool:
    return text.lower().endswith((".geojson", ".json"))


def _geojson(content: Any) -> Region:
    """The outer rings of all polygons."""
    rings = list(_outer(content, 0))
    if not rings:
        raise BadSpace("the GeoJSON of the region holds no polygon.")
    try:
        return Region(tuple(tuple((corner[0], corner[1]) for corner in _without_last(ring))
                            for ring in rings))
    except (TypeError, IndexError, KeyError):
        raise BadSpace("the GeoJSON of the region has a corner that is no position.") from None


def _without_last(ring: list[Any]) -> list[Any]:
    return ring[:-1] if len(ring) > 3 and ring[0] == ring[-1] else ring


def _outer(content: Any, depth: int) -> Any:
    match content:
        case _ if depth > 20:
            raise BadSpace("the GeoJSON of the region is nested too deep.")
        case {"type": "FeatureCollection", "features": list() as parts}:
            for part in parts:
                yield from _outer(part, depth + 1)
        case {"type": "GeometryCollection", "geometries": list() as parts}:
            for part in parts:
                yield from _outer(part, depth + 1)
        case {"type": "Feature", "geometry": part}:
            yield from _outer(part, depth + 1)
        case {"type": "Polygon", "coordinates": [list() as ring, *_]}:
            yield ring
        case {"type": "MultiPolygon", "coordinates": list() as polygons}:
            for polygon in polygons:
                yield from _outer({"type": "Polygon", "coordinates": polygon}, depth + 1)
