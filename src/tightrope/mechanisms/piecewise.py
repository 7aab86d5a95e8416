"""Noise on the line with a density in steps, and answers on the integers in rungs.

Both weigh rung t by q^-t, with exact rational q. Beyond the last listed rung the next ones
are as wide as stated, for ever: tails are geometric series, never cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput
from tightrope.exact import Intervals, own, own_numbers, owned
from tightrope.markup import brief

_LARGEST = 2**62


@dataclass(frozen=True)
class PiecewiseNoise:
    """Noise around a center, density q^-i/α on rung i; rungs together fill [-reach, reach].

    Rung n + k, after the last listed rung n, is ±[reach + (k - 1) step, reach + k step]. A
    rung may be None: empty. `reach` and `step` are whole multiples of the rungs' unit.

    >>> stairs = PiecewiseNoise(Fraction(2), (Intervals.of([(-1, 1)]),), Fraction(3))
    >>> stairs.density(Fraction(0)), stairs.density(Fraction(2)), stairs.mean_error
    (Fraction(1, 8), Fraction(1, 16), Fraction(17, 4))
    """

    ratio: Fraction
    rungs: tuple[Intervals | None, ...]
    step: Fraction
    center: Fraction = Fraction(0)

    __repr__ = brief

    def __post_init__(self) -> None:
        own(self)
        own_numbers(self, "ratio", "step", "center")
        if self.ratio <= 1 or self.step <= 0:
            raise BadInput("expected a ratio above 1 and a step above 0: else no finite total.")
        filled = [rung for rung in self.rungs if rung is not None]
        if not filled:
            raise BadInput("expected at least one rung that is not empty.")
        lengths = {sum((rung.measure for rung in filled), Fraction(0)), 2 * self.reach}
        if lengths != {Intervals.union(filled).measure}:
            raise BadInput("the rungs must fill an interval around 0, each point once.")

    @cached_property
    def reach(self) -> Fraction:
        """Where the listed rungs end."""
        return max(rung.reach for rung in self.rungs if rung is not None)

    @cached_property
    def masses(self) -> tuple[Fraction, ...]:
        """The length of each listed rung."""
        return tuple(Fraction(0) if r is None else r.measure for r in self.rungs)

    @cached_property
    def unit(self) -> Fraction:
        """A length that divides all pieces of all rungs."""
        listed = (rung.unit.denominator for rung in self.rungs if rung is not None)
        return Fraction(1, lcm(self.step.denominator, *listed))

    @cached_property
    def units(self) -> tuple[int, ...]:
        """How many units each listed rung holds."""
        return tuple(int(mass / self.unit) for mass in self.masses)

    @cached_property
    def moments(self) -> tuple[Fraction, ...]:
        """The integral of |z| over each listed rung."""
        return tuple(Fraction(0) if r is None else _moment(r) for r in self.rungs)

    @cached_property
    def _sums(self) -> tuple[Fraction, Fraction]:
        """α and α · E|noise|, exactly."""
        x, n = 1 / self.ratio, len(self.rungs) - 1
        tail = self.step * 2 * x / (1 - x)
        # Σ_k x^k step (reach + (k - 1/2) step), both sides
        first = (self.reach - self.step / 2) * x / (1 - x) + self.step * x / (1 - x) ** 2
        scale = x**n
        mass = evaluate(self.masses, self.ratio) + scale * tail
        return mass, evaluate(self.moments, self.ratio) + scale * 2 * self.step * first

    @property
    def normalizer(self) -> Fraction:
        """α: the sum of length times weight over all rungs."""
        return self._sums[0]

    @property
    def mean_error(self) -> Fraction:
        """E|noise|, the mean distance from the center, in closed form."""
        return self._sums[1] / self._sums[0]

    def rung(self, z: Fraction) -> int:
        """The number of the rung that holds z; at a common end the lower one."""
        z -= self.center
        if abs(z) > self.reach:
            beyond = (abs(z) - self.reach) / self.step
            return len(self.rungs) - 1 + -(-beyond.numerator // beyond.denominator)
        point = Intervals.of([(z, z)])
        return next(i for i, r in enumerate(self.rungs) if r is not None and r.contains(point))

    def density(self, z: Fraction) -> Fraction:
        """The density at z."""
        return self.ratio ** -self.rung(z) / self.normalizer


@dataclass(frozen=True, eq=False)
class RungLaw:
    """The answer z has probability proportional to q^-t on rung t of the integers.

    Rungs 0 to t together are the integers from lows[t] to highs[t]. After the last listed
    rung, each further one holds `step` integers on either side; with step 0 there is none.

    >>> law = RungLaw(Fraction(2), np.array([3, 2]), np.array([3, 5]), 0)
    >>> law.counts.tolist(), law.rung(5), law.probability(5)
    ([1, 3], 1, Fraction(1, 5))
    """

    ratio: Fraction
    lows: NDArray[np.int64]
    highs: NDArray[np.int64]
    step: int

    def __post_init__(self) -> None:
        own(self, "lows", "highs")
        own_numbers(self, "ratio", whole=("step",))
        if self.ratio <= 1 or self.step < 0 or len(self.lows) != len(self.highs):
            raise BadInput("expected a ratio above 1, as many lows as highs, a step from 0 up.")
        nested = (np.diff(self.lows) <= 0).all() and (np.diff(self.highs) >= 0).all()
        if not len(self.lows) or not nested or self.lows[0] > self.highs[0]:
            raise BadInput("expected rungs that grow outward from at least one integer.")

    @classmethod
    def around(cls, center: int, ratio: Fraction, first: int, step: int) -> RungLaw:
        """Noise in steps around a whole number of any length: |z - center| < first is rung 0."""
        reach = whole_array(np.array([first - 1], dtype=object), center)
        return cls(ratio, center - reach, center + reach, step)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many integers each listed rung holds."""
        sizes = self.highs - self.lows + 1
        return owned(np.diff(sizes, prepend=0))

    @property
    def tail(self) -> int:
        """How many integers each rung after the listed ones holds."""
        return 2 * self.step

    def rung(self, z: int) -> int:
        """The number of the rung that holds z."""
        inside = (self.lows <= z) & (z <= self.highs)
        if inside.any():
            return int(np.argmax(inside))
        last = len(self.lows) - 1
        gap = max(int(self.lows[last]) - z, z - int(self.highs[last]))
        if not self.step:
            raise BadInput(f"{z} is on no rung.")
        return last - (-gap // self.step)

    def output(self, rung: int, position: int) -> int:
        """The integer at a position of a rung, counted from below."""
        last = len(self.lows) - 1
        if rung > last:
            grown = (rung - last - 1) * self.step
            low, high = int(self.lows[last]) - grown, int(self.highs[last]) + grown
            if position < self.step:
                return low - self.step + position
            return high + 1 + position - self.step
        if rung == 0:
            return int(self.lows[0]) + position
        below = int(self.lows[rung - 1] - self.lows[rung])
        if position < below:
            return int(self.lows[rung]) + position
        return int(self.highs[rung - 1]) + 1 + position - below

    @cached_property
    def normalizer(self) -> Fraction:
        """Σ q^-rung over all integers that are on a rung."""
        listed = evaluate([Fraction(c) for c in self.counts.tolist()], self.ratio)
        return listed + Fraction(self.tail) * self.ratio ** (1 - len(self.lows)) / (self.ratio - 1)

    def probability(self, z: int) -> Fraction:
        """The probability of z."""
        return self.ratio ** -self.rung(z) / self.normalizer


def whole_array(numbers: Any, center: int) -> NDArray[Any]:
    """Whole numbers to be added to a center: 64-bit ones, or Python's if sums need more."""
    array = np.asarray(numbers)
    short = abs(center) < _LARGEST and abs(array).max() < _LARGEST
    return array.astype(np.int64 if short else object)


def evaluate(masses: Sequence[Fraction], ratio: Fraction) -> Fraction:
    """Σ masses[k] · ratio^-k by Horner's rule in whole numbers.

    >>> evaluate([Fraction(1), Fraction(1, 2)], Fraction(2))
    Fraction(5, 4)
    """
    scale = lcm(*(mass.denominator for mass in masses))
    total, power = 0, 1
    for mass in reversed(masses):  # Σ m_k over^(n-k) under^k
        total = total * ratio.denominator + int(mass * scale) * power
        power *= ratio.numerator
    return Fraction(total * ratio.numerator, scale * power)


def _moment(rung: Intervals) -> Fraction:
    """∫ |z| over a rung."""
    low, high = rung.lows, rung.highs
    if len(rung) * (rung.reach / rung.unit) ** 2 >= _LARGEST:
        low, high = low.astype(object), high.astype(object)
    # the integral of |z| from 0 to b is b|b|/2
    whole = int((high * abs(high) - low * abs(low)).sum())
    return Fraction(whole, 2) * rung.unit**2
