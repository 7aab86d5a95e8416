"""The program over copies of a cone, with a column for each ray of each copy.

A vector of a cone is a sum of its extreme rays. So the program (`cone_basis`) has an equal with a
row for each row sum and worst-case mean, and a column for each ray of each copy: too many to list,
but not to search (`least_rays`). This is Dantzig and Wolfe's decomposition. HiGHS solves it in
doubles for the rays that matter to them; fractions judge a basis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, TypeAlias

import highspy
import numpy as np
from flint import fmpq

from tightrope.exact import FloatArray, tolerances
from tightrope.lp.cone_basis import DualPrices, ExactProgram, Primal, Scalar
from tightrope.lp.exact_cones import solve_rational
from tightrope.lp.least_rays import ConeArcs, LeastRay
from tightrope.lp.programs import LinearProgram, load_program
from tightrope.lp.proposed_basis import floats

Key: TypeAlias = tuple[int, tuple[int, ...]]
"""A column of the master: (z, tree) for a ray of copy z, where an empty tree is the constant."""

SLACK, TOP, AID = -1, -2, -3
"""Instead of a copy: the slack of a worst-case row, t, and columns that make a start feasible.

The last stand for row sums that doubles take for redundant, or have no row.
"""

_ROUNDS = 60
"""Rounds of the master in doubles, at most; ten to twenty are usual."""

_LEAST_RATE = 2.0**-30
"""Reduced cost, for costs of at most 1, below which a ray counts in doubles."""

_PERTURBED = -40
"""Bits of the unit of a perturbation in doubles, which is up to 2^20 of them."""

_BASE, _PRIME = 48_271, (1 << 20) - 3
"""Powers of the first modulo the second are irregular enough for a perturbation."""

_AID_COST = 100.0
"""Cost in doubles of a column that makes a start feasible, beside losses of at most 1."""

_MARGIN = 2.0**-36
"""Share of the terms of a sum in doubles that may be an error."""


@dataclass(frozen=True, eq=False)
class RayMaster:
    """The program, its arcs without P >= 0, and a search for rays in every copy."""

    program: ExactProgram
    numbers: Sequence[int]
    searches: Sequence[LeastRay]

    @classmethod
    def of(cls, program: ExactProgram) -> RayMaster | None:
        """The master; None where arcs do not bind all coordinates to each other."""
        numbers = [e for e, (_, b, _) in enumerate(program.arcs) if b >= 0]
        listed = [program.arcs[e] for e in numbers]
        tails, heads = (np.array([arc[k] for arc in listed], dtype=np.int64) for k in (0, 1))
        arcs = ConeArcs(program.size, tails, heads,
                        np.array([log(float(share)) for *_, share in listed]))
        table = floats(program.losses or program.costs)
        roots = np.argmin(table - table.min(axis=0), axis=1).tolist()
        trees = {root: arcs.nearest(root) for root in set(roots)}
        searches = [LeastRay(arcs, root, tree) for root in roots if (tree := trees[root])]
        return cls(program, numbers, searches) if len(searches) == program.width else None

    @property
    def directions(self) -> list[int]:
        """By how much, in units, right-hand sides are perturbed, so that no step stands still."""
        size = self.program.size
        return [pow(_BASE, row + 1, _PRIME) * (1 if row < size else -1)
                for row in range(self.rows)]

    @property
    def rows(self) -> int:
        return self.program.size * (1 + (self.program.losses is not None))

    def shares(self, number: Callable[[Scalar], Scalar]) -> list[Scalar]:
        """The shares of the arcs as numbers of a kind."""
        return [number(self.program.arcs[e][2]) for e in self.numbers]

    def table(self, number: Callable[[Scalar], Scalar]) -> list[list[Scalar]]:
        """The losses, or the costs of an average, as numbers of a kind."""
        table = self.program.losses or self.program.costs
        return [[number(entry) for entry in line] for line in table]

    def rest(self, z: int, table: Any, prices: Sequence[Scalar]) -> list[Scalar]:
        """The costs of copy z that prices of the rows leave."""
        size, line = self.program.size, table[z]
        if self.program.losses is None:
            return [cost - price for cost, price in zip(line, prices, strict=True)]
        return [weight * loss - price for weight, loss, price in zip(
            prices[size:], line, prices[:size], strict=True)]

    def column(
        self, key: Key, table: Any, shares: Sequence[Scalar], one: Scalar,
        entries: Sequence[Scalar] | None = None,
    ) -> tuple[list[Scalar], Scalar]:
        """The column of a key in the rows, and its cost."""
        size, zero, (z, tree) = self.program.size, 0 * one, key
        if z == TOP:
            return [zero] * size + [one] * size, one
        if z in (SLACK, AID):
            sign = -one if z == SLACK else one
            return [sign if row == tree[0] else zero for row in range(self.rows)], zero
        if entries is None:
            entries = self.vector(key, shares, one)
        paid = [loss * entry for loss, entry in zip(table[z], entries, strict=True)]
        if self.program.losses is None:
            return [*entries], sum(paid, zero)
        return [*entries, *(-amount for amount in paid)], zero

    def vector(self, key: Key, shares: Sequence[Scalar], one: Scalar) -> list[Scalar]:
        """The ray of a key."""
        z, tree = key
        search = self.searches[z]
        return (LeastRay(search.arcs, search.root, tree).vector(shares, one) if tree
                else [one] * self.program.size)

    def basis_in_doubles(self, check_time: Callable[[], None]) -> list[Key] | None:
        """The basis in which HiGHS ends when doubles show no better ray; None if it fails."""
        size, worst = self.program.size, self.program.losses is not None
        table, shares = floats(self.program.losses or self.program.costs), self.shares(float)
        table = table / (np.abs(table).max() or 1.0)
        keys: list[Key] = [(TOP, ())] if worst else []
        keys += [key for z, search in enumerate(self.searches) for key in (
            (z, ()), (z, tuple(sorted(search.tree))))]
        columns = [self.column(key, table, shares, 1.0) for key in keys]
        keys += [(AID, (row,)) for row in range(size)]
        columns += [(self.column(key, table, shares, 1.0)[0], _AID_COST) for key in keys[-size:]]
        right = np.ldexp(np.array(self.directions, dtype=float), _PERTURBED)
        right[:size] += 1.0
        solver = _load(columns, right, size, free=worst)
        known = set(keys)
        for _ in range(_ROUNDS):
            check_time()
            if not _is_solved(solver):
                return None
            prices = np.array(solver.getSolution().row_dual)
            count = len(keys)
            for z, search in enumerate(self.searches):
                rest = self.rest(z, table.tolist(), prices.tolist())
                better = search.least_rate(rest, shares, 1.0, -_LEAST_RATE, _MARGIN)
                key = z, tuple(sorted(search.tree))
                if better is not None and key not in known:
                    known.add(key)
                    keys.append(key)
                    _append(solver, *self.column(key, table, shares, 1.0, better[0]))
            if len(keys) == count:
                break
        basis, basic = solver.getBasis(), highspy.HighsBasisStatus.kBasic
        rows = [row for row, status in enumerate(basis.row_status) if status == basic]
        chosen = [key for key, status in zip(keys, basis.col_status, strict=True)
                  if status == basic]
        chosen += [(AID if row < size else SLACK, (row,)) for row in rows]
        return chosen if len(chosen) == self.rows else None

    def exact_sides(self, keys: Sequence[Key]) -> tuple[Primal, DualPrices] | None:
        """Both solutions of a basis in fractions; None where one of them is wrong."""
        program, one, size = self.program, fmpq(1), self.program.size
        table, shares = self.table(fmpq), self.shares(fmpq)
        if any(z == AID for z, _ in keys):
            return None
        columns, costs = zip(*(self.column(key, table, shares, one) for key in keys), strict=True)
        right = [one] * size + [fmpq(0)] * (self.rows - size)
        weights = solve_rational([list(row) for row in zip(*columns, strict=True)], right)
        prices = solve_rational([list(column) for column in columns], list(costs))
        if weights is None or prices is None or any(
                weight < 0 for (z, _), weight in zip(keys, weights, strict=True) if z != TOP):
            return None
        vectors = [[fmpq(0)] * size for _ in range(program.width)]
        last = fmpq(0)
        for key, weight in zip(keys, weights, strict=True):
            if key[0] == TOP:
                last = weight
            elif key[0] >= 0 and weight != 0:
                for y, entry in enumerate(self.vector(key, shares, one)):
                    vectors[key[0]][y] += weight * entry
        dual = self._exact_dual(table, shares, prices)
        return None if dual is None else (Primal(vectors, last), dual)

    def _exact_dual(
        self, table: Any, shares: Sequence[Scalar], prices: list[Scalar]
    ) -> DualPrices | None:
        """Multipliers of every copy's tree, and of P >= 0 at its root; None if one is negative."""
        program = self.program
        signs = {a: e for e, (a, b, _) in enumerate(program.arcs) if b < 0}
        multipliers = {(-1, y): weight for y, weight in enumerate(prices[program.size :])}
        for z, search in enumerate(self.searches):
            rest = self.rest(z, table, prices)
            search.improve(rest, shares)
            amounts, left = search.multipliers(rest, shares)
            multipliers.update(((z, self.numbers[e]), m) for e, m in amounts.items())
            multipliers[z, signs[search.root]] = left
        if min(multipliers.values()) < 0:
            return None
        return DualPrices(prices[: program.size], multipliers)


def _load(
    columns: Sequence[tuple[Sequence[float], float]], right: FloatArray, size: int, *, free: bool
) -> Any:
    """HiGHS with the columns, the first of which may be free, and the first rows as equations."""
    table = np.array([column for column, _ in columns]).T
    places, numbers = np.nonzero(np.abs(table) > tolerances.SOLVER_ENTRY)
    lower = np.zeros(len(columns))
    lower[:1] = -np.inf if free else 0.0
    upper = np.append(right[:size], np.full(len(right) - size, np.inf))
    return load_program(
        LinearProgram(np.array([cost for _, cost in columns]), places, numbers,
                      table[places, numbers], right, upper, lower,
                      np.full(len(columns), np.inf)),
        tolerances.SHIPPING_ERROR, least=tolerances.SOLVER_ENTRY)


def _is_solved(solver: Any) -> bool:
    """Whether HiGHS ends in an optimum, if need be from nothing."""
    for _ in range(2):
        solver.run()
        if solver.getModelStatus() == highspy.HighsModelStatus.kOptimal:
            return True
        solver.clearSolver()
    return False


def _append(solver: Any, column: Sequence[float], cost: float) -> None:
    """Add a column to HiGHS."""
    entries = np.array(column)
    places = np.flatnonzero(np.abs(entries) > tolerances.SOLVER_ENTRY).astype(np.int32)
    solver.addCol(cost, 0.0, highspy.kHighsInf, len(places), places, entries[places])
