"""Exact draws of noise in boxes: a box first, then a uniform point in it.

Box T comes with probability proportional to c_T q^-T, c_T its number of points. With the
differences d_j of c at 0, c_T = Σ_j d_j C(T, j), all d_j at least 0, and C(T, j) q^-T is the law
of j plus j + 1 geometric numbers, times (q - 1)^-j q/(q - 1). So j is drawn with weights
d_j (q - 1)^-j, whole numbers after scaling, and nothing is ever cut off.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from tightrope.mechanisms import BoxLaw
from tightrope.samplers.noise import geometric_numbers
from tightrope.samplers.sources import Source, uniform_below


def box_point(law: BoxLaw, source: Source) -> tuple[int, ...]:
    """A point of the law: its center plus noise."""
    reach = law.reach(_box(law, source))
    moved = [uniform_below(2 * reach - 1, source) - (reach - 1) for _ in law.center]
    return tuple(a + b for a, b in zip(law.center, moved, strict=True))


def _box(law: BoxLaw, source: Source) -> int:
    """The number T of a box, from 0 up."""
    over, under = (law.ratio - 1).as_integer_ratio()
    k = len(law.differences) - 1
    weights = [d * under**j * over ** (k - j) for j, d in enumerate(law.differences)]
    sums = list(accumulate(weights))
    j = bisect_right(sums, uniform_below(sums[-1], source))
    return j + sum(geometric_numbers(law.ratio, j + 1, source))
