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
from tightrope.releases.accuracy import Keyed, Ranks
from tightrope.releases.cuts import Interval, counts_kept, notes, over_cuts

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan

Names = tuple[tuple[str, ...], ...]


class Margin(str):
    """The words for all cells of a column, in margins: no category, whatever it is called."""

    __slots__ = ()


Drawn = Sequence[Sequence[Any]]
Ends = tuple[Fraction | None, Fraction, Fraction]
REACHES_0, WIDE = "reaches-zero", "over-half-range"
MARKS = {REACHES_0: "reaches 0", WIDE: "over half of the range"}
"""The codes of marks, and their words."""
WITHHELD = "may be empty"


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


def adjusted_counts(plan: QuestionPlan, drawn: Sequence[int | Fraction]) -> list[int]:
    """The adjusted counts in the order of the answers, margins as sums of adjusted cells.

    Cells of a histogram or cross-table add up to the total of their group. Adjusting biases:
    small cells rise, large ones fall. How far an adjusted count is off depends on the data.
    """
    shape, columns = plan.tally.shape, len(plan.question.columns)
    if not columns:
        return nonnegative(drawn)
    raw = np.array(drawn, dtype=object).reshape(*shape[:columns], -1)
    cells = np.empty_like(raw)
    for group in range(raw.shape[-1]):
        counts = nonnegative([*raw[..., group].flat])
        cells[..., group] = np.array(counts, dtype=object).reshape(shape[:columns])
    axes: list[Any] = [(), (1,), (0,), (0, 1)] if columns == 2 else [()]
    return [int(number) for axis in axes for number in cells.sum(axis=axis).flat]


def nonnegative(numbers: Sequence[int | Fraction]) -> list[int]:
    """The nearest numbers of at least 0 with the same total, rounded, or 0, made whole.

    >>> nonnegative([-3, 5, 0, 9, -1, 2])
    [0, 4, 0, 8, 0, 0]
    """
    total = max(round(sum(numbers)), 0)
    kept, over, running = 1, Fraction(0), Fraction(0)
    for place, number in enumerate(sorted(numbers, reverse=True), start=1):
        running += number
        if place == 1 or number * place > running - total:
            kept, over = place, running - total
    shares = [divmod(max(number * kept - over, Fraction(0)), kept) for number in numbers]
    whole = [int(share) for share, _ in shares]
    left = total - sum(whole)
    for place in sorted(range(len(numbers)), key=lambda place: -shares[place][1])[:left]:
        whole[place] += 1
    return whole


def mark_of(plan: QuestionPlan) -> str | None:
    """The mark that answers to a question may have, in words."""
    if isinstance(plan.strategy.accuracy, Ranks | Keyed):
        return None
    return MARKS[REACHES_0 if plan.strategy.range_length is None else WIDE]


def mark(plan: QuestionPlan, low: Fraction, high: Fraction) -> str | None:
    """The code of the mark of an answer with this interval, which says little.

    A count or a sum is marked if its interval reaches 0; a mean, a share, a variance or a point of
    a distribution if its interval is longer than half of the declared range. Of empty cells a
    share of half the missed confidence has an interval above 0: those escape the mark.
    """
    length = plan.strategy.range_length
    if length is not None:
        return WIDE if 2 * (high - low) > length else None
    return REACHES_0 if low <= 0 and (high >= 0 or plan.strategy.counts) else None


def legend(plan: QuestionPlan, *, together: bool = False) -> str | None:
    """The mark of a question in words, with the share of empty cells that escape it.

    Where intervals hold `together`, it is the share of releases in which any cell escapes.
    """
    word = mark_of(plan)
    if word is None:
        return None
    missed = 100 * float(1 - plan.confidence) / (1 if plan.strategy.signed or together else 2)
    escaped = f"in up to {missed:g} % of releases an empty cell escapes it" if together else (
        f"up to {missed:g} % of empty cells escape this mark")
    says = "the cell may be empty" if plan.strategy.range_length is None else (
        "the interval is longer than half of the range")
    of = " of an agreed answer" if together else ""
    return f"“{word}”{of}: {says}; {escaped}."


def legends(plan: QuestionPlan, *, together: bool = False) -> list[str]:
    """The words below the answers: the meaning of marks, withheld values and cuts."""
    words = [legend(plan, together=together)]
    if plan.strategy.range_length is not None and plan.size is None:
        words.append(f"A value is withheld (“{WITHHELD}”) unless its group has at least 1 row at "
                     "the lower limit of its size; its interval holds if there is a row.")
    if plan.question.adjusted:
        words.append("Adjusted counts are whole, not below 0 and add up to the released total; "
                     "they are biased, their intervals are the unbiased ones cut at 0, and how "
                     "far they are off depends on the data.")
    return [word for word in (*words, *notes(plan)) if word is not None]
