"""Declarations of a table, made before anybody looks at rows: unit, columns, filters, tallies."""

from tightrope.declarations.cells import NUMERAL, as_double, as_text, numeral
from tightrope.declarations.columns import AnyColumn, CategoryColumn, NumberColumn
from tightrope.declarations.cuts import KEY_BYTES, CutKey
from tightrope.declarations.declaration import Declaration, Neighbors, Unit
from tightrope.declarations.filters import (
    All,
    AnyOf,
    Filter,
    Not,
    columns_named,
    conditions_in,
    read_filter,
)
from tightrope.declarations.forms import Column
from tightrope.declarations.keys import BETWEEN, KeyTally
from tightrope.declarations.moments import DAY, FIRST, LAST, Clock
from tightrope.declarations.namings import Naming
from tightrope.declarations.periods import PeriodColumn
from tightrope.declarations.readings import (
    Absent,
    Among,
    Bin,
    Code,
    Compared,
    Listed,
    Reading,
    Sign,
)
from tightrope.declarations.rules import MATCHED, rules
from tightrope.declarations.tallies import Once, Tallied, Tally
from tightrope.declarations.texts import TextColumn
from tightrope.declarations.times import TimeColumn

__all__ = [
    "BETWEEN",
    "DAY",
    "FIRST",
    "KEY_BYTES",
    "LAST",
    "MATCHED",
    "NUMERAL",
    "Absent",
    "All",
    "Among",
    "AnyColumn",
    "AnyOf",
    "Bin",
    "CategoryColumn",
    "Clock",
    "Code",
    "Column",
    "Compared",
    "CutKey",
    "Declaration",
    "Filter",
    "KeyTally",
    "Listed",
    "Naming",
    "Neighbors",
    "Not",
    "NumberColumn",
    "Once",
    "PeriodColumn",
    "Reading",
    "Sign",
    "Tallied",
    "Tally",
    "TextColumn",
    "TimeColumn",
    "Unit",
    "as_double",
    "as_text",
    "columns_named",
    "conditions_in",
    "numeral",
    "read_filter",
    "rules",
]
