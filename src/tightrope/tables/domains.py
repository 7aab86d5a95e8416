"""Domains of columns: the values a column may hold, declared as text, and how cells match them.

`a/b/c` lists values; every other cell, and a missing one, counts as `(missing)` if that is
among them and as the first otherwise. `bins:0,10,20` cuts numbers into [0, 10) and [10, 20];
numbers outside count in the nearest cell. `sets:a/b/c` is for cells that hold several of the
items, written `a|c`, where others are left out; `{}` is the set of none. A cell is the number that
it is to a declared column (`tightrope.declarations`): the double nearest to what is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tightrope.errors import BadInput, BadTable
from tightrope.exact import fraction_of
from tightrope.spaces import Label, Space, categories, sets, split_names
from tightrope.tables.cells import NONE, doubles_of, each
from tightrope.tables.columns import MISSING, Listed, Matcher, cells_of, declared_type, value_type
from tightrope.tables.tables import Table, is_text

SEPARATOR: Final = "|"
EMPTY: Final = "{}"
MOST_ITEMS: Final = 10
"""Items of a set-valued column: its mechanism has a row for each of the 2^10 sets."""


@dataclass(frozen=True)
class Values:
    """A column of listed values."""

    space: Space

    def matcher(self, table: Table, name: str) -> Matcher:
        """Finds the values of this column."""
        points = tuple(self.space.points)
        cells_of(points, value_type(table, name), name)  # refused if it cannot hold them
        return Listed(points)

    def output_cells(self, outputs: Sequence[Label], name: str, *, text: bool = False) -> pa.Array:
        """The outputs of a mechanism as cells of a new column, by what is declared alone."""
        return cells_of(tuple(outputs), pa.string() if text else declared_type(outputs), name)


@dataclass(frozen=True)
class Bins:
    """A column of numbers, cut into cells: edges in increasing order.

    A last point `(missing)` is for missing cells.
    """

    space: Space
    edges: tuple[Fraction, ...]

    def matcher(self, table: Table, name: str) -> Matcher:
        """Finds the cell of every number of this column."""
        own = table.schema.field(table.position(name)).type
        value = own.value_type if pa.types.is_dictionary(own) else own
        number = pa.types.is_integer(value) or pa.types.is_floating(value)
        if not number and not is_text(value):
            raise BadTable(
                f"column {name!r} holds {own}; expected numbers to be cut into cells.", column=name
            )
        return _Cut(self.edges, missing=MISSING in self.space.points)

    def output_cells(self, outputs: Sequence[Label], name: str, *, text: bool = False) -> pa.Array:
        """The cells of the outputs as text; nothing for missing ones."""
        cells = [None if label == MISSING else str(label) for label in outputs]
        return pa.array(cells, pa.string())


@dataclass(frozen=True)
class Sets:
    """A column of sets of items, in the order of the items."""

    space: Space
    items: tuple[str, ...]

    def matcher(self, table: Table, name: str) -> Matcher:
        """Finds the set of every cell of this column."""
        if not is_text(value_type(table, name)):
            raise BadTable(f"column {name!r} holds no text; expected items as in a|c.", column=name)
        return _Members(self.items)

    def output_cells(self, outputs: Sequence[Label], name: str, *, text: bool = False) -> pa.Array:
        """The sets of the outputs as text."""
        return pa.array([self.text(label) for label in outputs], pa.string())

    def text(self, members: Label) -> str:
        """A set of item numbers as a cell.

        >>> read_domain("sets:tea/milk/honey").text((0, 2))
        'tea|honey'
        """
        assert isinstance(members, tuple)
        return SEPARATOR.join(self.items[int(i)] for i in members) or EMPTY  # type: ignore[arg-type]


Domain = Values | Bins | Sets


def read_domain(text: str, *, missing: bool = False) -> Domain:
    """The domain that a text declares; with `missing`, missing cells are a value of their own.

    >>> list(read_domain("bins:0,10,20").space.points)
    ['[0, 10)', '[10, 20]']
    >>> list(read_domain("no/yes", missing=True).space.points)
    ['no', 'yes', '(missing)']
    """
    kind, mark, rest = text.partition(":")
    if mark and kind in ("bins", "sets"):
        if kind == "bins":
            return _bins(rest, missing)
        if missing:
            raise BadInput(
                f"missing cells of {text[:40]!r} cannot be a value of their own; write {EMPTY} for "
                "a set of none, and (missing) among the values of the columns that have such cells."
            )
        return _sets(rest)
    names = split_names(text, trimmed=False)
    if missing and MISSING not in names:
        names.append(MISSING)
    if len(names) < 2:
        raise BadInput(f"expected values separated by /, as in no/yes, found {text!r:.60}.")
    return Values(categories(names))


def _bins(text: str, missing: bool) -> Bins:
    names = [part.strip() for part in text.split(",")]
    edges = tuple(fraction_of(name, "bounds as in bins:0,10,20") for name in names)
    if len(edges) < 3 or any(a >= b for a, b in pairwise(edges)):
        raise BadInput(
            f"expected at least three bounds in increasing order, as in bins:0,10,20, "
            f"found {text!r:.60}."
        )
    cells = [f"[{a}, {b})" for a, b in pairwise(names)]
    cells[-1] = f"{cells[-1][:-1]}]"
    return Bins(categories([*cells, *[MISSING] * missing]), edges)


def _sets(text: str) -> Sets:
    return item_sets(split_names(text, trimmed=False), f"{text!r:.60}")


def item_sets(names: Sequence[str], text: str) -> Sets:
    """The sets of these items; `text` is quoted where they cannot be."""
    items = tuple(names)
    odd = [item for item in items if not item or SEPARATOR in item or item == EMPTY]
    if odd or len(set(items)) != len(items) or not 2 <= len(items) <= MOST_ITEMS:
        raise BadInput(
            f"expected from 2 to {MOST_ITEMS} different items without {SEPARATOR}, as in "
            f"sets:a/b/c, found {text}."
        )
    return Sets(sets(len(items)), items)


@dataclass(frozen=True)
class _Cut:
    """The cell of each number; the last index for `missing` ones."""

    edges: tuple[Fraction, ...]
    missing: bool = False
    clamped: bool = False

    def positions(self, column: pa.Array) -> pa.Array:
        """The index of the cell; null for what is no number or out of bounds."""
        numbers = doubles_of(column)
        low, *between, high = map(float, self.edges)
        absent = np.isnan(numbers)
        if not self.clamped:
            absent |= (numbers < low) | (numbers > high)
        places = np.searchsorted(between, numbers, side="right")
        positions = pa.array(places.astype(np.int64), mask=absent)
        if not self.missing:
            return positions
        plain = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        return pc.if_else(pc.is_null(plain, nan_is_null=True), len(self.edges) - 1, positions)

    def nearest(self) -> Matcher:
        """One that counts numbers out of bounds in the first and the last cell."""
        return replace(self, clamped=True)


@dataclass(frozen=True)
class _Members:
    """The number of each set: item i counts 2^i."""

    items: tuple[str, ...]
    clamped: bool = False

    def positions(self, column: pa.Array) -> pa.Array:
        """The index of the set; null for what is missing or, unless clamped, holds another item."""
        places = each(column, self._number, NONE).astype(np.int64)
        return pa.array(places, mask=places == NONE)

    def nearest(self) -> Matcher:
        """One that leaves other items out."""
        return replace(self, clamped=True)

    def _number(self, text: str | None) -> int | None:
        if text is None:
            return None
        named = [] if text.strip() in ("", EMPTY) else [t.strip() for t in text.split(SEPARATOR)]
        odd = len(set(named)) != len(named) or not set(named) <= set(self.items)
        if odd and not self.clamped:
            return None
        return sum(1 << self.items.index(item) for item in {*named} & {*self.items})
