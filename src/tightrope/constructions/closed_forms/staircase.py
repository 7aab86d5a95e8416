"""Staircase noise: the best additive noise for a query of sensitivity Δ on a line.

The density is e^(-kε) on kΔ <= |z| < (k + γ)Δ and e^(-(k+1)ε) up to (k + 1)Δ, times a
constant. γ = 1/(1 + e^(ε/2)) makes E|z| least: Δ e^(ε/2)/(e^ε - 1). On the integers the
first step holds |z| < r, with r from 1 to Δ. Geng and Viswanath (2014); the γ of WXH's
Example 9 is absolute, γΔ here.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, isqrt

from flint import ctx

from tightrope.errors import BadInput
from tightrope.exact import Intervals, Level, Surd, ball_of, float_above
from tightrope.mechanisms import NoiseMechanism, PiecewiseNoise
from tightrope.spaces import Space, largest_change

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


def integer_staircase(
    space: Space, level: Level, first: int | None = None
) -> NoiseMechanism:
    """Staircase noise on the integers, for a path or sums: steps as wide as one person's change.

    |noise| < first on the first step; without one the best for the mean error is taken.

    >>> from tightrope.spaces import sums
    >>> noisy = integer_staircase(sums(people=9, maximum=3), Level.ratio(4), 2)
    >>> [noisy.law(0).rung(z) for z in range(6)]
    [0, 0, 1, 1, 1, 2]
    """
    change = largest_change(space)
    if change is None:
        raise BadInput(f"expected a path of whole numbers or sums, found {space.text:.60}.")
    ratio = level.pure.ratio_below(_ONE)
    chosen = _best_first(change, ratio) if first is None else first
    return NoiseMechanism(space, ratio, change, chosen)


def _best_first(step: int, ratio: Fraction) -> int:
    """The first step r from 1 to s with the least mean error.

    With a = 1/(q - 1) and N = 2r - 1 + 2sa the mean error is N/4 + K/N, K free of r: least at
    N = 2 √K, or at one of the two ends.
    """
    a = 1 / (ratio - 1)
    loose = step * a * (step - 1 + 2 * step * a) - (1 - 2 * step * a) ** 2 / 4
    if loose <= 0:
        return 1
    square = 4 * loose
    root = Fraction(isqrt(square.numerator * square.denominator), square.denominator)
    near = floor((root + 1 - 2 * step * a) / 2)
    options = {min(max(near + k, 1), step) for k in (-1, 0, 1, 2)}
    return min(sorted(options), key=lambda r: (2 * r - 1 + 2 * step * a) / 4
               + loose / (2 * r - 1 + 2 * step * a))
