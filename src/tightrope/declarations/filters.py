"""Filters: and, or, not over comparisons of declared columns with constants.

A filter is a total function of one row, with three values as in SQL: a comparison is unknown
where the cell is left out, `not` of what is unknown is unknown, and rows pass where the filter is
true. `is missing` is never unknown. A comparison is about the cell's own number, before clamping
and rounding, or about the category that it is. A binary float means its shortest decimal, and a
constant the float nearest to it. Nothing else can be written: no functions, no other columns, no
language of a database.

    age >= 30 and (children = 0 or not occupation in ("4", "5"))
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from tightrope.characters import few, label_text, meant, shorten
from tightrope.declarations.cells import as_double, as_text
from tightrope.declarations.columns import AnyColumn, CategoryColumn, NumberColumn
from tightrope.declarations.forms import Column
from tightrope.declarations.moments import FIRST, LAST, Clock, stated_moment
from tightrope.declarations.periods import PeriodColumn
from tightrope.declarations.readings import (
    Absent,
    Among,
    Compared,
    Condition,
    Listed,
    Sign,
)
from tightrope.declarations.texts import TextColumn
from tightrope.declarations.times import TimeColumn
from tightrope.errors import BadInput

DEEPEST = 50
"""Parentheses within parentheses, and words `not` in a row."""

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?)
      | (?P<text>"(?:[^"]|"")*"|'(?:[^']|'')*')
      | (?P<name>[^\W\d]\w*|\[(?:[^\]]|\]\])*\]|`[^`]+`)
      | (?P<sign><=|>=|!=|<>|==|=|<|>|\(|\)|,))""",
    re.VERBOSE,
)
_WORDS = {"and", "or", "not", "in", "is", "missing"}
_FOREIGN = {"&": "and", "&&": "and", "|": "or", "||": "or", "~": "not", "!": "not",
            "=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "≠": "!="}
"""Signs of other languages, and what is written here instead."""
_FOREIGN_SIGN = re.compile(r"\s*(&&?|\|\|?|~|!(?!=)|=>|=<|[≥≤≠])")
_END = ("end", "")


@dataclass(frozen=True)
class Not:
    """Rows for which another filter is false."""

    inner: Filter


@dataclass(frozen=True)
class All:
    """Rows for which every part is true; of no parts, all rows."""

    parts: tuple[Filter, ...] = ()


@dataclass(frozen=True)
class AnyOf:
    """Rows for which some part is true."""

    parts: tuple[Filter, ...]


Filter = Condition | Not | All | AnyOf


def conditions_in(of: Filter) -> tuple[Condition, ...]:
    """The conditions of a filter, each once, from left to right."""
    match of:
        case Not():
            return conditions_in(of.inner)
        case All() | AnyOf():
            return tuple(dict.fromkeys(
                condition for part in of.parts for condition in conditions_in(part)))
        case _:
            return (of,)


def read_filter(text: str, columns: Mapping[str, Column | AnyColumn]) -> Filter:
    """The filter that a text states about declared columns.

    >>> from tightrope.declarations import NumberColumn
    >>> columns = {"age": NumberColumn(0, 100), "vote": CategoryColumn(("no", "yes"))}
    >>> adults = read_filter("age >= 18 and not vote = 'no'", columns)
    >>> [condition.of("30") for condition in conditions_in(adults)]
    [1, None]
    """
    if not isinstance(text, str):
        raise BadInput(f"a filter is a text, found {type(text).__name__}.")
    reader = _Reader(_tokens(text), columns)
    condition = reader.either(0)
    reader.end()
    return condition


def columns_named(text: str) -> tuple[str, ...]:
    """The columns that a filter names, each once, from left to right.

    >>> columns_named("age >= 30 and not [net income] = 0")
    ('age', 'net income')
    """
    return tuple(dict.fromkeys(_name(word) for kind, word in _tokens(text) if kind == "name"))


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens, place = [], 0
    while rest := text[place:].strip():
        if foreign := _FOREIGN_SIGN.match(text, place):
            raise BadInput(f"a filter has no {foreign[1]}: write {_FOREIGN[foreign[1]]}.")
        match = _TOKEN.match(text, place)
        if match is None and rest[0] in "'\"`[":
            raise BadInput(f"the quote before {shorten(rest[1:])!r} is not closed.")
        if match is None:
            raise BadInput(f"the filter cannot be read from {shorten(rest)!r} on.")
        kind = str(match.lastgroup)
        word = match.group(kind)
        if kind == "name" and word.lower() in _WORDS:
            kind, word = "word", word.lower()
        tokens.append((kind, word))
        place = match.end()
    if not tokens:
        raise BadInput("the filter is empty.")
    return tokens


class _Reader:
    """Reads tokens from left to right; the loosest binding first."""

    def __init__(
        self, tokens: Sequence[tuple[str, str]], columns: Mapping[str, Column | AnyColumn]
    ) -> None:
        self._tokens, self._place, self._columns = tokens, 0, columns

    def end(self) -> None:
        if self._place < len(self._tokens):
            raise BadInput("comparisons are joined by `and` or `or`, found "
                           f"{_token_text(self._tokens[self._place])}.")

    def either(self, depth: int) -> Filter:
        parts = [self.both(depth)]
        while self._take("word", "or"):
            parts.append(self.both(depth))
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def both(self, depth: int) -> Filter:
        parts = [self.operand(depth)]
        while self._take("word", "and"):
            parts.append(self.operand(depth))
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def operand(self, depth: int) -> Filter:
        if depth > DEEPEST:
            raise BadInput("the filter is nested too deeply.")
        if self._take("word", "not"):
            return Not(self.operand(depth + 1))
        if self._take("sign", "("):
            inner = self.either(depth + 1)
            self._expect("sign", ")", "a parenthesis is closed by )")
            return inner
        return self.comparison()

    def comparison(self) -> Filter:
        kind, word = first = self._step()
        if kind != "name":
            raise BadInput("a comparison begins with its column, such as age >= 30 (not 30 <= "
                           f"age), found {_token_text(first)}.")
        name = _name(word)
        if name not in self._columns:
            spaced = "" if all(map(str.isidentifier, self._columns)) else (
                "; other names than words stand in [brackets]")
            raise BadInput(f"the column {label_text(name)!r} is not declared"
                           f"{meant(name, self._columns) or spaced}.")
        column = self._columns[name]
        if self._take("word", "is"):
            wanted = not self._take("word", "not")
            self._expect("word", "missing", "after is comes missing or not missing")
            absent = Absent(_source(name, column), AnyColumn.texts(()) if isinstance(
                column, AnyColumn) else column)
            return absent if wanted else Not(absent)
        negative = self._take("word", "not")
        if self._take("word", "in"):
            listed = _membership(name, column, self._constants())
            return Not(listed) if negative else listed
        if negative:
            raise BadInput("after a column, `not` is followed by `in`.")
        if self._tokens[self._place : self._place + 1] == [("name", "between")]:
            raise BadInput("a filter has no between: write age >= 18 and age <= 30.")
        kind, sign = token = self._step()
        if kind != "sign":
            shown = label_text(name)
            hint = f"; a name of several words is written [{shown} {label_text(sign)}]" if (
                kind == "name") else f"; write {shown} = 'true' of truth values" if (
                token == _END and isinstance(column, AnyColumn)) else ""
            raise BadInput(f"after the column {shown!r} comes =, !=, <, <=, >, >=, in or is "
                           f"missing, found {_token_text(token)}{hint}.")
        return _comparison(name, column, sign, self._constant())

    def _constants(self) -> list[str | Decimal]:
        self._expect("sign", "(", "after in comes a list in parentheses, such as (1, 2)")
        constants = [self._constant()]
        while self._take("sign", ","):
            constants.append(self._constant())
        self._expect("sign", ")", "a list is closed by )")
        return constants

    def _constant(self) -> str | Decimal:
        kind, word = token = self._step()
        if kind == "number":
            return Decimal(word)
        if kind == "text":
            return word[1:-1].replace(word[0] * 2, word[0])
        quoted = f": write '{label_text(word)}'" if kind == "name" else ""
        raise BadInput("expected a number or a text in quotes, found "
                       f"{_token_text(token)}{quoted}.")

    def _step(self) -> tuple[str, str]:
        token = self._tokens[self._place] if self._place < len(self._tokens) else _END
        self._place += 1
        return token

    def _take(self, kind: str, word: str) -> bool:
        if self._place < len(self._tokens) and self._tokens[self._place] == (kind, word):
            self._place += 1
            return True
        return False

    def _expect(self, kind: str, word: str, rule: str) -> None:
        token = self._step()
        if token != (kind, word):
            raise BadInput(f"{rule}, found {_token_text(token)}.")


def _name(word: str) -> str:
    """The name of a column: a word, or what stands in brackets or backticks."""
    if word.startswith("["):
        return word[1:-1].replace("]]", "]")
    return word.strip("`")


def _token_text(token: tuple[str, str]) -> str:
    return "the end" if token == _END else shorten(token[1])


def _membership(
    name: str, column: Column | AnyColumn, constants: Sequence[str | Decimal]
) -> Filter:
    """Whether a cell is one of some constants."""
    if isinstance(column, TextColumn) and not all(isinstance(each, str) for each in constants):
        raise BadInput(f"the column {label_text(name)!r} holds texts: compare it with a text in "
                       "quotes.")
    if isinstance(column, AnyColumn):
        texts = [constant for constant in constants if isinstance(constant, str)]
        numbers = [constant for constant in constants if not isinstance(constant, str)]
        parts = (*([_membership(name, AnyColumn.numbers(), numbers)] if numbers else ()),
                 *([_membership(name, AnyColumn.texts(texts), texts)] if texts else ()))
        return parts[0] if len(parts) == 1 else AnyOf(parts)
    if isinstance(column, NumberColumn):
        return Listed(name, column, frozenset(_number(constant, column) for constant in constants))
    return Among(_source(name, column), column,
                 frozenset(_place(name, column, constant) for constant in constants))


def _source(name: str, column: Column | AnyColumn) -> str:
    """The column of the table that is read."""
    return column.of if isinstance(column, PeriodColumn) else name


def _place(name: str, column: CategoryColumn | PeriodColumn, constant: str | Decimal) -> int:
    text = as_text(constant) or ""
    place = column.place(text)
    if place is None:
        labeled = [code for code, label in column.labels if label == text] if isinstance(
            column, CategoryColumn) else []
        hint = f": it is the label of {label_text(labeled[0])!r}, write that" if labeled else (
            meant(text, column.values) or f"; it has {few(column.values)}")
        raise BadInput(f"{label_text(text)!r} is not a declared value of the column "
                       f"{label_text(name)!r}{hint}.")
    return place


def _number(constant: str | Decimal, column: NumberColumn) -> float:
    """The double nearest to a constant, or the day or second that it states."""
    if isinstance(column, TimeColumn):
        moment = stated_moment(constant, column.clock)
        if moment is None:
            raise BadInput(f"this column is compared with {column.clock.noun} in quotes, such as "
                           f"'{column.clock.example}', found {label_text(constant)}.")
        return float(moment)
    if isinstance(constant, str):
        raise BadInput(f"a column of numbers is compared with a number, found {constant!r}.")
    number = as_double(constant)
    assert number is not None
    return number


def _comparison(
    name: str, column: Column | AnyColumn, sign: str, constant: str | Decimal
) -> Filter:
    if sign in ("=", "==", "!=", "<>"):
        same = _membership(name, column, [constant])
        return same if sign in ("=", "==") else Not(same)
    if sign not in list(Sign):
        raise BadInput(f"after the column {label_text(name)!r} comes a comparison, found {sign}.")
    if isinstance(column, PeriodColumn):
        raise BadInput(f"periods have no order: compare {label_text(column.of)!r} with a moment "
                       f"such as '{column.time.clock.example}', or a period with =, != or in.")
    if isinstance(column, CategoryColumn):
        raise BadInput("categories have no order: compare them with =, != or in.")
    if isinstance(column, TextColumn):
        raise BadInput("texts have no order: compare them with =, != or in.")
    if isinstance(column, AnyColumn):
        column = _ordered(constant)
    return Compared(name, column, Sign(sign), _number(constant, column))


def _ordered(constant: str | Decimal) -> NumberColumn:
    """How a column of which nothing is declared is compared with a constant."""
    if not isinstance(constant, str):
        return AnyColumn.numbers()
    if stated_moment(constant, Clock.DATETIME) is None:
        raise BadInput("texts have no order: compare them with =, != or in; dates are written "
                       f"as '{Clock.DATE.example}'.")
    return TimeColumn(Fraction(FIRST), Fraction(LAST), clock=Clock.DATETIME)
