"""Staircase noise on all integers, for sums: steps as wide as one person's contribution.

The first step holds |z| < r, each further one Δ integers on either side, e^-ε times as likely.
Among noise that is added to the sum it errs least for the best r (Geng and Viswanath, 2014).
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, isqrt
from typing import TYPE_CHECKING

from tightrope.constructions.closed_forms.written_kernels import check_ratio
from tightrope.constructions.obstacles import refuse, zero_obstacle
from tightrope.exact import Level, Number, Surd
from tightrope.mechanisms import NoiseMechanism
from tightrope.privacy import Certified, certified, level_of
from tightrope.spaces import Family, Space, family_of, largest_change

if TYPE_CHECKING:
    from tightrope.utility import Problem, Solution


def obstacle(problem: Problem) -> str | None:
    """Why it does not exist, in one sentence; None where it does."""
    from tightrope.utility import noise_obstacle  # a release asks for noise, and has no problem

    if (unpriced := noise_obstacle(problem.loss)) is not None:
        return unpriced
    if family_of(problem.space) is not Family.SUM:
        return f"it needs sums, not {problem.space.text}."
    return zero_obstacle(problem)


def integer_staircase(
    space: Space | str,
    epsilon: Level | Number | None = None,
    first: int | None = None,
    *,
    ratio: Number | None = None,
) -> Certified:
    """Staircase noise for sums, |noise| < first on the first step; by default the best one.

    The best r makes the mean error least, which is N/4 + K/N with N = 2r - 1 + 2Δ/(q - 1).

    `space` is one of sums, `first` the width of the first step on either side.

    Returns: the mechanism with its certificate. Raises: `Infeasible` on any other space, or at
    ε = 0.

    >>> made = integer_staircase("sum:people=9,max=3", Level.ratio(4), 2)
    >>> [made.mechanism.law(0).rung(z) for z in range(6)]
    [0, 0, 1, 1, 1, 2]
    """
    from tightrope.utility import Problem

    problem = Problem(space, level_of(epsilon, ratio=ratio))
    refuse("staircase", obstacle(problem))
    change, factor = largest_change(problem.space), problem.level.pure.ratio_below(Surd.of(1))
    assert change is not None
    check_ratio(factor)
    chosen = best_first_step(change, factor) if first is None else first
    return certified(NoiseMechanism(problem.space, factor, change, chosen), problem.level)


def solve(problem: Problem) -> Solution:
    """The staircase for a problem: where only a right answer counts, the narrowest first step."""
    from tightrope.utility import Solution, binary

    first = 1 if problem.loss == binary else None
    made = integer_staircase(problem.space, problem.level, first)
    return Solution(problem, made, "staircase")


def best_first_step(step: int, ratio: Fraction) -> int:
    """The first step r from 1 to s with the least mean error.

    With a = 1/(q - 1) and N = 2r - 1 + 2sa the mean error is N/4 + K/N, K free of r: least at
    N = 2 √K, or at one of the two ends.
    """
    a = 1 / (ratio - 1)
    loose = step * a * (step - 1 + 2 * step * a) - (1 - 2 * step * a) ** 2 / 4
    if loose <= 0:
        return 1
    square = 4 * loose
    root = Fraction(isqrt(square.numerator * square.denominator), square.denominator)
    near = floor((root + 1 - 2 * step * a) / 2)
    options = {min(max(near + k, 1), step) for k in (-1, 0, 1, 2)}
    return min(sorted(options), key=lambda r: (2 * r - 1 + 2 * step * a) / 4
               + loose / (2 * r - 1 + 2 * step * a))
