"""Linear programs solved beyond double precision: what is left to do is magnified.

    minimize ⟨c, x⟩  subject to  A x = b,  x >= 0 (some x free).

HiGHS solves the program in doubles, within some 1e-10. What its solution and prices leave of
b, of x >= 0 and of c is computed in whole numbers; magnified, it is a program with the same
matrix, and the solution of that one, made small again, corrects the first (iterative
refinement: Gleixner, Steffy and Wolter, INFORMS J. Computing 28, 2016). The basis is kept, so
that a correction takes a step or two, and each adds about nine digits. Numbers of any size
are served: optima of 1e-20 beside costs of 1 have their digits too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import ldexp
from time import monotonic
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, tolerances
from tightrope.lp.programs import LinearProgram, limit_steps, load_program, outcome
from tightrope.lp.shortening import Basis, ShortProgram

Whole = NDArray[Any]
"""Python integers of any length."""

_MOST_ROUNDS = 12
_MOST_MAGNIFIED = 40
"""Bits by which one round may magnify more than the last."""
_NEAR = 0.1
"""A relative gap below which prices are good enough to correct x alone."""
_MUCH_LESS = 1024.0
"""A side whose share of the gap is smaller than the whole by this is left alone."""
_WAYS: tuple[dict[str, object], ...] = (
    {},
    {"presolve": "off", "dual_simplex_cost_perturbation_multiplier": 0.0},
    {"simplex_scale_strategy": 0},
)
"""Options that are added one after the other where HiGHS fails."""
_MOST_STEPS = 1
"""Steps of the simplex method, for each row and column, after which a correction has failed.

A first solution takes less than one; corrections that take more go round in circles.
"""
_FAR = 2.0**60
"""Magnified bounds and costs beyond this never matter."""


@dataclass(frozen=True, eq=False)
class FineProgram:
    """The data in whole multiples of 2^-bits; entry k of A is at (`rows[k]`, `columns[k]`)."""

    costs: Whole
    rows: IntArray
    columns: IntArray
    entries: Whole
    totals: Whole
    free: NDArray[np.bool_]
    bits: int


@dataclass(frozen=True, eq=False)
class FineSolution:
    """x and the price of every row, in whole multiples of 2^-bits, and the relative gap left.

    `closed` says whether that is as small as was asked, or was said to be enough. `basis` is
    where the solver ended the last time.
    """

    values: Whole
    prices: Whole
    bits: int
    rounds: int
    gap: float
    closed: bool = True
    basis: Basis | None = None


def refine(
    program: FineProgram,
    *,
    gap: float,
    miss: float = np.inf,
    start: Whole | None = None,
    basis: Basis | None = None,
    seconds: float = np.inf,
    enough: Callable[[FineSolution], bool] | None = None,
) -> FineSolution:
    """A solution and prices whose values differ by at most `gap`, relatively, or the best found.

    No row and no sign is missed by more than `miss`, times the optimum where that is below 1.
    Where `enough` says so of a solution before, that one is taken: what is proved of it may be
    closer than this estimate. The first program solved is already a correction, of `start`:
    where that is near a solution, it is magnified from the outset. The solver begins at `basis`,
    that of a solution of nearly the same program.

    >>> ones = np.array([1 << 80, 1 << 80], dtype=object)  # minimize x + y/3 with x + y = 1
    >>> p = FineProgram(ones // np.array([1, 3]), np.zeros(2, int), np.arange(2), ones, ones[:1],
    ...     np.zeros(2, bool), 80)
    >>> optimum = refine(p, gap=0.0)
    >>> optimum.values.tolist() == [0, 1 << 80], int(optimum.prices[0]) == (1 << 80) // 3
    (True, True)
    """
    end = monotonic() + seconds
    solution = _Refinement(program, start, end, basis).run(gap, miss, enough)
    if not solution.closed and monotonic() < end:
        other = _Refinement(program, start, end, None, eager=True).run(gap, miss, enough)
        solution = min(solution, other, key=lambda either: either.gap)
    return solution


@dataclass(frozen=True, eq=False)
class _State:
    """x and prices so far, the primal residual, the reduced costs, and the gap of their values.

    Primal residual and reduced costs are in multiples of 2^-(2 bits). `misses` are the largest
    primal and dual infeasibility there; `parts` are what these and the difference of the values
    add to the gap.
    """

    values: Whole
    prices: Whole
    residual: Whole
    reduced_costs: Whole
    misses: tuple[int, int]
    parts: tuple[float, float, float]
    size: float

    @property
    def gap(self) -> float:
        return sum(self.parts)


class _Refinement:
    """The program, HiGHS with its matrix, and the best state so far."""

    def __init__(
        self, program: FineProgram, start: Whole | None, end: float, basis: Basis | None,
        *, eager: bool = False,
    ) -> None:
        self.program, self.end, self.eager, self.rounds = program, end, eager, 0
        self.by_row = _Sums(program.rows, len(program.totals))
        self.by_column = _Sums(program.columns, len(program.costs))
        nothing = np.zeros(len(program.costs), dtype=object)
        prices = np.zeros(len(program.totals), dtype=object)
        self.state = self._evaluate(nothing if start is None else start, prices)
        self.magnified = (
            max(0, 2 * program.bits - self.state.misses[0].bit_length()),
            program.bits - int(abs(program.costs).max()).bit_length(),
        )
        self.least = self.magnified[0]
        self.entries = _floats(program.entries, program.bits)
        self.short = ShortProgram(
            program.rows, program.columns, self.entries, self._costs(self.magnified[1]),
            program.free, len(program.totals),
        )
        if basis is not None:
            self.short.start_at(basis)

    @cached_property
    def solver(self) -> Any:
        """HiGHS with the whole program, where the short one ended."""
        program = self.program
        zero, none = np.zeros(len(program.totals)), np.zeros(len(program.costs))
        solver = load_program(
            LinearProgram(
                none, program.rows, program.columns, self.entries, zero, zero, none, none + np.inf
            ),
            least=tolerances.LEAST_ENTRY,
        )
        if self.rounds:
            solver.setBasis(self.short.basis().for_highs())
            limit_steps(solver, _MOST_STEPS)
        return solver

    def run(
        self, gap: float, miss: float, enough: Callable[[FineSolution], bool] | None
    ) -> FineSolution:
        """Correct until the gap is closed, it is enough, or nothing helps."""
        self.gap, self.miss = gap, miss
        while self.rounds < _MOST_ROUNDS and self._proceed():
            self.rounds += 1
            limit_steps(self.short.solver, _MOST_STEPS)
            if not self._open() and not self._misses():
                break
            if enough is not None and enough(self._solution()):
                return replace(self._solution(), closed=True)
        return self._solution()

    def _solution(self) -> FineSolution:
        state, bits = self.state, self.program.bits
        left = state.gap / state.size if state.size else (np.inf if state.gap else 0.0)
        return FineSolution(
            state.values, state.prices, bits, self.rounds, left, left <= self.gap,
            self.short.basis() if self.rounds else None,
        )

    def _proceed(self) -> bool:
        """Whether a round was made: the program without slacks is solved first, then the whole one.

        It corrects x a second time where only that misses too much.
        """
        if not self.rounds:
            return self._correct_short() or self._correct()
        if self.rounds == 1:
            if self._misses() and self.state.gap < _NEAR * self.state.size:
                self._correct_short()
            return True
        return self._correct()

    def _correct_short(self) -> bool:
        """Whether the program without slacks brought x forward; its prices are taken once."""
        bits, (up, out) = self.program.bits, self.magnified
        if self.rounds:
            up = min(up + _MOST_MAGNIFIED, 2 * bits - self.state.misses[0].bit_length())
        lower, totals = self._magnify(up)
        try:
            values, prices = self.short.solve(lower, totals, self.end - monotonic())
        except SolverFailed:
            return False
        known = self.state.prices if self.rounds else _wholes(prices, bits - out)
        state = self._evaluate(self.state.values + _wholes(values, bits - up), known)
        closer = 2 * state.misses[0] < self.state.misses[0] and state.gap < 2 * self.state.gap
        if not self.rounds or closer:
            self.state, self.magnified = state, (up, out)
        return closer or not self.rounds

    def _correct(self) -> bool:
        """Whether some way to solve the magnified rest brought the state forward."""
        failure, first = None, not self.rounds
        for magnified in [self.magnified] if first else self._more():
            for way in _WAYS:
                for name, value in way.items():
                    self.solver.setOptionValue(name, value)
                try:
                    state = self._correction(*magnified)
                except SolverFailed as error:
                    failure = error
                else:
                    if first or self._is_better(state):
                        self.state, self.magnified = state, magnified
                        return True
                if monotonic() > self.end:
                    break
                self.solver.clearSolver()
        if first and failure is not None:
            raise failure
        return False

    def _is_better(self, state: _State) -> bool:
        if self._open():
            return state.gap < self.state.gap / 2
        closed = state.gap <= self.gap * state.size
        return closed and 2 * state.misses[0] < self.state.misses[0]

    def _open(self) -> bool:
        """Whether the gap is open."""
        return self.state.gap > self.gap * self.state.size

    def _misses(self) -> bool:
        """Whether x misses its rows or signs by too much."""
        most = self.miss * min(1.0, self.state.size)
        return _as_double(self.state.misses[0], -2 * self.program.bits) > most

    def _more(self) -> list[tuple[int, int]]:
        """Bits to magnify x and prices by, in the order in which they are tried.

        What keeps the gap open is magnified more. Much magnified, bounds on x are far away
        and solvers take programs for unbounded: so x comes last, unless `eager`, and may go back.
        """
        bits, (up, out) = 2 * self.program.bits, self.magnified
        feasible, priced, apart = self.state.parts
        primal, dual = self.state.misses
        enough = self.state.gap / _MUCH_LESS
        higher = min(up + _MOST_MAGNIFIED, bits - primal.bit_length())
        further = min(out + _MOST_MAGNIFIED, bits - dual.bit_length())
        if not self._open() or priced + apart < enough:
            return [(higher, out), ((up + higher) // 2, out)]
        tried = [(up, further), (up, (out + further) // 2), (min(up, self.least), further)]
        both = [(higher, further)]
        last = feasible + apart < enough and not self.eager
        return tried + both if last else both + tried

    def _correction(self, up: int, out: int) -> _State:
        """The state after solving what is left, magnified by 2^up for x and 2^out for prices."""
        bits, state = self.program.bits, self.state
        lower, totals = self._magnify(up)
        costs = self._costs(out)
        columns = np.arange(len(costs), dtype=np.int32)
        rows = np.arange(len(totals), dtype=np.int32)
        upper = np.full(len(costs), highspy.kHighsInf)
        self.solver.changeColsCost(len(costs), columns, costs)
        self.solver.changeColsBounds(len(costs), columns, lower, upper)
        self.solver.changeRowsBounds(len(totals), rows, totals, totals)
        solution = outcome(self.solver, self.end - monotonic(), rough=True)
        return self._evaluate(
            state.values + _wholes(solution.values, bits - up),
            state.prices + _wholes(solution.prices, bits - out),
        )

    def _magnify(self, up: int) -> tuple[FloatArray, FloatArray]:
        """Lower bounds and totals of what is left for x, magnified."""
        bits = self.program.bits
        lower = np.maximum(_floats(-self.state.values, bits - up), -_FAR)
        lower[self.program.free] = -highspy.kHighsInf
        return lower, _floats(self.state.residual, 2 * bits - up)

    def _costs(self, out: int) -> FloatArray:
        """The costs that prices leave, magnified."""
        costs = _floats(self.state.reduced_costs, 2 * self.program.bits - out)
        return np.asarray(np.clip(costs, -_FAR, _FAR))

    def _evaluate(self, values: Whole, prices: Whole) -> _State:
        """The state of x and prices."""
        p, bits = self.program, self.program.bits
        residual = (p.totals << bits) - self.by_row(p.entries * values[p.columns])
        reduced_costs = (p.costs << bits) - self.by_column(p.entries * prices[p.rows])
        primal = int(max(abs(residual).max(), -values[~p.free].min() << bits))
        dual = int(max(-reduced_costs[~p.free].min(), abs(reduced_costs[p.free]).max(initial=0), 0))
        value = int((p.costs * values).sum())
        apart = abs(value - int((p.totals * prices).sum()))
        tolls = int(abs(prices).sum()) + int(abs(p.costs).max())
        parts = (
            _as_double(primal * tolls, -3 * bits),
            _as_double(dual * int(abs(values).sum()), -3 * bits),
            _as_double(apart, -2 * bits),
        )
        size = abs(_as_double(value, -2 * bits))
        return _State(values, prices, residual, reduced_costs, (primal, dual), parts, size)


class _Sums:
    """Sums of whole numbers by label, for labels given once."""

    def __init__(self, labels: IntArray, count: int) -> None:
        self.order = np.argsort(labels, kind="stable")
        self.labels_present, self.starts = np.unique(labels[self.order], return_index=True)
        self.count = count

    def __call__(self, numbers: Whole) -> Whole:
        sums = np.zeros(self.count, dtype=object)
        sums[self.labels_present] = np.add.reduceat(numbers[self.order], self.starts)
        return sums


def _floats(numbers: Whole, bits: int) -> FloatArray:
    """Whole multiples of 2^-bits as doubles."""
    try:
        unit = 1 << max(0, bits)
        small = np.array([number / unit for number in numbers.tolist()])
        return np.asarray(np.ldexp(small, max(0, -bits)), dtype=np.float64)
    except OverflowError:
        return np.array([_as_double(number, -bits) for number in numbers.tolist()])


def _as_double(number: int, power: int) -> float:
    """number · 2^power as a double, infinite beyond their range."""
    length = number.bit_length()
    if length + power > 1000:
        return float("inf") if number > 0 else float("-inf")
    extra = max(0, length - 64)
    return ldexp(number >> extra, extra + power)


def _wholes(numbers: FloatArray, bits: int) -> Whole:
    """Doubles as whole multiples of 2^-bits, rounded down."""
    heads, powers = np.frexp(numbers)
    wholes = np.ldexp(heads, 53).astype(np.int64)
    multiples = [
        whole << shift if shift >= 0 else whole >> -shift
        for whole, shift in zip(wholes.tolist(), (powers - 53 + bits).tolist(), strict=True)
    ]
    return np.array(multiples, dtype=object)
