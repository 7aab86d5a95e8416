"""The language of questions: `mean of age by religious where age >= 20`.

    question  = statistic { "by" column {"," column} | "where" condition }
    statistic = the phrase of a class in `releases.statistics`, such as `mean of COLUMN`
    column    = word | "[" text, with "]" written twice, "]"

Slots of a phrase are filled in: COLUMN by a column, NUMBER by a number, PROBABILITIES by numbers
with commas between them, CONDITION by a condition, CONDITIONS by some with semicolons. Each clause
stands once, in either order; words are written in any case. A condition is read by
`declarations.filters`. A column whose name is no word, or is a keyword, stands in brackets. The
grammar reads a question by the phrases of all statistics; a question writes itself by its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count
from typing import NoReturn, assert_never

from tightrope.characters import meant, shorten
from tightrope.errors import BadInput
from tightrope.releases.statistics import STATISTICS

KEYWORDS = frozenset({"by", "where", "of", "and", "or", "not", "in", "is", "missing"})


class Slot(Enum):
    """A place in a phrase that is filled in: by columns, or by one kind of details."""

    COLUMN = "a column"
    PROBABILITIES = "the probabilities"
    NUMBER = "how many"
    CONDITION = "a condition"
    CONDITIONS = "the conditions"


Piece = str | Slot


def pieces(phrase: str) -> tuple[Piece, ...]:
    """The words and slots of a phrase.

    >>> pieces("sum of COLUMN")
    ('sum', 'of', <Slot.COLUMN: 'a column'>)
    """
    return tuple(Slot.__members__.get(word, word) for word in phrase.split())


def beginning(phrase: str) -> str:
    """The words by which a statistic is known.

    >>> beginning("NUMBER most frequent of COLUMN")
    'most frequent'
    """
    return " ".join(piece for piece in pieces(phrase)
                    if not isinstance(piece, Slot) and piece not in KEYWORDS)


def columns_in(phrase: str) -> int:
    """How many columns a statistic is asked of."""
    return pieces(phrase).count(Slot.COLUMN)


def details_in(phrase: str) -> Slot | None:
    """The slot for what is asked for beside columns, if there is one."""
    return next((piece for piece in pieces(phrase)
                 if isinstance(piece, Slot) and piece is not Slot.COLUMN), None)


def fill(phrase: str, columns: Sequence[str], details: Sequence[str]) -> str:
    """The phrase as a question has it.

    >>> fill("quantiles PROBABILITIES of COLUMN", ["net income"], ["1/4", "3/4"])
    'quantiles 1/4, 3/4 of [net income]'
    """
    names = map(write_name, columns)
    listed = ("; " if details_in(phrase) is Slot.CONDITIONS else ", ").join(details)
    return " ".join(
        next(names) if piece is Slot.COLUMN else listed if isinstance(piece, Slot) else piece
        for piece in pieces(phrase))


def write_name(name: str) -> str:
    """A column's name as a question has it.

    >>> write_name("age"), write_name("net income"), write_name("by"), write_name("a]b")
    ('age', '[net income]', '[by]', '[a]]b]')
    """
    word = re.fullmatch(r"[^\W\d]\w*", name) and name.lower() not in KEYWORDS
    return name if word else f"[{name.replace(']', ']]')}]"


_BEGINNINGS = tuple(dict.fromkeys(beginning(kind.phrase) for kind in STATISTICS.values()))
_INSTEAD = {
    "average": "mean of age", "avg": "mean of age", "total": "sum of age",
    "share": "proportion of age >= 30", "percentage": "proportion of age >= 30",
    "fraction": "proportion of age >= 30", "quantile": "quantiles 0.25, 0.75 of age",
    "percentile": "quantiles 0.9 of age", "percentiles": "quantiles 0.1, 0.9 of age",
    "quartiles": "quantiles 0.25, 0.5, 0.75 of age", "min": "minimum of age",
    "max": "maximum of age", "standard": "variance of age", "std": "variance of age",
    "deviation": "variance of age", "var": "variance of age", "number": "count",
    "rows": "count", "size": "count", "top": "3 most frequent of drug",
    "most": "3 most frequent of drug", "frequent": "3 most frequent of drug",
    "cross": "histogram of age and sex", "crosstab": "histogram of age and sex",
    "table": "histogram of age and sex", "cdf": "distribution of age",
    "bound": "upper bound of age", "bounds": "upper bound of age", "cut": "left out by sex",
}
"""Words that people try, and a question that works."""
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:\s*/\s*\d+)?)
      | (?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*')
      | (?P<bracketed>\[(?:[^\]]|\]\])*\]|`[^`]+`)
      | (?P<word>[^\W\d]\w*)
      | (?P<open>["'\[`])
      | (?P<sign>\S))""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A piece of a question: its kind, its text, and where it begins and ends."""

    kind: str
    text: str
    start: int
    end: int

    def says(self, *words: str) -> bool:
        """Whether it is one of some bare words or signs, in any case."""
        return self.kind in ("word", "sign") and self.text.lower() in words


@dataclass(frozen=True)
class Parsed:
    """The fields of a question, as they were written."""

    ask: str
    columns: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    where: str | None = None


def parse(text: str) -> Parsed:
    """The fields of a question.

    >>> parse("quantiles 0.25, 3/4 of [net income] where age >= 20 by sex").at
    ('0.25', '3/4')
    """
    return _Reader(text).question()


def read_name(text: str) -> str:
    """The name that a piece in brackets or backticks states."""
    return text[1:-1].replace("]]", "]") if text.startswith("[") else text[1:-1]


def tokens(text: str) -> list[Token]:
    """The pieces of a question or of a condition; it is bad input if a quote is not closed."""
    pieces, place = [], 0
    while match := _TOKEN.match(text, place):
        kind = str(match.lastgroup)
        if kind == "open":
            raise BadInput(f"the {match['open']} before {shorten(text[match.end():])!r} is not "
                           "closed.")
        pieces.append(Token(kind, match[kind], match.start(kind), match.end()))
        place = match.end()
    return pieces


def check_condition(text: str) -> str:
    """A condition as questions hold it: no clause of a question stands in it."""
    for token in tokens(text):
        if token.says("by", "where", "of", ";"):
            raise BadInput(f"a condition has no {token.text!r}; a column of that name is written "
                           f"[{token.text}].")
    return text.strip()


class _Reader:
    """Reads the pieces of a question from left to right."""

    def __init__(self, text: str) -> None:
        self._text, self._tokens, self._place = text, tokens(text), 0
        if not self._tokens:
            raise BadInput("the question is empty; ask, for example, 'mean of age by sex'.")

    def question(self) -> Parsed:
        statistic = self._statistic()
        clauses: dict[str, tuple[str, ...]] = {}
        while token := self._next():
            name = token.text.lower()
            if token.says("and") and "by" in clauses:
                self._wrong(token, "columns to group by have commas between them: by sex, age")
            if not token.says("by", "where"):
                self._wrong(token, "expected 'by', 'where' or the end")
            if name in clauses:
                self._wrong(token, f"{name!r} stands once")
            self._place += 1
            clauses[name] = (
                tuple(self._several(",", self._column)) if name == "by" else (self._condition(),))
        return replace(statistic, by=clauses.get("by", ()),
                       where=clauses["where"][0] if "where" in clauses else None)

    def _statistic(self) -> Parsed:
        """Walk along the phrases of all statistics together, until one of them ends."""
        phrases = {name: (*pieces(kind.phrase), None) for name, kind in STATISTICS.items()}
        columns: list[str] = []
        details: list[str] = []
        for place in count():
            piece = self._choose({phrase[place] for phrase in phrases.values()})
            phrases = {name: phrase for name, phrase in phrases.items() if phrase[place] == piece}
            if piece is None:
                break
            if isinstance(piece, Slot):
                (columns if piece is Slot.COLUMN else details).extend(self._fill(piece))
            elif not self._take(piece):
                self._lacks(next(iter(phrases.values())), place)
        return Parsed(next(iter(phrases)), tuple(columns), tuple(details))

    def _fill(self, slot: Slot) -> list[str]:
        match slot:
            case Slot.COLUMN:
                return [self._column()]
            case Slot.NUMBER:
                return [_number(self._step())]
            case Slot.PROBABILITIES:
                return self._several(",", self._probability)
            case Slot.CONDITION:
                return [self._condition()]
            case Slot.CONDITIONS:
                return self._several(";", self._condition)
            case _:
                assert_never(slot)

    def _choose(self, pieces: set[Piece | None]) -> Piece | None:
        """The one of several next pieces that the question goes on with."""
        token = self._next()
        if len(pieces) == 1 or token is None:
            return None if None in pieces else next(iter(pieces))
        if token.kind == "number" and Slot.NUMBER in pieces:
            return Slot.NUMBER
        word = token.text.lower()
        if token.kind == "word" and word in pieces:
            return word
        if None not in pieces:
            self._unknown(token)
        if token.says(",") and "and" in pieces:
            self._wrong(token, "two columns are joined by 'and': histogram of age and sex")
        return None

    def _lacks(self, phrase: tuple[Piece | None, ...], place: int) -> NoReturn:
        """Say which words of a phrase come next, and how the question is written with them."""
        token = self._step()
        slots = [k for k, piece in enumerate(phrase) if isinstance(piece, Slot)]
        start = max((k + 1 for k in slots if k < place), default=0)
        end = min((k for k in slots if k > place), default=len(phrase) - 1)
        before = " ".join(map(str, phrase[start:place])) or self._tokens[self._place - 2].text
        words, slot = " ".join(map(str, phrase[place:end])), phrase[end]
        rule = f"after {before!r} comes {words!r}"
        if isinstance(slot, Slot):
            rule += f" and {slot.value}"
        if not start and token.kind == "word":
            rule += f": write '{before} {words} {token.text}'"
        self._wrong(token, rule)

    def _several(self, sign: str, read: Callable[[], str]) -> list[str]:
        texts = [read()]
        while self._take(sign):
            texts.append(read())
        return texts

    def _probability(self) -> str:
        token = self._step()
        if token.kind != "number":
            self._wrong(token, "expected probabilities, as in quantiles 0.25, 0.75 of age")
        return _number(token)

    def _column(self) -> str:
        token = self._step()
        if token.kind == "bracketed":
            return read_name(token.text)
        if token.kind != "word":
            self._wrong(token, "expected a column; a name that is no word stands in [brackets]")
        if token.text.lower() in KEYWORDS:
            self._wrong(token, f"expected a column; one called that is written [{token.text}]")
        return token.text

    def _condition(self) -> str:
        """The text of a condition, up to the next clause."""
        start = self._place
        while (token := self._next()) and not token.says("by", "where", ";"):
            self._place += 1
        if self._place == start:
            self._wrong(token, "expected a condition, such as age >= 30")
        return self._text[self._tokens[start].start : self._tokens[self._place - 1].end]

    def _next(self) -> Token | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _step(self) -> Token:
        token = self._next() or Token("end", "", len(self._text), len(self._text))
        self._place += 1
        return token

    def _take(self, word: str) -> bool:
        token = self._next()
        if token is None or not token.says(word):
            return False
        self._place += 1
        return True

    def _unknown(self, token: Token) -> NoReturn:
        word = token.text.lower()
        if word in _INSTEAD:
            self._wrong(token, f"{token.text!r} is no statistic: ask '{_INSTEAD[word]}'")
        near = meant(word, _BEGINNINGS) or f"; statistics are {', '.join(_BEGINNINGS)}"
        self._wrong(token, f"a question begins with a statistic{near}")

    def _wrong(self, token: Token | None, rule: str) -> NoReturn:
        if token is None or token.kind == "end":
            raise BadInput(f"{rule}; the question ends there.")
        raise BadInput(f"{rule}; found {shorten(token.text)!r} at character {token.start + 1}.")


def _number(token: Token) -> str:
    return "".join(token.text.split())
