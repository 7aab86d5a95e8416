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
from tightrope.exact import FloatArray, sizes, tolerances
from tightrope.lp import FineSolution, refine
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certified, dilute, repair
from tightrope.utility import Goal, Problem, Solution, best_dual


def solve_with_delta(problem: Problem, effort: Effort) -> Solution:
    """The best mechanism at (ε, δ) on a connected space that declares neighbors."""
    started = monotonic()
    program = _program(problem, effort)
    found = refine(
        program.rows(),
        gap=tolerances.PROGRAM_GAP,
        miss=tolerances.PROGRAM_GAP * program.least_excess,
        start=program.start() if program.faint else None,
        seconds=effort.seconds,
    )
    worst = problem.goal is Goal.WORST
    prior = program.least_favorable(found) if worst else problem.prior
    dual = best_dual(problem, program.multipliers(found), prior)
    costs = prior.on(problem.space)[:, None] * problem.losses
    solution = Solution(problem, _mended(program, found, costs), "optimal").proved(dual)
    if solution.gap is None or solution.gap > tolerances.DEFAULT_GAP:
        exact = MatrixMechanism(problem.space, problem.answers, program.weights(found))
        finer = dilute(exact, problem.level, int(np.argmin(costs.sum(axis=0))))
        other = Solution(problem, finer, "optimal").proved(dual)
        solution = min(solution, other, key=lambda held: held.value)
    statistics = {
        "seconds": monotonic() - started,
        "pairs": len(program.first),
        "orbits": len(program.triples),
        "rounds": found.rounds,
    }
    return solution.noting(statistics=statistics)


def _mended(program: NeighborProgram, found: FineSolution, costs: FloatArray) -> Certified:
    """The solution in doubles, repaired: weights stay short."""
    problem, matrix = program.problem, program.weights(found).floats
    mended = repair(matrix, problem.space, problem.level, outputs=problem.answers, costs=costs)
    return mended.certified


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
