"""Ball arithmetic: rigorous enclosures of real numbers, and the way back to rationals.

A ball is `flint.arb`: a midpoint and a radius that together contain the true number.
"""

from __future__ import annotations

import math
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Final

from flint import arb, ctx

from tightrope.exact.rationals import bit_size, to_flint

_LONGEST_SHOWN: Final = 4000
"""Bits of a number that is worth reading."""

_LARGEST_DOUBLE: Final = Fraction(sys.float_info.max)


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
    near = _nearest_finite(exact)
    return near if Fraction(near) <= exact else math.nextafter(near, -math.inf)


def float_above(ball: arb) -> float:
    """A double at or above every number of the ball."""
    exact = upper_bound(ball)
    near = _nearest_finite(exact)
    return near if Fraction(near) >= exact else math.nextafter(near, math.inf)


def _nearest_finite(exact: Fraction) -> float:
    return float(max(-_LARGEST_DOUBLE, min(exact, _LARGEST_DOUBLE)))


def short_text(value: Fraction) -> str:
    """A number in few characters: the fraction if it is short, else a decimal.

    >>> short_text(Fraction(2, 3)), short_text(Fraction(1, 3**400))
    ('2/3', '1.41741855e-191')
    """
    if max(abs(value.numerator), value.denominator) < 10**9:
        return str(value)
    shown: str = ball_of(value, 80).str(9, radius=False)
    return shown


def exact_text(value: Fraction, *, decimal: bool = True) -> str:
    """A number as text; beyond what is worth reading, only about."""
    if bit_size(value) > _LONGEST_SHOWN:
        return f"about {short_text(value)}"
    return _decimal(value) if decimal else str(value)


def _decimal(value: Fraction) -> str:
    """A fraction as a decimal where that is short and exact, else as p/q."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest == 1 and value.denominator < 10**18:
        digits = Decimal(value.numerator) / Decimal(value.denominator)
        if Fraction(digits) == value:
            return format(digits, "f")
    return str(value)


LONGEST_WRITTEN: Final = 14_000
"""Bits of a number that can be written: Python writes up to 4,300 digits."""


def writable(value: Fraction) -> Fraction:
    """The number itself, or one just above it where it has more digits than can be written.

    >>> long = Fraction(10**5000, 3**10000)
    >>> writable(Fraction(1, 3)), long < writable(long) < long * (1 + Fraction(1, 2**250))
    (Fraction(1, 3), True)
    """
    if bit_size(value) <= LONGEST_WRITTEN:
        return value
    return upper_bound(ball_of(value, 256))


def _rational(point: arb) -> Fraction:
    """The exact value of a ball of radius zero."""
    mantissa, exponent = point.man_exp()
    size, shift = int(mantissa), int(exponent)
    return Fraction(size << shift) if shift >= 0 else Fraction(size, 1 << -shift)
