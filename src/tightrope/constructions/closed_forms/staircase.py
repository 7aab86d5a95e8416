"""Staircase noise: the best additive noise for a query of sensitivity Δ on a line.

The density is e^(-kε) on kΔ <= |z| < (k + γ)Δ and e^(-(k+1)ε) up to (k + 1)Δ, times a
constant. γ = 1/(1 + e^(ε/2)) makes E|z| least: Δ e^(ε/2)/(e^ε - 1). On the integers the
first step holds |z| < r, with r from 1 to Δ. Geng and Viswanath (2014); the γ of WXH's
Example 9 is absolute, γΔ here.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import ctx

from tightrope.errors import BadInput
from tightrope.exact import Intervals, Level, Surd, ball_of, float_above
from tightrope.mechanisms import PiecewiseNoise, RungLaw

_ONE = Surd.of(1)


def staircase(
    sensitivity: Fraction | int | str, level: Level, share: Fraction | str | None = None
) -> PiecewiseNoise:
    """Staircase noise with γ = share, or nearly the best γ, at a ratio at or below e^ε.

    The best γ is irrational in general; a fraction of 40 binary places is taken.

    >>> staircase(1, Level.ratio(4), Fraction(1, 3)).mean_error
    Fraction(2, 3)
    >>> float(staircase(1, Level.ratio(4)).mean_error - Fraction(2, 3)) < 1e-20
    True
    """
    reach = Fraction(sensitivity)
    if reach <= 0:
        raise BadInput(f"expected a sensitivity above 0, found {reach}.")
    gamma = best_share(level) if share is None else Fraction(share)
    if not 0 < gamma <= 1:
        raise BadInput(f"expected a share γ above 0 and at most 1, found {gamma}.")
    first = Intervals.of([(-gamma * reach, gamma * reach)])
    return PiecewiseNoise(level.pure.ratio_below(_ONE), (first,), reach)


def best_share(level: Level) -> Fraction:
    """1/(1 + e^(ε/2)) to 40 binary places: the γ with the least E|z|."""
    with ctx.workprec(128):
        ball = 1 / (1 + (level.pure.ball(128) / 2).exp())
    return Fraction(int(float_above(ball) * 2**40), 2**40) or Fraction(1, 2**40)


def least_mean_error(sensitivity: Fraction | int, level: Level) -> float:
    """Δ e^(ε/2)/(e^ε - 1): the least E|z| of any noise at the level, rounded up.

    >>> round(least_mean_error(1, Level.ratio(4)), 9)
    0.666666667
    """
    with ctx.workprec(128):
        epsilon = level.pure.ball(128)
        ball = ball_of(Fraction(sensitivity), 128) * (epsilon / 2).exp() / (epsilon.exp() - 1)
    return float_above(ball)


def integer_staircase(sensitivity: int, level: Level, first: int | None = None) -> RungLaw:
    """Staircase noise on the integers, with |z| < first on the first step, or the best first.

    >>> law = integer_staircase(3, Level.ratio(4), 2)
    >>> [law.rung(z) for z in range(6)]
    [0, 0, 1, 1, 1, 2]
    """
    if sensitivity < 1:
        raise BadInput(f"expected a whole sensitivity of at least 1, found {sensitivity}.")
    ratio = level.pure.ratio_below(_ONE)
    if first is None:
        options = range(1, sensitivity + 1)
        return min((_integer(sensitivity, ratio, r) for r in options), key=integer_mean_error)
    if not 1 <= first <= sensitivity:
        raise BadInput(f"expected a first step from 1 to {sensitivity}, found {first}.")
    return _integer(sensitivity, ratio, first)


def integer_mean_error(law: RungLaw) -> Fraction:
    """E|z| of integer noise whose rungs lie evenly around 0, in closed form."""
    if (law.lows != -law.highs).any():
        raise BadInput("expected noise with as many rungs below 0 as above.")
    x, total = 1 / law.ratio, Fraction(0)
    edges = [-1, *law.highs.tolist()]
    for t, (inner, outer) in enumerate(pairwise(edges)):
        total += x**t * (outer * (outer + 1) - max(inner, 0) * (max(inner, 0) + 1))
    # rung n + k holds step integers on either side, from h + (k - 1) step + 1 on
    n, h, s = len(law.highs) - 1, int(law.highs[-1]), law.step
    if s:
        each, grown = x / (1 - x), x / (1 - x) ** 2
        mean = h + Fraction(s + 1, 2) - s
        total += x**n * 2 * s * (mean * each + s * grown)
    return total / law.normalizer


def _integer(sensitivity: int, ratio: Fraction, first: int) -> RungLaw:
    edge = np.array([first - 1], dtype=np.int64)
    return RungLaw(ratio, -edge, edge, sensitivity)
