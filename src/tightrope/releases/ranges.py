"""A number whose range is known: the best reading of a noisy one, and how much it errs.

Where all numbers from 0 to n are alike beforehand, the median of those that may stand behind a
drawn one errs least on average. For a number that one unit changes by 1 no mechanism errs less
than geometric noise read that way (Ghosh, Roughgarden and Sundararajan, 2012). If a unit changes
it by c, every c-th number is such a count, c apart, which bounds what any mechanism can do. The
range is declared or public, so that reading costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, expm1, log, log1p

import numpy as np

from tightrope.exact import FloatArray, IntArray, Level, Surd, tolerances
from tightrope.mechanisms import InSteps, NoiseMechanism
from tightrope.spaces import path

_LONGEST = 2**18
"""Drawn numbers near the ends of a range whose errors are added up."""

_MOST_PAIRS = 2**28
"""Pairs of a number and a drawn one whose errors are added up: about a second."""

_LEFT_OUT = 60
"""Binary places of the noise that is left out beyond."""


def read_in_range(noise: InSteps, drawn: int, most: int) -> int:
    """The median of the numbers from 0 to `most`, given a drawn one.

    A step further outside of the range all of them are less likely, and alike.

    >>> from fractions import Fraction
    >>> geometric = NoiseMechanism(path(0, 9), Fraction(5, 4))
    >>> [read_in_range(geometric, drawn, 9) for drawn in (-7, 0, 2, 5, 8, 30)]
    [2, 2, 3, 5, 7, 7]
    """
    if drawn > most:
        return most - read_in_range(noise, most - drawn, most)
    z = drawn if drawn >= 0 else -(-drawn % noise.step)
    start = _upto(noise, -z - 1) if z < 0 else 0.0

    def upto(r: int) -> float:
        """The weight of the numbers from 0 to r."""
        if r < z:
            return _upto(noise, z) - _upto(noise, z - r - 1)
        return _upto(noise, max(z, 0)) + (z >= 0) + _upto(noise, r - z) - start

    half = upto(most) / 2
    low, high = 0, most
    while low < high:  # the least r with half of the weight up to it
        r = (low + high) // 2
        low, high = (low, r) if upto(r) >= half * (1 - 2.0**-40) else (r + 1, high)
    return low


def mean_in_range(noise: InSteps, most: int) -> float | None:
    """The mean error of numbers that are read so, over all from 0 to `most` alike.

    None where the noise and the range are too long for it to be added up, or it is so small that
    sums of doubles do not tell it.

    >>> from fractions import Fraction
    >>> round(mean_in_range(NoiseMechanism(path(0, 1), Fraction(3)), 1), 12)
    0.25
    """
    reach = _reach(noise)
    if min(reach, most) + noise.step > _LONGEST:
        return None
    columns = _Columns(noise, most, min(reach, most + noise.step))
    ends = most > 2 * reach  # what is drawn in the middle is read as it is
    z = np.arange(1 - noise.step, (reach if ends else most + noise.step - 1) + 1)
    further = float(noise.ratio / (noise.ratio - 1))  # all that is drawn whole steps beyond
    times = np.where((z <= 0) | (z >= most), further, 1.0)
    total = float(times @ columns.errors(z))
    if ends:
        total = 2 * total + (most - 1 - 2 * reach) * columns.middle
    mean = total / float(noise.normalizer) / (most + 1)
    return mean if mean > tolerances.NOISE_SUM else None


def worst_in_range(noise: InSteps, most: int) -> float | None:
    """The mean error of the worst number from 0 to `most` that is read so.

    None where too many errors had to be added up, or doubles do not tell them.

    >>> from fractions import Fraction
    >>> round(worst_in_range(NoiseMechanism(path(0, 1), Fraction(3)), 1), 12)
    0.25
    """
    reach = _reach(noise)
    most = min(most, 4 * reach)  # of a longer range the rest is like its middle
    if (most + 1) * (2 * reach + 1) > _MOST_PAIRS:
        return None
    z = np.arange(-reach, reach + 1)
    rungs = np.maximum(np.ceil((np.abs(z) + 1 - noise.first) / noise.step), 0)
    chances = np.exp(-rungs * _fall(noise)) / float(noise.normalizer)
    columns = _Columns(noise, most, min(reach, most + noise.step))
    worst = max(float(chances @ np.abs(columns.read(x + z) - x)) for x in range(most + 1))
    return worst if worst > tolerances.NOISE_SUM else None


def least_in_range(level: Level, change: int, most: int) -> float | None:
    """A mean error that no mechanism is below, over all numbers from 0 to `most` alike.

    The numbers are those of `change` counts that one unit changes by 1, `change` apart; each is
    answered by geometric noise with the least error that there is.

    >>> round(least_in_range(Level.ratio(3), 5, 9), 6)
    1.25
    """
    ratio = level.ratio_below(Surd.of(1))
    counts, longer = divmod(most + 1, change)
    total = 0.0
    for size, times in ((counts, change - longer), (counts + 1, longer)):
        if size > 1 and times:
            least = mean_in_range(NoiseMechanism(path(0, 1), ratio), size - 1)
            if least is None:
                return None
            total += times * size * change * least
    return total / (most + 1)


@dataclass(frozen=True)
class _Columns:
    """The weights of all numbers in a range, given a drawn one, added up."""

    noise: InSteps
    most: int
    far: int

    @cached_property
    def _sums(self) -> tuple[FloatArray, FloatArray]:
        """Of noises up to each: their weights, and as often as they are long."""
        d = np.arange(self.far + 1)
        rungs = np.maximum(np.ceil((d + 1 - self.noise.first) / self.noise.step), 0)
        weights = np.exp(-rungs * _fall(self.noise))
        zero = np.zeros(1)
        return (np.concatenate([zero, np.cumsum(weights)]),
                np.concatenate([zero, np.cumsum(d * weights)]))

    @property
    def middle(self) -> float:
        """The error of a drawn number that is far from both ends."""
        return 2 * float(self._sums[1][-1])

    @cached_property
    def _medians(self) -> IntArray:
        """The readings of all numbers that may be drawn up to a step beyond the range."""
        step = self.noise.step
        return self._median(np.arange(1 - step, self.most + 1))

    def read(self, z: IntArray) -> IntArray:
        """The readings of drawn numbers, as `read_in_range` has them."""
        step, most = self.noise.step, self.most
        inside = np.where(z > most, most - z, z)
        places = np.where(inside >= 0, inside, -(-inside % step)) + step - 1
        read = self._medians[places]
        return np.asarray(np.where(z > most, most - read, read))

    def _median(self, z: IntArray) -> IntArray:
        low, high = np.zeros_like(z), np.full_like(z, self.most)
        half = self._upto(z, high)[0] / 2 * (1 - 2.0**-40)
        while (low < high).any():
            r = (low + high) // 2
            enough = self._upto(z, r)[0] >= half
            low, high = np.where(enough, low, np.minimum(r + 1, high)), np.where(enough, r, high)
        return low

    def errors(self, z: IntArray) -> FloatArray:
        """How far the numbers in the range are from their median, added up by weight."""
        low = self._median(z)
        (weight, summed), (total, all_summed) = self._upto(z, low), self._upto(
            z, np.full_like(z, self.most))
        return np.asarray(low * weight - summed + (all_summed - summed) - low * (total - weight))

    def _upto(self, z: IntArray, r: IntArray) -> tuple[FloatArray, FloatArray]:
        """The weight of the numbers from 0 to r, and their sum by weight."""
        last = np.minimum(r, z - 1)
        below, apart = self._between(z - last, np.where(last >= 0, z, z - last - 1))
        first = np.maximum(z, 0)
        above, beyond = self._between(first - z, np.where(r >= first, r - z, first - z - 1))
        return below + above, z * (below + above) - apart + beyond

    def _between(self, first: IntArray, last: IntArray) -> tuple[FloatArray, FloatArray]:
        weights, lengths = self._sums
        a, b = (np.clip(end, 0, self.far + 1) for end in (first, last + 1))
        return weights[b] - weights[a], lengths[b] - lengths[a]


def _reach(noise: InSteps) -> int:
    """How far noise reaches, but for what is left out."""
    return noise.first + noise.step * (int(_LEFT_OUT * log(2) / _fall(noise)) + 2)


def _fall(noise: InSteps) -> float:
    top, bottom = noise.ratio.as_integer_ratio()
    return log1p((top - bottom) / bottom) if top < 2 * bottom else log(top) - log(bottom)


def _upto(noise: InSteps, far: int) -> float:
    """The weight of noise from 1 to `far`."""
    if far < 1:
        return 0.0
    inside = min(far, noise.first - 1)
    left = far - inside
    full, rest = divmod(left, noise.step)
    fall = _fall(noise)
    falls = exp(-fall) * expm1(-fall * full) / expm1(-fall)  # q^-1 + ... + q^-full
    return inside + noise.step * falls + rest * exp(-fall * (full + 1))
