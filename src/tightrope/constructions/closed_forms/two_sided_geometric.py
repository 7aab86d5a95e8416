"""Two-sided geometric noise on all integers: answers may leave the range of the inputs."""

from __future__ import annotations

from tightrope.constructions.closed_forms.written_kernels import check_ratio
from tightrope.constructions.obstacles import path_obstacle, refuse, zero_obstacle
from tightrope.exact import Level, Number, Surd
from tightrope.mechanisms import NoiseMechanism
from tightrope.privacy import Certified, certified, level_of
from tightrope.spaces import Space
from tightrope.utility import Problem, noise_obstacle


def obstacle(problem: Problem) -> str | None:
    """Why it does not exist, in one sentence; None where it does."""
    unpriced = noise_obstacle(problem.loss)
    return unpriced or path_obstacle(problem.space) or zero_obstacle(problem)


def two_sided_geometric(
    space: Space | str, epsilon: Level | Number | None = None, *, ratio: Number | None = None
) -> Certified:
    """Noise k with probability (1 - α)/(1 + α) α^|k|, 1/α a fraction at or just below e^ε.

    `space` is a path of whole numbers.

    Returns: the mechanism with its certificate. Raises: `Infeasible` on any other space, or at
    ε = 0.

    >>> made = two_sided_geometric("path:0..9", Level.ratio(2))
    >>> str(made.mechanism.ratio)
    '2'
    """
    problem = Problem(space, level_of(epsilon, ratio=ratio))
    refuse("two-sided-geometric", obstacle(problem))
    factor = problem.level.pure.ratio_below(Surd.of(1))
    check_ratio(factor)
    return certified(NoiseMechanism(problem.space, factor), problem.level)
