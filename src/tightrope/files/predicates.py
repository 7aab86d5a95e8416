"""Privacy predicates from files: a function in a Python file, or a table.

`FILE.py:name` runs the file and takes the function `name(a, b)`, or `name(rows)` for a whole
matrix; it is the user's own program and runs with the user's rights. A .csv table with the
columns a, lower, upper gives the corners of a band; any other .csv table is a square of 0 and
1, one row for each a.
"""

from __future__ import annotations

from collections.abc import Callable

from tightrope.errors import BadInput
from tightrope.files.files import extension
from tightrope.files.functions import function_in
from tightrope.files.sheets import Cell, read_sheet
from tightrope.privacy import Band, TablePredicate

_TRUE = {"1", "true", "t", "yes"}
_FALSE = {"0", "false", "f", "no"}


def read_predicate(text: str) -> Callable[..., object]:
    """The predicate that `FILE.py:name` or a .csv table describes."""
    function = function_in(text, "(a, b)")
    if function is not None:
        return function
    if extension(text) == ".csv":
        return _table(text)
    raise BadInput(f"expected a predicate as FILE.py:name or as a .csv table, found {text!r}.")


def _table(file: str) -> Band | TablePredicate:
    rows = read_sheet(file).rows
    if [str(cell).lower() for cell in rows[0][:3]] == ["a", "lower", "upper"]:
        if any(len(row) != 3 or None in row for row in rows):
            raise BadInput(f"{file} has a row without three numbers: a, lower, upper.")
        corners = [[str(cell) for cell in row] for row in rows[1:]]
        return Band.of([(a, low) for a, low, _ in corners], [(a, high) for a, _, high in corners])
    return TablePredicate(tuple(tuple(_truth(file, cell) for cell in row) for row in rows))


def _truth(file: str, cell: Cell) -> bool:
    word = str(cell).lower()
    if word not in _TRUE | _FALSE:
        raise BadInput(f"{file} has an entry that is no truth value; expected 0 or 1.")
    return word in _TRUE
