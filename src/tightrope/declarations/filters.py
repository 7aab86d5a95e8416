"""Filters: and, or, not over comparisons of declared columns with constants.

A filter is a total function of one row. A comparison is about codes, that is, about the clamped
and rounded number or the category that a cell stands for, and is false where the cell is left
out; `not` of it is then true. Nothing else can be written: no functions, no other columns, no
language of a database.

    age >= 30 and (children = 0 or not occupation in ("4", "5"))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from tightrope.characters import label_text, meant, shorten
from tightrope.declarations.columns import CategoryColumn, Column, as_text
from tightrope.errors import BadInput

DEEPEST = 50
"""Parentheses within parentheses, and words `not` in a row."""

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?)
      | (?P<text>"[^"]*"|'[^']*')
      | (?P<name>[^\W\d]\w*|`[^`]+`)
      | (?P<sign><=|>=|!=|<>|==|=|<|>|\(|\)|,))""",
    re.VERBOSE,
)
_WORDS = {"and", "or", "not", "in", "is", "missing"}


@dataclass(frozen=True)
class Within:
    """Codes of one column that are let through; a cell that is left out is not."""

    column: str
    low: int
    high: int

    def holds(self, codes: Mapping[str, int | None]) -> bool:
        """Whether the row is let through."""
        code = codes[self.column]
        return code is not None and self.low <= code <= self.high


@dataclass(frozen=True)
class Among:
    """Codes of one column, listed, that are let through."""

    column: str
    codes: frozenset[int]

    def holds(self, codes: Mapping[str, int | None]) -> bool:
        """Whether the row is let through."""
        return codes[self.column] in self.codes


@dataclass(frozen=True)
class Absent:
    """Rows whose cell is left out."""

    column: str

    def holds(self, codes: Mapping[str, int | None]) -> bool:
        """Whether the row is let through."""
        return codes[self.column] is None


@dataclass(frozen=True)
class Not:
    """Rows that another filter does not let through."""

    inner: Filter

    def holds(self, codes: Mapping[str, int | None]) -> bool:
        """Whether the row is let through."""
        return not self.inner.holds(codes)


@dataclass(frozen=True)
class All:
    """Rows that every part lets through; of no parts, all rows."""

    parts: tuple[Filter, ...] = ()

    def holds(self, codes: Mapping[str, int | None]) -> bool:
        """Whether the row is let through."""
        return all(part.holds(codes) for part in self.parts)


@dataclass(frozen=True)
class AnyOf:
    """Rows that some part lets through."""

    parts: tuple[Filter, ...]

    def holds(self, codes: Mapping[str, int | None]) -> bool:
        """Whether the row is let through."""
        return any(part.holds(codes) for part in self.parts)


Filter = Within | Among | Absent | Not | All | AnyOf


def columns_in(found: Filter) -> frozenset[str]:
    """The columns that a filter looks at."""
    match found:
        case Within() | Among() | Absent():
            return frozenset({found.column})
        case Not():
            return columns_in(found.inner)
        case All() | AnyOf():
            return frozenset().union(*(columns_in(part) for part in found.parts))


def read_filter(text: str, columns: Mapping[str, Column]) -> Filter:
    """The filter that a text states about declared columns.

    >>> from tightrope.declarations import NumberColumn
    >>> columns = {"age": NumberColumn(0, 100), "vote": CategoryColumn(("no", "yes"))}
    >>> adults = read_filter("age >= 18 and not vote = 'no'", columns)
    >>> adults.holds({"age": 30, "vote": 1}), adults.holds({"age": 17, "vote": None})
    (True, False)
    """
    if not isinstance(text, str):
        raise BadInput(f"a filter is a text, found {type(text).__name__}.")
    reader = _Reader(_tokens(text), columns)
    found = reader.either(0)
    reader.end()
    return found


def _tokens(text: str) -> list[tuple[str, str]]:
    found, place = [], 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None:
            raise BadInput(f"the filter cannot be read from {shorten(text[place:].strip())!r} on.")
        kind = str(match.lastgroup)
        word = match.group(kind)
        if kind == "name" and word.lower() in _WORDS:
            kind, word = "word", word.lower()
        found.append((kind, word))
        place = match.end()
    if not found:
        raise BadInput("the filter is empty.")
    return found


class _Reader:
    """Reads tokens from left to right; the loosest binding first."""

    def __init__(self, tokens: Sequence[tuple[str, str]], columns: Mapping[str, Column]) -> None:
        self._tokens, self._place, self._columns = tokens, 0, columns

    def end(self) -> None:
        if self._place < len(self._tokens):
            raise BadInput(f"the filter goes on after its end, at {self._next()[1]!r}.")

    def either(self, depth: int) -> Filter:
        parts = [self.both(depth)]
        while self._take("word", "or"):
            parts.append(self.both(depth))
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def both(self, depth: int) -> Filter:
        parts = [self.one(depth)]
        while self._take("word", "and"):
            parts.append(self.one(depth))
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def one(self, depth: int) -> Filter:
        if depth > DEEPEST:
            raise BadInput("the filter is nested too deeply.")
        if self._take("word", "not"):
            return Not(self.one(depth + 1))
        if self._take("sign", "("):
            inner = self.either(depth + 1)
            self._expect("sign", ")")
            return inner
        return self.comparison()

    def comparison(self) -> Filter:
        kind, word = self._step()
        if kind != "name":
            raise BadInput(f"expected the name of a column, found {shorten(word)!r}.")
        name = word.strip("`")
        if name not in self._columns:
            raise BadInput(f"the column {label_text(name)!r} is not declared"
                           f"{meant(name, self._columns)}.")
        column = self._columns[name]
        if self._take("word", "is"):
            wanted = not self._take("word", "not")
            self._expect("word", "missing")
            return Absent(name) if wanted else Not(Absent(name))
        negative = self._take("word", "not")
        if self._take("word", "in"):
            listed = Among(name, frozenset(self._listed(column)))
            return All((Not(Absent(name)), Not(listed))) if negative else listed
        if negative:
            raise BadInput("after a column, `not` is followed by `in`.")
        _, sign = self._expect("sign")
        return _compared(name, column, sign, self._constant())

    def _listed(self, column: Column) -> list[int]:
        self._expect("sign", "(")
        found = [_place(column, self._constant())]
        while self._take("sign", ","):
            found.append(_place(column, self._constant()))
        self._expect("sign", ")")
        return [place for place in found if place is not None]

    def _constant(self) -> str | Fraction:
        kind, word = self._step()
        if kind == "number":
            return Fraction(word)
        if kind == "text":
            return word[1:-1]
        raise BadInput(f"expected a number or a text in quotes, found {shorten(word)!r}.")

    def _next(self) -> tuple[str, str]:
        if self._place == len(self._tokens):
            raise BadInput("the filter ends where more is expected.")
        return self._tokens[self._place]

    def _step(self) -> tuple[str, str]:
        found = self._next()
        self._place += 1
        return found

    def _take(self, kind: str, word: str) -> bool:
        if self._place < len(self._tokens) and self._tokens[self._place] == (kind, word):
            self._place += 1
            return True
        return False

    def _expect(self, kind: str, word: str | None = None) -> tuple[str, str]:
        found = self._step()
        if found[0] != kind or word not in (None, found[1]):
            raise BadInput(f"expected {word or 'a comparison'!r}, found {shorten(found[1])!r}.")
        return found


def _place(column: Column, constant: str | Fraction) -> int | None:
    """The code of a constant; None where no cell can have it."""
    if isinstance(column, CategoryColumn):
        text = constant if isinstance(constant, str) else as_text(
            int(constant) if constant.denominator == 1 else float(constant))
        if text not in column.values:
            raise BadInput(f"{label_text(text)!r} is not a declared category.")
        return column.values.index(str(text))
    if isinstance(constant, str):
        raise BadInput(f"a column of numbers is compared with a number, found {constant!r}.")
    steps = (constant - column.low) / column.resolution
    return int(steps) if steps.denominator == 1 and 0 <= steps <= column.steps else None


_BOUNDS: dict[str, Callable[[Fraction, int], tuple[int, int]]] = {
    "<": lambda at, top: (0, ceil(at) - 1),
    "<=": lambda at, top: (0, floor(at)),
    ">": lambda at, top: (floor(at) + 1, top),
    ">=": lambda at, top: (ceil(at), top),
}


def _compared(name: str, column: Column, sign: str, constant: str | Fraction) -> Filter:
    if sign in ("=", "==", "!=", "<>"):
        place = _place(column, constant)
        same = Among(name, frozenset() if place is None else frozenset({place}))
        return same if sign in ("=", "==") else All((Not(Absent(name)), Not(same)))
    if sign not in _BOUNDS:
        raise BadInput(f"expected a comparison, found {sign!r}.")
    if isinstance(column, CategoryColumn):
        raise BadInput("categories have no order: compare them with =, != or in.")
    if isinstance(constant, str):
        raise BadInput(f"a column of numbers is compared with a number, found {constant!r}.")
    low, high = _BOUNDS[sign]((constant - column.low) / column.resolution, column.steps)
    return Within(name, max(low, 0), min(high, column.steps))
