"""Smooth sensitivity of a count, and Cauchy noise that fits it.

S(x) = max over t of LS_t(x)/q^t with the local sensitivities LS_t at distance t. Since LS_t
of a graph is at most LS_(t+1) of its neighbor, S(x) <= q S(x') exactly. The factors follow
from ε alone: q is a short rational number at most e^(ε/8), and k = e^(ε/2)/q, from below, so
that k² q² is at most e^ε. Cauchy noise has heavy tails: its mean error is finite only
because answers are moved into the range of possible counts.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from tightrope.applications.networks.counts import (
    Count,
    Network,
    count_of,
    ladder_widths,
)
from tightrope.exact import Level, Surd, tolerances
from tightrope.mechanisms import CauchyLaw

_ONE = Surd.of(1)


def smooth_factors(level: Level) -> tuple[Fraction, Fraction]:
    """The public factors q and k of a level: how fast S grows, how far f moves.

    >>> q, k = smooth_factors(Level.epsilon(1))
    >>> q, float(k)
    (Fraction(9, 8), 1.465530018...)
    """
    half = level.pure.scaled(Fraction(1, 2)).ratio_below(_ONE)
    whole = level.pure.scaled(Fraction(1, 8)).ratio_below(_ONE)
    bottom = 1
    while (growth := Fraction(int(whole * bottom), bottom)) - 1 < (whole - 1) * Fraction(7, 8):
        bottom *= 2
    return growth, half / growth


@lru_cache(maxsize=4)
def smooth_sensitivity(network: Network, count: Count | str, growth: Fraction) -> Fraction:
    """max over t of LS_t/q^t, exactly; a curator's figure, not private.

    >>> path = Network(4, np.array([0, 1, 2]), np.array([1, 2, 3]))
    >>> smooth_sensitivity(path, Count.TRIANGLES, Fraction(3, 2))
    Fraction(4, 3)
    """
    widths = ladder_widths(network, count)
    with np.errstate(divide="ignore"):
        steps = np.log1p(float(growth - 1))
        sizes = np.log(widths) - np.arange(len(widths)) * steps
    near = np.flatnonzero(sizes >= sizes.max() - tolerances.SEQUENCE_MARGIN).tolist()
    best = near[0]
    for t in near[1:]:  # what doubles leave open is compared exactly
        if int(widths[t]) > int(widths[best]) * growth ** (t - best):
            best = t
    return int(widths[best]) / growth**best


def smooth_law(network: Network, count: Count | str, level: Level) -> CauchyLaw:
    """Cauchy noise around the true count; a curator's figure, not private."""
    growth, shift = smooth_factors(level)
    return CauchyLaw(count_of(network, count), smooth_sensitivity(network, count, growth), shift)
