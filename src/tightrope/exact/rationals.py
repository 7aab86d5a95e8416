"""Between Python's fractions and FLINT's rationals, which are quick in matrices and long sums."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq


def to_flint(value: Fraction) -> fmpq:
    """The same number for FLINT.

    >>> to_flint(Fraction(-3, 4))
    -3/4
    """
    return fmpq(value.numerator, value.denominator)


def from_flint(value: fmpq) -> Fraction:
    """The same number for Python.

    >>> from_flint(fmpq(-3, 4))
    Fraction(-3, 4)
    """
    return Fraction(int(value.p), int(value.q))
