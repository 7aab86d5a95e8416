"""Sums of a column, and the ratios that are made of sums: mean and variance.

A mean asks for two sums, of how far values are above the low bound and below the high one: every
row adds as much to both together, whatever its value, so that one level pays for both. A variance
asks for three such sums, of (1 - u)², 2u(1 - u) and u² for values u between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING

from tightrope.declarations import Declaration, Filter, Tallied, Tally
from tightrope.errors import BadInput
from tightrope.releases.accuracy import NOISE, RATIO, Ratio
from tightrope.releases.answers import (
    Answer,
    Drawn,
    Ends,
    answers_between,
    between,
    noisy_answers,
    ratio_ends,
)
from tightrope.releases.figures import interval_figure
from tightrope.releases.names import group_cells
from tightrope.releases.resolutions import Resolution
from tightrope.releases.sensitivity import cell_sensitivity, joint_sensitivity
from tightrope.releases.subqueries import (
    Strategy,
    Subquery,
    in_range,
    most_of_all,
    number_column,
    public_size,
    sum_of_cells,
)
from tightrope.releases.variances import variance
from tightrope.spaces import Tallies

if TYPE_CHECKING:
    from tightrope.releases.planning import Plan


@dataclass(frozen=True)
class Sum:
    """The sum of a column."""

    column: str
    name, phrase = "sum", "sum of COLUMN"
    resolution, adjustable = Resolution.COLUMN, False
    cells = staticmethod(group_cells)
    answers = staticmethod(noisy_answers)
    figure = staticmethod(interval_figure)

    def strategies(
        self, declaration: Declaration, by: tuple[str, ...], where: Filter
    ) -> tuple[Strategy, ...]:
        """Clamped values of each group, added up."""
        number_column(self.name, self.column, declaration)
        tally = Tally(declaration, by, (self.column,), where)
        return (Strategy((_sum(tally, self.column),), sums=sum_of_cells(tally), signed=True,
                         rounded="each row"),)

    def unit_of_error(self, declaration: Declaration) -> str:
        """Units of the column."""
        return f"units of {self.column}"


@dataclass(frozen=True)
class Mean:
    """The mean of a column."""

    column: str
    name, phrase = "mean", "mean of COLUMN"
    resolution, adjustable = Resolution.COLUMN, False
    cells = staticmethod(group_cells)
    figure = staticmethod(interval_figure)

    def strategies(
        self, declaration: Declaration, by: tuple[str, ...], where: Filter
    ) -> tuple[Strategy, ...]:
        """The sum of all rows, where their number is public, or else the two sums of each group."""
        column = number_column(self.name, self.column, declaration)
        tally = Tally(declaration, by, (self.column,), where)
        steps = column.steps

        def both(tallied: Tallied) -> list[int]:
            return [number for count, code in zip(tallied.counts, *tallied.sums, strict=True)
                    for number in (code, steps * count - code)]

        space = joint_sensitivity(tally, 2, declaration.unit.rows * steps)
        strategy = Strategy((Subquery(tally, space, both),), RATIO,
                            range_length=column.high - column.low, rows=_rows(self.column))
        size = public_size(declaration, by, where, total=column.is_total)
        return (strategy if size is None else replace(
            strategy, subqueries=(_sum(tally, self.column),), accuracy=NOISE, divisor=size),)

    def unit_of_error(self, declaration: Declaration) -> str:
        """Units of the column."""
        return f"units of {self.column}"

    def answers(self, plan: Plan, drawn: Drawn) -> tuple[Answer, ...]:
        """Ratios of two sums, or shares of a public number."""
        return noisy_answers(plan, drawn) if plan.size is not None else (
            answers_between(plan, drawn, self._means))

    def _means(self, plan: Plan, numbers: Sequence[int]) -> list[Ends]:
        column = number_column(self.name, self.column, plan.declaration)
        return ratio_ends(numbers, plan.widths_of_ratio, column.low, column.high, column.steps)


@dataclass(frozen=True)
class Variance:
    """The variance of a column, of its values as they are."""

    column: str
    name, phrase = "variance", "variance of COLUMN"
    resolution, adjustable = Resolution.SQUARES, False
    cells = staticmethod(group_cells)
    figure = staticmethod(interval_figure)

    def strategies(
        self, declaration: Declaration, by: tuple[str, ...], where: Filter
    ) -> tuple[Strategy, ...]:
        """The three sums of each group."""
        column = number_column(self.name, self.column, declaration)
        tally = Tally(declaration, (*by, self.column), where=where, fine=1)
        top = column.steps
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

        groups = Tally(declaration, by, where=where)
        space = joint_sensitivity(groups, 3, declaration.unit.rows * top**2)
        return (Strategy((Subquery(tally, space, three),), Ratio(3),
                         range_length=(column.high - column.low) ** 2 / 4,
                         rows=_rows(self.column), rounded="the standard deviation"),)

    def unit_of_error(self, declaration: Declaration) -> str:
        """Squared units of the column."""
        return f"squared units of {self.column}"

    def answers(self, plan: Plan, drawn: Drawn) -> tuple[Answer, ...]:
        """Variances of three sums; a value if the lower limit of the size is at least 1."""
        return answers_between(plan, drawn, self._variances)

    def _variances(self, plan: Plan, numbers: Sequence[int]) -> list[Ends]:
        tally = plan.tally
        column = number_column(self.name, self.column, tally.declaration)
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


def _sum(tally: Tally, name: str) -> Subquery:
    """A sum of values, in the largest unit of which all are multiples.

    Where every unit counts exactly once, it is counted from the least that it can be.
    """
    declaration = tally.declaration
    column = number_column("sum", name, declaration)
    size = public_size(declaration, tally.keys, tally.where, total=column.is_total)
    if size is not None:
        once = Subquery(tally, Tallies(1, 1, column.steps), lambda tallied: tallied.sums[0],
                        column.step, offset=size * column.low)
        return in_range(once, size * column.steps)
    unit = _common(column.low, column.step)
    low, high = int(column.low / unit), int(column.high / unit)
    rows, codes = declaration.unit.rows, int(column.step / unit)
    least, most = rows * min(low, 0), rows * max(high, 0)
    start = (most_of_all(declaration, least) if tally.size == 1 else 0) or 0

    def added(tallied: Tallied) -> list[int]:
        return [low * count + codes * code - start
                for count, code in zip(tallied.counts, *tallied.sums, strict=True)]

    subquery = Subquery(tally, cell_sensitivity(tally, least, most), added, unit,
                        offset=start * unit, each=max(abs(low), abs(high)))
    return in_range(subquery, most_of_all(declaration, most - least))


def _common(*numbers: Fraction) -> Fraction:
    """The largest number of which all are whole multiples."""
    scale = lcm(*(number.denominator for number in numbers))
    return Fraction(gcd(*(int(number * scale) for number in numbers)), scale)
