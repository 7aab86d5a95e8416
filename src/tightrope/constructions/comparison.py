"""Constructions side by side: what each loses, and the least that any mechanism can lose."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from tightrope.constructions.cards import comparison_card, comparison_lines, to_frame
from tightrope.utility import Problem, Solution


@dataclass(frozen=True)
class Row:
    """One construction in a comparison; `solution` is None where it does not apply.

    Then the space is `too_large` for it, or something else is `beyond` a limit of it, or it is
    `impossible` to make, or an obstacle is in its way.
    """

    construction: str
    solution: Solution | None
    reason: str
    too_large: bool = False
    impossible: bool = False
    beyond: bool = False

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended its search."""
        return self.solution is not None and bool(self.solution.statistics.get("interrupted"))

    @property
    def parameters(self) -> str | None:
        """The parameters that were given or found, as they follow the name; None without any."""
        made = "" if self.solution is None else self.solution.construction
        return made.partition(":")[2] or None

    def as_json(self) -> dict[str, Any]:
        """The construction with its loss, gap, error and level, null where it does not apply."""
        solution = self.solution
        closeness = None if solution is None else solution.closeness
        smallest = None if solution is None else solution.certified.certificate.smallest
        return {
            "construction": self.construction,
            "value": None if solution is None else solution.value,
            "gap": None if solution is None else solution.gap,
            "errors_expected": None if closeness is None else closeness.as_json(),
            "level_proved": None if smallest is None else smallest.as_json(),
            "certified": solution is not None,
            "reason": self.reason,
            "parameters": self.parameters,
        }


@dataclass(frozen=True)
class Comparison:
    """Every construction for a problem, best first, and how little any mechanism loses.

    A row has the name of a construction and its `solution`, or the `reason` why it is absent;
    `bound` is proved, None if not known. Where Ctrl-C was pressed, the comparison is `interrupted`.
    `to_frame()` makes a table of pandas.

    >>> import tightrope as tr
    >>> found = tr.compare("categories:3", tr.Level.ratio(2))
    >>> round(found.bound, 12), found.solutions[0].construction
    (0.5, 'randomized-response')
    """

    problem: Problem
    rows: tuple[Row, ...]
    bound: float | None
    interrupted: bool = False

    @property
    def ranked(self) -> tuple[Row, ...]:
        """The rows, the least loss first; what does not apply comes last."""
        return tuple(sorted(
            self.rows, key=lambda row: inf if row.solution is None else row.solution.value
        ))

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """What applies, the least loss first."""
        return tuple(row.solution for row in self.ranked if row.solution is not None)

    def as_json(self) -> dict[str, Any]:
        """The rows, the least loss first, the bound, and the question."""
        problem = self.problem
        return {
            "rows": [row.as_json() for row in self.ranked],
            "bound": self.bound,
            **problem.level.as_json(),
            "space": problem.space.text,
            "loss": problem.loss.name,
            "goal": problem.goal.value,
        }

    __repr__ = comparison_lines
    _repr_html_ = comparison_card
    to_frame = to_frame
