"""The optimal mechanism at (ε, δ), for neighbor graphs of moderate size.

With δ > 0 neighbors may exceed their ratio by a total of δ: one linear program in the
probabilities and their excesses (`neighbor_program`), solved to as many digits as its optimum
needs (`lp.refine`). Its matrix, in doubles, is repaired until δ is proved (`privacy.repair`);
where that costs too much, it is kept in long numbers (`privacy.dilute`). Its prices, made
non-negative, prove a bound exactly (`utility.prove_bound`), whatever the solver did.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from math import log
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from tightrope.constructions.optimum.effort import Effort
from tightrope.constructions.optimum.neighbor_orbits import NeighborOrbits
from tightrope.constructions.optimum.neighbor_program import NeighborProgram
from tightrope.errors import TooLarge
from tightrope.exact import sizes, tolerances
from tightrope.lp import Basis, FineSolution, refine
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import dilute, repair
from tightrope.utility import Goal, Prior, Problem, Solution, best_dual

_COSTLY = 2_000
"""Triples from which on a solution is not refined further once its proved gap is small enough."""

_MORE_STEPS = 2
"""Steps between neighbors beyond those after which chances come to δ."""

_MOST_KEPT = 0.6
"""Share of cells from which on a first program has them all."""

_MOST_TURNS = 8
"""Programs that are widened by what they lack; the next one has all cells."""


def solve_with_delta(problem: Problem, effort: Effort) -> Solution:
    """The best mechanism at (ε, δ) on a connected space that declares neighbors."""
    started = monotonic()
    program, found = _sifted(_program(problem, effort), effort)
    solution = _proved(program, found)
    if solution.gap is None or solution.gap > tolerances.DEFAULT_GAP:
        exact = MatrixMechanism(problem.space, problem.answers, program.weights(found))
        costs = _priced(program, found).on(problem.space)[:, None] * problem.losses
        finer = dilute(exact, problem.level, int(np.argmin(costs.sum(axis=0))))
        other = Solution(problem, finer, "optimal", solution.bound, proof=solution.proof)
        solution = min(solution, other, key=lambda held: held.value)
    statistics = {
        "seconds": monotonic() - started,
        "pairs": len(program.orbits.first),
        "orbits": len(program.orbits.triples),
        "rounds": found.rounds,
    }
    return solution.noting(statistics=statistics)


def _sifted(program: NeighborProgram, effort: Effort) -> tuple[NeighborProgram, FineSolution]:
    """A program with all the cells that are needed, and its solution.

    Each program begins where the last one ended: its solution is one of the next, too.
    """
    end, basis = monotonic() + effort.seconds, None
    for turn in count(1):
        found = _refined(program, basis, replace(effort, seconds=end - monotonic()))
        lacking = program.lacking(found)
        if not lacking.any():
            break
        wide = program.widened(lacking if turn < _MOST_TURNS else ~program.kept)
        basis = None if found.basis is None else wide.basis(program, found.basis)
        program = wide
    return program, found


def _refined(program: NeighborProgram, basis: Basis | None, effort: Effort) -> FineSolution:
    """A solution of the program, of as many digits as are worth it."""

    def enough(tried: FineSolution) -> bool:
        if program.lacking(tried).any():
            return True
        gap = _proved(program, tried).gap if len(program.asked) > _COSTLY else None
        return gap is not None and gap <= effort.gap

    return refine(
        program.rows(),
        gap=tolerances.PROGRAM_GAP,
        miss=tolerances.PROGRAM_GAP * program.least_excess,
        start=program.start() if program.faint else None,
        basis=basis,
        seconds=effort.seconds,
        enough=enough,
    )


def _proved(program: NeighborProgram, found: FineSolution) -> Solution:
    """The solution in doubles, repaired, so that weights stay short, and what its prices prove."""
    problem, matrix, prior = program.problem, program.weights(found).floats, _priced(program, found)
    costs = prior.on(problem.space)[:, None] * problem.losses
    mended = repair(matrix, problem.space, problem.level, outputs=problem.answers, costs=costs)
    dual = best_dual(problem, program.multipliers(found), prior)
    return Solution(problem, mended.certified, "optimal").proved(dual)


def _priced(program: NeighborProgram, found: FineSolution) -> Prior:
    """The prior, for the worst input the least favorable one."""
    worst = program.problem.goal is Goal.WORST
    return program.least_favorable(found) if worst else program.problem.prior


def _program(problem: Problem, effort: Effort) -> NeighborProgram:
    """The program of a problem, unless it is too large."""
    assert problem.space.neighbors is not None
    pairs = problem.space.neighbors.pairs
    first, second = np.append(pairs.first, pairs.second), np.append(pairs.second, pairs.first)
    _refuse_large(len(first) * len(problem.answers), sizes.LARGEST_NEIGHBOR_PROOF)
    orbits = NeighborOrbits(effort.symmetry_of(problem), first, second)
    _refuse_large(len(orbits.triples), sizes.LARGEST_PROGRAM)
    return NeighborProgram(problem, orbits, _near(problem, orbits))


def _near(problem: Problem, orbits: NeighborOrbits) -> NDArray[np.bool_]:
    """The orbits of cells that a first program has: answers that are best somewhere near.

    In most optima with δ the chance of an answer falls by e^-ε from neighbor to neighbor, and
    is cut off where it comes to δ. That pays where far answers lose more.
    """
    losses, space, level = problem.losses, problem.space, problem.level
    least = losses.min(axis=1, keepdims=True)
    second = np.where(losses > least, losses, np.inf).min(axis=1, keepdims=True)
    step = float(space.lengths(orbits.first, orbits.second).max())
    reach = step * (_MORE_STEPS - log(level.delta) / float(level))
    everyone = np.arange(space.size)
    best = losses - least
    best = best == best.min(axis=0)
    near = losses <= 2 * second
    for y in range(space.size):
        within = space.lengths(np.full(space.size, y), everyone) <= reach
        near[y] |= best[within].any(axis=0)
    kept = np.zeros(len(orbits.cells), dtype=np.bool_)
    kept[orbits.cells.labels[near.ravel()]] = True
    return kept if kept.mean() < _MOST_KEPT else np.ones_like(kept)


def _refuse_large(triples: int, most: int) -> None:
    if triples > most:
        raise TooLarge(
            "the number of neighbor pairs times outputs",
            triples,
            most,
            "with δ the optimum is found for smaller spaces only",
        )
