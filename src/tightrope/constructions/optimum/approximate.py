"""The optimal mechanism at (ε, δ), for neighbor graphs of moderate size.

With δ > 0 neighbors may exceed their ratio by a total of δ: one linear program in the
probabilities and their excesses (`neighbor_program`), solved to as many digits as its optimum
needs (`lp.refine`). Its matrix, in doubles, is repaired until δ is proved (`privacy.repair`);
where that costs too much, it is kept in long numbers (`privacy.dilute`). Its prices, made
non-negative, prove a bound exactly (`utility.prove_bound`), whatever the solver did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic

import numpy as np

from tightrope.constructions.measures import check_size
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.optimum.neighbor_program import NeighborProgram
from tightrope.constructions.optimum.separate import solved_by_component
from tightrope.constructions.solution import Solution
from tightrope.errors import Refused, TooLarge
from tightrope.exact import FloatArray, IntArray, Level, sizes, tolerances
from tightrope.lp import FineSolution, refine
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certified, dilute, repair
from tightrope.spaces import Label, Space, is_connected
from tightrope.symmetry import preserving, symmetries
from tightrope.utility import Dual, Multipliers, Prior, loss_bracket, prove_bound, uniform


def min_loss_with_delta(
    space: Space,
    level: Level,
    objective: Objective,
    *,
    seconds: float = np.inf,
    symmetry: bool = True,
) -> Solution:
    """The mechanism with the smallest loss at (ε, δ), on average or for the worst input.

    >>> from tightrope.spaces import categories
    >>> s = min_loss_with_delta(categories(2), Level.ratio(3, "0.1"), Objective())
    >>> round(s.value, 9), s.gap < 1e-6
    (0.225, True)
    """
    if not is_connected(space):
        return solved_by_component(
            space,
            level,
            objective,
            lambda part, own: min_loss_with_delta(
                part, level, own, seconds=seconds, symmetry=symmetry
            ),
        )
    started = monotonic()
    answers = objective.answers(space)
    program = _program(space, level, objective, symmetry=symmetry)
    found = refine(
        program.rows(),
        gap=tolerances.PROGRAM_GAP,
        miss=tolerances.PROGRAM_GAP * program.least_excess,
        start=program.start() if program.faint else None,
        seconds=seconds,
    )
    prior = program.least_favorable(found) if program.prior is None else program.prior
    dual = _proved(program, prior, objective, program.multipliers(found))
    costs = prior.on(space)[:, None] * objective.loss.matrix(space, answers)
    solution = _valued(_mended(program, found, answers, costs), objective).proved(dual)
    if solution.gap is None or solution.gap > tolerances.DEFAULT_GAP:
        exact = MatrixMechanism(space, answers, program.weights(found))
        finer = dilute(exact, level, int(np.argmin(costs.sum(axis=0))))
        solution = min(solution, _valued(finer, objective).proved(dual), key=_value)
    statistics = {
        "seconds": monotonic() - started,
        "pairs": len(program.first),
        "orbits": len(program.triples),
        "rounds": found.rounds,
    }
    return replace(solution, statistics=statistics)


def _proved(
    program: NeighborProgram, prior: Prior, objective: Objective, found: list[Multipliers]
) -> Dual:
    """The larger of the bounds of these multipliers and of none, that without privacy."""
    space, answers = program.space, objective.answers(program.space)
    none = Multipliers(program.first[:0], program.first[:0], ())
    duals = [
        prove_bound(
            space,
            program.level,
            prior=prior,
            loss=objective.loss,
            outputs=answers,
            multipliers=multipliers,
        )
        for multipliers in ([none] * len(answers), found)
    ]
    return max(duals, key=lambda dual: dual.bound)


def _mended(
    program: NeighborProgram, found: FineSolution, answers: Sequence[Label], costs: FloatArray
) -> Certified:
    """The solution in doubles, repaired: weights stay short."""
    matrix = program.weights(found).floats
    return repair(matrix, program.space, program.level, outputs=answers, costs=costs).certified


def _valued(certified: Certified, objective: Objective) -> Solution:
    mechanism = certified.mechanism
    return Solution(certified, "optimal", objective.value(mechanism))


def _value(solution: Solution) -> float:
    return np.inf if solution.value is None else solution.value


def _program(
    space: Space, level: Level, objective: Objective, *, symmetry: bool
) -> NeighborProgram:
    """The program of an objective, unless it is too large."""
    answers = objective.answers(space)
    first, second = _directed(space)
    _refuse_large(len(first) * len(answers), sizes.LARGEST_NEIGHBOR_PROOF)
    check_size(objective.loss.matrix(space, answers))
    bracket = loss_bracket(objective.loss, space, answers)
    worst = objective.goal is Goal.WORST
    moves = preserving(
        space,
        answers,
        symmetries(space) if symmetry else (),
        prior=(uniform if worst else objective.prior).on(space),
        loss=bracket.index.astype(np.float64),
    )
    prior = None if worst else objective.prior
    program = NeighborProgram(space, level, bracket, prior, moves, first, second)
    _refuse_large(len(program.triples), sizes.LARGEST_PROGRAM)
    return program


def _directed(space: Space) -> tuple[IntArray, IntArray]:
    """Both orders of every declared neighbor pair."""
    if space.neighbors is None:
        raise Refused(
            f"{space.text} declares no neighbors, so a δ above 0 has no meaning there; use δ = 0."
        )
    pairs = space.neighbors.pairs
    return np.append(pairs.first, pairs.second), np.append(pairs.second, pairs.first)


def _refuse_large(triples: int, most: int) -> None:
    if triples > most:
        raise TooLarge(
            "the number of neighbor pairs times outputs",
            triples,
            most,
            "with δ the optimum is found for smaller spaces only",
        )
