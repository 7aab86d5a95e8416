"""`tradeoff`: what each construction loses as ε grows, beside the least that is possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tightrope.constructions.designing import Comparison, compared
from tightrope.constructions.objective import Objective
from tightrope.constructions.optimum.optimal import ORDINARY, Effort
from tightrope.exact import Level
from tightrope.spaces import Space


@dataclass(frozen=True)
class LevelComparison:
    """All constructions side by side at one level."""

    level: Level
    comparison: Comparison


def tradeoff(
    space: Space,
    levels: Sequence[Level],
    objective: Objective,
    *,
    effort: Effort = ORDINARY,
) -> Iterator[LevelComparison]:
    """A comparison at every level, one after the other.

    >>> from tightrope.spaces import categories
    >>> found = tradeoff(categories(3), [Level.ratio(2), Level.ratio(4)], Objective())
    >>> [round(at.comparison.bound, 6) for at in found]
    [0.5, 0.333333]
    """
    for level in levels:
        found = compared(space, level, objective, effort)
        yield LevelComparison(level, found)
