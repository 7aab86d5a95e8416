"""How cells are read, in words: the rule of a column as drafts and dry runs show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from tightrope.characters import decimal_text, label_text
from tightrope.declarations.columns import CategoryColumn, NumberColumn
from tightrope.declarations.forms import Column
from tightrope.declarations.moments import Clock
from tightrope.declarations.periods import PeriodColumn
from tightrope.declarations.readings import Absent, Bin, Code, Reading
from tightrope.declarations.texts import TextColumn
from tightrope.declarations.times import TimeColumn

MATCHED = ("same text; else same number (1.0 is 1; 01 and 1E3 are codes); else true, True, TRUE, 1 "
           "or false, False, FALSE, 0")


def rules(
    readings: Iterable[Reading], texts: Mapping[str, TextColumn] | None = None
) -> dict[str, str]:
    """How the cells of each column are read, by its name; `texts` are those read as keys."""
    listed: dict[str, dict[str, None]] = {}
    columns: dict[str, Column] = {}
    for reading in readings:
        listed.setdefault(reading.name, {})[_rule(reading)] = None
        columns[reading.name] = reading.column
    keys = {name: f"keys, the same text is the same key; missing, longer than {column.longest:,} "
            "characters, or with control characters: left out"
            for name, column in (texts or {}).items()}
    return keys | {name: "; ".join((*words, _exceptions(columns[name]), *(
        [keys[name]] if name in keys else ()))) for name, words in listed.items()}


def _rule(reading: Reading) -> str:
    """How one reading reads a cell."""
    column = reading.column
    match reading:
        case Absent():
            return "missing or not"
        case _ if isinstance(column, CategoryColumn):
            return MATCHED
        case _ if isinstance(column, PeriodColumn):
            return f"clamped to {_range(column.time)}, by {column.period}"
        case Code() if isinstance(column, TimeColumn):
            return f"clamped to {_range(column)}, in whole {_steps(column)}"
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
    time = column.time if isinstance(column, PeriodColumn) else column
    missing = "left out" if time.missing is None else _shown(time, time.missing)
    return f"no {time.clock if isinstance(time, TimeColumn) else 'number'}: {missing}"


def _range(column: NumberColumn) -> str:
    return f"[{_shown(column, column.low)}, {_shown(column, column.high)}]"


def _shown(column: NumberColumn, number: Fraction) -> str:
    return column.text(number) if isinstance(column, TimeColumn) else decimal_text(number)


def _steps(column: TimeColumn) -> str:
    return "days" if column.clock is Clock.DATE else "seconds"
