"""Sums of independent noises of one kind: how far they reach, by adding up their exact law.

The law of one noise is written out on a window that holds all but 2^-60 of it and convolved with
itself in double arithmetic, whose errors are far below what is added to every tail here. Where
windows are long, noises are rounded to blocks first; by what that may hide, reaches are longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt, log, log1p, sqrt

import numpy as np

from tightrope.exact import FloatArray, tolerances
from tightrope.mechanisms.noise import InSteps

_LONGEST = 2**20
"""Blocks of a sum that are written out."""

_LEFT_OUT = 60
"""Binary places of what a window leaves out of one noise."""


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

    @cached_property
    def _law(self) -> tuple[FloatArray, int]:
        """The law of the sum of rounded noises, centered, and the width of a block."""
        reach = self._window
        block = max(1, -(-(2 * reach + 1) * self.terms // _LONGEST))
        z = np.arange(-reach, reach + 1)
        rungs = np.maximum(np.ceil((np.abs(z) + 1 - self.noise.first) / self.noise.step), 0)
        one = np.exp(-rungs * self._fall)
        one /= one.sum()
        if block > 1:
            far = -(-reach // block)
            one = np.bincount(np.rint(z / block).astype(np.int64) + far, one, 2 * far + 1)
        size = self.terms * (len(one) - 1) + 1
        length = 1 << (size - 1).bit_length()
        whole = np.fft.irfft(np.fft.rfft(one, length) ** self.terms, length)[:size]
        return np.maximum(whole, 0.0), block

    @property
    def mean_error(self) -> float:
        """The mean absolute value of the sum, in double arithmetic."""
        if self.terms == 1:
            return float(self.noise.mean_error)
        if self._wide:  # by then as good as normal, and never more than this
            return sqrt(self.terms * self.noise.mean_square)
        law, block = self._law
        far = len(law) // 2
        return float(np.abs(np.arange(-far, far + 1)) @ law) * block

    def reach(self, confidence: Fraction) -> int:
        """A width that holds the sum with at least this probability."""
        if self.terms == 1:
            return self.noise.reach(confidence)
        if self._wide:
            square = self.terms * self.noise.mean_square / (1 - confidence)
            return min(isqrt(square.__ceil__()) + 1, self._apart(confidence))
        law, block = self._law
        far = len(law) // 2
        inside = law[far] + np.concatenate(
            [[0.0], np.cumsum(law[far + 1:] + law[:far][::-1])])
        wanted = float(confidence) + tolerances.NOISE_SUM
        found = int(np.searchsorted(inside, wanted))
        if found > far:  # beyond the window: each noise by itself
            return self._apart(confidence)
        return found if block == 1 else found * block + -(-self.terms * block // 2)

    @property
    def _wide(self) -> bool:
        """Whether one noise is too wide to be written out."""
        return self._window > _LONGEST

    @property
    def _fall(self) -> float:
        top, bottom = self.noise.ratio.as_integer_ratio()
        return log1p((top - bottom) / bottom)

    @property
    def _window(self) -> int:
        """A reach of one noise: beyond rung t is at most q^-t of it."""
        return self.noise.first + self.noise.step * (int(_LEFT_OUT * log(2) / self._fall) + 2)

    def _apart(self, confidence: Fraction) -> int:
        """A reach from those of all noises by themselves."""
        return self.terms * self.noise.reach(1 - (1 - confidence) / self.terms)
