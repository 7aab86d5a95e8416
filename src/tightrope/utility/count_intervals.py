"""Exact intervals for proportions whose estimate follows one count.

A row that holds a value is counted for it with probability p, any other row with probability
q < p (randomized response, reports of sets, two outputs). If m of n rows hold the value, the count
is the sum of two binomial numbers, from m rows and n - m. It grows with m in law, so the m at
which neither tail is below half of 1 - confidence form an interval, and it holds for every m.
For a population with the share t the count is binomial with the chance q + (p - q)t, and the
interval is that of Clopper and Pearson.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import FloatArray, IntArray

MOST_VARIANCE: Final = 400.0
"""Variance of a count up to which tails are added up. Beyond it a sum over each value's window
takes seconds; the score interval with half a step held 0.95 within 0.0005 at 12 settings."""

_WINDOW: Final = 9.0
"""Standard deviations that a sum reaches over on either side; 1e-18 is beyond."""


@dataclass(frozen=True)
class Chances:
    """The chance that a row is counted for each value, if it holds the value and if it does not."""

    own: FloatArray
    other: FloatArray

    def counts(self, estimates: FloatArray, n: int) -> IntArray:
        """How many rows were counted for each value, from its unbiased estimate."""
        shares = self.other + (self.own - self.other) * estimates
        return np.rint(n * shares).astype(np.int64)

    def are_small(self, n: int) -> bool:
        """Whether the largest variance of each count of n rows is small enough to add up tails."""
        each = np.maximum(self.own * (1 - self.own), self.other * (1 - self.other))
        return bool((n * each <= MOST_VARIANCE).all())


def population_ends(
    counts: IntArray, n: int, chances: Chances, confidence: float
) -> tuple[FloatArray, FloatArray]:
    """Ends for the shares in the population that n rows were drawn from."""
    from scipy.stats import beta

    rest = (1 - confidence) / 2
    low = np.where(counts > 0, beta.ppf(rest, np.maximum(counts, 1), n - counts + 1), 0.0)
    high = np.where(counts < n, beta.isf(rest, counts + 1, np.maximum(n - counts, 1)), 1.0)
    apart = chances.own - chances.other
    return (low - chances.other) / apart, (high - chances.other) / apart


def table_ends(
    counts: IntArray, n: int, chances: Chances, confidence: float
) -> tuple[FloatArray, FloatArray]:
    """Ends for the shares of the n rows themselves."""
    cases, place = np.unique(
        np.stack([counts, chances.own, chances.other], axis=1), axis=0, return_inverse=True
    )
    law = _Count(cases[:, 0].astype(np.int64), n, cases[:, 1], cases[:, 2])
    rest = (1 - confidence) / 2
    low = _least(lambda m: law.at_least(m) > rest, len(cases), n)
    high = _least(lambda m: law.at_most(m) <= rest, len(cases), n + 1) - 1
    return np.minimum(low, n)[place.ravel()] / n, np.maximum(high, 0)[place.ravel()] / n


@dataclass(frozen=True)
class _Count:
    """Tails of the sum of m rows counted with chance `own` and n - m with chance `other`."""

    seen: IntArray
    n: int
    own: FloatArray
    other: FloatArray

    def at_least(self, m: IntArray) -> FloatArray:
        """The chance of a count as large as the one seen, or larger."""
        from scipy.stats import binom

        first, weights = self._first(m)
        rest = binom.sf(self.seen[:, None] - first - 1, (self.n - m)[:, None], self.other[:, None])
        return np.asarray((weights * rest).sum(axis=1))

    def at_most(self, m: IntArray) -> FloatArray:
        """The chance of a count as small as the one seen, or smaller."""
        from scipy.stats import binom

        first, weights = self._first(m)
        rest = binom.cdf(self.seen[:, None] - first, (self.n - m)[:, None], self.other[:, None])
        return np.asarray((weights * rest).sum(axis=1))

    def _first(self, m: IntArray) -> tuple[IntArray, FloatArray]:
        """Numbers that may be counted of the first m rows, and their chances."""
        from scipy.stats import binom

        middle = np.rint(m * self.own).astype(np.int64)
        reach = ceil(_WINDOW * sqrt(float((m * self.own * (1 - self.own)).max(initial=0)))) + 9
        first = middle[:, None] + np.arange(-reach, reach + 1)
        return first, np.asarray(binom.pmf(first, m[:, None], self.own[:, None]))


def _least(holds: Callable[[IntArray], NDArray[np.bool_]], cases: int, end: int) -> IntArray:
    """The least whole number from 0 at which each case holds, `end` if none below it does."""
    low, high = np.zeros(cases, np.int64), np.full(cases, end, np.int64)
    while (low < high).any():
        middle = (low + high) // 2
        true = holds(np.minimum(middle, end - 1))
        moving = low < high
        high = np.where(moving & true, middle, high)
        low = np.where(moving & ~true, middle + 1, low)
    return low
