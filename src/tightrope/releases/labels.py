"""Labels of categories and bins, where answers are shown: documents and programs keep the codes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tightrope.declarations import CategoryColumn, NumberColumn
from tightrope.releases.accuracy import Ranks

if TYPE_CHECKING:
    from tightrope.releases.answers import Answer
    from tightrope.releases.planning import QuestionPlan

_LONG, _THOUSANDS = (re.compile(rf"(?<![.\d])\d{{{least},}}") for least in (5, 4))
"""Whole parts of numbers with so many digits or more."""


def columns_of_cells(plan: QuestionPlan) -> tuple[str, ...]:
    """The columns whose categories are the first parts of the name of a cell."""
    question = plan.question
    if plan.keys is not None:
        return plan.keys.keys
    if plan.tally.once is not None:  # answers are not by groups
        return ()
    return (*(question.columns if plan.statistic.adjustable else ()), *question.by)


def words_of(plan: QuestionPlan, column: str) -> Mapping[str, str]:
    """The labels of a column by category."""
    declared = plan.declaration.columns.get(column)
    return declared.words if isinstance(declared, CategoryColumn) else {}


def shown_cell(plan: QuestionPlan, cell: Sequence[str]) -> tuple[str, ...]:
    """The name of a cell with labels in the place of codes."""
    columns = columns_of_cells(plan)
    return tuple(shown_words(plan, columns[place]).get(part, part) if place < len(columns) else part
                 for place, part in enumerate(cell))


def shown_words(plan: QuestionPlan, column: str) -> Mapping[str, str]:
    """The labels of categories, or bins with marks between thousands where numbers are long.

    Numbers of four digits may be years: they have marks only beside longer ones.
    """
    declared = plan.declaration.columns.get(column)
    if isinstance(declared, NumberColumn) and any(map(_LONG.search, declared.cells)):
        return {name: _THOUSANDS.sub(lambda found: f"{int(found[0]):,}", name)
                for name in declared.cells}
    return words_of(plan, column)


def shown_cells(plan: QuestionPlan, column: str) -> tuple[str, ...]:
    """The categories or bins of a column, as they are shown."""
    words = shown_words(plan, column)
    return tuple(words.get(name, name) for name in plan.declaration.column(column).cells)


def shown_choice(plan: QuestionPlan, answer: Answer) -> str | None:
    """The label of a category that was chosen; None where the answer is no labeled category."""
    accuracy = plan.strategy.accuracy
    if not isinstance(answer.value, str) or not isinstance(accuracy, Ranks) or accuracy.by_rank:
        return None
    return words_of(plan, plan.question.columns[0]).get(answer.value)
