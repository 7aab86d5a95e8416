"""The optimal mechanism at (ε, δ), for neighbor graphs of moderate size.

With δ > 0 neighbors may exceed their ratio by a total of δ: one linear program in the
probabilities and their excesses (`neighbor_program`), solved to as many digits as its optimum
needs (`lp.refine`). Its matrix, in doubles, is repaired until δ is proved (`privacy.repair`);
where that costs too much, it is kept in long numbers (`privacy.dilute`). Its prices, made
non-negative, prove a bound exactly (`utility.prove_bound`), whatever the solver did.
"""

from __future__ import annotations

from time import monotonic

import numpy as np

from tightrope.constructions.optimum.effort import Effort
from tightrope.constructions.optimum.neighbor_program import NeighborProgram
from tightrope.errors import TooLarge
from tightrope.exact import sizes, tolerances
from tightrope.lp import FineSolution, refine
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import dilute, repair
from tightrope.utility import Goal, Prior, Problem, Solution, best_dual

_COSTLY = 20_000
"""Triples from which on a solution is not refined further once its proved gap is small enough."""


def solve_with_delta(problem: Problem, effort: Effort) -> Solution:
    """The best mechanism at (ε, δ) on a connected space that declares neighbors."""
    started = monotonic()
    program = _program(problem, effort)

    def enough(tried: FineSolution) -> bool:
        gap = _proved(program, tried).gap
        return gap is not None and gap <= effort.gap

    found = refine(
        program.rows(),
        gap=tolerances.PROGRAM_GAP,
        miss=tolerances.PROGRAM_GAP * program.least_excess,
        start=program.start() if program.faint else None,
        seconds=effort.seconds,
        enough=enough if len(program.triples) > _COSTLY else None,
    )
    solution = _proved(program, found)
    if solution.gap is None or solution.gap > tolerances.DEFAULT_GAP:
        exact = MatrixMechanism(problem.space, problem.answers, program.weights(found))
        costs = _priced(program, found).on(problem.space)[:, None] * problem.losses
        finer = dilute(exact, problem.level, int(np.argmin(costs.sum(axis=0))))
        other = Solution(problem, finer, "optimal", solution.bound, proof=solution.proof)
        solution = min(solution, other, key=lambda held: held.value)
    statistics = {
        "seconds": monotonic() - started,
        "pairs": len(program.first),
        "orbits": len(program.triples),
        "rounds": found.rounds,
    }
    return solution.noting(statistics=statistics)


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
    program = NeighborProgram(problem, effort.symmetry_of(problem), first, second)
    _refuse_large(len(program.triples), sizes.LARGEST_PROGRAM)
    return program


def _refuse_large(triples: int, most: int) -> None:
    if triples > most:
        raise TooLarge(
            "the number of neighbor pairs times outputs",
            triples,
            most,
            "with δ the optimum is found for smaller spaces only",
        )
