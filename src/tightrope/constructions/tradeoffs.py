"""`tradeoff`: what each construction loses as ε grows, beside the least that is possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tightrope.constructions.designing import Comparison, try_catalog
from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.exact import Level, Number
from tightrope.spaces import Label, Space
from tightrope.utility import Goal, LossLike, PriorLike, Problem, uniform


def tradeoff(
    space: Space | str,
    levels: Sequence[Level | Number],
    *,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    outputs: Sequence[Label] | None = None,
    effort: Effort = ORDINARY,
) -> Iterator[Comparison]:
    """A comparison at every level, one after the other; its `problem` has the level.

    >>> found = tradeoff("categories:3", [Level.ratio(2), Level.ratio(4)])
    >>> [round(at.bound, 6) for at in found]
    [0.5, 0.333333]
    """
    asked = [Level.of(level) for level in levels]
    problem = Problem(space, asked[0] if asked else 1, prior, loss, goal, outputs)
    return (try_catalog(problem.at(level), effort) for level in asked)
