"""The optimal mechanism at (ε, δ), for neighbor graphs of moderate size.

With δ > 0 neighbors may exceed their ratio by a total of δ: one linear program in the
probabilities and their excesses (`neighbor_program`), solved to as many digits as its optimum
needs (`lp.refine`). Its matrix, in doubles, is repaired until δ is proved (`privacy.repair`);
where that costs too much, it is kept in long numbers (`privacy.dilute`). Its prices, made
non-negative, prove a bound exactly (`utility.prove_bound`), whatever the solver did.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, log
from time import monotonic

import numpy as np

from tightrope.choices import Goal
from tightrope.constructions.optimum.effort import Effort
from tightrope.constructions.optimum.neighbor_answers import (
    largest_excess,
    least_favorable,
    multipliers,
    short_weights,
    weights,
)
from tightrope.constructions.optimum.neighbor_orbits import NeighborOrbits
from tightrope.constructions.optimum.neighbor_program import NeighborProgram
from tightrope.errors import TooLarge
from tightrope.exact import Weights, sizes, tolerances
from tightrope.lp import Basis, FineSolution, Whole, refine
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certificate, Certified, certify, dilute, verify
from tightrope.utility import Prior, Problem, Solution, best_dual

_COSTLY = 2_000
"""Triples from which on a search ends at a small enough proved gap, not at the exact optimum."""

_SMALL = 1_000
"""Triples up to which the first program is the whole one."""

_FINE = tolerances.PROGRAM_GAP
"""A δ below which doubles do not show which rows are violated: all are posed."""

_MORE_STEPS = 2
"""Extra steps between neighbors beyond those after which probabilities fall to δ."""

_MOST_KEPT = 0.6
"""Share of cells above which the first program has all of them."""

_MOST_TURNS = 8
"""Programs widened by violated rows and improving cells; the next one is the whole one."""

_LITTLE = 2.0**-30
"""Share of a constant answer too small to be worth a better repair."""

_PART = 1 / 4
"""Share of the gap asked for that a constant answer may cost instead of a better repair."""

_MISSED = 4
"""Rows of a pair that a solver usually misses by its tolerance."""

_SPARED = 1 / 16
"""Largest share of κ δ that may be reserved for the solver's error."""

_MANY = 3
"""Mean number of neighbors above which most rows are slack."""

_FAR = 2
"""Steps between neighbors beyond which most rows toward best answers are slack.

This holds for the worst input, and where far answers lose more. Where all wrong answers lose the
same, unlikely inputs get arbitrary answers on average and violate such rows one by one.
"""


def solve_with_delta(problem: Problem, effort: Effort) -> Solution:
    """The best mechanism at (ε, δ) on a connected space that declares neighbors."""
    started = monotonic()
    search = _Search(_program(problem, effort), effort)
    program, optimum, solution = search.run()
    if solution.gap is None or solution.gap > tolerances.DEFAULT_GAP:
        exact = MatrixMechanism(problem.space, problem.answers, weights(program, optimum))
        costs = _dual_prior(program, optimum).on(problem.space)[:, None] * problem.losses
        finer = dilute(exact, problem.level, int(np.argmin(costs.sum(axis=0))))
        other = Solution(problem, finer, "optimal", solution.bound, proof=solution.proof)
        solution = min(solution, other, key=lambda candidate: candidate.value)
    statistics = {
        "seconds": monotonic() - started,
        "pairs": len(program.orbits.first),
        "orbits": len(program.orbits.triples),
        "rounds": optimum.rounds,
    }
    return solution.noting(statistics=statistics)


class _Search:
    """State of one search: the current program, and the last solution that was proved."""

    def __init__(self, program: NeighborProgram, effort: Effort) -> None:
        self.program, self.effort = program, effort
        self.end = monotonic() + effort.seconds
        self.proved: tuple[Whole, Solution] | None = None

    def run(self) -> tuple[NeighborProgram, FineSolution, Solution]:
        """A program with all cells and rows that matter, its solution, and the proof.

        Each program starts from the last basis.
        """
        optimum, turn = self._solve(None), 1
        while True:
            cells = self.program.improving_cells(optimum)
            triples = self.program.violated_triples(optimum)
            if cells.any() or triples.any():
                if turn >= _MOST_TURNS:
                    cells, triples = ~self.program.kept, ~self.program.posed
                wide = self.program.widen(cells, triples)
            elif not self.program.spare or self._is_close(optimum):
                break
            else:
                wide = replace(self.program, spare=0.0)
            basis = None if optimum.basis is None else wide.basis(self.program, optimum.basis)
            self.program, turn = wide, turn + 1
            optimum = self._solve(basis)
        return self.program, optimum, self._proof(optimum)

    def _solve(self, basis: Basis | None) -> FineSolution:
        """A solution of the program, refined to as many digits as its gap needs."""
        program = self.program
        return refine(
            program.rows(),
            gap=tolerances.PROGRAM_GAP,
            miss=tolerances.PROGRAM_GAP * program.least_excess,
            start=program.start() if program.faint else None,
            basis=basis,
            seconds=self.end - monotonic(),
            enough=self._enough,
        )

    def _enough(self, tried: FineSolution) -> bool:
        """Whether the program is to be widened anyway, or is large and its proved gap small."""
        if self.program.improving_cells(tried).any() or self.program.violated_triples(tried).any():
            return True
        if len(self.program.posed) < _COSTLY:
            return False
        if tried.rounds == 1 and _mix_constant(self.program, tried, self.effort.gap) is None:
            return False
        return self._is_close(tried)

    def _is_close(self, optimum: FineSolution) -> bool:
        """Whether the proved gap is the one asked for."""
        gap = self._proof(optimum).gap
        return gap is not None and gap <= self.effort.gap

    def _proof(self, optimum: FineSolution) -> Solution:
        """The solution with its proved value and bound; the last one is cached."""
        if self.proved is None or self.proved[0] is not optimum.values:
            certified = _mix_constant(self.program, optimum, self.effort.gap)
            self.proved = optimum.values, _prove(self.program, optimum, certified)
        return self.proved[1]


def _prove(
    program: NeighborProgram, optimum: FineSolution, certified: Certified | None
) -> Solution:
    """The certified mechanism, repaired if it is not yet, and the bound from its multipliers."""
    problem, prior = program.problem, _dual_prior(program, optimum)
    costs = prior.on(problem.space)[:, None] * problem.losses
    if certified is None:
        matrix, answers = weights(program, optimum).floats, problem.answers
        certified = certify(matrix, problem.space, problem.level, outputs=answers, costs=costs)
    dual = best_dual(problem, multipliers(program, optimum), prior)
    return Solution(problem, certified, "optimal").proved(dual)


def _mix_constant(program: NeighborProgram, optimum: FineSolution, gap: float) -> Certified | None:
    """The solution mixed with a little of a constant answer, if that proves the level.

    None where it exceeds δ by more than rounding, unless the mixture costs less than a part of
    the gap.
    """
    if program.faint:
        return None
    problem, short = program.problem, short_weights(program, optimum)
    level, unit = problem.level, 2.0 ** int(short.exponents.max())
    rounding = unit * (len(problem.answers) + 4) * (1 + exp(float(level))) / float(level.delta)
    excess = largest_excess(program, short)
    share = max(0.0, 1 - float(level.delta) / excess if excess else 0.0) + rounding
    costs = _dual_prior(program, optimum).on(problem.space)[:, None] * problem.losses
    most = _PART * gap * float((costs * short.floats).sum() / problem.losses.max())
    if share > max(_LITTLE, most):
        return None
    table = short.mantissas - (short.mantissas * np.longdouble(share)).astype(np.int64)
    taken = short.mantissas.sum(axis=1) - table.sum(axis=1)
    table[:, np.argmin(costs.sum(axis=0))] += taken
    mixed = MatrixMechanism(problem.space, problem.answers, Weights(table, short.exponents))
    proved = verify(mixed, mixed.space, level)
    return Certified(mixed, proved) if isinstance(proved, Certificate) else None


def _dual_prior(program: NeighborProgram, optimum: FineSolution) -> Prior:
    """The prior of the bound: the least favorable one for the worst input."""
    worst = program.problem.goal is Goal.WORST
    return least_favorable(program, optimum) if worst else program.problem.prior


def _program(problem: Problem, effort: Effort) -> NeighborProgram:
    """The program of a problem, unless it is too large."""
    assert problem.space.neighbors is not None
    pairs = problem.space.neighbors.pairs
    first, second = np.append(pairs.first, pairs.second), np.append(pairs.second, pairs.first)
    _refuse_large(len(first) * len(problem.answers), sizes.LARGEST_NEIGHBOR_PROOF)
    orbits = NeighborOrbits(effort.symmetry_of(problem), first, second)
    _refuse_large(len(orbits.triples), sizes.LARGEST_PROGRAM)
    return _first_program(problem, orbits)


def _first_program(problem: Problem, orbits: NeighborOrbits) -> NeighborProgram:
    """The first program: cells near the inputs that an answer suits best, rows away from them.

    In most optima with δ the chance of an answer falls by e^-ε from neighbor to neighbor, and
    is cut off at δ. That pays where far answers lose more.
    """
    kept = np.ones(len(orbits.cells), dtype=np.bool_)
    posed = np.ones(len(orbits.triples), dtype=np.bool_)
    losses, space, level = problem.losses, problem.space, problem.level
    program = NeighborProgram(problem, orbits, kept, posed)
    if len(posed) < _SMALL or level.delta < _FINE:
        return program
    least = losses.min(axis=1, keepdims=True)
    second = np.where(losses > least, losses, np.inf).min(axis=1, keepdims=True)
    best = losses - least == (losses - least).min(axis=0)
    everyone = np.arange(space.size)
    lengths = space.lengths(everyone[:, None], everyone[None, :])
    away = np.stack([lengths[:, members].min(axis=1) for members in best.T], axis=1)
    step = float(space.lengths(orbits.first, orbits.second).max())
    reach = step * (_MORE_STEPS - log(level.delta) / float(level))
    costly = losses > 2 * second
    chosen = ~costly | (away <= reach)
    chosen[:, np.argmin(problem.chances @ losses)] = True  # so that there is a mechanism
    near = np.zeros_like(kept)
    near[orbits.cells.labels[chosen.ravel()]] = True
    further = (away[orbits.first] < away[orbits.second]).ravel()
    if near.mean() < _MOST_KEPT:
        kept = near
    far = away.max() > _FAR * step and (problem.goal is Goal.WORST or costly.any())
    if far or len(orbits.first) > _MANY * space.size:
        posed = further[orbits.triples.heads]
    missed = _MISSED * tolerances.PROGRAM_ERROR
    fits = len(posed) >= _COSTLY and missed < _SPARED * program.least_excess
    return replace(program, kept=kept, posed=posed, spare=missed if fits else 0.0)


def _refuse_large(triples: int, most: int) -> None:
    if triples > most:
        raise TooLarge(
            "the number of neighbor pairs times outputs",
            triples,
            most,
            "with δ the optimum is found for smaller spaces only",
        )
