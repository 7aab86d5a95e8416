"""k-ary randomized response: the truth with probability e^ε / (e^ε + k - 1), else another value."""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions.kernels import exact_kernel
from tightrope.exact import Level
from tightrope.mechanisms import FiniteMechanism
from tightrope.spaces import Space


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
