"""How many respondents: for a margin of error, for a difference between groups.

A margin m at confidence c asks P(|estimate - truth| <= m) >= c. The normal size z² Var/m² is an
approximation. Where shares are known and responses count for two values only, the size is exact
instead: the least from which on every larger one reaches c, by the binomial law itself.
Chebyshev's size, Var/((1 - c) m²), needs no normality. Without shares the worst ones count.

With several answers the size is for every answer, each by itself: the largest of their sizes.
A second size is for all margins at once. For it the chances that the margins fail add up to at
most 1 - c, by the normal approximation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import zip_longest
from math import ceil, inf, sqrt
from operator import index
from statistics import NormalDist

from tightrope.choices import member_of
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Number
from tightrope.surveys.designs import Design
from tightrope.surveys.quantities import Quantity, quantities
from tightrope.surveys.sizes import Margin
from tightrope.surveys.variance import Shares, shares_of

MOST_RESPONDENTS = 10**12


class Bound(StrEnum):
    """The evidence for the size of a survey."""

    NORMAL = "normal"
    CHEBYSHEV = "chebyshev"


@dataclass(frozen=True)
class Plan:
    """A design with the number of respondents it needs.

    Where the binomial law decides for every planned quantity, `reached` is the least probability
    of staying within the margin, and `least` says that the size is the least from which on every
    larger one reaches the confidence.

    `respondents` are enough for the margin of each of the `planned` quantities by itself,
    `together` for all of them at once.
    """

    design: Design
    respondents: int
    margin: float
    confidence: float
    prevalence: Shares | None
    bound: Bound
    reached: float | None
    least: bool
    planned: tuple[Quantity, ...]
    together: int

    @property
    def scored(self) -> Quantity | None:
        """The mean of scores, if that is planned."""
        return next((quantity for quantity in self.planned if quantity.answer is None), None)


def plan_margin(
    design: Design,
    margin: float,
    *,
    confidence: float = 0.95,
    prevalence: Number | Sequence[Number] | None = None,
    answer: str | None = None,
    scores: Sequence[Number] | None = None,
    bound: Bound | str = Bound.NORMAL,
) -> Plan:
    """The number of respondents for a margin of error: of one answer's share, or every one's.

    With scores of the answers, the margin of their mean. Where shares are known and responses
    count for two values: the least number from which on every larger one reaches the confidence.
    Some smaller ones may reach it too, by the accident of rounding.

    >>> from tightrope.surveys.designs import warner
    >>> plan_margin(warner("3/4"), 0.05, prevalence="0.1").respondents
    1314
    """
    bound, planned = member_of(Bound, bound), quantities(design, answer, scores)
    check_confidence(confidence)
    check_margin(margin, inf if scores is not None else 1)
    shares = None if prevalence is None else shares_of(design, prevalence)
    variances = [quantity.variance(design, shares) for quantity in planned]
    asked = [count_margin(design, shares, quantity, margin, confidence)
             for quantity in (planned if bound is Bound.NORMAL else ())]
    exact = [part for part in asked if part is not None]
    least = {part: part.least() for part in set(exact)}
    n = max([size for size, _ in least.values()] + [
        _size(_factor(bound, confidence), variance, margin)
        for variance, part in zip_longest(variances, asked) if part is None])
    known = 0 < len(exact) == len(planned)
    together = n  # of one answer, or of two, whose shares err alike
    if len(variances) > 2:
        together = max(n, _size_together(bound, variances, margin, confidence))
    return Plan(
        design, n, margin, confidence, shares, bound,
        min(part.coverage(n) for part in exact) if known else None,
        known and all(proved for _, proved in least.values()), planned, together,
    )


def check_respondents(respondents: int) -> int:
    """The number of respondents as an int, also from NumPy; one that no survey has is refused."""
    try:
        whole = index(respondents)
    except TypeError:
        whole = 0
    if not 2 <= whole <= MOST_RESPONDENTS:
        raise BadInput(f"expected a whole number of respondents from 2 to 10^12, found "
                       f"{respondents!r:.40}.")
    return whole


def check_groups(groups: tuple[int, int] | None, respondents: int) -> tuple[int, int]:
    """The sizes of two groups of the respondents, halves if none are given."""
    if groups is None:
        return respondents - respondents // 2, respondents // 2
    if isinstance(groups, str) or len(groups) != 2 or min(groups) < 1 or (
            sum(groups) != respondents):
        raise BadInput(f"expected two groups that add up to {respondents} respondents, as in "
                       f"(150, 150), found {groups!r:.60}.")
    return index(groups[0]), index(groups[1])


def check_margin(margin: float, most: float = inf) -> None:
    """Refuse a margin that is not between 0 and the largest one."""
    if not isinstance(margin, int | float) or not 0 < margin < most:
        room = "above 0" if most == inf else f"between 0 and {most}"
        raise BadInput(f"expected a margin {room}, such as 0.05, found {margin!r:.40}.")


def check_confidence(confidence: float) -> None:
    """Refuse a confidence that is not between 0 and 1."""
    if not isinstance(confidence, int | float) or not 0 < confidence < 1:
        raise BadInput("expected a confidence between 0 and 1, such as 0.95, found "
                       f"{confidence!r:.40}.")


def check_power(power: float) -> None:
    """Refuse a power that is not between 0 and 1."""
    if not isinstance(power, int | float) or not 0 < power < 1:
        raise BadInput(f"expected a power between 0 and 1, such as 0.8, found {power!r:.40}.")


def check_difference(difference: object) -> None:
    """Refuse what is no pair of two groups' shares."""
    if difference is not None and (
            not isinstance(difference, tuple | list) or len(difference) != 2):
        raise BadInput("expected a difference of two groups' shares, as in (0.1, 0.2), found "
                       f"{difference!r:.60}.")


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


def coverage(
    design: Design, shares: Shares, n: int, margin: float, answer: str | None = None
) -> float:
    """P(|unbiased estimate - π| <= margin) for n respondents, by the binomial law.

    Of the share of the last answer, if none is named.
    """
    (quantity,) = quantities(design, design.answers[-1] if answer is None else answer)
    known = count_margin(design, shares, quantity, margin)
    if known is None:
        raise BadInput("responses count for more than two values, so no binomial law decides.")
    return known.coverage(n)


def count_margin(
    design: Design, shares: Shares | None, quantity: Quantity, margin: Number,
    confidence: float = 0.5,
) -> Margin | None:
    """The margin of the count that is equivalent to this one, exactly, where there is one."""
    law = None if shares is None else quantity.binomial(design, shares)
    if law is None:
        return None
    chance, slope = law
    return Margin(chance, Fraction(str(margin)) * slope, Fraction(str(confidence)))


@dataclass(frozen=True)
class DifferencePlan:
    """Respondents in each of two groups to see a difference with a given power.

    Each of the `planned` quantities that differ is seen with the power, by itself.
    """

    design: Design
    per_group: int
    first: Shares
    second: Shares
    significance: float
    power: float
    planned: tuple[Quantity, ...]


def plan_difference(
    design: Design,
    first: Number | Sequence[Number],
    second: Number | Sequence[Number],
    *,
    significance: float = 0.05,
    power: float = 0.8,
    answer: str | None = None,
    scores: Sequence[Number] | None = None,
) -> DifferencePlan:
    """Respondents in each group so that a two-sided test sees the difference with this power.

    n = (z_(1-α/2) + z_power)² (Var1 + Var2)/(π1 - π2)².
    """
    check_power(power)
    if not 0 < significance < 1:
        raise BadInput(f"expected a significance between 0 and 1, found {significance}.")
    a, b = shares_of(design, first), shares_of(design, second)
    planned = quantities(design, answer, scores)
    z = NormalDist().inv_cdf(1 - significance / 2) + NormalDist().inv_cdf(power)
    sizes = [_size(z**2, sum(variances, Fraction(0)), gap)
             for gap, *variances in _gaps(design, a, b, planned)]
    return DifferencePlan(design, max(sizes), a, b, significance, power, planned)


def power_at(plan: DifferencePlan, n: int, m: int | None = None) -> float:
    """The power of the plan's test with n respondents in one group and m (or n) in the other.

    The least of the planned quantities, by the normal approximation.
    """
    return min(
        power_of(gap, one / n + other / (m or n), plan.significance)
        for gap, one, other in _gaps(plan.design, plan.first, plan.second, plan.planned)
    )


def power_of(gap: Fraction, variance: Fraction, significance: float) -> float:
    """The power of a two-sided normal test, if the estimated gap has this variance."""
    law = NormalDist()
    if not variance:
        return 1.0
    return law.cdf(abs(float(gap)) / sqrt(variance) - law.inv_cdf(1 - significance / 2))


def _gaps(
    design: Design, first: Shares, second: Shares, planned: Sequence[Quantity]
) -> list[tuple[Fraction, Fraction, Fraction]]:
    """For each quantity that differs, by how much, and its variance in both groups."""
    gaps = [
        (quantity.value(first) - quantity.value(second),
         quantity.variance(design, first), quantity.variance(design, second))
        for quantity in planned if quantity.value(first) != quantity.value(second)
    ]
    if not gaps:
        raise BadInput("the two groups have the same share, so there is no difference to see.")
    return gaps


def smallest_plan(
    designs: Sequence[Design],
    margin: float,
    *,
    confidence: float = 0.95,
    prevalence: Number | Sequence[Number] | None = None,
    answer: str | None = None,
    scores: Sequence[Number] | None = None,
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
                scores=scores, bound=bound,
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
