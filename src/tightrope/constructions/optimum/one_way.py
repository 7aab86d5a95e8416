"""The optimum where pairs are protected one way: a plain linear program, proved like the rest.

    minimize Σ prior[x] P(z | x) loss[x, z]  with  e^(-ε d(x, y)) P(z | y) <= P(z | x)

for the ordered pairs (x, y) of the relation, or the largest loss of an input. The search over
copies of a cone (`optimal`) knows pairs both ways only; HiGHS solves this one in doubles. Its
matrix is repaired and proved (`privacy.repair`), its prices prove a bound (`utility.prove_bound`).
"""

from __future__ import annotations

from fractions import Fraction
from time import monotonic

import numpy as np

from tightrope.choices import Goal
from tightrope.constructions.measures import rescale, whole_units
from tightrope.constructions.optimum.effort import Effort
from tightrope.errors import TooLarge
from tightrope.exact import FloatArray, sizes, tolerances
from tightrope.lp import LinearProgram, solve
from tightrope.privacy import repair
from tightrope.utility import Multipliers, Prior, Problem, Solution, prove_bound


def solve_one_way(problem: Problem, effort: Effort) -> Solution:
    """The best mechanism on a directed space at δ = 0."""
    started = monotonic()
    space, width = problem.space, len(problem.answers)
    pairs, worst = space.edges(), problem.goal is Goal.WORST
    if len(pairs) * width > sizes.LARGEST_PROGRAM:
        raise TooLarge("ordered pairs times outputs", len(pairs) * width, sizes.LARGEST_PROGRAM,
                       "one way the optimum is found for smaller relations only")
    losses, unit = rescale(problem.losses)
    optimum = solve(_program(problem, losses, worst), tolerance=tolerances.PROGRAM_ERROR,
                  seconds=effort.seconds)
    entries = space.size * width
    matrix = np.maximum(optimum.values[:entries].reshape(space.size, width), 0)
    matrix /= matrix.sum(axis=1, keepdims=True)
    prior = problem.averaged
    if worst:
        emphasis = [Fraction(max(0.0, -price)) for price in optimum.prices[-space.size :].tolist()]
        prior = Prior(tuple(weight / sum(emphasis) for weight in emphasis))
    costs = prior.on(space)[:, None] * losses
    certified = repair(matrix, space, problem.level, outputs=problem.answers, costs=costs).certified
    amounts = -optimum.prices[space.size : space.size + len(pairs) * width]
    multipliers = [
        Multipliers(pairs.first, pairs.second, whole_units(np.maximum(amounts[z::width], 0), unit))
        for z in range(width)
    ]
    statistics = {"pairs": len(pairs), "seconds": monotonic() - started}
    solution = Solution(problem, certified, "optimal", statistics=statistics)
    return solution.proved(prove_bound(problem, multipliers, prior))


def _program(problem: Problem, losses: FloatArray, worst: bool) -> LinearProgram:
    """Rows: one for each input, one for each pair and output, and one for each loss if worst.

    Entry P(z | x) is column x · outputs + z; the largest loss is the last one.
    """
    space, width = problem.space, len(problem.answers)
    pairs, size = space.edges(), space.size
    entries, steps = size * width, len(pairs) * width
    inputs, outputs = np.repeat(np.arange(size), width), np.tile(np.arange(width), len(pairs))
    shares = np.exp(-float(problem.level.pure) * space.lengths(pairs.first, pairs.second))
    asked = size + np.arange(steps)
    rows = [inputs, asked, asked]
    columns = [
        np.arange(entries),
        np.repeat(pairs.second, width) * width + outputs,
        np.repeat(pairs.first, width) * width + outputs,
    ]
    numbers = [np.ones(entries), np.repeat(shares, width), -np.ones(steps)]
    least, most = [np.ones(size), np.full(steps, -np.inf)], [np.ones(size), np.zeros(steps)]
    costs, low = (problem.chances[:, None] * losses).ravel(), np.zeros(entries)
    if worst:
        rows += [size + steps + inputs, size + steps + np.arange(size)]
        columns += [np.arange(entries), np.full(size, entries)]
        numbers += [losses.ravel(), -np.ones(size)]
        least, most = [*least, np.full(size, -np.inf)], [*most, np.zeros(size)]
        costs, low = np.append(np.zeros(entries), 1.0), np.append(low, -np.inf)
    return LinearProgram(
        costs, np.concatenate(rows), np.concatenate(columns), np.concatenate(numbers),
        np.concatenate(least), np.concatenate(most), low, np.full(len(costs), np.inf),
    )
