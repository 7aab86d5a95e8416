"""Noise in steps for positions: the best there is for one distance, and finer promises not kept.

Planar noise keeps ε d at every distance d. A promise for one distance is "within 200 m a factor of
at most q". Noise that is flat on a disc and on rings as wide as that distance keeps it, with a
smaller mean: by 0.2 percent at q = 2, 6.5 at 10, 29 at 100 (Geng and Viswanath 2014 show so on
the line). The price: positions that are nearer may differ by the whole factor, too.
"""

from __future__ import annotations

import numpy as np

from tightrope.exact import FloatArray, Level, Number, Surd
from tightrope.mechanisms import PositionSteps
from tightrope.privacy import Certified, certified
from tightrope.spaces import Positions


def position_steps(space: Positions, level: Level | Number) -> Certified:
    """Noise in steps on all cells with the best first disc, proved at the level for neighbors.

    >>> from tightrope.spaces import Region
    >>> here = Positions(Region.box(-4, 40, -3, 41), within=200, step="1/5")
    >>> made = position_steps(here, Level.ratio(100))
    >>> made.mechanism.ratio, made.mechanism.first, made.certificate.holds
    (Fraction(100, 1), 260, True)
    """
    level = Level.positive(level)
    ratio = level.ratio_below(Surd.of(1))
    width = space.apart
    means = _means(np.arange(1, width + 1) / width, float(ratio))
    return certified(PositionSteps(space, ratio, 1 + int(np.argmin(means))), level)


def least_mean_distance(factor: float) -> float:
    """The least mean displacement of noise with ratios of at most `factor` within distance 1.

    The same around every position, in a plane (`mechanisms.position_steps` has the proof).

    >>> [round(least_mean_distance(q) * np.log(q) / 2, 3).item() for q in (2, 10, 100)]
    [0.998, 0.935, 0.709]
    """
    return float(_means(np.linspace(0, 1, 10_001), factor).min())


def _means(first: FloatArray, factor: float) -> FloatArray:
    """The mean of noise in steps in the plane, for radii of the first disc, in widths of a ring.

    Discs of radius γ + k weigh t^k, t = 1/factor: 2/3 Σ t^k (γ + k)³ over Σ t^k (γ + k)².
    """
    t = 1 / factor
    sums = (1 / (1 - t), t / (1 - t) ** 2, t * (1 + t) / (1 - t) ** 3,
            t * (1 + 4 * t + t * t) / (1 - t) ** 4)
    cubes = ((sums[0] * first + 3 * sums[1]) * first + 3 * sums[2]) * first + sums[3]
    squares = (sums[0] * first + 2 * sums[1]) * first + sums[2]
    return np.asarray(2 / 3 * cubes / squares)
