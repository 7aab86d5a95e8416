"""Positions on Earth seen from far above: a map to the plane that brings no two farther apart.

The way along the ellipsoid (WGS84) between two positions is at least as long as the straight line
between them. Looking straight down onto a plane (orthographic projection) shortens straight lines
further. So the map stretches nothing, for any two positions on Earth: κ = 1. What lies θ from the
center is drawn shorter outward by cos θ; the far side falls onto the near one.

Only sums, products, quotients and square roots of doubles are used, each rounded as IEEE 754
says: sines are Taylor polynomials on 45 degrees, within 2^-48 with all rounding (the first term
left out is below 2^-54). Three such factors and a few roundings of lengths of at most 6,400,000 m
are far less than a hundredth of a millimeter: `PLANE_ERROR`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial, pi
from typing import Final

import numpy as np

from tightrope.exact import FloatArray

SEMI_MAJOR: Final = 6378137.0
"""Equatorial radius of WGS84 in meters."""
_FLATTENING: Final = 1 / 298.257223563
_ECCENTRICITY: Final = _FLATTENING * (2 - _FLATTENING)
_SINE: Final = [(-1) ** k / factorial(2 * k + 1) for k in range(8)]
_COSINE: Final = [(-1) ** k / factorial(2 * k) for k in range(9)]
_RIM: Final = 6_330_000.0
"""Meters from the center up to which there is Earth below every point of the plane."""

PLANE_ERROR: Final = Fraction(1, 100_000)
"""Meters by which a computed point of the plane may be off."""


def sine_cosine(degrees: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sine and cosine of angles of up to two turns in degrees, each within 2^-48.

    >>> [abs(float(part)) for part in sine_cosine(np.array(90.0))]
    [1.0, 0.0]
    """
    quarter = np.rint(degrees / 90)
    x = (degrees - 90 * quarter) * (pi / 180)  # the difference is exact
    square = x * x
    sine, cosine = np.full_like(x, _SINE[-1]), np.full_like(x, _COSINE[-1])
    for s in _SINE[-2::-1]:
        sine = sine * square + s
    for c in _COSINE[-2::-1]:
        cosine = cosine * square + c
    sine = sine * x
    turn = quarter.astype(np.int64) & 3
    swapped = (turn & 1).astype(np.bool_)
    first, second = np.where(swapped, cosine, sine), np.where(swapped, sine, cosine)
    return np.where(turn & 2, -first, first), np.where((turn + 1) & 2, -second, second)


def in_space(lon: FloatArray, lat: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Meters from the middle of the Earth: toward 0 E, toward 90 E, toward the north pole.

    >>> [abs(float(part)) for part in in_space(np.array(90.0), np.array(0.0))]
    [0.0, 6378137.0, 0.0]
    """
    (s, c), (sl, cl) = sine_cosine(lat), sine_cosine(lon)
    normal = SEMI_MAJOR / np.sqrt(1 - _ECCENTRICITY * (s * s))
    return normal * c * cl, normal * c * sl, normal * (1 - _ECCENTRICITY) * s


@dataclass(frozen=True)
class TangentPlane:
    """The plane that touches the ellipsoid at a center; x to the east, y to the north, in meters.

    >>> madrid = TangentPlane(-3.7, 40.4)
    >>> [round(float(part)) for part in madrid.project(np.array(-3.7), np.array(40.5))]
    [0, 11104]
    """

    lon: float
    lat: float

    @property
    def _axes(self) -> tuple[tuple[float, float, float], ...]:
        """East, north and up at the center."""
        (s, c), (sl, cl) = (
            tuple(float(part) for part in sine_cosine(np.array(angle)))
            for angle in (self.lat, self.lon)
        )
        return (-sl, cl, 0.0), (-s * cl, -s * sl, c), (c * cl, c * sl, s)

    @property
    def _middle(self) -> float:
        """How far north of the middle of the Earth the center lies, seen in the plane."""
        at = in_space(np.array(self.lon), np.array(self.lat))
        return float(sum(a * b for a, b in zip(self._axes[1], at, strict=True)))

    def project(self, lon: FloatArray, lat: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The points of the plane below which positions lie, within `PLANE_ERROR`."""
        x, y, z = in_space(lon, lat)
        (a, b, _), (d, e, f), _ = self._axes
        return a * x + b * y, d * x + e * y + f * z - self._middle

    def facing(self, lon: FloatArray, lat: FloatArray) -> FloatArray:
        """The cosine of the angle between the plane and the ground at positions."""
        (s, c), (sl, cl) = sine_cosine(lat), sine_cosine(lon)
        a, b, d = self._axes[2]
        return np.asarray(a * c * cl + b * c * sl + d * s)

    def lift(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Longitude and latitude in degrees of the ground below points of the plane.

        Points beyond the rim of the Earth are first moved toward the center. Whatever is made of
        an output alone costs no privacy, so nothing here needs to be proved.
        """
        far = np.hypot(x, y)
        inward = np.minimum(1.0, _RIM / np.maximum(far, 1.0))
        east, north, up = self._axes
        flat = 1 / (1 - _ECCENTRICITY)
        q = [e * (x * inward) + n * (y * inward + self._middle)
             for e, n in zip(east, north, strict=True)]
        weights = (1.0, 1.0, flat)
        a = sum(w * u * u for w, u in zip(weights, up, strict=True))
        b = sum(w * u * p for w, u, p in zip(weights, up, q, strict=True))
        c = sum(w * p * p for w, p in zip(weights, q, strict=True)) - SEMI_MAJOR**2
        height = (np.sqrt(np.maximum(b * b - a * c, 0.0)) - b) / a
        px, py, pz = (p + u * height for p, u in zip(q, up, strict=True))
        lon = np.degrees(np.arctan2(py, px))
        lat = np.degrees(np.arctan2(pz * flat, np.hypot(px, py)))
        return lon, lat
