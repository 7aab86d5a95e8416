"""Declarations drafted from a schema.

A draft holds what names and stored types tell, and asks for the rest. It is never filled in from
rows: bounds and categories that were read from the data would tell what is in them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tightrope.characters import counted, few, label_text, refuse_controls, shorten
from tightrope.declarations import NUMERAL
from tightrope.errors import BadInput, BadTable
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.tables.sources.opening import schema_of


@dataclass(frozen=True)
class Draft:
    """A declaration to be filled in, as TOML text."""

    text: str
    columns: tuple[str, ...]

    def facts(self) -> Facts:
        """The columns, and the text to be filled in."""
        return Facts("Draft", f"{counted(len(self.columns), 'column')} drafted", (
            Fact("columns", "columns", Shown(self.columns, few(self.columns))),
            *data(declaration=self.text)))

    __repr__ = lines_of
    _repr_html_ = card_of


def draft_declaration(
    data: Any, *, table: str | None = None, header: bool = False,
    known: Mapping[str, Mapping[str, Any]] | None = None,
) -> Draft:
    """A declaration drafted from the schema alone: names, and types that no row decides.

    Parameters: `data` is a frame, columns by name, a file or the URL of a database; `table` is
    one of a database. `header` says that the first line of a text file holds names and is no row.
    `known` are columns that are declared already, such as those of a code book.

    Returns: a `Draft`; its `text` is TOML, to be filled in from what is known without the data.

    Raises: `BadInput` for what is no table. `Refused` for a text file without `header`.

    >>> "[columns.age]" in draft_declaration({"age": [31, 40]}).text.splitlines()
    True
    """
    return draft_schema(named_schema(data, table=table, header=header), known or {})


def draft_schema(
    schema: Mapping[str, str | None], known: Mapping[str, Mapping[str, Any]]
) -> Draft:
    """A declaration drafted from names and kinds; columns that are `known` are as stated."""
    parts = [_HEAD, *(_column_text(name, known[name]) if name in known else _column(name, kind)
                      for name, kind in schema.items())]
    return Draft("\n".join(parts), tuple(schema))


def named_schema(
    data: Any, *, table: str | None = None, header: bool = False
) -> dict[str, str | None]:
    """The columns of a table with their kinds, of names that can be shown."""
    schema = schema_of(data, table=table, header=header)
    for name in schema:
        refuse_controls(name, "the name of a column", BadTable)
    return schema


def declaration_text(form: Mapping[str, Any]) -> str:
    """A declaration as TOML, which `Declaration.of` reads as it reads the form.

    >>> print(declaration_text({"dataset": "d", "columns": {
    ...     "age": {"type": "number", "low": "0", "high": "1/3"}}}))
    dataset = "d"
    <BLANKLINE>
    [columns.age]
    type = "number"
    low = 0
    high = "1/3"
    <BLANKLINE>
    """
    unit = form.get("unit") or {}
    parts = [f"dataset = {_value(form['dataset'])}\n"]
    if unit:
        parts.append("".join(["[unit]\n", *(f"{field} = {_value(value)}\n"
                                            for field, value in unit.items())]))
    parts += [_column_text(name, column) for name, column in form["columns"].items()]
    return "\n".join(parts)


def stated_values(text: str) -> dict[str, Any]:
    """Categories that a text lists, each with a label if it has one.

    Semicolons, bars or commas stand between them, whichever comes first in this order.

    >>> stated_values("1=never, 2=rarely")
    {'values': ['1', '2'], 'labels': {'1': 'never', '2': 'rarely'}}
    """
    mark = next((mark for mark in (";", "|") if mark in text), ",")
    pairs = [part.strip().partition("=") for part in text.split(mark) if part.strip()]
    if nameless := [label for code, _, label in pairs if not code]:
        raise BadInput(f"the label {label_text(shorten(nameless[0]))!r} has no code before its =.")
    labels = {code.strip(): label.strip() for code, equal, label in pairs if equal}
    values = [code.strip() for code, _, _ in pairs]
    return {"values": values, **({"labels": labels} if labels else {})}


def _column_text(name: str, column: Mapping[str, Any]) -> str:
    """A declared column as TOML."""
    numbers = ("low", "high", "resolution", "missing", "bins") if (
        column["type"] == "number") else ()
    lines = [f"{field} = {_value(value, number=field in numbers)}"
             for field, value in column.items()]
    return "\n".join([f"[columns.{_key(name)}]", *lines, ""])


def _value(value: Any, *, number: bool = False) -> str:
    """A value of TOML; the text of a decimal is a number where one is expected."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(part, number=number) for part in value)}]"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(str(key))} = {_value(part)}" for key, part in value.items())
        return f"{{{inside}}}"
    if isinstance(value, int) or (number and re.fullmatch(NUMERAL, str(value))):
        return str(value)
    return json.dumps(str(value), ensure_ascii=False)


def _key(name: str) -> str:
    """A name as a key of TOML."""
    bare = name.isascii() and name.replace("_", "a").replace("-", "a").isalnum()
    return name if bare else json.dumps(name, ensure_ascii=False)


_HEAD = """\
# A declaration: what is known of the table before anybody looks at its rows.
# Fill in what is asked for, from the code book and never from the data;
# leave out columns that no question needs.

dataset = ""                 # a name; budgets and releases speak of it

[unit]
# person = ""                # the column of people; without it, each row
# rows = 1                   # rows of a person that count, at most
# cells = 1                  # cells in which a person counts, at most
neighbors = "add-remove"     # or "replace", if the number of units is public
# size =                     # that number, with "replace"
# most =                     # never more units than this, with "add-remove"
"""

_NUMBER = """\
[columns.{name}]
type = "number"
# low =                      # numbers below count as this one
# high =                     # numbers above count as this one
# resolution =               # numbers are rounded to steps of this size;
#                            # if none: 2^20 steps, for quantiles 1,000
# bins = []                  # edges of the cells in which it may be counted
# missing = "leave out"      # or the number that stands for missing cells
"""

_WHOLE = re.sub("(?m)^# resolution =.*\n#.*$", "resolution = 1               # the stored type is "
                "whole numbers", _NUMBER)

_CATEGORY = """\
[columns.{name}]
type = "category"            # or "text", if nobody can list its values
# values = []                # the categories: matched by the same text; else
#                            # the same number (1.0 is 1; 01, 1E3 are codes);
#                            # else as true, True, TRUE, 1, or as false, ...
# other = "leave out"        # or the category of all other values
# missing = "leave out"      # or the category of missing cells
"""

_TIME = """\
[columns.{name}]
type = "{kind}"{space}# {means}
# low = {low:<21}# what is earlier counts as this one
# high = {high:<20}# what is later counts as this one
# bins = []                  # edges of the cells in which it may be counted
# missing = "leave out"      # or what stands for missing cells
# A period of it is a column by itself:
# [columns.period]
# type = "period"
# of = {of}
# period = "{period}"           # {periods}
"""

PERIODS: Mapping[str, tuple[str, ...]] = {
    "date": ("year", "quarter", "month", "week", "day", "weekday"),
    "datetime": ("year", "quarter", "month", "week", "day", "weekday", "hour"), "time": ("hour",)}
"""The periods of each type of dates and times."""

_CLOCKS = {
    "date": ("whole days", "2024-01-01", "2024-12-31", "month",
             "year, quarter, week, day, weekday"),
    "datetime": ("whole seconds, in UTC", "2024-01-01", "2024-12-31T23:59:59", "month",
                 "year, quarter, week, day, weekday, hour"),
    "time": ("whole seconds of a day", "00:00:00", "23:59:59", "hour", "from low to high"),
}

_UNKNOWN = """\
[columns.{name}]
# type = ""                  # number, category, text, date, datetime or time
# low =                      # of a number: those below count as this one
# high =                     # those above count as this one
# resolution =               # numbers are rounded to it: 1 for whole ones;
#                            # if none: 2^20 steps, for quantiles 1,000
# thousands =                # the mark that groups digits, such as ","
# decimal = "."              # or ",", the decimal mark
# bins = []                  # edges of the cells in which they may be counted
# values = []                # of a category: matched by the same text; else
#                            # the same number (1.0 is 1; 01, 1E3 are codes);
#                            # else as true, True, TRUE, 1, or as false, ...
# other = "leave out"        # or the category of all other values
# missing = "leave out"      # or what stands for missing cells
"""


def _column(name: str, kind: str | None) -> str:
    quoted = _key(name)
    if kind in _CLOCKS:
        means, low, high, period, periods = _CLOCKS[kind]
        return _TIME.format(name=quoted, kind=kind, space=" " * (20 - len(kind)), means=means,
                            low=low, high=high, period=period, periods=periods,
                            of=json.dumps(name))
    form = {"whole": _WHOLE, "number": _NUMBER, "category": _CATEGORY, None: _UNKNOWN}[kind]
    return form.format(name=quoted)
