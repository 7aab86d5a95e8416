"""Errors of a plan, from declarations alone, and in words: the same on every surface.

Answers err in one of four ways. A number with noise, or the optimum in its place, has a mean
error. The error of a ratio of noisy sums depends on the data. All points of a distribution
function lie in one band. The error of a chosen value is known in ranks, or in rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any, assert_never

from tightrope.spaces import Tallies, Totals

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan

BIASED = "biased toward the middle of the range"

_HUGE = 1e12
"""Errors from here on are shown as a power of ten."""


@dataclass(frozen=True)
class Noise:
    """Numbers with noise of their own, or the optimum of one number."""

    def error(self, plan: QuestionPlan) -> Fraction | None:
        """The expected absolute error of an answer, None where only the data could tell."""
        return plan.subqueries[0].mean_error() / (plan.size or 1)

    def width(self, plan: QuestionPlan) -> Fraction | None:
        """How far an answer is off at most, with the confidence of the plan."""
        return plan.subqueries[0].width(plan.confidence) / (plan.size or 1)

    def loss(self, plan: QuestionPlan) -> Fraction:
        """The error by which strategies are compared."""
        return plan.subqueries[0].mean_error()


@dataclass(frozen=True)
class Ratio:
    """A ratio of so many noisy sums, to which a row adds `row` together."""

    terms: int
    row: int = 1

    def error(self, plan: QuestionPlan) -> Fraction | None:
        """None: only the data could tell."""
        return None

    def width(self, plan: QuestionPlan) -> Fraction | None:
        """None: only the data could tell."""
        return None

    def loss(self, plan: QuestionPlan) -> Fraction:
        """How far the sum of all sums is off."""
        return plan.widths_of_ratio[1]


@dataclass(frozen=True)
class Band:
    """Points of a distribution function, all within one band, from counts of blocks of values."""

    def error(self, plan: QuestionPlan) -> Fraction | None:
        """The expected absolute error of a point, where shares are of a public number."""
        tree = plan.strategy.tree
        assert tree is not None
        return None if plan.size is None else plan.subqueries[0].mean_error(tree.terms) / plan.size

    def width(self, plan: QuestionPlan) -> Fraction | None:
        """Half the height of the band in shares, where these are of a public number."""
        return None if plan.size is None else plan.band / plan.size

    def loss(self, plan: QuestionPlan) -> Fraction:
        """Half the height of the band, in rows."""
        return plan.band


@dataclass(frozen=True)
class Ranks:
    """Values at probabilities, or so many choices of one group: their errors are in rows.

    Of a bound it is known how many are `beyond` it.
    """

    probabilities: tuple[Fraction, ...] = ()
    picks: int = 1
    by_rank: bool = True
    beyond: bool = False

    def error(self, plan: QuestionPlan) -> Fraction | None:
        """None: only the data could tell."""
        return None

    def width(self, plan: QuestionPlan) -> Fraction | None:
        """The most that ranks are off, or counts of a most frequent value, of one group."""
        return self.loss(plan)

    def loss(self, plan: QuestionPlan) -> Fraction:
        """The same."""
        if plan.strategy.tree is not None:
            return plan.band * (1 + max(self.probabilities))
        sure = 1 - (1 - plan.confidence) / len(plan.subqueries)
        return max(chosen.ranks(1 - (1 - sure) / self.picks) for chosen in plan.subqueries)

    def least_size(self, plan: QuestionPlan) -> int:
        """Rows from which on the width excludes some answer.

        Ranks from 0 to n are all within w of rank p n if n is at most w/max(p, 1 - p).
        """
        sides = [max(p, 1 - p) for p in self.probabilities] or [Fraction(1)]
        return ceil(self.loss(plan) / min(sides))


@dataclass(frozen=True)
class Keyed:
    """Counts of keys that appear by chance; their errors are those of keys that always do."""

    def error(self, plan: QuestionPlan) -> Fraction | None:
        """The expected absolute error of a count; None where keys have none."""
        return plan.subqueries[0].key_errors(plan.confidence)[0]

    def width(self, plan: QuestionPlan) -> Fraction | None:
        """How far a count is off at most, with the confidence of the plan."""
        return plan.subqueries[0].key_errors(plan.confidence)[1]

    def loss(self, plan: QuestionPlan) -> Fraction:
        """The same for all: there is one strategy."""
        return Fraction(0)


Accuracy = Noise | Ratio | Band | Ranks | Keyed
NOISE, RATIO, KEYED = Noise(), Ratio(2), Keyed()


def error_facts(plan: QuestionPlan) -> list[tuple[str, str]]:
    """The errors by name: of cells, sums and all cells together; of rounding; of which rows."""
    unit, sure = plan.unit_of_error, _confidence(plan)
    facts = [("error", plan.accuracy), *(
        (spread.of, f"{_shown(spread.error)} {unit} on average; {sure} within "
         f"{_shown(spread.width)}") for spread in plan.sums)]
    if plan.together is not None:
        facts.append(("all cells", f"{sure} within {_shown(plan.together)} {unit} at once"))
    rest = (("rounding", plan.rounding), ("of", plan.base))
    return facts + [(name, words) for name, words in rest if words is not None]


def accuracy_text(plan: QuestionPlan) -> str:
    """The error of one answer; of one cell, where there are several.

    In ranks, with the sizes of groups for which it holds whatever is answered.
    """
    unit, accuracy = plan.unit_of_error, plan.strategy.accuracy
    if isinstance(accuracy, Ranks) and accuracy.beyond:
        return f"{_confidence(plan)} with at most {_shown(plan.width)} {unit}"
    if isinstance(accuracy, Ranks):
        groups = "groups" if plan.question.by else "tables"
        return (f"{_confidence(plan)} within {_shown(plan.width)} {unit}; noise in {groups} below "
                f"{accuracy.least_size(plan):,} rows")
    if isinstance(accuracy, Keyed):
        return _keyed_text(plan)
    error = "depends on the data" if plan.error is None else (
        f"{_shown(plan.error)} {unit} on average")
    if plan.target is not None:
        over = "over the stated weights" if plan.question.weights else "over the range"
        error += f" {over}, {_shown(plan.worst_error)} for the worst input; {BIASED}"
    if plan.width is None:
        return error
    return f"{error}; {_confidence(plan)} within {_shown(plan.width)}"


def _keyed_text(plan: QuestionPlan) -> str:
    """From how many units on a key always appears, and the error of its count."""
    unit, always = plan.unit_of_error, f"{plan.chances[-1].units:,}"
    if plan.error is None:
        return f"keys of {always} {unit} or more always appear; they have no counts"
    return (f"{_shown(plan.error)} {unit} on average; {_confidence(plan)} within "
            f"{_shown(plan.width)}, for keys of {always} {unit} or more, which always appear")


def interval_text(plan: QuestionPlan) -> str:
    """The meaning of the intervals beside answers, or why there are none."""
    accuracy = plan.strategy.accuracy
    match accuracy:
        case Noise() | Ratio():
            kind = "unbiased" if plan.target is None else "biased"
            sums = f"; counts and sums are {kind}" if plan.error is not None else ""
            return (f"Each {_confidence(plan)} interval holds by itself, for the numbers as they "
                    f"were clamped and cut{sums}.")
        case Band():
            alone = ", in each cell by itself" if plan.question.by else ""
            return (f"The {_confidence(plan)} intervals hold together{alone}; between two points "
                    "the function is between the lower end of one and the upper of the next.")
        case Keyed():
            if plan.error is None:
                return "Keys that do not appear may be there: rare ones seldom appear."
            cut = " as they are cut" if plan.declaration.unit.person is not None else ""
            return (f"Of all releases in which a key appears, {_confidence(plan)} have an interval "
                    f"that holds its {plan.unit_of_error}{cut}. A rare key seldom appears, and "
                    "then with a count that is too high: its interval reaches down.")
        case Ranks(beyond=True):
            return ("To use the bound, write it into the declaration. Answers are then about "
                    "clamped values, and their intervals cover the clamped statistic only.")
        case Ranks():
            if not accuracy.by_rank:
                return "Nothing more is known of the counts behind these cells."
            return ("How far off these values are is known in ranks: in rows between them and "
                    "what was asked for. An interval in values would have to be paid for.")
        case _:
            assert_never(accuracy)


def _confidence(plan: QuestionPlan) -> str:
    return f"{100 * float(plan.confidence):g} %"


def _shown(number: Fraction | None) -> str:
    """An error in four digits, its thousands set apart; a power where it is huge."""
    if number is None:
        return "unknown"
    short = f"{float(number):.4g}"
    return f"{float(short):,.0f}" if 1000 <= float(short) < _HUGE else short


@dataclass(frozen=True)
class Spread:
    """Expected absolute error and half-width of a sum of so many cells, of as many noises."""

    of: str
    terms: int
    error: Fraction
    width: Fraction

    def as_json(self) -> dict[str, Any]:
        """The errors as JSON has them."""
        return {"of": self.of, "cells": self.terms, "expected_error": float(self.error),
                "within": float(self.width)}


def sums_of_cells(plan: QuestionPlan) -> tuple[Spread, ...]:
    """The errors of margins and totals; none where cells are not added up."""
    planned = plan.subqueries[0]
    if not isinstance(planned.subquery.space, Tallies):
        return ()
    return tuple(
        Spread(of, terms, planned.mean_error(terms), planned.width(plan.confidence, terms))
        for of, terms in plan.strategy.sums)


def width_of_all_cells(plan: QuestionPlan) -> Fraction | None:
    """Half the length of intervals that hold all cells at once; None for one number."""
    space = plan.subqueries[0].subquery.space
    several = isinstance(space, Totals) or (isinstance(space, Tallies) and space.cells > 1)
    if plan.width is None or plan.size is not None or not several:
        return None
    return plan.subqueries[0].width_of_all(plan.confidence)
