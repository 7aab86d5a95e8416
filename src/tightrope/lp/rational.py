"""Linear programs in exact fractions: minimize ⟨c, x⟩ subject to A x = b, x >= 0.

HiGHS proposes a basis in double arithmetic; exact arithmetic judges it. If it is not optimal,
the simplex method goes on from there with Bland's rule, so that it ends: primal steps from a
feasible basis, dual steps from one with right prices, and otherwise primal steps from a basis
that the caller knows to be feasible. Whether there is any x is such a program too: minimize
what is missing in A x = b. If something is, the prices are Farkas's vector, which rules x out.
Every answer is checked: it satisfies both sides exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpq, fmpq_mat

from tightrope.errors import SolverFailed, TooLarge
from tightrope.exact import FloatArray, from_flint, to_flint, tolerances
from tightrope.lp.programs import LinearProgram, basic_columns

Column = Sequence[tuple[int, Fraction]]
MOST_ROWS = 600
"""Equations of a program that is solved in exact fractions, at most."""


@dataclass(frozen=True)
class RationalProgram:
    """The data: one cost and one sparse column (row, entry) for each variable, totals b.

    `start` names the columns of a basis with a non-negative solution.
    """

    costs: Sequence[Fraction]
    columns: Sequence[Column]
    totals: Sequence[Fraction]
    start: Sequence[int]


@dataclass(frozen=True)
class RationalSolution:
    """An optimal x, prices y with A^T y <= c, and the common value ⟨c, x⟩ = ⟨b, y⟩."""

    x: tuple[Fraction, ...]
    prices: tuple[Fraction, ...]
    value: Fraction


@dataclass(frozen=True)
class Separated:
    """A vector u with u A >= 0 and u b < 0: there is no x >= 0 with A x = b."""

    vector: tuple[Fraction, ...]


def minimize_exactly(program: RationalProgram) -> RationalSolution:
    """The exact optimum of a program that is feasible and bounded.

    >>> one, two = Fraction(1), Fraction(2)  # minimize x + 2y with x + y = 1
    >>> minimize_exactly(RationalProgram([one, two], [[(0, one)], [(0, one)]], [one], [1])).x
    (Fraction(1, 1), Fraction(0, 1))
    """
    if len(program.totals) > MOST_ROWS:
        raise TooLarge(
            "the number of equations in exact fractions", len(program.totals), MOST_ROWS,
            "use fewer inputs or outputs",
        )
    proposed = _propose_basis(program)
    return _optimum(program, [program.start] if proposed is None else [proposed, program.start])


def nonnegative_solution(
    matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]
) -> tuple[Fraction, ...] | Separated:
    """A solution x >= 0 of A x = b, or the vector that separates b from the cone of columns.

    It minimizes Σ s over A x ± s = b, s >= 0, in exact steps alone: of many solutions the same
    one is found wherever it is asked for.

    >>> one, two = Fraction(1), Fraction(2)
    >>> nonnegative_solution([[one, two], [one, two]], [two, two])
    (Fraction(2, 1), Fraction(0, 1))
    >>> nonnegative_solution([[one, two], [one, two]], [one, two])
    Separated(vector=(Fraction(1, 1), Fraction(-1, 1)))
    """
    rows, count = range(len(right)), len(matrix[0])
    columns = [[(i, matrix[i][j]) for i in rows if matrix[i][j]] for j in range(count)]
    columns += [[(i, Fraction(-1 if right[i] < 0 else 1))] for i in rows]
    costs = [Fraction(0)] * count + [Fraction(1)] * len(right)
    start = range(count, len(columns))
    optimum = _optimum(RationalProgram(costs, columns, right, start), [start])
    if optimum.value == 0:
        return optimum.x[:count]
    return Separated(tuple(-price for price in optimum.prices))


def _optimum(program: RationalProgram, bases: Sequence[Sequence[int]]) -> RationalSolution:
    """The solution to which steps lead from the first basis that is feasible on some side."""
    state = _Simplex(program)
    if not any(state.settle(basis) for basis in bases):
        raise SolverFailed("a program in exact fractions was given no feasible basis.")
    return state.solution()


class _Simplex:
    """A basis of the program and exact steps from it."""

    def __init__(self, program: RationalProgram) -> None:
        self.costs = [to_flint(c) for c in program.costs]
        self.columns = [
            [(row, to_flint(value)) for row, value in column] for column in program.columns
        ]
        self.size = len(program.totals)
        self.totals = fmpq_mat(self.size, 1, [to_flint(b) for b in program.totals])
        self.basis: list[int] = []

    def settle(self, basis: Sequence[int]) -> bool:
        """Walk to an optimal basis; False if this one is neither primal nor dual feasible."""
        self.basis = sorted(basis)
        if self._refresh() is False:
            return False
        if all(value >= 0 for value in self.values):
            while (entering := self._entering_column()) is not None:
                self._primal_step(entering)
            return True
        if self._entering_column() is not None:
            return False
        while min(self.values) < 0:
            self._dual_step()
        return True

    def _refresh(self) -> bool:
        matrix = fmpq_mat(self.size, self.size)
        for position, j in enumerate(self.basis):
            for row, value in self.columns[j]:
                matrix[row, position] = value
        try:
            self.inverse = matrix.inv()
        except ZeroDivisionError:
            return False
        self._evaluate()
        return True

    def _evaluate(self) -> None:
        solution = self.inverse * self.totals
        self.values = [solution[i, 0] for i in range(self.size)]
        line = fmpq_mat(1, self.size, [self.costs[j] for j in self.basis]) * self.inverse
        self.prices = [line[0, i] for i in range(self.size)]

    def _reduced_cost(self, j: int) -> fmpq:
        return self.costs[j] - sum((self.prices[r] * v for r, v in self.columns[j]), fmpq(0))

    def _entering_column(self) -> int | None:
        """The first column with a negative reduced cost (Bland)."""
        basic = set(self.basis)
        others = (j for j in range(len(self.costs)) if j not in basic)
        return next((j for j in others if self._reduced_cost(j) < 0), None)

    def _primal_step(self, entering: int) -> None:
        change = self._change(entering)
        steps = [
            (self.values[i] / change[i, 0], self.basis[i], i)
            for i in range(self.size)
            if change[i, 0] > 0
        ]
        if not steps:
            raise SolverFailed("the program in exact fractions has no finite optimum.")
        self._pivot(min(steps)[2], entering, change)

    def _dual_step(self) -> None:
        leaving = min((j, i) for i, j in enumerate(self.basis) if self.values[i] < 0)[1]
        basic, best = set(self.basis), None
        for j in range(len(self.costs)):
            if j in basic:
                continue
            slope = sum((self.inverse[leaving, r] * v for r, v in self.columns[j]), fmpq(0))
            if slope < 0 and (best is None or (self._reduced_cost(j) / -slope, j) < best):
                best = (self._reduced_cost(j) / -slope, j)
        if best is None:
            raise SolverFailed("the program in exact fractions has no solution.")
        self._pivot(leaving, best[1], self._change(best[1]))

    def _change(self, entering: int) -> fmpq_mat:
        """Decrease of the basic variables for each unit of the entering one."""
        column = fmpq_mat(self.size, 1)
        for row, value in self.columns[entering]:
            column[row, 0] = value
        return self.inverse * column

    def _pivot(self, leaving: int, entering: int, change: fmpq_mat) -> None:
        """Replace a column of the basis: one rank-one update of the inverse."""
        pivot = change[leaving, 0]
        row = fmpq_mat(1, self.size, [self.inverse[leaving, k] for k in range(self.size)])
        factors = fmpq_mat(change)
        factors[leaving, 0] = pivot - 1
        self.inverse = self.inverse - (factors * (1 / pivot)) * row
        self.basis[leaving] = entering
        self._evaluate()

    def solution(self) -> RationalSolution:
        """The solution of the basis, if it is primal and dual feasible with the same value."""
        missing = [self.totals[i, 0] for i in range(self.size)]
        value = sum((b * y for b, y in zip(missing, self.prices, strict=True)), fmpq(0))
        x, paid = [Fraction(0)] * len(self.costs), fmpq(0)
        for j, amount in zip(self.basis, self.values, strict=True):
            x[j] = from_flint(amount)
            paid += self.costs[j] * amount
            for row, entry in self.columns[j]:
                missing[row] -= entry * amount
        fair = all(self._reduced_cost(j) >= 0 for j in range(len(self.costs)))
        if any(missing) or min(x, default=0) < 0 or not fair or paid != value:
            raise SolverFailed("the solution in exact fractions did not pass its check.")
        return RationalSolution(tuple(x), tuple(map(from_flint, self.prices)), from_flint(value))


def _propose_basis(program: RationalProgram) -> list[int] | None:
    """The basis that HiGHS ends in; None if it needs rows, or a number is beyond doubles."""
    entries = [(row, j, v) for j, column in enumerate(program.columns) for row, v in column]
    try:
        totals, costs = _floats(program.totals), _floats(program.costs)
        values = _floats([value for _, _, value in entries])
    except OverflowError:
        return None
    none = np.zeros(len(costs))
    rows, columns = (np.array([entry[k] for entry in entries], dtype=np.int64) for k in (0, 1))
    doubles = LinearProgram(costs, rows, columns, values, totals, totals, none, none + np.inf)
    basis = basic_columns(doubles, tolerance=tolerances.SHIPPING_ERROR)
    return basis if len(basis) == len(totals) else _complete_basis(program, basis)


def _floats(values: Sequence[Fraction]) -> FloatArray:
    return np.array([float(value) for value in values])


def _complete_basis(program: RationalProgram, basis: list[int]) -> list[int] | None:
    """A basis with too few columns, filled up from the one that is known."""
    missing = [j for j in program.start if j not in set(basis)]
    size = len(program.totals)
    matrix = np.zeros((size, len(basis) + len(missing)))
    for position, j in enumerate([*basis, *missing]):
        for row, value in program.columns[j]:
            matrix[row, position] = float(value)
    kept: list[int] = []
    reduced = matrix.copy()
    for position in range(matrix.shape[1]):
        length = np.linalg.norm(reduced[:, position])
        if length <= tolerances.SOLVER_ERROR:
            continue
        unit = reduced[:, position] / length
        reduced -= np.outer(unit, unit @ reduced)
        kept.append(position)
    chosen = [[*basis, *missing][position] for position in kept]
    return chosen if len(chosen) == size and set(basis) <= set(chosen) else None
