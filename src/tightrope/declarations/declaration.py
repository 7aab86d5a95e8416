"""A declaration: what is known of a table before anybody looks at its rows.

It names the dataset, says who is protected (each row, or the people that a column names), which
tables are neighbors, and what the columns may hold. All sensitivities follow from it. Whoever
writes it answers for it: a person must not have more than one name in the column, and the number
of units must be right where it is said to be public.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from tightrope.characters import counted, few, label_text, meant, refuse_controls
from tightrope.choices import member_of
from tightrope.declarations.columns import AnyColumn
from tightrope.declarations.forms import Column, columns_of
from tightrope.declarations.namings import Naming
from tightrope.declarations.periods import PeriodColumn
from tightrope.declarations.texts import TextColumn
from tightrope.declarations.times import TimeColumn
from tightrope.errors import BadInput
from tightrope.exact import stated_whole
from tightrope.markup import lines

MOST_ROWS = 2**40
"""Largest contribution bound and number of units: sums stay far below 128 bits."""


class Neighbors(StrEnum):
    """Which tables protection makes alike."""

    ADD_REMOVE = "add-remove"
    REPLACE = "replace"


@dataclass(frozen=True)
class Unit:
    """Whom a release protects: each row, or each person that a column names.

    `person` may name several columns, such as a person and a day: then each combination of their
    values is a unit, and not all rows of a person.
    At most `rows` rows of a person count, in at most `cells` cells of one release; what is more
    is cut. Where people are counted instead of rows, `cells` alone matters and may exceed `rows`.
    Neighboring tables differ in one unit: one that is added or removed, or one whose rows
    are all replaced while their number, `size`, is public. `most` is a number of units that is
    never exceeded, where one is known.

    >>> Unit("id", rows=3).shown
    'people named by id, at most 3 rows of each; neighbors add or remove one'
    >>> Unit("id", cells=4).shown
    'people named by id, at most 1 row of each, in at most 4 cells; neighbors add or remove one'
    >>> Unit(("id", "day")).who
    'each combination of id and day, not all rows of one id'
    """

    person: str | tuple[str, ...] | None = None
    rows: int = 1
    cells: int | None = None
    neighbors: Neighbors = Neighbors.ADD_REMOVE
    size: int | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        if self.person is not None:
            object.__setattr__(self, "person", _unit_columns(self.person))
        object.__setattr__(self, "neighbors", member_of(Neighbors, self.neighbors, "neighbors"))
        object.__setattr__(self, "rows", _whole(self.rows, "rows of a unit"))
        cells = self.rows if self.cells is None else _whole(self.cells, "cells of a unit")
        object.__setattr__(self, "cells", cells)
        if self.person is None and (self.rows, self.cells) != (1, 1):
            raise BadInput("where each row is a unit, a unit has one row in one cell; name the "
                           "column of people to allow more.")
        if self.neighbors is Neighbors.REPLACE and self.size is None:
            raise BadInput("neighbors that replace a unit need the public number of units, size.")
        if self.size is not None:
            if self.neighbors is not Neighbors.REPLACE:
                raise BadInput("the number of units is public only where neighbors replace one.")
            object.__setattr__(self, "size", _whole(self.size, "units"))
        if self.most is not None:
            if self.size is not None:
                raise BadInput("the number of units is public: there is no other most of them.")
            object.__setattr__(self, "most", _whole(self.most, "units at most"))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that name a unit; none where each row is one."""
        if self.person is None:
            return ()
        return (self.person,) if isinstance(self.person, str) else self.person

    @property
    def code(self) -> str:
        """The unit, as budgets name it: `row`, or `person:` and the column that names people.

        Several columns are a list in JSON behind `each:`.
        """
        if isinstance(self.person, tuple):
            return f"each:{json.dumps(self.person, separators=(',', ':'))}"
        return "row" if self.person is None else f"person:{self.person}"

    @property
    def who(self) -> str:
        """The unit in words; of several columns, what is not protected, too."""
        if isinstance(self.person, tuple):
            *others, last = self.person
            return (f"each combination of {', '.join(others)} and {last}, not all rows of one "
                    f"{self.person[0]}")
        return "each row" if self.person is None else f"people named by {self.person}"

    @property
    def noun(self) -> str:
        """One unit, in a word."""
        if isinstance(self.person, tuple):
            return "combination"
        return "row" if self.person is None else "person"

    @property
    def nouns(self) -> str:
        """Several units, in a word."""
        return "people" if self.noun == "person" else f"{self.noun}s"

    @property
    def shown(self) -> str:
        """The unit and its neighbors in one line."""
        who = self.who if self.person is None else (
            f"{self.who}, at most {counted(self.rows, 'row')} of each")
        if self.cells != self.rows:
            who += f", in at most {counted(self.cells or 1, 'cell')}"
        if self.neighbors is Neighbors.ADD_REMOVE:
            return f"{who}; neighbors add or remove one"
        return f"{who}; neighbors replace one of {self.size:,}"

    def as_json(self) -> dict[str, Any]:
        """The unit as a declaration holds it."""
        person = list(self.person) if isinstance(self.person, tuple) else self.person
        return {"person": person, "rows": self.rows, "cells": self.cells,
                "neighbors": self.neighbors.value, "size": self.size,
                **({} if self.most is None else {"most": self.most})}


@dataclass(frozen=True)
class Declaration:
    """A dataset, its unit of privacy and its columns, as declared.

    >>> fair = Declaration.of({"dataset": "fair", "unit": {}, "columns": {
    ...     "age": {"type": "number", "low": 17, "high": 42, "resolution": 1}}})
    >>> fair.unit.code, fair.columns["age"].steps
    ('row', 25)
    """

    dataset: str
    unit: Unit
    columns: Mapping[str, Column | AnyColumn]

    def __post_init__(self) -> None:
        if not isinstance(self.dataset, str) or not self.dataset.strip():
            raise BadInput("a declaration names its dataset: dataset = \"…\".")
        refuse_controls(self.dataset, "the name of the dataset", BadInput)
        for name in self.columns:
            refuse_controls(name, "the name of a column", BadInput)
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))
        for name in self.unit.columns:
            if isinstance(self.columns.get(name), PeriodColumn) and len(self.unit.columns) == 1:
                raise BadInput(f"people are not named by a period: name a person beside "
                               f"{label_text(name)!r}, as a list.")

    @classmethod
    def of(cls, form: object) -> Declaration:
        """The declaration that a mapping states, such as the content of a TOML file."""
        if isinstance(form, Declaration):
            return form
        if not isinstance(form, Mapping):
            raise BadInput("expected a declaration with a dataset, a unit and columns.")
        _only(form, {"dataset", "unit", "columns"}, "the declaration")
        unit, columns = form.get("unit", {}), form.get("columns")
        if not isinstance(unit, Mapping) or not isinstance(columns, Mapping):
            raise BadInput("the unit and the columns of a declaration are tables of fields.")
        _only(unit, {"person", "rows", "cells", "neighbors", "size", "most"}, "the unit")
        if not columns:
            raise BadInput("a declaration declares at least one column.")
        return _declared(form)

    def column(self, name: str) -> Column:
        """A declared column by its name."""
        column = self.columns.get(name)
        if column is None:
            raise BadInput(f"the column {label_text(name)!r} is not declared"
                           f"{meant(name, self.columns)}.")
        if isinstance(column, TextColumn):
            raise BadInput(f"the values of the column {label_text(name)!r} are not declared: they "
                           f"are counted (count by {label_text(name)}) or selected (keys of "
                           f"{label_text(name)}).")
        if isinstance(column, AnyColumn):
            raise BadInput(f"of the column {label_text(name)!r} nothing is declared: only "
                           "conditions may name it.")
        return column

    def source(self, name: str) -> str:
        """The column of the table that a declared one is read from."""
        column = self.columns.get(name)
        return column.of if isinstance(column, PeriodColumn) else name

    @property
    def naming(self) -> tuple[Naming, ...]:
        """How each column of the unit is read, in the order of the unit."""
        return tuple(Naming(self.source(name), column if isinstance(
            column := self.columns.get(name), TimeColumn | PeriodColumn) else None)
            for name in self.unit.columns)

    @property
    def digest(self) -> str:
        """SHA-256 of what is declared, however it was written."""
        text = json.dumps(self.as_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """The declaration as JSON has it; `of` reads it."""
        return {"dataset": self.dataset, "unit": self.unit.as_json(),
                "columns": {name: column.as_json() for name, column in self.columns.items()}}

    def __reduce__(self) -> tuple[Any, ...]:
        return _declared, (self.as_json(),)

    def __repr__(self) -> str:
        return lines(f"Declaration: {self.dataset}",
                     [("unit", self.unit.shown), ("columns", few(tuple(self.columns)))])


def _declared(form: Mapping[str, Any]) -> Declaration:
    """The declaration of a mapping with the right fields; to count rows, no column is needed."""
    columns = columns_of(form.get("columns", {}))
    return Declaration(form.get("dataset", ""), Unit(**form.get("unit", {})), columns)


def _unit_columns(given: Any) -> str | tuple[str, ...]:
    """The column of the unit, or several of them, each once."""
    columns = [given] if isinstance(given, str) else given
    if not isinstance(columns, list | tuple) or not columns or not all(
            isinstance(name, str) and name for name in columns):
        raise BadInput("the unit is named by the name of a column, or a list of several.")
    for name in columns:
        refuse_controls(name, "the column of the unit", BadInput)
    if len(set(columns)) < len(columns):
        raise BadInput("a column is named twice in the unit.")
    return columns[0] if len(columns) == 1 else tuple(columns)


def _only(form: Mapping[Any, Any], known: set[str], what: str) -> None:
    for name in form:
        if name not in known:
            raise BadInput(f"{what} has a field of no meaning, {label_text(name)!r}"
                           f"{meant(name, known)}.")


def _whole(value: Any, what: str) -> int:
    try:
        number = stated_whole(value, "a whole number")
    except BadInput:
        number = 0
    if not 1 <= number <= MOST_ROWS:
        raise BadInput(f"the number of {what} is a whole number from 1 to 2^40.")
    return number
