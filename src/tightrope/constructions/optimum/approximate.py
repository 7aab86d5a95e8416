"""The optimal mechanism at (ε, δ), for neighbor graphs of moderate size.

With δ > 0 neighbors may exceed their ratio by a total of δ: one linear program in the
probabilities and their excesses (`neighbor_program`), solved to as many digits as its optimum
needs (`lp.refine`). Its matrix is repaired until δ is proved (`privacy.repair`). Its prices,
made non-negative, prove a bound exactly (`utility.prove_bound`), whatever the solver did.
"""

from __future__ import annotations

from time import monotonic

import numpy as np
from numpy.typing import NDArray

from tightrope.constructions.measures import check_size
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.optimum.neighbor_program import NeighborProgram
from tightrope.constructions.solution import Solution
from tightrope.errors import Refused, TooLarge
from tightrope.exact import Level, tolerances
from tightrope.lp import refine
from tightrope.privacy import repair
from tightrope.spaces import Space, preserving, symmetries
from tightrope.utility import loss_bracket, prove_bound, uniform

IntArray = NDArray[np.int64]


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
    started = monotonic()
    answers = objective.answers(space)
    program = _program(space, level, objective, symmetry=symmetry)
    found = refine(
        program.rows(), gap=tolerances.PROGRAM_GAP, start=program.start(), seconds=seconds
    )
    prior = program.least_favorable(found) if program.prior is None else program.prior
    matrix = program.matrix(found)
    mended = repair(
        matrix / matrix.sum(axis=1, keepdims=True),
        space,
        level,
        outputs=answers,
        costs=prior.on(space)[:, None] * objective.loss.matrix(space, answers),
    )
    dual = prove_bound(
        space,
        level,
        prior=prior,
        loss=objective.loss,
        outputs=answers,
        multipliers=program.multipliers(found),
    )
    value = objective.value(mended.certified.mechanism)
    statistics = {
        "seconds": monotonic() - started,
        "pairs": len(program.first),
        "orbits": len(program.triples),
        "rounds": found.rounds,
    }
    return Solution(mended.certified, "optimal", value, statistics=statistics).proved(dual)


def _program(
    space: Space, level: Level, objective: Objective, *, symmetry: bool
) -> NeighborProgram:
    """The program of an objective, unless it is too large."""
    answers = objective.answers(space)
    first, second = _directed(space, len(answers))
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
    _refuse_large(len(program.triples))
    return program


def _directed(space: Space, answers: int) -> tuple[IntArray, IntArray]:
    """Both orders of every declared neighbor pair."""
    if space.neighbors is None:
        raise Refused(
            f"{space.text} declares no neighbors, so a δ above 0 has no meaning there; use δ = 0."
        )
    pairs = space.neighbors.pairs
    return np.append(pairs.first, pairs.second), np.append(pairs.second, pairs.first)


def _refuse_large(triples: int) -> None:
    if triples > tolerances.LARGEST_PROGRAM:
        raise TooLarge(
            "the number of neighbor pairs times outputs",
            triples,
            tolerances.LARGEST_PROGRAM,
            "with δ the optimum is found for smaller spaces only",
        )
