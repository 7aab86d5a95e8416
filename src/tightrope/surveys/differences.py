"""How far a share or a mean differs between groups, with an interval that holds.

A contrast is Σ_j c_j s_j over independent groups with shares (or means) s_j; the difference of two
is the one with c = (-1, 1). With 30 answers or more in all groups its interval is made of theirs:
Σ_j c_j s_j ± √Σ_j d_j², where d_j is how far c_j s_j is from its own end (Newcombe 1998, Zou and
Donner 2008). With fewer it is exact: each of W groups has an interval at the W-th root of the
confidence (see `means`). The prevalence of a second question may be another one in each group,
anywhere in its interval: the intervals span all its ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, product
from math import inf, isfinite, sqrt

from tightrope.choices import Interval
from tightrope.exact import tolerances
from tightrope.surveys.estimation import QuestionEstimate
from tightrope.surveys.means import (
    FEW,
    Numbers,
    can_be_exact,
    exact_ends,
    mean_among,
    quantile_of,
    response_values,
    score_of,
)
from tightrope.utility import share_ends

Ends = tuple[float, float]
Known = tuple[float, float, float]
"""An estimate with the ends of its interval."""
Groups = Sequence[QuestionEstimate]
TWO = (-1.0, 1.0)
"""The contrast of two groups: the second minus the first."""


@dataclass(frozen=True)
class Difference:
    """The difference of one answer's share, or of a mean, between groups: second minus first.

    `exact` says that the interval holds at the confidence whatever the shares are; else it is
    approximate. `p_value` is one minus the confidence at which it first reaches 0.
    """

    answer: str
    difference: float
    low: float
    high: float
    p_value: float
    exact: bool


def difference(first: QuestionEstimate, second: QuestionEstimate, answer: int) -> Difference:
    """How far the share of an answer differs between two independent groups.

    >>> from tightrope.surveys.designs import warner
    >>> from tightrope.surveys.estimation import estimate_answers
    >>> from tightrope.utility import Tally
    >>> few, many = (estimate_answers(warner("3/4"), Tally.of([2 * n, 3 * n])) for n in (1, 100))
    >>> difference(few, many, 1).exact, difference(many, many, 1).exact
    (True, False)
    """
    return share_contrast((first, second), TWO, answer)


def share_contrast(groups: Groups, weights: Sequence[float], answer: int) -> Difference:
    """A contrast of the shares of an answer in independent groups."""
    rows = [group.shares.rows[answer] for group in groups]
    exact = min(group.shares.n for group in groups) < FEW
    ends = _exact_share if exact else _share
    made = _contrast(
        str(rows[0].value), [row.estimate for row in rows], groups, weights, (0.0, 1.0),
        lambda group, confidence: ends(group, answer, confidence), exact=exact)
    alike = all(group.tally.effective == group.tally.n for group in groups)
    return replace(made, exact=exact and alike)  # how weights vary is only known roughly


def mean_contrast(
    name: str, groups: Groups, weights: Sequence[float], numbers: Numbers
) -> Difference:
    """A contrast of the means of the numbers of the answers in independent groups."""
    means = [mean_among(name, group, numbers) for group in groups]
    few = min(group.shares.n for group in groups) < FEW or not any(mean.error for mean in means)
    exact = few and all(map(can_be_exact, groups))  # a normal law would be certain
    present = [float(number) for number in numbers if number is not None]

    scores = {} if exact else {id(end): score_of(end, numbers)
                               for group in groups for end in group.each}

    def ends(group: QuestionEstimate, confidence: float) -> Known:
        if not exact:
            score = scores[id(group)]
            return score.estimate, *score.ends(quantile_of(group, confidence))
        asked = replace(group, shares=replace(group.shares, confidence=confidence))
        mean = mean_among(name, asked, numbers, exact=True)
        return mean.estimate, mean.low, mean.high

    return _contrast(name, [mean.estimate for mean in means], groups, weights,
                     (min(present), max(present)), ends, exact=exact)


def _contrast(
    name: str, estimates: Sequence[float], groups: Groups, weights: Sequence[float], whole: Ends,
    ends: Callable[[QuestionEstimate, float], Known], *, exact: bool,
) -> Difference:
    """The interval, and one minus the largest confidence at which it leaves 0 out."""
    combine = _corners if exact else _squares
    least, most = _corners([(0.0, *whole)] * len(weights), weights)

    def between(confidence: float) -> Ends:
        alone = confidence ** (1 / len(groups)) if exact else confidence
        known = [[ends(end, alone) for end in group.each] for group in groups]
        lows, highs = zip(*(combine(each, weights) for each in product(*known)), strict=True)
        return min(max(min(lows), least), most), max(min(max(highs), most), least)

    below, above = 0.0, 1.0
    while above - below > tolerances.CHANCE_ERROR:
        middle = (below + above) / 2
        low, high = between(middle)
        below, above = (below, middle) if low <= 0 <= high else (middle, above)
    gap = sum(c * estimate for c, estimate in zip(weights, estimates, strict=True))
    return Difference(name, gap, *between(groups[0].shares.confidence), 1 - below, exact=exact)


def _corners(groups: Sequence[Known], weights: Sequence[float]) -> Ends:
    """The least and the largest contrast if every group may be anywhere in its interval."""
    both = [sorted((c * low, c * high))
            for c, (_, low, high) in zip(weights, groups, strict=True)]
    return sum(low for low, _ in both), sum(high for _, high in both)


def _squares(groups: Sequence[Known], weights: Sequence[float]) -> Ends:
    """The interval of a contrast from those of its groups, whose distances add up in squares."""
    parts = [(c * estimate, *sorted((c * low, c * high)))
             for c, (estimate, low, high) in zip(weights, groups, strict=True) if c]
    if not all(map(isfinite, chain.from_iterable(parts))):  # nothing is known of one
        return -inf, inf
    middle = sum(part for part, _, _ in parts)
    return (middle - sqrt(sum((part - low)**2 for part, low, _ in parts)),
            middle + sqrt(sum((high - part)**2 for part, _, high in parts)))


def _share(group: QuestionEstimate, answer: int, confidence: float) -> Known:
    """A share with its interval, of the kind that is stated for it, not cut to [0, 1]."""
    design = group.design
    low, high = share_ends(group.shares, design.mechanism, confidence, prior=design.prior)
    return group.shares.rows[answer].estimate, float(low[answer]), float(high[answer])


def _exact_share(group: QuestionEstimate, answer: int, confidence: float) -> Known:
    """A share with an interval that holds at this confidence, cut to [0, 1]."""
    tally, estimate = group.tally, group.shares.rows[answer].estimate
    if tally.effective != tally.n:  # weights: no binomial law, but variances are known
        shares = replace(group.shares, interval=Interval.CHEBYSHEV)
        return _share(replace(group, shares=shares), answer, confidence)
    own = [Fraction(i == answer) for i in range(len(group.design.answers))]
    low, high = exact_ends(response_values(group.design, own), tally, confidence)
    return estimate, min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)
