"""`improve`: a mechanism at least as good as the one given, at the same level.

Two ways, and the better of them is taken. Post-processing replaces each output by the answer
that loses least given it; that costs no privacy and keeps the mechanism's law. Otherwise the
best mechanism that the catalog has at the level takes its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tightrope.constructions.designing import compared
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.optimum.optimal import ORDINARY, Effort
from tightrope.constructions.solution import Solution
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.mechanisms import FiniteMechanism, Mechanism
from tightrope.privacy import certified
from tightrope.utility import relative_gap, remapped


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


def improve(
    mechanism: Mechanism,
    level: Level,
    objective: Objective,
    *,
    effort: Effort = ORDINARY,
) -> Improvement:
    """The best of: the mechanism itself, its best remap, the best of the catalog at the level.

    Raises `NotPrivate` if the mechanism does not have the level.

    >>> from tightrope.spaces import path
    >>> from tightrope.constructions.closed_forms.exponential import exponential
    >>> from tightrope.utility import absolute
    >>> weak = exponential(path(0, 4), Level.ratio(4))
    >>> found = improve(weak, Level.ratio(4), Objective(loss=absolute))
    >>> found.change.value, found.after.value < found.before
    ('replaced', True)
    """
    base = mechanism.base
    if not isinstance(base, FiniteMechanism):
        raise BadInput("only a mechanism with listed outputs can be improved.")
    given = certified(base, level)
    before = objective.value(base)
    best = Solution(given, "given", before)
    change = Change.KEPT
    if objective.goal is Goal.AVERAGE:
        answers = objective.answers(base.space)
        moved = remapped(base, prior=objective.prior, loss=objective.loss, outputs=answers)
        value = objective.value(moved)
        if moved is not base and value < before:
            best = Solution(certified(moved, level), "remapped", value)
            change = Change.REMAPPED
    found = compared(base.space, level, objective, effort)
    for row in found.rows:
        solution = row.solution
        if solution is None or solution.value is None or best.value is None:
            continue
        if solution.value < best.value and relative_gap(best.value, solution.value) > effort.gap:
            best, change = solution, Change.REPLACED
    dual = next((row.solution.dual for row in found.rows
                 if row.solution is not None and row.solution.dual is not None), None)
    return Improvement(before, best.against(found.bound, dual), change)
