"""Mechanisms implied by distances: P(z | y) = w_z κ(d(y,z)) / N_y, κ(d) = q^(-d/unit).

Only the weights are stored. The triangle inequality gives
P(z | y) / P(z | y') <= q^(d(y,y')/unit) N_y' / N_y, so the privacy of such a mechanism is
a statement about its normalizers alone. With q, unit and weights rational and all
distances whole multiples of the unit, every probability is rational. Where they are not, as
on Euclidean grids, κ is rounded down to 62 bits: probabilities are rational again, and the
ratio of two of them gains a factor of at most 1 + 2^-61.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, repeat
from math import gcd, lcm
from operator import mul
from typing import Any, ClassVar

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from tightrope.drawing import plot_of
from tightrope.errors import BadMatrix, CannotCheck
from tightrope.exact import (
    Surd,
    Weights,
    ball_of,
    check_entries,
    own_numbers,
    owned,
    short_text,
    sizes,
    tolerances,
)
from tightrope.mechanisms.answers import Answers, Single
from tightrope.mechanisms.cards import array_of_matrix, to_csv, to_latex, to_numpy
from tightrope.mechanisms.matrix import MatrixMechanism
from tightrope.mechanisms.rounding import (
    UNIT_BITS,
    Sums,
    grid_of,
    kernel_sums,
    kernel_taps,
    rounded_power,
)
from tightrope.spaces import (
    Family,
    Label,
    Lattice,
    Space,
    distance_table,
    family_of,
    pair_classes,
    require_connected,
)

LARGEST = 1 << tolerances.MANTISSA_BITS
"""Weights of a rounded kernel are below this."""


@dataclass(frozen=True, repr=False)
class KernelMechanism(Single):
    """A mechanism kept as one weight for each point: P(z | y) is proportional to w_z q^(-d/unit).

    d is the distance from input y to output z, q the `ratio`; no table is written out.

    A `rounded` one is for grids and paths, with their step as the unit and whole numbers
    below 2^62 as weights; its powers are rounded down to 62 bits.

    >>> from tightrope.spaces import path
    >>> even = KernelMechanism(path(0, 2), Fraction(2), Fraction(1), (2, 1, 2))
    >>> [str(p) for p in even.row(1)]
    ['1/3', '1/3', '1/3']
    """

    space: Space
    ratio: Fraction
    unit: Fraction
    weights: tuple[Fraction | int, ...]
    rounded: bool = False
    answers: ClassVar = Answers.LISTED

    def __post_init__(self) -> None:
        self._own_space()
        object.__setattr__(self, "weights", _exact_weights(self.weights))
        own_numbers(self, "ratio", "unit")
        if len(self.weights) != self.space.size:
            raise BadMatrix(
                f"expected {self.space.size} weights for {self.space.text}, "
                f"found {len(self.weights)}."
            )
        require_connected(self.space, "a kernel needs")
        if self.ratio <= 1 or self.unit <= 0:
            raise BadMatrix("a kernel needs a ratio above 1 and a positive unit.")
        if min(self.weights) < 0 or max(self.weights) == 0:
            raise BadMatrix("a kernel needs weights that are not negative and not all zero.")
        if self.rounded:
            if self.unit != self.grid.norm.step:
                raise BadMatrix("the unit of a rounded kernel is the step of its grid.")
            if not all(type(w) is int for w in self.weights) or max(self.weights) >= LARGEST:
                raise BadMatrix("the weights of a rounded kernel are whole numbers below 2^62.")

    to_numpy = to_numpy
    __array__ = array_of_matrix
    to_csv = to_csv
    to_latex = to_latex
    plot = plot_of

    @property
    def outputs(self) -> Sequence[Label]:
        """The outputs: the points of the space."""
        return self.space.points

    @property
    def equidistant(self) -> bool:
        """Whether any two points are at the same distance, with an exact power between them."""
        return not self.rounded and self.space.diameter == self.space.least_distance

    @property
    def even(self) -> bool:
        """Whether any two points are at the same distance and have the same weight."""
        return self.equidistant and len(set(self.weights)) == 1

    def _check_length(self, steps: int, numbers: int = 1) -> None:
        """Refuse powers of the ratio that would fill the memory or take long to compare."""
        bits = self.ratio.numerator.bit_length() * steps
        if bits > sizes.LONGEST_ROW or bits * numbers > 2 * sizes.LONGEST_ROWS:
            raise CannotCheck(
                f"the ratio to the power {short_text(Fraction(steps))} has about "
                f"{short_text(Fraction(bits))} bits, too many to write out {numbers:,} such "
                "numbers."
            )

    @cached_property
    def _whole_weights(self) -> tuple[int, list[int]]:
        """The weights as integers over their common denominator."""
        common = 1
        for weight in set(self.weights):
            common = lcm(common, weight.denominator)
            if common.bit_length() > sizes.LONGEST_ROW:
                raise CannotCheck("the weights have too long a common denominator.")
        return common, [int(w * common) for w in self.weights]

    def check_unit(self) -> None:
        """Refuse a unit that does not divide the irreducible distances, and so not all."""
        if self.rounded:
            return
        if self.equidistant:
            self.steps([self.space.diameter])
        else:
            self.steps(pair_classes(self.space, self.space.edges())[0])

    def steps(self, distance_classes: Sequence[Surd]) -> list[int]:
        """The whole numbers d/unit for exact distances; other distances are refused."""
        steps = []
        for distance in distance_classes:
            exact = distance.rational
            if exact is None or (exact / self.unit).denominator != 1:
                raise BadMatrix(f"the distance {distance} is no multiple of the unit {self.unit}.")
            steps.append(int(exact / self.unit))
        return steps

    @property
    def grid(self) -> Lattice:
        """The grid or path of a rounded kernel."""
        return grid_of(self.space)

    def value(self, distance: Surd) -> tuple[int, int]:
        """κ of a rounded kernel as a mantissa of 62 bits and a power of two."""
        return rounded_power(self.ratio, distance * (1 / self.unit))

    @property
    def _rate(self) -> arb:
        """A ball around the logarithm of the ratio, also where that is very close to 1."""
        with ctx.workprec(256):
            return ball_of(self.ratio, 256).log()

    @cached_property
    def taps(self) -> NDArray[np.int64]:
        """κ of a rounded kernel around a cell, in units of 2^-61 and rounded down to them."""

        def units(distance: Surd) -> int:
            mantissa, exponent = self.value(distance)
            return mantissa >> min(-exponent - UNIT_BITS, 2 * UNIT_BITS)

        return owned(kernel_taps(self.grid, self._rate, units))

    @cached_property
    def sums(self) -> Sums:
        """Bounds on the normalizers of a rounded kernel, for any number of points."""
        weights = np.array(self.weights, dtype=np.int64)
        return kernel_sums(self.grid, weights, self.taps)

    @cached_property
    def normalizers(self) -> tuple[Fraction, ...]:
        """N_y for every input, exactly."""
        scale, sums = self.whole_normalizers
        fractions: dict[int, Fraction] = {}
        return tuple(fractions.setdefault(total, Fraction(total, scale)) for total in sums)

    @cached_property
    def whole_normalizers(self) -> tuple[int, tuple[int, ...]]:
        """N_y for every input as integers over one common number, which comes first."""
        if not self.rounded and self.equidistant:
            (step,) = self.steps([self.space.diameter])
            self._check_length(step, self.space.size)
            common, weights = self._whole_weights
            near, far = (self.ratio**step).as_integer_ratio()
            rest = sum(weights) * far
            sums_of = {w: w * (near - far) + rest for w in set(weights)}
            return common * near, tuple(sums_of[w] for w in weights)
        if not self.rounded and family_of(self.space) is Family.PATH:
            return self._path_normalizers()
        scale, powers, weights, table = self._powers
        sums = []
        for line in table.tolist():
            parts = [0] * len(powers)
            for k, weight in zip(line, weights, strict=True):
                parts[k] += weight
            sums.append(sum(map(mul, parts, powers)))
        return scale, tuple(sums)

    def _path_normalizers(self) -> tuple[int, tuple[int, ...]]:
        """Along a path the sums to the left and to the right follow from those next door."""
        (step,) = self.steps([Surd.of(1)])
        last = self.space.size - 1
        self._check_length(step * last, self.space.size)
        up, down = (self.ratio**step).as_integer_ratio()
        common, weights = self._whole_weights

        def running(line: list[int]) -> list[int]:
            """Σ_j w_j (down/up)^(k-j) over j <= k, times up^k, for every k."""
            total, power, totals = 0, 1, []
            for weight in line:
                total = total * down + weight * power
                totals.append(total)
                power *= up
            return totals

        left, right = running(weights), running(weights[::-1])[::-1]
        powers = list(accumulate(repeat(up, last), mul, initial=1))
        sums = (
            left[k] * powers[last - k] + right[k] * powers[k] - weights[k] * powers[last]
            for k in range(last + 1)
        )
        return common * powers[last], tuple(sums)

    @cached_property
    def _powers(self) -> tuple[int, list[int], list[int], NDArray[Any]]:
        """κ of every distance and the weights, as integers over one scale; which distance where."""
        size = self.space.size
        if size * size > sizes.LARGEST_MATRIX:
            raise CannotCheck(
                f"the rows of a kernel on {size:,} points are too many to add up one by one."
            )
        classes, table = distance_table(self.space)
        if self.rounded:
            values, least = self._align(classes)
            return 1 << -least, values, list(map(int, self.weights)), table
        steps = self.steps(classes)
        longest = max(steps)
        self._check_length(longest, size)
        over, under = self.ratio.numerator, self.ratio.denominator
        common, weights = self._whole_weights
        powers = [under**k * over ** (longest - k) for k in steps]
        return common * over**longest, powers, weights, table

    def _align(self, classes: Sequence[Surd]) -> tuple[list[int], int]:
        """κ of some distances as integers over one common power of two, and that power."""
        pairs = [self.value(distance) for distance in classes]
        least = min(exponent for _, exponent in pairs)
        return [mantissa << (exponent - least) for mantissa, exponent in pairs], least

    def row_integers(self, i: int) -> list[int]:
        """Row i of a rounded kernel as integers in the proportions of its probabilities."""
        classes, where = self.space.classes(np.full(1, i), np.arange(self.space.size))
        powers, _ = self._align(classes)
        return [
            int(w) * powers[k] for w, k in zip(self.weights, where.ravel().tolist(), strict=True)
        ]

    def row(self, x: Label) -> tuple[Fraction, ...]:
        """The exact law of the output for the input x: a probability for each of `outputs`."""
        return self.row_at(self.space.index(x))

    def row_at(self, i: int) -> tuple[Fraction, ...]:
        """The exact law of the output for the input with index i."""
        if self.rounded:
            integers = self.row_integers(i)
            whole = sum(integers)
            return tuple(Fraction(value, whole) for value in integers)
        everyone = np.arange(self.space.size)
        if self.equidistant:
            (step,) = self.steps([self.space.diameter])
            far = self.ratio**-step
            line = [Fraction(w) * far for w in self.weights]
            line[i] = Fraction(self.weights[i])
        else:
            line = [
                w * self.ratio**-step
                for w, step in zip(
                    self.weights,
                    self.steps([self.space.distance(i, int(j)) for j in everyone]),
                    strict=True,
                )
            ]
        total = sum(line)
        return tuple(value / total for value in line)

    def probability(self, i: int, z: int) -> Fraction:
        """The exact probability of output z for input i, without the rest of the row."""
        if not self.rounded:
            (step,) = self.steps([self.space.distance(i, z)])
            near, far = (self.ratio**step).as_integer_ratio()
            (scale, sums), (common, whole) = self.whole_normalizers, self._whole_weights
            return Fraction(whole[z] * far * (scale // (common * near)), sums[i])
        classes, where = self.space.classes(np.full(1, i), np.arange(self.space.size))
        powers, _ = self._align(classes)
        place, weights = where.ravel(), np.array(self.weights, dtype=np.int64)
        half = tolerances.MANTISSA_BITS // 2
        # Sums of half mantissas stay below 2^53 and are exact as doubles.
        high, low = (
            np.bincount(place, weights=part).astype(np.int64).tolist()
            for part in (weights >> half, weights & ((1 << half) - 1))
        )
        total = sum(((h << half) + w) * p for h, w, p in zip(high, low, powers, strict=True))
        return Fraction(int(self.weights[z]) * powers[int(place[z])], total)

    def matrix(self) -> MatrixMechanism:
        """The same mechanism written out."""
        if self.rounded:
            check_entries(self.space.size, self.space.size)
            classes, table = distance_table(self.space)
            pairs = [self.value(distance) for distance in classes]
            heads = np.array([head for head, _ in pairs], dtype=object)[table]
            tails = np.array([tail for _, tail in pairs], dtype=np.int64)[table]
            products = heads * np.array(self.weights, dtype=object)
            return MatrixMechanism(self.space, self.outputs, Weights(products, tails))
        _, powers, weights, table = self._powers
        bits = self.ratio.numerator.bit_length() * max(self.steps([self.space.diameter]))
        if 2 * bits > sizes.LONGEST_ROW or bits * table.size > sizes.LONGEST_KERNEL_ROWS:
            raise CannotCheck(
                f"rows of {self.space.size:,} numbers with about {bits:,} bits are too long to "
                "write out."
            )
        distinct = {w: [w * power for power in powers] for w in set(weights)}
        columns = [distinct[w] for w in weights]
        reduced = []
        for line in table.tolist():
            row = [column[k] for column, k in zip(columns, line, strict=True)]
            common = gcd(*row)
            reduced.append([value // common for value in row] if common > 1 else row)
        return MatrixMechanism(self.space, self.outputs, Weights.from_integers(reduced))


def _exact_weights(given: Sequence[Fraction | int]) -> tuple[Fraction | int, ...]:
    """The weights as Python's own exact numbers, in a tuple that the caller cannot change."""
    try:
        weights = tuple(given)
        if set(map(type, weights)) <= {int, Fraction}:
            return weights
        return tuple(w if type(w) in (int, Fraction) else Fraction(w) for w in weights)
    except (TypeError, ValueError, OverflowError):
        raise BadMatrix("expected a list of exact weights, one for each point.") from None
