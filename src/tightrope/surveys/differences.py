"""How far one answer's share differs between two groups, with an interval that holds.

With 30 answers or more in both groups the interval is normal. With fewer it is exact: each
group's share has an interval at the root of the confidence, and groups answer independently.
A share is b_1 + Σ_j (b_j - b_{j-1}) P(B >= b_j), where B is what one response counts for and
b_1 < b_2 < … are its values. Each of these chances has the interval of Clopper and Pearson.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from statistics import NormalDist

from tightrope.choices import Interval
from tightrope.exact import tolerances
from tightrope.surveys.estimation import QuestionEstimate, estimate_answers
from tightrope.utility import exact_inverse

FEW = 30
"""Answers in a group below which its interval is exact."""


@dataclass(frozen=True)
class Difference:
    """The difference of one answer's share between two groups, second minus first.

    `exact` says that the interval holds at the confidence whatever the shares are; else it is
    a normal approximation. `p_value` is one minus the confidence at which it first reaches 0.
    """

    answer: str
    difference: float
    low: float
    high: float
    p_value: float
    exact: bool


def difference(first: QuestionEstimate, second: QuestionEstimate, answer: int) -> Difference:
    """How far two independent groups differ.

    >>> from tightrope.surveys.designs import warner
    >>> from tightrope.utility import Tally
    >>> few, many = (estimate_answers(warner("3/4"), Tally.of([2 * n, 3 * n])) for n in (1, 100))
    >>> difference(few, many, 1).exact, difference(many, many, 1).exact
    (True, False)
    """
    a, b = first.shares.rows[answer], second.shares.rows[answer]
    name, gap, confidence = str(a.value), b.estimate - a.estimate, first.shares.confidence
    if min(first.shares.n, second.shares.n) < FEW:
        low, high = _between(first, second, answer, confidence)
        return Difference(name, gap, low, high, _p_value(first, second, answer), exact=True)
    spread = sqrt(a.error**2 + b.error**2)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    p = 2 * (1 - NormalDist().cdf(abs(gap) / spread)) if spread else float(gap == 0)
    return Difference(name, gap, gap - z * spread, gap + z * spread, p, exact=False)


def _between(
    first: QuestionEstimate, second: QuestionEstimate, answer: int, confidence: float
) -> tuple[float, float]:
    """The exact interval of the difference."""
    (a, b), (c, d) = (_share(group, answer, sqrt(confidence)) for group in (first, second))
    return c - b, d - a


def _p_value(first: QuestionEstimate, second: QuestionEstimate, answer: int) -> float:
    """One minus the largest confidence at which the exact interval leaves 0 out, rounded up."""
    low, high = 0.0, 1.0
    while high - low > tolerances.CHANCE_ERROR:
        middle = (low + high) / 2
        start, end = _between(first, second, answer, middle)
        low, high = (low, middle) if start <= 0 <= end else (middle, high)
    return 1 - low


def _share(group: QuestionEstimate, answer: int, confidence: float) -> tuple[float, float]:
    """An interval of a share that holds at this confidence, cut to [0, 1]."""
    tally = group.tally
    if tally.effective != tally.n:  # weights: no binomial law, but variances are known
        row = estimate_answers(group.design, tally, confidence=confidence,
                               interval=Interval.CHEBYSHEV,
                               sampling=group.shares.sampling).shares.rows[answer]
        return row.low, row.high
    counted = [row[answer] for row in exact_inverse(group.design.rows)]
    values = sorted(set(counted))
    rest = (1 - confidence) / (len(values) - 1)
    low = high = float(values[0])
    for before, value in pairwise(values):
        part = sum(share for share, b in zip(tally.shares, counted, strict=True) if b >= value)
        start, end = _chance(round(part * tally.n), tally.n, rest)
        low += float(value - before) * start
        high += float(value - before) * end
    return min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)


def _chance(count: int, n: int, rest: float) -> tuple[float, float]:
    """The interval of Clopper and Pearson of a chance, which fails with probability `rest`."""
    from scipy.stats import beta

    low = float(beta.ppf(rest / 2, count, n - count + 1)) if count else 0.0
    high = float(beta.isf(rest / 2, count + 1, n - count)) if count < n else 1.0
    return low, high
