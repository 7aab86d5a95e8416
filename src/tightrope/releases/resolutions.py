"""The resolution of a statistic whose column declares none.

Sums and means take the default of the column. Ranks err more the more values there are, and a
variance adds up squares of steps, so that these take fewer. Statistics about values themselves ask
for a resolution, since it decides on their answers.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import assert_never

from tightrope.characters import label_text
from tightrope.declarations import Declaration, NumberColumn
from tightrope.errors import BadInput

MOST_VALUES = 2**20
"""Values of all groups together that a tree has a number for."""

RANK_STEPS = 1000
"""Least steps of quantiles without a declared resolution: ranks err more, the more values."""

VARIANCE_STEPS = 2**16
"""Least steps of a variance without a declared resolution, whose squares stay whole numbers."""


class Resolution(Enum):
    """Where a statistic takes its resolution from, if its column declares none."""

    COLUMN = "the column's default"
    RANKS = "few steps"
    SQUARES = "steps whose squares stay whole numbers"
    DECLARED = "none: it must be declared, or bins"


def with_resolution(
    resolution: Resolution, statistic: str, name: str, declaration: Declaration
) -> Declaration:
    """The declaration with the resolution that a statistic takes where none is declared."""
    column = declaration.column(name)
    if not isinstance(column, NumberColumn) or column.resolution is not None:
        return declaration
    match resolution:
        case Resolution.COLUMN:
            return declaration
        case Resolution.RANKS:
            column = column.with_steps(RANK_STEPS, MOST_VALUES)
        case Resolution.SQUARES:
            column = column.with_steps(VARIANCE_STEPS, MOST_VALUES)
        case Resolution.DECLARED:
            if not column.bins:
                raise BadInput(f"a {statistic} tells values apart: declare the resolution or the "
                               f"bins of the column {label_text(name)!r}.")
        case _:
            assert_never(resolution)
    return replace(declaration, columns={**declaration.columns, name: column})
