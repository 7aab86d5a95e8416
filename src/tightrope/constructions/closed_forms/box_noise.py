"""Noise in boxes for several numbers that one unit changes all at once: overlapping counts, curves.

Of all first steps nearly the best is taken. For k numbers the mean error of each is about
(k + 1)/(2 ε) steps, where one noise of level ε/k for each has k/ε.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from tightrope.exact import Level, Number, Surd, ball_of
from tightrope.mechanisms import BoxLaw, BoxMechanism
from tightrope.privacy import Certified, certified
from tightrope.spaces import Totals

_REFINED = 4
"""Refinements of the first step, each with half the width."""

_EXACT = 16
"""Dimensions up to which mean errors come from the closed form."""


def box_noise(space: Totals, level: Level | Number) -> Certified:
    """Noise in boxes, proved at the level.

    >>> box_noise(Totals(people=9, most=1, length=2), "ln(2)").mechanism.noise.mean_error
    Fraction(36, 17)
    """
    level = Level.positive(level)
    ratio = level.pure.ratio_below(Surd.of(1))
    return certified(BoxMechanism(space, ratio, best_box(space, ratio).first), level)


def best_box(space: Totals, ratio: Fraction) -> BoxLaw:
    """Noise in boxes with nearly the best first step: halves of the widest, then around one."""

    def law(first: int) -> BoxLaw:
        return BoxLaw((0,) * space.length, ratio, min(max(first, 1), space.most), space.most)

    halves = range(space.most.bit_length())
    best = min((law(space.most >> half) for half in halves), key=box_error)
    step = best.first // 4
    for _ in range(_REFINED if step else 0):
        best = min((law(best.first - step), best, law(best.first + step)), key=box_error)
        step //= 2
    return best


@lru_cache(maxsize=64)
def box_error(noise: BoxLaw) -> float:
    """The mean error of one coordinate: exact for few of them, else the sum over boxes.

    Weights are computed in logarithms; of very many boxes a regular sample is enough, as weights
    are smooth.

    >>> law = BoxLaw((0,) * 16, Fraction(3), 2, 5)
    >>> wide = BoxLaw((0,) * 17, Fraction(3), 2, 5)
    >>> box_error(law) < box_error(wide), round(box_error(wide) / float(wide.mean_error), 9)
    (True, 1.0)
    """
    k = len(noise.center)
    if k <= _EXACT:
        return float(noise.mean_error)
    fall = float(ball_of(noise.ratio, 64).log())
    most = (k + 1) / fall
    stride = max(1, int(most / 4_000))
    boxes = np.arange(0.0, 4 * most + 1000 * stride, stride)
    reach = noise.first + boxes * noise.step
    logs = k * np.log(2 * reach - 1) - fall * boxes
    weights = np.exp(logs - logs.max())
    return float((weights * (reach * (reach - 1) / (2 * reach - 1))).sum() / weights.sum())
