"""Staircase noise: the best additive noise for a query of sensitivity Δ on a line.

The density is e^(-kε) on kΔ <= |z| < (k + γ)Δ and e^(-(k+1)ε) up to (k + 1)Δ, times a
constant. γ = 1/(1 + e^(ε/2)) makes E|z| least: Δ e^(ε/2)/(e^ε - 1). Geng and Viswanath (2014);
the γ of WXH's Example 9 is absolute, γΔ here.
"""

from __future__ import annotations

from fractions import Fraction

from flint import ctx

from tightrope.errors import BadInput
from tightrope.exact import Intervals, Level, Number, Surd, ball_of, float_above
from tightrope.mechanisms import PiecewiseNoise
from tightrope.privacy import level_of

_ONE = Surd.of(1)


def staircase(
    sensitivity: Fraction | int | str,
    epsilon: Level | Number | None = None,
    share: Fraction | str | None = None,
    *,
    ratio: Number | None = None,
) -> PiecewiseNoise:
    """Noise on the line in steps, for a number that one person changes by the sensitivity.

    The first step is `share` (γ) of the sensitivity wide on either side; further ones are each
    less likely by a ratio at or just below e^ε. Without a share nearly the best one is taken.

    The best γ is irrational in general; a fraction of 40 binary places is taken.

    Returns: `PiecewiseNoise`; its `mean_error` is exact.

    Raises: `BadInput` unless the sensitivity is above 0 and the share from above 0 to 1.

    >>> staircase(1, Level.ratio(4), Fraction(1, 3)).mean_error
    Fraction(2, 3)
    >>> float(staircase(1, Level.ratio(4)).mean_error - Fraction(2, 3)) < 1e-20
    True
    """
    level = Level.positive(level_of(epsilon, ratio=ratio))
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
