"""Labels of a space as the values of a column, and back.

A column holds text, numbers or true/false, plain or dictionary-encoded. What a cell is, the rule
of declared categories says (`tightrope.declarations`): the label 3 is the number 3, also as a
float, and the texts "3" and "3.0"; "true" and "false", or 1 and 0, are the two truth values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tightrope.declarations import CategoryColumn, as_double, as_text, numeral
from tightrope.errors import BadTable
from tightrope.spaces import Label
from tightrope.tables.cells import NONE, each
from tightrope.tables.tables import Table, is_text

MISSING: Final = "(missing)"
"""The label of missing cells, where they are a value of their own."""
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,38}", re.ASCII)


def stand_in(points: Sequence[Label]) -> int:
    """The position of the label that every cell without a declared value counts as.

    >>> stand_in(("no", "yes")), stand_in(("no", "yes", MISSING))
    (0, 2)
    """
    return points.index(MISSING) if MISSING in points else 0


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
    """Labels that are listed, as the categories of a declared column are read.

    A cell is a label if its text is the same, then if both are the same number, then if both are
    true or both false. A missing cell is the label of missing ones.
    """

    labels: tuple[Label, ...]

    def positions(self, column: pa.Array) -> pa.Array:
        """The index of each value's label."""
        return _positions(column, self._category_column.code)

    def nearest(self) -> Matcher:
        """Itself: listed values are not near each other."""
        return self

    @cached_property
    def _category_column(self) -> CategoryColumn:
        return CategoryColumn(self.labels, missing=MISSING if MISSING in self.labels else None)


@dataclass(frozen=True)
class Range:
    """Labels that are the whole numbers from low to high."""

    low: int
    high: int
    clamped: bool = False

    def positions(self, column: pa.Array) -> pa.Array:
        """How far each value lies above `low`; if `clamped`, others are moved to the ends."""
        return _positions(column, self._place)

    def _place(self, cell: Any) -> int | None:
        number = numeral(as_text(cell) or "")
        if number is None or not _WHOLE.fullmatch(number):
            return None
        inside = min(max(int(number), self.low), self.high)
        return inside - self.low if self.clamped or inside == int(number) else None

    def nearest(self) -> Matcher:
        """One that moves other numbers to the ends."""
        return replace(self, clamped=True)


def _positions(column: pa.Array, place: Callable[[Any], int | None]) -> pa.Array:
    """The place of each cell, null for None."""
    places = each(column, place, NONE).astype(np.int64)
    return pa.array(places, mask=places == NONE)


def value_type(table: Table, column: str) -> pa.DataType:
    """The type of the values of a column that can be matched with labels."""
    kind = table.schema.field(table.position(column)).type
    value = kind.value_type if pa.types.is_dictionary(kind) else kind
    if is_text(value):
        return pa.string()
    if pa.types.is_integer(value) or pa.types.is_floating(value) or pa.types.is_boolean(value):
        return value
    raise BadTable(
        f"column {column!r} holds {kind}; expected text, numbers or true/false (numbers can be cut "
        "into cells, as in bins:0,10,20).",
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
    """Values of a column beside its declared ones, gathered batch by batch.

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

    def add(self, other: Outsiders) -> None:
        """Take in those of another part of the column."""
        self.found = self.found or other.found
        self._missing += other._missing
        self._outside += other._outside
        self._values.update(other._values)

    def error(self, *, curator: bool) -> BadTable:
        """The error to raise about them."""
        if not curator:
            return BadTable(
                f"column {self._column!r} holds a missing value or a value outside the "
                f"{self._expected}, {self._reason}; how many and which is not private and told "
                "only on request (curator).",
                column=self._column,
            )
        common = self._values.most_common(10)
        listed = ", ".join(f"{value!r} ({count})" for value, count in common)
        more = ", …" if len(self._values) > len(common) else ""
        return BadTable(
            f"column {self._column!r} holds {self._missing} missing values and {self._outside} "
            f"values outside the {self._expected}{': ' if listed else ''}{listed}{more} "
            f"(curator only, not private); {self._reason.removeprefix('so ')}.",
            column=self._column,
            missing=self._missing,
            outside=self._outside,
            values=dict(common),
        )


def refuse_outsiders(outsiders: Sequence[Outsiders]) -> None:
    """Refuse a curator's table that holds what was not declared."""
    for outside in outsiders:
        if outside.found:
            raise outside.error(curator=True)


def _cell(label: Label, kind: pa.DataType, column: str) -> Any:
    value: Any = None
    if isinstance(label, int | str) and not isinstance(label, bool):
        if is_text(kind):
            value = str(label)
        elif pa.types.is_boolean(kind):
            value = _TRUTH.get(str(label).lower())
        elif pa.types.is_floating(kind):
            value = as_double(str(label))
        elif _WHOLE.fullmatch(str(label)):
            value = int(label)
    if value is None:
        raise BadTable(
            f"the declared value {label!r} cannot stand in column {column!r}, which holds {kind}.",
            column=column,
        )
    return value


def column_of(drawn: NDArray[Any], cells: pa.Array | None, kind: pa.DataType) -> pa.Array:
    """Drawn outputs as a column: indices into the cells, or (without cells) the numbers."""
    if cells is None:
        numbers = [str(number) for number in drawn] if drawn.dtype == object else drawn
        return pa.array(numbers).cast(kind)
    return cells.take(pa.array(drawn.astype(np.int32))).cast(kind)
