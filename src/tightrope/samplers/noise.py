"""Two-sided geometric noise on all integers, exactly and for any ratio above 1.

Noise is G - G', two independent geometric numbers, P(g) = (1 - 1/q) q^-g: summing the
product of both laws gives (q - 1)/(q + 1) q^-|z|, in which zero is counted once and each
sign comes by itself. The digits of a geometric number in base B are independent: digit t is
geometric with ratio q^(B^t), conditioned to be below B, and what stands before the last D
digits is geometric with ratio q^(B^D) and starts afresh whenever it reaches B. D is chosen
so that this is rare; nothing is ever cut off.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput
from tightrope.exact import IntArray, short_text, sizes
from tightrope.mechanisms import NoiseMechanism
from tightrope.samplers.laws import GeometricLaw, RationalLaw
from tightrope.samplers.sources import Source, uniform_numbers
from tightrope.samplers.tables import Tables

BASE: Final = 128

_LARGEST: Final = 2**62
"""Geometric numbers below this leave room for the inputs: the ends of a path are short."""


class Geometric:
    """Geometric numbers, P(g) = (1 - 1/q) q^-g: 64-bit integers, or Python's if too large."""

    def __init__(self, ratio: Fraction) -> None:
        check_drawable(ratio)
        # ln q >= (q - 1) ln 2 up to q = 2, so a fresh start has probability q^-(B^(D+1)) <= 1/16.
        places = 0
        while min(ratio - 1, 1) * BASE ** (places + 1) < 4:
            places += 1
        self.digits = [_tables(GeometricLaw(ratio, BASE**t, BASE, tail=False))
                       for t in range(places)]
        self.leading = _tables(GeometricLaw(ratio, BASE**places, BASE, tail=True))

    def draw(self, count: int, source: Source) -> NDArray[Any]:
        """Independent geometric numbers."""
        one_law = np.zeros(count, dtype=np.int64)
        total: NDArray[Any] = self.leading.draw(one_law, source)
        again = np.flatnonzero(total == BASE)
        while len(again):
            fresh = self.leading.draw(one_law[: len(again)], source)
            total[again] += fresh
            again = again[fresh == BASE]
        if count and int(total.max()) >= _LARGEST // BASE ** len(self.digits) - 1:
            total = total.astype(object)
        for place in reversed(self.digits):
            total = total * BASE + place.draw(one_law, source)
        return total


class TwoSided:
    """Two-sided geometric noise: the difference of two geometric numbers."""

    def __init__(self, ratio: Fraction) -> None:
        self.geometric = kept_geometric(ratio)

    def draw(self, count: int, source: Source) -> NDArray[Any]:
        """So many independent numbers; 64-bit integers, or Python's where those do not fit."""
        up, down = (self.geometric.draw(count, source) for _ in range(2))
        noise: NDArray[Any] = up - down
        return noise


class Staircase:
    """Noise in steps: the first step, or a step beyond it by a geometric number.

    N (q - 1) = (2 first - 1)(q - 1) + 2 step: the first part is the weight of rung 0, the second
    that of all others, and each integer of a rung is as likely as any other.
    """

    def __init__(self, ratio: Fraction, step: int, first: int) -> None:
        self._step, self._first = step, first
        weights = [(2 * first - 1) * (ratio.numerator - ratio.denominator),
                   2 * step * ratio.denominator]
        self._beyond = Tables(lambda _: RationalLaw(lambda: weights), 1, 2)
        self.geometric = kept_geometric(ratio)

    def draw(self, count: int, source: Source) -> NDArray[Any]:
        """So many independent numbers; 64-bit integers, or Python's where those do not fit."""
        far = self._beyond.draw(np.zeros(count, dtype=np.int64), source) > 0
        wide = 4 * self._step > _LARGEST
        noise: NDArray[Any] = np.zeros(count, dtype=object if wide else np.int64)
        inside = uniform_numbers(2 * self._first - 1, int((~far).sum()), source)
        noise[~far] = inside - (self._first - 1)
        rungs = self.geometric.draw(int(far.sum()), source)
        place = uniform_numbers(2 * self._step, len(rungs), source)
        if len(rungs) and int(rungs.max()) >= _LARGEST // self._step - 2:
            rungs, noise = rungs.astype(object), noise.astype(object)
        outward = self._first + rungs * self._step + place % self._step
        noise[far] = np.where(place < self._step, outward, -outward)
        return noise


class NoiseSampler:
    """Adds noise in steps to whole numbers."""

    def __init__(self, mechanism: NoiseMechanism) -> None:
        low = mechanism.space.points[0]
        assert isinstance(low, int)
        self._low = low
        self.noise = stepped_noise(mechanism.ratio, mechanism.step, mechanism.first)

    def draw(self, codes: IntArray, source: Source) -> NDArray[Any]:
        """One integer for each input index."""
        drawn: NDArray[Any] = codes + self._low + self.noise.draw(len(codes), source)
        return drawn


def stepped_noise(ratio: Fraction, step: int, first: int) -> TwoSided | Staircase:
    """The sampler of noise in steps."""
    return TwoSided(ratio) if step == 1 else Staircase(ratio, step, first)


def check_drawable(ratio: Fraction) -> None:
    """Refuse a ratio so near to 1 that no noise of use comes of it, and that after minutes."""
    if ratio - 1 < sizes.LEAST_DRAWN_FALL:
        raise BadInput(
            f"noise whose weights fall by a factor of 1 + {short_text(ratio - 1)} is too wide to "
            f"be drawn; expected a factor of at least 1 + {sizes.LEAST_DRAWN_FALL:g}."
        )


def geometric_number(ratio: Fraction, source: Source) -> int:
    """One geometric number with P(g) = (1 - 1/q) q^-g."""
    return geometric_numbers(ratio, 1, source)[0]


def geometric_numbers(ratio: Fraction, count: int, source: Source) -> list[int]:
    """So many independent geometric numbers."""
    return [int(drawn) for drawn in kept_geometric(ratio).draw(count, source).tolist()]


@lru_cache(maxsize=16)
def kept_geometric(ratio: Fraction) -> Geometric:
    """Geometric numbers of a ratio, whose tables are kept."""
    return Geometric(ratio)


def _tables(law: GeometricLaw) -> Tables:
    return Tables(lambda _: law, 1, law.size + law.tail)
