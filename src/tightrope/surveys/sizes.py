"""The least size of a survey from which on every larger one keeps its margin.

With X of n responses the first kind, P(|X/n - q| <= h) goes up and down with n, as whole
counts enter the interval and leave it. So a size is enough only if it and every larger one
reach the confidence. From some size on theorems say so: Chebyshev's and Hoeffding's
inequalities, and that of Berry and Esseen, which is near the truth. Below that size the
binomial law itself is asked, one size after the other, downward to the first that fails.
Doubles decide where the chance is not close to the confidence; balls or fractions the rest.

For one size the chance rises with h, in steps at the distances |k/n - q|: the least margin that
holds is one of these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor, log, sqrt
from statistics import NormalDist

import numpy as np
from flint import arb, ctx

from tightrope.exact import IntArray, ball_of, tolerances

BERRY_ESSEEN = 0.4748
"""Shevtsova's constant: |P((X - nq)/s <= x) - Φ(x)| <= C (q² + (1-q)²)/s, s = √(nq(1-q))."""
MOST_SIZES = 500_000
"""Sizes that are looked at one by one: seconds."""
_BLOCK = 1 << 13


@dataclass(frozen=True)
class Margin:
    """That the share of a response among n is within `half` of its `chance`, at a confidence."""

    chance: Fraction
    half: Fraction
    confidence: Fraction

    def ends(self, n: int) -> tuple[int, int]:
        """The least and the largest count within."""
        return ceil(n * (self.chance - self.half)), floor(n * (self.chance + self.half))

    def coverage(self, n: int) -> float:
        """The probability of being within for n responses, in doubles."""
        from scipy.stats import binom

        low, high = self.ends(n)
        chance = float(self.chance)
        return float(binom.cdf(high, n, chance) - binom.cdf(low - 1, n, chance))

    def holds(self, n: int) -> bool:
        """Whether that probability is at least the confidence, decided exactly."""
        bits = 128
        while n > 200 and bits <= 4096:
            gap = self._ball(n, bits)
            if gap > 0 or gap < 0:
                return bool(gap > 0)
            bits *= 2
        low, high = self.ends(n)
        term, total = (1 - self.chance) ** n, Fraction(0)
        for k in range(n + 1):  # few responses, or a tie
            total += term if low <= k <= high else 0
            term *= Fraction(n - k, k + 1) * self.chance / (1 - self.chance)
        return total >= self.confidence

    def _ball(self, n: int, bits: int) -> arb:
        """A ball around the probability less the confidence."""
        low, high = self.ends(n)
        with ctx.workprec(bits):
            q = ball_of(self.chance, bits)

            def above(k: int) -> arb:
                """P(X > k) is the regularized incomplete beta function."""
                if k < 0 or k >= n:
                    return arb(int(k < 0))
                return q.beta_lower(arb(k + 1), arb(n - k), regularized=1)

            return above(low - 1) - above(high) - ball_of(self.confidence, bits)

    @cached_property
    def enough(self) -> int:
        """A size from which on every one reaches the confidence, by a theorem."""
        rest, spread = 1 - self.confidence, self.chance * (1 - self.chance)
        hoeffding = log(2 / float(rest)) / (2 * float(self.half) ** 2)
        sizes = [
            ceil(spread / (rest * self.half**2)),  # Chebyshev
            ceil(hoeffding * (1 + tolerances.CHANCE_ERROR)),
        ]
        return max(1, min(*sizes, self._by_berry_esseen(min(sizes))))

    def _by_berry_esseen(self, most: int) -> int:
        """The least size up to `most` at which that bound, which rises with n, is enough."""
        q, h, c = float(self.chance), float(self.half), float(self.confidence)
        s, law = sqrt(q * (1 - q)), NormalDist()

        def holds(n: int) -> bool:
            error = 2 * BERRY_ESSEEN * (q * q + (1 - q) ** 2) / (s * sqrt(n))
            return 2 * law.cdf(h * sqrt(n) / s) - 1 - error >= c + tolerances.CHANCE_ERROR

        low, high = 1, most
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if holds(middle) else (middle + 1, high)
        return high

    def least(self) -> tuple[int, bool]:
        """The least such size, and whether it is: beyond `MOST_SIZES` only one that is enough."""
        if self.chance in (0, 1):
            return 1, True
        size, floor_size = self.enough, max(1, self.enough - MOST_SIZES)
        while size > floor_size:
            sizes = np.arange(max(floor_size, size - _BLOCK), size)
            for n in np.flip(sizes[~self._surely(sizes)]).tolist():
                if not self.holds(n):
                    return n + 1, True
            size = int(sizes[0])
        return size, size == 1

    def _surely(self, sizes: IntArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which sizes reach the confidence beyond the errors of doubles."""
        from scipy.stats import binom

        low, high = np.array([self.ends(n) for n in sizes.tolist()]).T
        chance, rest = float(self.chance), float(1 - self.confidence)
        within = binom.cdf(high, sizes, chance) - binom.cdf(low - 1, sizes, chance)
        outside = binom.cdf(low - 1, sizes, chance) + binom.sf(high, sizes, chance)
        few = outside <= rest * (1 - tolerances.TAIL_ERROR)  # beside 1 only this has digits
        return np.asarray(few | (within >= float(self.confidence) + tolerances.CHANCE_ERROR))


def least_half(chance: Fraction, n: int, confidence: Fraction) -> Fraction:
    """The least h with P(|X/n - q| <= h) >= c for n responses, exactly.

    >>> least_half(Fraction(1, 2), 4, Fraction(7, 8))
    Fraction(1, 4)
    """
    return _least_half(min(chance, 1 - chance), n, confidence)  # the same for n - X


@lru_cache(maxsize=1024)
def _least_half(chance: Fraction, n: int, confidence: Fraction) -> Fraction:
    if chance == 0:
        return Fraction(0)
    middle = floor(n * chance)
    above = _least_distance(
        lambda i: Fraction(middle + 1 + i, n) - chance, chance, n, confidence, n - middle)
    below = _least_distance(
        lambda i: chance - Fraction(middle - i, n), chance, n, confidence, middle + 1)
    return min(distance for distance in (above, below) if distance is not None)


def _least_distance(
    distance: Callable[[int], Fraction], chance: Fraction, n: int, confidence: Fraction, steps: int
) -> Fraction | None:
    """The first of these rising distances that holds: doubles find it, the exact law decides."""
    def margin(i: int) -> Margin:
        return Margin(chance, distance(i), confidence)

    low, high = 0, steps
    while low < high:
        half = (low + high) // 2
        low, high = (low, half) if margin(half).coverage(n) >= confidence else (half + 1, high)
    while low > 0 and margin(low - 1).holds(n):
        low -= 1
    while low < steps and not margin(low).holds(n):
        low += 1
    return distance(low) if low < steps else None
