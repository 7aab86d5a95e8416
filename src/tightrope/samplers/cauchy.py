"""Exact draws of Cauchy noise on the integers: P(u) proportional to 1/(σ² + u²).

A proposal is uniform on the core |u| < 2^J, where 2^J is the first power of two from σ on,
with weight 1/σ² each, or on a shell 2^j <= |u| < 2^(j+1), j >= J, with weight 4^-j each;
the shells together weigh 4/2^J. It is accepted with probability weight over proposed
weight. Everything is a comparison of whole numbers; at least a third is accepted.
"""

from __future__ import annotations

from fractions import Fraction

from tightrope.samplers.noise import geometric_number
from tightrope.samplers.sources import Source, uniform_below


def cauchy_number(scale: Fraction, source: Source) -> int:
    """A whole number u with probability proportional to 1/(σ² + u²), σ = scale."""
    top, bottom = scale.numerator**2, scale.denominator**2
    reach = (-(-scale.numerator // scale.denominator) - 1).bit_length()
    inside = (2 << reach) - 1
    core = inside * (bottom << reach)
    while True:
        if uniform_below(core + 4 * top, source) < core:
            drawn = uniform_below(inside, source) - (1 << reach) + 1
            proposed = top
        else:
            shell = reach + geometric_number(Fraction(2), source)
            place = uniform_below(2 << shell, source)
            drawn = (1 << shell) + (place >> 1)
            drawn = -drawn if place & 1 else drawn
            proposed = bottom << (2 * shell)
        if uniform_below(top + bottom * drawn**2, source) < proposed:
            return drawn
