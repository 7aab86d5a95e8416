"""Planar Laplace noise: a point of the continuous plane around a cell, rounded to a cell.

The density of the point x is ε²/(2π) e^(-ε|x|), lengths in steps and ε = ln q. Around centers d
steps apart it differs by a factor of at most q^d, by the triangle inequality; rounding an *output*
reads nothing but the output. So the cell z, which has the integral of the density over the square
around it, is told apart by no more than q^d, on all cells of the lattice.

Symmetric about the middle of a cell, |z| is at most the mean of |z + u| and |z - u|, and the
density at the two differs by at most ε|u| of their mean to either side: so the mean of |z| is at
most 2/ε + ε E|u|², and that at most 2/ε + ε/2. It is within half a diagonal of 2/ε, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from flint import arb, ctx

from tightrope.errors import BadInput
from tightrope.exact import ball_of, own_numbers, upper_bound
from tightrope.mechanisms.answers import Answers, Single, check_noise
from tightrope.mechanisms.position_noise import least_radius
from tightrope.spaces import Positions

_BITS: Final = 128


@dataclass(frozen=True)
class LaplaceLaw:
    """Cells around a center: that of a point with the density ε²/(2π) q^-|x - center|.

    >>> law = LaplaceLaw((0, 0), Fraction(11, 10))
    >>> [round(float(end), 2) for end in law.mean_distance]
    [20.28, 21.03]
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
        """Bounds on the probability of a cell.

        |x| is convex: its tangent at the middle z of the cell is below it, and the density with
        the tangent in its place has an integral that is a product over the axes. The mean of |x|
        over the cell is at most the root of that of |x|², |z|² + 1/6, and e^-t is convex.
        """
        with ctx.workprec(_BITS):
            log, square = self._log(), self.squared(z)
            peak = log**2 / (2 * arb.pi())
            far = arb(square).sqrt()
            over = peak * (-log * far).exp()
            for a, b in zip(z, self.center, strict=True):
                if a != b:
                    lean = log * (a - b) / far / 2
                    over *= lean.sinh() / lean
            under = peak * (-log * (square + arb(1) / 6).sqrt()).exp()
            return -upper_bound(-under), upper_bound(over)

    @property
    def mean_distance(self) -> tuple[Fraction, Fraction]:
        """Bounds on the mean of |z - center|, in steps."""
        with ctx.workprec(_BITS):
            log = self._log()
            least = 2 / log - arb(2).sqrt() / 2
            return max(Fraction(0), -upper_bound(-least)), upper_bound(2 / log + log / 2)

    def radius(self, confidence: Fraction) -> int:
        """Steps within which the noise stays with at least this probability, nearly the least.

        A cell beyond r has its point beyond r - h, h = √2/2: (1 + ε(r - h)) e^(-ε(r - h)).

        >>> LaplaceLaw((0, 0), Fraction(1001, 1000)).radius(Fraction(95, 100))
        4747
        """

        def inside(r: int) -> bool:
            with ctx.workprec(_BITS):
                far = self._log() * (r - arb(2).sqrt() / 2)
                return bool((-far).exp() * (1 + far) <= 1 - ball_of(confidence, _BITS))

        return least_radius(self.ratio, confidence, inside)


@dataclass(frozen=True, repr=False)
class PlanarLaplace(Single):
    """A position's cell plus planar Laplace noise of the plane, rounded to a cell.

    >>> from tightrope.spaces import Region
    >>> here = Positions(Region.box(-4, 40, -3, 41), within=200, step=2)
    >>> PlanarLaplace(here, Fraction(101, 100)).law((-3.5, 40.5)).center
    (0, 0)
    """

    space: Positions
    ratio: Fraction
    answers: ClassVar = Answers.VECTORS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio")
        check_noise(self.space, (Positions,), self.ratio)

    def law(self, data: object) -> LaplaceLaw:
        """The law of the answer for one position; a curator's figure, not private."""
        return self.around(self.space.accept(data))

    def around(self, cell: tuple[int, int]) -> LaplaceLaw:
        """The law of the answer for a position of this cell."""
        return LaplaceLaw(cell, self.ratio)
