"""A count whose range is known: the best reading of a noisy number, and how much it errs.

Where all counts from 0 to n are alike beforehand, the median of those that may stand behind a
drawn number errs least on average. For a count that one unit changes by 1 no mechanism errs less
than geometric noise read that way (Ghosh, Roughgarden and Sundararajan, 2012). The range is
declared or public, so that reading costs nothing.
"""

from __future__ import annotations

from math import expm1, log1p

import numpy as np

from tightrope.exact import FloatArray
from tightrope.mechanisms import InSteps

_WRITTEN = 2048
"""Ranges up to which the mean error is added up; beyond, the ends hardly matter."""


def read_in_range(noise: InSteps, drawn: int, most: int) -> int:
    """The median of the counts from 0 to `most`, given a drawn number.

    >>> from fractions import Fraction
    >>> from tightrope.mechanisms import NoiseMechanism
    >>> from tightrope.spaces import path
    >>> geometric = NoiseMechanism(path(0, 9), Fraction(5, 4))
    >>> [read_in_range(geometric, drawn, 9) for drawn in (-7, 0, 2, 5, 8, 30)]
    [2, 2, 3, 5, 7, 7]
    """
    z = min(max(drawn, 0), most)
    left = _upto(noise, z)
    half = (left + 1 + _upto(noise, most - z)) / 2
    low, high = 0, most
    while low < high:  # the least r with half of the weight up to it
        r = (low + high) // 2
        below = (left - _upto(noise, z - r - 1) if r < z else
                 left + 1 + _upto(noise, r - z))
        low, high = (low, r) if below >= half * (1 - 2.0**-40) else (r + 1, high)
    return low


def mean_in_range(noise: InSteps, most: int) -> float:
    """The mean error of counts that are read so, over all from 0 to `most` alike.

    Beyond a few thousand it is that of the noise itself, which is never less.
    """
    if most > _WRITTEN:
        return float(noise.mean_error)
    places = np.arange(most + 1)
    reads = np.array([read_in_range(noise, int(z), most) for z in places])
    weights = _weights(noise, most)
    apart = np.abs(places[:, None] - places[None, :])
    chance = weights[apart]
    total = float(noise.normalizer)
    beyond = np.array([float(noise.beyond(int(i))) / 2 for i in places])  # of noise above i
    chance = chance / total
    chance[:, 0] += beyond
    chance[:, most] += beyond[::-1]
    return float((chance * np.abs(reads[None, :] - places[:, None])).sum() / (most + 1))


def _fall(noise: InSteps) -> float:
    top, bottom = noise.ratio.as_integer_ratio()
    return log1p((top - bottom) / bottom)


def _weights(noise: InSteps, most: int) -> FloatArray:
    z = np.arange(most + 1)
    rungs = np.maximum(np.ceil((z + 1 - noise.first) / noise.step), 0)
    return np.asarray(np.exp(-rungs * _fall(noise)))


def _upto(noise: InSteps, far: int) -> float:
    """The weight of noise from 1 to `far`."""
    if far < 1:
        return 0.0
    inside = min(far, noise.first - 1)
    left = far - inside
    full, rest = divmod(left, noise.step)
    fall = _fall(noise)
    falls = -expm1(-fall * full) / expm1(fall)  # q^-1 + ... + q^-full
    return inside + noise.step * falls + rest * float(np.exp(-fall * (full + 1)))
