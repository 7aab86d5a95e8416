"""The power of a test between two groups of respondents, and the least difference that it shows.

The test is two-sided and normal. Its power for shares a and b is Φ(|a - b|/s - z), where s² is the
sum of the variances of both estimates: power on the wrong side is not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from tightrope.exact import Number
from tightrope.facts import Fact, Shown
from tightrope.surveys.comparison import Prevalence, shares_text
from tightrope.surveys.designs import Design
from tightrope.surveys.planning import check_power, plan_difference, power_at, power_of
from tightrope.surveys.quantities import quantities
from tightrope.surveys.variance import shares_of

SIGNIFICANCE = 0.05
_HALVINGS = 40
"""Halvings of [0, 1] in the search of a share: about twelve digits."""


@dataclass(frozen=True)
class Detection:
    """Two groups with their sizes, and what a test between them sees.

    `reached` is the power for the `difference`, if one was named. From the share `start`, `below`
    and `above` are the nearest shares of the other group that are seen with the `power`; None if
    none is within [0, 1]. `gap` is the least difference of an aim that is seen with it.
    """

    groups: tuple[int, int]
    power: float
    difference: tuple[str, str] | None
    reached: float | None
    start: str | None
    below: float | None
    above: float | None
    gap: float | None = None


def detection_facts(seen: Detection | None) -> tuple[Fact, Fact]:
    """Power and least difference of two groups as facts; without values where nothing is known."""
    power = least = None
    if seen is not None:
        n, m = seen.groups
        sizes = f"groups of {n:,} and {m:,}"
        if seen.difference is not None:
            first, second = seen.difference
            power = Shown(
                {"first": first, "second": second, "groups": seen.groups, "power": seen.reached},
                f"{sizes} tell {first} from {second} with power {seen.reached:.3g}")
        if seen.start is not None:
            shares = [f"{share:.3g}" for share in (seen.below, seen.above) if share is not None]
            other = " or ".join(shares) or "no other share"
            least = Shown(
                {"start": seen.start, "below": seen.below, "above": seen.above,
                 "groups": seen.groups, "power": seen.power},
                f"{sizes} tell {seen.start} from {other} with power {seen.power:g}")
        if seen.gap is not None:
            least = Shown(
                {"gap": seen.gap, "groups": seen.groups, "power": seen.power},
                f"{sizes} show a difference of {seen.gap:.3g} with power {seen.power:g}")
    return (Fact("difference", "difference", power),
            Fact("smallest_difference", "smallest difference", least, detail=True))


def detect(
    design: Design,
    groups: tuple[int, int],
    *,
    prevalence: Prevalence | None = None,
    difference: tuple[Prevalence, Prevalence] | None = None,
    power: float = 0.8,
    answer: str | None = None,
    scores: Sequence[Number] | None = None,
) -> Detection | None:
    """Power and least difference of two groups; None if neither shares nor a difference are known.

    The least difference is for two answers, from the prevalence or the first of both shares.

    >>> from tightrope.surveys.designs import warner
    >>> seen = detect(warner("3/4"), (500, 500), prevalence="0.1", difference=("0.1", "0.3"))
    >>> round(seen.reached, 3), seen.below, round(seen.above, 3)
    (0.915, None, 0.267)
    """
    check_power(power)
    reached = None
    if difference is not None:
        plan = plan_difference(design, *difference, significance=SIGNIFICANCE, power=power,
                               answer=answer, scores=scores)
        reached = power_at(plan, *groups)
    start = prevalence if difference is None else difference[0]
    if start is None or len(design.answers) > 2 or scores is not None:
        start = None
    if difference is None and start is None:
        return None
    below, above = (None, None) if start is None else (
        _nearest(design, groups, shares_of(design, start)[1], Fraction(end), power)
        for end in (0, 1))
    return Detection(
        groups, power,
        None if difference is None else (shares_text(difference[0]), shares_text(difference[1])),
        reached, None if start is None else shares_text(start), below, above)


def detect_aim(
    design: Design,
    weights: Sequence[Number],
    variance: float,
    groups: tuple[int, int],
    *,
    difference: tuple[Prevalence, Prevalence] | None = None,
    power: float = 0.8,
) -> Detection:
    """Power and least difference for an aim with this variance of one respondent.

    The least gap is (z_(1-α/2) + z_power) √(Var/n + Var/m).

    >>> from tightrope.surveys.designs import warner
    >>> round(detect_aim(warner("3/4"), (0, 1), 1.0, (50, 50)).gap, 3)
    0.56
    """
    seen = None if difference is None else detect(
        design, groups, difference=difference, power=power, scores=weights)
    law, (n, m) = NormalDist(), groups
    gap = (law.inv_cdf(1 - SIGNIFICANCE / 2) + law.inv_cdf(power)) * sqrt(
        variance / n + variance / m)
    made = Detection(groups, power, None, None, None, None, None) if seen is None else seen
    return replace(made, gap=max(gap, 0.0))


def _nearest(
    design: Design, groups: tuple[int, int], start: Fraction, end: Fraction, power: float
) -> float | None:
    """The share nearest to `start` on the way to `end` that is seen with the power, if any is.

    The variance s² is a concave parabola in the distance d, so d/s rises with d: its slope has the
    sign of s² - d (s²)'/2, the mean of s² at d = 0 and of the tangent there, which is above s².
    """
    quantity = quantities(design)[1]
    n, m = groups
    own = quantity.variance(design, (1 - start, start)) / n

    def seen(share: Fraction) -> bool:
        other = quantity.variance(design, (1 - share, share)) / m
        return power_of(share - start, own + other, SIGNIFICANCE) >= power

    if start == end or not seen(end):
        return None
    near, far = start, end
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        near, far = (near, middle) if seen(middle) else (middle, far)
    return float(far)
