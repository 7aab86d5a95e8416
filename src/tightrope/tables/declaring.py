"""Declarations drafted from a schema.

A draft holds what names and stored types tell, and asks for the rest. It is never filled in from
rows: bounds and categories that were read from the data would tell what is in them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from tightrope.characters import counted, few, refuse_controls
from tightrope.errors import BadTable
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


def draft_declaration(data: Any, *, table: str | None = None, header: bool = False) -> Draft:
    """A declaration drafted from the schema alone: names, and types that no row decides.

    Parameters: `data` is a frame, columns by name, a file or the URL of a database; `table` is
    one of a database. `header` says that the first line of a text file holds names and is no row.

    Returns: a `Draft`; its `text` is TOML, to be filled in from what is known without the data.

    Raises: `BadInput` for what is no table. `Refused` for a text file without `header`.

    >>> "[columns.age]" in draft_declaration({"age": [31, 40]}).text.splitlines()
    True
    """
    schema = schema_of(data, table=table, header=header)
    for name in schema:
        refuse_controls(name, "the name of a column", BadTable)
    parts = [_HEAD, *(_column(name, kind) for name, kind in schema.items())]
    return Draft("\n".join(parts), tuple(schema))


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
type = "category"
# values = []                # the categories: matched by the same text; else
#                            # the same number (1.0 is 1; 01, 1E3 are codes);
#                            # else as true, True, TRUE, 1, or as false, ...
# other = "leave out"        # or the category of all other values
# missing = "leave out"      # or the category of missing cells
"""

_UNKNOWN = """\
[columns.{name}]
# type = ""                  # number, or category
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
    bare = name.isascii() and name.replace("_", "a").replace("-", "a").isalnum()
    quoted = name if bare else json.dumps(name)
    form = {"whole": _WHOLE, "number": _NUMBER, "category": _CATEGORY, None: _UNKNOWN}[kind]
    return form.format(name=quoted)
