"""Reports of sets: a value is answered with a set that is likelier to hold it.

A report holds the true value with probability p and any other one with probability q < p. Between
two inputs only reports that hold one of them and not the other differ, all by the same factor. So
the level is a formula and no set is ever listed. The packed form of a report has one bit for each
value, bit v mod 8 of byte v // 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import ClassVar

from tightrope.errors import BadMatrix, BadSpace, TooLarge
from tightrope.exact import Weights, check_entries, own_numbers
from tightrope.mechanisms.answers import Answers, Single
from tightrope.mechanisms.cards import array_of_matrix, to_csv, to_latex, to_numpy
from tightrope.mechanisms.matrix import MatrixMechanism
from tightrope.spaces import Family, Label, Space, family_of

MOST_REPORTS = 200_000
"""Sets of a mechanism that is written out."""


@dataclass(frozen=True, repr=False)
class SubsetMechanism(Single):
    """Sets of `size` values; those with the truth are `ratio` times as likely as the others.

    >>> from tightrope.spaces import categories
    >>> reports = SubsetMechanism(categories(1000), 200, Fraction(4))
    >>> reports.held, reports.added, reports.factor
    (Fraction(1, 2), Fraction(133, 666), Fraction(4, 1))
    """

    space: Space
    size: int
    ratio: Fraction
    answers: ClassVar = Answers.SETS

    def __post_init__(self) -> None:
        self._own_space()
        _check_space(self.space)
        own_numbers(self, "ratio", whole=("size",))
        if not 1 <= self.size < self.space.size:
            raise BadMatrix(
                f"expected sets of 1 to {self.space.size - 1} values, found {self.size}."
            )
        if self.ratio <= 1:
            raise BadMatrix("reports of sets need a ratio above 1.")

    to_numpy = to_numpy
    __array__ = array_of_matrix
    to_csv = to_csv
    to_latex = to_latex

    @property
    def held(self) -> Fraction:
        """The probability that a report holds the truth: w r / (w r + k - w)."""
        weight = self.size * self.ratio
        return weight / (weight + self.space.size - self.size)

    @property
    def added(self) -> Fraction:
        """The probability that a report holds a given other value."""
        return (self.size - self.held) / (self.space.size - 1)

    @property
    def factor(self) -> Fraction:
        """By what factor two inputs are told apart, exactly."""
        return self.ratio

    @property
    def apart(self) -> Fraction:
        """The probability that a report holds the truth and not a given other value."""
        return self.held * Fraction(self.space.size - self.size, self.space.size - 1)

    def row(self, x: Label) -> tuple[Fraction, ...]:
        """The exact law of the report for the input x: a probability for each set of `matrix()`."""
        return self.matrix().row(x)

    def matrix(self) -> MatrixMechanism:
        """All sets written out, for few values."""
        k, w = self.space.size, self.size
        _check_count(comb(k, w), k)
        up, down = self.ratio.numerator, self.ratio.denominator
        sets = list(combinations(range(k), w))
        rows = [[up if v in report else down for report in sets] for v in range(k)]
        names = tuple(tuple(self.space.points[v] for v in report) for report in sets)
        return MatrixMechanism(self.space, names, Weights.from_integers(rows))


@dataclass(frozen=True, repr=False)
class UnaryMechanism(Single):
    """Any set: the truth is in it with probability `held`, each other value with `added`.

    >>> from tightrope.spaces import categories
    >>> UnaryMechanism(categories(1000), Fraction(1, 2), Fraction(1, 5)).factor
    Fraction(4, 1)
    """

    space: Space
    held: Fraction
    added: Fraction
    answers: ClassVar = Answers.SETS

    def __post_init__(self) -> None:
        self._own_space()
        _check_space(self.space)
        own_numbers(self, "held", "added")
        if not 0 < self.added < self.held < 1:
            raise BadMatrix(
                f"expected probabilities 0 < added < held < 1, found {self.added} and {self.held}."
            )

    to_numpy = to_numpy
    __array__ = array_of_matrix
    to_csv = to_csv
    to_latex = to_latex

    @property
    def factor(self) -> Fraction:
        """By what factor two inputs are told apart: p(1 - q)/(q(1 - p)), exactly."""
        return self.held * (1 - self.added) / (self.added * (1 - self.held))

    @property
    def apart(self) -> Fraction:
        """The probability that a report holds the truth and not a given other value."""
        return self.held * (1 - self.added)

    def row(self, x: Label) -> tuple[Fraction, ...]:
        """The exact law of the report for the input x: a probability for each set of `matrix()`."""
        return self.matrix().row(x)

    def matrix(self) -> MatrixMechanism:
        """All sets written out, for few values."""
        everyone = range(self.space.size)
        _check_count(1 << min(self.space.size, 64), self.space.size)
        sets = [tuple(v for v in everyone if bits >> v & 1) for bits in range(1 << len(everyone))]
        rows = []
        for truth in everyone:
            line = []
            for report in sets:
                weight = self.held if truth in report else 1 - self.held
                others = len(report) - (truth in report)
                weight *= self.added**others
                line.append(weight * (1 - self.added) ** (self.space.size - 1 - others))
            rows.append(line)
        names = tuple(tuple(self.space.points[v] for v in report) for report in sets)
        return MatrixMechanism(self.space, names, Weights.from_fractions(rows))


ReportMechanism = SubsetMechanism | UnaryMechanism


def _check_space(space: Space) -> None:
    if family_of(space) not in (Family.CATEGORIES, Family.COMPLETE) or space.size < 2:
        raise BadSpace(f"reports of sets need two or more categories, found {space.text:.60}.")


def _check_count(count: int, rows: int) -> None:
    if count > MOST_REPORTS:
        raise TooLarge(
            "the number of sets", count, MOST_REPORTS, "use fewer values, or do not write it out"
        )
    check_entries(rows, count)
