"""Randomized response for every item of a set, independently of the others."""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions.closed_forms.written_kernels import exact_kernel
from tightrope.constructions.obstacles import refuse, zero_obstacle
from tightrope.exact import Level, Number, Surd
from tightrope.privacy import Certified, certified
from tightrope.spaces import Family, Space, family_of
from tightrope.utility import Problem


def obstacle(problem: Problem) -> str | None:
    """Why it does not exist, in one sentence; None where it does."""
    if family_of(problem.space) is not Family.SETS:
        return f"it needs the sets of some items, not {problem.space.text}."
    return zero_obstacle(problem)


def item_response(space: Space | str, level: Level | Number) -> Certified:
    """Randomized response on every item of a set: kept with probability e^ε/(1 + e^ε).

    On `sets:k` the level is for one item: sets that differ in all k items are kε apart.

    >>> made = item_response("sets:2", Level.ratio(2))
    >>> [str(p) for p in made.mechanism.row_at(0)]
    ['4/9', '2/9', '2/9', '1/9']
    """
    problem = Problem(space, level)
    refuse("item-response", obstacle(problem))
    ratio = problem.level.pure.ratio_below(Surd.of(1))
    ones = (Fraction(1),) * problem.space.size
    return certified(exact_kernel(problem.space, ratio, Fraction(1), ones), problem.level)
