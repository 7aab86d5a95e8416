"""What can be asked of a table, and what one person can change about the answer.

A question becomes one or more parts: a tally, and how a whole number is made from the count and
the sum of codes of each cell. From the declaration alone follows by how much neighboring tables
can differ there. That, and nothing in the rows, decides on mechanism and error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import gcd

from tightrope.characters import label_text, refuse_controls
from tightrope.choices import member_of
from tightrope.declarations import (
    All,
    Declaration,
    Neighbors,
    NumberColumn,
    Tallied,
    Tally,
    read_filter,
)
from tightrope.errors import BadInput
from tightrope.spaces import Tallies


class Ask(StrEnum):
    """What is asked for."""

    COUNT = "count"
    PEOPLE = "people"
    SUM = "sum"
    MEAN = "mean"
    HISTOGRAM = "histogram"
    CROSS = "cross"


@dataclass(frozen=True)
class Question:
    """One question: of which column, by which others, for which rows.

    >>> Question("histogram", "religious", "occupation", "age >= 30").text
    'histogram of religious by occupation where age >= 30'
    """

    ask: Ask
    columns: str | Sequence[str] = ()
    by: str | Sequence[str] = ()
    where: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "ask", member_of(Ask, self.ask, "question"))
        object.__setattr__(self, "columns", keys_of(self.columns))
        object.__setattr__(self, "by", keys_of(self.by))
        wanted = {Ask.COUNT: 0, Ask.PEOPLE: 0, Ask.CROSS: 2}.get(self.ask, 1)
        if len(self.columns) != wanted:
            raise BadInput(f"a {self.ask.value} is asked of {wanted or 'no'} "
                           f"column{'' if wanted == 1 else 's'}, found {len(self.columns)}.")
        if self.where is not None:
            refuse_controls(self.where, "a filter", BadInput)

    @property
    def text(self) -> str:
        """The question in one line."""
        of = f" of {' and '.join(self.columns)}" if self.columns else ""
        by = f" by {', '.join(self.by)}" if self.by else ""
        where = f" where {self.where}" if self.where is not None else ""
        return f"{self.ask.value}{of}{by}{where}"


@dataclass(frozen=True)
class Part:
    """Whole numbers, one for each cell: `counts` times its count plus `codes` times its sum.

    A number stands for that many units of `unit`; `space` says how much neighbors differ.
    """

    tally: Tally
    space: Tallies
    counts: int
    codes: int
    unit: Fraction

    def numbers(self, found: Tallied) -> tuple[int, ...]:
        """The exact statistic, before any noise: a curator's figure."""
        sums = found.sums or (0,) * len(found.counts)
        return tuple(self.counts * a + self.codes * b
                     for a, b in zip(found.counts, sums, strict=True))


def parts_of(question: Question, declaration: Declaration) -> tuple[Part, ...]:
    """What a question needs: one part, or a centered sum and a count for a mean."""
    keys = {Ask.HISTOGRAM: question.columns, Ask.CROSS: question.columns}.get(question.ask, ())
    where = All() if question.where is None else read_filter(question.where, declaration.columns)
    tally = Tally(declaration, (*keys, *question.by), where=where,
                  people=question.ask is Ask.PEOPLE)
    if question.ask in (Ask.SUM, Ask.MEAN):
        column = declaration.column(question.columns[0])
        if not isinstance(column, NumberColumn):
            raise BadInput(f"the column {label_text(question.columns[0])!r} holds categories; a "
                           f"{question.ask.value} needs numbers.")
        measured = Tally(declaration, tally.keys, question.columns[0], where)
        if question.ask is Ask.SUM:
            return (_sum(measured, column, Fraction(0)),)
        center = (column.low + column.high) / 2
        if divides_by_size(question, declaration):
            return (_sum(measured, column, center),)
        return (_sum(measured, column, center), _count(measured))
    if _public(question, declaration):
        raise BadInput(f"the number of rows is public where neighbors replace one: it is "
                       f"{declaration.unit.size:,}.")
    return (_count(tally),)


def divides_by_size(question: Question, declaration: Declaration) -> bool:
    """Whether every unit counts exactly once, so that the mean is a sum over a public number."""
    column = declaration.column(question.columns[0])
    unit = declaration.unit
    return (unit.neighbors is Neighbors.REPLACE and unit.person is None and not question.by
            and question.where is None and column.missing is not None)


def _public(question: Question, declaration: Declaration) -> bool:
    return (question.ask is Ask.COUNT and declaration.unit.neighbors is Neighbors.REPLACE
            and declaration.unit.person is None and not question.by and question.where is None)


def _count(tally: Tally) -> Part:
    unit = tally.declaration.unit
    assert unit.cells is not None
    rows = min(unit.cells, tally.size) if tally.people else unit.rows
    return Part(tally, _space(tally, 0, rows), 1, 0, Fraction(1))


def _sum(tally: Tally, column: NumberColumn, center: Fraction) -> Part:
    """A sum of values less a center, in the largest unit of which all are multiples."""
    start = column.low - center
    unit = _common(start, column.resolution)
    low, high = int(start / unit), int((column.high - center) / unit)
    rows = tally.declaration.unit.rows
    space = _space(tally, rows * min(low, 0), rows * max(high, 0))
    if _counts_once(tally) and column.missing is not None:
        space = Tallies(1, 1, high - low)
    return Part(tally, space, low, int(column.resolution / unit), unit)


def _counts_once(tally: Tally) -> bool:
    """Whether neighbors replace one row that is never left out."""
    unit = tally.declaration.unit
    return (unit.neighbors is Neighbors.REPLACE and unit.person is None
            and not tally.keys and tally.where == All())


def _space(tally: Tally, least: int, most: int) -> Tallies:
    """What neighbors change if a unit adds from `least` to `most` to the numbers, in all."""
    unit = tally.declaration.unit
    assert unit.cells is not None
    change, touched = max(-least, most), min(unit.cells, tally.size)
    if unit.neighbors is Neighbors.REPLACE:
        # one cell: from the least to the most; several: one set of cells for another
        change = most - least if tally.size == 1 else 2 * change
        touched = min(2 * touched, tally.size)
    return Tallies(tally.size, min(touched, change), change)


def _common(*numbers: Fraction) -> Fraction:
    """The largest number of which all are whole multiples."""
    found = [number for number in numbers if number]
    scale = 1
    for number in found:
        scale = scale * number.denominator // gcd(scale, number.denominator)
    whole = 0
    for number in found:
        whole = gcd(whole, int(number * scale))
    return Fraction(whole, scale)


def keys_of(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """Names of columns: one, several or none."""
    names = () if text is None else (text,) if isinstance(text, str) else tuple(text)
    if not all(isinstance(name, str) for name in names):
        raise BadInput("columns are named by texts.")
    return names
