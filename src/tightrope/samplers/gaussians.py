"""Exact draws of discrete Gaussian numbers, P(z) proportional to e^(-z²/(2σ²)), σ² rational.

A coin of chance e^-x, x at most 1, comes from coins of chances x/1, x/2, x/3, ...: the first that
fails has an odd number with probability 1 - x + x²/2! - ... = e^-x. From it come a discrete Laplace
number, P(y) proportional to e^(-|y|/t), and by rejection with chance
e^(-(|y| - σ²/t)²/(2σ²)) the Gaussian one (Canonne, Kamath and Steinke, 2020). Every coin compares
a uniform whole number with a whole number: nothing is rounded, and no tail is cut off.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from tightrope.mechanisms import GaussianLaw
from tightrope.samplers.sources import Source, uniform_below

_ONE = Fraction(1)


def gaussian_numbers(law: GaussianLaw, source: Source) -> tuple[int, ...]:
    """Every center plus its own noise."""
    return tuple(center + gaussian_number(variance, source)
                 for center, variance in zip(law.centers, law.variances, strict=True))


def gaussian_number(variance: Fraction, source: Source) -> int:
    """A whole number of the discrete Gaussian law."""
    scale = isqrt(int(variance)) + 1
    while True:
        y = laplace_number(scale, source)
        if exponential_coin((abs(y) - variance / scale) ** 2 / (2 * variance), source):
            return y


def laplace_number(scale: int, source: Source) -> int:
    """A whole number with P(y) proportional to e^(-|y|/scale)."""
    while True:
        rest = uniform_below(scale, source)
        if not exponential_coin(Fraction(rest, scale), source):
            continue
        times = 0
        while exponential_coin(_ONE, source):
            times += 1
        size = rest + scale * times
        negative = uniform_below(2, source)
        if size or not negative:  # zero would come up under both signs
            return -size if negative else size


def exponential_coin(x: Fraction, source: Source) -> bool:
    """True with probability e^-x, for x of at least 0."""
    while x > 1:
        if not _short_coin(_ONE, source):
            return False
        x -= 1
    return _short_coin(x, source)


def _short_coin(x: Fraction, source: Source) -> bool:
    """True with probability e^-x, for x from 0 to 1."""
    tosses = 1
    while uniform_below(x.denominator * tosses, source) < x.numerator:
        tosses += 1
    return tosses % 2 == 1
