"""The quantities that a survey estimates: the share of an answer, and the mean of scores.

Each is Σ_v w_v π_v for weights w of the answers. With B from `exact_inverse`, a response z counts
for b_z = Σ_v B[z][v] w_v in its unbiased estimate, the mean of what all responses count for.
From one respondent the variance is Σ_x π_x Σ_z P[x][z] b_z² - (Σ_v w_v π_v)².

Where responses count for two values only, as those of Warner's and of the k-ary design do for a
share, the number that count for the larger one has a binomial law, and sizes can be exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from tightrope.characters import few, shorten
from tightrope.errors import BadInput
from tightrope.exact import Number, fraction_of
from tightrope.surveys.designs import Design
from tightrope.surveys.variance import Shares, unit_variance, worst_variance
from tightrope.utility import exact_inverse

MEAN = "mean"
LARGEST_SCORE = 10**12


@dataclass(frozen=True)
class Quantity:
    """A linear quantity of the true shares: the share of the answer at a position, or a mean."""

    name: str
    weights: tuple[Fraction, ...]
    answer: int | None

    def value(self, shares: Shares) -> Fraction:
        """Its value for these shares."""
        return sum((w * p for w, p in zip(self.weights, shares, strict=True)), Fraction(0))

    def counts(self, design: Design) -> tuple[Fraction, ...]:
        """The value that each response counts for in the unbiased estimate."""
        return tuple(self.value(row) for row in exact_inverse(design.rows, design.prior))

    def variance(self, design: Design, shares: Shares | None = None) -> Fraction:
        """The variance from one respondent at these shares, or the largest over all shares.

        >>> from tightrope.surveys.designs import k_ary
        >>> (mean,) = quantities(k_ary("abc", 4), scores=(0, 1, 2))
        >>> mean.variance(k_ary("abc", 4))
        Fraction(10, 3)
        """
        if self.answer is not None:
            return (worst_variance(design, self.answer) if shares is None
                    else unit_variance(design, shares, self.answer))
        squares = [b * b for b in self.counts(design)]
        moments = [sum((p * s for p, s in zip(row, squares, strict=True)), Fraction(0))
                   for row in design.rows]
        if shares is None:
            return max(_largest(moments[x], moments[y], self.weights[x], self.weights[y])
                       for x, y in combinations(range(len(moments)), 2))
        mean = sum((p * m for p, m in zip(shares, moments, strict=True)), Fraction(0))
        return mean - self.value(shares) ** 2

    def binomial(self, design: Design, shares: Shares) -> tuple[Fraction, Fraction] | None:
        """The chance of the larger of two counted values, and one over their distance.

        None if responses count for more values.
        """
        counts = self.counts(design)
        low, high = min(counts), max(counts)
        if low == high or not set(counts) <= {low, high}:
            return None
        chance = sum((share * sum((p for p, b in zip(row, counts, strict=True) if b == high),
                                  Fraction(0))
                      for share, row in zip(shares, design.rows, strict=True)), Fraction(0))
        return chance, 1 / (high - low)


def quantities(
    design: Design, answer: str | None = None, scores: Sequence[Number] | None = None
) -> tuple[Quantity, ...]:
    """The share of the named answer, or of every one; with scores of the answers, their mean."""
    size = len(design.answers)
    if scores is not None:
        return (_mean(scores, size, answer),)
    if answer is not None and answer not in design.answers:
        raise BadInput(
            f"expected one of the answers {few(design.answers)}, found {shorten(answer)!r}."
        )
    return tuple(
        Quantity(name, tuple(Fraction(v == place) for v in range(size)), place)
        for place, name in enumerate(design.answers) if answer in (None, name)
    )


def _mean(scores: Sequence[Number], size: int, answer: str | None) -> Quantity:
    if answer is not None:
        raise BadInput("plan for one answer or for the mean of scores, not for both.")
    if isinstance(scores, str):
        raise BadInput(f"expected scores in a list, as in [0, 1, 2], found {scores!r:.60}.")
    exact = tuple(fraction_of(score, "a score") for score in scores)
    if len(exact) != size or len(set(exact)) < 2:
        raise BadInput(f"expected a score for each of the {size} answers, not all the same, "
                       f"found {len(exact)}.")
    if max(map(abs, exact)) > LARGEST_SCORE:
        raise BadInput("expected scores from -10^12 to 10^12.")
    return Quantity(MEAN, exact, None)


def _largest(first: Fraction, second: Fraction, u: Fraction, w: Fraction) -> Fraction:
    """The largest t·first + (1-t)·second - (t u + (1-t) w)² for t from 0 to 1.

    For a given mean the second moment is linear in the shares, so that the worst shares stand on
    two answers.
    """
    gap = u - w
    if not gap:
        return max(first, second) - u * u
    t = min(max(((first - second) / (2 * gap) - w) / gap, Fraction(0)), Fraction(1))
    return t * first + (1 - t) * second - (t * u + (1 - t) * w) ** 2
