"""How cells are read, in words: the rule of a column as drafts and dry runs show it."""

from __future__ import annotations

from collections.abc import Iterable

from tightrope.characters import decimal_text, label_text
from tightrope.declarations.columns import CategoryColumn, Column, NumberColumn
from tightrope.declarations.readings import Absent, Bin, Code, Reading

MATCHED = ("same text; else same number (1.0 is 1; 01 and 1E3 are codes); else true, True, TRUE, 1 "
           "or false, False, FALSE, 0")


def rules(readings: Iterable[Reading]) -> dict[str, str]:
    """How the cells of each column are read, by its name."""
    listed: dict[str, dict[str, None]] = {}
    columns: dict[str, Column] = {}
    for reading in readings:
        listed.setdefault(reading.name, {})[_rule(reading)] = None
        columns[reading.name] = reading.column
    return {name: "; ".join((*words, _exceptions(columns[name]))) for name, words in listed.items()}


def _rule(reading: Reading) -> str:
    """How one reading reads a cell."""
    column = reading.column
    match reading:
        case Absent():
            return "missing or not"
        case _ if isinstance(column, CategoryColumn):
            return MATCHED
        case Code():
            return (f"clamped to {_range(column)}, rounded to steps of {decimal_text(column.step)} "
                    f"(± {decimal_text(column.step / 2)})")
        case Bin():
            return f"clamped to {_range(column)}, not rounded, in bins"
        case _:
            return "compared as it is, neither clamped nor rounded"


def _exceptions(column: Column) -> str:
    """Which cells are left out, or stand for others."""
    if isinstance(column, CategoryColumn):
        rules = (("others", column.other), ("missing", column.missing))
        return "; ".join(f"{which}: {'left out' if value is None else label_text(value)}"
                         for which, value in rules)
    missing = "left out" if column.missing is None else decimal_text(column.missing)
    return f"no number: {missing}"


def _range(column: NumberColumn) -> str:
    return f"[{decimal_text(column.low)}, {decimal_text(column.high)}]"
