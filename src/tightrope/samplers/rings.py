"""Exact draws of noise in steps in the plane, by the column: a disc first, then a cell in it.

Disc k, of radius R = first + k width, comes with probability proportional to q^-k times the
number of its cells. So k is proposed with weights q^-k (2R + 1)², a cell is drawn from the square
of that side, and both are kept if the cell is in the disc, about 4 times of 5 (π/4). With
b = 2 first + 1 and c = 2 width, (2R + 1)² = b² + (2bc + c²) k + 2c² k(k - 1)/2, and C(k, j) q^-k
is the law of j plus j + 1 geometric numbers, times q^-j over (1 - 1/q)^(j + 1): j is drawn from
three whole weights. Nothing is cut off, and nothing is decided in doubles.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import IntArray
from tightrope.samplers.laws import RationalLaw
from tightrope.samplers.noise import Geometric
from tightrope.samplers.planar import gather_accepted
from tightrope.samplers.sources import Source, uniform_numbers
from tightrope.samplers.tables import Tables

_LARGEST: Final = 1 << 30
"""Radii below this have squares that fit into 64 bits."""


class RingNoise:
    """Points of Z² with weights q^-k, k the number of the ring around the center."""

    def __init__(self, ratio: Fraction, width: int, first: int) -> None:
        self._width, self._first = width, first
        over, under = ratio.as_integer_ratio()
        b, c, fall = 2 * first + 1, 2 * width, over - under
        weights = [b * b * fall**2, (2 * b + c) * c * under * fall, 2 * c * c * under**2]
        self._parts = Tables(lambda _: RationalLaw(lambda: weights), 1, 3)
        self._geometric = Geometric(ratio)

    def draw(self, count: int, source: Source) -> tuple[IntArray, IntArray]:
        """So many independent points: their whole numbers east and north."""
        return gather_accepted(self._accepted_points, count, source)

    def _accepted_points(self, size: int, source: Source) -> tuple[NDArray[Any], NDArray[Any]]:
        """Proposals that are kept, out of so many, in the order in which they were made."""
        discs = self._discs(size, source)
        x: NDArray[Any] = np.zeros(size, np.int64)
        y, kept = np.zeros_like(x), np.zeros(size, np.bool_)
        for disc in np.unique(discs).tolist():
            radius, places = self._first + disc * self._width, np.flatnonzero(discs == disc)
            a, b = (uniform_numbers(2 * radius + 1, len(places), source) - radius
                    for _ in range(2))
            if radius >= _LARGEST:
                a, b, x, y = (part.astype(object) for part in (a, b, x, y))
            x[places], y[places] = a, b
            kept[places] = a * a + b * b <= radius * radius
        return x[kept], y[kept]

    def _discs(self, size: int, source: Source) -> NDArray[Any]:
        """The numbers of discs that are proposed: j plus j + 1 geometric numbers."""
        parts = self._parts.draw(np.zeros(size, dtype=np.int64), source)
        discs: NDArray[Any] = parts + self._geometric.draw(size, source)
        for j in (1, 2):
            more = np.flatnonzero(parts >= j)
            extra = self._geometric.draw(len(more), source)
            discs = discs.astype(object) if extra.dtype == object else discs
            discs[more] += extra
        return discs


@lru_cache(maxsize=8)
def ring_noise(ratio: Fraction, width: int, first: int) -> RingNoise:
    """The sampler of a law."""
    return RingNoise(ratio, width, first)
