"""The unit interval by finitely many points."""

from __future__ import annotations

from fractions import Fraction

from tightrope.spaces import MatrixSpace, matrix


def unit_interval(size: int) -> MatrixSpace:
    """Evenly spaced points from 0 to 1."""
    rows = [[Fraction(abs(i - j), size - 1) for j in range(size)] for i in range(size)]
    return matrix(range(size), rows)
