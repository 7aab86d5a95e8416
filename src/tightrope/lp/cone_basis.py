"""A basis of an exact program over copies of a cone, and the linear systems that it stands for.

    minimize Σ_z ⟨c_z, P_z⟩ + c_t t   over vectors P_z with, for each of them,
    P_z[a] - s P_z[b] >= 0 for the arcs (a, b, s), P_z[a] >= 0, and together
    Σ_z P_z = 1 and, for the worst case, t - Σ_z l[y, z] P_z[y] >= 0.

A basis names as many tight constraints as there are unknowns, less the row sums. In a column the
tight arcs form a graph. A component with a tree is a multiple of one vector, its piece; one with
an arc more is fixed. So all that is left to solve has a row for each row sum (and tight worst-case
row) and a column for each piece (and t). The numbers may be rationals or functions of a ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Scalar: TypeAlias = Any
"""A number of an exact field: `fmpq`, or a rational function of the ratio."""

Tight: TypeAlias = tuple[int, int]
"""A constraint: (z, e) is arc e in column z; (-1, y) is the worst-case row of input y."""

Solve: TypeAlias = Callable[[list[list[Scalar]], list[Scalar]], list[Scalar] | None]
"""The solution of a square system, None where it is singular."""


@dataclass(frozen=True, eq=False)
class ExactProgram:
    """The data. An arc (a, b, s) asks for v[a] >= s v[b]; b is -1 where it is v[a] >= 0.

    `costs[z][y]` are the costs of an average; with `losses[z][y]` instead it is the worst case.
    """

    size: int
    arcs: Sequence[tuple[int, int, Scalar]]
    costs: Sequence[Sequence[Scalar]]
    losses: Sequence[Sequence[Scalar]] | None
    zero: Scalar
    one: Scalar
    solve: Solve

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.costs)

    @property
    def count(self) -> int:
        """The number of tight constraints in a basis."""
        return self.size * (self.width - 1) + (self.losses is not None)

    @property
    def objective(self) -> Linear:
        """The costs as a linear function of the unknowns."""
        return Linear(self.costs, self.zero if self.losses is None else self.one)

    def gradient(self, constraint: Tight) -> Linear:
        """The left-hand side of a constraint as a linear function of the unknowns."""
        z, e = constraint
        columns = [[self.zero] * self.size for _ in range(self.width)]
        if z < 0:
            for column, losses in zip(columns, self.losses or (), strict=True):
                column[e] = -losses[e]
            return Linear(columns, self.one)
        a, b, share = self.arcs[e]
        columns[z][a] = self.one
        if b >= 0:
            columns[z][b] = -share
        return Linear(columns, self.zero)

    def constraints(self) -> list[Tight]:
        """All constraints, in order."""
        rows = range(self.size if self.losses is not None else 0)
        return [(z, e) for z in range(self.width) for e in range(len(self.arcs))] + [
            (-1, y) for y in rows]


@dataclass(frozen=True, eq=False)
class Linear:
    """A linear function of the unknowns: its coefficients on the columns and on t."""

    columns: Sequence[Sequence[Scalar]]
    last: Scalar


@dataclass(frozen=True, eq=False)
class Primal:
    """The columns P_z and t."""

    columns: list[list[Scalar]]
    last: Scalar

    def slack(self, program: ExactProgram, constraint: Tight) -> Scalar:
        """The left-hand side of a constraint."""
        z, e = constraint
        if z < 0:
            paid = program.zero
            for column, losses in zip(self.columns, program.losses or (), strict=True):
                paid += losses[e] * column[e]
            return self.last - paid
        a, b, share = program.arcs[e]
        column = self.columns[z]
        return column[a] - share * column[b] if b >= 0 else column[a]

    def value(self, function: Linear, zero: Scalar) -> Scalar:
        """The value of a linear function."""
        total = zero + function.last * self.last
        for costs, column in zip(function.columns, self.columns, strict=True):
            for cost, amount in zip(costs, column, strict=True):
                if cost and amount:
                    total += cost * amount
        return total


@dataclass(frozen=True, eq=False)
class DualPrices:
    """The price of each row sum, and the multiplier of each tight constraint."""

    prices: list[Scalar]
    multipliers: dict[Tight, Scalar]

    def pays(self, program: ExactProgram) -> bool:
        """Whether none is negative and all together write the objective."""
        zero, objective = program.zero, program.objective
        rest = [[cost - price for cost, price in zip(costs, self.prices, strict=True)]
                for costs in objective.columns]
        last = objective.last
        for (z, e), amount in self.multipliers.items():
            if z < 0:
                last -= amount
                for column, losses in zip(rest, program.losses or (), strict=True):
                    column[e] += amount * losses[e]
                continue
            a, b, share = program.arcs[e]
            rest[z][a] -= amount
            if b >= 0:
                rest[z][b] += amount * share
        fair = all(amount >= zero for amount in self.multipliers.values())
        return fair and last == 0 and not any(map(any, rest))


@dataclass(frozen=True, eq=False)
class _Component:
    """Inputs of one column that tight arcs join, from a root outwards.

    `ways` has for each other input (input, parent, arc); `ray` solves the tight arcs with 1 at
    the root; `extra` is the arc that the tree leaves over and that fixes the component.
    """

    z: int
    root: int
    ways: tuple[tuple[int, int, int], ...]
    ray: dict[int, Scalar]
    extra: int | None


class ConeBasis:
    """A set of tight constraints with exactly one solution."""

    def __init__(self, program: ExactProgram, tight: Sequence[Tight]) -> None:
        self.program, self.tight = program, sorted(tight)
        arcs: list[list[int]] = [[] for _ in range(program.width)]
        for z, e in self.tight:
            if z >= 0:
                arcs[z].append(e)
        self.rows = [y for z, y in self.tight if z < 0]
        parts = [_components(program, z, chosen) for z, chosen in enumerate(arcs)]
        self.regular = None not in parts and len({*self.tight}) == program.count
        self.components = [part for column in parts if column for part in column]
        self.pieces = [part for part in self.components if part.extra is None]
        unknowns = len(self.pieces) + (program.losses is not None)
        self.regular &= unknowns == program.size + len(self.rows)
        if self.regular:
            self._matrix = self.small_matrix()

    def small_matrix(self) -> list[list[Scalar]]:
        """Rows: row sums and tight worst-case rows; columns: pieces and t."""
        program, worst = self.program, self.program.losses is not None
        zero = program.zero
        matrix = [[part.ray.get(y, zero) for part in self.pieces] + [zero] * worst
                  for y in range(program.size)]
        for y in self.rows:
            losses = program.losses or ()
            matrix.append([-losses[part.z][y] * part.ray.get(y, zero) for part in self.pieces]
                          + [program.one])
        return matrix

    def primal(
        self, slacks: Mapping[Tight, Scalar] | None = None, total: Scalar = 0
    ) -> Primal | None:
        """The solution with these slacks (0 if not named) and row sums; None if singular."""
        program, slacks = self.program, slacks or {}
        zero = program.zero
        columns = [[zero] * program.size for _ in range(program.width)]
        for part in self.components if slacks else ():
            for y, value in _particular(program, part, slacks).items():
                columns[part.z][y] = value
        right = [zero + total - sum((column[y] for column in columns), zero)
                 for y in range(program.size)]
        for y in self.rows:
            losses = program.losses or ()
            paid = sum((given[y] * column[y]
                        for given, column in zip(losses, columns, strict=True)), zero)
            right.append(slacks.get((-1, y), zero) + paid)
        amounts = program.solve(self._matrix, right)
        if amounts is None:
            return None
        for part, amount in zip(self.pieces, amounts, strict=False):
            if amount:
                for y, entry in part.ray.items():
                    columns[part.z][y] += amount * entry
        return Primal(columns, zero if program.losses is None else amounts[-1])

    def dual(self, function: Linear) -> DualPrices | None:
        """Prices and multipliers that write the function by the tight constraints and row sums."""
        program, zero = self.program, self.program.zero
        right = [sum((entry * function.columns[part.z][y] for y, entry in part.ray.items()), zero)
                 for part in self.pieces]
        if program.losses is not None:
            right.append(function.last)
        transposed = [list(row) for row in zip(*self._matrix, strict=True)]
        solution = program.solve(transposed, right)
        if solution is None:
            return None
        prices, weights = solution[: program.size], solution[program.size :]
        multipliers: dict[Tight, Scalar] = {
            (-1, y): weight for y, weight in zip(self.rows, weights, strict=True)}
        weight_of = dict(zip(self.rows, weights, strict=True))
        for part in self.components:
            rest = {}
            for y in part.ray:
                rest[y] = function.columns[part.z][y] - prices[y]
                if y in weight_of and program.losses is not None:
                    rest[y] += weight_of[y] * program.losses[part.z][y]
            _eliminate(program, part, rest, multipliers)
        return DualPrices(prices, multipliers)


def _components(
    program: ExactProgram, z: int, chosen: Sequence[int]
) -> list[_Component] | None:
    """The components of a column; None where the tight arcs are not independent."""
    beside: list[list[int]] = [[] for _ in range(program.size)]
    for e in chosen:
        a, b, _ = program.arcs[e]
        beside[a].append(e)
        if b >= 0:
            beside[b].append(e)
    seen: set[int] = set()
    parts = []
    for root in range(program.size):
        if root in seen:
            continue
        seen.add(root)
        ray, ways, used, extra = {root: program.one}, [], set[int](), list[int]()
        waiting = [root]
        for y in waiting:
            for e in beside[y]:
                if e in used:
                    continue
                used.add(e)
                a, b, share = program.arcs[e]
                other = b if a == y else a
                if other < 0 or other in ray:
                    extra.append(e)
                    continue
                ray[other] = ray[y] / share if a == y else ray[y] * share
                seen.add(other)
                ways.append((other, y, e))
                waiting.append(other)
        if len(extra) > 1 or (extra and not _pull(program, ray, extra[0])):
            return None
        parts.append(_Component(z, root, tuple(ways), ray, extra[0] if extra else None))
    return parts


def _pull(program: ExactProgram, ray: Mapping[int, Scalar], e: int) -> Scalar:
    """The left-hand side of an arc at a ray."""
    a, b, share = program.arcs[e]
    return ray[a] - share * ray[b] if b >= 0 else ray[a]


def _particular(
    program: ExactProgram, part: _Component, slacks: Mapping[Tight, Scalar]
) -> dict[int, Scalar]:
    """A solution of the component's arcs with these slacks, 0 at the root unless that is fixed."""
    asked = {e: slacks[part.z, e] for _, _, e in part.ways if (part.z, e) in slacks}
    last = program.zero
    if part.extra is not None:
        last = slacks.get((part.z, part.extra), last)
    if not asked and not last:
        return {}
    values = {part.root: program.zero}
    for y, parent, e in part.ways:
        a, _, share = program.arcs[e]
        more = asked.get(e, program.zero)
        values[y] = share * values[parent] + more if y == a else (values[parent] - more) / share
    if part.extra is not None:
        missing = (last - _pull(program, values, part.extra)) / _pull(
            program, part.ray, part.extra)
        values = {y: value + missing * part.ray[y] for y, value in values.items()}
    return values


def _eliminate(
    program: ExactProgram,
    part: _Component,
    rest: dict[int, Scalar],
    multipliers: dict[Tight, Scalar],
) -> None:
    """Multipliers of the component's arcs that add up to the vector `rest`, leaf by leaf."""
    if part.extra is not None:
        a, b, share = program.arcs[part.extra]
        along = sum((rest[y] * part.ray[y] for y in rest), program.zero)
        amount = along / _pull(program, part.ray, part.extra)
        multipliers[part.z, part.extra] = amount
        rest[a] -= amount
        if b >= 0:
            rest[b] += amount * share
    for y, parent, e in reversed(part.ways):
        a, _, share = program.arcs[e]
        if y == a:
            amount = rest[y]
            rest[parent] += amount * share
        else:
            amount = -rest[y] / share
            rest[parent] -= amount
        multipliers[part.z, e] = amount
