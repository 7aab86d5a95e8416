"""The exponential mechanism with distance as the score.

P(z | y) is proportional to base[z] · e^(-ε d(y,z)/2). The half pays for the normalizers;
where they are all equal the true level is ε/2, and the certificate says so. Outputs at an
infinite distance have probability 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tightrope.constructions.closed_forms.written_kernels import one_law, rounded_kernel
from tightrope.errors import BadMatrix
from tightrope.exact import Level, Number
from tightrope.privacy import Certified, certified, level_of
from tightrope.spaces import Space
from tightrope.utility import Problem


def obstacle(problem: Problem) -> str | None:
    """None: it exists on every finite space."""


def exponential(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    base: Sequence[Fraction] | None = None,
) -> Certified:
    """The exponential mechanism on any finite space, with an optional base measure.

    Returns: the mechanism with its certificate.

    Raises: `BadMatrix` for a base measure that is negative, all zero, or of another length.

    >>> made = exponential("path:0..2", Level.ratio(4))
    >>> made.certificate.holds
    True
    """
    problem = Problem(space, level_of(epsilon, ratio=ratio))
    space, level = problem.space, problem.level
    measure = (Fraction(1),) * space.size if base is None else tuple(map(Fraction, base))
    if len(measure) != space.size or min(measure) < 0 or max(measure) == 0:
        raise BadMatrix(
            f"expected a base measure with {space.size} entries that are not negative "
            "and not all zero."
        )
    if level.is_zero:  # any point, by the base measure alone
        return certified(one_law(space, measure), level)
    half = level.pure.scaled(Fraction(1, 2)).inside(space.least_distance)
    return certified(rounded_kernel(space, half, measure), level)
