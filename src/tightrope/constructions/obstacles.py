"""Hypotheses of constructions: where one does not hold, one sentence says so.

Every construction has an `obstacle(problem)`: None where it exists, else the reason why not. The
catalog checks it before it tries, and so does the construction itself: a direct call on another
space raises `Infeasible`, and never returns a weaker mechanism.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.errors import Infeasible
from tightrope.spaces import Family, Space, family_of

if TYPE_CHECKING:
    from tightrope.utility import Problem


def refuse(name: str, reason: str | None) -> None:
    """Raise `Infeasible` if there is a reason why the construction does not exist."""
    if reason is not None:
        raise Infeasible(f"{name} does not exist here: {reason}")


def zero_obstacle(problem: Problem) -> str | None:
    """Why a law that falls with the distance does not exist at ε = 0; None above it."""
    return "it needs an ε above 0: at ε = 0 nothing falls with the distance." if (
        problem.level.is_zero) else None


def equidistance_obstacle(space: Space) -> str | None:
    """Why points are not all at one rational distance, in one sentence; None where they are."""
    if space.diameter != space.least_distance or not space.diameter.rational:
        return f"it needs points that are all equally far apart, which {space.text} has not."
    return None


def path_obstacle(space: Space) -> str | None:
    """Why a space is no path of whole numbers; None where it is one."""
    if family_of(space) is not Family.PATH:
        return f"it needs a path of whole numbers, not {space.text}."
    return None
