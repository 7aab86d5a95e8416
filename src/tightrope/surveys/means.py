"""Means of numbers that true answers stand for, among the people who have one.

One response counts for Σ_x B[z,x] s_x, where P B = I: on average the number of the true answer.
Where some answers have no number (“not asked”, “prefer not to say”), the mean among the others is
R = E u / E v, v being 1 for those who have one. Its interval is a score interval corrected for
skewness (see `mean_scores`). Of fewer than 30 answers the interval is exact: those of both means,
cut by Clopper and Pearson.
A share among those asked is the mean of 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from statistics import NormalDist

import numpy as np

from tightrope.exact import FloatArray
from tightrope.surveys.designs import Design
from tightrope.surveys.estimation import QuestionEstimate
from tightrope.surveys.mean_scores import MeanScore
from tightrope.utility import Tally, exact_inverse

FEW = 30
"""Answers below which intervals of means and differences are exact."""

Numbers = Sequence[Fraction | None]


@dataclass(frozen=True)
class Mean:
    """A mean among the people for whom it exists, with its interval and standard error.

    `among` is the estimated share of those people. `exact` says that the interval holds at the
    confidence whatever the shares are; else it is a score interval, which is approximate.
    """

    name: str
    estimate: float
    low: float
    high: float
    error: float
    among: float
    exact: bool


def mean_among(
    name: str, group: QuestionEstimate, numbers: Numbers, *, exact: bool | None = None
) -> Mean:
    """The mean of the numbers of the true answers, among those whose answer has one.

    If `exact` is not given, the interval is exact for fewer than 30 people without weights. It is
    cut to where a mean can be.

    >>> from tightrope.surveys.designs import k_ary
    >>> from tightrope.surveys.estimation import estimate_answers
    >>> asked = estimate_answers(k_ary(("rarely", "often", "not asked"), 4), Tally.of([50, 60, 90]))
    >>> share = mean_among("often", asked, [Fraction(0), Fraction(1), None])
    >>> f"{share.estimate:.2f}, from {share.low:.2f} to {share.high:.2f}"
    '0.62, from 0.36 to 0.87'
    """
    present = [number for number in numbers if number is not None]
    least, most = float(min(present)), float(max(present))
    u = response_values(group.design, [Fraction(0) if s is None else s for s in numbers])
    v = response_values(group.design, [Fraction(s is not None) for s in numbers])
    f = np.array(group.tally.shares)
    up, down = float(f @ u), float(f @ v)
    estimate = up / down if down else float("nan")
    whole = len(present) == len(numbers)
    if exact is None:
        exact = group.tally.n < FEW and can_be_exact(group)
    moments = _covariance(group, u, v, numbers)
    low, high = (_exact_ends(group, numbers, least, whole) if exact
                 else score_of(group, numbers).ends(quantile_of(group)))
    error = sqrt(max(_quadratic(moments, estimate), 0.0)) / abs(down) if down else float("inf")
    low, high = min(max(low, least), most), max(min(high, most), least)
    return Mean(name, estimate, low, high, error, down, exact)


def can_be_exact(group: QuestionEstimate) -> bool:
    """Whether people were drawn from a population and count alike, so that counts are binomial."""
    return group.tally.effective == group.tally.n and group.shares.sampling


def response_values(design: Design, numbers: Sequence[Fraction]) -> FloatArray:
    """A value for each response; its mean, given the true answer, is the number of that.

    >>> from tightrope.surveys.designs import warner
    >>> response_values(warner("3/4"), [Fraction(0), Fraction(1)]).tolist()
    [-0.5, 1.5]
    """
    return np.array(_values(design.rows, design.prior, tuple(numbers)))


@lru_cache(maxsize=1024)  # intervals at many confidences ask for the same values
def _values(
    rows: tuple[tuple[Fraction, ...], ...], prior: tuple[Fraction, ...] | None,
    numbers: tuple[Fraction, ...],
) -> tuple[float, ...]:
    return tuple(float(sum((b * s for b, s in zip(row, numbers, strict=True)), Fraction(0)))
                 for row in exact_inverse(rows, prior))


def exact_ends(values: FloatArray, tally: Tally, confidence: float) -> tuple[float, float]:
    """The ends of an interval of the mean of a value of one response, of known values.

    The mean is b_1 + Σ_j (b_j - b_{j-1}) P(B >= b_j) for the values b_1 < b_2 < …, and each of
    these chances has the interval of Clopper and Pearson.
    """
    steps = sorted(set(values.tolist()))
    rest = (1 - confidence) / max(len(steps) - 1, 1)
    low = high = steps[0]
    for before, value in pairwise(steps):
        part = sum(share for share, b in zip(tally.shares, values, strict=True) if b >= value)
        start, end = _chance(round(part * tally.n), tally.n, rest)
        low += (value - before) * start
        high += (value - before) * end
    return low, high


def _chance(count: int, n: int, rest: float) -> tuple[float, float]:
    """The interval of Clopper and Pearson of a chance, which fails with probability `rest`."""
    from scipy.special import betainccinv, betaincinv

    low = float(betaincinv(count, n - count + 1, rest / 2)) if count else 0.0
    high = float(betainccinv(count + 1, n - count, rest / 2)) if count < n else 1.0
    return low, high


def _exact_ends(
    group: QuestionEstimate, numbers: Numbers, least: float, whole: bool
) -> tuple[float, float]:
    """The exact interval of a mean: both parts hold at once, each fails with half of the rest."""
    confidence = group.shares.confidence if whole else (1 + group.shares.confidence) / 2
    shifted = [Fraction(0) if s is None else s - Fraction(least) for s in numbers]
    low, high = exact_ends(response_values(group.design, shifted), group.tally, confidence)
    if whole:
        return least + low, least + high
    have = response_values(group.design, [Fraction(s is not None) for s in numbers])
    few, many = exact_ends(have, group.tally, confidence)
    many = min(many, 1.0)
    if few <= 0:
        return float("-inf"), float("inf")
    return least + max(low, 0.0) / many, least + max(high, 0.0) / few


def _covariance(
    group: QuestionEstimate, u: FloatArray, v: FloatArray, numbers: Numbers
) -> FloatArray:
    """The covariances of the means of u and v: of a sample, or of these people's randomization."""
    W = np.vstack([u, v])
    tally, n = group.tally, group.tally.effective
    if group.shares.sampling:
        f = np.array(tally.shares)
        centered = W - (W @ f)[:, None]
        return np.asarray((centered * f) @ centered.T / max(n - 1, 1.0))
    law = np.array([row.adjusted for row in group.shares.rows])
    C = np.array([[0.0 if s is None else float(s) for s in numbers],
                  [float(s is not None) for s in numbers]])
    f = law @ group.design.mechanism.weights.floats
    return np.asarray(((W * f) @ W.T - (C * law) @ C.T) / n)


def _quadratic(moments: FloatArray, R: float) -> float:
    """The variance of the mean of u - R v."""
    return float(moments[0, 0] - 2 * R * moments[0, 1] + R * R * moments[1, 1])


def score_of(group: QuestionEstimate, numbers: Numbers) -> MeanScore:
    """The moments from which the score interval of a mean follows."""
    design = group.design
    return MeanScore.of(
        design.mechanism.weights.floats, np.array(group.tally.shares),
        np.array([row.adjusted for row in group.shares.rows]), group.tally.effective,
        response_values(design, [Fraction(0) if s is None else s for s in numbers]),
        response_values(design, [Fraction(s is not None) for s in numbers]), numbers,
        sampling=group.shares.sampling)


def quantile_of(group: QuestionEstimate, confidence: float | None = None) -> float:
    """Student's quantile, or the normal one of a census, whose variances are known."""
    from scipy.special import stdtrit

    part = (1 + (group.shares.confidence if confidence is None else confidence)) / 2
    if not group.shares.sampling:
        return NormalDist().inv_cdf(part)
    return float(stdtrit(max(group.tally.effective - 1, 1.0), part))
