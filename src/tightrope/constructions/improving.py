"""`improve`: a mechanism at least as good as the one given, at the same level.

Two ways, and the better of them is taken. Post-processing replaces each output by the answer
that loses least given it; that costs no privacy and keeps the mechanism's law. Otherwise the
best mechanism that the catalog has at the level takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tightrope.choices import Goal
from tightrope.constructions.cards import improvement_card, improvement_lines
from tightrope.constructions.designing import try_catalog
from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.mechanisms import FiniteMechanism, Held, Mechanism, mechanism_of
from tightrope.privacy import certified, level_of
from tightrope.spaces import Label, QueryLike
from tightrope.utility import (
    LossLike,
    PriorLike,
    Problem,
    Solution,
    apply_best_remap,
    relative_gap,
    uniform,
)


class Change(StrEnum):
    """What `improve` did."""

    KEPT = "kept"
    REMAPPED = "remapped"
    REPLACED = "replaced"


@dataclass(frozen=True)
class Improvement:
    """The loss before, the solution after, and what was done; never worse than before."""

    before: float
    after: Solution
    change: Change

    def as_json(self) -> dict[str, Any]:
        """The loss before and after, what was done, and what is known of the best."""
        after = self.after.facts().json
        kept = ("construction", "bound", "gap", "epsilon", "epsilon_text", "delta", "certified",
                "space", "loss", "goal")
        return {
            "before": self.before,
            "after": self.after.value,
            "change": self.change.value,
            **{name: after[name] for name in kept},
        }

    __repr__ = improvement_lines
    _repr_html_ = improvement_card


def improve(
    mechanism: Mechanism | Held,
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    query: QueryLike | None = None,
    effort: Effort = ORDINARY,
) -> Improvement:
    """The best of: the mechanism itself, its best remap, the best of the catalog at the level.

    Raises `NotPrivate` if the mechanism does not have the level.

    >>> from tightrope.constructions import exponential
    >>> weak = exponential("path:0..4", Level.ratio(4)).mechanism
    >>> found = improve(weak, Level.ratio(4))
    >>> found.change.value, found.after.value < found.before
    ('replaced', True)
    """
    base = mechanism_of(mechanism).base
    if not isinstance(base, FiniteMechanism):
        raise BadInput("only a mechanism with listed outputs can be improved.")
    level = level_of(epsilon, delta=delta, ratio=ratio)
    problem = Problem(base.space, level, prior, loss, goal, outputs, query)
    best = Solution(problem, certified(base, problem.level), "given")
    before, change = best.value, Change.KEPT
    if problem.goal is Goal.AVERAGE:
        moved = apply_best_remap(base, problem)
        if moved is not base and problem.value(moved) < before:
            best = Solution(problem, certified(moved, problem.level), "remapped")
            change = Change.REMAPPED
    found = try_catalog(problem, effort, whole=False)
    solutions = found.solutions
    for solution in solutions:
        if solution.value < best.value and relative_gap(best.value, solution.value) > effort.gap:
            best, change = solution, Change.REPLACED
    proof = next((solution.proof for solution in solutions if solution.proof), None)
    return Improvement(before, best.against(found.bound, proof), change)
