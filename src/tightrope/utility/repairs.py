"""Repair of a matrix where that costs least, and its cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tightrope.exact import FloatArray, Number
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Repair, repair
from tightrope.utility.problem import Problem


def repair_for(
    problem: Problem, matrix: FloatArray | Sequence[Sequence[Number]] | MatrixMechanism
) -> Repair:
    """`repair` for the space, level and loss of a problem, with the loss before and after.

    Mass that the repair adds goes to the output where it costs least on average.

    >>> problem = Problem("categories:2", "ln(2)", loss="binary")
    >>> repaired = repair_for(problem, [[1, 0], [0, 1]])
    >>> repaired.value_before, round(repaired.value_after, 6)  # 1/3 is the least at e^ε = 2
    (0.0, 0.333333)
    """
    space = problem.space
    outputs = matrix.outputs if isinstance(matrix, MatrixMechanism) else problem.answers
    losses = problem.loss.matrix(space, outputs)
    costs = problem.prior.on(space)[:, None] * losses
    repaired = repair(matrix, space, problem.level, outputs=outputs, costs=costs)
    return replace(
        repaired,
        value_before=problem.value(repaired.given),
        value_after=problem.value(repaired.certified.mechanism),
    )
