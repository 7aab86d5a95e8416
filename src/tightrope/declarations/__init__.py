"""Declarations of a table, made before anybody looks at rows: unit, columns, filters, tallies."""

from tightrope.declarations.cells import NUMERAL, as_double, as_text, numeral
from tightrope.declarations.columns import AnyColumn, CategoryColumn, Column, NumberColumn
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
from tightrope.declarations.readings import Absent, Among, Bin, Code, Compared, Listed, Reading
from tightrope.declarations.rules import rules
from tightrope.declarations.tallies import Tallied, Tally

__all__ = [
    "KEY_BYTES",
    "NUMERAL",
    "Absent",
    "All",
    "Among",
    "AnyColumn",
    "AnyOf",
    "Bin",
    "CategoryColumn",
    "Code",
    "Column",
    "Compared",
    "CutKey",
    "Declaration",
    "Filter",
    "Listed",
    "Neighbors",
    "Not",
    "NumberColumn",
    "Reading",
    "Tallied",
    "Tally",
    "Unit",
    "as_double",
    "as_text",
    "columns_named",
    "conditions_in",
    "numeral",
    "read_filter",
    "rules",
]
