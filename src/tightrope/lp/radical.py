"""Linear equations and their non-negative solutions in a field of radicals, exactly.

A number of Q(θ) acts on 1, θ, …, θ^(q-1) as a rational q × q matrix, so n equations over the
field are n q equations over the rationals, which flint solves. Non-negative solutions come from
the simplex method with Bland's rule: minimize what is missing in A x = b.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq, fmpq_mat

from tightrope.errors import SolverFailed
from tightrope.exact import Radical, from_flint, to_flint

Matrix = Sequence[Sequence[Radical]]


def solve_radical(matrix: Matrix, right: Sequence[Radical]) -> list[Radical] | None:
    """The x with A x = b, None if A is singular.

    >>> from fractions import Fraction
    >>> from tightrope.exact import RadicalField
    >>> field = RadicalField(Fraction(2), 2, Fraction(1))
    >>> root = Radical(field, (Fraction(0), Fraction(1)))
    >>> [str(c) for c in solve_radical([[root]], [field.number(1)])[0].coefficients]
    ['0', '1/2']
    """
    size, degree = len(matrix), right[0].field.degree
    entries = [fmpq(0)] * (size * degree) ** 2
    for i, row in enumerate(matrix):
        for j, number in enumerate(row):
            for r, line in enumerate(number.table):
                start = (i * degree + r) * size * degree + j * degree
                entries[start : start + degree] = [to_flint(x) for x in line]
    rational = fmpq_mat(size * degree, size * degree, entries)
    goal = fmpq_mat(size * degree, 1, [to_flint(x) for b in right for x in b.coefficients])
    try:
        numbers = [from_flint(x) for x in rational.solve(goal).entries()]
    except ZeroDivisionError:
        return None
    field = right[0].field
    return [Radical(field, tuple(numbers[k * degree : (k + 1) * degree])) for k in range(size)]


def nonnegative_radical(
    matrix: Matrix, right: Sequence[Radical]
) -> tuple[list[Radical] | None, list[Radical]]:
    """A solution x >= 0 of A x = b >= 0, or None and a vector u with u A >= 0 and u b < 0."""
    size, field = len(matrix), right[0].field
    zero, unit = field.number(0), field.number(1)
    columns = [[matrix[i][j] for i in range(size)] for j in range(size)]
    columns += [[unit if i == k else zero for i in range(size)] for k in range(size)]
    basis = list(range(size, 2 * size))
    while True:
        basic = [[columns[j][i] for j in basis] for i in range(size)]
        values = _solve_basis(basic, right)
        costs = [unit if j >= size else zero for j in basis]
        prices = _solve_basis(list(zip(*basic, strict=True)), costs)
        entering = next(
            (j for j in range(size) if j not in basis and _dot(prices, columns[j]).sign > 0), None
        )
        if entering is None:
            break
        change = _solve_basis(basic, columns[entering])
        basis[_leaving(values, change, basis)] = entering
    if any(value.sign for j, value in zip(basis, values, strict=True) if j >= size):
        return None, [-price for price in prices]
    solution = [zero] * size
    for j, value in zip(basis, values, strict=True):
        if j < size:
            solution[j] = value
    return solution, prices


def _leaving(values: list[Radical], change: list[Radical], basis: list[int]) -> int:
    """Which column leaves: the first to reach 0, of several the one with the least number."""
    best: int | None = None
    for i, step in enumerate(change):
        if step.sign <= 0:
            continue
        if best is None:
            best = i
            continue
        order = (values[i] * change[best] - values[best] * step).sign
        if order < 0 or (order == 0 and basis[i] < basis[best]):
            best = i
    if best is None:
        raise SolverFailed("a program in a field of radicals has no finite optimum.")
    return best


def _solve_basis(matrix: Matrix, right: Sequence[Radical]) -> list[Radical]:
    solution = solve_radical(matrix, right)
    if solution is None:
        raise SolverFailed("a basis in a field of radicals is singular.")
    return solution


def _dot(first: Sequence[Radical], second: Sequence[Radical]) -> Radical:
    total = first[0].field.number(0)
    for a, b in zip(first, second, strict=True):
        total = total + a * b
    return total
