"""Linear programs in exact fractions: minimize ⟨c, x⟩ subject to A x = b, x >= 0.

HiGHS proposes a basis in double arithmetic; exact arithmetic judges it. If it is not optimal,
the simplex method goes on from there with Bland's rule, so that it ends: primal steps from a
feasible basis, dual steps from one with right prices, and otherwise primal steps from a basis
that the caller knows to be feasible. What is returned satisfies both sides exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import highspy
import numpy as np
from flint import fmpq, fmpq_mat

from tightrope.errors import SolverFailed, TooLarge
from tightrope.exact import tolerances

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
    state = _Simplex(program)
    proposed = _proposed(program)
    if proposed is None or not state.settle(proposed):
        state.settle(list(program.start))
    return state.solution()


class _Simplex:
    """A basis of the program and exact steps from it."""

    def __init__(self, program: RationalProgram) -> None:
        self.costs = [_q(c) for c in program.costs]
        self.columns = [[(row, _q(value)) for row, value in column] for column in program.columns]
        self.size = len(program.totals)
        self.totals = fmpq_mat(self.size, 1, [_q(b) for b in program.totals])
        self.basis: list[int] = []

    def settle(self, basis: list[int]) -> bool:
        """Walk to an optimal basis; False if this one is neither primal nor dual feasible."""
        self.basis = sorted(basis)
        if self._refresh() is False:
            return False
        if all(value >= 0 for value in self.values):
            while (entering := self._improving()) is not None:
                self._primal_step(entering)
            return True
        if self._improving() is not None:
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
        held = self.inverse * self.totals
        self.values = [held[i, 0] for i in range(self.size)]
        line = fmpq_mat(1, self.size, [self.costs[j] for j in self.basis]) * self.inverse
        self.prices = [line[0, i] for i in range(self.size)]

    def _reduced(self, j: int) -> fmpq:
        return self.costs[j] - sum((self.prices[r] * v for r, v in self.columns[j]), fmpq(0))

    def _improving(self) -> int | None:
        """The first column with a negative reduced cost (Bland)."""
        held = set(self.basis)
        return next(
            (j for j in range(len(self.costs)) if j not in held and self._reduced(j) < 0), None
        )

    def _primal_step(self, entering: int) -> None:
        column = fmpq_mat(self.size, 1)
        for row, value in self.columns[entering]:
            column[row, 0] = value
        change = self.inverse * column
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
        held, best = set(self.basis), None
        for j in range(len(self.costs)):
            if j in held:
                continue
            slope = sum((self.inverse[leaving, r] * v for r, v in self.columns[j]), fmpq(0))
            if slope < 0 and (best is None or (self._reduced(j) / -slope, j) < best):
                best = (self._reduced(j) / -slope, j)
        if best is None:
            raise SolverFailed("the program in exact fractions has no solution.")
        column = fmpq_mat(self.size, 1)
        for row, value in self.columns[best[1]]:
            column[row, 0] = value
        self._pivot(leaving, best[1], self.inverse * column)

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
        x = [Fraction(0)] * len(self.costs)
        for j, value in zip(self.basis, self.values, strict=True):
            x[j] = _fraction(value)
        prices = tuple(_fraction(price) for price in self.prices)
        totals = sum((self.totals[i, 0] * self.prices[i] for i in range(self.size)), fmpq(0))
        return RationalSolution(tuple(x), prices, _fraction(totals))


def _q(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _proposed(program: RationalProgram) -> list[int] | None:
    """The basis that HiGHS ends in, or None if it is not made of columns alone."""
    rows, count = len(program.totals), len(program.columns)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = count, rows
    lp.col_cost_ = np.array([float(c) for c in program.costs])
    lp.col_lower_, lp.col_upper_ = np.zeros(count), np.full(count, highspy.kHighsInf)
    lp.row_lower_ = lp.row_upper_ = np.array([float(b) for b in program.totals])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.cumsum([0, *(len(column) for column in program.columns)])
    entries = [entry for column in program.columns for entry in column]
    lp.a_matrix_.index_ = np.array([row for row, _ in entries], dtype=np.int64)
    lp.a_matrix_.value_ = np.array([float(value) for _, value in entries])
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(name, tolerances.SHIPPING_ERROR)
    solver.passModel(lp)
    solver.run()
    basic = highspy.HighsBasisStatus.kBasic
    status = solver.getBasis().col_status
    basis = [j for j, kind in enumerate(status) if kind == basic]
    return basis if len(basis) == rows else _completed(program, basis)


def _completed(program: RationalProgram, basis: list[int]) -> list[int] | None:
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
