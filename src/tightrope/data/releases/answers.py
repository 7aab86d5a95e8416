"""Answers: what was drawn, in the units of the question, each with an interval.

Everything here is computed from drawn numbers and declarations, so it costs nothing. Counts below
0 are shown as 0; their intervals are those of the numbers that were drawn, cut at what is
possible. Intervals are about the clamped and cut statistic, and each holds by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightrope.data.releases.planning import Plan
from tightrope.data.releases.questions import Ask
from tightrope.declarations import NumberColumn


@dataclass(frozen=True)
class Answer:
    """The answer for one cell; value and ends are None where it is undetermined."""

    cell: tuple[str, ...]
    value: Fraction | None
    low: Fraction | None
    high: Fraction | None

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON has it."""
        return {"cell": list(self.cell), "value": _number(self.value), "low": _number(self.low),
                "high": _number(self.high)}


def _number(value: Fraction | None) -> int | float | None:
    if value is None:
        return None
    return int(value) if value.denominator == 1 else float(value)


def answers(plan: Plan, drawn: Sequence[Sequence[int]]) -> tuple[Answer, ...]:
    """The answers that drawn numbers stand for."""
    if plan.question.ask is Ask.MEAN:
        return _means(plan, drawn)
    (part,) = plan.parts
    unit, width = part.part.unit, part.width(plan.confidence)
    least = Fraction(0) if plan.question.ask is not Ask.SUM else None
    found = []
    for cell, number in zip(plan.cells, drawn[0], strict=True):
        middle = number * unit
        ends = [middle, middle - width, middle + width]
        if least is not None:
            ends = [max(end, least) for end in ends]
        found.append(Answer(cell, *ends))
    return tuple(found)


def _means(plan: Plan, drawn: Sequence[Sequence[int]]) -> tuple[Answer, ...]:
    column = plan.declaration.column(plan.question.columns[0])
    assert isinstance(column, NumberColumn)
    center = (column.low + column.high) / 2

    def inside(value: Fraction) -> Fraction:
        return min(max(center + value, column.low), column.high)

    if len(plan.parts) == 1:
        (part,), size = plan.parts, plan.declaration.unit.size
        assert size is not None
        width = part.width(plan.confidence) / size
        sums = [number * part.part.unit / size for number in drawn[0]]
        return tuple(Answer(cell, inside(s), inside(s - width), inside(s + width))
                     for cell, s in zip(plan.cells, sums, strict=True))
    total, count = plan.parts
    sure = (1 + plan.confidence) / 2  # both intervals hold together with the confidence asked for
    wide, far = total.width(sure), count.width(sure)
    found = []
    for cell, number, rows in zip(plan.cells, *drawn, strict=True):
        added = number * total.part.unit
        if rows - far <= 0:
            found.append(Answer(cell, None, None, None))
            continue
        ends = [(added + s * wide) / (rows + t * far) for s in (-1, 1) for t in (-1, 1)]
        found.append(Answer(cell, inside(added / rows), inside(min(ends)), inside(max(ends))))
    return tuple(found)
