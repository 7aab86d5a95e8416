"""A sanitized table against perturbed answers, for counts (H16, Section 3.2).

A table of n rows of m values is sanitized once, row by row, and then answers any number of
questions at its own level (Theorems 3.4 and 3.5). Or each of T answers is computed from the true
table and gets two-sided geometric noise, at (ε/T, δ/T) each, which add up to (ε, δ) if one person
may change all of them. A question counts the rows whose value is among s of the m. With p each
wrong value's probability, a = 1 - (m - s)p and b = s p are the chances that a row is counted
if it should be and if it should not. All mean squared errors are exact; they are largest where no
row or every row is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from tightrope.characters import counted
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number, Surd, stated_whole
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.privacy import private_errors

_STEP = Surd.of(1)
_SMALLEST, _LARGEST = Fraction(1, 10**6), 400
MOST_ROWS = 10**12
MOST_QUESTIONS = 10**6
"""Questions up to which the point is looked for from which on a sanitized table errs less."""


@dataclass(frozen=True)
class SanitizedOrPerturbed:
    """Mean squared errors of a count, by each way, at one level for all questions together.

    `error` is p; `straight` counts in the sanitized table as it is, `estimated` corrects for what
    randomizing adds on average, `perturbed` adds noise to each answer. `count` is the true answer,
    None for the worst one. `changed` is the mean number of rows that sanitizing changes: the error
    of the identity query. `break_even` is the least number of questions from which on `estimated`
    is no larger than `perturbed`, None if that is beyond a million.
    """

    rows: int
    values: int
    counted: int
    level: Level
    questions: int
    count: int | None
    error: Fraction
    straight: Fraction
    estimated: Fraction
    perturbed: Fraction
    changed: Fraction
    break_even: int | None

    @property
    def sanitize(self) -> bool:
        """Whether the sanitized table errs no more."""
        return min(self.straight, self.estimated) <= self.perturbed

    def facts(self) -> Facts:
        """The error of each way, from how many counts on sanitizing wins, and the table."""
        each = "" if self.questions == 1 else f"/{self.questions:,}"
        once = "ε once, any number of questions"
        ways = (("sanitized, estimated", once, sqrt(self.estimated)),
                ("sanitized, counted as it is", once, sqrt(self.straight)),
                ("perturbed", f"ε{each} for each count", sqrt(self.perturbed)))
        columns = (Column(None, "way", words=True), Column(None, "level", words=True),
                   Column(None, "error", 7))
        answer = "the worst answer" if self.count is None else f"a true answer of {self.count:,}"
        return Facts(
            "SanitizedOrPerturbed",
            f"{self.rows:,} rows of {self.values:,} values, {self.level!s} in all",
            (Fact("sanitize", "sanitizing errs no more", self.sanitize, detail=True),
             Fact("break_even", "break even", Shown(
                 self.break_even, "beyond a million counts" if self.break_even is None else
                 f"sanitizing errs no more from {self.break_even:,} counts on")),
             Fact("questions", "asked", Shown(self.questions, counted(self.questions, "count")),
                  detail=True),
             Fact("changed", "rows changed", float(self.changed),
                  meaning="on average by sanitizing (the identity query)", detail=True),
             *data(rows=self.rows, values=self.values, counted=self.counted,
                   **self.level.as_json(), count=self.count, wrong=float(self.error),
                   straight=ways[1][2], estimated=ways[0][2], perturbed=ways[2][2]),
             Table(None, "", columns, ways)),
            (f"Errors are root mean squared errors of a count, for {answer}.",
             "Sanitized: randomized response row by row (H16, Theorems 3.4, 3.5 and 4.6).",
             "Perturbed: two-sided geometric noise on each count. Levels add up, as if one person "
             "could change all of them."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def sanitized_or_perturbed(
    rows: int,
    values: int,
    level: Level | Number,
    *,
    questions: int = 1,
    counted: int = 1,
    count: int | None = None,
) -> SanitizedOrPerturbed:
    """Which errs less for T counts of a table: sanitizing it once, or perturbing each answer.

    >>> found = sanitized_or_perturbed(100, 2, Level.ratio(3), questions=20)
    >>> str(found.error), str(found.estimated), found.break_even, found.sanitize
    ('1/4', '75', 7, True)
    """
    rows = _whole(rows, "rows", 1, MOST_ROWS)
    values = _whole(values, "values", 2, MOST_ROWS)
    counted = _whole(counted, "values to count", 1, values - 1)
    questions = _whole(questions, "questions", 1, MOST_QUESTIONS)
    count = None if count is None else _whole(count, "counted rows", 0, rows)
    level = Level.positive(level)
    if not _SMALLEST <= float(level) <= _LARGEST:
        raise BadLevel(f"ε = {level.text}", f"an ε from {_SMALLEST} to {_LARGEST} here")
    p = private_errors(values, level.pure.ratio_below(_STEP), level.delta).low
    kept, taken = 1 - (values - counted) * p, counted * p
    counts = [0, rows] if count is None else [count]  # both errors are convex in the count
    spread = [k * kept * (1 - kept) + (rows - k) * taken * (1 - taken) for k in counts]
    shift = [(rows - k) * taken - k * (1 - kept) for k in counts]
    estimated = max(spread) / (kept - taken) ** 2
    return SanitizedOrPerturbed(
        rows, values, counted, level, questions, count, p,
        max(v + s**2 for v, s in zip(spread, shift, strict=True)),
        estimated,
        noise_variance(level, questions),
        rows * (values - 1) * p,
        _break_even(level, estimated),
    )


def noise_variance(level: Level, questions: int = 1) -> Fraction:
    """The variance of two-sided geometric noise for one of T counts that share a level.

    P(z) = (1 - α)/(1 + α) · α^|z|. Numbers 1 apart need δ = (1 - α e^ε)/(1 + α) or more, so
    α = (1 - δ)/(e^ε + δ), taken at (ε/T, δ/T), is the least noise; its variance is 2α/(1 - α)².

    >>> noise_variance(Level.ratio(3)), noise_variance(Level.ratio(2, "1/5"))
    (Fraction(3, 2), Fraction(88, 49))
    """
    share = level.delta / questions
    ratio = level.pure.scaled(Fraction(1, questions)).ratio_below(_STEP)
    alpha = (1 - share) / (ratio + share)
    return 2 * alpha / (1 - alpha) ** 2


def _break_even(level: Level, estimated: Fraction) -> int | None:
    """The least T with a noise variance of at least this: it grows with T."""
    low, high = 0, 1
    while noise_variance(level, high) < estimated:
        if high >= MOST_QUESTIONS:
            return None
        low, high = high, min(2 * high, MOST_QUESTIONS)
    while high - low > 1:
        middle = (low + high) // 2
        if noise_variance(level, middle) < estimated:
            low = middle
        else:
            high = middle
    return high


def _whole(value: int, name: str, least: int, most: int) -> int:
    number = stated_whole(value, f"a whole number of {name}")
    if not least <= number <= most:
        raise BadInput(f"expected from {least} to {most:,} {name}, found {number:,}.")
    return number
