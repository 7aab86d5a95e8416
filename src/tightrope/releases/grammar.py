"""The language of questions: `mean of age by religious where age >= 20`.

    question  = statistic { "by" column {"," column} | "where" condition }
    statistic = "count" | "people"
              | ("sum" | "mean" | "variance" | "median" | "minimum" | "maximum" | "mode"
                 | "distribution") "of" column
              | "histogram of" column ["and" column]
              | "quantiles" number {"," number} "of" column
              | number "most frequent of" column
              | "proportion of" condition
              | "counts of" condition {";" condition}
    column    = word | "[" text, with "]" written twice, "]"

Each clause stands once, in either order; keywords are written in any case. A condition is what
`declarations.filters` reads. A column whose name is no word, or is a keyword, stands in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from tightrope.characters import meant, shorten
from tightrope.errors import BadInput

KEYWORDS = frozenset({"by", "where", "of", "and", "or", "not", "in", "is", "missing"})
_OF_COLUMN = ("sum", "mean", "variance", "median", "minimum", "maximum", "mode", "distribution")
_STATISTICS = ("count", "people", *_OF_COLUMN, "histogram", "quantiles", "proportion", "counts",
               "most frequent")
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


def written(name: str) -> str:
    """A column's name as a question has it.

    >>> written("age"), written("net income"), written("by"), written("a]b")
    ('age', '[net income]', '[by]', '[a]]b]')
    """
    word = re.fullmatch(r"[^\W\d]\w*", name) and name.lower() not in KEYWORDS
    return name if word else f"[{name.replace(']', ']]')}]"


def unwritten(text: str) -> str:
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
        ask, columns, at = self._statistic()
        clauses: dict[str, tuple[str, ...]] = {}
        while token := self._next():
            name = token.text.lower()
            if not token.says("by", "where"):
                self._wrong(token, "expected 'by', 'where' or the end")
            if name in clauses:
                self._wrong(token, f"{name!r} stands once")
            self._place += 1
            clauses[name] = self._columns() if name == "by" else (self._condition(),)
        return Parsed(ask, columns, at, clauses.get("by", ()),
                      clauses["where"][0] if "where" in clauses else None)

    def _statistic(self) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        first = self._step()
        if first.kind == "number":
            self._expect("most", "after the number comes 'most frequent of'")
            self._expect("frequent", "after the number comes 'most frequent of'")
            self._expect("of", "after 'most frequent' comes 'of' and a column")
            return "frequent", (self._column(),), (_number(first),)
        name = first.text.lower()
        if first.kind != "word" or name not in _STATISTICS:
            self._unknown(first)
        if name in ("count", "people"):
            return name, (), ()
        if name == "quantiles":
            numbers = self._numbers()
            self._expect("of", "after the probabilities comes 'of' and a column")
            return name, (self._column(),), numbers
        self._expect("of", f"after {name!r} comes 'of'", f"{name} of")
        if name in ("proportion", "counts"):
            conditions = [self._condition()]
            while name == "counts" and self._take(";"):
                conditions.append(self._condition())
            return name, (), tuple(conditions)
        columns = [self._column()]
        if name == "histogram" and self._take("and"):
            return "cross", (*columns, self._column()), ()
        if name == "histogram" and (token := self._next()) and token.says(","):
            self._wrong(token, "two columns are joined by 'and': histogram of age and sex")
        return name, tuple(columns), ()

    def _numbers(self) -> tuple[str, ...]:
        numbers = [self._probability()]
        while self._take(","):
            numbers.append(self._probability())
        return tuple(numbers)

    def _probability(self) -> str:
        token = self._step()
        if token.kind != "number":
            self._wrong(token, "expected probabilities, as in quantiles 0.25, 0.75 of age")
        return _number(token)

    def _columns(self) -> tuple[str, ...]:
        names = [self._column()]
        while self._take(","):
            names.append(self._column())
        return tuple(names)

    def _column(self) -> str:
        token = self._step()
        if token.kind == "bracketed":
            return unwritten(token.text)
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

    def _expect(self, word: str, rule: str, start: str = "") -> None:
        token = self._step()
        if token.says(word):
            return
        better = f": write '{start} {token.text}'" if start and token.kind == "word" else ""
        self._wrong(token, f"{rule}{better}")

    def _unknown(self, token: Token) -> NoReturn:
        word = token.text.lower()
        if word in _INSTEAD:
            self._wrong(token, f"{token.text!r} is no statistic: ask '{_INSTEAD[word]}'")
        near = meant(word, _STATISTICS) or f"; statistics are {', '.join(_STATISTICS)}"
        self._wrong(token, f"a question begins with a statistic{near}")

    def _wrong(self, token: Token | None, rule: str) -> NoReturn:
        if token is None or token.kind == "end":
            raise BadInput(f"{rule}; the question ends there.")
        raise BadInput(f"{rule}; found {shorten(token.text)!r} at character {token.start + 1}.")


def _number(token: Token) -> str:
    return "".join(token.text.split())


def joined(names: Sequence[str], by: str) -> str:
    """Columns as a question lists them."""
    return by.join(written(name) for name in names)
