"""A better basis for an exact program, proposed by HiGHS under a magnifying glass.

Where a basis is wrong by less than HiGHS can see, HiGHS is asked again: the unknowns are moved to
its last solution and measured in the errors of that, and leaving a constraint costs its
multiplier, measured in the errors of the multipliers (iterative refinement: Gleixner, Steffy and
Wolter 2016). The solution is a sum of doubles, whose errors are known exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

import highspy
import numpy as np
from flint import fmpq

from tightrope.exact import FloatArray
from tightrope.lp.cone_basis import ExactProgram, Primal, Tight
from tightrope.lp.exact_cones import both_sides
from tightrope.lp.programs import LinearProgram
from tightrope.lp.proposed_basis import in_doubles, propose_basis, run_highs, tight_constraints

_FEW = 12
"""Trouble that exact steps mend faster than another run of HiGHS."""

_ROUNDS = 12
"""Magnified runs, at most: a basis that they do not mend is left to exact steps."""

_COST, _ROOM = 1e6, 1e12
"""Largest cost and slack of a magnified program: beyond, they are as good as infinite.

With smaller slacks, constraints that are loose stop a run, and stay tight in its basis; with
larger ones, little is left of the accuracy of doubles.
"""

_ZOOM = 2.0**-33
"""Smallest factor by which a round shrinks its units: HiGHS is not more accurate."""

_BACK, _TRIES = 1e3, 4
"""Factor by which units grow again where HiGHS fails on a magnified program, and how often."""


def propose_good_basis(
    program: ExactProgram,
    units: FloatArray,
    seconds: float,
    closer: Callable[[], FloatArray | None],
) -> Sequence[Tight] | None:
    """The basis that HiGHS proposes in these units or, if much of it is wrong, a refined one.

    `closer` returns the entries of an approximate solution, or None where there is none.
    """
    end = monotonic() + seconds
    proposal = propose_basis(program, units, seconds)
    sides = None if proposal is None else both_sides(program, proposal)
    least = np.inf if sides is None else sides.infeasibility
    if least <= _FEW:
        return proposal
    near = closer()
    if near is None:
        return proposal
    refinement = _Refinement(program, near / near.max(axis=1, keepdims=True))
    tight: Sequence[Tight] | None = None
    for _ in range(_ROUNDS):
        if not refinement.improve(end):
            break
        before, tight = tight, tight_constraints(program, refinement.basis)
        if tight == before:
            break
        sides = None if tight is None else both_sides(program, tight)
        if sides is not None and sides.infeasibility < least:
            least, proposal = sides.infeasibility, tight
        if least <= _FEW:
            break
    return proposal


class _Refinement:
    """A solution as a sum of doubles, its multipliers, and the basis in which HiGHS ended."""

    def __init__(self, program: ExactProgram, units: FloatArray) -> None:
        self.program, self.units = program, units
        size, width = program.size, program.width
        signs = {a: e for e, (a, b, _) in enumerate(program.arcs) if b < 0}
        listed = [e for e, (_, b, _) in enumerate(program.arcs) if b >= 0]
        self.arcs: list[Tight] = [(z, e) for z in range(width) for e in listed]
        self.signs: list[Tight] = [(z, signs[y]) for z in range(width) for y in range(size)]
        self.tops: list[Tight] = ([] if program.losses is None
                                  else [(-1, y) for y in range(size)])
        self.columns = [[fmpq(0)] * size for _ in range(width)]
        self.last = fmpq(0)
        self.prices = [fmpq(0)] * size
        self.amounts = {c: fmpq(0) for c in [*self.arcs, *self.signs, *self.tops]}
        self.charged: dict[Tight, float] = {}
        self.basis: Any = None
        self.error, self.slope = 1.0, 1.0
        if program.losses is None:
            costs = np.array([[float(cost) for cost in column] for column in program.costs])
            self.slope = float(np.abs(costs * units).max()) or 1.0

    def improve(self, end: float) -> bool:
        """Ask HiGHS once more; False where it has no answer."""
        doubles = in_doubles(self.program, self.units)
        if self.basis is None:
            solver = _run_to_optimum(doubles, end, None)
            if solver is not None:
                self._add(solver)
            return solver is not None
        self.error = max(self._slack_error(), self.error * _ZOOM)
        self.slope = max(self._price_error(), self.slope * _ZOOM)
        for _ in range(_TRIES):
            magnified = self._magnified(doubles)
            solver = (_run_to_optimum(magnified, end, self.basis)
                      or _run_to_optimum(magnified, end, None))
            if solver is not None:
                self._add(solver)
                return True
            self.error, self.slope = self.error * _BACK, self.slope * _BACK
        return False

    def _add(self, solver: Any) -> None:
        """Add the solution that HiGHS ends with, in units of the errors."""
        size, count = self.program.size, len(self.arcs)
        self.basis, solution = solver.getBasis(), solver.getSolution()
        error, slope = _exactly(self.error), _exactly(self.slope)
        values, rows = list(solution.col_value), list(solution.row_dual)
        for z, column in enumerate(self.columns):
            for y in range(size):
                column[y] += _exactly(values[z * size + y] * self.units[z, y]) * error
        if self.tops:
            self.last += _exactly(values[-1]) * error
        for y in range(size):
            self.prices[y] += _exactly(rows[count + y]) * slope
        for constraints, duals in ((self.signs, solution.col_dual), (self.arcs, rows),
                                   (self.tops, rows[count + size :])):
            for c, dual in zip(constraints, duals, strict=False):
                more = (dual - self.charged.get(c, 0.0)) / self._unit(c)
                self.amounts[c] += _exactly(more) * slope
        self._enlarge_units()
        self._measure()

    def _enlarge_units(self) -> None:
        """Let units be no smaller than the solution, with ratios that the arcs allow."""
        units = np.maximum(self.units, np.array([[float(v) for v in c] for c in self.columns]))
        shares = [(a, b, float(share)) for a, b, share in self.program.arcs if b >= 0]
        before = None
        while before is None or not np.array_equal(units, before):
            before = units.copy()
            for a, b, share in shares:
                units[:, a] = np.maximum(units[:, a], share * units[:, b])
        self.units = units

    def _measure(self) -> None:
        """Slacks, missing row sums, multipliers and unpaid costs, all in the units."""
        program, primal = self.program, Primal(self.columns, self.last)
        self.slacks = {c: float(primal.slack(program, c)) / self._unit(c) for c in self.amounts}
        self.missing = np.array([float(1 - sum(row, fmpq(0)))
                                 for row in zip(*self.columns, strict=True)])
        rest = [[cost - price for cost, price in zip(costs, self.prices, strict=True)]
                for costs in program.costs]
        last = fmpq(bool(self.tops))
        for (z, e), amount in self.amounts.items():
            if amount == 0:
                continue
            if z < 0:
                last -= amount
                for column, losses in zip(rest, program.losses or (), strict=True):
                    column[e] += amount * losses[e]
                continue
            a, b, share = program.arcs[e]
            rest[z][a] -= amount
            if b >= 0:
                rest[z][b] += amount * share
        unpaid = (np.array([[float(v) for v in column] for column in rest]) * self.units).ravel()
        self.unpaid = np.append(unpaid, float(last)) if self.tops else unpaid
        self.pulls = {c: float(amount) * self._unit(c) for c, amount in self.amounts.items()}

    def _slack_error(self) -> float:
        return max(0.0, -min(self.slacks.values()), float(np.abs(self.missing).max()))

    def _price_error(self) -> float:
        return max(0.0, -min(self.pulls.values()), float(np.abs(self.unpaid).max()))

    def _unit(self, constraint: Tight) -> float:
        z, e = constraint
        return 1.0 if z < 0 else float(self.units[z, self.program.arcs[e][0]])

    def _magnified(self, doubles: LinearProgram) -> LinearProgram:
        """The program around the solution, in units of its errors."""
        program, units, size = self.program, self.units, self.program.size
        self.charged = {}
        costs = self.unpaid / self.slope
        for constraint, pull in self.pulls.items():
            if not pull:
                continue
            cost = self.charged[constraint] = min(pull / self.slope, _COST)
            z, e = constraint
            if z < 0:
                costs[-1] += cost
                for k, losses in enumerate(program.losses or ()):
                    costs[k * size + e] -= cost * float(losses[e]) * units[k, e]
                continue
            a, b, share = program.arcs[e]
            costs[z * size + a] += cost
            if b >= 0:
                costs[z * size + b] -= cost * float(share) * units[z, b] / units[z, a]

        def room(constraints: Sequence[Tight]) -> FloatArray:
            return -np.minimum(np.array([self.slacks[c] for c in constraints]) / self.error, _ROOM)

        missing, count = self.missing / self.error, len(self.arcs)
        upper = doubles.row_upper.copy()
        upper[count : count + size] = missing
        lower, rows = room(self.signs), [room(self.arcs), missing]
        if self.tops:
            lower, rows = np.append(lower, -np.inf), [*rows, room(self.tops)]
        return replace(doubles, costs=costs, lower=lower, row_lower=np.concatenate(rows),
                       row_upper=upper)


def _run_to_optimum(doubles: LinearProgram, end: float, basis: Any) -> Any:
    """HiGHS if it ends in an optimum, or None."""
    solver = run_highs(doubles, max(0.0, end - monotonic()), basis)
    optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return solver if optimal else None


def _exactly(value: float) -> fmpq:
    """A double as the fraction that it is."""
    return fmpq(*float(value).as_integer_ratio())
