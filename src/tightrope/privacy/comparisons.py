"""Every comparison P(z | a) <= e^(ε d(a,b)) P(z | b) over given pairs, decided exactly.

One pass of double arithmetic finds the largest and smallest ratio of every pair of rows. For
any level these decide nearly all pairs with a safe margin; exact integers decide the rest,
ties included. Doubles carry a binary exponent of their own where probabilities leave their
range. Only IEEE multiplication, division and scaling by powers of two are relied on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import frexp, ldexp

import numpy as np
from flint import arb, ctx

from tightrope.exact import FloatArray, IntArray, Level, Surd, Weights, lower_bound, tolerances
from tightrope.spaces import Directed, Pairs, Space, pair_classes

_BLOCK = 1 << 17
"""Ratios computed at a time, to bound memory."""
_REACH, _CAP = 1000, 1002
"""Ratios are cut off at about 2^1002 and bounds at 2^1000, so that no cut hides a violation."""
_FAR = 1 << 40
"""Power of two beyond any ratio of weights."""
_FLOOR_BITS = 128
"""Bits of lower bounds on e^(ε d), which decide nearly all comparisons."""
_SHORT = 20_000
"""Integers of up to this many bits are worth reducing by their common factor."""


@dataclass(frozen=True)
class Spot:
    """One comparison: row `first` against row `second`, at the output `output`."""

    first: int
    second: int
    output: int
    distance: Surd


@dataclass(frozen=True, eq=False)
class Comparisons:
    """The comparisons that prove a level of the weights over pairs of rows.

    Both orders of a pair are compared, or `one_way` only its first row against its second.
    """

    weights: Weights
    pairs: Pairs
    classes: tuple[Surd, ...]
    index: IntArray
    one_way: bool = False

    @classmethod
    def over(cls, weights: Weights, space: Space) -> Comparisons:
        """Comparisons over the irreducible pairs of the space."""
        pairs = space.edges()
        classes, index = pair_classes(space, pairs)
        if isinstance(space, Directed):  # (x, y) bounds row y by row x
            return cls(weights, Pairs(pairs.second, pairs.first), tuple(classes), index, True)
        return cls(weights, pairs, tuple(classes), index)

    @property
    def count(self) -> int:
        """How many comparisons there are: the orders asked for, every output that occurs."""
        return (1 if self.one_way else 2) * len(self.pairs) * len(self._columns)

    @property
    def width(self) -> int:
        """How many outputs occur."""
        return len(self._columns)

    def ratio(self, spot: Spot) -> Fraction:
        """P(output | first) / P(output | second), exactly; 1 where both are 0."""
        left, right, shift = self._cross(spot)
        if left == right == 0:
            return Fraction(1)
        return Fraction(left << max(shift, 0), right << max(-shift, 0))

    def zero(self) -> Spot | None:
        """A pair with a zero beside a non-zero in one column, if there is one.

        A column may be zero on one component of the space and not on another, and one way only
        the first row must not be beside a zero of the second.
        """
        present = self.weights.mantissas != 0
        mixed = np.flatnonzero(present.any(axis=0) & ~present.all(axis=0))
        for output in mixed.tolist():
            column = present[:, output]
            apart = column[self.pairs.first] != column[self.pairs.second]
            if self.one_way:
                apart &= column[self.pairs.first]
            if apart.any():
                at = int(np.argmax(apart))
                first, second = int(self.pairs.first[at]), int(self.pairs.second[at])
                if not column[first]:
                    first, second = second, first
                return Spot(first, second, output, self.classes[self.index[at]])
        return None

    @cached_property
    def _alike(self) -> bool:
        """Whether all rows are the same."""
        mantissas, exponents = self.weights.mantissas, self.weights.exponents
        return bool((mantissas == mantissas[0]).all() and (exponents == exponents[0]).all())

    def violation(self, level: Level) -> Spot | None:
        """A comparison that fails at the level, about the worst one, or None if all hold."""
        if self.count == 0 or self._alike:
            return None
        bounds = self._bounds(level)[self.index]
        with np.errstate(over="ignore", under="ignore"):
            excess = self._extremes / bounds
        worst = int(np.argmax(excess))
        floor = cache(lambda position: _power_floor(level, self.classes[position]))
        if excess[worst] > 1 + tolerances.COMPARISON_MARGIN:
            steep = iter((self._largest(worst),))
            spot = self._first_violation(steep, level, floor(self.index[worst]))
            if spot is not None:
                return spot
        epsilon = level.ball(2 * _FLOOR_BITS)
        scaled = cache(lambda position: _scaled_power(epsilon, self.classes[position]))
        for pair in np.flatnonzero(excess > 1 - tolerances.COMPARISON_MARGIN).tolist():
            near = self._near(pair, *scaled(self.index[pair]))
            spot = self._first_violation(near, level, floor(self.index[pair]))
            if spot is not None:
                return spot
        return None

    def steepest(self) -> tuple[Spot, int]:
        """About the largest ln(ratio) / distance, and how many pairs come close to it."""
        sizes = np.array([float(distance) for distance in self.classes])[self.index]
        logs = np.log(self._extremes)
        for pair in np.flatnonzero(self._extremes > 2.0**_REACH).tolist():
            ratios = self._log_ratios(pair)
            logs[pair] = (ratios if self.one_way else np.abs(ratios)).max()
        slopes = logs / sizes
        best = int(np.argmax(slopes))
        close = slopes >= slopes[best] - 4 * tolerances.COMPARISON_MARGIN / sizes
        return self._largest(best), int(close.sum())

    def unequal_spot(self) -> Spot | None:
        """A comparison whose two probabilities differ at all, the first one larger."""
        heads, tails = self.weights.mantissas, self.weights.exponents
        for pair in range(len(self.pairs)):
            first, second = self.pairs.first[pair], self.pairs.second[pair]
            if (heads[first] == heads[second]).all() and (tails[first] == tails[second]).all():
                continue
            for column in range(len(self._columns)):
                spot = self._spot(pair, column, True)
                left, right, shift = self._cross(spot)
                left, right = (left << shift, right) if shift >= 0 else (left, right << -shift)
                if left > right:
                    return spot
                if left < right and not self.one_way:
                    return self._spot(pair, column, False)
        return None

    @cached_property
    def _columns(self) -> IntArray:
        """The outputs that occur at all."""
        return np.flatnonzero((self.weights.mantissas != 0).any(axis=0))

    @cached_property
    def _probabilities(self) -> tuple[FloatArray, IntArray | None]:
        """Probabilities of the outputs that occur; powers of two beside them if needed."""
        heads, powers = self.weights.scaled
        heads, powers = heads[:, self._columns], powers[:, self._columns]
        if np.abs(powers).max() < _REACH:
            return np.ldexp(heads, powers.astype(np.int32)), None
        return heads, powers

    @cached_property
    def _extremes(self) -> FloatArray:
        """For every pair the largest ratio of its rows, in the orders asked, cut off at 2^1002."""
        largest = np.empty(len(self.pairs))
        width = max(1, _BLOCK // max(1, len(self._columns)))
        for start in range(0, len(self.pairs), width):
            block = slice(start, start + width)
            ratios = self._ratios(self.pairs.first[block], self.pairs.second[block])
            largest[block] = ratios.max(axis=1)
            if not self.one_way:
                largest[block] = np.maximum(largest[block], 1 / ratios.min(axis=1))
        return largest

    def _ratios(self, first: IntArray, second: IntArray) -> FloatArray:
        heads, powers = self._probabilities
        ratios = _quotients(heads[first], heads[second])
        if powers is None:
            return ratios
        shift = np.clip(powers[first] - powers[second], -_CAP, _CAP)
        return np.asarray(np.ldexp(ratios, shift.astype(np.int32)))

    def _bounds(self, level: Level) -> FloatArray:
        """e^(ε d) of every class, rounded down, capped at 2^1000."""
        bounds, epsilon = np.empty(len(self.classes)), level.ball(2 * _FLOOR_BITS)
        for position, distance in enumerate(self.classes):
            head, power = _scaled_power(epsilon, distance)
            bounds[position] = ldexp(head, power) if power <= _REACH else 2.0**_REACH
        return bounds

    def _log_ratios(self, pair: int) -> FloatArray:
        """ln of the ratios of one pair, however large."""
        heads, powers = self._probabilities
        first, second = self.pairs.first[pair], self.pairs.second[pair]
        with np.errstate(divide="ignore"):
            logs = np.log(_quotients(heads[first], heads[second]))
        if powers is not None:
            logs += (powers[first] - powers[second]) * np.log(2)
        return np.asarray(logs)

    def _largest(self, pair: int) -> Spot:
        """The comparison of a pair with the largest ratio, by doubles."""
        sizes = self._ratios(self.pairs.first[[pair]], self.pairs.second[[pair]])[0]
        if self.one_way:
            chosen = self._log_ratios(pair) if sizes.max() > 2.0**_REACH else sizes
            return self._spot(pair, int(np.argmax(chosen)), True)
        if max(sizes.max(), 1 / sizes.min()) > 2.0**_REACH:
            sizes = self._log_ratios(pair)
            inverse = -sizes
        else:
            inverse = 1 / sizes
        high, low = int(np.argmax(sizes)), int(np.argmax(inverse))
        if sizes[high] >= inverse[low]:
            return self._spot(pair, high, True)
        return self._spot(pair, low, False)

    def _near(self, pair: int, head: float, power: int) -> Iterator[Spot]:
        """The comparisons of a pair whose ratio reaches head · 2^power, however large that is."""
        heads, powers = self._probabilities
        first, second = self.pairs.first[pair], self.pairs.second[pair]
        ratios, shifts = _quotients(heads[first], heads[second]), np.zeros(1, dtype=np.int64)
        if powers is not None:
            shifts = powers[first] - powers[second]
        with np.errstate(over="ignore", divide="ignore"):
            orders = ((True, ratios, shifts), (False, 1 / ratios, -shifts))
            for forward, sizes, tails in orders[:1] if self.one_way else orders:
                cut = np.clip(tails - power, -_CAP, _CAP).astype(np.int32)
                reached = np.ldexp(sizes / head, cut) >= 1 - tolerances.COMPARISON_MARGIN
                for column in np.flatnonzero(reached).tolist():
                    yield self._spot(pair, column, forward)

    def _spot(self, pair: int, column: int, forward: bool) -> Spot:
        first, second = int(self.pairs.first[pair]), int(self.pairs.second[pair])
        if not forward:
            first, second = second, first
        return Spot(first, second, int(self._columns[column]), self.classes[self.index[pair]])

    def _cross(self, spot: Spot) -> tuple[int, int, int]:
        """The ratio of the two probabilities as integers left / right · 2^shift."""
        mantissas, powers = self.weights.mantissas, self.weights.exponents
        (total_a, shift_a) = self.weights.totals[spot.first]
        (total_b, shift_b) = self.weights.totals[spot.second]
        left = int(mantissas[spot.first, spot.output]) * total_b
        right = int(mantissas[spot.second, spot.output]) * total_a
        shift = int(powers[spot.first, spot.output]) - int(powers[spot.second, spot.output])
        return left, right, shift + shift_b - shift_a

    def _first_violation(self, spots: Iterator[Spot], level: Level, floor: Fraction) -> Spot | None:
        """The first of the comparisons of one pair that fails, decided exactly.

        Terms common to all outputs of two rows are computed once. Ratios up to the floor, a lower
        bound on e^(ε d), hold; larger ones are compared with e^(ε d) itself.
        """
        mantissas, exponents = self.weights.mantissas, self.weights.exponents
        common: dict[int, tuple[int, int, int]] = {}
        for spot in spots:
            if spot.first not in common:
                (total_a, shift_a) = self.weights.totals[spot.first]
                (total_b, shift_b) = self.weights.totals[spot.second]
                over, under = total_b * floor.denominator, total_a * floor.numerator
                if max(over.bit_length(), under.bit_length()) <= _SHORT:
                    over, under = Fraction(over, under).as_integer_ratio()
                common[spot.first] = over, under, shift_b - shift_a
            over, under, shift = common[spot.first]
            left = int(mantissas[spot.first, spot.output]) * over
            right = int(mantissas[spot.second, spot.output]) * under
            shift += int(exponents[spot.first, spot.output] - exponents[spot.second, spot.output])
            above = (left << shift) > right if shift >= 0 else left > (right << -shift)
            if above:
                over, under, shift = self._cross(spot)
                if level.compare_quotient(over, under, spot.distance, shift) > 0:
                    return spot
        return None


def _quotients(above: FloatArray, below: FloatArray) -> FloatArray:
    """The ratios of two rows without a zero beside a non-zero; 1 where both are 0."""
    return np.divide(above, below, out=np.ones_like(above), where=below != 0)


def _scaled_power(epsilon: arb, distance: Surd) -> tuple[float, int]:
    """A lower bound on e^(ε d) as a double in [1/2, 1) and a power of two, within 2^-52."""
    with ctx.workprec(2 * _FLOOR_BITS):
        size = epsilon * distance.ball(2 * _FLOOR_BITS)
        if size > _FAR:  # beyond any ratio of weights
            return 0.5, _FAR
        mantissa, exponent = size.exp().lower().man_exp()
    drop = max(0, int(mantissa).bit_length() - 53)
    head, power = frexp(int(mantissa) >> drop)
    return head, power + drop + int(exponent)


def _power_floor(level: Level, distance: Surd) -> Fraction:
    """e^(ε d) where it is rational and short, else a lower bound on it."""
    exact = level.power(distance)
    if exact is not None:
        return exact
    with ctx.workprec(_FLOOR_BITS):
        size = level.ball(_FLOOR_BITS) * distance.ball(_FLOOR_BITS)
        return lower_bound(size.exp()) if size < _REACH else Fraction(1)
