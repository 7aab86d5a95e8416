"""The truncated geometric on a path, each output replaced by the answer that loses least given it.

If the loss of input i grows with the distance |i - r| of the answer r, no mechanism at this
level has a smaller average loss, for any prior (Ghosh, Roughgarden, Sundararajan). The bound
beside the theorem is in `path_bound`.
"""

from __future__ import annotations

import numpy as np

from tightrope.choices import Goal
from tightrope.constructions.closed_forms.geometric import geometric_on, rounded_geometric
from tightrope.constructions.closed_forms.written_kernels import WRITTEN_OUT
from tightrope.constructions.obstacles import path_obstacle, refuse, zero_obstacle
from tightrope.constructions.optimum.path_bound import path_bound
from tightrope.exact import FloatArray, Level, Number, sizes, tolerances
from tightrope.mechanisms import (
    FiniteMechanism,
    MatrixMechanism,
)
from tightrope.privacy import Certified, certified, level_of
from tightrope.spaces import Space
from tightrope.utility import (
    LossLike,
    PriorLike,
    Problem,
    Solution,
    apply_best_remap,
    best_remap,
    uniform,
)

UNIVERSAL = "geometric plus best remap is optimal on a path for losses that grow with distance"


def obstacle(problem: Problem) -> str | None:
    """Why it does not exist, in one sentence; None where it does."""
    if problem.goal is Goal.WORST:
        return "its remap is chosen for the average, not for the worst input."
    return path_obstacle(problem.space) or zero_obstacle(problem)


def remapped_geometric(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
) -> Certified:
    """The truncated geometric with its best remap for a prior and a loss.

    Returns: the mechanism with its certificate. Raises: `Infeasible` on any other space, or at
    ε = 0.

    >>> made = remapped_geometric("path:0..2", Level.ratio(2), prior=["1/10", "8/10", "1/10"])
    >>> [str(p) for p in made.mechanism.row(0)]
    ['0', '1', '0']
    """
    return _certify(Problem(space, level_of(epsilon, ratio=ratio), prior, loss))


def solve(problem: Problem) -> Solution:
    """The mechanism with its loss; at δ = 0 with the theorem and the bound, where they hold."""
    solution = Solution(problem, _certify(problem), "remapped-geometric")
    if problem.level.delta:
        return solution
    if grows_with_distance(problem.losses):
        solution = solution.noting(theorem=UNIVERSAL)
    if problem.space.size > sizes.LARGEST_PATH_PROOF:
        return solution.against(_least_by_theorem(problem) if solution.theorem else None)
    dual = path_bound(problem)
    return solution if dual is None else solution.proved(dual)


def _least_by_theorem(problem: Problem) -> float | None:
    """Σ_z min_r Σ_y π_y P(z | y) loss[y, r], P the geometric at this very level, rounded down.

    By the theorem no mechanism loses less. All terms are positive, so doubles err by no more
    than the margin subtracted: n roundings in each of two sums, 1,600 of e^(-ε d) (which is 0
    beyond ε d = 745), and those of the losses. None where losses are negative.
    """
    size, losses = problem.space.size, problem.losses
    if float(losses.min()) < 0:
        return None
    places = np.arange(size)
    powers = np.exp(-float(problem.level) * places)
    ends = np.full(size, (1 - powers[1]) / (1 + powers[1]))
    ends[[0, -1]] = 1 / (1 + powers[1])
    chances = powers[np.abs(places[:, None] - places)] * ends
    joint = problem.chances[:, None] * chances
    least = float((joint.T @ losses).min(axis=1).sum())
    return least * (1 - (2 * size + 1_700) * 2.0**-53 - 2 * tolerances.LOSS_ERROR)


def _certify(problem: Problem) -> Certified:
    refuse("remapped-geometric", obstacle(problem))
    return certified(_mechanism(problem), problem.level)


def _mechanism(problem: Problem) -> FiniteMechanism:
    space, level = problem.space, problem.level
    if space.size <= WRITTEN_OUT or space.size > sizes.LARGEST_PATH_PROOF:
        return apply_best_remap(geometric_on(space, level), problem)
    rounded = rounded_geometric(space, (space.size,), level)
    targets = best_remap(rounded, problem)
    if targets == tuple(range(space.size)):
        return geometric_on(space, level)
    return MatrixMechanism(space, space.points, rounded.weights.merged(targets))


def grows_with_distance(table: FloatArray) -> bool:
    """Whether every row depends on |i - r| only and does not fall as it grows."""
    size = len(table)
    for i, row in enumerate(table):
        left, right = row[i::-1], row[i:]
        shared = min(len(left), len(right))
        longer = left if len(left) > len(right) else right
        if (left[:shared] != right[:shared]).any() or (np.diff(longer) < 0).any():
            return False
    return size > 0
