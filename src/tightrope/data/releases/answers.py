"""Answers: what was drawn, in the units of the question, each with an interval.

Everything here is computed from drawn numbers and declarations, so it costs nothing. Counts are
whole and not below 0, margins add up, quantiles and distribution functions are in order; their
intervals are those of the numbers that were drawn, cut at what is possible. Intervals are about
the clamped and cut statistic; each holds by itself, those of a distribution function together.
Quantiles have none in values: how far off they are is known in ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tightrope.data.releases.names import group_cells, item_name
from tightrope.data.releases.parts import number_column
from tightrope.data.releases.planning import Plan
from tightrope.data.releases.questions import CHOSEN, RANKED, Ask
from tightrope.data.releases.variances import variance
from tightrope.declarations import NumberColumn
from tightrope.spaces import Totals

Ends = tuple[Fraction | None, Fraction | None, Fraction | None]
_UNDETERMINED: Ends = (None, None, None)


@dataclass(frozen=True)
class Answer:
    """The answer for one cell; value and ends are None where it is undetermined.

    The value is a text where one of several categories or cells was asked for; ends are None
    where an interval in these units was not paid for.
    """

    cell: tuple[str, ...]
    value: Fraction | str | None
    low: Fraction | None
    high: Fraction | None

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON has it."""
        return {"cell": list(self.cell), "value": _number(self.value), "low": _number(self.low),
                "high": _number(self.high)}


def _number(value: Fraction | str | None) -> int | float | str | None:
    if value is None or isinstance(value, str):
        return value
    return int(value) if value.denominator == 1 else float(value)


def answers(plan: Plan, drawn: Sequence[Sequence[int]]) -> tuple[Answer, ...]:
    """The answers that drawn numbers stand for."""
    found: Sequence[tuple[Fraction | str | None, Fraction | None, Fraction | None]]
    match plan.question.ask:
        case Ask.MEAN | Ask.PROPORTION:
            found = _means(plan, drawn[0])
        case Ask.VARIANCE:
            found = _variances(plan, drawn[0])
        case Ask.DISTRIBUTION:
            found = _distribution(plan, drawn[0])
        case Ask.CROSS:
            found = _crossed(plan, drawn[0])
        case ask if ask in RANKED:
            found = [(value, None, None) for value in _ranked(plan, drawn)]
        case ask if ask in CHOSEN:
            found = [(item_name(plan, place), None, None) for place in drawn[0]]
        case _:
            found = _plain(plan, drawn[0])
    return tuple(Answer(cell, *ends) for cell, ends in zip(plan.cells, found, strict=True))


def _plain(plan: Plan, drawn: Sequence[int]) -> list[Ends]:
    """Counts and sums, each with the interval of its law."""
    part = plan.parts[0]
    found: dict[int, tuple[Fraction, Fraction, Fraction]] = {}  # many cells have few numbers
    if isinstance(part.part.space, Totals):
        width = part.width(plan.confidence)
        found = {number: (Fraction(number), number - width, number + width) for number in drawn}
    for number in {*drawn} - {*found}:
        found[number] = part.read(number, plan.confidence)
    if plan.question.ask is not Ask.SUM:
        least = Fraction(0)
        found = {number: (max(one, least), max(low, least), max(high, least))
                 for number, (one, low, high) in found.items()}
    return [found[number] for number in drawn]


def _means(plan: Plan, drawn: Sequence[int]) -> list[Ends]:
    """Shares of two sums, or of a public number, between the ends that they are measured from."""
    low, high = Fraction(0), Fraction(1)
    if plan.question.ask is Ask.MEAN:
        column = number_column(plan.question, plan.declaration)
        low, high = column.low, column.high
    part = plan.parts[0]
    if plan.size is not None:
        ends = [part.read(number, plan.confidence) for number in drawn]
        return [_inside(low, high, *(end / plan.size for end in held)) for held in ends]
    wide = part.width((1 + plan.confidence) / 2)  # both hold together with the confidence
    found = []
    for up, down in zip(drawn[::2], drawn[1::2], strict=True):
        if up + down - 2 * wide <= 0:  # the count may be 0
            found.append(_UNDETERMINED)
            continue
        least, most = max(up - wide, Fraction(0)), up + wide
        under, over = max(down - wide, Fraction(0)), down + wide
        shares = (Fraction(up, up + down), least / (least + over), most / (most + under))
        found.append(_inside(low, high, *(low + (high - low) * share for share in shares)))
    return found


def _inside(low: Fraction, high: Fraction, *ends: Fraction) -> Ends:
    one, two, three = (min(max(end, low), high) for end in ends)
    return one, two, three


def _variances(plan: Plan, drawn: Sequence[int]) -> list[Ends]:
    column = number_column(plan.question, plan.declaration)
    tally = plan.parts[0].part.tally
    length = (tally.shape[-1] - 1) * tally.fine * column.resolution
    wide = plan.parts[0].width(1 - (1 - plan.confidence) / 3)
    found = []
    for place in range(0, len(drawn), 3):
        ends = variance(drawn[place : place + 3], wide)
        found.append(_UNDETERMINED if ends is None else _inside(
            Fraction(0), length**2 / 4, *(length**2 * end for end in ends)))
    return found


def _distribution(plan: Plan, drawn: Sequence[int]) -> list[Ends]:
    tree, band = plan.offer.tree, plan.band
    assert tree is not None
    found: list[Ends] = []
    for start in range(0, len(drawn), tree.nodes):
        upto = tree.upto(drawn[start : start + tree.nodes])
        total = Fraction(upto[-1]) if plan.size is None else Fraction(plan.size)
        slack = band if plan.size is None else Fraction(0)
        if total - slack <= 0:
            found += [_UNDETERMINED] * tree.values
            continue
        for middle, low, high in zip(_ordered(upto), np.maximum.accumulate(upto),
                                     np.minimum.accumulate(upto[::-1])[::-1], strict=True):
            found.append(_inside(Fraction(0), Fraction(1), middle / total,
                                 (int(low) - band) / (total + slack),
                                 (int(high) + band) / (total - slack)))
        found[-1] = (Fraction(1), Fraction(1), Fraction(1))
    return found


def _ordered(numbers: Sequence[int]) -> list[Fraction]:
    """Numbers that do not fall: half way between the largest so far and the least to come."""
    up = np.maximum.accumulate(np.array(numbers))
    down = np.minimum.accumulate(np.array(numbers)[::-1])[::-1]
    return [Fraction(int(a) + int(b), 2) for a, b in zip(up, down, strict=True)]


def _ranked(plan: Plan, drawn: Sequence[Sequence[int]]) -> list[Fraction]:
    """Quantiles, those of a group in order; each the value of a code, or the least of several."""
    column = plan.declaration.column(plan.question.columns[0])
    assert isinstance(column, NumberColumn)
    tally, tree = plan.parts[0].part.tally, plan.offer.tree
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


def _crossed(plan: Plan, drawn: Sequence[int]) -> list[Ends]:
    """Cells that are whole and not below 0, and margins that are their sums, by group."""
    part, groups = plan.parts[0], len(group_cells(plan))
    first, second = part.part.tally.shape[:2]
    raw = np.array(drawn, dtype=object).reshape(first, second, groups)
    shown = np.empty_like(raw)
    for group in range(groups):
        shown[..., group] = _nonnegative(raw[..., group])
    found: list[Ends] = []
    for axes, terms in (((), 1), ((1,), second), ((0,), first), ((0, 1), first * second)):
        width = part.width(plan.confidence, terms)
        values = shown.sum(axis=axes) if axes else shown
        middles = raw.sum(axis=axes) if axes else raw
        found += [(Fraction(int(value)), max(middle - width, Fraction(0)),
                   max(middle + width, Fraction(0)))
                  for value, middle in zip(values.flat, middles.flat, strict=True)]
    return found


def _nonnegative(raw: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The nearest numbers of at least 0 with the same total, or 0, made whole."""
    total = max(int(raw.sum()), 0)
    numbers = raw.astype(float).ravel()
    order = np.sort(numbers)[::-1]
    fall = (np.cumsum(order) - total) / np.arange(1, len(order) + 1)
    kept = max(int(np.count_nonzero(order > fall)), 1)
    near = np.maximum(numbers - fall[kept - 1], 0.0)
    whole = np.floor(near).astype(np.int64)
    left = total - int(whole.sum())
    if left > 0:
        whole[np.argsort(whole - near, kind="stable")[:left]] += 1
    for place in np.argsort(-whole, kind="stable")[: max(-left, 0)]:
        whole[place] -= 1
    return np.asarray(whole.astype(object).reshape(raw.shape))
