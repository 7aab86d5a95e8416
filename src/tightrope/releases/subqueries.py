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
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tightrope.characters import label_text
from tightrope.declarations import (
    All,
    Declaration,
    Filter,
    KeyTally,
    Neighbors,
    NumberColumn,
    Tallied,
    Tally,
    TimeColumn,
    read_filter,
)
from tightrope.errors import BadInput
from tightrope.releases.accuracy import NOISE, Accuracy, Keyed, Noise
from tightrope.releases.trees import Tree
from tightrope.spaces import KeyCounts, Lattice, Occupied, Tallies, Totals, ValueCounts

if TYPE_CHECKING:
    from tightrope.releases.optima import Target

MOST_VALUES = 2**20
"""Values of all groups together that a tree has a number for."""

Evaluate = Callable[[Tallied], Sequence[int]]


@dataclass(frozen=True)
class Rows:
    """The rows that a question is about: of a declared table, in groups, where a condition holds.

    A declared resolution is kept. Without one, sums take the default of the column, ranks err more
    the more steps there are, and statistics that tell values apart ask for one, or for bins.
    """

    declaration: Declaration
    by: tuple[str, ...] = ()
    condition: str | None = None

    @cached_property
    def where(self) -> Filter:
        """The condition, read with the resolutions of the declaration."""
        columns = self.declaration.columns
        return All() if self.condition is None else read_filter(self.condition, columns)

    def tally(self, *keys: str, **options: Any) -> Tally:
        """A tally of each group, by further keys."""
        return Tally(self.declaration, (*self.by, *keys), where=self.where, **options)

    def with_steps(self, name: str, least: int) -> Rows:
        """The rows with a column of at least so many steps, where no resolution is declared."""
        column = self.declaration.column(name)
        if not isinstance(column, NumberColumn):
            return self
        columns = {**self.declaration.columns, name: column.with_steps(least, MOST_VALUES)}
        return replace(self, declaration=replace(self.declaration, columns=columns))

    def check_values(self, name: str, statistic: str) -> None:
        """Refuse a column of numbers without resolution and bins."""
        column = self.declaration.column(name)
        if isinstance(column, NumberColumn) and column.resolution is None and not column.bins:
            raise BadInput(f"a {statistic} tells values apart: declare the resolution or the bins "
                           f"of the column {label_text(name)!r}.")

    def public_size(self, *, total: bool) -> int | None:
        """The public number of rows, where each counts exactly once; `total` if none is left out.
        """
        unit = self.declaration.unit
        once = unit.neighbors is Neighbors.REPLACE and unit.person is None and not self.by
        return unit.size if once and self.where == All() and total else None

    @property
    def unit(self) -> str:
        """The unit of counts: rows, or those that are kept of people's rows."""
        return "rows" if self.declaration.unit.person is None else "kept rows"

def number_column(declaration: Declaration, name: str, statistic: str) -> NumberColumn:
    """A column of numbers, which a statistic needs."""
    column = ordered_column(declaration, name, statistic)
    if isinstance(column, TimeColumn):
        raise BadInput(f"the column {label_text(name)!r} holds {column.clock}s, which do not add "
                       f"up to a {statistic}: ask for its median, quantiles, minimum or maximum.")
    return column


def ordered_column(declaration: Declaration, name: str, statistic: str) -> NumberColumn:
    """A column of numbers, dates or times, in which there are ranks."""
    column = declaration.column(name)
    if not isinstance(column, NumberColumn):
        raise BadInput(f"the column {label_text(name)!r} holds categories; a {statistic} needs "
                       "numbers.")
    return column


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
    the sense of the target. `counted` says whether keys that are not declared have counts.
    """

    tally: Tally | KeyTally
    space: Tallies | Totals | ValueCounts | KeyCounts | Lattice
    evaluate: Evaluate
    unit: Fraction = Fraction(1)
    score: Score = Score()
    offset: Fraction = Fraction(0)
    each: int = 1
    largest: int | None = None
    target: Target | None = None
    counted: bool = True

    @property
    def by_cells(self) -> Tally:
        """The tally, where it is by declared cells."""
        assert isinstance(self.tally, Tally)
        return self.tally

    def numbers(self, tallied: Tallied) -> list[int] | Occupied:
        """The exact statistic, before any noise: a curator's figure."""
        if isinstance(self.space, ValueCounts):
            return occupied_values(tallied)
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
    unit_of_error: str
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
        noisy = isinstance(self.accuracy, Noise | Keyed)
        return noisy and self.range_length is None and not self.signed


def count_cells(rows: Rows, *columns: str, people: bool = False) -> Strategy:
    """Counts of rows, or people, in cells that do not overlap, so that their sums are counts."""
    tally = Tally(rows.declaration, (*columns, *rows.by), where=rows.where, people=people)
    each = 1 if people else rows.declaration.unit.rows
    space = cell_sensitivity(tally, 0, tally.touched if people else each)
    subquery = Subquery(tally, space, lambda tallied: tallied.counts)
    unit = rows.declaration.unit.nouns if people else rows.unit
    return Strategy((in_range(subquery, each),), unit, sums=sum_of_cells(tally))


def sum_of_cells(tally: Tally) -> tuple[tuple[str, int], ...]:
    """The sum of all cells, where there are several."""
    return (("sum of all cells", tally.size),) if tally.size > 1 else ()


def choose_values(tally: Tally, score: Score) -> Subquery:
    """How often each value of the last key occurs, for a choice by score in every group."""
    unit = tally.declaration.unit
    added = unit.rows if tally.once is None else 1
    removed = added if unit.neighbors is Neighbors.REPLACE else 0
    values = tally.shape[-1]
    space = ValueCounts(tally.size // values, values, added, removed)
    return Subquery(tally, space, lambda tallied: tallied.counts, score=score)


def tree_subquery(tally: Tally, tree: Tree) -> Subquery:
    """Counts of blocks of values, in levels: each row is in one block of every level."""
    groups = tally.size // tree.values
    leaves, nodes = cell_sensitivity(tally, 0, tally.declaration.unit.rows), groups * tree.nodes
    space = Tallies(nodes, min(leaves.touched * tree.levels, nodes), leaves.change * tree.levels)

    def blocks(tallied: Tallied) -> list[int]:
        counts = occupied_values(tallied).listed(tally.size).reshape(groups, tree.values)
        return [number for group in counts for number in tree.sums(group)]

    return Subquery(tally, space, blocks)


def occupied_values(tallied: Tallied) -> Occupied:
    """The values that occur, of a tally of all values or of those alone."""
    counts = np.array(tallied.counts, dtype=np.int64)
    if tallied.cells is None:
        return Occupied.among(counts)
    return Occupied(np.array(tallied.cells, dtype=np.int64), counts)


def most_of_all(declaration: Declaration, each: int) -> int | None:
    """The most that all units give together, where their number is declared or public."""
    unit = declaration.unit
    units = unit.size if unit.size is not None else unit.most
    return None if units is None else units * each


def in_range(subquery: Subquery, each: int) -> Subquery:
    """The subquery with the range of its number, if it is one; a unit gives at most so much."""
    if not isinstance(subquery.space, Tallies) or subquery.space.cells > 1:
        return subquery
    return replace(subquery, largest=most_of_all(subquery.tally.declaration, each))


def cell_sensitivity(tally: Tally, least: int, most: int) -> Tallies:
    """L0 and L1 sensitivity of one number a cell; a unit adds from `least` to `most` in total."""
    unit = tally.declaration.unit
    l0, l1 = tally.touched, max(-least, most)
    if unit.neighbors is Neighbors.REPLACE:
        # one cell: from the least to the most; several: one set of cells for another
        l0, l1 = min(2 * l0, tally.size), most - least if tally.size == 1 else 2 * l1
    return Tallies(tally.size, min(l0, l1), l1)


def joint_sensitivity(tally: Tally, numbers: int, total: int) -> Tallies:
    """L0 and L1 sensitivity of several numbers a cell; a unit adds at most `total` to all."""
    l0, l1 = tally.touched * numbers, total
    if tally.declaration.unit.neighbors is Neighbors.REPLACE:
        l0, l1 = 2 * l0, 2 * l1
    cells = tally.size * numbers
    return Tallies(cells, min(l0, cells, l1), l1)
