"""Noise for several whole numbers that one unit changes together: counts, sums, histograms.

Every number gets noise in steps. How wide steps and first step are is chosen for the least mean
error among those tried that have the level. For one number that changes by 1 it is the two-sided
geometric, for one that changes by more the staircase. No other noise added to it has a smaller
mean error (Geng and Viswanath, 2014).
"""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions.closed_forms.integer_staircase import best_first_step
from tightrope.errors import BadInput
from tightrope.exact import Level, Number, Surd
from tightrope.mechanisms import MOST_RUNGS, TallyNoise
from tightrope.privacy import Certified, certified
from tightrope.spaces import Tallies


def tally_noise(space: Tallies, level: Level | Number) -> Certified:
    """Noise in steps with the least mean error among those tried, proved at the level.

    >>> tally_noise(Tallies(cells=6, touched=2, change=2), "ln(4)").mechanism.ratio
    Fraction(2, 1)
    """
    level, candidates = Level.positive(level), []
    for step in _steps(space):
        rungs = space.touched + (space.change - space.touched) // step
        if rungs > MOST_RUNGS:
            continue
        ratio = level.scaled(Fraction(1, rungs)).ratio_below(Surd.of(1))
        candidates.append(TallyNoise(space, ratio, step, best_first_step(step, ratio)))
    if not candidates:
        raise BadInput(f"one unit may be in more than {MOST_RUNGS:,} cells; declare fewer.")
    return certified(min(candidates, key=lambda noise: noise.mean_error), level)


def _steps(space: Tallies) -> list[int]:
    """Step widths worth trying: the least for each of a few numbers of rungs."""
    further, widths = space.change - space.touched, {1, space.change}
    for rungs in (*range(1, 33), 64, 128, 256, 1024):
        if rungs <= further:
            widths.add(further // rungs + 1)
            widths.add(-(-further // rungs))
    return sorted(step for step in widths if 1 <= step <= space.change)
