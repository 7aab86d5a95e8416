"""`design` and `compare`: the best construction that applies, and all of them side by side."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tightrope.constructions.catalog import CATALOG, Entry, entry
from tightrope.constructions.solution import Solution
from tightrope.errors import BadInput, Infeasible, TooLarge
from tightrope.exact import Level
from tightrope.mechanisms import Mechanism
from tightrope.privacy import certified
from tightrope.spaces import Space
from tightrope.utility import Loss, LossMatrix, Prior, binary, expected_loss, uniform, worst_loss


class Goal(StrEnum):
    """Which loss counts: on average over the prior, or for the worst input."""

    AVERAGE = "average"
    WORST = "worst"


@dataclass(frozen=True)
class Row:
    """One construction in a comparison; `solution` is None where it does not apply."""

    construction: str
    solution: Solution | None
    reason: str


@dataclass(frozen=True)
class Comparison:
    """Every construction, and a proved lower bound on the loss where one is known."""

    rows: tuple[Row, ...]
    bound: float | None


def design(
    space: Space,
    level: Level,
    *,
    prior: Prior = uniform,
    loss: Loss | LossMatrix = binary,
    goal: Goal = Goal.AVERAGE,
    construction: str | None = None,
) -> Solution:
    """The certified mechanism with the smallest loss among the constructions that apply.

    With `construction` only that one is tried, and `Infeasible` says why if it does not exist.

    >>> from tightrope.spaces import path
    >>> from tightrope.utility import absolute
    >>> s = design(path(0, 2), Level.ratio(2), loss=absolute)
    >>> s.construction, round(s.value, 12)
    ('geometric', 0.555555555556)
    """
    if construction is not None:
        chosen = entry(construction)
        obstacle = chosen.obstacle(space)
        if obstacle is not None:
            raise Infeasible(f"{chosen.name} does not exist here: {obstacle}")
        return _solve(chosen, space, level, prior, loss, goal)
    rows = compare(space, level, prior=prior, loss=loss, goal=goal).rows
    found = [
        row.solution for row in rows if row.solution is not None and row.solution.value is not None
    ]
    if not found:
        raise BadInput(
            f"no construction applies to {space.text}: "
            + " ".join(f"{row.construction}: {row.reason}" for row in rows)
        )
    return min(found, key=lambda solution: solution.value or 0.0)


def compare(
    space: Space,
    level: Level,
    *,
    prior: Prior = uniform,
    loss: Loss | LossMatrix = binary,
    goal: Goal = Goal.AVERAGE,
) -> Comparison:
    """Every construction of the catalog, certified, with its loss or the reason it is absent."""
    rows = []
    for candidate in CATALOG:
        obstacle = candidate.obstacle(space)
        if obstacle is not None:
            rows.append(Row(candidate.name, None, obstacle))
            continue
        try:
            solution = _solve(candidate, space, level, prior, loss, goal)
        except TooLarge as large:
            rows.append(Row(candidate.name, None, str(large)))
            continue
        rows.append(Row(candidate.name, solution, candidate.reason))
    return Comparison(tuple(rows), None)


def _solve(
    chosen: Entry, space: Space, level: Level, prior: Prior, loss: Loss | LossMatrix, goal: Goal
) -> Solution:
    mechanism = chosen.build(space, level)
    proved = certified(mechanism, level)
    return Solution(proved, chosen.name, _value(mechanism, prior, loss, goal))


def _value(mechanism: Mechanism, prior: Prior, loss: Loss | LossMatrix, goal: Goal) -> float:
    if goal is Goal.WORST:
        return worst_loss(mechanism, loss=loss)
    return expected_loss(mechanism, prior=prior, loss=loss)
