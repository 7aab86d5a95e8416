"""The meaning of a level to somebody who guesses: bounds on odds and on the power of tests.

At (ε, δ) a test with false positive rate a has power at most the least of 1, e^ε a + δ and
1 - e^-ε (1 - a - δ) (Wasserman and Zhou, 2010; Kairouz and others, 2015). Both are rounded up.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log10

from tightrope.exact import Level, Surd

ALARMS = Fraction(5, 100)
"""The false positive rate of tests in reports."""
_LARGEST = 10**6


def odds_factor(level: Level) -> Fraction:
    """A number at or just above e^ε, by which odds change at most where δ is 0.

    >>> odds_factor(Level.ratio(3))
    Fraction(3, 1)
    """
    return level.pure.ratio_above(Surd.of(1))


def best_test(level: Level, alarms: Fraction = ALARMS) -> Fraction:
    """A bound on the power of every test with this false positive rate, at or just above the least.

    >>> best_test(Level.ratio(2)), best_test(Level.ratio(3, "0.01"))
    (Fraction(1, 10), Fraction(4, 25))
    """
    factor, rest = odds_factor(level), 1 - alarms - level.delta
    return min(Fraction(1), factor * alarms + level.delta, 1 - rest / factor)


def rounded_up(number: Fraction, digits: int = 2) -> str:
    """A number above 0 with so many digits after the point, never below it; a power if it is huge.

    >>> rounded_up(Fraction(33, 20)), rounded_up(Fraction(10, 3)), rounded_up(Fraction(10**40 + 1))
    ('1.65', '3.34', '10^41')
    """
    if number > _LARGEST:
        return f"10^{ceil(ceil(number).bit_length() * log10(2))}"
    return f"{ceil(number * 10**digits) / 10**digits:,.{digits}f}"


def percent_up(share: Fraction) -> str:
    """A share as a percentage, never below it.

    >>> percent_up(Fraction(1, 10)), percent_up(Fraction(1, 3))
    ('10 %', '33.4 %')
    """
    return f"{ceil(share * 1000) / 10:g} %"
