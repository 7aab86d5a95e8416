"""The nearest point of a convex polygon, decided in whole numbers.

Moving points of the plane to the nearest one of a convex set brings no two farther apart. Corners
and points are whole numbers below 2^29 either side of 0, so that all products fit in 64 bits and
which side or corner is nearest is decided exactly; only the place on a side is rounded.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeVar

import numpy as np

from tightrope.exact import FloatArray, IntArray

T = TypeVar("T", int, Fraction)


def convex_hull(x: IntArray, y: IntArray) -> IntArray:
    """The corners of the smallest convex polygon around points, counterclockwise.

    >>> convex_hull(np.array([0, 2, 2, 0, 1, 1]), np.array([0, 0, 2, 2, 1, 0])).tolist()
    [[0, 0], [2, 0], [2, 2], [0, 2]]
    """
    return np.array(hull_corners(zip(x.tolist(), y.tolist(), strict=True)), dtype=np.int64)


def hull_corners(points: Iterable[tuple[T, T]]) -> list[tuple[T, T]]:
    """The same corners of points with exact numbers.

    >>> hull_corners([(0, 0), (2, 0), (1, 0), (2, 2)])
    [(0, 0), (2, 0), (2, 2)]
    """
    ordered: list[tuple[T, T]] = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _half(ordered)[:-1] + _half(ordered[::-1])[:-1]


def _half(ordered: list[tuple[T, T]]) -> list[tuple[T, T]]:
    """One side of the hull of sorted points."""
    kept: list[tuple[T, T]] = []
    for point in ordered:
        while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0:
            kept.pop()
        kept.append(point)
    return kept


def _turn(a: tuple[T, T], b: tuple[T, T], c: tuple[T, T]) -> T:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def nearest(hull: IntArray, x: IntArray, y: IntArray) -> tuple[FloatArray, FloatArray]:
    """The nearest points of a convex polygon with at least three corners.

    >>> square = np.array([[0, 0], [2, 0], [2, 2], [0, 2]])
    >>> [part.tolist() for part in nearest(square, np.array([1, 5, 1]), np.array([1, 7, -3]))]
    [[1.0, 2.0, 1.0], [1.0, 2.0, 0.0]]
    """
    points = x.astype(np.float64), y.astype(np.float64)
    sides = np.roll(hull, -1, axis=0) - hull
    outside = np.zeros(len(x), dtype=np.bool_)
    for (ax, ay), (ex, ey) in zip(hull.tolist(), sides.tolist(), strict=True):
        outside |= ex * (y - ay) < ey * (x - ax)
    where = np.flatnonzero(outside)
    px, py = x[where], y[where]
    before = sides[-1].tolist()
    for (ax, ay), (ex, ey) in zip(hull.tolist(), sides.tolist(), strict=True):
        dx, dy = px - ax, py - ay
        along, whole = ex * dx + ey * dy, ex * ex + ey * ey
        corner = (along <= 0) & (before[0] * dx + before[1] * dy >= 0)
        side = (along >= 0) & (along <= whole) & (ex * dy <= ey * dx)
        share = np.where(corner, 0.0, along / whole)
        at = corner | side
        points[0][where[at]] = ax + (share * ex)[at]
        points[1][where[at]] = ay + (share * ey)[at]
        before = [ex, ey]
    return points
