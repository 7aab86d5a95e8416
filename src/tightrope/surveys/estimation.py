"""Estimates from responses: the shares of the true answers, and whether the design was followed.

The shares are estimated as those of a randomized table are (`utility.estimate`): those that are
right on average, with their intervals, and beside them the most likely ones, which never leave
[0, 1] (H16, errata of (6.4) and (6.34)). With `sampling` the intervals are for the population
that respondents were drawn from, without for the respondents themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np

from tightrope.choices import Estimator, Interval
from tightrope.facts import Facts, card_of, data, lines_of
from tightrope.surveys.designs import Design
from tightrope.surveys.questions import Question
from tightrope.utility import Estimate, Tally, estimate

ALARM = 0.001
"""Data less likely than this under any shares are called implausible."""


@dataclass(frozen=True)
class QuestionEstimate:
    """The shares of all answers to a question; `surprise` is the probability of data as odd.

    `design` and `tally` are what they were estimated from. `ends` are the estimates at both ends
    of the prevalence of a second question, if that is an interval: the intervals of `shares` span
    theirs, and its estimates take the middle.
    """

    shares: Estimate
    surprise: float
    design: Design
    tally: Tally
    ends: tuple[QuestionEstimate, ...] = ()

    @property
    def plausible(self) -> bool:
        """False if hardly any shares explain the responses: was the design followed?"""
        return self.surprise >= ALARM

    @property
    def each(self) -> tuple[QuestionEstimate, ...]:
        """The estimates at both ends of a prevalence, else this one."""
        return self.ends or (self,)

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence if the responses hardly fit the design, else none."""
        return () if self.plausible else (
            "These responses hardly fit the design (probability at most "
            f"{self.surprise:.1g}): was it followed?",)

    def facts(self) -> Facts:
        """The shares with their intervals, and whether the responses fit the design."""
        shares = self.shares.facts()
        return replace(
            shares,
            kind="QuestionEstimate",
            items=(*shares.items, *data(surprise=self.surprise, plausible=self.plausible)),
            sentences=(*self.warnings, *shares.sentences),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def estimate_answers(
    design: Design,
    tally: Tally | Sequence[int],
    *,
    confidence: float = 0.95,
    interval: Interval | str | None = None,
    sampling: bool = True,
) -> QuestionEstimate:
    """The shares of the true answers, given how often each response was given.

    >>> from tightrope.surveys.designs import warner
    >>> found = estimate_answers(warner("3/4"), [60, 40]).shares.rows[1]
    >>> f"{found.estimate:.2f}, {found.low:.2f} to {found.high:.2f}"
    '0.30, 0.11 to 0.51'
    """
    counts = tally if isinstance(tally, Tally) else Tally.of(tally)
    shares = estimate(
        counts, design.mechanism, confidence=confidence, sampling=sampling, interval=interval,
        estimator=Estimator.LIKELIHOOD, prior=design.prior,
    )
    return QuestionEstimate(shares, _surprise(design, counts, shares), design, counts)


def estimate_question(
    question: Question,
    tally: Tally,
    *,
    confidence: float = 0.95,
    interval: Interval | str | None = None,
    sampling: bool = True,
) -> QuestionEstimate:
    """The shares of the true answers to a question, given the responses.

    If the prevalence of a second question is an interval, the intervals hold for all of it.
    """
    middle, *ends = (
        estimate_answers(design, tally, confidence=confidence, interval=interval,
                         sampling=sampling) for design in (question.middle, *question.ends))
    if len(ends) < 2:
        return middle
    rows = tuple(
        replace(row, low=min(same.low for same in beside), high=max(same.high for same in beside))
        for row, *beside in zip(middle.shares.rows, *(end.shares.rows for end in ends),
                                strict=True))
    return replace(middle, shares=replace(middle.shares, rows=rows), ends=tuple(ends),
                   surprise=max(end.surprise for end in ends))


def joint(first: Design, second: Design) -> Design:
    """Two questions as one: pairs of answers and responses, randomized independently.

    Estimates from it are the cross table of the true answers.
    """
    def pairs(a: Sequence[str], b: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{x}, {y}" for x in a for y in b)

    rows = tuple(tuple(p * q for p in a for q in b) for a in first.rows for b in second.rows)
    answers = pairs(first.answers, second.answers)
    return Design(f"{first.name} and {second.name}", answers,
                  pairs(first.responses, second.responses), rows, answers)


def _surprise(design: Design, tally: Tally, shares: Estimate) -> float:
    """An upper bound on the p-value of the fit: exact for two responses, else χ² of G²."""
    from scipy.stats import binom, chi2

    law = np.array([row.adjusted for row in shares.rows])
    seen, expected = tally.shares, (law @ design.mechanism.weights.floats).tolist()
    if len(seen) == 2 and tally.effective == tally.n:
        count, chance = round(seen[1] * tally.n), expected[1]
        if np.isclose(seen[1], chance):
            return 1.0
        tail = binom.cdf(count, tally.n, chance) if seen[1] < chance else binom.sf(
            count - 1, tally.n, chance)
        return float(tail)
    gain = sum(f * log(f / q) for f, q in zip(seen, expected, strict=True) if f > 0)
    return float(chi2.sf(2 * tally.effective * max(gain, 0.0), len(seen) - 1))
