"""How many respondents: for a margin of error, for a difference between groups.

A margin m at confidence c asks P(|estimate - π| <= m) >= c. The normal size z² Var/m² is an
approximation; for two responses and a known prevalence the size is exact instead: the least
from which on every larger one reaches c, by the binomial law itself. Chebyshev's size,
Var/((1 - c) m²), needs no normality. Without a prevalence the worst one counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import ceil
from statistics import NormalDist

from tightrope.applications.surveys.designs import Design
from tightrope.applications.surveys.sizes import Margin
from tightrope.applications.surveys.variance import (
    Shares,
    shares_of,
    unit_variance,
    worst_variance,
)
from tightrope.choices import member_of
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Number

MOST_RESPONDENTS = 10**12


class Bound(StrEnum):
    """What the size of a survey rests on."""

    NORMAL = "normal"
    CHEBYSHEV = "chebyshev"


@dataclass(frozen=True)
class Plan:
    """A design with the number of respondents it needs.

    For two responses and a known prevalence the binomial law decides, unless Chebyshev's bound
    was asked for: `reached` is then the probability of staying within the margin, and `least`
    says that the size is the least from which on every larger one reaches the confidence.
    """

    design: Design
    respondents: int
    margin: float
    confidence: float
    prevalence: Shares | None
    bound: Bound
    reached: float | None
    least: bool


def plan_margin(
    design: Design,
    margin: float,
    *,
    confidence: float = 0.95,
    prevalence: Number | Sequence[Number] | None = None,
    answer: int | None = None,
    bound: Bound | str = Bound.NORMAL,
) -> Plan:
    """The number of respondents for a margin of error of one answer's share (the last one's).

    With two responses and a prevalence: the least number from which on every larger one
    reaches the confidence. Some smaller ones may reach it too, by the accident of rounding.

    >>> from tightrope.applications.surveys.designs import warner
    >>> plan_margin(warner("3/4"), 0.05, prevalence="0.1").respondents
    1314
    """
    bound = member_of(Bound, bound)
    if not 0 < margin < 1 or not 0 < confidence < 1:
        raise BadInput(
            f"expected a margin and a confidence between 0 and 1, found {margin} and {confidence}."
        )
    v = len(design.answers) - 1 if answer is None else answer
    shares = None if prevalence is None else shares_of(design, prevalence)
    variance = worst_variance(design, v) if shares is None else unit_variance(design, shares, v)
    if bound is Bound.CHEBYSHEV:
        n = _size(1 / (1 - confidence), variance, margin)
        return Plan(design, n, margin, confidence, shares, bound, None, least=False)
    z = NormalDist().inv_cdf((1 - confidence) / 2)
    n = _size(z**2, variance, margin)
    if shares is None or len(design.responses) != 2:
        return Plan(design, n, margin, confidence, shares, bound, None, least=False)
    asked = _margin(design, shares, margin, confidence)
    n, least = asked.least()
    return Plan(design, n, margin, confidence, shares, bound, asked.reached(n), least)


def coverage(design: Design, shares: Shares, answer: int, n: int, margin: float) -> float:
    """P(|unbiased estimate - π| <= margin) for n respondents, by the binomial law."""
    return _margin(design, shares, margin).reached(n)


def _margin(
    design: Design, shares: Shares, margin: float, confidence: float = 0.5
) -> Margin:
    """What the margin and the confidence ask of the share of the second response, exactly."""
    slope = abs(design.rows[1][1] - design.rows[0][1])
    half = Fraction(str(margin)) * slope
    chance = shares[0] * design.rows[0][1] + shares[1] * design.rows[1][1]
    return Margin(chance, half, Fraction(str(confidence)))


@dataclass(frozen=True)
class DifferencePlan:
    """Respondents in each of two groups to see a difference with a given power."""

    design: Design
    per_group: int
    first: Shares
    second: Shares
    significance: float
    power: float


def plan_difference(
    design: Design,
    first: Number | Sequence[Number],
    second: Number | Sequence[Number],
    *,
    significance: float = 0.05,
    power: float = 0.8,
    answer: int | None = None,
) -> DifferencePlan:
    """Respondents in each group so that a two-sided test sees the difference with this power.

    n = (z_(1-α/2) + z_power)² (Var1 + Var2)/(π1 - π2)².
    """
    if not 0 < significance < 1 or not 0 < power < 1:
        raise BadInput("expected a significance and a power between 0 and 1.")
    v = len(design.answers) - 1 if answer is None else answer
    a, b = shares_of(design, first), shares_of(design, second)
    if a[v] == b[v]:
        raise BadInput("the two groups have the same share, so there is no difference to see.")
    z = NormalDist().inv_cdf(1 - significance / 2) + NormalDist().inv_cdf(power)
    n = _size(z**2, unit_variance(design, a, v) + unit_variance(design, b, v), a[v] - b[v])
    return DifferencePlan(design, n, a, b, significance, power)


def power_at(plan: DifferencePlan, n: int, answer: int | None = None) -> float:
    """The power of the plan's test with n respondents in each group."""
    v = len(plan.design.answers) - 1 if answer is None else answer
    spread = float(
        unit_variance(plan.design, plan.first, v) + unit_variance(plan.design, plan.second, v)
    )
    gap = abs(float(plan.first[v] - plan.second[v])) / (spread / n) ** 0.5
    law = NormalDist()
    return law.cdf(gap - law.inv_cdf(1 - plan.significance / 2))


def smallest_plan(
    designs: Sequence[Design],
    margin: float,
    *,
    confidence: float = 0.95,
    prevalence: Number | Sequence[Number] | None = None,
    bound: Bound | str = Bound.NORMAL,
) -> tuple[Plan, ...]:
    """Plans for several designs, the one with the fewest respondents first.

    A design that would need more than 10^12 is left out, unless all do.
    """
    plans, beyond = [], []
    for design in designs:
        try:
            plans.append(plan_margin(
                design, margin, confidence=confidence, prevalence=prevalence, bound=bound
            ))
        except TooLarge as error:
            beyond.append(error)
    if not plans:
        raise min(beyond, key=lambda error: error.found)
    return tuple(sorted(plans, key=lambda plan: plan.respondents))


def _size(factor: float, variance: Fraction, width: Number) -> int:
    """⌈factor · variance / width²⌉, exactly."""
    wanted = ceil(Fraction(factor) * variance / Fraction(width) ** 2)
    if wanted > MOST_RESPONDENTS:
        raise TooLarge("the number of respondents", wanted, MOST_RESPONDENTS,
                       "allow a wider margin or a larger level")
    return max(1, wanted)
