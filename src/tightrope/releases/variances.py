"""A variance from three noisy sums, and the interval that their noise leaves open.

For values u between 0 and 1 the sums A of (1 - u)², B of 2u(1 - u) and C of u² add up to the
number T of rows. About any c the mean square is (c² A - c (1 - c) B + (1 - c)² C)/T, and the
variance is its least value, at c the mean. For a fixed c it is largest and smallest at corners
of a box of sums; so the least variance in a box is that of a corner, and the largest is at most
the largest mean square of a corner about any one c.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

Sums = tuple[Fraction, Fraction, Fraction]

_HALVINGS = 40
"""How often the interval of the best c is cut."""


def variance(drawn: Sequence[int], width: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """The variance of values between 0 and 1, and an interval if no sum is off by more.

    Where no sum can be above 0, the interval is that of all variances.

    >>> [round(float(end), 9) for end in variance([5, 0, 5], Fraction(0))]   # half 0, half 1
    [0.25, 0.25, 0.25]
    """
    ends = [(max(Fraction(x) - width, Fraction(0)), max(Fraction(x) + width, Fraction(0)))
            for x in drawn]
    corners: list[Sums] = [(a, b, c) for a, b, c in product(*ends) if a + b + c > 0]
    sums: Sums = (Fraction(max(drawn[0], 0)), Fraction(max(drawn[1], 0)),
                  Fraction(max(drawn[2], 0)))
    if not corners or not any(sums):
        return Fraction(0), Fraction(0), Fraction(1, 4)
    low = max(min(_least(corner) for corner in corners), Fraction(0))
    return max(_least(sums), Fraction(0)), low, max(_most(corners), low)


def _mean(sums: Sums) -> Fraction:
    return (sums[1] / 2 + sums[2]) / sum(sums)


def _about(sums: Sums, c: Fraction) -> Fraction:
    """The mean square about c."""
    a, b, d = sums
    return (c * c * a - c * (1 - c) * b + (1 - c) ** 2 * d) / (a + b + d)


def _least(sums: Sums) -> Fraction:
    return _about(sums, _mean(sums))


def _most(corners: Sequence[Sums]) -> Fraction:
    """The least over c of the largest mean square of a corner: convex in c."""
    floats = [tuple(float(part / sum(corner)) for part in corner) for corner in corners]

    def largest(c: float) -> float:
        return max(c * c * a - c * (1 - c) * b + (1 - c) ** 2 * d for a, b, d in floats)

    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        third = (high - low) / 3
        if largest(low + third) <= largest(high - third):
            high -= third
        else:
            low += third
    at = Fraction((low + high) / 2)
    return max(_about(corner, at) for corner in corners)
