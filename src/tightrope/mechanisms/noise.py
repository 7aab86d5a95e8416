"""Noise in steps on all integers: two-sided geometric, and the staircase for sums.

Noise z is on rung 0 if |z| < first, and each further rung holds `step` integers on either
side; rung t weighs q^-t. With first = step = 1 it is the two-sided geometric, P(z) =
(q - 1)/(q + 1) · q^-|z|. If one person changes the value by at most `step`, the rung of an
answer changes by at most 1, whatever the range of the data; the answers are not bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from tightrope.errors import BadMatrix, BadSpace
from tightrope.exact import compare_power, own_numbers
from tightrope.mechanisms.answers import Answers, Single
from tightrope.mechanisms.piecewise import RungLaw
from tightrope.spaces import Label, Space, largest_change


class InSteps:
    """Noise in steps: what follows from its ratio, step and first step alone."""

    ratio: Fraction
    step: int
    first: int

    @property
    def normalizer(self) -> Fraction:
        """N = 2 first - 1 + 2 step/(q - 1): the sum of q^-rung over all integers."""
        return 2 * self.first - 1 + 2 * self.step / (self.ratio - 1)

    @property
    def mean_error(self) -> Fraction:
        """E|noise|, in closed form."""
        r, s, a = self.first, self.step, 1 / (self.ratio - 1)
        # Σ_(t>=1) q^-t = a, Σ_(t>=1) (t - 1) q^-t = a²
        total = r * (r - 1) + 2 * a * s * r + a * s * (s - 1) + 2 * s**2 * a**2
        return total / self.normalizer

    @property
    def mean_square(self) -> Fraction:
        """E noise², in closed form."""
        r, s, a = self.first, self.step, 1 / (self.ratio - 1)
        # rung t starts at c = r + (t - 1) s and holds Σ_(j<s) (c + j)² on either side
        starts = r * a + s * a**2
        squares = r**2 * a + 2 * r * s * a**2 + s**2 * (2 * a**3 + a**2)
        beyond = s * squares + s * (s - 1) * starts + Fraction((s - 1) * s * (2 * s - 1), 6) * a
        inside = Fraction((r - 1) * r * (2 * r - 1), 3)
        return (inside + 2 * beyond) / self.normalizer

    def beyond(self, width: int) -> Fraction:
        """P(|noise| > width), exactly."""
        if width < self.first:
            return 1 - max(2 * width + 1, 0) / self.normalizer
        rung, place = divmod(width + 1 - self.first, self.step)
        left = self.step - place + self.step / (self.ratio - 1)
        return 2 * left * self.ratio ** -(rung + 1) / self.normalizer

    def reach(self, confidence: Fraction) -> int:
        """The least width with P(|noise| <= width) of at least this much, below 1.

        >>> from tightrope.spaces import path
        >>> NoiseMechanism(path(0, 9), 1 + Fraction(1, 10**6)).reach(Fraction(95, 100))
        2995734
        """
        return _reach(self.ratio, self.step, self.first, confidence)


@lru_cache(maxsize=256)
def _reach(ratio: Fraction, step: int, first: int, confidence: Fraction) -> int:
    """The reach of noise in steps: tails are compared by logarithms, never written out."""
    left = step / (ratio - 1)
    allowed = (1 - confidence) * (2 * first - 1 + 2 * left) / 2  # in terms of weights

    def enough(width: int) -> bool:
        if width < first:
            return first - 1 - width + left <= allowed
        rung, place = divmod(width + 1 - first, step)
        return compare_power((step - place + left) / allowed, ratio, rung + 1) <= 0

    low, high = -1, 1
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


@dataclass(frozen=True, repr=False)
class NoiseMechanism(InSteps, Single):
    """Noise that is added to a whole number: q times less likely with every step away from it.

    q is the `ratio`; steps are `step` wide, the first one |noise| < `first`. Answers may leave
    the range.

    >>> from tightrope.spaces import path, sums
    >>> NoiseMechanism(path(0, 9), Fraction(2)).probability(0, 1)
    Fraction(1, 6)
    >>> staircase = NoiseMechanism(sums(people=9, maximum=3), Fraction(4), 3, 2)
    >>> [staircase.law(0).rung(z) for z in range(6)]
    [0, 0, 1, 1, 1, 2]
    """

    space: Space
    ratio: Fraction
    step: int = 1
    first: int = 1
    answers: ClassVar = Answers.INTEGERS

    def __post_init__(self) -> None:
        self._own_space()
        change = largest_change(self.space)
        if change is None:
            raise BadSpace(
                f"integer noise needs a path of whole numbers or sums, found {self.space.text:.60}."
            )
        own_numbers(self, "ratio", whole=("step", "first"))
        if self.ratio <= 1:
            raise BadMatrix("integer noise needs a ratio above 1.")
        if self.step < change:
            raise BadMatrix(
                f"one person changes the value by up to {change}; expected steps at least as "
                f"wide, found {self.step}."
            )
        if not 1 <= self.first <= self.step:
            raise BadMatrix(f"expected a first step from 1 to {self.step}, found {self.first}.")

    def on(self, space: Space) -> NoiseMechanism:
        """The same noise, added to the numbers of another space."""
        return NoiseMechanism(space, self.ratio, self.step, self.first)

    def law(self, data: Label) -> RungLaw:
        """The law of the answer for one value."""
        point = self.space.points[self.space.index(data)]
        assert isinstance(point, int)
        return RungLaw.around(point, self.ratio, self.first, self.step)

    def probability(self, i: int, output: int) -> Fraction:
        """The probability that the input with index i gives `output`."""
        return self.law(self.space.points[i]).probability(output)
