"""Codes in the language of a database that stores types: PostgreSQL and DuckDB.

Numbers are clamped and rounded in doubles, as everywhere. Categories are found by their text, or
by the double that a declared text stands for where a column holds doubles or decimals, since
engines write those differently. No cast can fail on any value.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tightrope.characters import label_text
from tightrope.data.sources.queries import quotient
from tightrope.declarations import CategoryColumn, Column, NumberColumn, Tally, as_double, as_text
from tightrope.errors import BadTable

if TYPE_CHECKING:
    from sqlalchemy import FromClause

FEW = 24
"""Categories, or edges of bins, that are compared one by one; more are looked up."""


class Kind(StrEnum):
    """What a column holds, as far as reading it goes."""

    WHOLE = "whole numbers"
    LONG = "long whole numbers"
    EXACT = "decimals"
    DOUBLE = "doubles"
    TEXT = "texts"
    TRUTH = "truth values"


NUMBERS = frozenset({Kind.WHOLE, Kind.LONG, Kind.EXACT, Kind.DOUBLE})


def check_types(
    types: Mapping[str, str], kinds: Mapping[str, Kind | None], columns: Mapping[str, Column],
    person: str | None,
) -> None:
    """Refuse a declaration that contradicts the types of a table."""
    for name, declared in columns.items():
        said = f"the column {label_text(name)!r}"
        held = f"{label_text(types[name])} there"
        if isinstance(declared, NumberColumn) and kinds[name] not in NUMBERS | {Kind.TRUTH}:
            raise BadTable(f"{said} is declared as a number, and the table holds {held}.")
        if kinds[name] is None:
            raise BadTable(f"{said} holds {label_text(types[name])}; expected numbers, texts or "
                           "truth values.")
    if person is not None and kinds[person] is None:
        raise BadTable(f"the column {label_text(person)!r} holds {label_text(types[person])}; "
                       "people are named by texts or numbers.")


@dataclass(frozen=True)
class TypedEngine(ABC):
    """An engine that knows the kind of every column."""

    kinds: Mapping[str, Kind | None]

    @abstractmethod
    def double(self, held: Any, kind: Kind | None) -> Any:
        """A number as a double that is not -0; NULL for NaN."""

    @abstractmethod
    def hashed(self, tally: Tally, text: Any) -> Any:
        """`tally.hashed`, in an order of its digits that no setting changes."""

    def code(
        self, rows: FromClause, held: Any, place: int, declared: Column
    ) -> tuple[Any, FromClause]:
        """The code of a cell, and the rows with what it takes to find it."""
        from sqlalchemy import BigInteger, case, cast

        absent = declared.code(None)
        if isinstance(declared, CategoryColumn):
            value = self.person(held)
            found, rows = _category(rows, value, self.kinds[held.name], place, declared)
        else:
            value = self.double(held, self.kinds[held.name])
            found = _rounded(value, declared)
        said = case((value.is_(None), _or_null(absent)), else_=found)
        return cast(said, BigInteger), rows

    def person(self, held: Any) -> Any:
        """A value that is equal where the texts of cells are, NULL where they are missing."""
        from sqlalchemy import String, cast, collate

        kind = self.kinds[held.name]
        if kind is Kind.WHOLE:
            return held
        if kind in (Kind.DOUBLE, Kind.EXACT):
            return self.double(held, kind)
        return collate(cast(held, String), "C")

    def bin(self, code: Any, place: int, declared: Column) -> Any:
        """The bin of a code of numbers."""
        from sqlalchemy import BigInteger, func

        assert isinstance(declared, NumberColumn)
        edges = declared.thresholds
        if len(edges) > FEW and is_even(edges):
            width = edges[1] - edges[0]
            above = func.greatest(code - (edges[0] - width), 0, type_=BigInteger())
            return func.least(quotient(above, width), len(edges))
        return _searched(code, edges, 0, len(edges))


def is_even(edges: Sequence[int]) -> bool:
    """Whether all bins but the outer two are equally wide."""
    return len({after - before for before, after in pairwise(edges)}) == 1


def _category(
    rows: FromClause, value: Any, kind: Kind | None, place: int, declared: CategoryColumn
) -> tuple[Any, FromClause]:
    """The code of a category: compared with few, looked up among many."""
    from sqlalchemy import BigInteger, Double, String, case, cast, func, literal, select

    other = _or_null(None if declared.other is None else declared.values.index(declared.other))
    known = _known(declared, kind)
    if not known:
        return other, rows
    if len(known) <= FEW:
        said = [(value == (double(one) if isinstance(one, float) else literal(one)), literal(code))
                for one, code in known.items()]
        return case(*said, else_=other), rows
    # no category holds a line break: one text carries them all
    split = func.unnest(func.string_to_array("\n".join(map(str, known)), func.chr(10)))
    codes = func.unnest(func.string_to_array(",".join(map(str, known.values())), ","))
    listed = select(split.label("value"), codes.label("code")).subquery(f"listed_{place}")
    held_as: Any = {Kind.WHOLE: BigInteger, Kind.DOUBLE: Double, Kind.EXACT: Double}.get(
        kind or Kind.TEXT, String)
    table = select(cast(listed.c.value, held_as).label("value"),
                   cast(listed.c.code, BigInteger).label("code")).subquery(f"known_{place}")
    joined = rows.outerjoin(table, value == table.c.value)
    return func.coalesce(table.c.code, other), joined


def _known(declared: CategoryColumn, kind: Kind | None) -> dict[Any, int]:
    """The values of a column that are categories, each with its code."""
    found: dict[Any, int] = {}
    for code, text in enumerate(declared.values):
        value: Any = text
        if kind is Kind.WHOLE:
            value = int(text) if re.fullmatch(r"-?\d{1,19}", text, re.ASCII) else 2**63
            value = value if -(2**63) <= value < 2**63 else None
        elif kind in (Kind.DOUBLE, Kind.EXACT):
            value = as_double(text)
        if value is not None and as_text(value) == text:
            found[value] = code
    return found


def _rounded(number: Any, declared: NumberColumn) -> Any:
    """Clamped and rounded, with the operations of `NumberColumn.rounded`."""
    from sqlalchemy import func

    low, high, step = (double(float(end))
                       for end in (declared.low, declared.high, declared.resolution))
    code = func.floor((clamped(number, low, high) - low).op("/", precedence=10)(step) + double(0.5))
    return clamped(code, 0, declared.steps)


def clamped(number: Any, low: Any, high: Any) -> Any:
    """A number between two ends."""
    from sqlalchemy import func

    return func.least(func.greatest(number, low), high)


def double(number: float) -> Any:
    """A constant, exactly: its shortest text is read as a double."""
    from sqlalchemy import Double, cast, literal

    return cast(literal(repr(number)), Double)


def _or_null(code: int | None) -> Any:
    from sqlalchemy import literal, null

    return null() if code is None else literal(code)


def _searched(code: Any, edges: Sequence[int], low: int, high: int) -> Any:
    """The number of edges up to a code, by halving."""
    from sqlalchemy import case, literal

    if low == high:
        return literal(low)
    middle = (low + high) // 2
    return case((code < edges[middle], _searched(code, edges, low, middle)),
                else_=_searched(code, edges, middle + 1, high))
