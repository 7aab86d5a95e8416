"""What a question needs of a table, and what one unit can change about it.

A part is whole numbers made from tallies, and the set of datasets that they are: from the
declaration alone follows by how much neighboring tables can differ there. That, and nothing in
the rows, decides on mechanism and error. Where there are several ways to answer, each is an
offer, and the plan takes the one that errs least.

A mean asks for two sums, of how far values are above the low bound and below the high one: every
row adds as much to both together, whatever its value, so that one level pays for both. A variance
asks for three such sums, of (1 - u)², 2u(1 - u) and u² for values u between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd

import numpy as np

from tightrope.characters import label_text
from tightrope.declarations import (
    Absent,
    All,
    AnyOf,
    Declaration,
    Filter,
    Neighbors,
    Not,
    NumberColumn,
    Tallied,
    Tally,
    conditions_in,
    read_filter,
)
from tightrope.errors import BadInput
from tightrope.releases.changes import changed_in_cells, changed_together
from tightrope.releases.optima import Target, space_of_range, target_of
from tightrope.releases.questions import CHOSEN, RANKED, Ask, Question
from tightrope.releases.resolutions import MOST_VALUES, with_resolution
from tightrope.releases.trees import Tree, trees
from tightrope.spaces import (
    LARGEST_RECORD,
    LONGEST_TOTALS,
    Lattice,
    Occupied,
    Tallies,
    Totals,
    ValueCounts,
)

MOST_POINTS = 1024
"""Points of a distribution function, where no bins are declared."""

Make = Callable[[Tallied], Sequence[int]]


@dataclass(frozen=True)
class Aim:
    """What a value is chosen for: rows below it against rows above it, or its frequency.

    `toward` is 1 or -1 for a rank that is counted from the top or the bottom, as far as it must
    be for the answer to lie among the rows.
    """

    below: int = 0
    above: int = 0
    toward: int = 0
    picks: int = 0


@dataclass(frozen=True)
class Part:
    """Whole numbers made from a tally; a number stands for `offset` and so many times `unit`.

    `largest` is declared of one number that is from 0 to that. With a `target` what is beyond
    counts as that, and the answer errs least in the sense of the target.
    """

    tally: Tally
    space: Tallies | Totals | ValueCounts | Lattice
    make: Make
    unit: Fraction = Fraction(1)
    aim: Aim = Aim()
    offset: Fraction = Fraction(0)
    largest: int | None = None
    target: Target | None = None

    def numbers(self, found: Tallied) -> list[int] | Occupied:
        """The exact statistic, before any noise: a curator's figure."""
        if isinstance(self.space, ValueCounts):
            return _occupied(found)
        numbers = [int(number) for number in self.make(found)]
        if self.target is None:
            return numbers
        return [min(max(number, 0), self.target.most) for number in numbers]


@dataclass(frozen=True)
class Offer:
    """One way to answer a question: its parts share the level evenly.

    `terms` noises are added up in an answer at most; `tree` says how.
    """

    parts: tuple[Part, ...]
    terms: int = 1
    tree: Tree | None = None


def offers_of(question: Question, declaration: Declaration) -> tuple[Offer, ...]:
    """All ways to answer a question: with unbiased noise, or the optimum that it asks for."""
    offers = _unbiased(question, with_resolution(question, declaration))
    if question.optimal is None:
        return offers
    return (Offer((_optimal(offers[0].parts[0], question),)),)


def _optimal(part: Part, question: Question) -> Part:
    """The part of one number in a range, to be answered with the least error there."""
    if part.largest is None or not isinstance(part.space, Tallies):
        raise BadInput("optimal is for one number in a declared range; declare size or most, and "
                       "ask without groups.")
    target = target_of(question, part.largest)
    return replace(part, space=space_of_range(part.space.change, target) or part.space,
                   target=target)


def _unbiased(question: Question, declaration: Declaration) -> tuple[Offer, ...]:
    where = All() if question.where is None else read_filter(question.where, declaration.columns)
    if _public(question, declaration):
        raise BadInput(f"the number of rows is public where neighbors replace one: it is "
                       f"{declaration.unit.size:,}.")
    match question.ask:
        case Ask.SUM | Ask.MEAN:
            return (_sums(question, declaration, where),)
        case Ask.VARIANCE:
            return (_variance(question, declaration, where),)
        case Ask.PROPORTION | Ask.COUNTS:
            return _conditions(question, declaration, where)
        case Ask.DISTRIBUTION:
            return _distribution(question, declaration, where)
        case ask if ask in RANKED or ask in CHOSEN:
            return _choices(question, declaration, where)
        case _:
            keys = (*question.columns, *question.by)
            tally = Tally(declaration, keys, where=where, people=question.ask is Ask.PEOPLE)
            rows = 1 if tally.people else declaration.unit.rows
            return (Offer((_in_range(_count(tally), _units(declaration, rows)),)),)


def divides_by_size(question: Question, declaration: Declaration) -> bool:
    """Whether answers are shares of a public number: every unit counts exactly once."""
    if question.ask not in (Ask.MEAN, Ask.PROPORTION, Ask.DISTRIBUTION):
        return False
    unit = declaration.unit
    return (unit.neighbors is Neighbors.REPLACE and unit.person is None and not question.by
            and question.where is None and _counts_all(question, declaration))


def _counts_all(question: Question, declaration: Declaration) -> bool:
    """Whether no row is left out: every cell has a value, and no condition is unknown."""
    asked = question.details if question.ask is Ask.PROPORTION else ()
    conditions = [each for text in asked
                  for each in conditions_in(read_filter(text, declaration.columns))]
    return all(declaration.column(name).is_total for name in question.columns) and all(
        isinstance(each, Absent) or each.column.is_total for each in conditions)


def _public(question: Question, declaration: Declaration) -> bool:
    return (question.ask is Ask.COUNT and declaration.unit.neighbors is Neighbors.REPLACE
            and declaration.unit.person is None and not question.by and question.where is None)


def _units(declaration: Declaration, each: int) -> int | None:
    """The most that all units give together, where their number is declared or public."""
    unit = declaration.unit
    units = unit.size if unit.size is not None else unit.most
    return None if units is None else units * each


def _in_range(part: Part, most: int | None) -> Part:
    """The part with the range of its number, if it is one."""
    single = isinstance(part.space, Tallies) and part.space.cells == 1
    return replace(part, largest=most) if single else part


def number_column(question: Question, declaration: Declaration) -> NumberColumn:
    """The column of a question that needs numbers."""
    column = declaration.column(question.columns[0])
    if not isinstance(column, NumberColumn):
        raise BadInput(f"the column {label_text(question.columns[0])!r} holds categories; a "
                       f"{question.ask.value} needs numbers.")
    return column


def _count(tally: Tally) -> Part:
    rows = tally.touched if tally.people else tally.declaration.unit.rows
    return Part(tally, changed_in_cells(tally, 0, rows), lambda found: found.counts)


def _sums(question: Question, declaration: Declaration, where: Filter) -> Offer:
    column = number_column(question, declaration)
    tally = Tally(declaration, tuple(question.by), (question.columns[0],), where)
    if question.ask is Ask.SUM:
        return Offer((_sum(tally, column),))
    if divides_by_size(question, declaration):
        return Offer((_sum(tally, column),))
    steps, rows = column.steps, declaration.unit.rows

    def both(found: Tallied) -> list[int]:
        return [number for count, code in zip(found.counts, *found.sums, strict=True)
                for number in (code, steps * count - code)]

    return Offer((Part(tally, changed_together(tally, 2, rows * steps), both),), 2)


def _sum(tally: Tally, column: NumberColumn) -> Part:
    """A sum of values, in the largest unit of which all are multiples.

    Where every unit counts exactly once, it is counted from the least that it can be.
    """
    declaration = tally.declaration
    if _counts_once(tally) and column.is_total:
        size = declaration.unit.size
        assert size is not None
        once = Part(tally, Tallies(1, 1, column.steps), lambda found: found.sums[0],
                    column.step, offset=size * column.low)
        return _in_range(once, size * column.steps)
    unit = _common(column.low, column.step)
    low, high = int(column.low / unit), int(column.high / unit)
    rows, codes = declaration.unit.rows, int(column.step / unit)
    least, most = rows * min(low, 0), rows * max(high, 0)
    start = _units(declaration, least) if tally.size == 1 else 0

    def added(found: Tallied) -> list[int]:
        return [low * count + codes * code - (start or 0)
                for count, code in zip(found.counts, *found.sums, strict=True)]

    space = changed_in_cells(tally, least, most)
    part = Part(tally, space, added, unit, offset=(start or 0) * unit)
    return _in_range(part, _units(declaration, most - least))


def _variance(question: Question, declaration: Declaration, where: Filter) -> Offer:
    column = number_column(question, declaration)
    tally = value_tally(question, declaration, where)
    top = column.steps
    if not top:
        raise BadInput("the column has one value, and no variance.")

    def three(found: Tallied) -> list[int]:
        sums = [0] * (3 * tally.size // tally.values)
        for cell, n in zip(found.cells or (), found.counts, strict=True):
            group, v = divmod(cell, tally.values)
            sums[3 * group] += n * (top - v) ** 2
            sums[3 * group + 1] += n * 2 * v * (top - v)
            sums[3 * group + 2] += n * v * v
        return sums

    groups = Tally(declaration, tuple(question.by), where=where)
    space = changed_together(groups, 3, declaration.unit.rows * top**2)
    return Offer((Part(tally, space, three),), 3)


def _conditions(
    question: Question, declaration: Declaration, where: Filter
) -> tuple[Offer, ...]:
    """Counts of several conditions, or of one and of its opposite, among the same kept rows."""
    filters = tuple(read_filter(text, declaration.columns) for text in question.details)
    unit, share = declaration.unit, question.ask is Ask.PROPORTION
    if share:  # rows of which the condition is unknown do not count
        where = All((where, AnyOf((filters[0], Not(filters[0])))))
    tally = Tally(declaration, tuple(question.by), where=where, conditions=filters)
    both = share and not divides_by_size(question, declaration)
    size, number = tally.size, len(filters) + both

    def counts(found: Tallied) -> list[int]:
        if both:
            return [count for met, rows in zip(*found.met, found.counts, strict=True)
                    for count in (met, rows - met)]
        return [met[cell] for cell in range(size) for met in found.met]

    # a kept row is on one side of a condition, and may meet several
    space = changed_together(tally, number, unit.rows * (1 if share else number))
    if size == 1:  # whatever becomes of a unit, no count moves by more than its rows
        change = min(space.change, number * unit.rows)
        space = Tallies(number, min(space.touched, change), change)
    part = Part(tally, space, counts)
    offers = [Offer((_in_range(part, _units(declaration, unit.rows)),))]
    if question.ask is Ask.COUNTS and size == 1 and 1 < number <= LONGEST_TOTALS:
        people = min(2**40, (LARGEST_RECORD - 1) // unit.rows)
        offers.append(Offer((Part(tally, Totals(people, unit.rows, number), counts),)))
    return tuple(offers)


def _choices(question: Question, declaration: Declaration, where: Filter) -> tuple[Offer, ...]:
    """A value for each quantile, an extreme one, or the most frequent ones."""
    column = declaration.column(question.columns[0])
    if question.ask in CHOSEN:
        tally = (value_tally(question, declaration, where) if column.cells == () else
                 Tally(declaration, (*question.by, question.columns[0]), where=where))
        return (Offer((_values(tally, Aim(picks=question.picks)),)),)
    number_column(question, declaration)
    tally = value_tally(question, declaration, where)
    aims = {Ask.MINIMUM: [Aim(1, 0, -1)], Ask.MAXIMUM: [Aim(0, 1, 1)]}.get(question.ask) or [
        Aim(p.denominator - p.numerator, p.numerator) for p in question.probabilities]
    offers = [Offer(tuple(_values(tally, aim) for aim in aims))]
    if len(aims) > 1 and tally.size <= MOST_VALUES:
        offers += [_in_tree(tally, tree) for tree in trees(tally.shape[-1])]
    return tuple(offers)


def _values(tally: Tally, aim: Aim) -> Part:
    unit = tally.declaration.unit
    removed = unit.rows if unit.neighbors is Neighbors.REPLACE else 0
    values = tally.shape[-1]
    space = ValueCounts(tally.size // values, values, unit.rows, removed)
    return Part(tally, space, lambda found: found.counts, aim=aim)


def _occupied(found: Tallied) -> Occupied:
    """The values that occur, of a tally of all values or of those alone."""
    if found.cells is None:
        return Occupied.among(np.array(found.counts, dtype=np.int64))
    return Occupied(np.array(found.cells, dtype=np.int64), np.array(found.counts, dtype=np.int64))


def _distribution(
    question: Question, declaration: Declaration, where: Filter
) -> tuple[Offer, ...]:
    column = number_column(question, declaration)
    tally = (Tally(declaration, (*question.by, question.columns[0]), where=where) if column.bins
             else value_tally(question, declaration, where,
                              fine=-(-(column.steps + 1) // _points(question, declaration))))
    return tuple(_in_tree(tally, tree) for tree in trees(tally.shape[-1]))


def _points(question: Question, declaration: Declaration) -> int:
    """The most points of each group's distribution function, where no bins are declared."""
    groups = Tally(declaration, tuple(question.by)).size
    return max(min(MOST_POINTS, MOST_VALUES // groups), 2)


def _in_tree(tally: Tally, tree: Tree) -> Offer:
    """Counts of blocks of values, in levels: each row is in one block of every level."""
    groups = tally.size // tree.values
    base = changed_in_cells(tally, 0, tally.declaration.unit.rows)
    space = Tallies(groups * tree.nodes, base.touched * tree.levels, base.change * tree.levels)

    def blocks(found: Tallied) -> list[int]:
        counts = _occupied(found).listed(tally.size).reshape(groups, tree.values)
        return [number for own in counts for number in tree.sums(own)]

    return Offer((Part(tally, space, blocks),), tree.terms, tree)


def value_tally(
    question: Question, declaration: Declaration, where: Filter, fine: int = 1
) -> Tally:
    """How often each value of a column occurs, by the other keys, or each block of so many."""
    return Tally(declaration, (*question.by, question.columns[0]), where=where, fine=fine)


def _counts_once(tally: Tally) -> bool:
    """Whether neighbors replace one row that is never left out."""
    unit = tally.declaration.unit
    return (unit.neighbors is Neighbors.REPLACE and unit.person is None
            and not tally.keys and tally.where == All())


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
