"""Sums of a column, and the ratios that are made of sums: mean and variance.

A mean asks for two sums, of how far values are above the low bound and below the high one: every
row adds as much to both together, whatever its value, so that one level pays for both. A variance
asks for three such sums, of (1 - u)², 2u(1 - u) and u² for values u between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import TYPE_CHECKING

from tightrope.declarations import Tallied
from tightrope.errors import BadInput
from tightrope.releases.accuracy import NOISE, Ratio
from tightrope.releases.answers import (
    Answer,
    Drawn,
    Ends,
    answers_between,
    between,
    group_cells,
    noisy_answers,
    ratio_answers,
)
from tightrope.releases.figures import interval_figure
from tightrope.releases.subqueries import (
    Rows,
    Strategy,
    Subquery,
    cell_sensitivity,
    in_range,
    joint_sensitivity,
    most_of_all,
    number_column,
    sum_of_cells,
)
from tightrope.spaces import Tallies

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan


LEAST_STEPS = 2**16
"""Least steps of a variance without a declared resolution, whose squares stay whole numbers."""
_HALVINGS = 40
"""How often the interval of the best c is cut."""
Sums = tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True)
class Sum:
    """The sum of a column."""

    column: str
    name, phrase, adjustable = "sum", "sum of COLUMN", False
    cells = staticmethod(group_cells)
    answers = staticmethod(noisy_answers)
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """Clamped values of each group, added up."""
        number_column(rows.declaration, self.column, self.name)
        subquery = _sum(rows, self.column)
        return (Strategy((subquery,), f"units of {self.column}", signed=True, rounded="each row",
                         sums=sum_of_cells(subquery.by_cells)),)


@dataclass(frozen=True)
class Mean:
    """The mean of a column."""

    column: str
    name, phrase, adjustable = "mean", "mean of COLUMN", False
    cells = staticmethod(group_cells)
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The sum of all rows, where their number is public, or else the two sums of each group."""
        column = number_column(rows.declaration, self.column, self.name)
        tally, steps = rows.tally(measures=(self.column,)), column.steps

        def both(tallied: Tallied) -> list[int]:
            return [number for count, code in zip(tallied.counts, *tallied.sums, strict=True)
                    for number in (code, steps * count - code)]

        size = rows.public_size(total=column.is_total)
        space = joint_sensitivity(tally, 2, rows.declaration.unit.rows * steps)
        subquery = Subquery(tally, space, both) if size is None else _sum(rows, self.column)
        return (Strategy((subquery,), f"units of {self.column}",
                         Ratio(2, steps) if size is None else NOISE, divisor=size,
                         range_length=column.high - column.low,
                         rows=_rows(self.column)),)

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """Ratios of two sums, or shares of a public number."""
        column = number_column(plan.declaration, self.column, self.name)
        return ratio_answers(plan, drawn, column.low, column.high, column.steps)


@dataclass(frozen=True)
class Variance:
    """The variance of a column, of its values as they are."""

    column: str
    name, phrase, adjustable = "variance", "variance of COLUMN", False
    cells = staticmethod(group_cells)
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The three sums of each group."""
        rows = rows.with_steps(self.column, LEAST_STEPS)
        column = number_column(rows.declaration, self.column, self.name)
        tally, top = rows.tally(self.column, fine=1), column.steps
        if not top:
            raise BadInput("the column has one value, and no variance.")

        def three(tallied: Tallied) -> list[int]:
            sums = [0] * (3 * tally.size // tally.values)
            for cell, n in zip(tallied.cells or (), tallied.counts, strict=True):
                group, v = divmod(cell, tally.values)
                sums[3 * group] += n * (top - v) ** 2
                sums[3 * group + 1] += n * 2 * v * (top - v)
                sums[3 * group + 2] += n * v * v
            return sums

        space = joint_sensitivity(rows.tally(), 3, rows.declaration.unit.rows * top**2)
        return (Strategy((Subquery(tally, space, three),), f"squared units of {self.column}",
                         Ratio(3, top**2), range_length=(column.high - column.low) ** 2 / 4,
                         rows=_rows(self.column), rounded="the standard deviation"),)

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """Variances of three sums; a value if the lower limit of the size is at least 1."""
        return answers_between(plan, drawn, self._variances)

    def _variances(self, plan: QuestionPlan, numbers: Sequence[int]) -> list[Ends]:
        tally = plan.tally
        column = number_column(tally.declaration, self.column, self.name)
        top = tally.shape[-1] - 1
        square = (top * tally.fine * column.step) ** 2
        wide, off = plan.widths_of_ratio
        ends: list[Ends] = []
        for place in range(0, len(numbers), 3):
            sums = numbers[place : place + 3]
            share, least, most = (4 * end for end in variance(sums, wide))
            full = sum(sums) - off >= top**2
            ends.append(between(Fraction(0), square / 4, share if full else None, least, most))
        return ends


def _rows(column: str) -> str:
    return f"rows whose {column} is not left out"


def _sum(rows: Rows, name: str) -> Subquery:
    """A sum of values, in the largest unit of which all are multiples.

    Where every unit counts exactly once, it is counted from the least that it can be.
    """
    declaration, tally = rows.declaration, rows.tally(measures=(name,))
    column = number_column(declaration, name, "sum")
    size = rows.public_size(total=column.is_total)
    if size is not None:
        once = Subquery(tally, Tallies(1, 1, column.steps), lambda tallied: tallied.sums[0],
                        column.step, offset=size * column.low)
        return in_range(once, column.steps)
    unit = _common(column.low, column.step)
    low, high = int(column.low / unit), int(column.high / unit)
    each, codes = declaration.unit.rows, int(column.step / unit)
    least, most = each * min(low, 0), each * max(high, 0)
    start = (most_of_all(declaration, least) if tally.size == 1 else 0) or 0

    def sums(tallied: Tallied) -> list[int]:
        return [low * count + codes * code - start
                for count, code in zip(tallied.counts, *tallied.sums, strict=True)]

    subquery = Subquery(tally, cell_sensitivity(tally, least, most), sums, unit,
                        offset=start * unit, each=max(abs(low), abs(high)))
    return in_range(subquery, most - least)


def _common(*numbers: Fraction) -> Fraction:
    """The largest number of which all are whole multiples."""
    scale = lcm(*(number.denominator for number in numbers))
    return Fraction(gcd(*(int(number * scale) for number in numbers)), scale)


def variance(drawn: Sequence[int], width: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """The variance of values u between 0 and 1, and an interval if no sum is off by more.

    The sums A of (1 - u)², B of 2u(1 - u) and C of u² add up to the number T of rows. About any c
    the mean square is (c² A - c (1 - c) B + (1 - c)² C)/T, and the variance is its least value, at
    c the mean. For a fixed c it is largest and smallest at corners of a box of sums; so the least
    variance in a box is that of a corner, and the largest is at most the largest mean square of a
    corner about any one c. Where no sum can be above 0, the interval is that of all variances.

    >>> [round(float(end), 9) for end in variance([5, 0, 5], Fraction(0))]   # half 0, half 1
    [0.25, 0.25, 0.25]
    """
    ends = [(max(Fraction(x) - width, Fraction(0)), max(Fraction(x) + width, Fraction(0)))
            for x in drawn]
    corners: list[Sums] = [(a, b, c) for a, b, c in product(*ends) if a + b + c > 0]
    sums: Sums = (Fraction(max(drawn[0], 0)), Fraction(max(drawn[1], 0)),
                  Fraction(max(drawn[2], 0)))
    if not corners or not any(sums):
        return Fraction(0), Fraction(0), Fraction(1, 4)
    low = max(min(_least(corner) for corner in corners), Fraction(0))
    return max(_least(sums), Fraction(0)), low, max(_most(corners), low)


def _mean(sums: Sums) -> Fraction:
    return (sums[1] / 2 + sums[2]) / sum(sums)


def _about(sums: Sums, c: Fraction) -> Fraction:
    """The mean square about c."""
    a, b, d = sums
    return (c * c * a - c * (1 - c) * b + (1 - c) ** 2 * d) / (a + b + d)


def _least(sums: Sums) -> Fraction:
    return _about(sums, _mean(sums))


def _most(corners: Sequence[Sums]) -> Fraction:
    """The least over c of the largest mean square of a corner: convex in c."""
    floats = [tuple(float(part / sum(corner)) for part in corner) for corner in corners]

    def largest(c: float) -> float:
        return max(c * c * a - c * (1 - c) * b + (1 - c) ** 2 * d for a, b, d in floats)

    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        third = (high - low) / 3
        if largest(low + third) <= largest(high - third):
            high -= third
        else:
            low += third
    at = Fraction((low + high) / 2)
    return max(_about(corner, at) for corner in corners)
