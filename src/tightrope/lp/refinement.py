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

from dataclasses import dataclass
from math import ldexp
from time import monotonic
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from tightrope.errors import SolverFailed
from tightrope.lp.programs import LinearProgram, loaded, outcome

Whole = NDArray[Any]
"""Python integers of any length."""
IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

_MOST_ROUNDS = 12
_MOST_MAGNIFIED = 40
"""Bits by which one round may magnify more than the last."""
_MUCH_LESS = 1024.0
"""A side whose share of the gap is smaller than the whole by this is left alone."""
_WAYS: tuple[dict[str, object], ...] = ({}, {"presolve": "off"}, {"simplex_scale_strategy": 0})
"""Options that are tried one after the other where HiGHS fails."""
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
    """x and the price of every row, in whole multiples of 2^-bits."""

    values: Whole
    prices: Whole
    bits: int
    rounds: int

    @property
    def floats(self) -> FloatArray:
        """x as doubles."""
        return _floats(self.values, self.bits)


def refine(
    program: FineProgram, *, gap: float, start: Whole | None = None, seconds: float = np.inf
) -> FineSolution:
    """A solution and prices whose values differ by at most `gap`, relatively, or the best found.

    The first program solved is already a correction, of `start`: where that is near a
    solution, it is magnified from the outset.

    >>> ones = np.array([1 << 80, 1 << 80], dtype=object)  # minimize x + y/3 with x + y = 1
    >>> p = FineProgram(ones // np.array([1, 3]), np.zeros(2, int), np.arange(2), ones, ones[:1],
    ...     np.zeros(2, bool), 80)
    >>> found = refine(p, gap=0.0)
    >>> found.values.tolist() == [0, 1 << 80], int(found.prices[0]) == (1 << 80) // 3
    (True, True)
    """
    return _Refinement(program, start, monotonic() + seconds).run(gap)


class _Refinement:
    """The state of one solution; lives only inside `refine`."""

    def __init__(self, program: FineProgram, start: Whole | None, end: float) -> None:
        self.program, self.end = program, end
        self.values: Whole = np.zeros(len(program.costs), dtype=object) if start is None else start
        self.prices: Whole = np.zeros(len(program.totals), dtype=object)
        self.by_row = _Sums(program.rows, len(program.totals))
        self.by_column = _Sums(program.columns, len(program.costs))
        self.solver: Any = None
        self._weigh()
        primal, _ = self._misses()
        self.up = max(0, 2 * program.bits - primal.bit_length()) if primal else 0
        self.out = program.bits - _length(program.costs)

    def run(self, gap: float) -> FineSolution:
        """Correct until the gap is closed or no round helps."""
        rounds = 0
        best = (self.values, self.prices)
        least = float("inf")
        while rounds < _MOST_ROUNDS:
            try:
                self._correct()
            except SolverFailed:
                if rounds == 0:
                    raise
                break
            rounds += 1
            self._weigh()
            open_, size = self._gap()
            if open_ < least:
                best, least = (self.values, self.prices), open_
            if open_ <= gap * size or open_ > 2 * least:
                break
        return FineSolution(*best, self.program.bits, rounds)

    def _weigh(self) -> None:
        """What is left of b and of c, in multiples of 2^-(2 bits)."""
        p = self.program
        self.left = (p.totals << p.bits) - self.by_row(p.entries * self.values[p.columns])
        self.saved = (p.costs << p.bits) - self.by_column(p.entries * self.prices[p.rows])

    def _misses(self) -> tuple[int, int]:
        """By how much x misses b and its signs, and prices miss c; in 2^-(2 bits)."""
        bits, free = self.program.bits, self.program.free
        primal = max(abs(self.left).max(), -self.values[~free].min() << bits, 0)
        dual = max((-self.saved[~free]).max(), abs(self.saved[free]).max(initial=0), 0)
        return int(primal), int(dual)

    def _gap(self) -> tuple[float, float]:
        """A bound on how far solution and prices are from a common value, and that value."""
        p = self.program
        primal, dual = self._misses()
        value = int((p.costs * self.values).sum())
        apart = abs(value - int((p.totals * self.prices).sum()))
        prices = int(abs(self.prices).sum()) + int(abs(p.costs).max())
        masses = int(abs(self.values).sum())
        self.parts = (
            _scaled(primal * prices, -3 * p.bits),
            _scaled(dual * masses, -3 * p.bits),
            _scaled(apart, -2 * p.bits),
        )
        return sum(self.parts), abs(_scaled(value, -2 * p.bits))

    def _correct(self) -> None:
        """Solve the magnified rest, and add what it says."""
        p = self.program
        if self.solver is not None:
            self._magnify()
        totals = _floats(self.left, 2 * p.bits - self.up)
        lower = _floats(-self.values, p.bits - self.up)
        lower = np.maximum(lower, -_FAR)
        lower[p.free] = -np.inf
        costs = np.clip(_floats(self.saved, 2 * p.bits - self.out), -_FAR, _FAR)
        x, y = self._solve(costs, totals, lower)
        self.values = self.values + _wholes(x, p.bits - self.up)
        self.prices = self.prices + _wholes(y, p.bits - self.out)

    def _magnify(self) -> None:
        """Magnify what keeps the gap open; what does not stays as it is."""
        bits = 2 * self.program.bits
        primal, dual = self._misses()
        feasible, priced, apart = self.parts
        enough = sum(self.parts) / _MUCH_LESS
        if feasible + apart >= enough:
            self.up = min(self.up + _MOST_MAGNIFIED, bits - primal.bit_length())
        if priced + apart >= enough:
            self.out = min(self.out + _MOST_MAGNIFIED, bits - dual.bit_length())

    def _solve(
        self, costs: FloatArray, totals: FloatArray, lower: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        p = self.program
        if self.solver is None:
            entries = _floats(p.entries, p.bits)
            high = np.full(len(costs), np.inf)
            self.solver = loaded(
                LinearProgram(costs, p.rows, p.columns, entries, totals, totals, lower, high)
            )
        else:
            columns = np.arange(len(costs), dtype=np.int32)
            rows = np.arange(len(totals), dtype=np.int32)
            low = np.maximum(lower, -highspy.kHighsInf)
            self.solver.changeColsCost(len(columns), columns, costs)
            self.solver.changeColsBounds(
                len(columns), columns, low, np.full(len(columns), highspy.kHighsInf)
            )
            self.solver.changeRowsBounds(len(rows), rows, totals, totals)
        for options in _WAYS:
            for name, value in options.items():
                self.solver.setOptionValue(name, value)
            try:
                found = outcome(self.solver, self.end - monotonic())
            except SolverFailed:
                if options is _WAYS[-1] or monotonic() > self.end:
                    raise
                self.solver.clearSolver()
            else:
                break
        return found.values, found.prices


class _Sums:
    """Sums of whole numbers by label, for labels given once."""

    def __init__(self, labels: IntArray, count: int) -> None:
        self.order = np.argsort(labels, kind="stable")
        self.held, self.starts = np.unique(labels[self.order], return_index=True)
        self.count = count

    def __call__(self, numbers: Whole) -> Whole:
        found = np.zeros(self.count, dtype=object)
        found[self.held] = np.add.reduceat(numbers[self.order], self.starts)
        return found


def _length(numbers: Whole) -> int:
    """Bits of the largest number."""
    return int(abs(numbers).max()).bit_length()


def _floats(numbers: Whole, bits: int) -> FloatArray:
    """Whole multiples of 2^-bits as doubles."""
    return np.array([_scaled(int(number), -bits) for number in numbers.tolist()])


def _scaled(number: int, power: int) -> float:
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
    found = [
        whole << shift if shift >= 0 else whole >> -shift
        for whole, shift in zip(wholes.tolist(), (powers - 53 + bits).tolist(), strict=True)
    ]
    return np.array(found, dtype=object)
