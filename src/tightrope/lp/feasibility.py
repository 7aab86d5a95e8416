"""Whether A x = b has a solution x >= 0, decided exactly.

Phase one of the simplex method in rational arithmetic with Bland's rule, which always ends.
The answer is a solution, or Farkas's vector u with u A >= 0 and u b < 0, which rules it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

Row = list[fmpq]


@dataclass(frozen=True)
class Feasible:
    """A solution x >= 0 of A x = b."""

    solution: tuple[Fraction, ...]


@dataclass(frozen=True)
class Separated:
    """A vector u with u A >= 0 and u b < 0: there is no x >= 0 with A x = b."""

    vector: tuple[Fraction, ...]


def nonnegative_solution(
    matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]
) -> Feasible | Separated:
    """A solution x >= 0 of A x = b, or the vector that separates b from the cone of columns.

    >>> one, two = Fraction(1), Fraction(2)
    >>> nonnegative_solution([[one, two], [one, two]], [two, two])
    Feasible(solution=(Fraction(2, 1), Fraction(0, 1)))
    >>> nonnegative_solution([[one, two], [one, two]], [one, two])
    Separated(vector=(Fraction(1, 1), Fraction(-1, 1)))
    """
    rows, columns = len(right), len(matrix[0])
    signs = [-1 if value < 0 else 1 for value in right]
    table = [
        [
            *(_rational(sign * entry) for entry in matrix[i]),
            *(fmpq(i == j) for j in range(rows)),
            _rational(sign * right[i]),
        ]
        for i, sign in enumerate(signs)
    ]
    basis = list(range(columns, columns + rows))
    price = [-sum((row[j] for row in table), fmpq(0)) for j in range(columns)]
    price += [fmpq(0)] * rows + [-sum((row[-1] for row in table), fmpq(0))]
    while (enter := next((j for j in range(columns) if price[j] < 0), None)) is not None:
        leave = _leaving(table, basis, enter)
        _pivot(table, price, leave, enter)
        basis[leave] = enter
    if price[-1] == 0:
        found = [Fraction(0)] * (columns + rows)
        for row, place in zip(table, basis, strict=True):
            found[place] = _fraction(row[-1])
        return Feasible(tuple(found[:columns]))
    # the price of artificial i is 1 minus the multiplier of row i
    return Separated(
        tuple(
            -sign * (1 - _fraction(price[columns + i])) for i, sign in enumerate(signs)
        )
    )


def _leaving(table: list[Row], basis: list[int], enter: int) -> int:
    """The row of the smallest quotient; of ties, the one with the smallest variable."""
    ratios = [
        (row[-1] / row[enter], basis[i], i) for i, row in enumerate(table) if row[enter] > 0
    ]
    least = min(ratio for ratio, _, _ in ratios)
    return min((place, i) for ratio, place, i in ratios if ratio == least)[1]


def _pivot(table: list[Row], price: Row, leave: int, enter: int) -> None:
    scale = table[leave][enter]
    pivot = [value / scale for value in table[leave]]
    table[leave] = pivot
    for line in (*(row for i, row in enumerate(table) if i != leave), price):
        factor = line[enter]
        if factor != 0:
            for j, value in enumerate(pivot):
                if value != 0:
                    line[j] -= factor * value


def _rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
