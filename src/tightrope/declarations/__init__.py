"""What is declared of a table before anybody looks at its rows: unit, columns, filters, tallies."""

from tightrope.declarations.columns import (
    CategoryColumn,
    Column,
    NumberColumn,
    as_double,
    as_text,
)
from tightrope.declarations.declaration import Declaration, Neighbors, Unit
from tightrope.declarations.filters import (
    Absent,
    All,
    Among,
    AnyOf,
    Filter,
    Not,
    Within,
    columns_in,
    read_filter,
)
from tightrope.declarations.tallies import Tallied, Tally, tally_rows

__all__ = [
    "Absent",
    "All",
    "Among",
    "AnyOf",
    "CategoryColumn",
    "Column",
    "Declaration",
    "Filter",
    "Neighbors",
    "Not",
    "NumberColumn",
    "Tallied",
    "Tally",
    "Unit",
    "Within",
    "as_double",
    "as_text",
    "columns_in",
    "read_filter",
    "tally_rows",
]
