"""Cauchy noise on the integers, for smooth sensitivity.

The answer z has probability proportional to σ/(σ² + (z - f)²) with σ = S k/(k² - 1). If f
moves by at most S, the weight changes by a factor of at most k²: the largest ratio of
σ² + u² for u at most S apart is (s + sqrt(1 + s²))² with s = S/(2σ) = (k - 1/k)/2. If σ
changes by a factor of at most q, so do the weight and the sum of all weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb, ctx

from tightrope.errors import BadInput
from tightrope.exact import ball_of, own_numbers


@dataclass(frozen=True)
class CauchyLaw:
    """The integer z has probability proportional to σ/(σ² + (z - center)²), σ = S k/(k² - 1).

    S is the smooth sensitivity of the data at hand (`smooth`), k is `shift`.

    >>> law = CauchyLaw(5, Fraction(3), Fraction(2))
    >>> law.scale, law.weight(5), law.weight(6)
    (Fraction(2, 1), Fraction(1, 2), Fraction(2, 5))
    """

    center: int
    smooth: Fraction
    shift: Fraction

    def __post_init__(self) -> None:
        own_numbers(self, "smooth", "shift", whole=("center",))
        if self.smooth <= 0:
            raise BadInput(
                "expected a smooth sensitivity above 0: if no record ever changes the value, "
                "publish it without noise."
            )
        if self.shift <= 1:
            raise BadInput(f"expected a factor k above 1, found {self.shift}.")

    @cached_property
    def scale(self) -> Fraction:
        """σ = S k/(k² - 1)."""
        return self.smooth * self.shift / (self.shift**2 - 1)

    def weight(self, z: int) -> Fraction:
        """σ/(σ² + (z - center)²)."""
        return self.scale / (self.scale**2 + (z - self.center) ** 2)

    def probability(self, z: int, bits: int = 192) -> arb:
        """A ball that contains the probability of z; all weights add up to π coth(πσ)."""
        with ctx.workprec(bits):
            total = arb.pi() * (arb.pi() * ball_of(self.scale, bits)).coth()
            return ball_of(self.weight(z), bits) / total
