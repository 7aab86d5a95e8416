"""Where outputs may lie: points, lines (roads) and polygons that are public, and moving there.

An output that is in no polygon is moved to the nearest allowed point; lines and the edges of
polygons are taken as points close to each other. Only outputs are read, so it costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from tightrope.errors import BadInput
from tightrope.exact import FloatArray
from tightrope.files import extension
from tightrope.locations.formats import read_rows
from tightrope.locations.geojson import read_geojson
from tightrope.spaces import Region, in_space, usable

Line = FloatArray
"""Longitudes and latitudes of corners, a row for each."""
REGION: Final = "region"
_MOST: Final = 2_000_000
_LINES: Final = {"Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2,
                 "Polygon": 2, "MultiPolygon": 3}
"""How deep the corners of a geometry are nested."""


@dataclass(frozen=True, eq=False)
class Allowed:
    """Points and polygons in degrees; outputs outside all polygons move to the nearest point.

    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> allowed = Allowed(square, (square,))
    >>> x, y = allowed.move(np.array([0.5, 3.0]), np.array([0.25, 0.9]))
    >>> x.tolist(), y.tolist()
    ([0.5, 1.0], [0.25, 1.0])
    """

    points: FloatArray
    polygons: tuple[Line, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.points):
            raise BadInput("expected at least one point, line or polygon where outputs may lie.")
        if len(self.points) > _MOST:
            raise BadInput(f"expected at most {_MOST:,} points where outputs may lie.")

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree

        return cKDTree(np.stack(in_space(*self.points.T.copy()), axis=1))

    def move(self, lon: FloatArray, lat: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Outputs, moved to where they may lie; the nearest point through the Earth is taken."""
        out = np.flatnonzero(~self._inside(lon, lat))
        moved = lon.copy(), lat.copy()
        if len(out):
            _, near = self._tree.query(np.stack(in_space(lon[out], lat[out]), axis=1))
            moved[0][out], moved[1][out] = self.points[near].T
        return moved

    def _inside(self, lon: FloatArray, lat: FloatArray) -> Any:
        """Which outputs are in some polygon, by how often a line to the east crosses its edges."""
        inside = np.zeros(len(lon), dtype=np.bool_)
        for ring in self.polygons:
            low, high = ring.min(axis=0), ring.max(axis=0)
            x = np.where(lon < low[0], lon + 360, lon)  # across the antimeridian
            near = np.flatnonzero((x <= high[0]) & (lat >= low[1]) & (lat <= high[1]) & ~inside)
            odd, a, b = np.zeros(len(near), dtype=np.bool_), x[near], lat[near]
            for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
                if y0 != y1:
                    odd ^= ((y0 > b) != (y1 > b)) & (a < x0 + (b - y0) * (x1 - x0) / (y1 - y0))
            inside[near] = odd
        return inside


def allowed_of(given: Any, region: Region, spacing: float) -> Allowed:
    """Where outputs may lie: a file, GeoJSON, the word "region", or points (lon, lat).

    Lines and edges become points at most `spacing` meters apart.

    >>> allowed_of([(-3.7, 40.4)], Region.box(-4, 40, -3, 41), 10).points.tolist()
    [[-3.7, 40.4]]
    """
    if isinstance(given, Allowed):
        return given
    if isinstance(given, str) and given == REGION:
        rings = [np.stack(ring, axis=1) for ring in region.outline()]
        return _allow([(2, ring) for ring in rings], spacing)
    if isinstance(given, Mapping):
        return _allow(list(_shapes(given, 0)), spacing)
    if isinstance(given, str | Path):
        if extension(given) in (".geojson", ".json"):
            return _allow(list(_shapes(read_geojson(given), 0)), spacing)
        rows = read_rows(given)
        fits = rows.usable
        return _allow([(0, np.stack([rows.lon[fits], rows.lat[fits]], axis=1))], spacing)
    return _allow([(0, _corners(given))], spacing)


def _shapes(content: Any, depth: int) -> Iterator[tuple[int, Line]]:
    """Points, lines and rings of GeoJSON, each with its kind: 0, 1 and 2."""
    match content:
        case _ if depth > 20:
            raise BadInput("the GeoJSON of allowed places is nested too deep.")
        case ({"type": "FeatureCollection", "features": list() as parts}
              | {"type": "GeometryCollection", "geometries": list() as parts}):
            for part in parts:
                yield from _shapes(part, depth + 1)
        case {"type": "Feature", "geometry": part}:
            yield from _shapes(part, depth + 1)
        case {"type": str() as kind, "coordinates": list() as corners} if kind in _LINES:
            sort = 2 if "Polygon" in kind else 1 if "Line" in kind else 0
            for line in _lines(corners, _LINES[kind]):
                yield sort, _corners(line)


def _lines(corners: Any, depth: int) -> Iterator[Any]:
    if depth <= 1:
        yield corners if depth else [corners]
        return
    for part in corners if isinstance(corners, list) else ():
        yield from _lines(part, depth - 1)


def _corners(line: Any) -> Line:
    wrong = BadInput("expected allowed places as longitudes and latitudes in degrees, in that "
                     "order.")
    try:
        pairs = [[float(corner[0]), float(corner[1])] for corner in line]
    except (TypeError, ValueError, IndexError, KeyError):
        raise wrong from None
    corners = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    if not usable(corners[:, 0], corners[:, 1]).all():
        raise wrong
    return corners


def _allow(shapes: list[tuple[int, Line]], spacing: float) -> Allowed:
    points = [line if kind == 0 else _dense(line, kind == 2, spacing) for kind, line in shapes]
    rings = tuple(line for kind, line in shapes if kind == 2)
    return Allowed(np.concatenate(points) if points else np.empty((0, 2)), rings)


def _dense(line: Line, closed: bool, spacing: float) -> FloatArray:
    """Points along a line, straight in longitude and latitude, at most a spacing apart."""
    ends = np.concatenate([line, line[:1]]) if closed else line
    space = np.stack(in_space(*ends.T.copy()), axis=1)
    length = np.sqrt((np.diff(space, axis=0) ** 2).sum(axis=1))
    counts = np.ceil(length / spacing).astype(np.int64).clip(1)
    if counts.sum() > _MOST:
        raise BadInput(f"the allowed lines are too long for points {spacing:.3g} m apart: expected "
                       f"at most {_MOST:,}.")
    parts = [ends[:1]]
    for a, b, count in zip(ends[:-1], ends[1:], counts.tolist(), strict=True):
        share = (np.arange(count) + 1)[:, None] / count
        parts.append(a * (1 - share) + b * share)
    return np.concatenate(parts)
