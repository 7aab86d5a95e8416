"""Labels of a space as the values of a column, and back.

A column holds text, whole numbers or true/false, plain or dictionary-encoded. The label 3
is the number 3 in a column of numbers; the labels "true" and "false", or 1 and 0, are the two
values of a column of truth values. Texts are matched as those of a declared category are: by the
same text, else the same number ("3.0" is 3), else the same truth ("True" is true and 1).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tightrope.data.tables import Table, is_text
from tightrope.declarations import CategoryColumn
from tightrope.errors import BadTable
from tightrope.spaces import Label

MISSING: Final = "(missing)"
"""The label of missing cells, where they are a value of their own."""
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,38}", re.ASCII)


def stand_in(points: Sequence[Label]) -> int:
    """The position of the label that every cell without a declared value counts as.

    >>> stand_in(("no", "yes")), stand_in(("no", "yes", MISSING))
    (0, 2)
    """
    return points.index(MISSING) if MISSING in points else 0


_WHOLE_CELL = "^(0|-?[1-9][0-9]{0,17})$"
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_MOST_TOLD = 1000


class Matcher(Protocol):
    """Finds the label of each value of a column."""

    def positions(self, column: pa.Array) -> pa.Array:
        """The index of each value's label; null for a missing value or one without label."""

    def nearest(self) -> Matcher:
        """One that finds the nearest label of a value without its own, where there is such."""


@dataclass(frozen=True)
class Listed:
    """Labels that are listed, as values of the type of the column."""

    cells: pa.Array

    def positions(self, column: pa.Array) -> pa.Array:
        """The index of each value among the cells; a missing one matches a missing cell."""
        if pa.types.is_dictionary(column.type):
            found = self.positions(column.dictionary).take(column.indices)
            if not self.cells.null_count:
                return found
            own = pc.index_in(pa.nulls(1, self.cells.type), value_set=self.cells)[0]
            return pc.if_else(pc.is_null(column.indices), own, found)
        if column.type != self.cells.type:
            column = column.cast(self.cells.type)
        exact = pc.index_in(column, value_set=self.cells)
        return self._by_meaning(column, exact) if is_text(self.cells.type) else exact

    def nearest(self) -> Matcher:
        """Itself: listed values are not near each other."""
        return self

    def _by_meaning(self, column: pa.Array, exact: pa.Array) -> pa.Array:
        """Positions where texts that match no cell exactly match one by number or truth."""
        coded = pc.if_else(pc.is_null(exact), column, None).dictionary_encode()
        places = [self._place(text) for text in coded.dictionary.to_pylist()]
        return pc.coalesce(exact, pa.array(places, exact.type).take(coded.indices))

    def _place(self, text: str) -> int | None:
        place = self._category.place(text)
        return None if place is None else self.cells.index(self._category.values[place]).as_py()

    @cached_property
    def _category(self) -> CategoryColumn:
        return CategoryColumn(self.cells.drop_null().to_pylist())


@dataclass(frozen=True)
class Range:
    """Labels that are the whole numbers from low to high."""

    low: int
    high: int
    clamped: bool = False

    def positions(self, column: pa.Array) -> pa.Array:
        """How far each value lies above `low`; if `clamped`, others are moved to the ends."""
        if pa.types.is_dictionary(column.type):
            return self.positions(column.dictionary).take(column.indices)
        if is_text(column.type):
            whole = pc.match_substring_regex(column, _WHOLE_CELL)
            column = pc.if_else(whole, column, None).cast(pa.int64())
        if self.clamped:
            column = pc.max_element_wise(pc.min_element_wise(
                column, self.high, skip_nulls=False), self.low, skip_nulls=False)
        inside = pc.and_(
            pc.greater_equal(column, self.low), pc.less_equal(column, self.high)
        )
        kept = pc.if_else(inside, column, None).cast(pa.int64())
        return pc.subtract(kept, pa.scalar(self.low, pa.int64()))

    def nearest(self) -> Matcher:
        """One that moves other numbers to the ends."""
        return replace(self, clamped=True)


def value_type(table: Table, column: str) -> pa.DataType:
    """The type of the values of a column that can be matched with labels."""
    kind = table.schema.field(table.position(column)).type
    value = kind.value_type if pa.types.is_dictionary(kind) else kind
    if is_text(value):
        return pa.string()
    if pa.types.is_integer(value) or pa.types.is_boolean(value):
        return value
    raise BadTable(
        f"column {column!r} holds {kind}; expected text, whole numbers or true/false (numbers of "
        "other kinds can be cut into cells, as in bins:0,10,20).",
        column=column,
    )


def cells_of(labels: Sequence[Label], kind: pa.DataType, column: str) -> pa.Array:
    """One value of the column's type for each label; none for the label of missing cells.

    >>> cells_of([1, 2, MISSING], pa.string(), "answer").to_pylist()
    ['1', '2', None]
    >>> cells_of(["false", "true"], pa.bool_(), "answer").to_pylist()
    [False, True]
    """
    values = [None if label == MISSING else _cell(label, kind, column) for label in labels]
    if len(set(values)) != len(values):
        twice = next(value for value, times in Counter(values).items() if times > 1)
        raise BadTable(
            f"two declared values are the same in column {column!r}: {twice!r}.", column=column
        )
    try:
        return pa.array(values, type=kind)
    except (pa.ArrowInvalid, OverflowError):
        raise BadTable(
            f"column {column!r} holds {kind}, which is too narrow for the declared values.",
            column=column,
        ) from None


def declared_type(labels: Sequence[Label]) -> pa.DataType:
    """The type of a drawn column, a function of its declared values alone.

    The type that a column had would tell: one odd cell turns whole numbers into others.

    >>> [str(declared_type(labels)) for labels in ([1, 2, MISSING], ["false", "true"], ["a", 1])]
    ['int64', 'bool', 'string']
    """
    texts = [str(label) for label in labels if label != MISSING]
    if all(_WHOLE.fullmatch(text) and abs(int(text)) < 2**63 for text in texts):
        return pa.int64()
    if all(text.lower() in ("true", "false") for text in texts):
        return pa.bool_()
    return pa.string()


def codes_of(positions: pa.Array) -> NDArray[Any] | None:
    """Positions as an array of numbers, or None if some value had no label."""
    if positions.null_count:
        return None
    codes: NDArray[Any] = positions.to_numpy(zero_copy_only=False)
    return codes


class Outsiders:
    """What a column holds beside its declared values, gathered batch by batch.

    Only a curator is told how many such values there are and which; for anyone else the
    error says that there is one, and carries nothing more. Of a column that was `randomized`
    the outputs of its mechanism are expected.
    """

    def __init__(self, column: str, *, randomized: bool = False) -> None:
        self._column = column
        self._expected = "outputs of the mechanism" if randomized else "declared ones"
        self._reason = (
            "so it went through another mechanism or none, and nothing was estimated"
            if randomized
            else "so nothing was done"
        )
        self._missing = 0
        self._outside = 0
        self._values: Counter[Any] = Counter()
        self.found = False

    def note(self, column: pa.Array, positions: pa.Array, *, curator: bool) -> None:
        """Look at a batch and at the positions that were found for it."""
        if not positions.null_count:
            return
        self.found = True
        if not curator:
            return
        unmatched = column.filter(pc.is_null(positions))
        if pa.types.is_dictionary(unmatched.type):
            unmatched = unmatched.dictionary_decode()
        present = unmatched.drop_null()
        self._missing += len(unmatched) - len(present)
        self._outside += len(present)
        for entry in pc.value_counts(present).to_pylist():
            if entry["values"] in self._values or len(self._values) < _MOST_TOLD:
                self._values[entry["values"]] += entry["counts"]

    def error(self, *, curator: bool) -> BadTable:
        """What is raised about them."""
        if not curator:
            return BadTable(
                f"column {self._column!r} holds a missing value or a value outside the "
                f"{self._expected}, {self._reason}; how many and which is not private and told "
                "only on request (curator).",
                column=self._column,
            )
        common = self._values.most_common(10)
        told = ", ".join(f"{value!r} ({count})" for value, count in common)
        more = ", …" if len(self._values) > len(common) else ""
        return BadTable(
            f"column {self._column!r} holds {self._missing} missing values and {self._outside} "
            f"values outside the {self._expected}{': ' if told else ''}{told}{more} "
            f"(curator only, not private); {self._reason.removeprefix('so ')}.",
            column=self._column,
            missing=self._missing,
            outside=self._outside,
            values=dict(common),
        )


def _cell(label: Label, kind: pa.DataType, column: str) -> Any:
    found: Any = None
    if isinstance(label, int | str) and not isinstance(label, bool):
        if is_text(kind):
            found = str(label)
        elif pa.types.is_boolean(kind):
            found = _TRUTH.get(str(label).lower())
        elif _WHOLE.fullmatch(str(label)):
            found = int(label)
    if found is None:
        raise BadTable(
            f"the declared value {label!r} cannot stand in column {column!r}, which holds {kind}.",
            column=column,
        )
    return found


def column_of(drawn: NDArray[Any], cells: pa.Array | None, kind: pa.DataType) -> pa.Array:
    """Drawn outputs as a column: indices into the cells, or (without cells) the numbers."""
    if cells is None:
        numbers = [str(number) for number in drawn] if drawn.dtype == object else drawn
        return pa.array(numbers).cast(kind)
    return cells.take(pa.array(drawn.astype(np.int32))).cast(kind)
