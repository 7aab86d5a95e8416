"""The exponential mechanism as an upper bound on ε*, for several base measures.

P(y | x) is proportional to μ(y) e^(-β σ(f(x), y)). If every ball of radius γ/2 around a value
weighs at least m, then β = (2/γ) ln(1/(δ m)) gives (γ, δ)-utility (KL-pc, Theorem 3.4), and
2Cβ is a level whatever μ is, C the Lipschitz constant of f (Theorem 2.7). Both are guarantees:
the exact level of the mechanism stands beside them, and so does the level at the smallest β
that still gives (γ, δ)-utility. On a space that looks the same from every point the exact level
is Cβ, half of the guarantee.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np
from numpy.typing import NDArray

from tightrope.constructions import exponential
from tightrope.errors import BadInput
from tightrope.exact import Level, Weights, ball_of, float_above, tolerances
from tightrope.mechanisms import FiniteMechanism, MatrixMechanism, finite
from tightrope.privacy import Refutation, Smallest, smallest_level
from tightrope.spaces import Label, MetricQuery, distance_table
from tightrope.theory.limits.aims import Aim, Asked, balls, lipschitz, values_of
from tightrope.theory.limits.covers import Measure, best_weights, cover_measure, least_row
from tightrope.theory.limits.failure_programs import chances_outside

_MOST_BETA = 2.0**20


@dataclass(frozen=True)
class ExponentialBound:
    """The level that the exponential mechanism with one base measure needs for an accuracy.

    `least_ball` is m; `guarantee` is 2Cβ with the β of the theorem and `exact` the proved level
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
    asked: Asked,
    radius: Fraction,
    failure: Fraction,
    *,
    closed: bool = True,
    base: Sequence[Fraction] | None = None,
    cover: Sequence[Label] | None = None,
) -> tuple[ExponentialBound, ...]:
    """Upper bounds on ε* from the uniform, the cover and the optimized base measure.

    The optimized measure maximizes the least ball of radius γ/2. A `base` measure is one number
    for every answer; a `cover` is a list of answers, and its base measure is even on them: it
    must have one of them within γ/2 of every value.

    >>> from tightrope.spaces import categories
    >>> rows = exponential_bounds(categories(3), Fraction(1, 2), Fraction(1, 5))
    >>> [(row.base, round(row.attained, 6)) for row in rows][:1]  # β = ln 8, and the level too
    [('uniform', 2.079442)]
    """
    aim = Aim(asked, radius, failure, closed)
    if failure == 0:
        raise BadInput(f"expected a failure between 0 and 1, found {failure}.")
    stretch = lipschitz(asked).upper if isinstance(asked, MetricQuery) else Fraction(1)
    return tuple(
        _bound(aim, stretch, name, measure) for name, measure in _measures(aim, base, cover)
    )


def _measures(
    aim: Aim, base: Sequence[Fraction] | None, cover: Sequence[Label] | None
) -> Iterator[tuple[str, Measure]]:
    answers = aim.answers
    yield "uniform", (Fraction(1, answers.size),) * answers.size
    yield "cover", cover_measure(answers)
    yield "optimized", best_weights(_inner(aim))[0]
    if base is not None:
        yield "given", given_measure(aim, base)
    if cover is not None:
        yield "given cover", measure_on(aim, cover)


def _inner(aim: Aim) -> NDArray[np.bool_]:
    """Which answers lie within γ/2 of the value of an input."""
    around = balls(aim.answers, aim.radius / 2, closed=aim.closed)
    return np.asarray(around[values_of(aim.asked)])


def given_measure(aim: Aim, base: Sequence[Fraction]) -> Measure:
    """A base measure scaled to add up to 1; refused if it weighs nothing, or less.

    >>> from tightrope.spaces import path
    >>> given_measure(Aim(path(0, 2), Fraction(1), Fraction(1, 2)), [1, 0, 3])
    (Fraction(1, 4), Fraction(0, 1), Fraction(3, 4))
    """
    weights = [Fraction(w) for w in base]
    size = aim.answers.size
    if len(weights) != size:
        raise BadInput(
            f"expected a base measure with {size} entries, one for each point of "
            f"{aim.answers.text}, found {len(weights)}."
        )
    if min(weights) < 0:
        raise BadInput("expected a base measure that is nowhere negative.")
    total = sum(weights, Fraction(0))
    if not total:
        raise BadInput("the base measure is zero everywhere; some answer must have weight.")
    return tuple(w / total for w in weights)


def measure_on(aim: Aim, cover: Sequence[Label]) -> Measure:
    """The measure that is even on a cover; refused if some value is farther than γ/2 from it."""
    chosen = [aim.answers.index(label) for label in dict.fromkeys(cover)]
    if not chosen:
        raise BadInput("the cover has no points.")
    served = _inner(aim)[:, chosen].any(axis=1)
    if not served.all():
        left = aim.answers.points[values_of(aim.asked)[int(np.argmin(served))]]
        within = "within" if aim.closed else "nearer than"
        raise BadInput(
            f"the cover does not cover: none of its {len(chosen)} points is {within} "
            f"{aim.radius / 2}, half the radius, of {left}."
        )
    share = Fraction(1, len(chosen))
    return tuple(share if z in set(chosen) else Fraction(0) for z in range(aim.answers.size))


def _bound(aim: Aim, stretch: Fraction, name: str, measure: Measure) -> ExponentialBound:
    weight = least_row(_inner(aim), measure)
    guarantee = exact = None
    if weight > 0 and aim.radius > 0:
        gain = ball_of(1 / (aim.failure * weight), 128).log()
        beta = float_above(gain * ball_of(2 / aim.radius, 128))
        guarantee = float_above(ball_of(2 * stretch * Fraction(beta), 80))
        exact = _prove(aim, measure, beta)[1]
    least = _least_beta(aim, measure)
    attained = 0.0 if least == 0 else None
    while least is not None and attained is None:
        mechanism, level = _prove(aim, measure, least)
        if max(chances_outside(mechanism, aim)) <= aim.failure:
            attained = level
        else:  # rounded a little too far inside
            least *= 1 + 4 * tolerances.LEVEL_WIDTH
    return ExponentialBound(name, measure, weight, guarantee, exact, least, attained)


def _prove(aim: Aim, measure: Measure, beta: float) -> tuple[FiniteMechanism, float]:
    """The mechanism with this β, and the smallest level that is proved for it."""
    made = exponential(aim.answers, Level.epsilon(2 * Fraction(beta)), base=measure)
    if aim.answers is aim.space:
        return finite(made.mechanism), _upper(made.certificate.smallest)
    matrix, values = finite(made.mechanism).matrix(), values_of(aim.asked)
    weights = Weights(matrix.weights.mantissas[values], matrix.weights.exponents[values])
    mechanism = MatrixMechanism(aim.space, aim.answers.points, weights)
    return mechanism, _upper(smallest_level(mechanism, aim.space))


def _upper(smallest: Smallest | Refutation | None) -> float:
    return smallest.upper if isinstance(smallest, Smallest) else inf


def _least_beta(aim: Aim, measure: Measure) -> float | None:
    """The smallest β at which the worst chance of failure is allowed; it falls as β rises."""
    classes, table = distance_table(aim.answers)
    lengths = np.array([float(d) for d in classes])[table[values_of(aim.asked)]]
    outside = ~aim.near
    base = np.array([float(w) for w in measure])
    least = np.where(base > 0, lengths, inf).min(axis=1, keepdims=True)
    beyond = np.where(base > 0, lengths - least, 0.0)

    def worst(beta: float) -> float:
        kernel = base * np.exp(-beta * beyond)
        return float(((kernel * outside).sum(axis=1) / kernel.sum(axis=1)).max())

    goal = float(aim.failure)
    if worst(0.0) <= goal:
        return 0.0
    low, high = 0.0, 1 / float(aim.answers.diameter)
    while worst(high) > goal:
        low, high = high, 2 * high
        if high > _MOST_BETA:
            return None
    while high - low > tolerances.LEVEL_WIDTH * high:
        middle = (low + high) / 2
        low, high = (middle, high) if worst(middle) > goal else (low, middle)
    return high
