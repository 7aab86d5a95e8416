"""Noise on several whole numbers at once, in boxes around them.

Noise z is on rung 0 if all |z_j| < first, and rung t adds `step` integers on every side; rung t
weighs q^-t. If one person moves each number by at most `step`, no answer changes its rung by
more than 1, and all numbers share one normalizer. The weights are a mixture of uniform laws:
q^-rung is proportional to the sum of q^-T over all boxes T that hold z, where box T has
c_T = (2 (first + T step) - 1)^k points. Sums of a polynomial p times q^-T are finite:
Σ_T p(T) q^-T = q/(q - 1) Σ_j Δ^j p(0)/(q - 1)^j with Δ^j p its differences.
For k numbers the mean error of each is about (k + 1)/(2 ε) steps, where k separate noises of
level ε/k have k/ε: the norm of the K-norm mechanism is the largest coordinate.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from math import comb
from typing import ClassVar, Final

from flint import arb, arb_poly, ctx

from tightrope.errors import BadInput
from tightrope.exact import ball_of, own_numbers
from tightrope.mechanisms.answers import Answers, Single
from tightrope.mechanisms.piecewise import evaluate
from tightrope.spaces import Totals

_BITS: Final = 256
"""Binary places of probabilities that are no short fractions."""


@dataclass(frozen=True)
class BoxLaw:
    """Whole numbers around a center: weight q^-t on rung t, |z_j| < first for all j on rung 0.

    >>> law = BoxLaw((0, 0), Fraction(2), first=1, step=1)
    >>> law.rung((3, -1)), law.normalizer, law.probability((0, 0))
    (3, Fraction(17, 1), Fraction(1, 17))
    """

    center: tuple[int, ...]
    ratio: Fraction
    first: int
    step: int

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", whole=("first", "step"))
        if self.ratio <= 1 or self.first < 1 or self.step < 1 or not self.center:
            raise BadInput("expected a ratio above 1, steps above 0 and at least one number.")

    def reach(self, box: int) -> int:
        """Box T holds all |z_j| below this."""
        return self.first + box * self.step

    def points(self, box: int) -> int:
        """How many points box T holds."""
        return int((2 * self.reach(box) - 1) ** len(self.center))

    @cached_property
    def differences(self) -> tuple[int, ...]:
        """Δ^j of the number of points in box 0, for j from 0 to the number of coordinates."""
        return _differences(self.points, len(self.center))

    @cached_property
    def normalizer(self) -> Fraction:
        """The sum of q^-rung over all points."""
        return _series(self.differences, self.ratio)

    @cached_property
    def mean_error(self) -> Fraction:
        """E|z_j| of one coordinate, in closed form: a(a - 1)/(2a - 1) in a box |z_j| < a."""
        k = len(self.center)

        def moment(box: int) -> int:
            a = self.reach(box)
            return int((2 * a - 1) ** (k - 1) * a * (a - 1))

        return _series(_differences(moment, k + 1), self.ratio) / self.normalizer

    def rung(self, z: tuple[int, ...]) -> int:
        """The rung of an answer."""
        far = max(abs(a - b) for a, b in zip(z, self.center, strict=True))
        return max(0, -(-(far + 1 - self.first) // self.step))

    def probability(self, z: tuple[int, ...]) -> Fraction:
        """The probability of an answer."""
        return self.ratio ** -self.rung(z) / self.normalizer

    def outside(self, radius: int, of: int | None = None) -> arb:
        """The probability that one of so many coordinates, or of all, is farther than the radius.

        With t the rung of the radius r, m coordinates of k and w the width of a box, boxes T from
        t on hold w^(k - m) (w^m - (2r + 1)^m) such points.
        """
        k = len(self.center)
        m = k if of is None else of
        rung = self.rung((self.center[0] + radius, *self.center[1:]))

        def beyond(box: int) -> int:
            width = 2 * self.reach(rung + box) - 1
            return int(width ** (k - m) * (width**m - (2 * radius + 1) ** m))

        share = _series(_differences(beyond, k), self.ratio) / self.normalizer
        with ctx.workprec(_BITS):
            fall = (-rung * ball_of(self.ratio, _BITS).log()).exp()
            return fall * ball_of(share, _BITS)

    @cached_property
    def _moments(self) -> list[arb]:
        """E T^i of a geometric number T, in balls, for i up to the number of coordinates.

        Each follows from those below: T is 0, or one more than such a number, with odds of q - 1.
        """
        with ctx.workprec(_BITS):
            odds, moments = ball_of(self.ratio - 1, _BITS), [arb(1)]
            for i in range(1, len(self.center) + 1):
                below = sum((comb(i, j) * moment for j, moment in enumerate(moments)), arb(0))
                moments.append(below / odds)
        return moments

    def _weights(self, power: int) -> arb_poly:
        """E (w + 2 step T)^power as a polynomial in w, of which all coefficients are above 0."""
        with ctx.workprec(_BITS):
            return arb_poly([comb(power, i) * arb((2 * self.step) ** i) * self._moments[i]
                             for i in range(power, -1, -1)])

    def radius(self, confidence: Fraction, of: int | None = None) -> int:
        """The least radius that holds so many coordinates, or all, with this probability.

        >>> law = BoxLaw((0, 0), Fraction(2), 1, 1)
        >>> law.radius(Fraction(3, 4)), law.radius(Fraction(3, 4), of=1)
        (4, 3)
        """
        alike = BoxLaw((0,) * len(self.center), self.ratio, self.first, self.step)
        return _radius(alike, confidence, len(self.center) if of is None else of)


@lru_cache(maxsize=64)
def _radius(law: BoxLaw, confidence: Fraction, of: int) -> int:
    """The radius, by balls; by exact sums where these do not decide."""
    k = len(law.center)
    every, others = law._weights(k), law._weights(k - of)
    with ctx.workprec(_BITS):
        rare = ball_of(1 - confidence, _BITS) * every(arb(2 * law.first - 1))
        fall = ball_of(law.ratio, _BITS).log()

    def inside(radius: int) -> bool:
        rung = law.rung((radius, *law.center[1:]))
        with ctx.workprec(_BITS):
            width = arb(2 * law.reach(rung) - 1)
            beyond = every(width) - arb(2 * radius + 1) ** of * others(width)
            gap = (-rung * fall).exp() * beyond - rare
        if gap < 0 or gap > 0:
            return bool(gap < 0)
        return bool(law.outside(radius, of) <= ball_of(1 - confidence, _BITS))

    most = 1
    while not inside(most):
        most *= 2
    return bisect_left(range(most), True, key=inside)


@dataclass(frozen=True, repr=False)
class BoxMechanism(Single):
    """Totals plus noise in boxes, q times less likely with every step away in any of them.

    The first step is |noise| < `first` in all totals; further ones are as wide as what one
    person adds at most.

    >>> noisy = BoxMechanism(Totals(people=9, most=3, length=2), Fraction(4), 2)
    >>> noisy.law([5, 27]).probability((5, 27)) / noisy.law([5, 27]).probability((8, 27))
    Fraction(4, 1)
    """

    space: Totals
    ratio: Fraction
    first: int
    answers: ClassVar = Answers.VECTORS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", whole=("first",))
        if type(self.space) is not Totals:
            raise BadInput(f"expected Totals, found a {type(self.space).__name__}.")
        if self.ratio <= 1:
            raise BadInput("noise in boxes needs a ratio above 1.")
        if not 1 <= self.first <= self.space.most:
            raise BadInput(f"expected a first step from 1 to {self.space.most}, found "
                           f"{self.first}.")

    @cached_property
    def noise(self) -> BoxLaw:
        """The law of the noise alone: it does not depend on the data."""
        return BoxLaw((0,) * self.space.length, self.ratio, self.first, self.space.most)

    def law(self, data: object) -> BoxLaw:
        """The law of the answer for these totals; a curator's figure, not private."""
        return BoxLaw(self.space.accept(data), self.ratio, self.first, self.space.most)


def _differences(value: Callable[[int], int], degree: int) -> tuple[int, ...]:
    """Δ^j of a polynomial at 0, for j up to its degree."""
    row = [value(t) for t in range(degree + 1)]
    differences = []
    while row:
        differences.append(row[0])
        row = [b - a for a, b in pairwise(row)]
    return tuple(differences)


def _series(differences: tuple[int, ...], ratio: Fraction) -> Fraction:
    """(1 - 1/q) Σ_T p(T) q^-T, from the differences of p at 0."""
    return evaluate([Fraction(d) for d in differences], ratio - 1)
