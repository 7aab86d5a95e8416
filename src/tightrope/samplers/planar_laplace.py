"""Exact draws of planar Laplace noise, rounded to cells, by the column.

A uniform point (v, w) of the square, kept if s = v² + w² is at most 1, has a uniform direction,
and s is uniform and independent of it. With u uniform, -ln(s u)/ε is then a radius of density
ε² r e^(-ε r), and the point (v, w)/√s times it has the planar Laplace law. All three are real
numbers of which 64 bits are drawn at first. From these, doubles find the point by sums, products,
quotients, square roots and a logarithm made of those, within 2^-42/ε steps; a point that close to
the edge of a cell, or of the disc, is settled by balls and further bits of the same numbers. So
cells come with exactly the integrals of the density. Nothing is cut off.

The bound of doubles, where s >= 2^-16 and u >= 2^-14, so -ln(s u) < 21: bits not drawn move v and
w by 2^-63 and u by 2^-64, so s by 2^-53 of itself and u by 2^-50; rounding adds a few 2^-53 to
each, and s u is known to 2^-49 of itself. The logarithm adds 2^-46 (its largest term, a multiple
of ln 2 below 22, is rounded twice, and each sum once), the direction is known to 2^-50, the
factor 1/ε to 2^-52: 2^-45 + 21 · 2^-48 < 2^-42 in all.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from tightrope.exact import FloatArray, IntArray, ball_of
from tightrope.samplers.noise import check_drawable
from tightrope.samplers.planar import gather_accepted
from tightrope.samplers.sources import Source

_WITHIN: Final = 2.0**-42
"""Of 1/ε steps: what doubles are off by at most."""
_EDGE: Final = 2.0**-48
"""Of 1: what the square of the distance from the middle of the disc is off by at most near 1."""
_LEAST_SQUARE: Final = 2.0**-16
_LEAST_UNIFORM: Final = 2.0**-14
_PARTS: Final = 1024
"""Parts of [1/2, 1) in each of which a logarithm is a polynomial of degree 4: its argument is
below 2^-10 in size, so that the next term is below 2^-52."""
_MOST: Final = 1 << 62


class LaplaceNoise:
    """Cells of Z², each with the integral of ε²/(2π) q^-|x| over the square around it."""

    def __init__(self, ratio: Fraction) -> None:
        check_drawable(ratio)
        self._ratio = ratio
        with ctx.workprec(256):
            self._scale = float((1 / ball_of(ratio, 256).log()).mid())
            middles = [Fraction(2 * k + 1 + 2 * _PARTS, 4 * _PARTS) for k in range(_PARTS)]
            shorts = [Fraction(round(2**14 / middle), 2**14) for middle in middles]
            self._inverses = np.array([float(short) for short in shorts])
            self._logs = np.array([float(ball_of(short, 256).log().mid()) for short in shorts])
            self._two = float(arb(2).log().mid())

    def draw(self, count: int, source: Source) -> tuple[IntArray, IntArray]:
        """So many independent points: their whole numbers east and north."""
        return gather_accepted(self._accepted_points, count, source)

    def _accepted_points(self, size: int, source: Source) -> tuple[NDArray[Any], NDArray[Any]]:
        """The cells of points of the disc, out of so many points of the square."""
        words = np.frombuffer(source.bytes(24 * size), dtype="<i8").reshape(3, size)
        v, w = (part.astype(np.float64) * 2.0**-63 for part in words[:2])
        u = words[2].view("<u8").astype(np.float64) * 2.0**-64
        square = v * v + w * w
        inside = square < 1.0
        unsure = np.abs(square - 1.0) < _EDGE
        room = 0.5 - _WITHIN * max(1.0, self._scale)
        unsure |= inside & ((square < _LEAST_SQUARE) | (u < _LEAST_UNIFORM) | (room <= 0))
        sure = np.flatnonzero(inside & ~unsure)
        points = self._points(v[sure], w[sure], u[sure], square[sure])
        places = [np.zeros(size, np.int64), np.zeros(size, np.int64)]
        for place, at in zip(places, points, strict=True):
            near = np.rint(at)
            unsure[sure] |= ~(np.abs(at - near) < room)
            place[sure] = near
        return self._settle_unsure(places, inside, np.flatnonzero(unsure), words, source)

    def _settle_unsure(
        self, places: list[NDArray[Any]], inside: NDArray[Any], unsure: NDArray[Any],
        words: NDArray[Any], source: Source,
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """The cells that are kept, with those put right that doubles do not decide."""
        for row in unsure.tolist():
            v, w, u = (int(word) for word in words[:, row])
            cell = self._settle(v, w, u % (1 << 64), source)
            inside[row] = cell is not None
            if cell is not None and max(map(abs, cell)) > _MOST:
                places = [place.astype(object) for place in places]
            for place, whole in zip(places, cell or (0, 0), strict=True):
                place[row] = whole
        return places[0][inside], places[1][inside]

    def _points(
        self, v: FloatArray, w: FloatArray, u: FloatArray, square: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """The points of the plane, in steps."""
        length = self._log(square * u) * self._scale / np.sqrt(square)
        return v * length, w * length

    def _log(self, t: FloatArray) -> FloatArray:
        """-ln t: with t = m 2^e and c near 1/m, it is ln c - e ln 2 - ln(1 + (m c - 1))."""
        mantissas, exponents = np.frexp(t)
        which = ((mantissas - 0.5) * (2 * _PARTS)).astype(np.int64)
        r = mantissas * self._inverses[which] - 1.0
        small = r * (1.0 - r * (1 / 2 - r * (1 / 3 - r * (1 / 4))))
        return np.asarray(self._logs[which] - small - exponents * self._two)

    def _settle(self, v: int, w: int, u: int, source: Source) -> tuple[int, int] | None:
        """The cell of the point that starts with these bits; None if it is outside the disc."""
        bits = 64
        while True:
            with ctx.workprec(2 * bits + 128):
                x, y = (arb(2 * part + 1, 1) / arb(2) ** bits for part in (v, w))
                square = x * x + y * y
                if square > 1:
                    return None
                uniform = arb(2 * u + 1, 1) / arb(2) ** (bits + 1)
                length = -(square * uniform).log() / ball_of(self._ratio, 2 * bits + 128).log()
                if square < 1:
                    east, north = ((part * length / square.sqrt() + 0.5).floor().unique_fmpz()
                                   for part in (x, y))
                    if east is not None and north is not None:
                        return int(east), int(north)
            v, w, u = (part << 64 | int.from_bytes(source.bytes(8), "little")
                       for part in (v, w, u))
            bits += 64


@lru_cache(maxsize=8)
def laplace_noise(ratio: Fraction) -> LaplaceNoise:
    """The sampler of a ratio."""
    return LaplaceNoise(ratio)
