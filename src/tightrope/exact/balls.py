"""Ball arithmetic: rigorous enclosures of real numbers, and the way back to rationals.

A ball is `flint.arb`: a midpoint and a radius that together contain the true number.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb, ctx

from tightrope.exact.rationals import to_flint


def ball_of(value: Fraction, bits: int) -> arb:
    """A ball that contains the rational, at the given working precision."""
    with ctx.workprec(bits):
        return arb(to_flint(value))


def lower_bound(ball: arb) -> Fraction:
    """The lower end of the ball, exactly."""
    return _rational(ball.mid()) - _rational(ball.rad())


def upper_bound(ball: arb) -> Fraction:
    """The upper end of the ball, exactly."""
    return _rational(ball.mid()) + _rational(ball.rad())


def float_below(ball: arb) -> float:
    """A double at or below every number of the ball."""
    exact = lower_bound(ball)
    near = float(exact)
    return near if Fraction(near) <= exact else math.nextafter(near, -math.inf)


def float_above(ball: arb) -> float:
    """A double at or above every number of the ball."""
    exact = upper_bound(ball)
    near = float(exact)
    return near if Fraction(near) >= exact else math.nextafter(near, math.inf)


def short_text(value: Fraction) -> str:
    """A number in few characters: the fraction if it is short, else a decimal.

    >>> short_text(Fraction(2, 3)), short_text(Fraction(1, 3**400))
    ('2/3', '1.41741855e-191')
    """
    if max(abs(value.numerator), value.denominator) < 10**9:
        return str(value)
    shown: str = ball_of(value, 80).str(9, radius=False)
    return shown


def _rational(point: arb) -> Fraction:
    """The exact value of a ball of radius zero."""
    mantissa, exponent = point.man_exp()
    size, shift = int(mantissa), int(exponent)
    return Fraction(size << shift) if shift >= 0 else Fraction(size, 1 << -shift)
