"""The keys of a column whose values nobody listed, without counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tightrope.characters import label_text
from tightrope.errors import BadInput
from tightrope.releases.answers import Answer, Drawn, Names
from tightrope.releases.figures import interval_figure
from tightrope.releases.keys import key_answers, key_strategy
from tightrope.releases.subqueries import Rows, Strategy

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan


@dataclass(frozen=True)
class Keys:
    """Which values of a column appear, by the largest chances that the level allows."""

    column: str
    name, phrase, adjustable = "keys", "keys of COLUMN", False
    figure = staticmethod(interval_figure)

    def strategies(self, rows: Rows) -> tuple[Strategy, ...]:
        """The keys of the column, and of groups beside it."""
        strategy = key_strategy(rows, self.column, counted=False)
        if strategy is None:
            cells = rows.declaration.column(self.column).cells
            raise BadInput(f"the values of the column {label_text(self.column)!r} are declared, "
                           f"{len(cells):,} of them: ask histogram of {label_text(self.column)}.")
        return (strategy,)

    def cells(self, plan: QuestionPlan) -> Names:
        """None before the draw: only the keys that appear have names."""
        return ()

    def answers(self, plan: QuestionPlan, drawn: Drawn) -> tuple[Answer, ...]:
        """The keys that appear."""
        return key_answers(plan, drawn)
