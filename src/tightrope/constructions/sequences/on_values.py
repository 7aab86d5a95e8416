"""The best mechanism that sees only the value of a query, not the dataset.

Two values are as far apart as the nearest datasets that have them, along shortest paths. A
mechanism on values has a level in that distance iff asking the query first has it on datasets
(ECP, Corollary 1), so its optimum is that of a smaller problem. The difference to
the optimum over all mechanisms is the value of seeing the dataset.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tightrope.choices import Goal
from tightrope.constructions.optimum.effort import Effort
from tightrope.constructions.optimum.minimum import minimum
from tightrope.exact import Weights
from tightrope.mechanisms import MatrixMechanism, written_out
from tightrope.privacy import certified
from tightrope.spaces import Directed, directed, graph, pair_classes
from tightrope.utility import LossMatrix, Prior, Problem, Solution, uniform

NAME = "optimal-on-values"


def obstacle(problem: Problem) -> str | None:
    """Why there is no best mechanism of the value alone; None where there is."""
    query = problem.query
    if query is None:
        return "it needs a query on datasets: a value for each of them."
    lengths, _ = pair_classes(problem.space, problem.space.edges())
    if any(length.rational is None for length in lengths):
        return "it needs datasets at rational distances."
    if problem.level.delta:
        return "it is found for δ = 0."
    values = np.array(query.values)
    pairs = problem.space.edges()
    if (values[pairs.first] == values[pairs.second]).all():
        return "it needs a query that some step changes."
    first = np.unique(values, return_index=True)[1]
    same = problem.losses[first][np.searchsorted(values[first], values)]
    if (same != problem.losses).any():
        return "its loss must be the same for all datasets with the same value."
    return None


def solve(problem: Problem, effort: Effort) -> Solution:
    """The optimum over mechanisms that ask the query first."""
    query = problem.query
    assert query is not None
    attained, first, which = np.unique(
        np.array(query.values), return_index=True, return_inverse=True
    )
    pairs, one_way = problem.space.edges(), isinstance(problem.space, Directed)
    lengths, classes = pair_classes(problem.space, pairs)
    shortest: dict[tuple[int, int], Fraction] = {}
    for a, b, k in zip(which[pairs.first].tolist(), which[pairs.second].tolist(),
                       classes.tolist(), strict=True):
        length = lengths[k].rational
        assert length is not None
        ends = (a, b) if one_way else (min(a, b), max(a, b))
        if a != b and length < shortest.get(ends, length + 1):
            shortest[ends] = length
    line = (directed if one_way else graph)([query.codomain.points[int(v)] for v in attained],
                [(a, b, length) for (a, b), length in shortest.items()])
    prior = uniform
    if problem.goal is Goal.AVERAGE:
        chances = problem.prior.exact(problem.space)
        shares = [Fraction(0)] * len(attained)
        for value, chance in zip(which.tolist(), chances, strict=True):
            shares[value] += chance
        prior = Prior(tuple(shares))
    smaller = Problem(line, problem.level, prior, LossMatrix(problem.losses[first]),
                    problem.goal, problem.answers)
    best = written_out(minimum(smaller, effort).certified.mechanism.base)  # type: ignore[arg-type]
    weights = Weights(best.weights.mantissas[which], best.weights.exponents[which])
    made = MatrixMechanism(problem.space, tuple(problem.answers), weights)
    return Solution(problem, certified(made, problem.level), NAME)
