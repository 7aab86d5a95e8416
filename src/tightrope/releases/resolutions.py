"""The resolution of a question whose column declares none.

Sums and means take the default of the column. Ranks err more the more values there are, and a
variance adds up squares of steps, so that these take fewer. Questions about values themselves ask
for a resolution, since it decides on their answers.
"""

from __future__ import annotations

from dataclasses import replace

from tightrope.characters import label_text
from tightrope.declarations import Declaration, NumberColumn
from tightrope.errors import BadInput
from tightrope.releases.questions import CHOSEN, RANKED, Ask, Question

MOST_VALUES = 2**20
"""Values of all groups together that a tree has a number for."""

RANK_STEPS = 1000
"""Least steps of quantiles without a declared resolution: ranks err more, the more values."""

VARIANCE_STEPS = 2**16
"""Least steps of a variance without a declared resolution, whose squares stay whole numbers."""


def with_resolution(question: Question, declaration: Declaration) -> Declaration:
    """The declaration with the resolution that the question takes where none is declared."""
    if not question.columns:
        return declaration
    name, ask = question.columns[0], question.ask
    column = declaration.column(name)
    if not isinstance(column, NumberColumn) or column.resolution is not None:
        return declaration
    if ask in RANKED:
        column = column.with_steps(RANK_STEPS, MOST_VALUES)
    elif ask is Ask.VARIANCE:
        column = column.with_steps(VARIANCE_STEPS, MOST_VALUES)
    elif (ask in CHOSEN or ask is Ask.DISTRIBUTION) and not column.bins:
        raise BadInput(f"a {ask.value} tells values apart: declare the resolution or the bins of "
                       f"the column {label_text(name)!r}.")
    return replace(declaration, columns={**declaration.columns, name: column})
