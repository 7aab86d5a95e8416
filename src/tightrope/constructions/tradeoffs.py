"""`tradeoff`: what each construction loses as ε grows, beside the least that is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tightrope.choices import Goal
from tightrope.constructions.cards import tradeoff_card, tradeoff_lines
from tightrope.constructions.comparison import Comparison
from tightrope.constructions.designing import nothing_applies, try_catalog
from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number
from tightrope.spaces import Label, QueryLike, Space
from tightrope.utility import LossLike, PriorLike, Problem, uniform


@dataclass(frozen=True)
class Tradeoff:
    """A comparison at each of several levels, in the order asked; it is a sequence of them.

    `left` are the levels that were asked for and not reached, because Ctrl-C was pressed.

    >>> found = tradeoff("categories:3", [Level.ratio(2), Level.ratio(4)])
    >>> len(found), found[1].problem.level.text
    (2, 'ln(4)')
    """

    problem: Problem
    comparisons: tuple[Comparison, ...]
    left: tuple[Level, ...] = ()

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    def __getitem__(self, index: int) -> Comparison:
        return self.comparisons[index]

    def as_json(self) -> dict[str, Any]:
        """A row for each level and each construction that applies there, and the question."""
        return {
            "rows": [
                {
                    "epsilon": float(at.problem.level),
                    "construction": row.construction,
                    "value": row.solution.value,
                    "bound": row.solution.bound,
                    "gap": row.solution.gap,
                    "theorem": row.solution.theorem,
                }
                for at in self
                for row in at.rows
                if row.solution is not None
            ],
            "space": self.problem.space.text,
            "delta": float(self.problem.level.delta),
            "loss": self.problem.loss.name,
            "goal": self.problem.goal.value,
            "left": [float(level) for level in self.left],
        }

    __repr__ = tradeoff_lines
    _repr_html_ = tradeoff_card


def tradeoff(
    space: Space | str,
    epsilons: Sequence[Level | Number],
    *,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    query: QueryLike | None = None,
    effort: Effort = ORDINARY,
    told: Callable[[Comparison], None] | None = None,
) -> Tradeoff:
    """A comparison at every level, one after the other; its `problem` has the level.

    Ctrl-C ends with the levels that were reached.

    >>> found = tradeoff("categories:3", [Level.ratio(2), Level.ratio(4)])
    >>> [round(at.bound, 6) for at in found]
    [0.5, 0.333333]
    """
    if isinstance(epsilons, str) or not isinstance(epsilons, Iterable):
        raise BadLevel(epsilons, "a list of levels, such as [0.5, 1, 2]")
    asked = [Level.of(epsilon) for epsilon in epsilons]
    if not asked:
        raise BadInput("expected at least one level, found none.")
    problem, found = Problem(space, asked[0], prior, loss, goal, outputs, query), []
    for level in asked:
        try:
            found.append(try_catalog(problem.at(level), effort))
        except KeyboardInterrupt:
            if not found:
                raise
            break
        if told is not None:
            told(found[-1])
        if found[-1].interrupted:
            break
    if not any(at.solutions for at in found):
        raise nothing_applies(found[0])
    return Tradeoff(problem, tuple(found), tuple(asked[len(found):]))
