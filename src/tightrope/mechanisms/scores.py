"""One of many values chosen by its score: quantiles, extremes and the most frequent of a table.

Every value r has a score s(r), the less the better. Each tosses a coin that shows heads with
probability q^-(s(r) - least score), and one of those with heads is the answer, all alike: this
is permute-and-flip (McKenna and Sheldon, 2020), the law of the largest of -s(r) plus exponential
noise of rate ln q, and never errs more than weights q^-s(r) do. If the scores of neighbors differ
by between u and v, whatever the value, answers are told apart by at most q^(v - u). All is
worked out from how often each value occurs, never from rows. Values without rows that lie
between the same two with rows have one score, so that no value is merged with another, however
many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import expm1, log1p
from typing import ClassVar

import numpy as np

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import IntArray, own, own_numbers
from tightrope.mechanisms.answers import Answers, Single
from tightrope.spaces import Occupied, ValueCounts

MOST_SPREAD = 10_000
"""Scores that neighbors may be apart: q to that power is compared with e^ε exactly."""

MOST_WEIGHT, MOST_SHIFT = 10**6, 2**59
"""Weights of rows below and above, and what is added: scores stay 64-bit integers."""


@dataclass(frozen=True, eq=False)
class ScoreLaw:
    """The law of one chosen value for each group, or of several, one after the other.

    Values that follow each other and have one score are a run: each begins at a cell of `starts`,
    cells being numbered group by group, value by value. The least score of a group is the best.

    >>> ScoreLaw.listed(Fraction(2), [[0, 1]]).probability([0])   # 1/2 + 1/2 · 1/2
    Fraction(3, 4)
    """

    ratio: Fraction
    values: int
    starts: IntArray
    scores: IntArray
    picks: int = 1

    def __post_init__(self) -> None:
        own(self, "starts", "scores")

    @classmethod
    def listed(cls, ratio: Fraction, table: Sequence[Sequence[int]], picks: int = 1) -> ScoreLaw:
        """The law for the score of every value, a row for each group."""
        scores = np.array(table, dtype=np.int64)
        return cls(ratio, scores.shape[1], np.arange(scores.size), scores.ravel(), picks)

    @property
    def firsts(self) -> IntArray:
        """The first run of each group."""
        return np.flatnonzero(self.starts % self.values == 0)

    @property
    def lengths(self) -> IntArray:
        """How many values each run has."""
        return np.diff(self.starts, append=len(self.firsts) * self.values)

    @property
    def table(self) -> IntArray:
        """The score of every value, a row for each group; for few values."""
        return np.asarray(np.repeat(self.scores, self.lengths).reshape(-1, self.values))

    def probability(self, answer: Sequence[int]) -> Fraction:
        """The probability of an answer; for few values, as it adds up all tosses."""
        total, left = Fraction(1), list(answer)
        for row in self.table.tolist():
            gone: list[int] = []
            for _ in range(self.picks):
                chosen = left.pop(0)
                if chosen in gone:
                    return Fraction(0)
                total *= self._first(row, chosen, gone)
                gone.append(chosen)
        return total

    def _first(self, row: list[int], chosen: int, gone: list[int]) -> Fraction:
        """q^-s(r) E[1/(1 + other heads)], the mean being the integral of Π (1 - p + p x)."""
        scores = {r: s for r, s in enumerate(row) if r not in gone}
        best = min(scores.values())
        heads = [Fraction(1)]  # coefficients of the product
        for r, s in scores.items():
            if r != chosen:
                p = self.ratio ** (best - s)
                grown = [c * (1 - p) for c in heads] + [Fraction(0)]
                for k, c in enumerate(heads):
                    grown[k + 1] += c * p
                heads = grown
        mean = sum((c / (k + 1) for k, c in enumerate(heads)), Fraction(0))
        return self.ratio ** (best - scores[chosen]) * mean


class ByScore:
    """Properties that follow from the number of values and the ratio alone."""

    space: ValueCounts
    ratio: Fraction
    width: int

    def shortfall(self, confidence: Fraction) -> int:
        """A score that a chosen value is beyond the best with no more than 1 - confidence.

        It happens most where one value is best and all N - 1 others have the next score, t:
        with p = q^-t the probability is then 1 - (1 - (1 - p)^N)/(N p).
        """
        from flint import arb, fmpq

        above = self.ratio - 1  # a difference of logarithms would lose its digits
        values = self.space.values
        fall = float(arb(fmpq(above.numerator, above.denominator)).log1p())
        bound = float(1 - confidence) * (1 - 2.0**-30)  # rounded the safe way

        def beyond(t: int) -> float:
            p = np.exp(-t * fall)
            if values * p < 2.0**-20:
                return float(values * p / 2)  # an upper bound, by the first two terms
            if p >= 1:
                return (values - 1) / values
            return 1 + float(expm1(values * log1p(-p))) / float(values * p)

        low, high = 0, 1
        while beyond(high) > bound:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if beyond(middle) <= bound else (middle, high)
        return high * self.width - 1


@dataclass(frozen=True, repr=False)
class RankMechanism(ByScore, Single):
    """In each group a value with about so many rows below it, against so many above.

    With L rows below r, G above and n in all, r is right if below·L - above·(n - L) + shift <= 0
    and above·G - below·(n - G) - shift <= 0; the score is the larger of the two, in steps of
    `width`: above 0 where r is not right, below 0 where rows elsewhere would have to be added to
    change that. Weights (1 - p, p) make it the p-quantile; (1, 0) with a shift of -k a value with
    at most k rows below it and at least k up to it.

    >>> middle = RankMechanism(ValueCounts(1, 5, 1, 0), 1, 1, 0, Fraction(2))
    >>> middle.law([1, 0, 1, 1, 2]).table.tolist(), middle.spread
    ([[3, 3, 1, -1, 1]], 2)
    """

    space: ValueCounts
    below: int
    above: int
    shift: int
    ratio: Fraction
    width: int = 1
    answers: ClassVar = Answers.VECTORS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", whole=("below", "above", "shift", "width"))
        if not min(self.below, self.above) >= 0 or not (
            1 <= max(self.below, self.above) <= MOST_WEIGHT
        ) or abs(self.shift) > MOST_SHIFT:
            raise BadInput("expected weights from 0 to 10^6, not both 0, and a shift below 2^59.")
        _check(self)

    @property
    def spread(self) -> int:
        """How far apart changes of scores can be, in steps and all groups together.

        A row put in moves one of the two by `below` up or by `above` down, and the other one by
        as much the other way; a row taken out does the reverse.
        """
        added, removed, a, b = self.space.added, self.space.removed, self.above, self.below
        if self.space.groups == 1:
            change = max(added * a + removed * b, added * b + removed * a)
            return 2 * -(-change // self.width)
        return 2 * _steps(added + removed, self.space.groups, max(a, b), self.width)

    def law(self, data: object) -> ScoreLaw:
        """The law of the answer for these counts; a curator's figure, not private."""
        runs = _Runs(self.space, self.space.accept(data))
        low, high, size = runs.below, runs.above, runs.size
        if int(runs.counts.sum()) * max(self.below, self.above) >= 2**61:
            low, high, size = (part.astype(object) for part in (low, high, size))
        first = self.below * low - self.above * (size - low) + self.shift
        second = self.above * high - self.below * (size - high) - self.shift
        scores = np.maximum(first, second) // self.width
        return ScoreLaw(self.ratio, self.space.values, runs.starts, scores.astype(np.int64))


@dataclass(frozen=True, repr=False)
class FrequentMechanism(ByScore, Single):
    """In each group one of the most frequent values, or several, one after the other.

    The score of a value is how often it occurs, in steps of `width`, below 0: whoever adds rows
    changes all counts upward, so that one is told apart by as many steps as rows, once.

    >>> FrequentMechanism(ValueCounts(1, 3, 1, 0), 1, Fraction(2)).law([5, 0, 4]).table.tolist()
    [[-5, 0, -4]]
    """

    space: ValueCounts
    picks: int
    ratio: Fraction
    width: int = 1
    answers: ClassVar = Answers.VECTORS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", whole=("picks", "width"))
        _check(self)
        if not 1 <= self.picks <= self.space.values:
            raise BadInput(f"expected from 1 to {self.space.values:,} values to pick, found "
                           f"{self.picks}.")

    @property
    def spread(self) -> int:
        """How far apart changes of scores can be, in steps and all picks together."""
        space = self.space
        return self.picks * sum(_steps(rows, space.groups, 1, self.width)
                                for rows in (space.added, space.removed))

    def law(self, data: object) -> ScoreLaw:
        """The law of the answer for these counts; a curator's figure, not private."""
        runs = _Runs(self.space, self.space.accept(data))
        return ScoreLaw(self.ratio, self.space.values, runs.starts, -(runs.counts // self.width),
                        self.picks)


@dataclass(frozen=True, eq=False)
class _Runs:
    """Values with rows, each by itself, and the values between them: at most one run more."""

    space: ValueCounts
    occupied: Occupied

    @cached_property
    def starts(self) -> IntArray:
        """Where runs begin."""
        groups = np.arange(self.space.groups) * self.space.values
        edges = np.unique(np.concatenate([groups, self.occupied.cells, self.occupied.cells + 1]))
        return edges[edges < self.space.groups * self.space.values]

    @cached_property
    def counts(self) -> IntArray:
        """Rows in each run."""
        counts = np.zeros(len(self.starts), dtype=np.int64)
        counts[np.searchsorted(self.starts, self.occupied.cells)] = self.occupied.counts
        return counts

    @cached_property
    def _firsts(self) -> IntArray:
        return np.flatnonzero(self.starts % self.space.values == 0)

    def _repeat(self, numbers: IntArray) -> IntArray:
        """A number of each group, for all of its runs."""
        return np.repeat(numbers, np.diff(self._firsts, append=len(self.starts)))

    @cached_property
    def size(self) -> IntArray:
        """Rows in the group of each run."""
        return self._repeat(np.add.reduceat(self.counts, self._firsts))

    @cached_property
    def below(self) -> IntArray:
        """Rows of the group below each run."""
        before = np.cumsum(self.counts) - self.counts
        return np.asarray(before - self._repeat(before[self._firsts]))

    @property
    def above(self) -> IntArray:
        """Rows of the group above each run."""
        return np.asarray(self.size - self.below - self.counts)


def _steps(rows: int, groups: int, weight: int, width: int) -> int:
    """Steps that so many rows cross at most in all groups: c rows of one ceil(c weight/width)."""
    return (rows * weight + min(groups, rows) * (width - 1)) // width


def _check(mechanism: RankMechanism | FrequentMechanism) -> None:
    if type(mechanism.space) is not ValueCounts:
        raise BadInput(f"expected ValueCounts, found {type(mechanism.space).__name__}.")
    if mechanism.ratio <= 1 or not 1 <= mechanism.width <= MOST_SHIFT:
        raise BadInput("expected a ratio above 1, and steps of at least 1.")
    if mechanism.spread > MOST_SPREAD:
        raise TooLarge("the number of steps that neighbors are apart", mechanism.spread,
                       MOST_SPREAD, "use wider steps")
