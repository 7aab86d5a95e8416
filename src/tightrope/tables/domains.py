"""Domains of columns: the values a column may hold, declared as text, and how cells match them.

`a/b/c` lists values. `bins:0,10,20` cuts numbers into [0, 10) and [10, 20]; numbers outside count
in the nearest cell. `sets:a/b/c` is for cells that hold several of the items, written `a|c`, where
others are left out; `{}` is the set of none. `sets3:a/b/c` is for at most three of any number of
items. Every other cell, and a missing one, counts as `(missing)` if that is declared, as the value
that is named for it, or as the first (for sets: `{}`). A cell is the number that it is to a
declared column (`tightrope.declarations`): the double nearest to what is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tightrope.declarations import as_text
from tightrope.errors import BadInput, BadTable
from tightrope.exact import fraction_of
from tightrope.spaces import Label, Space, categories, sets, split_names
from tightrope.tables.cells import NONE, doubles_of, each
from tightrope.tables.columns import (
    MISSING,
    Listed,
    Matcher,
    cells_of,
    declared_type,
    stand_in,
    value_type,
)
from tightrope.tables.tables import Table, is_text

SEPARATOR: Final = "|"
EMPTY: Final = "{}"
MOST_ITEMS: Final = 10
"""Items of sets of any size: the mechanism has a row for each of the 2^10 sets."""
_SETS = re.compile(r"sets([1-9][0-9]{0,5})?", re.ASCII)
_NEARLY = re.compile(r"\s*(?:bin|cell|item|range|set)s?\s*[0-9]*\s*", re.ASCII | re.IGNORECASE)
"""Mistyped `bins` and `sets`: as a value they would match no cell."""


class _Absent:
    """The place of the point that cells without a declared value count as."""

    space: Space
    absent: int | None

    @property
    def stand_in(self) -> int:
        """The place that was named, else that of `(missing)`, else the first."""
        return stand_in(self.space.points) if self.absent is None else self.absent


@dataclass(frozen=True)
class Values(_Absent):
    """A column of listed values; `absent` is the place that other cells count as, if named."""

    space: Space
    absent: int | None = None

    def matcher(self, table: Table, name: str) -> Matcher:
        """Finds the values of this column."""
        points = tuple(self.space.points)
        cells_of(points, value_type(table, name), name)  # refused if it cannot hold them
        return Listed(points)

    def output_cells(self, outputs: Sequence[Label], name: str, *, text: bool = False) -> pa.Array:
        """The outputs of a mechanism as cells of a new column, by what is declared alone."""
        return cells_of(tuple(outputs), pa.string() if text else declared_type(outputs), name)


@dataclass(frozen=True)
class Bins(_Absent):
    """A column of numbers, cut into cells: edges in increasing order.

    A last point `(missing)` is for missing cells; `absent` is the place that they and texts of
    no number count as, if named.
    """

    space: Space
    edges: tuple[Fraction, ...]
    absent: int | None = None

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
class Sets(_Absent):
    """A column of sets of items, in the order of the items.

    Sets of any size are points of the space. If a cell holds at most `most` items, one place of
    so many is drawn for each row; the points are then the items and, for an empty place, `{}`.
    """

    space: Space
    items: tuple[str, ...]
    most: int | None = None
    absent: int | None = None

    @property
    def stand_in(self) -> int:
        """The set that was named, else that of `(missing)`, else that of none."""
        if self.absent is None and MISSING in self.items:
            return 1 << self.items.index(MISSING)
        return self.absent or 0

    def matcher(self, table: Table, name: str) -> Members:
        """Finds the set of every cell of this column."""
        kind = table.schema.field(table.position(name)).type
        value = kind.value_type if pa.types.is_dictionary(kind) or _is_list(kind) else kind
        if not is_text(value):
            raise BadTable(
                f"column {name!r} holds {kind}; expected items as in a|c, or lists of texts.",
                column=name)
        return Members(self.items, self.most)

    def output_cells(self, outputs: Sequence[Label], name: str, *, text: bool = False) -> pa.Array:
        """The sets of the outputs as text."""
        cells = map(str, outputs) if self.most else map(self.text, outputs)
        return pa.array(list(cells), pa.string())

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
    >>> read_domain("sets2:tea/milk/honey").most
    2
    """
    kind, mark, rest = text.partition(":")
    if mark and kind == "bins":
        return _bins(rest, missing)
    if mark and (of_sets := _SETS.fullmatch(kind)):
        names = split_names(rest, trimmed=False)
        most = None if of_sets[1] is None else int(of_sets[1])
        return item_sets(_with_missing(names, missing), f"{rest!r:.60}", most)
    if mark and _NEARLY.fullmatch(kind):
        raise BadInput("expected cells of numbers as in bins:0,10,20, sets of items as in "
                       f"sets:a/b/c, or at most three items as in sets3:a/b/c, found {text!r:.60}.")
    names = _with_missing(split_names(text, trimmed=False), missing)
    if len(names) < 2:
        raise BadInput(f"expected values separated by /, as in no/yes, or cells of "
                       f"numbers, as in bins:0,10,20, found {text!r:.60}.")
    return Values(categories(names))


def counting_missing_as(domain: Domain, value: str) -> Domain:
    """The same domain, in which cells that hold no declared value count as this one.

    A number counts in its cell, and items as in a cell count as their set.

    >>> ages = counting_missing_as(read_domain("bins:0,10,20"), "12")
    >>> ages.space.points[ages.stand_in]
    '[10, 20]'

    Raises: `BadInput` for a value that is not declared.
    """
    cells = pa.array([value], pa.large_string())
    matcher: Matcher
    match domain:
        case Values():
            matcher = Listed(tuple(domain.space.points))
        case Bins():
            matcher = _Cut(domain.edges, missing=MISSING in domain.space.points)
        case Sets(most=None):
            matcher = Members(domain.items)
        case Sets():
            raise BadInput(f"missing cells cannot count as {value!r:.60}, which is not declared: "
                           "of sets of at most so many items, they are first ({}) or value.")
    (place,) = matcher.positions(cells).to_pylist()
    if place is None and value in domain.space.points:
        place = domain.space.points.index(value)
    if place is None:
        raise BadInput(f"missing cells cannot count as {value!r:.60}, which is not declared; "
                       "expected first, value (one of their own), or a declared value.")
    return replace(domain, absent=place)


def missing_text(domain: Domain) -> str:
    """The value that cells without a declared one count as, as people read it."""
    if not isinstance(domain, Sets):
        return str(domain.space.points[domain.stand_in])
    return SEPARATOR.join(item for place, item in enumerate(domain.items)
                          if domain.stand_in >> place & 1) or EMPTY


def _with_missing(names: list[str], missing: bool) -> list[str]:
    return [*names, *[MISSING] * (missing and MISSING not in names)]


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


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


def item_sets(names: Sequence[str], text: str, most: int | None = None) -> Sets:
    """The sets of these items, of at most so many; `text` is quoted where they cannot be."""
    items = tuple(names)
    odd = [item for item in items if not item or SEPARATOR in item or item == EMPTY]
    if odd or len(set(items)) != len(items) or len(items) < 2:
        raise BadInput(
            f"expected two or more different items without {SEPARATOR}, as in sets:a/b/c, "
            f"found {text}."
        )
    if most is None and len(items) > MOST_ITEMS:
        raise BadInput(
            f"sets of any size have at most {MOST_ITEMS} items, found {len(items)}: say how many "
            "items a cell holds at most, as in sets3:a/b/c."
        )
    if most is None:
        return Sets(sets(len(items)), items)
    if most > len(items):
        raise BadInput(f"a cell holds at most all {len(items)} items, found sets{most}.")
    return Sets(categories((*items, EMPTY)), items, most)


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
class Members:
    """The number of each set: item i counts 2^i; of large sets, the items themselves."""

    items: tuple[str, ...]
    most: int | None = None
    clamped: bool = False

    def positions(self, column: pa.Array) -> pa.Array:
        """The index of the set; null for what is missing or, unless clamped, is not declared.

        Of sets of at most `most` items it is 0: they have no index.
        """
        if self.most is not None:
            known = each(column, lambda cell: None if self.members(cell) is None else 0, NONE)
            return pa.array(known.astype(np.int64), mask=known == NONE)
        places = each(column, self._number, NONE).astype(np.int64)
        return pa.array(places, mask=places == NONE)

    def nearest(self) -> Members:
        """One that leaves other items out."""
        return replace(self, clamped=True)

    def members(self, cell: Any) -> tuple[int, ...] | None:
        """The items of a cell by their places; None for what is missing or not declared."""
        texts = items_of(cell)
        if texts is None:
            return None
        known = {self._places[text] for text in texts if text in self._places}
        odd = len(known) != len(texts) or (self.most is not None and len(known) > self.most)
        return None if odd and not self.clamped else tuple(sorted(known))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {item: place for place, item in enumerate(self.items)}

    def _number(self, cell: Any) -> int | None:
        members = self.members(cell)
        return None if members is None else sum(1 << place for place in members)


def set_text(cell: Any) -> str | None:
    """A list of items as the text of its set; a text as it is.

    An item with the separator in it is not declared, and stays one item that is not.

    >>> set_text(["tea", "milk"]), set_text("tea|milk"), set_text(["tea|milk"]), set_text([])
    ('milk|tea', 'tea|milk', 'tea¦milk', '{}')
    """
    if not isinstance(cell, list | tuple | set | frozenset | np.ndarray):
        return as_text(cell)
    try:
        texts = sorted(as_text(item) or "" for item in cell)
    except Exception:  # no cell is refused: one without items is missing
        return None
    return SEPARATOR.join(text.replace(SEPARATOR, "¦") for text in texts) or EMPTY


def items_of(cell: Any) -> list[str] | None:
    """The items that a cell names: a text as in a|c, or a list of texts; None if it is missing."""
    if isinstance(cell, str):
        texts: Iterable[Any] = () if cell.strip() in ("", EMPTY) else cell.split(SEPARATOR)
    elif isinstance(cell, list):
        texts = cell
    else:
        return None
    return [text.strip() if isinstance(text, str) else "" for text in texts]
