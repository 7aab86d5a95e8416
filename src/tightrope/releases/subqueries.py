"""Subqueries: whole numbers of a table, with the set of datasets that they are.

From the declaration alone follows by how much neighboring tables can differ there: that, and
nothing in the rows, decides on mechanism and error. A strategy is one way to answer a question;
its subqueries share the level evenly. Where there are several, the plan takes the one that errs
least.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tightrope.characters import label_text
from tightrope.declarations import All, Declaration, Neighbors, NumberColumn, Tallied, Tally
from tightrope.errors import BadInput
from tightrope.releases.accuracy import NOISE, Accuracy, Noise
from tightrope.releases.optima import Target
from tightrope.releases.sensitivity import cell_sensitivity
from tightrope.releases.trees import Tree
from tightrope.spaces import Lattice, Occupied, Tallies, Totals, ValueCounts

if TYPE_CHECKING:
    from tightrope.declarations import Filter

Evaluate = Callable[[Tallied], Sequence[int]]


@dataclass(frozen=True)
class Score:
    """The score that a value is chosen by: rows below it against rows above it, or its frequency.

    `toward` is 1 or -1 for a rank that is counted from the top or the bottom, as far as it must
    be for the answer to lie among the rows.
    """

    below: int = 0
    above: int = 0
    toward: int = 0
    picks: int = 0


@dataclass(frozen=True)
class Subquery:
    """Whole numbers made from a tally; a number stands for `offset` and so many times `unit`.

    `each` is the most that one row adds to a number. `largest` is declared of one number that is
    from 0 to that. With a `target` what is beyond is clamped to it, and the answer errs least in
    the sense of the target.
    """

    tally: Tally
    space: Tallies | Totals | ValueCounts | Lattice
    evaluate: Evaluate
    unit: Fraction = Fraction(1)
    score: Score = Score()
    offset: Fraction = Fraction(0)
    each: int = 1
    largest: int | None = None
    target: Target | None = None

    def numbers(self, tallied: Tallied) -> list[int] | Occupied:
        """The exact statistic, before any noise: a curator's figure."""
        if isinstance(self.space, ValueCounts):
            return occupied(tallied)
        numbers = [int(number) for number in self.evaluate(tallied)]
        if self.target is None:
            return numbers
        return [min(max(number, 0), self.target.most) for number in numbers]


@dataclass(frozen=True)
class Strategy:
    """One way to answer a question, and all that follows from it for errors and words.

    `divisor` is a public number of units that answers are divided by. `range_length` is how long
    the range of possible answers is, None for counts, sums and choices. `sums` are the sums of
    cells that have a meaning, with how many cells each adds up. `signed` sums may be below 0.
    `rows` are the rows that an answer is about, and `rounded` what rounding moves, in words.
    """

    subqueries: tuple[Subquery, ...]
    accuracy: Accuracy = NOISE
    tree: Tree | None = None
    divisor: int | None = None
    range_length: Fraction | None = None
    sums: tuple[tuple[str, int], ...] = ()
    signed: bool = False
    rows: str | None = None
    rounded: str | None = None

    @property
    def counts(self) -> bool:
        """Whether answers are counts."""
        noisy = isinstance(self.accuracy, Noise)
        return noisy and self.range_length is None and not self.signed


def number_column(statistic: str, name: str, declaration: Declaration) -> NumberColumn:
    """The column of a statistic that needs numbers."""
    column = declaration.column(name)
    if not isinstance(column, NumberColumn):
        raise BadInput(f"the column {label_text(name)!r} holds categories; a {statistic} needs "
                       "numbers.")
    return column


def count_cells(tally: Tally) -> Strategy:
    """Counts of rows, or people, in cells that do not overlap, so that their sums are counts."""
    rows = tally.declaration.unit.rows
    space = cell_sensitivity(tally, 0, tally.touched if tally.people else rows)
    subquery = Subquery(tally, space, lambda tallied: tallied.counts)
    return Strategy(
        (in_range(subquery, most_of_all(tally.declaration, 1 if tally.people else rows)),),
        sums=sum_of_cells(tally))


def sum_of_cells(tally: Tally) -> tuple[tuple[str, int], ...]:
    """The sum of all cells, where there are several."""
    return (("sum of all cells", tally.size),) if tally.size > 1 else ()


def choose_values(tally: Tally, score: Score) -> Subquery:
    """How often each value of the last key occurs, for a choice by score in every group."""
    unit = tally.declaration.unit
    removed = unit.rows if unit.neighbors is Neighbors.REPLACE else 0
    values = tally.shape[-1]
    space = ValueCounts(tally.size // values, values, unit.rows, removed)
    return Subquery(tally, space, lambda tallied: tallied.counts, score=score)


def tree_subquery(tally: Tally, tree: Tree) -> Subquery:
    """Counts of blocks of values, in levels: each row is in one block of every level."""
    groups = tally.size // tree.values
    leaves = cell_sensitivity(tally, 0, tally.declaration.unit.rows)
    space = Tallies(groups * tree.nodes, leaves.touched * tree.levels, leaves.change * tree.levels)

    def blocks(tallied: Tallied) -> list[int]:
        counts = occupied(tallied).listed(tally.size).reshape(groups, tree.values)
        return [number for group in counts for number in tree.sums(group)]

    return Subquery(tally, space, blocks)


def occupied(tallied: Tallied) -> Occupied:
    """The values that occur, of a tally of all values or of those alone."""
    counts = np.array(tallied.counts, dtype=np.int64)
    if tallied.cells is None:
        return Occupied.among(counts)
    return Occupied(np.array(tallied.cells, dtype=np.int64), counts)


def public_size(
    declaration: Declaration, by: tuple[str, ...], where: Filter, *, total: bool
) -> int | None:
    """The public number of rows, where every row counts exactly once; `total` if none is left out.
    """
    unit = declaration.unit
    once = unit.neighbors is Neighbors.REPLACE and unit.person is None and not by
    return unit.size if once and where == All() and total else None


def most_of_all(declaration: Declaration, each: int) -> int | None:
    """The most that all units give together, where their number is declared or public."""
    unit = declaration.unit
    units = unit.size if unit.size is not None else unit.most
    return None if units is None else units * each


def in_range(subquery: Subquery, most: int | None) -> Subquery:
    """The subquery with the range of its number, if it is one."""
    single = isinstance(subquery.space, Tallies) and subquery.space.cells == 1
    return replace(subquery, largest=most) if single else subquery
