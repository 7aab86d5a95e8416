"""The exponential mechanism as an upper bound on ε*, for several base measures.

P(z | y) is proportional to μ(z) e^(-β d(y, z)). If every ball of radius γ/2 weighs at least m,
then β = (2/γ) ln(1/(δ m)) gives (γ, δ)-utility (KL-pc, Theorem 3.4), and 2β is a level
whatever μ is (Theorem 2.7). Both are guarantees: the exact level of the mechanism stands
beside them, and so does the level at the smallest β that still gives (γ, δ)-utility. On a
space that looks the same from every point the exact level is β, half of the guarantee.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, log

import numpy as np

from tightrope.constructions import exponential
from tightrope.errors import BadInput
from tightrope.exact import Level, ball_of, float_above, tolerances
from tightrope.mechanisms import finite
from tightrope.privacy import Certified
from tightrope.spaces import Space, distance_table, require_connected
from tightrope.theory.compatibility import failures
from tightrope.theory.covers import Measure, balls, best_measure, cover_measure, least_ball

_MOST_BETA = 2.0**20


@dataclass(frozen=True)
class ExponentialBound:
    """What the exponential mechanism with one base measure achieves for a radius and failure.

    `least_ball` is m; `guarantee` is 2β with the β of the theorem and `exact` the proved level
    of that mechanism, both None if m or the radius is 0. `attained` is the proved level at
    the smallest β found to give the utility, and `beta` is that β; None if there is none.
    """

    base: str
    measure: Measure
    least_ball: Fraction
    guarantee: float | None
    exact: float | None
    beta: float | None
    attained: float | None


def exponential_bounds(
    space: Space, radius: Fraction, failure: Fraction, *, closed: bool = True
) -> tuple[ExponentialBound, ...]:
    """Upper bounds on ε* from the uniform, the cover and the optimized base measure.

    The optimized measure maximizes the least ball of radius γ/2.

    >>> from tightrope.spaces import categories
    >>> rows = exponential_bounds(categories(3), Fraction(1, 2), Fraction(1, 5))
    >>> [(row.base, round(row.attained, 6)) for row in rows][:1]  # β = ln 8, and the level too
    [('uniform', 2.079442)]
    """
    if not 0 < failure < 1:
        raise BadInput(f"expected a failure between 0 and 1, found {failure}.")
    require_connected(space, "the bounds of base measures are for")
    measures = (
        ("uniform", (Fraction(1, space.size),) * space.size),
        ("cover", cover_measure(space)),
        ("optimized", best_measure(space, radius / 2, closed=closed)[0]),
    )
    return tuple(
        _bound(space, radius, failure, name, measure, closed) for name, measure in measures
    )


def _bound(
    space: Space, radius: Fraction, failure: Fraction, name: str, measure: Measure, closed: bool
) -> ExponentialBound:
    weight = least_ball(space, measure, radius / 2, closed=closed)
    guarantee = exact = None
    if weight > 0 and radius > 0:
        product = failure * weight
        gain = log(product.denominator) - log(product.numerator)
        guarantee = float_above(ball_of(Fraction(4 * gain) / radius, 80))
        exact = _proved(exponential(space, Level.epsilon(Fraction(guarantee)), base=measure))
    beta = _least_beta(space, radius, failure, measure, closed)
    attained = 0.0 if beta == 0 else None
    while beta is not None and attained is None:
        made = exponential(space, Level.epsilon(Fraction(2 * beta)), base=measure)
        if max(failures(finite(made.mechanism), radius, closed=closed)) <= failure:
            attained = _proved(made)
        else:  # rounded a little too far inside
            beta *= 1 + 4 * tolerances.LEVEL_WIDTH
    return ExponentialBound(name, measure, weight, guarantee, exact, beta, attained)


def _proved(made: Certified) -> float | None:
    found = made.certificate.smallest
    return None if found is None else found.upper


def _least_beta(
    space: Space, radius: Fraction, failure: Fraction, measure: Measure, closed: bool
) -> float | None:
    """The smallest β at which the worst chance of failure is allowed; it falls as β rises."""
    classes, table = distance_table(space)
    lengths = np.array([float(d) for d in classes])[table]
    outside = ~balls(space, radius, closed=closed)
    base = np.array([float(w) for w in measure])

    def worst(beta: float) -> float:
        least = np.where(base > 0, lengths, inf).min(axis=1, keepdims=True)
        kernel = base * np.exp(-beta * (lengths - least))
        return float(((kernel * outside).sum(axis=1) / kernel.sum(axis=1)).max())

    goal = float(failure)
    if worst(0.0) <= goal:
        return 0.0
    low, high = 0.0, 1 / float(space.diameter)
    while worst(high) > goal:
        low, high = high, 2 * high
        if high > _MOST_BETA:
            return None
    while high - low > tolerances.LEVEL_WIDTH * high:
        middle = (low + high) / 2
        low, high = (middle, high) if worst(middle) > goal else (low, middle)
    return high
