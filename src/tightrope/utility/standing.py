"""Where a loss stands beside the best possible, as far as that is proved.

A loss is called optimal if a theorem says so, or if the exact loss is the exact bound. Elsewhere
the largest possible gap is stated, including the rounding of doubles.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, isinf
from typing import TYPE_CHECKING

from tightrope.choices import Goal
from tightrope.exact import sizes, tolerances
from tightrope.mechanisms import KernelMechanism, MatrixMechanism, count_outputs
from tightrope.utility.brackets import SCALE, loss_ceilings, mean_above

if TYPE_CHECKING:
    from tightrope.utility.solution import Solution


def standing_of(solution: Solution, gap: float = tolerances.DEFAULT_GAP) -> str:
    """How far the loss is from the best possible, as far as that is proved.

    >>> import tightrope as tr
    >>> standing_of(tr.design("categories:3", tr.Level.ratio(2)))  # by a theorem
    'optimal'
    >>> constant = tr.design("categories:3", 1, prior=[1, 0, 0])  # the first value: no error
    >>> constant.theorem, standing_of(constant)
    (None, 'optimal')
    """
    if solution.exact is not None:
        return "optimal"
    if solution.gap is None:
        return "optimal by a theorem" if solution.theorem else "the best possible is not known"
    if solution.gap <= gap:
        most = Fraction(0) if solution.theorem else largest_gap(solution)
        return f"optimal within {one_digit_above(most)}" if most else "optimal"
    saves = f"the best saves at most {saved(solution.gap)}"
    if solution.statistics.get("finished", True):
        return saves
    why = "at the end of its digits" if solution.statistics.get("exhausted") else "before its end"
    return f"{saves} (the search stopped {why})"


def largest_gap(solution: Solution) -> Fraction:
    """The largest relative gap that a small gap between doubles allows; 0 only if it is exact."""
    assert solution.gap is not None
    room = _rounding(solution)
    if solution.gap > room:
        return Fraction(solution.gap) + room
    exact = _exact_gap(solution)
    return Fraction(solution.gap) + room if exact is None else exact


def _rounding(solution: Solution) -> Fraction:
    """Relative error of a loss in doubles: the losses, and a sum over inputs and outputs."""
    terms = solution.problem.space.size + (count_outputs(solution.mechanism) or 0)
    return Fraction(tolerances.LOSS_ERROR) + Fraction(terms, 2**52)


def _exact_gap(solution: Solution) -> Fraction | None:
    """The gap between exact loss and proved bound; None if it would take long."""
    problem, mechanism = solution.problem, solution.mechanism.base
    if not isinstance(mechanism, KernelMechanism | MatrixMechanism):
        return None
    entries = problem.space.size * len(mechanism.outputs)
    if entries > sizes.LARGEST_EXACT_LOSS or tuple(mechanism.outputs) != tuple(problem.answers):
        return None
    if solution.dual is None:
        return None
    ceilings = loss_ceilings(mechanism, problem.bracket)
    worst = problem.goal is Goal.WORST
    whole = max(ceilings) if worst else mean_above(ceilings, problem.prior, problem.space)
    value = Fraction(whole, 2**SCALE)
    open_part = max(value - solution.dual.bound, Fraction(0))
    return open_part / abs(value) if value else open_part


def one_digit_above(gap: float | Fraction) -> str:
    """A small positive number with one digit, rounded up.

    >>> one_digit_above(1.7e-8), one_digit_above(1e-6), one_digit_above(9.1e-9)
    ('2e-8', '1e-6', '1e-8')
    """
    power = -20
    while Fraction(gap) > 9 * Fraction(10) ** power:
        power += 1
    return f"{max(1, ceil(Fraction(gap) / Fraction(10) ** power))}e{power}"


def saved(gap: float) -> str:
    """The part of a loss not proved necessary, in percent, rounded up.

    >>> saved(0.28641), saved(1e-5)
    ('28.65 %', '0.01 %')
    """
    return "all of it" if isinf(gap) else f"{ceil(1e4 * gap) / 100:g} %"
