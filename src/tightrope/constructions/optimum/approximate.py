"""The optimal mechanism at (ε, δ), for neighbor graphs of moderate size.

With δ > 0 neighbors y, y' may exceed their ratio by a total of δ:

    h[y, z] - e^ε h[y', z] <= s[y, y', z],   Σ_z s[y, y', z] <= δ,   s >= 0,

one linear program in h and s, which HiGHS solves. Its matrix is repaired until δ is proved
(`privacy.repair`). Its prices, made non-negative, prove a bound exactly
(`utility.prove_bound`), whatever the solver did.
"""

from __future__ import annotations

from time import monotonic

import numpy as np
from numpy.typing import NDArray

from tightrope.constructions.measures import measured, whole_units
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.solution import Solution
from tightrope.errors import Refused, TooLarge
from tightrope.exact import Level, tolerances
from tightrope.lp import LinearProgram, LinearSolution, solve
from tightrope.privacy import repair
from tightrope.spaces import Space
from tightrope.utility import Multipliers, Prior, prove_bound

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def min_loss_with_delta(
    space: Space,
    level: Level,
    objective: Objective,
    *,
    seconds: float = np.inf,
) -> Solution:
    """The mechanism with the smallest loss at (ε, δ), on average or for the worst input.

    >>> from tightrope.spaces import categories
    >>> s = min_loss_with_delta(categories(2), Level.ratio(3, "0.1"), Objective())
    >>> round(s.value, 9), s.gap < 1e-6
    (0.225, True)
    """
    started = monotonic()
    answers = objective.answers(space)
    first, second = _directed(space, len(answers))
    losses, unit = measured(objective.loss.matrix(space, answers))
    program = _program(space, level, objective, losses, first, second)
    found = solve(program, seconds=seconds)
    shape = losses.shape
    matrix = np.maximum(0.0, found.values[: losses.size].reshape(shape))
    prior = _prior(objective, found, space.size)
    mended = repair(
        matrix / matrix.sum(axis=1, keepdims=True),
        space,
        level,
        outputs=answers,
        costs=prior.on(space)[:, None] * losses,
    )
    dual = prove_bound(
        space,
        level,
        prior=prior,
        loss=objective.loss,
        outputs=answers,
        multipliers=_multipliers(space, level, found, first, second, shape, unit),
    )
    value = objective.value(mended.certified.mechanism)
    statistics = {"seconds": monotonic() - started, "pairs": len(first)}
    return Solution(mended.certified, "optimal", value, statistics=statistics).proved(dual)


def _directed(space: Space, answers: int) -> tuple[IntArray, IntArray]:
    """Both orders of every declared neighbor pair."""
    if space.neighbors is None:
        raise Refused(
            f"{space.text} declares no neighbors, so a δ above 0 has no meaning there; use δ = 0."
        )
    pairs = space.neighbors.pairs
    if 2 * len(pairs) * answers > tolerances.LARGEST_PROGRAM:
        raise TooLarge(
            "the number of neighbor pairs times outputs",
            2 * len(pairs) * answers,
            tolerances.LARGEST_PROGRAM,
            "with δ the optimum is found for smaller spaces only",
        )
    return np.append(pairs.first, pairs.second), np.append(pairs.second, pairs.first)


def _program(
    space: Space,
    level: Level,
    objective: Objective,
    losses: FloatArray,
    first: IntArray,
    second: IntArray,
) -> LinearProgram:
    """Variables h, s / unit and, for the worst case, the largest loss t.

    Rows: the excesses, the sums of slacks, the totals of h and, for the worst case, the losses.
    """
    (n, m), pairs = losses.shape, len(first)
    held, slacks = n * m, pairs * m
    delta = float(level.delta)
    unit = max(delta, tolerances.LEAST_SLACK_UNIT)
    inner = level.pure.inside(space.least_distance)
    ratios = np.exp(float(inner) * space.lengths(first, second))
    each, z = np.repeat(np.arange(pairs), m), np.tile(np.arange(m), pairs)
    row, cell, place = np.arange(slacks), np.arange(held), np.repeat(np.arange(n), m)
    parts = [
        (row, first[each] * m + z, np.ones(slacks)),
        (row, second[each] * m + z, -ratios[each]),
        (row, held + row, np.full(slacks, -unit)),
        (slacks + each, held + row, np.ones(slacks)),
        (slacks + pairs + place, cell, np.ones(held)),
    ]
    low = np.append(np.full(slacks + pairs, -np.inf), np.ones(n))
    high = np.concatenate([np.zeros(slacks), np.full(pairs, delta / unit), np.ones(n)])
    costs = np.append((objective.prior.on(space)[:, None] * losses).ravel() * n, np.zeros(slacks))
    lower = np.zeros(held + slacks)
    if objective.goal is Goal.WORST:
        start = slacks + pairs + n
        parts.append((start + place, cell, losses.ravel()))
        parts.append((start + np.arange(n), np.full(n, held + slacks), -np.ones(n)))
        low, high = np.append(low, np.full(n, -np.inf)), np.append(high, np.zeros(n))
        costs = np.append(np.zeros(held + slacks), n)
        lower = np.append(lower, -np.inf)
    rows, columns, entries = (np.concatenate(side) for side in zip(*parts, strict=True))
    return LinearProgram(
        costs, rows, columns, entries, low, high, lower, np.full(len(lower), np.inf)
    )


def _prior(objective: Objective, found: LinearSolution, size: int) -> Prior:
    """The prior of the bound; for the worst case the least favorable one."""
    if objective.goal is Goal.AVERAGE:
        return objective.prior
    weights = np.maximum(0.0, -found.prices[-size:])
    return Prior.of((weights / weights.sum()).tolist())


def _multipliers(
    space: Space,
    level: Level,
    found: LinearSolution,
    first: IntArray,
    second: IntArray,
    shape: tuple[int, int],
    unit: int,
) -> list[Multipliers]:
    """The prices of the excesses as multipliers of h[second] >= e^(-ε d) h[first]."""
    n, m = shape
    excess = np.maximum(0.0, -found.prices[: len(first) * m]).reshape(-1, m) / n
    ratios = np.exp(float(level) * space.lengths(first, second))
    amounts = excess * ratios[:, None]
    multipliers = []
    for z in range(m):
        used = np.flatnonzero(amounts[:, z])
        units = whole_units(amounts[used, z], unit)
        multipliers.append(Multipliers(second[used], first[used], units))
    return multipliers
