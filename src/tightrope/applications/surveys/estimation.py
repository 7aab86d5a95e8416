"""What the respondents said, with honest error bars.

The unbiased estimate is right on average and may leave [0, 1]; the most likely shares do not
(H16, errata of (6.4) and (6.34)). Three intervals: Wald (normal, variance at the most likely
shares), score (all shares that are not contradicted at their own variance; for two answers,
Wilson's), and Chebyshev with the largest variance that any shares have, which holds for every
n. With `sampling` they are for the population that respondents were drawn from, without for
the respondents themselves. Weights w count as (Σw)²/Σw² respondents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tightrope.applications.surveys.designs import Design
from tightrope.applications.surveys.inversion import inversion
from tightrope.applications.surveys.likelihood import most_likely
from tightrope.applications.surveys.variance import worst_variance
from tightrope.choices import member_of
from tightrope.errors import BadInput, BadTable
from tightrope.exact import FloatArray

ALARM = 0.001
"""Data less likely than this under any shares are called implausible."""


class Interval(StrEnum):
    """How an interval is made."""

    WALD = "wald"
    SCORE = "score"
    CHEBYSHEV = "chebyshev"


@dataclass(frozen=True)
class Tally:
    """Shares of the responses, how many there were, and how many they count for."""

    shares: tuple[float, ...]
    n: int
    effective: float

    @classmethod
    def of(cls, counts: Sequence[int]) -> Tally:
        """The tally of counts, one for each response.

        >>> Tally.of([30, 10])
        Tally(shares=(0.75, 0.25), n=40, effective=40.0)
        """
        n = sum(counts)
        if n <= 0 or min(counts) < 0:
            raise BadTable("there is nothing to estimate from: no answers were counted.")
        return cls(tuple(count / n for count in counts), n, float(n))

    @classmethod
    def weighted(cls, codes: Sequence[int], weights: Sequence[float], responses: int) -> Tally:
        """The tally of responses (their positions), each with a weight above 0."""
        held = np.asarray(weights, dtype=np.float64)
        if len(codes) != len(held) or not len(held):
            raise BadTable(f"expected one weight for each answer, found {len(held)} weights.")
        if not (np.isfinite(held).all() and (held > 0).all()):
            raise BadTable("expected weights that are finite and above 0.")
        total = float(held.sum())
        sums = np.bincount(np.asarray(codes), weights=held, minlength=responses)
        return cls(tuple((sums / total).tolist()), len(held), total**2 / float((held**2).sum()))


@dataclass(frozen=True)
class AnswerEstimate:
    """One answer: its unbiased and its most likely share, the standard error, the interval."""

    answer: str
    unbiased: float
    likely: float
    error: float
    low: float
    high: float


@dataclass(frozen=True)
class QuestionEstimate:
    """All answers to one question; `surprise` is the probability of data as odd as these."""

    rows: tuple[AnswerEstimate, ...]
    n: int
    effective: float
    confidence: float
    interval: Interval
    sampling: bool
    surprise: float

    @property
    def plausible(self) -> bool:
        """False if hardly any shares explain the responses: was the design followed?"""
        return self.surprise >= ALARM


def estimate_answers(
    design: Design,
    tally: Tally,
    *,
    confidence: float = 0.95,
    interval: Interval | str = Interval.SCORE,
    sampling: bool = True,
) -> QuestionEstimate:
    """The shares of the true answers, given the responses.

    >>> from tightrope.applications.surveys.designs import warner
    >>> found = estimate_answers(warner("3/4"), Tally.of([60, 40])).rows[1]
    >>> f"{found.unbiased:.2f}, {found.low:.2f} to {found.high:.2f}"
    '0.30, 0.12 to 0.50'
    """
    if not 0 < confidence < 1:
        raise BadInput(f"expected a confidence between 0 and 1, found {confidence}.")
    interval = member_of(Interval, interval)
    if len(tally.shares) != len(design.responses):
        raise BadTable(
            f"expected counts of {len(design.responses)} responses, found {len(tally.shares)}."
        )
    P, B, S = _arrays(design)
    seen = np.array(tally.shares)
    unbiased = seen @ B
    likely = most_likely(P, seen, unbiased)
    own = likely**2 if sampling else likely
    errors = np.sqrt(np.maximum(likely @ S - own, 0) / tally.effective)
    rows = []
    for v, answer in enumerate(design.answers):
        ends = _ends(design, v, unbiased[v], errors[v], likely, S, tally.effective, confidence,
                     interval, sampling)
        low, high = (min(max(end, 0.0), 1.0) for end in ends)
        rows.append(AnswerEstimate(answer, float(unbiased[v]), float(likely[v]),
                                   float(errors[v]), low, high))
    surprise = _surprise(seen, likely @ P, tally)
    return QuestionEstimate(tuple(rows), tally.n, tally.effective, confidence, interval,
                            sampling, surprise)


@dataclass(frozen=True)
class Difference:
    """The difference of one answer's share between two groups, second minus first."""

    answer: str
    difference: float
    low: float
    high: float
    p_value: float


def difference(
    first: QuestionEstimate, second: QuestionEstimate, answer: int
) -> Difference:
    """How far two independent groups differ, with a normal interval and test."""
    a, b = first.rows[answer], second.rows[answer]
    spread = sqrt(a.error**2 + b.error**2)
    gap = b.unbiased - a.unbiased
    z = NormalDist().inv_cdf((1 + first.confidence) / 2)
    p = 2 * (1 - NormalDist().cdf(abs(gap) / spread)) if spread else float(gap == 0)
    return Difference(a.answer, gap, gap - z * spread, gap + z * spread, p)


def joint(first: Design, second: Design) -> Design:
    """Two questions as one: pairs of answers and responses, randomized independently.

    Estimates from it are the cross table of the true answers.
    """
    def pairs(a: Sequence[str], b: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{x}, {y}" for x in a for y in b)

    rows = tuple(tuple(p * q for p in a for q in b) for a in first.rows for b in second.rows)
    answers = pairs(first.answers, second.answers)
    return Design(f"{first.name} and {second.name}", answers,
                  pairs(first.responses, second.responses), rows, answers)


def _arrays(design: Design) -> tuple[FloatArray, FloatArray, FloatArray]:
    found = inversion(design.rows)
    P, B, S = (np.array([[float(p) for p in row] for row in rows])
               for rows in (design.rows, found.estimator, found.squares))
    return P, B, S


def _ends(
    design: Design, v: int, center: float, error: float, likely: FloatArray, S: FloatArray,
    n: float, confidence: float, interval: Interval, sampling: bool,
) -> tuple[float, float]:
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    match interval:
        case Interval.WALD:
            return center - z * error, center + z * error
        case Interval.CHEBYSHEV:
            widest = float(worst_variance(design, v, sampling=sampling))
            half = sqrt(widest / n / (1 - confidence))
            return center - half, center + half
        case Interval.SCORE:
            return _score(v, center, likely, S, z * z / n, sampling)


def _score(
    v: int, center: float, likely: FloatArray, S: FloatArray, scale: float, sampling: bool
) -> tuple[float, float]:
    """The t with (center - t)² <= scale · Var at π_v = t, the other shares in proportion."""
    others = np.delete(likely, v)
    rest = others / others.sum() if others.sum() > 0 else np.full(len(others), 1 / len(others))
    at_zero = float(rest @ np.delete(S[:, v], v))
    slope = float(S[v, v]) - at_zero - (0 if sampling else 1)
    # (1 + scale·[sampling]) t² - (2 center + scale slope) t + center² - scale at_zero <= 0
    a = 1 + (scale if sampling else 0)
    b, c = 2 * center + scale * slope, center**2 - scale * at_zero
    root = sqrt(max(b * b - 4 * a * c, 0.0))
    low, high = (b - root) / (2 * a), (b + root) / (2 * a)
    # beyond [0, 1] the variance is no variance; an estimate out there contradicts all shares
    edge = min(max(center, 0.0), 1.0)
    return min(low, edge), max(high, edge)


def _surprise(seen: FloatArray, expected: NDArray[np.float64], tally: Tally) -> float:
    """An upper bound on the p-value of the fit: exact for two responses, else χ² of G²."""
    from scipy.stats import binom, chi2

    if len(seen) == 2 and tally.effective == tally.n:
        count, chance = round(seen[1] * tally.n), float(expected[1])
        if np.isclose(seen[1], chance):
            return 1.0
        tail = binom.cdf(count, tally.n, chance) if seen[1] < chance else binom.sf(
            count - 1, tally.n, chance)
        return float(tail)
    gain = sum(f * log(f / q) for f, q in zip(seen, expected, strict=True) if f > 0)
    return float(chi2.sf(2 * tally.effective * max(gain, 0.0), len(seen) - 1))


def exact_share(design: Design, shares: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The frequencies of the responses for given shares of the answers, q = Pᵀπ."""
    columns = zip(*design.rows, strict=True)
    return tuple(
        sum((p * cell for p, cell in zip(shares, column, strict=True)), Fraction(0))
        for column in columns
    )
