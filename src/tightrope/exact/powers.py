"""A rational number against a long power of another, decided without writing the power out.

Logarithms in balls tell the two apart, however long the power is. They never do where both are
equal; but then the number is as long as the power, and comparing both costs no more than it did.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx

from tightrope.exact.balls import ball_of
from tightrope.exact.rationals import to_flint


def compare_power(value: Fraction, base: Fraction, exponent: int) -> int:
    """The sign of value - base^exponent, for numbers above 0 and an exponent from 0.

    >>> compare_power(Fraction(1, 3), Fraction(10**6 + 1, 10**6), 10**12)
    -1
    >>> compare_power(Fraction(9, 4), Fraction(3, 2), 2)
    0
    """
    if _may_tie(value, base, exponent):
        power = base**exponent
        return (value > power) - (value < power)
    bits = 64 + exponent.bit_length()
    while True:
        with ctx.workprec(bits):
            gap = ball_of(value, bits).log() - exponent * _logarithm(base, bits)
        if gap > 0 or gap < 0:
            return 1 if gap > 0 else -1
        bits *= 2


def _may_tie(value: Fraction, base: Fraction, exponent: int) -> bool:
    """Whether value is long enough to be the power, which is in lowest terms as the base is."""
    return all(exponent * (one.bit_length() - 1) < other.bit_length()
               for one, other in zip(base.as_integer_ratio(), value.as_integer_ratio(),
                                     strict=True))


@lru_cache(maxsize=64)
def _logarithm(base: Fraction, bits: int) -> arb:
    """A ball around ln(base), for a base that may be very close to 1."""
    over, under = (base - 1).as_integer_ratio()
    with ctx.workprec(bits + max(under.bit_length() - abs(over).bit_length(), 0)):
        return arb(to_flint(base)).log()
