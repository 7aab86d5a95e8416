"""Answers: drawn numbers in the units of the question, each with an interval.

Everything here is computed from drawn numbers and declarations, so it costs nothing. Counts and
sums are unbiased and add up: negative ones stay. Quantiles and distribution functions are put in
order. Intervals are about the clamped and cut statistic; each holds by itself, those of a
distribution function together. They are given whatever was drawn, so that none is selected.
Quantiles have none in values: how far off they are is known in ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from tightrope.declarations import Tally
from tightrope.releases.adjusting import adjusted_counts
from tightrope.releases.cuts import Interval, counts_kept, over_cuts
from tightrope.releases.marks import MARKS, WITHHELD, mark

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan

Names = tuple[tuple[str, ...], ...]


class Margin(str):
    """The words for all cells of a column, in margins: no category, whatever it is called."""

    __slots__ = ()


Drawn = Sequence[Sequence[Any]]
Ends = tuple[Fraction | None, Fraction, Fraction]


@dataclass(frozen=True)
class Answer:
    """The answer for one cell; the value is None where the cell may be empty.

    The value is a text where one of several categories or cells was asked for; ends are None
    where an interval in these units was not paid for. A `mark` is a code: why the interval
    says little.
    `over_cuts` is an interval for the mean over all cuts, where kept rows are counted.
    """

    cell: tuple[str, ...]
    value: Fraction | str | None
    low: Fraction | None
    high: Fraction | None
    mark: str | None = None
    adjusted: int | None = None
    over_cuts: Interval | None = None

    @property
    def note(self) -> str | None:
        """Why a value is withheld, or else the mark, in words."""
        return WITHHELD if self.value is None else self.mark and MARKS[self.mark]

    @property
    def text(self) -> str:
        """The value for people, with its note; in as many digits as its interval is worth."""
        if self.value is None:
            return f"withheld ({self.note})"
        note = f" ({self.note})" if self.note else ""
        return (self.value if isinstance(self.value, str) else self.number_text(self.value)) + note

    def number_text(self, number: Fraction | int) -> str:
        """A number beside the value, in as many digits as the interval is worth."""
        ends = [end for end in (self.value, self.low, self.high) if isinstance(end, Fraction)]
        if isinstance(number, int) or all(end.denominator == 1 for end in (number, *ends)):
            return f"{int(number):,}"
        if self.low is None or self.high is None or self.low == self.high:
            return f"{float(number):,.10g}"
        half = float(self.high - self.low) / 2
        return f"{float(number):z,.{min(max(1 - floor(log10(half)), 0), 15)}f}"  # z: no -0.0

    @property
    def possible(self) -> tuple[Fraction, Fraction]:
        """The interval of an adjusted count: that of the unbiased one, cut at 0."""
        assert self.low is not None
        assert self.high is not None
        return max(self.low, Fraction(0)), max(self.high, Fraction(0))

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON has it; an adjusted count, or a mean over cuts, if there is one."""
        form: dict[str, Any] = {
            "cell": list(self.cell), "value": _number(self.value), "low": _number(self.low),
            "high": _number(self.high), "mark": self.mark}
        if self.adjusted is not None:
            low, high = self.possible
            form["adjusted"] = {"value": self.adjusted, "low": _number(low), "high": _number(high)}
        if self.over_cuts is not None:
            low, high = self.over_cuts
            form["over_cuts"] = {"low": _number(low), "high": _number(high)}
        return form


def _number(value: Fraction | str | None) -> int | float | str | None:
    if value is None or isinstance(value, str):
        return value
    return int(value) if value.denominator == 1 else float(value)


def group_cells(plan: QuestionPlan) -> Names:
    """The cells of the columns by which answers are given: one answer for each."""
    return Tally(plan.declaration, tuple(plan.question.by)).cells


def cells_within(plan: QuestionPlan, names: Sequence[str]) -> Names:
    """Several answers with these names in each group."""
    return tuple((*group, name) for group in group_cells(plan) for name in names)


def answers(plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
    """The answers that drawn numbers, or keys, stand for."""
    if plan.keys is not None:
        from tightrope.releases.keys import key_answers

        return key_answers(plan, drawn)
    return plan.statistic.answers(plan, drawn)


def noisy_answers(plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
    """Counts, sums, and shares of a public number: unbiased, or the optimum asked for."""
    return answers_between(plan, drawn, _noisy_ends)


def answers_between(
    plan: QuestionPlan, drawn: Drawn, ends: Callable[[QuestionPlan, Sequence[int]], list[Ends]]
) -> tuple[Answer, ...]:
    """Answers with an interval each; `ends` gives values and intervals in a plan."""
    (numbers,) = drawn
    values = ends(plan, numbers)
    adjusted: Sequence[int | None] = (
        adjusted_counts(plan, numbers) if plan.question.adjusted else [None] * len(values))
    means: Sequence[Interval | None] = [None] * len(values)
    if counts_kept(plan):
        means = over_cuts(plan, lambda surer: [
            (low, high) for _, low, high in ends(surer, numbers)])
    return tuple(Answer(cell, value, low, high, mark(plan, low, high), whole, mean)
                 for cell, (value, low, high), whole, mean in zip(
                     plan.cells, values, adjusted, means, strict=True))


def answers_without_intervals(
    plan: QuestionPlan, values: Sequence[Fraction | str]
) -> tuple[Answer, ...]:
    """Answers whose errors are not known in their units."""
    return tuple(Answer(cell, value, None, None)
                 for cell, value in zip(plan.cells, values, strict=True))


def _noisy_ends(plan: QuestionPlan, numbers: Sequence[int]) -> list[Ends]:
    noisy, size = plan.subqueries[0], plan.size or 1
    if plan.target is not None:
        value, low, high = noisy.read(numbers[0], plan.confidence)
        return [(value / size, low / size, high / size)]
    width = plan.width
    assert width is not None
    offset, unit = noisy.subquery.offset, noisy.subquery.unit
    values = {number: (offset + number * unit) / size for number in {*numbers}}
    return [(values[number], values[number] - width, values[number] + width) for number in numbers]


def between(
    low: Fraction, high: Fraction, share: Fraction | None, least: Fraction, most: Fraction
) -> Ends:
    """Shares of a range as numbers in it, the value within its interval."""
    least, most = min(least, Fraction(1)), min(max(most, least), Fraction(1))
    value = None if share is None else low + (high - low) * min(max(share, least), most)
    return value, low + (high - low) * least, low + (high - low) * most


def ratio_answers(
    plan: QuestionPlan, drawn: Drawn, low: Fraction, high: Fraction, steps: int
) -> tuple[Answer, ...]:
    """Shares of a public number, or ratios of two sums to which a row adds `steps` together.

    Whatever was drawn there is an interval. A value is given if the lower limit of the size of
    the group is at least 1.
    """
    if plan.size is not None:
        return noisy_answers(plan, drawn)

    def ends(plan: QuestionPlan, numbers: Sequence[int]) -> list[Ends]:
        return [_ratio(up, down, plan.widths_of_ratio, low, high, steps)
                for up, down in zip(numbers[::2], numbers[1::2], strict=True)]

    return answers_between(plan, drawn, ends)


def _ratio(
    up: int, down: int, widths: tuple[Fraction, Fraction], low: Fraction, high: Fraction, steps: int
) -> Ends:
    wide, off = widths
    least, most = max(up - wide, Fraction(0)), max(up + wide, Fraction(0))
    under, over = max(down - wide, Fraction(0)), max(down + wide, Fraction(0))
    share = Fraction(max(up, 0), up + down) if up + down - off >= steps else None
    if most + over < steps:  # no row fits in: such noise is rarer than what may be missed
        least, most = under, over = Fraction(0), Fraction(steps)
    return between(low, high, share, least / max(least + over, Fraction(steps)),
                   most / max(most + under, Fraction(steps)))


def in_order(numbers: Sequence[int]) -> list[Fraction]:
    """Numbers that do not fall: half way between the largest so far and the least to come."""
    up = np.maximum.accumulate(np.array(numbers))
    down = np.minimum.accumulate(np.array(numbers)[::-1])[::-1]
    return [Fraction(int(a) + int(b), 2) for a, b in zip(up, down, strict=True)]
