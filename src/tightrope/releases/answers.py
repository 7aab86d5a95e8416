"""Answers: what was drawn, in the units of the question, each with an interval.

Everything here is computed from drawn numbers and declarations, so it costs nothing. Counts and
sums are unbiased and add up: negative ones stay. Quantiles and distribution functions are put in
order. Intervals are about the clamped and cut statistic; each holds by itself, those of a
distribution function together. They are given whatever was drawn, so that none is selected.
Quantiles have none in values: how far off they are is known in ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tightrope.releases.adjusting import adjusted_counts
from tightrope.releases.cuts import Interval, counts_kept, over_cuts
from tightrope.releases.marks import MARKS, WITHHELD, mark
from tightrope.releases.names import group_cells, item_name
from tightrope.releases.parts import number_column
from tightrope.releases.planning import Plan
from tightrope.releases.questions import CHOSEN, RANKED, Ask
from tightrope.releases.variances import variance

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


def answers(plan: Plan, drawn: Sequence[Sequence[int]]) -> tuple[Answer, ...]:
    """The answers that drawn numbers stand for."""
    ask, cells = plan.question.ask, plan.cells
    if ask in RANKED:
        return tuple(Answer(cell, value, None, None)
                     for cell, value in zip(cells, _ranked(plan, drawn), strict=True))
    if ask in CHOSEN:
        return tuple(Answer(cell, item_name(plan, place), None, None)
                     for cell, place in zip(cells, drawn[0], strict=True))
    ends = _with_intervals(plan, drawn[0])
    adjusted: Sequence[int | None] = (
        adjusted_counts(plan, drawn[0]) if plan.question.adjusted else [None] * len(ends))
    means: Sequence[Interval | None] = [None] * len(ends)
    if counts_kept(plan):
        means = over_cuts(plan, lambda surer: [
            (low, high) for _, low, high in _with_intervals(surer, drawn[0])])
    return tuple(Answer(cell, value, low, high, mark(plan, low, high), whole, mean)
                 for cell, (value, low, high), whole, mean in zip(
                     cells, ends, adjusted, means, strict=True))


def _with_intervals(plan: Plan, drawn: Sequence[int]) -> list[Ends]:
    match plan.question.ask:
        case Ask.MEAN | Ask.PROPORTION if plan.size is None:
            return _means(plan, drawn)
        case Ask.VARIANCE:
            return _variances(plan, drawn)
        case Ask.DISTRIBUTION:
            return _distribution(plan, drawn)
        case Ask.CROSS:
            return _crossed(plan, drawn)
        case _:
            return _plain(plan, drawn)


def _plain(plan: Plan, drawn: Sequence[int]) -> list[Ends]:
    """Counts, sums, and shares of a public number: unbiased, or the optimum asked for."""
    part, size = plan.parts[0], plan.size or 1
    if plan.target is not None:
        value, low, high = part.read(drawn[0], plan.confidence)
        return [(value / size, low / size, high / size)]
    width = plan.width
    assert width is not None
    values = {number: (part.part.offset + number * part.part.unit) / size for number in {*drawn}}
    return [(values[number], values[number] - width, values[number] + width) for number in drawn]


def _crossed(plan: Plan, drawn: Sequence[int]) -> list[Ends]:
    """Cells, and margins and totals that are their sums, by group."""
    first, second = plan.parts[0].part.tally.shape[:2]
    cells = np.array(drawn, dtype=object).reshape(first, second, -1)
    assert plan.width is not None
    widths = [plan.width, *(spread.width for spread in plan.sums)]
    axes: list[Any] = [(), (1,), (0,), (0, 1)]
    return [(Fraction(int(number)), number - width, number + width)
            for axis, width in zip(axes, widths, strict=True)
            for number in cells.sum(axis=axis).flat]


def _means(plan: Plan, drawn: Sequence[int]) -> list[Ends]:
    """Shares of two sums, between the ends that they are measured from.

    Whatever was drawn there is an interval. A value is given if the lower limit of the size of
    the group is at least 1.
    """
    low, high, steps = Fraction(0), Fraction(1), 1
    if plan.question.ask is Ask.MEAN:
        column = number_column(plan.question, plan.declaration)
        low, high, steps = column.low, column.high, column.steps
    wide, off = plan.widths_of_ratio
    ends: list[Ends] = []
    for up, down in zip(drawn[::2], drawn[1::2], strict=True):
        least, most = max(up - wide, Fraction(0)), max(up + wide, Fraction(0))
        under, over = max(down - wide, Fraction(0)), max(down + wide, Fraction(0))
        share = Fraction(max(up, 0), up + down) if up + down - off >= steps else None
        if most + over < steps:  # no row fits in: such noise is rarer than what may be missed
            least, most = under, over = Fraction(0), Fraction(steps)
        ends.append(_between(low, high, share, least / max(least + over, Fraction(steps)),
                             most / max(most + under, Fraction(steps))))
    return ends


def _between(
    low: Fraction, high: Fraction, share: Fraction | None, least: Fraction, most: Fraction
) -> Ends:
    """Shares of a range as numbers in it, the value within its interval."""
    least, most = min(least, Fraction(1)), min(max(most, least), Fraction(1))
    value = None if share is None else low + (high - low) * min(max(share, least), most)
    return value, low + (high - low) * least, low + (high - low) * most


def _variances(plan: Plan, drawn: Sequence[int]) -> list[Ends]:
    """Variances of three sums; a value if the lower limit of the size is at least 1."""
    tally = plan.parts[0].part.tally
    column = number_column(plan.question, tally.declaration)
    top = tally.shape[-1] - 1
    square = (top * tally.fine * column.step) ** 2
    wide, off = plan.widths_of_ratio
    ends: list[Ends] = []
    for place in range(0, len(drawn), 3):
        sums = drawn[place : place + 3]
        share, least, most = (4 * end for end in variance(sums, wide))
        full = sum(sums) - off >= top**2
        ends.append(_between(Fraction(0), square / 4, share if full else None, least, most))
    return ends


def _distribution(plan: Plan, drawn: Sequence[int]) -> list[Ends]:
    """Shares up to every point; values if the lower limit of the size is at least 1."""
    tree, band = plan.offer.tree, plan.band
    assert tree is not None
    zero, whole = Fraction(0), Fraction(1)
    ends: list[Ends] = []
    for start in range(0, len(drawn), tree.nodes):
        upto = tree.upto(drawn[start : start + tree.nodes])
        total = Fraction(upto[-1]) if plan.size is None else Fraction(plan.size)
        slack = band if plan.size is None else Fraction(0)
        full = total - slack >= 1
        for middle, low, high in zip(_ordered(upto), np.maximum.accumulate(upto),
                                     np.minimum.accumulate(upto[::-1])[::-1], strict=True):
            least = max(int(low) - band, zero) / max(total + slack, whole)
            most = max(int(high) + band, zero) / max(total - slack, whole)
            ends.append(_between(zero, whole, middle / total if full else None, least, most))
        ends[-1] = (whole if full else None, whole, whole)
    return ends


def _ordered(numbers: Sequence[int]) -> list[Fraction]:
    """Numbers that do not fall: half way between the largest so far and the least to come."""
    up = np.maximum.accumulate(np.array(numbers))
    down = np.minimum.accumulate(np.array(numbers)[::-1])[::-1]
    return [Fraction(int(a) + int(b), 2) for a, b in zip(up, down, strict=True)]


def _ranked(plan: Plan, drawn: Sequence[Sequence[int]]) -> list[Fraction]:
    """Quantiles, those of a group in order; each the value of a code, or the least of several."""
    tally, tree = plan.parts[0].part.tally, plan.offer.tree
    column = number_column(plan.question, tally.declaration)
    groups = len(group_cells(plan))
    if tree is None:
        chosen = [sorted(part[group] for part in drawn) for group in range(groups)]
    else:
        chosen = []
        for start in range(0, len(drawn[0]), tree.nodes):
            upto = _ordered(tree.upto(drawn[0][start : start + tree.nodes]))
            chosen.append([_first(upto, p * max(upto[-1], Fraction(0)))
                           for p in plan.question.probabilities])
    return [column.value(min(place * tally.fine, column.steps))
            for places in chosen for place in places]


def _first(upto: Sequence[Fraction], wanted: Fraction) -> int:
    """The first place where numbers in order reach what is wanted."""
    from bisect import bisect_left

    return min(bisect_left(upto, wanted), len(upto) - 1)
