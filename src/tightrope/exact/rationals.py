"""Between Python's fractions and FLINT's rationals, which are quick in matrices; exact powers."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import fmpq, fmpz

from tightrope.exact.sizes import LONGEST_EXPONENT


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


def bit_size(value: Fraction) -> int:
    """The bits of the longer of numerator and denominator."""
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def perfect_root(value: Fraction, degree: int) -> Fraction | None:
    """The rational t with t^degree = value, or None; for a value of at least 0.

    >>> perfect_root(Fraction(8, 27), 3), perfect_root(Fraction(2), 3)
    (Fraction(2, 3), None)
    """
    if degree == 1 or value == 0:
        return value
    if degree >= bit_size(value) and value != 1:
        return None
    roots = []
    for integer in (value.numerator, value.denominator):
        root = int(fmpz(integer).root(degree))
        if root**degree != integer:
            return None
        roots.append(root)
    return Fraction(*roots)


def lowest_terms(coefficient: Fraction, base: Fraction) -> tuple[Fraction, Fraction]:
    """The same coefficient · ln(base) with the least denominator of the coefficient.

    >>> lowest_terms(Fraction(1, 10), Fraction(1024)), lowest_terms(Fraction(1, 6), Fraction(4, 9))
    ((Fraction(1, 1), Fraction(2, 1)), (Fraction(1, 3), Fraction(2, 3)))
    """
    degree = 2
    while degree <= coefficient.denominator and degree < bit_size(base):
        root = perfect_root(base, degree) if coefficient.denominator % degree == 0 else None
        if root is None:
            degree += 1
        else:
            coefficient, base = coefficient * degree, root
    return coefficient, base


@lru_cache(maxsize=64)
def rational_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    """base^exponent where it is rational and not too long, else None."""
    root = perfect_root(base, exponent.denominator)
    if root is None or exponent.numerator * bit_size(root) > LONGEST_EXPONENT:
        return None
    return root**exponent.numerator


def same_power(ratio: Fraction, base: Fraction, exponent: Fraction) -> bool:
    """Whether ratio = base^exponent: in lowest terms n/d, base = t^d and ratio = t^n."""
    root = perfect_root(base, exponent.denominator)
    if root is None or (exponent.numerator - 1) * (bit_size(root) - 1) > bit_size(ratio):
        return False
    return root**exponent.numerator == ratio
