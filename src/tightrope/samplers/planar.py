"""Exact draws of noise in the plane, by the column: weights q^-|z| on all points of Z².

|z| is at least (|x| + |y|)/√2, so two geometric numbers of a ratio p <= q^(1/√2), each with a
sign, are a proposal that is kept with probability q^-|z| p^(|x| + |y|); about 4 of 5 are (π/4).
That probability is worked out in doubles by sums, products and square roots alone, within 2^-40;
a uniform number that close to it is settled by balls and further bits. Nothing is cut off, and
the noise of one row has nothing to do with that of another, or with the positions.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import factorial
from typing import Any, Final

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from tightrope.exact import FloatArray, IntArray, ball_of, lower_bound
from tightrope.samplers.noise import Geometric
from tightrope.samplers.sources import Source

_CHANCE_BITS: Final = 62
"""Bits of a word that say whether a proposal is kept; the other two are the signs."""
_CLOSE: Final = 2.0**-39
_FAR: Final = 100.0
"""Exponents above this are settled by balls, where doubles are not known to be close."""
_PER_UNIT: Final = 16
_BATCH: Final = 1 << 16


Points = tuple[NDArray[Any], NDArray[Any]]


def gather_accepted(
    propose: Callable[[int, Source], Points], count: int, source: Source
) -> tuple[IntArray, IntArray]:
    """So many accepted points, proposed in batches of which about three in four are accepted."""
    batches: list[Points] = []
    missing = count
    while missing > 0:
        x, y = propose(min(_BATCH, missing + missing // 3 + 16), source)
        batches.append((x[:missing], y[:missing]))
        missing -= len(x)
    if not batches:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    return np.concatenate([x for x, _ in batches]), np.concatenate([y for _, y in batches])


class PlanarNoise:
    """Points of Z² with weights q^-|z|."""

    def __init__(self, ratio: Fraction) -> None:
        self._ratio = ratio
        with ctx.workprec(192):
            root = (ball_of(ratio, 192).log() / arb(2).sqrt()).exp()
        self._proposed = Fraction(int(lower_bound(root) * 2**80), 2**80)
        self._geometric = Geometric(self._proposed)
        self._logs = [float(ball_of(q, 192).log().mid()) for q in (ratio, self._proposed)]
        with ctx.workprec(192):
            self._powers = np.array([float((-arb(k) / _PER_UNIT).exp().mid())
                                     for k in range(_PER_UNIT * 64 + 1)])

    def draw(self, count: int, source: Source) -> tuple[IntArray, IntArray]:
        """So many independent points: their whole numbers east and north."""
        return gather_accepted(self._accepted_points, count, source)

    def _accepted_points(self, size: int, source: Source) -> tuple[NDArray[Any], NDArray[Any]]:
        """Proposals that are kept, out of so many."""
        x, y = (self._geometric.draw(size, source) for _ in range(2))
        words = np.frombuffer(source.bytes(8 * size), dtype="<u8")
        left, down = ((words & np.uint64(bit)) > 0 for bit in (1, 2))
        kept = ~(left & (x == 0)) & ~(down & (y == 0))  # 0 has one sign
        uniform = (words >> np.uint64(2)).astype(np.float64) * 2.0**-_CHANCE_BITS
        a, b = x.astype(np.float64), y.astype(np.float64)
        far = np.sqrt(a * a + b * b) * self._logs[0]
        chance = self._falling(far - (a + b) * self._logs[1])
        gap = chance - uniform
        unsure = np.flatnonzero(kept & ((np.abs(gap) < _CLOSE) | (far > _FAR)))
        kept &= gap > 0
        for place in unsure.tolist():
            kept[place] = self._settle(int(x[place]), int(y[place]), int(words[place]) >> 2, source)
        x, y = np.where(left, -x, x), np.where(down, -y, y)
        return x[kept], y[kept]

    def _falling(self, exponent: FloatArray) -> FloatArray:
        """e^-t for t from 0 on, within 2^-45: a table of sixteenths, and a Taylor polynomial."""
        t = np.minimum(np.maximum(exponent, 0.0), 64.0)
        places = np.floor(t * _PER_UNIT)
        rest = t - places / _PER_UNIT
        total = np.full_like(rest, -1 / factorial(9))
        for k in range(8, -1, -1):
            total = total * rest + (-1) ** k / factorial(k)
        return np.asarray(total * self._powers[places.astype(np.int64)])

    def _settle(self, x: int, y: int, word: int, source: Source) -> bool:
        """Whether a uniform number that starts with these bits is below the chance of x, y."""
        bits = _CHANCE_BITS
        while True:
            with ctx.workprec(bits + 64 + (x + y).bit_length()):
                work = bits + 64 + (x + y).bit_length()
                logs = [ball_of(q, work).log() for q in (self._ratio, self._proposed)]
                chance = (logs[1] * (x + y) - logs[0] * arb(x * x + y * y).sqrt()).exp()
                scaled = chance * arb(2) ** bits
                if scaled > word + 1:
                    return True
                if scaled < word:
                    return False
            word = word << 64 | int.from_bytes(source.bytes(8), "little")
            bits += 64


@lru_cache(maxsize=8)
def planar_noise(ratio: Fraction) -> PlanarNoise:
    """The sampler of a ratio."""
    return PlanarNoise(ratio)
