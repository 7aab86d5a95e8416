"""Noise on the line: a number plus noise whose density falls in steps, rounded to a grid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import ClassVar

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import LARGEST_END, LARGEST_SCALE, own_numbers, short_text
from tightrope.mechanisms.answers import Answers, Single
from tightrope.mechanisms.piecewise import PiecewiseNoise
from tightrope.spaces import RealLine


@dataclass(frozen=True, repr=False)
class LineMechanism(Single):
    """A number plus noise in steps, rounded down to a multiple of the grid.

    Rounding costs no privacy, and only as many digits of the sum are ever drawn as it needs.

    >>> from tightrope.exact import Intervals
    >>> stairs = PiecewiseNoise(Fraction(2), (Intervals.of([(-1, 1)]),), Fraction(3))
    >>> noisy = LineMechanism(RealLine(Intervals.of([(0, 3)])), stairs, Fraction(1, 10))
    >>> noisy.law(Fraction(5)).density(Fraction(5))
    Fraction(1, 8)
    """

    space: RealLine
    noise: PiecewiseNoise
    grid: Fraction
    answers: ClassVar = Answers.MULTIPLES

    def __post_init__(self) -> None:
        own_numbers(self, "grid")
        for value, form in ((self.space, RealLine), (self.noise, PiecewiseNoise)):
            if type(value) is not form:
                raise BadInput(f"expected a {form.__name__}, found a {type(value).__name__}.")
        if self.noise.center:
            raise BadInput("expected noise around 0.")
        scale = lcm(self.noise.unit.denominator, self.space.changes.unit.denominator)
        if scale >= LARGEST_SCALE or (self.noise.reach + self.noise.step) * scale >= LARGEST_END:
            raise TooLarge("the common denominator of the rungs, the step and the changes", scale,
                           LARGEST_END, "round them, or use a smaller step")
        if self.grid <= 0:
            raise BadInput(f"expected a grid above 0, found {short_text(self.grid)}.")

    def law(self, data: object) -> PiecewiseNoise:
        """The law of the sum for one number, before it is rounded; not private."""
        return replace(self.noise, center=self.space.accept(data))
