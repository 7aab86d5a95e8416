"""The exact optimum of a program over copies of a cone, by the simplex method in fractions.

It begins at a basis that floating point proposes. If both sides of it are right, that is the
answer. If one is wrong, exact steps mend it: primal steps from a feasible basis, dual steps from
one with right multipliers. If both are wrong, costs are raised until the multipliers are right;
dual steps follow, then primal ones with the true costs. Every answer passes an exact check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

from tightrope.errors import SolverFailed
from tightrope.lp.cone_basis import (
    ConeBasis,
    DualPrices,
    ExactProgram,
    Linear,
    Primal,
    Scalar,
    Tight,
)

_PATIENCE = 30
"""Steps without progress after which Bland's rule, which cannot cycle, chooses."""


@dataclass(frozen=True, eq=False)
class ExactVertex:
    """An optimal vertex: its tight constraints, both solutions and their common value."""

    basis: ConeBasis
    primal: Primal
    dual: DualPrices
    value: Scalar
    steps: int


@dataclass(frozen=True, eq=False)
class BothSides:
    """The slacks and the multipliers of a basis, right or wrong."""

    slacks: Mapping[Tight, Scalar]
    dual: DualPrices

    @property
    def infeasibility(self) -> int:
        """The number of slacks and multipliers below 0; more if there are some of both kinds."""
        slacks, amounts = (sum(bool(value < 0) for value in part.values())
                           for part in (self.slacks, self.dual.multipliers))
        return slacks + amounts + 10 * min(slacks, amounts)


def both_sides(program: ExactProgram, tight: Sequence[Tight]) -> BothSides | None:
    """Both solutions of a proposed basis; None if it is none."""
    state = _Simplex(program, lambda: None)
    return BothSides(state.slacks, state.dual) if state.enter(tight) else None


def rational_program(
    size: int,
    arcs: Sequence[tuple[int, int, fmpq]],
    costs: Sequence[Sequence[fmpq]],
    losses: Sequence[Sequence[fmpq]] | None = None,
) -> ExactProgram:
    """A program in FLINT's rationals; P >= 0 is added to its arcs."""
    signs = [(a, -1, fmpq(0)) for a in range(size)]
    return ExactProgram(size, [*arcs, *signs], costs, losses, fmpq(0), fmpq(1), solve_rational)


def solve_rational(matrix: list[list[fmpq]], right: list[fmpq]) -> list[fmpq] | None:
    """The solution of a square system of rationals; None where it is singular."""
    count = len(right)
    try:
        solution = fmpq_mat(count, count, [entry for row in matrix for entry in row]).solve(
            fmpq_mat(count, 1, right))
    except ZeroDivisionError:
        return None
    return [solution[i, 0] for i in range(count)]


def always_first(program: ExactProgram) -> list[Tight]:
    """The basis of the vertex that has all of every row in the first column."""
    signs = {a: e for e, (a, b, _) in enumerate(program.arcs) if b < 0}
    tight = [(z, signs[a]) for z in range(1, program.width) for a in range(program.size)]
    if program.losses is not None:
        first = program.losses[0]
        tight.append((-1, max(range(program.size), key=lambda y: first[y])))
    return tight


def exact_vertex(
    program: ExactProgram,
    proposed: Sequence[Tight] | None = None,
    *,
    check_time: Callable[[], None] = lambda: None,
) -> ExactVertex:
    """An optimal vertex and its dual, from a proposed basis if there is one.

    `check_time` is called before every step and may raise.

    >>> half = fmpq(1, 2)  # two inputs, ratio 2, a loss of 1 for the wrong answer
    >>> arcs = [(0, 1, half), (1, 0, half)]
    >>> exact_vertex(rational_program(2, arcs, [[fmpq(0), half], [half, fmpq(0)]])).value
    1/3
    """
    state = _Simplex(program, check_time)
    known = [always_first(program)] if proposed is None else [proposed, always_first(program)]
    if not any(state.enter(tight) for tight in known):
        raise SolverFailed("an exact program has no vertex to begin at.")
    state.mend()
    return state.vertex()


class _Simplex:
    """A basis, both of its solutions, and exact steps from it."""

    def __init__(self, program: ExactProgram, check_time: Callable[[], None]) -> None:
        self.program, self.check_time = program, check_time
        self.function = program.objective
        self.all = program.constraints()
        self.steps = 0

    def enter(self, tight: Sequence[Tight]) -> bool:
        """Take a basis; False if it is none."""
        basis = ConeBasis(self.program, tight)
        if not basis.regular:
            return False
        primal = basis.primal(total=self.program.one)
        dual = None if primal is None else basis.dual(self.function)
        if primal is None or dual is None:
            return False
        self.basis, self.primal, self.dual = basis, primal, dual
        loose = set(self.all) - set(basis.tight)
        self.slacks = {c: primal.slack(self.program, c) for c in self.all if c in loose}
        return True

    def mend(self) -> None:
        """Steps until both sides are right."""
        wrong = {c: m for c, m in self.dual.multipliers.items() if m < 0}
        if min(self.slacks.values()) < 0:
            if wrong:
                self._raise_costs(wrong)
            self._walk(self._dual_step)
            self.function = self.program.objective
            self._take(self.basis.tight)
        self._walk(self._primal_step)

    def _raise_costs(self, wrong: dict[Tight, Scalar]) -> None:
        columns = [list(column) for column in self.function.columns]
        last = self.function.last
        for constraint, amount in wrong.items():
            pull = self.program.gradient(constraint)
            last -= amount * pull.last
            for column, more in zip(columns, pull.columns, strict=True):
                for y, entry in enumerate(more):
                    if entry:
                        column[y] -= amount * entry
        self.function = Linear(columns, last)
        self._take(self.basis.tight)

    def _walk(self, step: Callable[[bool], bool]) -> None:
        """Steps until none is left; with Bland's rule where the value stands still."""
        value, still = None, 0
        while step(still > _PATIENCE):
            now = self.primal.value(self.function, self.program.zero)
            still = still + 1 if now == value else 0
            value = now

    def _primal_step(self, bland: bool) -> bool:
        wrong = [(m, c) for c, m in self.dual.multipliers.items() if m < 0]
        if not wrong:
            return False
        entering = min(c for _, c in wrong) if bland else min(wrong)[1]
        direction = self.basis.primal({entering: self.program.one})
        if direction is None:
            raise SolverFailed("an exact step from a basis failed.")
        best: tuple[Scalar, Tight] | None = None
        for constraint, slack in self.slacks.items():
            change = direction.slack(self.program, constraint)
            if change < 0 and (best is None or (slack / -change, constraint) < best):
                best = slack / -change, constraint
        if best is None:
            raise SolverFailed("an exact program has no finite optimum.")
        self._exchange(entering, best[1])
        return True

    def _dual_step(self, bland: bool) -> bool:
        wrong = [(slack, c) for c, slack in self.slacks.items() if slack < 0]
        if not wrong:
            return False
        entering = min(c for _, c in wrong) if bland else min(wrong)[1]
        pull = self.basis.dual(self.program.gradient(entering))
        if pull is None:
            raise SolverFailed("an exact step from a basis failed.")
        best: tuple[Scalar, Tight] | None = None
        for constraint, amount in pull.multipliers.items():
            if amount > 0:
                ratio = self.dual.multipliers[constraint] / amount
                if best is None or (ratio, constraint) < best:
                    best = ratio, constraint
        if best is None:
            raise SolverFailed("an exact program has no solution.")
        self._exchange(best[1], entering)
        return True

    def _exchange(self, leaving: Tight, entering: Tight) -> None:
        self.check_time()
        self.steps += 1
        self._take([c for c in self.basis.tight if c != leaving] + [entering])

    def _take(self, tight: Sequence[Tight]) -> None:
        if not self.enter(tight):
            raise SolverFailed("an exact step led to no basis.")

    def vertex(self) -> ExactVertex:
        """The vertex, if both of its solutions are feasible and have the same value."""
        program, primal, dual = self.program, self.primal, self.dual
        value = primal.value(program.objective, program.zero)
        proved = sum(dual.prices, program.zero)
        fair = min(self.slacks.values()) >= 0 and min(dual.multipliers.values()) >= 0
        sums = [sum((column[y] for column in primal.columns), program.zero)
                for y in range(program.size)]
        if not fair or value != proved or any(total != program.one for total in sums):
            raise SolverFailed("the exact optimum did not pass its check.")
        return ExactVertex(self.basis, primal, dual, value, self.steps)
