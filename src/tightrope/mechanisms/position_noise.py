"""Noise in the plane of a region: the planar geometric law on all cells of a lattice.

P(z) is proportional to q^-|z|, |z| the distance to the cell of the position in steps. Every cell
has the same normalizer, the sum over all of Z². So a position that moves by one step changes no
probability by more than a factor q, and there is no limit of cells. With ε = ln q that sum is 2π/ε²
and, by Poisson's formula, the sum of 2πε/(ε² + ω²)^(3/2) over the ω of 2πZ² other than 0, which is
above 0 and below 0.2289 ε. Its derivative gives the mean of |z|: at most 2/ε, and no law in the
plane of that level that is the same around every position has a smaller one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar, Final

from flint import arb, ctx

from tightrope.errors import BadInput
from tightrope.exact import ball_of, own_numbers, upper_bound
from tightrope.mechanisms.answers import Answers, Single, check_noise
from tightrope.spaces import Positions

_BITS: Final = 128
_REST: Final = Fraction(2289, 10_000)
"""More than the sum of |k|^-3 over the points k of Z² other than 0, over 4π²."""


@dataclass(frozen=True)
class PlanarLaw:
    """Cells around a center: the weight of z is q^-|z - center|.

    >>> law = PlanarLaw((0, 0), Fraction(11, 10))
    >>> law.squared((3, -4)), round(float(law.mean_distance[1]), 2)
    (25, 20.98)
    """

    center: tuple[int, int]
    ratio: Fraction

    def __post_init__(self) -> None:
        own_numbers(self, "ratio")
        if self.ratio <= 1:
            raise BadInput("noise in the plane needs a ratio above 1.")

    def squared(self, z: tuple[int, int]) -> int:
        """The squared distance of a cell from the center, in steps."""
        return (z[0] - self.center[0]) ** 2 + (z[1] - self.center[1]) ** 2

    def _log(self) -> arb:
        return ball_of(self.ratio, _BITS).log()

    def probability(self, z: tuple[int, int]) -> tuple[Fraction, Fraction]:
        """Bounds on the probability of a cell."""
        with ctx.workprec(_BITS):
            low, high = self.normalizer
            weight = (-self._log() * arb(self.squared(z)).sqrt()).exp()
            under, over = weight / ball_of(high, _BITS), weight / ball_of(low, _BITS)
            return -upper_bound(-under), upper_bound(over)

    @property
    def normalizer(self) -> tuple[Fraction, Fraction]:
        """Bounds on the sum of all weights."""
        with ctx.workprec(_BITS):
            log = self._log()
            least = 2 * arb.pi() / log**2
            return -upper_bound(-least), upper_bound(least + ball_of(_REST, _BITS) * log)

    @property
    def mean_distance(self) -> tuple[Fraction, Fraction]:
        """Bounds on the mean of |z - center|, in steps."""
        with ctx.workprec(_BITS):
            log, rest = self._log(), ball_of(_REST, _BITS)
            least = (4 * arb.pi() / log**3 - rest) / (2 * arb.pi() / log**2 + rest * log)
            return max(Fraction(0), -upper_bound(-least)), upper_bound(2 / log)

    def radius(self, confidence: Fraction) -> int:
        """Steps within which the noise stays with at least this probability, nearly the least.

        Outside r it has at most e^(εh) (1 + ε(r - h)) e^(-ε(r - h)), h = √2/2: every weight is
        at most e^(εh) times the integral of q^-|x| over its cell.

        >>> PlanarLaw((0, 0), Fraction(1001, 1000)).radius(Fraction(95, 100))
        4748
        """

        def inside(r: int) -> bool:
            with ctx.workprec(_BITS):
                log, half = self._log(), arb(2).sqrt() / 2
                far = log * (r - half)
                return bool((log * half - far).exp() * (1 + far) <= 1 - ball_of(confidence, _BITS))

        return least_radius(self.ratio, confidence, inside)


def least_radius(ratio: Fraction, confidence: Fraction, inside: Callable[[int], bool]) -> int:
    """The least number of steps, from 1 on, at which this holds and then on; about 1/(q - 1)."""
    if not 0 <= confidence < 1:
        raise BadInput(f"expected a probability from 0 to below 1, found {confidence}.")
    low, high = 0, ceil(1 / (ratio - 1)) + 1
    while not inside(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if inside(middle) else (middle, high)
    return high


@dataclass(frozen=True, repr=False)
class PositionNoise(Single):
    """A position's cell plus noise in the plane, q times less likely with every step away.

    >>> from tightrope.spaces import Region
    >>> here = Positions(Region.box(-4, 40, -3, 41), within=200, step=2)
    >>> PositionNoise(here, Fraction(101, 100)).law((-3.5, 40.5)).center
    (0, 0)
    """

    space: Positions
    ratio: Fraction
    answers: ClassVar = Answers.VECTORS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio")
        check_noise(self.space, (Positions,), self.ratio)

    def law(self, data: object) -> PlanarLaw:
        """The law of the answer for one position; a curator's figure, not private."""
        return self.around(self.space.accept(data))

    def around(self, cell: tuple[int, int]) -> PlanarLaw:
        """The law of the answer for a position of this cell."""
        return PlanarLaw(cell, self.ratio)
