"""Sums of independent noises of one kind: how far they reach, by adding up their exact law.

The law of one noise is written out on a window that holds the sum but for a tail bounded by its
exponential moments (Chernoff), and convolved with itself in double arithmetic. Where windows are
long, each noise is rounded to the middle of a block first. The errors of that rounding are
independent, symmetric and at most half a block each, and reaches are longer by as much as their
sum may be (Hoeffding). Whatever is left out, or lost in doubles, is added to every tail.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, expm1, log, log1p, sqrt

import numpy as np

from tightrope.exact import FloatArray, tolerances
from tightrope.mechanisms.noise import InSteps

_LONGEST = 2**15
"""Blocks that are written out: rounding to them makes reaches of 100 noises longer by 1 %."""


@dataclass(frozen=True)
class NoiseSum:
    """The sum of so many independent noises.

    >>> from tightrope.mechanisms import NoiseMechanism
    >>> from tightrope.spaces import path
    >>> two = NoiseSum(NoiseMechanism(path(0, 9), Fraction(2)), 2)
    >>> round(two.mean_error, 6), two.reach(Fraction(1, 2))
    (2.074074, 2)
    """

    noise: InSteps
    terms: int

    @property
    def mean_error(self) -> float:
        """The mean absolute value of the sum, in double arithmetic."""
        if self.terms == 1:
            return float(self.noise.mean_error)
        return self._law.mean

    def reach(self, confidence: Fraction) -> int:
        """A width that holds the sum with at least this probability."""
        if self.terms == 1:
            return self.noise.reach(confidence)
        law, missed = self._law, float(1 - confidence)
        wanted = float(confidence) + 2 * self._lost
        far = int(np.searchsorted(law.inside, wanted))
        if far >= len(law.inside):
            return ceil(law.shape.beyond(self.terms, missed)) + 1
        return far if law.block == 1 else far * law.block + ceil(self._rounding(law.block))

    @property
    def _law(self) -> _Law:
        noise = self.noise
        return _sum_law(noise.ratio, noise.step, noise.first, self.terms)

    @property
    def _lost(self) -> float:
        """Probability that doubles, or the ends of windows, may lose of all noises together."""
        return self.terms * tolerances.NOISE_SUM

    def _rounding(self, block: int) -> float:
        """How far the sum of all errors of rounding is from 0, but for what is lost."""
        return block * min(self.terms / 2, sqrt(self.terms * log(2 / self._lost) / 2))


@dataclass(frozen=True)
class _Shape:
    """One noise in doubles: rung t weighs e^(-fall t)."""

    fall: float
    step: int
    first: int

    @property
    def _beyond_first(self) -> float:
        """1/(q - 1)."""
        return exp(-self.fall) / -expm1(-self.fall)

    @property
    def _normalizer(self) -> float:
        return 2 * self.first - 1 + 2 * self.step * self._beyond_first

    def tails(self, widths: FloatArray) -> FloatArray:
        """P(|noise| > width) for each."""
        rung, place = np.divmod(widths + 1 - self.first, self.step)
        left = self.step - place + self.step * self._beyond_first
        outside = left * np.exp(-self.fall * (rung + 1))
        inside = self.first - 1 - widths + self.step * self._beyond_first
        return np.asarray(2 * np.where(widths < self.first, inside, outside) / self._normalizer)

    def beyond(self, terms: int, chance: float) -> float:
        """A width that a sum is beyond with at most this chance: 2 E[e^(θ noise)]^n e^(-θ width).

        The least of those of some θ is taken.
        """
        theta = np.linspace(0.02, 0.98, 49) * min(self.fall, 600.0) / self.step
        rungs = sum(np.exp(sign * theta * self.first - self.fall)
                    * np.expm1(sign * theta * self.step) / np.expm1(sign * theta)
                    / -np.expm1(sign * theta * self.step - self.fall) for sign in (1, -1))
        middle = np.sinh(theta * (self.first - 0.5)) / np.sinh(theta / 2)
        moments = np.log((middle + rungs) / self._normalizer)
        return float(((terms * moments + log(2 / chance)) / theta).min())


@dataclass(frozen=True, eq=False)
class _Law:
    """The law of a sum of rounded noises: chances to be within 0, a block, two of them, ..."""

    shape: _Shape
    block: int
    inside: FloatArray
    mean: float


@lru_cache(maxsize=64)
def _sum_law(ratio: Fraction, step: int, first: int, terms: int) -> _Law:
    shape = _Shape(_fall(ratio), step, first)
    window = ceil(shape.beyond(terms, tolerances.NOISE_SUM / 4)) + 1
    block = 2 * window // (_LONGEST - 2) + 1 | 1  # odd: whole numbers on either side alike
    far = -(-window // block)
    inside = np.arange(far + 1, dtype=float) * block + block // 2
    tails = np.concatenate([[1.0], shape.tails(inside)])
    masses = -np.diff(tails)
    masses[1:] /= 2
    length = 1 << (2 * far).bit_length()
    around = np.zeros(length)
    around[: far + 1] = masses
    around[-far:] += masses[:0:-1]
    whole = np.fft.irfft(np.fft.rfft(around).real ** terms, length)
    folded = np.maximum(whole[: far + 1], 0.0)
    folded[1:] += np.maximum(whole[: -far - 1 : -1], 0.0)
    mean = float((np.arange(far + 1) * folded).sum()) * block
    return _Law(shape, block, np.cumsum(folded), mean)


def _fall(ratio: Fraction) -> float:
    """ln q, with all digits where q is close to 1."""
    top, bottom = ratio.as_integer_ratio()
    return log1p((top - bottom) / bottom) if top < 2 * bottom else log(top) - log(bottom)
