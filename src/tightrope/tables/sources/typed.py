"""Readings in the language of a database that stores types: PostgreSQL and DuckDB.

Numbers are compared, clamped and rounded in doubles, as everywhere. Categories are found by their
text, or by the number that a declared text stands for where a column holds whole numbers or
floats. No cast can fail on any value.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from tightrope.characters import label_text
from tightrope.declarations import (
    DAY,
    FIRST,
    Absent,
    Among,
    Bin,
    CategoryColumn,
    Clock,
    Code,
    Column,
    Compared,
    CutKey,
    Listed,
    Naming,
    NumberColumn,
    PeriodColumn,
    Reading,
    TextColumn,
    TimeColumn,
    as_double,
    as_text,
    numeral,
)
from tightrope.errors import BadTable
from tightrope.tables.sources.queries import quotient

if TYPE_CHECKING:
    from sqlalchemy import FromClause

FEW = 24
"""Categories, or edges of bins, that are compared one by one; more are looked up."""


class Kind(StrEnum):
    """The kind of values in a column, as far as reading it goes."""

    WHOLE = "whole numbers"
    LONG = "long whole numbers"
    EXACT = "decimals"
    SINGLE = "singles"
    DOUBLE = "doubles"
    TEXT = "texts"
    TRUTH = "truth values"
    DAY = "dates"
    MOMENT = "times"
    ZONED = "times with a zone"
    HOUR = "times of day"
    STREAMED = "times that are read in batches"


FLOATS = frozenset({Kind.SINGLE, Kind.DOUBLE})
WHOLES = frozenset({Kind.WHOLE, Kind.LONG})
NUMBERS = WHOLES | FLOATS | {Kind.EXACT}
CATEGORIES = NUMBERS | {Kind.TRUTH, Kind.TEXT, Kind.DAY}
"""Kinds of values that have a text in a query."""


def moments_for(clock: Clock) -> frozenset[Kind]:
    """The kinds of values that a query reads as moments of a clock."""
    times = frozenset({Kind.MOMENT, Kind.ZONED})
    return times | {Kind.HOUR if clock is Clock.TIME else Kind.DAY}


def check_types(
    types: Mapping[str, str], kinds: Mapping[str, Kind | None],
    columns: Mapping[str, Column | TextColumn], naming: Sequence[Naming], *, texts: bool,
) -> None:
    """Refuse a declaration that contradicts the types of a table.

    `texts` says whether texts are read as moments there.
    """
    for name, declared in columns.items():
        subject = f"the column {label_text(name)!r}"
        stored = f"{label_text(types[name])} there"
        if isinstance(declared, TimeColumn):
            known = moments_for(declared.clock) | ({Kind.TEXT, Kind.STREAMED} if texts else set())
            if kinds[name] not in known:
                raise BadTable(f"{subject} is declared as {declared.clock.noun}, and the table "
                               f"holds {stored}.")
            continue
        if isinstance(declared, NumberColumn) and kinds[name] not in NUMBERS | {Kind.TRUTH}:
            raise BadTable(f"{subject} is declared as a number, and the table holds {stored}.")
        if kinds[name] not in CATEGORIES:
            raise BadTable(f"{subject} holds {label_text(types[name])}; expected numbers, texts or "
                           "truth values.")
    for part in naming:
        if part.column is None and kinds[part.name] not in CATEGORIES:
            raise BadTable(f"the column {label_text(part.name)!r} holds "
                           f"{label_text(types[part.name])}; people are named by texts or numbers, "
                           "and by a date or time where it is declared.")


@dataclass(frozen=True)
class TypedEngine(ABC):
    """An engine that knows the kind of every column."""

    kinds: Mapping[str, Kind | None]

    @abstractmethod
    def double(self, cell: Any, kind: Kind | None) -> Any:
        """A number as a double that is not -0; NULL for NaN."""

    @abstractmethod
    def digits(self, cell: Any, kind: Kind | None) -> Any:
        """A number as `as_text` writes it; NULL for NaN."""

    @abstractmethod
    def is_numeral(self, text: Any) -> Any:
        """Whether a text states a number, as `numeral` reads it."""

    @abstractmethod
    def seconds(self, cell: Any, kind: Kind | None) -> Any:
        """The whole second of a moment within the years 1 to 9999, from 1970 or from midnight."""

    @abstractmethod
    def is_barred(self, text: Any) -> Any:
        """Whether a text holds a character that no key holds."""

    @abstractmethod
    def even(self, number: Any) -> Any:
        """A number rounded to a whole one, halves to even ones."""

    @abstractmethod
    def bin(self, number: Any, edges: Sequence[float]) -> Any:
        """How many of these edges are not above a number."""

    @abstractmethod
    def digest(self, key: CutKey, text: Any) -> Any:
        """`key.digest`, as a value with the order of its bytes, whatever the settings."""

    def read(
        self, rows: FromClause, cell: Any, place: int, reading: Reading
    ) -> tuple[Any, FromClause]:
        """The reading of a cell, and the rows with what it takes to find it."""
        from sqlalchemy import BigInteger, case, cast, null

        if isinstance(reading.column, CategoryColumn):
            base, rows = self._code(rows, cell, place, reading.column)
        else:
            time = reading.column.time if isinstance(reading.column, PeriodColumn) else (
                reading.column)
            base = self._number(cell, time)
        if isinstance(reading, Absent):
            return _truth(base.is_(None)), rows
        value = case((base.is_(None), null()), else_=self._reading(base, reading))
        return cast(value, BigInteger), rows

    def _reading(self, base: Any, reading: Reading) -> Any:
        """A reading of a number or of a code that is not NULL."""
        match reading:
            case Code(column=PeriodColumn() as column):
                return self._period(base, column)
            case Among(column=PeriodColumn() as column):
                return _truth(self._period(base, column).in_(sorted(reading.codes)))
            case Code(column=NumberColumn() as column):
                low, high, step = map(double, column.doubles)
                over = (clamp(base, low, high) - low).op("/", precedence=10)(step)
                return clamp(self.even(over), 0, column.steps)
            case Bin():
                low, high, _ = map(double, reading.column.doubles)
                return self.bin(clamp(base, low, high), reading.column.edges)
            case Compared():
                return _truth(reading.sign.holds(base, double(reading.constant)))
            case Listed():
                return _truth(base.in_([double(number) for number in sorted(reading.numbers)]))
            case Among():
                return _truth(base.in_(sorted(reading.codes)))
            case _:
                return base

    def _period(self, number: Any, declared: PeriodColumn) -> Any:
        """The period of a day or second that is not NULL."""
        from sqlalchemy import BigInteger, cast

        low, high, _ = map(double, declared.time.doubles)
        inside = clamp(number, low, high)
        if declared.even is None:
            return self.bin(inside, declared.edges)
        length, start, count = declared.even
        place = quotient(cast(inside - low, BigInteger) + start, length)
        return place.op("%", precedence=10)(count) if count else place

    def _moment(self, cell: Any, declared: TimeColumn) -> Any:
        """The day or second of a moment, as a double; NULL where there is none."""
        from sqlalchemy import BigInteger, Double, case, cast, null

        kind = self.kinds[cell.name]
        seconds = cast(self.seconds(cell, kind), BigInteger)
        since = seconds - FIRST  # not negative, and from a midnight on
        if declared.clock is Clock.DATE:
            number = quotient(since, DAY) + FIRST // DAY
        elif declared.clock is Clock.TIME and kind is not Kind.HOUR:
            number = since.op("%", precedence=10)(DAY)
        else:
            number = seconds
        return case((cell.is_(None), null()), else_=cast(number, Double))

    def _number(self, cell: Any, declared: NumberColumn) -> Any:
        """The number of a cell, NULL where it is left out."""
        from sqlalchemy import func

        absent = declared.number(None)
        number = self._moment(cell, declared) if isinstance(declared, TimeColumn) else (
            self.double(cell, self.kinds[cell.name]))
        return number if absent is None else func.coalesce(number, double(absent))

    def _code(
        self, rows: FromClause, cell: Any, place: int, declared: CategoryColumn
    ) -> tuple[Any, FromClause]:
        """The category of a cell, NULL where it is left out."""
        from sqlalchemy import case

        kind = self.kinds[cell.name]
        known = _category_codes(declared, kind)
        if kind is Kind.WHOLE:
            value = cell
        elif kind in FLOATS:
            value = self.double(cell, kind)
        else:
            value = self.text(cell)
            value = self._key(value, declared) if kind is Kind.TEXT else value
        other, absent = declared.other, declared.code(None)
        code, rows = _category(rows, value, known, kind, place,
                               _or_null(None if other is None else declared.known[other]))
        return case((value.is_(None), _or_null(absent)), else_=code), rows

    def _key(self, text: Any, declared: CategoryColumn) -> Any:
        """The text by which a category is known: of a number that none spells so, its own."""
        from sqlalchemy import case, literal

        if not any(map(numeral, declared.known)):
            return text
        spelled = [value for value in declared.known if numeral(value) not in (None, value)]
        short = without_zeros(text)
        number = case((short == "-0", literal("0")), else_=short)
        return case((text.in_(spelled), text), (self.is_numeral(text), number), else_=text)

    def name(self, cell: Any, place: int, naming: Naming) -> Any:
        """The text of a cell in the name of a unit; NULL where it has none."""
        from sqlalchemy import BigInteger, String, case, cast, collate, null

        column = naming.column
        if column is None:
            return self.text(cell)
        time = column.time if isinstance(column, PeriodColumn) else column
        number = self._number(cell, time)
        if isinstance(column, PeriodColumn):
            number = case((number.is_(None), null()), else_=self._period(number, column))
        return collate(cast(cast(number, BigInteger), String), "C")

    def key(self, cell: Any, longest: int) -> Any:
        """The key of a cell, as `TextColumn.key` has it; NULL where it is left out."""
        from sqlalchemy import case, func, null

        text = self.text(cell)
        return case((func.length(text) > longest, null()), (self.is_barred(text), null()),
                    else_=text)

    def text(self, cell: Any) -> Any:
        """The text of a cell, as `as_text` has it; NULL where it is missing."""
        from sqlalchemy import String, cast, collate

        kind = self.kinds[cell.name]
        written = self.digits(cell, kind) if kind in NUMBERS else cast(cell, String)
        return collate(written, "C")


def _category(
    rows: FromClause, value: Any, known: Mapping[Any, int], kind: Kind | None, place: int,
    other: Any,
) -> tuple[Any, FromClause]:
    """The code of a category: compared with few, looked up among many."""
    from sqlalchemy import BigInteger, Double, String, case, cast, func, literal, select

    if not known:
        return other, rows
    if len(known) <= FEW:
        compared = [(value == (double(key) if isinstance(key, float) else literal(key)),
                     literal(code)) for key, code in known.items()]
        return case(*compared, else_=other), rows
    # no category holds a line break: one text carries them all
    split = func.unnest(func.string_to_array("\n".join(map(str, known)), func.chr(10)))
    codes = func.unnest(func.string_to_array(",".join(map(str, known.values())), ","))
    listed = select(split.label("value"), codes.label("code")).subquery(f"listed_{place}")
    stored_as: Any = BigInteger if kind is Kind.WHOLE else Double if kind in FLOATS else String
    table = select(cast(listed.c.value, stored_as).label("value"),
                   cast(listed.c.code, BigInteger).label("code")).subquery(f"known_{place}")
    joined = rows.outerjoin(table, value == table.c.value)
    return func.coalesce(table.c.code, other), joined


def _category_codes(declared: CategoryColumn, kind: Kind | None) -> dict[Any, int]:
    """The values of a column that are categories, each with its code."""
    codes: dict[Any, int] = {}
    for text, code in declared.known.items():
        value: Any = text
        if kind is Kind.WHOLE:
            whole = re.fullmatch(r"-?\d{1,19}", text, re.ASCII)
            value = int(text) if whole and -(2**63) <= int(text) < 2**63 else None
        elif kind in FLOATS:
            value = as_double(text)
        if value is not None and as_text(value) == text:
            codes[value] = code
    return codes


def without_zeros(text: Any) -> Any:
    """A written number without zeros at the end of its fraction."""
    from sqlalchemy import case, func

    return case((func.strpos(text, ".") > 0, func.rtrim(func.rtrim(text, "0"), ".")), else_=text)


def clamp(number: Any, low: Any, high: Any) -> Any:
    """A number clamped to two bounds."""
    from sqlalchemy import func

    return func.least(func.greatest(number, low), high)


def double(number: float) -> Any:
    """A constant, exactly: its shortest text is read as a double."""
    from sqlalchemy import Double, cast, literal

    return cast(literal(repr(number)), Double)


def _or_null(code: int | None) -> Any:
    from sqlalchemy import literal, null

    return null() if code is None else literal(code)


def _truth(condition: Any) -> Any:
    """A condition as 1 or 0."""
    from sqlalchemy import case, literal

    return case((condition, literal(1)), else_=literal(0))


def count_edges(number: Any, edges: Sequence[float], low: int, high: int) -> Any:
    """The number of edges that are not above a number, by bisection."""
    from sqlalchemy import case, literal

    if low == high:
        return literal(low)
    middle = (low + high) // 2
    return case((number < double(edges[middle]), count_edges(number, edges, low, middle)),
                else_=count_edges(number, edges, middle + 1, high))
