"""A matrix repaired where that costs least, and what it costs."""

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

    What the repair adds goes to the output where it costs least on average.

    >>> asked = Problem("categories:2", "ln(2)", loss="binary")
    >>> found = repair_for(asked, [[1, 0], [0, 1]])
    >>> found.value_before, round(found.value_after, 6)  # 1/3 is the least at e^ε = 2
    (0.0, 0.333333)
    """
    space = problem.space
    outputs = matrix.outputs if isinstance(matrix, MatrixMechanism) else problem.answers
    losses = problem.loss.matrix(space, outputs)
    costs = problem.prior.on(space)[:, None] * losses
    found = repair(matrix, space, problem.level, outputs=outputs, costs=costs)
    return replace(
        found,
        value_before=problem.value(found.given),
        value_after=problem.value(found.certified.mechanism),
    )
