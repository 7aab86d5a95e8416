"""Noise in the plane that falls in steps: the same on a disc, and q times less on every ring.

Ring 0 holds the cells within `first` steps of the center, ring k those within first + k width;
each cell of ring k weighs q^-k. A center that moves by at most `width` moves no cell by more than
one ring, and all centers share one normalizer: the level is ln q, at that distance and whatever
is nearer. Weights are a mixture of uniform discs: with t = 1/q and G(R) cells in the disc of
radius R their sum is (1 - t) Σ_k t^k G(R_k), R_k = first + k width.

Nothing that is the same around every position and told apart by at most q within `width` has a
smaller mean than such noise in the plane. (q^u is proportional to the integral of q^(⌊u-s⌋+s)
over s in [0, 1), so weights are mixtures of whole powers q^-k, those on sets that grow by a ball
each time; by Brunn and Minkowski discs of the same areas grow no faster, and they are nearer.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import isqrt
from typing import Any, ClassVar, Final

import numpy as np
from flint import arb, ctx

from tightrope.errors import BadInput, CannotCheck
from tightrope.exact import FloatArray, IntArray, ball_of, own_numbers, owned, upper_bound
from tightrope.mechanisms.answers import Answers, Single
from tightrope.spaces import Positions

_BITS: Final = 128
_LISTED: Final = 1_024
"""Radii up to which distances are added up cell by cell."""
_COUNTED: Final = 20_000
"""Radii up to which cells are counted; beyond, their number is within that of the areas."""
_ROUNDED: Final = 2.0**-30
"""More than what doubles miss when distances are added up."""
_SMALL: Final = 2.0**-40
"""Largest weight of rings beyond the last that is looked at, relative to the others."""
_MOST_RINGS: Final = 100_000


@dataclass(frozen=True)
class RingLaw:
    """Cells around a center: q^-k on ring k, whose cells are within first + k width steps.

    >>> law = RingLaw((0, 0), Fraction(10), width=4, first=2)
    >>> [law.ring(z) for z in ((2, 0), (2, 1), (-6, 0), (4, 5))]
    [0, 1, 1, 2]
    """

    center: tuple[int, int]
    ratio: Fraction
    width: int
    first: int

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", whole=("width", "first"))
        if self.ratio <= 1 or not 1 <= self.first <= self.width:
            raise BadInput("noise in steps needs a ratio above 1, and a first disc whose radius is "
                           "from 1 to the width of a ring.")

    def squared(self, z: tuple[int, int]) -> int:
        """The squared distance of a cell from the center, in steps."""
        return (z[0] - self.center[0]) ** 2 + (z[1] - self.center[1]) ** 2

    def ring(self, z: tuple[int, int]) -> int:
        """Which ring a cell is on."""
        square = self.squared(z)
        reach = isqrt(square) + (isqrt(square) ** 2 < square)
        return max(0, -((self.first - reach) // self.width))

    def probability(self, z: tuple[int, int]) -> tuple[Fraction, Fraction]:
        """Bounds on the probability of a cell."""
        low, high = self.normalizer
        weight = self.ratio ** -self.ring(z)
        return weight / high, weight / low

    @property
    def normalizer(self) -> tuple[Fraction, Fraction]:
        """Bounds on the sum of all weights."""
        return self._sums[0]

    @property
    def mean_distance(self) -> tuple[Fraction, Fraction]:
        """Bounds on the mean of |z - center|, in steps.

        >>> [round(float(x), 1) for x in RingLaw((0, 0), Fraction(100), 1000, 260).mean_distance]
        [307.3, 308.0]
        """
        (low, high), (least, most) = self._sums
        return least / high, most / low

    def radius(self, confidence: Fraction) -> int:
        """Steps within which the noise stays with at least this probability, nearly the least.

        >>> RingLaw((0, 0), Fraction(100), 1000, 260).radius(Fraction(95, 100))
        1099
        """
        if not 0 <= confidence < 1:
            raise BadInput(f"expected a probability from 0 to below 1, found {confidence}.")
        goal = confidence * self.normalizer[1]
        low, high = -1, self.width
        while self._mass(high) < goal:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._mass(middle) >= goal else (middle, high)
        return high

    def _mass(self, radius: int) -> Fraction:
        """Not more than what the cells within a radius weigh: each disc as far as that."""
        with ctx.workprec(_BITS):
            total = arb(0)
            for part, reach in self._discs():
                total += part * arb(_cells(min(reach, radius))[0])
                if reach >= radius:  # all further discs hold this one: t^k in all
                    total += part * arb(_cells(radius)[0]) / (self._log.exp() - 1)
                    return -upper_bound(-total)
        raise AssertionError("discs grow without end")

    @cached_property
    def _log(self) -> arb:
        with ctx.workprec(_BITS):
            return ball_of(self.ratio, _BITS).log()

    def _discs(self) -> Iterator[tuple[arb, int]]:
        """(1 - t) t^k and the radius of disc k, for k = 0, 1, ..."""
        fall = (-self._log).exp()
        part = 1 - fall
        for k in range(_MOST_RINGS):
            yield part, self.first + k * self.width
            part = part * fall
        raise CannotCheck(f"noise in steps with a ratio of {float(self.ratio):.9g} has more than "
                          f"{_MOST_RINGS:,} rings that count.")

    @cached_property
    def _sums(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """Bounds on the sums of all weights, and of weights times distances."""
        with ctx.workprec(_BITS):
            low, high, least, most, rest, more = (arb(0) for _ in range(6))
            for part, reach in self._discs():
                count, far = _cells(reach), _distances(reach)
                low, high = low + part * arb(count[0]), high + part * arb(count[1])
                least, most = least + part * ball_of(far[0], _BITS), most + part * ball_of(
                    far[1], _BITS)
                # a disc of radius r has at most (2r + 1)^2 cells, none farther than r
                rest, more = (self._beyond(part, reach, power) for power in (2, 3))
                if rest < _SMALL * low and more < _SMALL * least:
                    break
            return ((-upper_bound(-low), upper_bound(high + rest)),
                    (-upper_bound(-least), upper_bound(most + more)))

    def _beyond(self, part: arb, reach: int, power: int) -> arb:
        """More than the sum over all further discs of their parts times (2r + 1)^power.

        Radii grow by `width`, so that (2r + 1)^power grows by at most g = (1 + 2 width/(2r + 1))
        to that power each time: a geometric series, infinite as long as g t is not below 1.
        """
        grown = arb(2 * (reach + self.width) + 1) ** power
        fall = (-self._log).exp()
        ratio = fall * (1 + arb(2 * self.width) / (2 * (reach + self.width) + 1)) ** power
        return part * fall * grown / (1 - ratio) if ratio < 1 else arb("inf")


@dataclass(frozen=True, repr=False)
class PositionSteps(Single):
    """A position's cell plus noise in the plane in steps as wide as neighbors are apart.

    >>> from tightrope.spaces import Region
    >>> here = Positions(Region.box(-4, 40, -3, 41), within=200, step=2)
    >>> PositionSteps(here, Fraction(100), 26).law((-3.5, 40.5)).width
    102
    """

    space: Positions
    ratio: Fraction
    first: int
    answers: ClassVar = Answers.VECTORS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", whole=("first",))
        if type(self.space) is not Positions:
            raise BadInput(f"expected Positions, found {type(self.space).__name__}.")
        self.around((0, 0))  # which refuses what is no law

    def around(self, center: tuple[int, int]) -> RingLaw:
        """The law of the answer for positions in one cell."""
        return RingLaw(center, self.ratio, self.space.apart, self.first)

    def law(self, data: object) -> RingLaw:
        """The law of the answer for one position; a curator's figure, not private."""
        return self.around(self.space.accept(data))


def _cells(radius: int) -> tuple[int, int]:
    """Bounds on how many points of Z² are within a whole radius of one of them."""
    if radius > _COUNTED:  # unit squares around them: between discs of radius r - 3/4 and r + 3/4
        return (314_159_265 * (4 * radius - 3) ** 2 // (16 * 10**8),
                314_159_266 * (4 * radius + 3) ** 2 // (16 * 10**8) + 1)
    return (_count(radius),) * 2


@cache
def _count(radius: int) -> int:
    across: Any = np.arange(1, radius + 1, dtype=np.int64)
    rest = radius * radius - across * across
    high = np.sqrt(rest.astype(np.float64)).astype(np.int64)
    high -= high * high > rest
    high += (high + 1) * (high + 1) <= rest
    return int(2 * radius + 1 + 2 * (2 * high + 1).sum())


def _distances(radius: int) -> tuple[Fraction, Fraction]:
    """Bounds on the sum of the distances of all points of Z² within a radius.

    Beyond the list: |z| is at most the mean of |x| over the unit square around z, and less than
    it by at most 3/4.
    """
    if radius <= _LISTED:
        total = Fraction(float(_listed_distances()[radius]))
        return total * (1 - Fraction(_ROUNDED)), total * (1 + Fraction(_ROUNDED))
    inner, outer = (Fraction(4 * radius + 3 * sign, 4) for sign in (-1, 1))
    below, above = (Fraction(k, 10**8) for k in (314_159_265, 314_159_266))
    return (below * 2 * inner**3 / 3 - above * 3 * inner**2 / 4, above * 2 * outer**3 / 3)


@cache
def _listed_distances() -> FloatArray:
    """The sum of all |z| up to each whole radius."""
    line: IntArray = np.arange(_LISTED + 1)
    far = np.sqrt((line[1:, None] ** 2 + line[None, :] ** 2).astype(np.float64)).ravel()
    place = np.ceil(far).astype(np.int64)
    near = place <= _LISTED
    # the plane is its center and four turned copies of {(k, l): k >= 1, l >= 0}
    return owned(4 * np.cumsum(np.bincount(place[near], far[near], _LISTED + 1)))
