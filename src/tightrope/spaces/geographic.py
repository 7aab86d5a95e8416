"""Positions on Earth as a mechanism sees them: cells of a lattice in the plane of a region.

Longitude and latitude are mapped to the plane of the region (`globe`) and rounded to 1/64 m. The
point moves to the nearest one of a convex set around the region, and to the nearest cell. Map and
move bring no two positions farther apart. Rounding moves a position by at most `MOVED`, the last
step by half a diagonal. So positions d meters apart are in cells at most (d + 2 MOVED)/step + √2
apart, wherever on Earth they are. All of it follows from declarations; no position is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Final

import numpy as np

from tightrope.errors import BadInput, BadSpace
from tightrope.exact import FloatArray, IntArray, exact_number, own_numbers, short_text
from tightrope.spaces.convex_sets import convex_hull, nearest
from tightrope.spaces.globe import TangentPlane

Ring = tuple[tuple[Fraction, Fraction], ...]

PER_METER: Final = 64
"""Fixed places of a meter to which points of the plane are rounded."""
MOVED: Final = Fraction(1, 80)
"""Meters by which rounding moves a position at most: √2/128 and what doubles add."""
MOST_STEPS: Final = 10_000
"""Steps that neighbors may be apart: a ratio to that power is compared exactly."""
MOST_CORNERS: Final = 100_000
_FRACTION: Final = re.compile(r"-?\d{1,4300}(/\d{1,4300})?", re.ASCII)
_LEAST_FACING: Final = 0.5
_SIDES: Final = 64
"""Points that stand for a side of a box, which is not straight in the plane."""


@dataclass(frozen=True)
class Region:
    """A part of the Earth in degrees: a box (west, south, east, north), or rings of corners.

    >>> Region.box(-4, 40, "-3.5", 41).text
    'box -4,40,-3.5,41'
    """

    rings: tuple[Ring, ...]
    boxed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "rings", _rings(self.rings))
        corners = [corner for ring in self.rings for corner in ring]
        if not corners or any(len(ring) < 3 for ring in self.rings):
            raise BadSpace("expected a region with an inside: rings of at least three corners.")
        if len(corners) > MOST_CORNERS:
            raise BadSpace(f"expected a region of at most {MOST_CORNERS:,} corners.")
        if any(abs(lat) > 90 for _, lat in corners):
            raise BadSpace(
                "a latitude of the region is beyond 90 degrees; expected longitude before latitude."
            )
        if any(not -180 <= lon <= 360 for lon, _ in corners):
            raise BadSpace("a longitude of the region is not from -180 to 360 degrees.")
        west, south, east, north = self.bounds
        if west >= east or south >= north:
            raise BadSpace(
                f"the region is empty: expected west < east and south < north, found "
                f"{_degrees(self.bounds)}. Across the antimeridian longitudes go on beyond 180, "
                "as in 177,-20,182,-15."
            )
        jumps = (abs(a[0] - b[0]) for ring in self.rings for a, b in pairwise(ring))
        if east - west > 180 or max(jumps) > 180:
            raise BadSpace(
                "the region is wider than half the globe; where it lies across the antimeridian, "
                "write longitudes from 0 to 360."
            )
        if len(self.rings) == 1 and self.boxed and len(self.rings[0]) != 4:
            raise BadSpace("expected a box of four corners.")

    @classmethod
    def box(cls, west: Any, south: Any, east: Any, north: Any) -> Region:
        """The box between two longitudes and two latitudes."""
        w, s, e, n = (_angle(angle) for angle in (west, south, east, north))
        if max(map(abs, (w, s, e, n))) > 360:
            raise BadSpace("a side of the box is beyond 360 degrees.")
        if w >= e or s >= n:
            raise BadSpace(
                f"the box is empty: expected west < east and south < north, found "
                f"{_degrees((w, s, e, n))}. Across the antimeridian longitudes go on beyond 180, "
                "as in 177,-20,182,-15."
            )
        return cls((((w, s), (e, s), (e, n), (w, n)),), boxed=True)

    @property
    def bounds(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """West, south, east and north."""
        lons = [lon for ring in self.rings for lon, _ in ring]
        lats = [lat for ring in self.rings for _, lat in ring]
        return min(lons), min(lats), max(lons), max(lats)

    @property
    def text(self) -> str:
        """The region in a few characters; its corners are in `describe`."""
        if self.boxed:
            return f"box {_degrees(self.bounds)}"
        corners = sum(map(len, self.rings))
        return f"polygon of {corners:,} corners in {_degrees(self.bounds)}"

    def describe(self) -> dict[str, Any]:
        """The document form: numbers as exact text, in degrees."""
        if self.boxed:
            return {"box": [str(side) for side in self.bounds]}
        return {"rings": [[[str(lon), str(lat)] for lon, lat in ring] for ring in self.rings]}

    @cached_property
    def plane(self) -> TangentPlane:
        """The plane at the middle of the bounds."""
        west, south, east, north = self.bounds
        return TangentPlane(float((west + east) / 2), float((south + north) / 2))

    def outline(self) -> list[tuple[FloatArray, FloatArray]]:
        """Longitudes and latitudes along each ring; sides of a box have points between."""
        if not self.boxed:
            return [(np.array([float(lon) for lon, _ in ring]),
                     np.array([float(lat) for _, lat in ring])) for ring in self.rings]
        ends = np.array([[float(lon), float(lat)] for lon, lat in self.rings[0]])
        share = np.linspace(0, 1, _SIDES, endpoint=False)[:, None]
        sides = zip(ends, np.roll(ends, -1, axis=0), strict=True)
        points = np.concatenate([a * (1 - share) + b * share for a, b in sides])
        return [(points[:, 0], points[:, 1])]

    @cached_property
    def hull(self) -> IntArray:
        """Corners of a convex polygon around the region in its plane, in 1/64 m.

        A box gets the upright rectangle around it, a polygon its convex hull.
        """
        lons, lats = (np.concatenate(part) for part in zip(*self.outline(), strict=True))
        if float(self.plane.facing(lons, lats).min()) < _LEAST_FACING:
            raise BadSpace(
                "the region reaches farther than 60 degrees from its middle, where no plane "
                "shows it well; expected a smaller one, such as a country."
            )
        x, y = (np.rint(part * PER_METER).astype(np.int64)
                for part in self.plane.project(lons, lats))
        if self.boxed:
            x = np.array([x.min(), x.max(), x.max(), x.min()])
            y = np.array([y.min(), y.min(), y.max(), y.max()])
        hull = convex_hull(x, y)
        if len(hull) < 3:
            raise BadSpace("the region is less than a few centimeters wide.")
        return hull

    @property
    def diameter(self) -> float:
        """Meters across the hull's upright bounds in the plane."""
        return float(np.hypot(*(np.ptp(self.hull, axis=0) / PER_METER)))


@dataclass(frozen=True)
class Positions:
    """All positions on Earth; neighbors are at most `within` meters apart.

    A mechanism sees the cell of a position: whole numbers of steps east and north of the middle
    of the region.

    >>> madrid = Positions(Region.box(-4, 40, -3, 41), within=200, step="1/5")
    >>> madrid.accept((-3.5, 40.5)), madrid.accept((151.2, -33.9)), madrid.apart
    ((0, 0), (213482, 278215), 1002)
    """

    region: Region
    within: Fraction
    step: Fraction
    family: ClassVar[str] = "positions"

    def __post_init__(self) -> None:
        own_numbers(self, "within", "step")
        if type(self.region) is not Region:
            raise BadInput(f"expected a Region, found {type(self.region).__name__}.")
        if self.within <= 0 or self.step <= 0:
            raise BadInput("expected a distance and a step above 0 meters.")
        room = self.within / 2 - 2 * MOVED
        if room <= 0 or 2 * self.step**2 > room**2:
            raise BadInput(
                f"moving positions to cells of {short_text(self.step)} m costs more than half of "
                f"{short_text(self.within)} m; expected smaller cells, or a larger distance."
            )
        if self.apart > MOST_STEPS:
            raise BadInput(
                f"cells of {short_text(self.step)} m are too small for {short_text(self.within)} "
                f"m: expected at most {MOST_STEPS:,} of them in between."
            )
        if len(self.region.hull) < 3:  # which refuses what no plane shows
            raise BadSpace("the region has no inside.")

    @property
    def apart(self) -> int:
        """How many steps the cells of neighbors are apart at most, rounded up."""
        length = (self.within + 2 * MOVED) / self.step
        steps = length.__ceil__() + 1
        return steps if (steps - length) ** 2 >= 2 else steps + 1

    @property
    def relation(self) -> str:
        """Which positions are neighbors."""
        return (f"any two positions on Earth at most {self.within} m apart along the ellipsoid "
                "WGS84")

    @property
    def text(self) -> str:
        """The positions in one line."""
        return (f"positions:{self.region.text},within={short_text(self.within)} m,"
                f"step={short_text(self.step)} m")

    def describe(self) -> dict[str, Any]:
        """The document form; lengths in meters."""
        return {"family": self.family, "region": self.region.describe(),
                "within": str(self.within), "step": str(self.step)}

    def accept(self, data: object) -> tuple[int, int]:
        """The cell of one position, given as longitude and latitude in degrees."""
        angles = list(data) if isinstance(data, Sequence | np.ndarray) else []
        try:
            lon, lat = (np.array([float(angle)]) for angle in angles)
        except (TypeError, ValueError):
            raise BadInput("expected a position: its longitude and latitude in degrees.") from None
        if not usable(lon, lat).all():
            raise BadInput("expected a longitude and a latitude in degrees, in that order.")
        east, north = self.cells(lon, lat)
        return int(east[0]), int(north[0])

    def cells(self, lon: FloatArray, lat: FloatArray) -> tuple[IntArray, IntArray]:
        """The cells of many positions, all of them `usable`."""
        x, y = (np.rint(part * PER_METER).astype(np.int64)
                for part in self.region.plane.project(lon, lat))
        step = float(self.step * PER_METER)
        east, north = (np.rint(part / step).astype(np.int64) for part in self.moved(x, y))
        return east, north

    def moved(self, x: IntArray, y: IntArray) -> tuple[FloatArray, FloatArray]:
        """The nearest points of the hull, all in 1/64 m."""
        hull = self.region.hull
        if self.region.boxed:
            low, high = hull.min(axis=0), hull.max(axis=0)
            return (np.clip(x, low[0], high[0]).astype(np.float64),
                    np.clip(y, low[1], high[1]).astype(np.float64))
        return nearest(hull, x, y)

    def centers(self, east: IntArray, north: IntArray) -> tuple[FloatArray, FloatArray]:
        """Longitude and latitude of the centers of cells, wherever in the plane they are."""
        step = float(self.step)
        x, y = (np.asarray(part * step, dtype=np.float64) for part in (east, north))
        return self.region.plane.lift(x, y)

    def cut(self, east: IntArray, north: IntArray) -> tuple[IntArray, IntArray]:
        """Cells outside the hull moved to the cells of its nearest points; of outputs, free."""
        most = float(1 << 28)
        step = float(self.step * PER_METER)
        x, y = (np.rint(np.clip(part * step, -most, most)).astype(np.int64)
                for part in (east, north))
        cells = (np.rint(part / step).astype(np.int64) for part in self.moved(x, y))
        return next(cells), next(cells)


@dataclass(frozen=True)
class Traces:
    """All lists of positions on Earth; neighbors have as many rows, near each other row by row.

    >>> Traces(Positions(Region.box(-4, 40, -3, 41), within=200, step="1/5")).relation
    'traces of as many rows, row by row any two positions on Earth at most 200 m apart along the \
ellipsoid WGS84'
    """

    positions: Positions
    family: ClassVar[str] = "traces"

    def __post_init__(self) -> None:
        if type(self.positions) is not Positions:
            raise BadInput(f"expected Positions, found {type(self.positions).__name__}.")

    @property
    def relation(self) -> str:
        """Which traces are neighbors."""
        return f"traces of as many rows, row by row {self.positions.relation}"

    @property
    def text(self) -> str:
        """The traces in one line."""
        return f"{self.family}:{self.positions.text.partition(':')[2]}"

    def describe(self) -> dict[str, Any]:
        """The document form; lengths in meters."""
        return {**self.positions.describe(), "family": self.family}

    def accept(self, data: object) -> tuple[tuple[int, int], ...]:
        """The cells of one trace, given as a list of longitudes and latitudes in degrees."""
        if not isinstance(data, Sequence | np.ndarray) or isinstance(data, str | bytes):
            raise BadInput("expected a trace: a list of positions.")
        return tuple(self.positions.accept(position) for position in data)


def usable(lon: FloatArray, lat: FloatArray) -> Any:
    """Which pairs of numbers are positions: longitudes up to one turn, latitudes up to a pole."""
    return (np.abs(lon) <= 360) & (np.abs(lat) <= 90)


def positions_from(fields: Mapping[str, Any]) -> Positions:
    """The positions of a document form."""
    wrong = BadSpace("the fields of the datasets 'positions' are not what they must be.")
    match fields:
        case {"region": {"box": [_, _, _, _] as box} as region, "within": str() as within,
              "step": str() as step} if len(fields) == 3 and len(region) == 1:
            made = Region.box(*map(_exact, box))
        case {"region": {"rings": list() as rings} as region, "within": str() as within,
              "step": str() as step} if len(fields) == 3 and len(region) == 1:
            try:
                made = Region(tuple(tuple((_exact(lon), _exact(lat)) for lon, lat in ring)
                                    for ring in rings))
            except (TypeError, ValueError):
                raise wrong from None
        case _:
            raise wrong
    return Positions(made, _exact(within), _exact(step))


def _exact(text: object) -> Fraction:
    if not isinstance(text, str) or not _FRACTION.fullmatch(text):
        raise BadSpace("expected the numbers of positions as fractions in text.")
    return _angle(text)


def _rings(given: Any) -> tuple[Ring, ...]:
    try:
        return tuple(tuple((_angle(lon), _angle(lat)) for lon, lat in ring) for ring in given)
    except (TypeError, ValueError):
        raise BadSpace("expected rings of corners, each its longitude and latitude.") from None


def _angle(value: Any) -> Fraction:
    try:
        return exact_number(value)
    except (TypeError, ValueError):
        raise BadSpace("expected longitudes and latitudes in degrees, as in -3.7,40.4.") from None


def _degrees(sides: Sequence[Fraction]) -> str:
    return ",".join(f"{float(side):.10g}" for side in sides)
