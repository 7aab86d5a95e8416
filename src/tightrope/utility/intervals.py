"""Intervals for estimated proportions, and the variances they rest on.

From one row, the estimate of π_v has the second moment Σ_x π_x S[x,v] (S as in `Inverse`). So
n rows give it the variance (1/n)(Σ_x π_x S[x,v] - π_v) for the rows themselves. With `sampling`,
for the population they were drawn from, it is (1/n)(Σ_x π_x S[x,v] - π_v²) (H16, Theorem 6.6 and
Corollary 6.1).
"""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist
from typing import TypeVar, assert_never

import numpy as np

from tightrope.choices import Interval
from tightrope.errors import BadInput, Infeasible
from tightrope.exact import FloatArray
from tightrope.utility.count_intervals import population_ends, table_ends
from tightrope.utility.inversion import Inverse

Real = TypeVar("Real", float, Fraction)


def variances(inverse: Inverse, law: FloatArray, n: float, sampling: bool) -> FloatArray:
    """The variance of every estimate at these proportions; not below zero by rounding."""
    moments = law * inverse.own() + inverse.others(law) - (law**2 if sampling else law)
    return np.asarray(np.maximum(moments, 0) / n)


def largest_variance(own: Real, rest: Real, sampling: bool) -> Real:
    """The largest variance from one row over all proportions.

    `own` is S[v,v] and `rest` the largest other S[x,v]: the worst proportions have t of v and
    the rest on that x, and t own + (1 - t) rest - t² peaks at t = (own - rest)/2 within [0, 1].

    >>> largest_variance(Fraction(7, 4), Fraction(3, 4), sampling=True)
    Fraction(1, 1)
    """
    if not sampling:
        return max(rest, own - 1)
    t = min(max((own - rest) / 2, type(own)(0)), type(own)(1))
    return t * own + (1 - t) * rest - t * t


def best_interval(inverse: Inverse, n: float, sampling: bool) -> Interval:
    """Exact where an interval of this inverse can be and is quick to find, else score."""
    chances = inverse.chances()
    if chances is None or n != int(n) or not (sampling or chances.are_small(int(n))):
        return Interval.SCORE
    return Interval.EXACT


def interval_ends(
    estimates: FloatArray,
    inverse: Inverse,
    law: FloatArray,
    n: float,
    *,
    confidence: float,
    interval: Interval,
    sampling: bool,
    cut: bool = True,
) -> tuple[FloatArray, FloatArray]:
    """The ends of the interval of every value, `cut` to [0, 1].

    `estimates` are unbiased, `law` has the proportions at which their variance is taken.
    Raises `Infeasible` if an output is too rare to mean anything, and `BadInput` where there is
    no exact interval.
    """
    factor = NormalDist().inv_cdf((1 + confidence) / 2)
    match interval:
        case Interval.NORMAL:
            spread = factor * np.sqrt(variances(inverse, law, n, sampling))
            low, high = estimates - spread, estimates + spread
        case Interval.EXACT:
            low, high = _exact_ends(estimates, inverse, n, confidence, sampling)
        case Interval.SCORE:
            half = inverse.steps() / (2 * n)
            low, high = _score_ends(estimates, half, inverse, law, factor**2 / n, sampling)
            if cut:
                edge = np.clip(estimates, 0, 1)
                low, high = np.minimum(low, edge), np.maximum(high, edge)
        case Interval.CHEBYSHEV:
            pairs = zip(inverse.own().tolist(), inverse.largest_other().tolist(), strict=True)
            widest = np.array([largest_variance(*pair, sampling) for pair in pairs])
            spread = np.sqrt(widest / n / (1 - confidence))
            low, high = estimates - spread, estimates + spread
        case _:
            assert_never(interval)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        raise too_rare()
    return (np.clip(low, 0, 1), np.clip(high, 0, 1)) if cut else (low, high)


def too_rare() -> Infeasible:
    """The error for estimates that are beyond the range of doubles."""
    return Infeasible(
        "nothing can be learned: some outputs are too rare for their counts to mean anything."
    )


def _exact_ends(
    estimates: FloatArray, inverse: Inverse, n: float, confidence: float, sampling: bool
) -> tuple[FloatArray, FloatArray]:
    chances = inverse.chances()
    if chances is None or n != int(n):
        raise BadInput("exact intervals need rows without weights, and a mechanism whose estimate "
                       "of each value follows one count; use score instead.")
    ends = population_ends if sampling else table_ends
    return ends(chances.counts(estimates, int(n)), int(n), chances, confidence)


def _score_ends(
    estimates: FloatArray, half: FloatArray, inverse: Inverse, law: FloatArray, square: float,
    sampling: bool,
) -> tuple[FloatArray, FloatArray]:
    """Where (estimate ± half - t)² = square · (t own + (1 - t) rest - t), or - t² with sampling.

    `half` is half of a step of the estimate, the continuity correction. `rest` is the second
    moment of a row that does not hold the value: at the law or, if larger, such that the moment
    of all rows is the observed one, for a law that was moved into [0, 1] may have lost the values
    that vary most. Beyond [0, 1] that is no variance; an estimate out there contradicts all
    proportions, and the nearest end stays in.
    """
    own, even = inverse.own(), np.full(len(law), 1 / len(law))
    alone = law >= 1
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        observed = inverse.others(estimates) + (estimates - law) * own
        rest = np.where(alone, inverse.others(even) / (1 - even), np.minimum(
            np.maximum(inverse.others(law), observed) / (1 - law), inverse.largest_other()))
        slope = square * (own - rest - (0 if sampling else 1))
        bend = 1 + (square if sampling else 0)
        low, high = (
            (shifted + slope / 2 + sign * np.sqrt(np.maximum(
                (shifted + slope / 2) ** 2 - bend * (shifted**2 - square * rest), 0))) / bend
            for sign, shifted in ((-1, estimates - half), (1, estimates + half))
        )
    return np.asarray(low), np.asarray(high)
