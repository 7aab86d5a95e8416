"""How many respondents: for a margin of error, for a difference between groups.

A margin m at confidence c asks P(|estimate - π| <= m) >= c. The normal size z² Var/m² is an
approximation; for two responses and a known prevalence the size is exact instead: the least
from which on every larger one reaches c, by the binomial law itself. Chebyshev's size,
Var/((1 - c) m²), needs no normality. Without a prevalence the worst one counts.

With several answers the size is for every answer, each by itself: the largest of their sizes.
A second size is for all margins at once. For it the chances that the margins fail add up to at
most 1 - c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import ceil, sqrt
from statistics import NormalDist

from tightrope.characters import few, shorten
from tightrope.choices import member_of
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Number
from tightrope.surveys.designs import Design
from tightrope.surveys.sizes import Margin
from tightrope.surveys.variance import Shares, shares_of, unit_variance, worst_variance

MOST_RESPONDENTS = 10**12


class Bound(StrEnum):
    """The evidence for the size of a survey."""

    NORMAL = "normal"
    CHEBYSHEV = "chebyshev"


@dataclass(frozen=True)
class Plan:
    """A design with the number of respondents it needs.

    For two responses and a known prevalence the binomial law decides, unless Chebyshev's bound
    was asked for: `reached` is then the probability of staying within the margin, and `least`
    says that the size is the least from which on every larger one reaches the confidence.

    `answer` is the one whose share is planned, None for every one: `respondents` are then enough
    for each margin by itself. `together` are enough for all planned margins at once.
    """

    design: Design
    respondents: int
    margin: float
    confidence: float
    prevalence: Shares | None
    bound: Bound
    reached: float | None
    least: bool
    answer: str | None
    together: int


def plan_margin(
    design: Design,
    margin: float,
    *,
    confidence: float = 0.95,
    prevalence: Number | Sequence[Number] | None = None,
    answer: str | None = None,
    bound: Bound | str = Bound.NORMAL,
) -> Plan:
    """The number of respondents for a margin of error of the share of an answer, or of every one.

    With two responses and a prevalence: the least number from which on every larger one
    reaches the confidence. Some smaller ones may reach it too, by the accident of rounding.

    >>> from tightrope.surveys.designs import warner
    >>> plan_margin(warner("3/4"), 0.05, prevalence="0.1").respondents
    1314
    """
    bound = member_of(Bound, bound)
    if not 0 < margin < 1 or not 0 < confidence < 1:
        raise BadInput(
            f"expected a margin and a confidence between 0 and 1, found {margin} and {confidence}."
        )
    shares = None if prevalence is None else shares_of(design, prevalence)
    variances = [
        worst_variance(design, v) if shares is None else unit_variance(design, shares, v)
        for v in planned_answers(design, answer)
    ]
    reached, least = None, False
    if bound is Bound.NORMAL and shares is not None and len(design.responses) == 2:
        asked = _margin(design, shares, margin, confidence)
        n, least = asked.least()
        reached = asked.coverage(n)
    else:
        n = _size(_factor(bound, confidence), max(variances), margin)
    together = n  # of one answer, or of two, whose shares err alike
    if len(variances) > 2:
        together = _size_together(bound, variances, margin, confidence)
    return Plan(design, n, margin, confidence, shares, bound, reached, least, answer, together)


def planned_answers(design: Design, answer: str | None) -> tuple[int, ...]:
    """The positions of the answers whose shares are planned: the named one, or all."""
    if answer is None:
        return tuple(range(len(design.answers)))
    if answer not in design.answers:
        raise BadInput(
            f"expected one of the answers {few(design.answers)}, found {shorten(answer)!r}."
        )
    return (design.answers.index(answer),)


def _factor(bound: Bound, confidence: float) -> float:
    """The factor of variance/margin² in the sample size."""
    if bound is Bound.CHEBYSHEV:
        return 1 / (1 - confidence)
    return NormalDist().inv_cdf((1 - confidence) / 2) ** 2


def _size_together(
    bound: Bound, variances: Sequence[Fraction], margin: float, confidence: float
) -> int:
    """Respondents for all margins at once: the chances that they fail add up to 1 - c at most."""
    if bound is Bound.CHEBYSHEV:
        return _size(_factor(bound, confidence), sum(variances, Fraction(0)), margin)
    law, spreads = NormalDist(), [sqrt(v) for v in variances if v]

    def fails(n: int) -> float:
        return sum(2 * law.cdf(-margin * sqrt(n) / spread) for spread in spreads)

    low = _size(_factor(bound, confidence), max(variances), margin)  # enough for each
    shared = 1 - (1 - confidence) / max(1, len(spreads))
    high = _size(_factor(bound, shared), max(variances), margin)  # enough for all, if all are so
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fails(middle) <= 1 - confidence else (middle + 1, high)
    return high


def coverage(design: Design, shares: Shares, n: int, margin: float) -> float:
    """P(|unbiased estimate - π| <= margin) for n respondents, by the binomial law."""
    return _margin(design, shares, margin).coverage(n)


def _margin(
    design: Design, shares: Shares, margin: float, confidence: float = 0.5
) -> Margin:
    """The margin of the share of the second response that is equivalent to this one, exactly."""
    slope = abs(design.rows[1][1] - design.rows[0][1])
    half = Fraction(str(margin)) * slope
    chance = shares[0] * design.rows[0][1] + shares[1] * design.rows[1][1]
    return Margin(chance, half, Fraction(str(confidence)))


@dataclass(frozen=True)
class DifferencePlan:
    """Respondents in each of two groups to see a difference with a given power.

    `answer` is the one whose shares are compared, None for every one whose shares differ: each
    is then seen with the power, by itself.
    """

    design: Design
    per_group: int
    first: Shares
    second: Shares
    significance: float
    power: float
    answer: str | None


def plan_difference(
    design: Design,
    first: Number | Sequence[Number],
    second: Number | Sequence[Number],
    *,
    significance: float = 0.05,
    power: float = 0.8,
    answer: str | None = None,
) -> DifferencePlan:
    """Respondents in each group so that a two-sided test sees the difference with this power.

    n = (z_(1-α/2) + z_power)² (Var1 + Var2)/(π1 - π2)².
    """
    if not 0 < significance < 1 or not 0 < power < 1:
        raise BadInput("expected a significance and a power between 0 and 1.")
    a, b = shares_of(design, first), shares_of(design, second)
    z = NormalDist().inv_cdf(1 - significance / 2) + NormalDist().inv_cdf(power)
    sizes = [_size(z**2, spread, gap) for gap, spread in _gaps(design, a, b, answer)]
    if not sizes:
        raise BadInput("the two groups have the same share, so there is no difference to see.")
    return DifferencePlan(design, max(sizes), a, b, significance, power, answer)


def power_at(plan: DifferencePlan, n: int) -> float:
    """The power of the plan's test with n respondents in each group, the least of its answers."""
    law = NormalDist()
    quantile = law.inv_cdf(1 - plan.significance / 2)
    return min(
        law.cdf(abs(float(gap)) / sqrt(spread / n) - quantile)
        for gap, spread in _gaps(plan.design, plan.first, plan.second, plan.answer)
    )


def _gaps(
    design: Design, first: Shares, second: Shares, answer: str | None
) -> list[tuple[Fraction, Fraction]]:
    """For each planned answer whose shares differ, by how much, and the sum of the variances."""
    return [
        (first[v] - second[v],
         unit_variance(design, first, v) + unit_variance(design, second, v))
        for v in planned_answers(design, answer)
        if first[v] != second[v]
    ]


def smallest_plan(
    designs: Sequence[Design],
    margin: float,
    *,
    confidence: float = 0.95,
    prevalence: Number | Sequence[Number] | None = None,
    answer: str | None = None,
    bound: Bound | str = Bound.NORMAL,
) -> tuple[Plan, ...]:
    """Plans for several designs, the one with the fewest respondents first.

    A design that would need more than 10^12 is left out, unless all do.
    """
    plans, beyond = [], []
    for design in designs:
        try:
            plans.append(plan_margin(
                design, margin, confidence=confidence, prevalence=prevalence, answer=answer,
                bound=bound,
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
