"""Whom a budget protects: codes, which records hold, and their words, made when they are shown.

A code is a word in lower case, and after a colon what it is about: `person:id` are people named by
a column, `rows:3` a person of at most 3 rows, `replace:units=500` one of a public number of units,
`meters:200` positions so far apart on the ground, `path:0..9` the distances of a space.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from tightrope.characters import refuse_controls
from tightrope.declarations import Declaration
from tightrope.errors import BadInput

UNITS = "units"
"""The metric of neighbors that differ in one unit, whatever it was and became."""

CODE = re.compile(r"[a-z][a-z-]*(:.+)?")


@dataclass(frozen=True)
class Scope:
    """Whom a budget protects, and against what: charges of another scope are not its own.

    All but the dataset are codes, see above; `metric` says what distance 1 is.

    >>> Scope("fair", "row", "replace:units=9").shown
    'dataset fair; unit row; neighbors replace, of 9 units; metric units that differ'
    """

    dataset: str
    unit: str
    neighbors: str
    metric: str = UNITS

    def __post_init__(self) -> None:
        check_line(self.dataset, "the dataset of a budget")
        for name, example in (("unit", "row or person:id"), ("metric", "units or path:0..9"),
                              ("neighbors", "add-remove or replace:units=500")):
            check_code(getattr(self, name), f"the {name} of a budget", CODE, example)

    @classmethod
    def of(cls, declaration: Declaration) -> Scope:
        """Whom a declaration protects."""
        unit = declaration.unit
        sized = "" if unit.size is None else f":units={unit.size}"
        return cls(declaration.dataset, unit.code, f"{unit.neighbors.value}{sized}")

    @property
    def shown(self) -> str:
        """The scope in one line of words."""
        return (f"dataset {self.dataset}; unit {unit_words(self.unit)}; neighbors "
                f"{neighbors_words(self.neighbors)}; metric {metric_words(self.metric)}")

    def as_json(self) -> dict[str, str]:
        """The scope as records hold it."""
        return {"dataset": self.dataset, "unit": self.unit,
                "neighbors": self.neighbors, "metric": self.metric}


def unit_words(code: str) -> str:
    """The unit in words.

    >>> unit_words("person:id"), unit_words("rows:3"), unit_words("row")
    ('person (id)', 'person of at most 3 rows', 'row')
    >>> unit_words('each:["id","day"]')
    'combination of id and day, not all rows of one id'
    """
    kind, _, of = code.partition(":")
    if kind == "each":
        columns = _columns(of)
        return f"combination of {' and '.join(columns)}, not all rows of one {columns[0]}" if (
            columns) else code
    if kind == "person" and of:
        return f"person ({of})"
    return f"person of at most {of} {kind}" if kind in ("rows", "places") and of else code


def _columns(text: str) -> list[str]:
    """The columns that a code lists in JSON, none if it lists none."""
    try:
        columns = json.loads(text)
    except ValueError:
        return []
    return [str(name) for name in columns] if isinstance(columns, list) else []


def neighbors_words(code: str) -> str:
    """The neighbors in words.

    >>> neighbors_words("replace:units=500"), neighbors_words("differ:0..1,10..11")
    ('replace, of 500 units', 'any two values that differ by 0 to 1, or 10 to 11')
    """
    kind, _, of = code.partition(":")
    if kind == "differ":
        ranges = of.replace("..", " to ").replace(",", ", or ")
        return f"any two values that differ by {ranges}"
    counted, equal, number = of.partition("=")
    return f"{kind}, of {number} {counted}" if equal else code


def metric_words(code: str) -> str:
    """The metric in words.

    >>> metric_words("units"), metric_words("path:0..9"), metric_words("meters-by-row:200")[-12:]
    ('units that differ', 'distances of path:0..9', ', row by row')
    """
    kind, _, of = code.partition(":")
    if code == UNITS:
        return "units that differ"
    if kind in ("meters", "meters-by-row"):
        rows = ", row by row" if kind == "meters-by-row" else ""
        return f"positions at most {of} m apart on the ground{rows}"
    return f"distances of {code}"


def check_line(value: object, what: str) -> None:
    """Refuse what is no text of one line."""
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"{what} is a text of at least one letter.")
    refuse_controls(value, what, BadInput)


def check_code(value: object, what: str, pattern: re.Pattern[str], example: str) -> None:
    """Refuse what is no code of this pattern."""
    check_line(value, what)
    if not pattern.fullmatch(str(value)):
        raise BadInput(f"{what} is a code, such as {example}, found {str(value)[:60]!r}.")
