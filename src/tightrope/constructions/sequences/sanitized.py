"""Sanitize the dataset, then answer from the sanitized one (H16, Chapter 3).

Every value of a dataset is kept, or replaced by each other one with a probability p, on its own:
a product sanitization, which has the level of one value (Theorem 3.5). The query is then asked
of the sanitized dataset, at no further charge (Theorem 3.4); with the identity query the dataset
itself is released (Corollary 3.1). Answers may be read off as they are, or each sanitized dataset
may be given the answer that loses least if it is seen. Probabilities are exact: datasets that
differ in as many values weigh the same.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from tightrope.constructions.optimum.effort import Effort
from tightrope.exact import FloatArray, IntArray, Surd, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import certified, private_errors
from tightrope.spaces import Combine, Product, Space
from tightrope.utility import Problem, Solution

NAME, REMAPPED = "sanitized", "sanitized-remapped"
_STEP = Surd.of(1)


def obstacle(problem: Problem, *, remapped: bool = False) -> str | None:
    """Why the dataset cannot be sanitized value by value; None where it can."""
    query = problem.query
    if query is None:
        return "it needs a query on datasets: a value for each of them."
    if value_counts(problem.space) is None:
        return ("it needs datasets of values that are randomized one by one: hamming, sets, "
                "categories, or products of these with *.")
    if problem.level.pure.ratio_below(_STEP) <= 1 and not problem.level.delta:
        return "it needs an ε above 0."
    attained = {query.codomain.points[v] for v in query.values}
    if not remapped and not attained <= set(problem.answers):
        return "it answers with the values of the query, and some are not among the outputs."
    return None


def solve(problem: Problem, _: Effort) -> Solution:
    """The query on the sanitized dataset, without a remap."""
    query = problem.query
    assert query is not None
    place = {answer: z for z, answer in enumerate(problem.answers)}
    answers = np.array([place[query.codomain.points[v]] for v in query.values])
    return _solution(problem, answers, NAME)


def solve_remapped(problem: Problem, _: Effort) -> Solution:
    """The answer that loses least, given the sanitized dataset, for the prior of the problem."""
    kinds, wrong = _kinds(problem)
    chances = [[float((1 - (m - 1) * p) ** (k - h) * p**h) for h in range(k + 1)]
               for (m, k), p in zip(kinds.items(), wrong, strict=True)]
    table = np.ones((problem.space.size,) * 2)
    for differing, chance in zip(_difference_counts(problem.space), chances, strict=True):
        table *= np.array(chance)[differing]
    costs: FloatArray = table.T @ (problem.chances[:, None] * problem.losses)
    return _solution(problem, np.argmin(costs, axis=1), REMAPPED)


def value_counts(space: Space) -> list[int] | None:
    """How many values each entry of a dataset can have, in order; None if it has no entries.

    >>> from tightrope.spaces import parse
    >>> value_counts(parse("hamming:values=3,people=2")), value_counts(parse("path:0..3"))
    ([3, 3], None)
    """
    if isinstance(space, Product):
        first, second = value_counts(space.first), value_counts(space.second)
        split = space.combine is Combine.SUM and first is not None and second is not None
        return [*(first or ()), *(second or ())] if split else None
    match space.describe():
        case {"family": "hamming", "values": int(values), "people": int(people)}:
            return [values] * people
        case {"family": "sets", "items": int(items)}:
            return [2] * items
        case {"family": "categories" | "complete"}:
            return [space.size]
        case _:
            return None


def _difference_counts(space: Space) -> list[IntArray]:
    """For each number of values, in how many such entries two datasets differ."""
    sizes = value_counts(space)
    assert sizes is not None
    digits = np.array(np.unravel_index(np.arange(space.size), sizes))
    return [
        sum((np.not_equal.outer(row, row).astype(np.int64)
             for row, size in zip(digits, sizes, strict=True) if size == values),
            np.zeros((space.size,) * 2, dtype=np.int64))
        for values in dict.fromkeys(sizes)
    ]


def _kinds(problem: Problem) -> tuple[dict[int, int], list[Fraction]]:
    """How many entries have how many values, and each wrong value's probability for those."""
    sizes, level = value_counts(problem.space), problem.level
    assert sizes is not None
    kinds = {values: sizes.count(values) for values in dict.fromkeys(sizes)}
    ratio = level.pure.ratio_below(_STEP)
    return kinds, [private_errors(values, ratio, level.delta).low for values in kinds]


def _solution(problem: Problem, answers: IntArray, name: str) -> Solution:
    """The mechanism that gives sanitized dataset y the answer with index answers[y]."""
    kinds, wrong = _kinds(problem)
    code = np.zeros((problem.space.size,) * 2, dtype=np.int64)
    for differing, entries in zip(_difference_counts(problem.space), kinds.values(), strict=True):
        code = code * (entries + 1) + differing
    given = np.eye(len(problem.answers))[answers]
    rows: Any = np.zeros((problem.space.size, len(problem.answers)), dtype=object)
    changes = product(*(range(entries + 1) for entries in kinds.values()))
    for position, changed in enumerate(changes):
        weight = prod(
            (p.denominator - (m - 1) * p.numerator) ** (k - h) * p.numerator**h
            for (m, k), p, h in zip(kinds.items(), wrong, changed, strict=True)
        )
        counts = (code == position).astype(np.float64) @ given  # whole numbers, exact in doubles
        rows += counts.astype(np.int64).astype(object) * weight
    made = MatrixMechanism(problem.space, tuple(problem.answers), Weights.from_integers(rows))
    return Solution(problem, certified(made, problem.level), name)
