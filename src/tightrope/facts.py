"""How a result is described, once: facts with names, tables, and sentences for people.

A result has a method `facts()`. Everything that is shown of it comes from there: the JSON object of
a command (`to_json`), its page in a terminal (`tightrope.cli.output`), and in Python the lines of
`repr` and the card of a notebook:

    __repr__ = lines_of
    _repr_html_ = card_of

The most important facts come first. A fact without a label is for programs alone; one without a
key, and every sentence, is for people alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import takewhile
from os import PathLike, fspath
from typing import Any, Protocol

from tightrope.characters import counted, label_text, shorten
from tightrope.markup import card, latex_table, latex_text, lines, table

_LISTED = 8
"""Rows of a table in the lines of a result, if it does not say otherwise."""

_CARD_ROWS = 60
"""Rows of a table in a card."""

_LONGEST = 400
"""Characters of a text in a card; of longer ones both ends are shown."""

_LONGEST_CELL = 120
"""The same of a cell of a table."""

_LONGEST_TEXT = 200
"""Characters of a long text, such as that of a space, that people see."""


@dataclass(frozen=True)
class Shown:
    """A value whose text for people is not the one that its type has."""

    value: object
    text: str


@dataclass(frozen=True)
class Fact:
    """One value by name: `key` in JSON, `label` for people, its unit, and words on its meaning.

    People are not shown a value of None. A `detail` is left out of the lines of a result.
    """

    key: str | None
    label: str | None
    value: object
    unit: str = ""
    meaning: str = ""
    detail: bool = False

    @property
    def text(self) -> str:
        """The value for people, with its unit and its meaning.

        >>> Fact("value", "loss", 4 / 3, meaning="absolute, on average").text
        '1.333333, absolute, on average'
        """
        stated = f"{text_of(self.value)} {self.unit}".rstrip()
        return f"{stated}, {self.meaning}" if self.meaning and stated else stated or self.meaning


@dataclass(frozen=True)
class Column:
    """A column of a table: its key in JSON, its name for people, and how many digits they see.

    One without a key is for people alone, one without a label for programs alone.
    """

    key: str | None
    label: str | None
    digits: int = 6
    words: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of values under columns; in JSON a list of objects under `key`.

    Only the first rows, as many as are `listed`, are among the lines of a result; 0 for none. A
    terminal shows the first of many rows, unless the table is wanted `whole`.
    """

    key: str | None
    label: str | None
    columns: tuple[Column, ...]
    rows: tuple[tuple[object, ...], ...]
    listed: int = _LISTED
    whole: bool = False

    @property
    def json(self) -> list[dict[str, Any]]:
        """The rows as JSON has them."""
        return [{column.key: to_json(cell) for column, cell in zip(self.columns, row, strict=True)
                 if column.key is not None} for row in self.rows]

    @property
    def titles(self) -> list[str]:
        """The names of the columns that people see."""
        return [column.label for column in self.columns if column.label is not None]

    def cells(self, most: int | None = None) -> list[list[str]]:
        """The rows as people see them, the first ones of many."""
        return [[text_of(cell, column.digits) for column, cell in zip(
            self.columns, row, strict=True) if column.label is not None]
            for row in self.rows[:most]]


@dataclass(frozen=True)
class Facts:
    """The description of a result: its kind and title, facts and tables, sentences, a picture."""

    kind: str
    title: str
    items: tuple[Fact | Table, ...] = ()
    sentences: tuple[str, ...] = ()
    picture: Callable[[], str] | None = None

    def also(
        self, *items: Fact | Table, sentences: Iterable[str] = (), first: Iterable[Fact] = ()
    ) -> Facts:
        """The same with more facts and sentences, such as the files that a command wrote."""
        return replace(self, items=(*first, *self.items, *items),
                       sentences=(*self.sentences, *sentences))

    @property
    def json(self) -> dict[str, Any]:
        """The JSON object: every item that has a key."""
        return {item.key: item.json if isinstance(item, Table) else to_json(item.value)
                for item in self.items if item.key is not None}

    @property
    def labeled(self) -> list[tuple[str, str]]:
        """The facts for people, by label."""
        return [(item.label, item.text) for item in self.items
                if isinstance(item, Fact) and item.label is not None and item.value is not None]

    @property
    def tables(self) -> list[Table]:
        """The tables for people, without empty ones."""
        return [item for item in self.items
                if isinstance(item, Table) and item.label is not None and item.rows]

    @property
    def leading(self) -> list[Table]:
        """The tables for people that stand before all facts for people: the answer itself."""
        shown = [item for item in self.items if item.label is not None and (
            item.rows if isinstance(item, Table) else item.value is not None)]
        return [item for item in takewhile(lambda item: isinstance(item, Table), shown)
                if isinstance(item, Table)]

    def lines(self) -> str:
        r"""Kind, title, facts without details, and the first rows of each table.

        >>> rows = ((0, "yes"), (1, "no"))
        >>> print(Facts("Poll", "a\nb", (Fact("n", "people", 1200), Fact("seed", None, 7),
        ...       Table("rows", "", (Column("id", "id"), Column("vote", "vote")), rows))).lines())
        Poll: a\nb
          people  1,200
          0       yes
          1       no
        """
        brief = replace(self, items=tuple(
            item for item in self.items if isinstance(item, Table) or not item.detail))
        parts: list[tuple[str, object]] = [*brief.labeled]
        for shown in (part for part in self.tables if part.listed):
            if shown.whole:
                head, *others = shown.titles
                parts += [(head, ", ".join(others))]
            parts += [(shorten(first), ", ".join(
                (cell or "–" for cell in rest) if shown.whole else filter(None, rest)))
                      for first, *rest in shown.cells(shown.listed)]
            if (more := len(shown.rows) - shown.listed) > 0:
                parts += [("…", f"{counted(more, 'row')} more")]
        title = f"{self.kind}: {self.title}" if self.title else self.kind
        return lines(shorten(title, _LONGEST), parts)

    def card(self) -> str:
        """The same as HTML, with all facts, a picture and the sentences; the answer first."""
        tables = [table(shown.titles, [
            [shorten(cell, _LONGEST_CELL) for cell in row] for row in shown.cells(_CARD_ROWS)],
            shorten(shown.label or "", _LONGEST))
            for shown in self.tables]
        first = len(self.leading)
        cut = [f"{counted(len(shown.rows) - _CARD_ROWS, 'row')} more not shown."
               for shown in self.tables if len(shown.rows) > _CARD_ROWS]
        picture = "" if self.picture is None else self.picture()
        parts = [(label, shorten(text, _LONGEST)) for label, text in self.labeled]
        title = shorten(self.title or self.kind, _LONGEST)
        return card(title, parts, answer="".join(tables[:first]),
                    picture="".join(tables[first:]) + picture, sentences=[*cut, *self.sentences])


    def latex(self) -> str:
        """The first table of the result, or else its facts, as a LaTeX tabular.

        >>> print(Facts("Poll", "", (Fact("n", "people_", 12),)).latex(), end="")
        \\begin{tabular}{ll}
         &  \\\\
        \\hline
        people\\_ & 12
        \\end{tabular}
        """
        if not self.tables:
            rows = [[latex_text(label), latex_text(text)] for label, text in self.labeled]
            return latex_table(["", ""], rows, "ll")
        first = self.tables[0]
        cells = [[*map(latex_text, row)] for row in first.cells()]
        head = [*map(latex_text, first.titles)]
        return latex_table(head, cells, "l" + "r" * (len(head) - 1))


class Described(Protocol):
    """A result that describes itself."""

    def facts(self) -> Facts:
        """The description."""
        ...


def listing(label: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *,
            words: int = 1, listed: int = _LISTED) -> Table:
    """A table for people alone; the first `words` columns hold words, the others numbers."""
    shown = tuple(Column(None, name, words=place < words) for place, name in enumerate(columns))
    return Table(None, label, shown, tuple(map(tuple, rows)), listed)


def data(**values: object) -> tuple[Fact, ...]:
    """Facts for programs alone, by key."""
    return tuple(Fact(key, None, value) for key, value in values.items())


def brief_text(text: str) -> Shown:
    """A text that may be long: programs get all of it, people its two ends."""
    return Shown(text, shorten(text, _LONGEST_TEXT))


def lines_of(result: Described) -> str:
    """A result in a few lines, as `__repr__`."""
    return result.facts().lines()


def card_of(result: Described) -> str:
    """A result as HTML, as `_repr_html_`."""
    return result.facts().card()


def latex_of(result: Described) -> str:
    """A result as a LaTeX table, as `to_latex`."""
    return result.facts().latex()


def to_json(value: Any) -> Any:
    """A value as JSON has it: exact fractions as text, numbers that are not finite as null.

    >>> to_json({"p": Fraction(1, 3), "worst": float("inf"), "rows": (1, 2)})
    {'p': '1/3', 'worst': None, 'rows': [1, 2]}
    """
    match value:
        case None | bool() | int():
            return value
        case Shown():
            return to_json(value.value)
        case Enum():
            return to_json(value.value)
        case str():
            return value
        case float():
            return float(value) if math.isfinite(value) else None
        case Fraction():
            return str(value)
        case Mapping():
            return {str(key): to_json(part) for key, part in value.items()}
        case list() | tuple() | frozenset() | set():
            return [to_json(part) for part in value]
        case Facts() | Table():
            return value.json
        case PathLike():
            return fspath(value)
    if hasattr(value, "facts"):
        return value.facts().json
    if hasattr(value, "as_json"):  # values of `exact`, which describe themselves
        return value.as_json()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def text_of(value: object, digits: int = 7) -> str:
    """A value as people read it: few digits of a number, nothing for None.

    >>> text_of(1234567), text_of(0.1234567891), text_of(True), text_of(Fraction(1, 3), 3)
    ('1,234,567', '0.1234568', 'yes', '0.333')
    """
    match value:
        case None:
            return ""
        case Shown():
            return value.text
        case bool():
            return "yes" if value else "no"
        case Enum():
            return text_of(value.value, digits)
        case int():
            return f"{value:,}"
        case float() | Fraction():
            return f"{float(value) + 0.0:.{digits}g}"  # never a negative zero
        case str():
            return value
        case tuple() | list():
            return ", ".join(label_text(part) if isinstance(part, tuple | str) else
                             text_of(part, digits) for part in value)
        case _:
            return str(value)
