"""k-ary randomized response: the truth with probability e^ε / (e^ε + k - 1), else another value."""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions.kernels import exact_kernel
from tightrope.constructions.objective import Goal, Objective
from tightrope.exact import Level
from tightrope.mechanisms import FiniteMechanism
from tightrope.spaces import Space
from tightrope.utility import binary

REGULAR = "k-ary randomized response is optimal for the binary loss where no input is very unlikely"


def randomized_response(space: Space, level: Level) -> FiniteMechanism:
    """k-ary randomized response on a space whose points are all equally far apart.

    The ratio is rational: e^(ε d) itself, or a number just below it.

    >>> from tightrope.spaces import categories
    >>> [str(p) for p in randomized_response(categories(3), Level.ratio(2)).row(1)]
    ['1/4', '1/2', '1/4']
    """
    distance = space.diameter
    unit = distance.rational
    assert unit is not None
    ratio = level.pure.ratio_below(distance)
    return exact_kernel(space, ratio, unit, (Fraction(1),) * space.size)


def optimal_by_theorem(space: Space, level: Level, objective: Objective) -> bool:
    """Whether randomized response is the best there is for the objective, by a theorem.

    For the binary loss, δ = 0 and the inputs as outputs it is the best for the worst input,
    and on average for every prior in the convex hull of the columns of the mechanism: those
    with no probability below 1/(e^(ε d) + k - 1).

    >>> from tightrope.spaces import categories
    >>> from tightrope.utility import Prior
    >>> uneven = Objective(Prior.of(["0.4", "0.4", "0.1", "0.1"]))
    >>> [optimal_by_theorem(categories(4), Level.ratio(r), uneven) for r in (2, 7)]
    [False, True]
    """
    if objective.loss != binary or level.delta or objective.outputs is not None:
        return False
    if objective.goal is Goal.WORST:
        return True
    least = min(objective.prior.exact(space))
    if least == 0:
        return False
    excess = 1 / least - (space.size - 1)
    return excess <= 0 or level.compare(excess, space.diameter) <= 0
