"""What a privacy bound means to an attacker (KL10, Proposition 2.1.4).

The true input is i; the attacker weighs i against j. Seeing the output moves the odds of j
against i by the factor P(o | j) / P(o | i). With M the bound of the pair and m(a) =
1 - M(1 - a), the factor reaches t > 1 with probability at most sup {a : M(a) >= t a}, and
falls to 1/t or below with probability at most sup {a : m(a) <= a/t}, whatever the attacker
believed before. The probability is over the mechanism alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import exp, floor, log10

from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.privacy.generic import PairBound

_ZERO = Fraction(0)


@dataclass(frozen=True)
class OddsChange:
    """How likely the odds of another input rise, or fall, by a factor or more; upper bounds."""

    factor: Fraction
    rise: Fraction
    fall: Fraction


def odds_change(bound: PairBound, factor: Fraction) -> OddsChange:
    """The proved chances that the odds move by the factor (above 1) or more.

    >>> from tightrope.exact import Level
    >>> loose = PairBound.of_level(Level.ratio(2, "0.01"))
    >>> odds_change(loose, Fraction(4))
    OddsChange(factor=Fraction(4, 1), rise=Fraction(1, 200), fall=Fraction(1, 50))
    >>> odds_change(PairBound.of_level(Level.ratio(2)), Fraction(3)).rise
    Fraction(0, 1)
    """
    if factor <= 1:
        raise BadInput(f"expected a factor above 1, found {factor}.")
    return OddsChange(factor, _rise(bound, factor), _fall(bound, factor))


def _rise(bound: PairBound, factor: Fraction) -> Fraction:
    """sup {a > 0 : M(a) >= factor · a}; M(a)/a falls, so one piece holds the answer."""
    best = _ZERO
    for (a, b), (c, d) in pairwise(bound.knots):
        slope = (d - b) / (c - a)
        if d >= factor * c:
            best = c
        elif b > factor * a or (a > 0 and b == factor * a):
            best = (b - slope * a) / (factor - slope)
    return best


def _fall(bound: PairBound, factor: Fraction) -> Fraction:
    """sup {a > 0 : m(a) <= a / factor}, where m(a) = 1 - M(1 - a) is convex with m(0) = 0."""
    best = _ZERO
    pieces = [(1 - a, 1 - b) for a, b in reversed(bound.knots)]
    if 1 - bound.at_zero <= 1 / factor:
        return Fraction(1)
    for (a, b), (c, d) in pairwise(pieces):
        slope = (d - b) / (c - a)
        if d <= c / factor:
            best = c
        elif b < a / factor or (a > 0 and b == a / factor):
            best = (b - slope * a) / (1 / factor - slope)
    return best


def promise(level: Level) -> str:
    """What a level promises, in one sentence.

    >>> promise(Level.ratio(2))[-30:]
    '1 by at most a factor e^ε = 2.'
    """
    factor = factor_text(float(level))
    if level.delta == 0:
        return (
            "Observing the answer changes the odds between two inputs at distance 1 "
            f"by at most a factor {factor}."
        )
    delta = float(level.delta)
    return (
        "For any set of answers, its probability under one input is at most "
        f"{factor} times that under a neighbor, plus δ = {delta:.7g}; an attacker's odds between "
        f"neighbors change by a factor 2e^ε or more with probability below 3δ = {3 * delta:.7g}."
    )


LARGEST_FACTOR = 20.0
"""Levels up to this size are shown as a factor e^ε."""


def factor_text(epsilon: float) -> str:
    """The factor e^ε, with digits enough to tell it from 1.

    >>> factor_text(0.5), factor_text(0.001), factor_text(50.0)
    ('e^ε = 1.65', 'e^ε = 1.001', 'e^50')
    """
    if epsilon > LARGEST_FACTOR:
        return f"e^{epsilon:.7g}"
    return f"e^ε = {exp(epsilon):.{max(3, 2 - floor(log10(epsilon)))}g}"
