"""Two numbers that are compared, with the digits that decide.

A sentence such as "0.5, more than 0.5" proves nothing to its reader. Wherever a message sets
one rounded number against another, both are written here: shortly where that tells them
apart, with more digits where it does not, and beyond that with the difference itself.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb, ctx

from tightrope.exact.balls import ball_of, short_text

Number = Fraction | Callable[[int], arb]
"""A number: rational, or a ball around it at any precision in bits."""
_FEW, _MOST = 9, 36


def told_apart(
    first: Number | float, second: Number | float, digits: int | None = None
) -> tuple[str, str]:
    """Both numbers in as few digits as tell them apart; the same text only if they are equal.

    Short fractions stay fractions unless a number of digits is asked for.

    >>> told_apart(Fraction(3, 2), Fraction(5, 3))
    ('3/2', '5/3')
    >>> told_apart(0.5, 0.75, 4), told_apart(0.5, Fraction(1, 2) + Fraction(1, 10**12))
    (('0.5', '0.75'), ('0.500000000000', '0.500000000001'))
    >>> told_apart(Fraction(1, 3), Fraction(1, 3) - Fraction(1, 10**50))
    ('0.333333333 + 1.0e-50', '0.333333333')
    """
    a, b = (Fraction(x) if isinstance(x, float) else x for x in (first, second))
    few = _FEW if digits is None else digits
    if a == b or _decimal(a, few) != _decimal(b, few):
        return _shortly(a, digits), _shortly(b, digits)
    for more in range(few + 1, _MOST + 1):
        if _decimal(a, more) != _decimal(b, more):
            return _decimal(a, more), _decimal(b, more)
    return f"{_decimal(a, few)} {_difference(a, b)}", _decimal(b, few)


def _shortly(number: Number, digits: int | None) -> str:
    if digits is None:
        return short_text(number) if isinstance(number, Fraction) else _decimal(number, _FEW)
    text = _decimal(number, digits)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def _decimal(number: Number, digits: int) -> str:
    """The number to so many digits."""
    bits = 4 * digits + 32
    while True:
        ball = ball_of(number, bits) if isinstance(number, Fraction) else number(bits)
        if ball == 0 or ball.rel_accuracy_bits() >= 4 * digits:
            shown: str = ball.str(digits, radius=False)
            return shown
        bits *= 2


def _difference(first: Number, second: Number) -> str:
    """The signed difference of two different numbers, shortly."""
    bits = 256
    while True:
        ends = [ball_of(x, bits) if isinstance(x, Fraction) else x(bits) for x in (first, second)]
        with ctx.workprec(bits):
            gap = ends[0] - ends[1]
        if gap.rel_accuracy_bits() >= 16:
            return f"{'+' if gap > 0 else '-'} {abs(gap).str(2, radius=False)}"
        bits *= 2
