"""Mechanisms implied by distances: P(z | y) = w_z q^(-d(y,z)/unit) / N_y.

Only the weights are stored. The triangle inequality gives
P(z | y) / P(z | y') <= q^(d(y,y')/unit) N_y' / N_y, so the privacy of such a mechanism is
a statement about its normalizers alone. With q, unit and weights rational and all
distances whole multiples of the unit, every probability is rational.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

import numpy as np

from tightrope.errors import BadMatrix, TooLarge
from tightrope.exact import Weights, tolerances
from tightrope.mechanisms.matrix import MatrixMechanism
from tightrope.spaces import Label, Space, distance_table


@dataclass(frozen=True)
class KernelMechanism:
    """The mechanism with P(z | y) proportional to w_z q^(-d(y,z)/unit)."""

    space: Space
    ratio: Fraction
    unit: Fraction
    weights: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != self.space.size:
            raise BadMatrix(
                f"expected {self.space.size} weights for {self.space.text}, "
                f"found {len(self.weights)}."
            )
        if self.ratio <= 1 or self.unit <= 0:
            raise BadMatrix("a kernel needs a ratio above 1 and a positive unit.")
        if min(self.weights) < 0 or max(self.weights) == 0:
            raise BadMatrix("a kernel needs weights that are not negative and not all zero.")

    @property
    def outputs(self) -> Sequence[Label]:
        """The outputs: the points of the space."""
        return self.space.points

    @property
    def equidistant(self) -> bool:
        """Whether any two points are at the same distance."""
        return self.space.diameter == self.space.least_distance

    def steps(self, distance_classes: Sequence[object]) -> list[int]:
        """The whole numbers d/unit for exact distances; other distances are refused."""
        found = []
        for distance in distance_classes:
            exact = distance.rational  # type: ignore[attr-defined]
            if exact is None or (exact / self.unit).denominator != 1:
                raise BadMatrix(f"the distance {distance} is no multiple of the unit {self.unit}.")
            found.append(int(exact / self.unit))
        return found

    @cached_property
    def normalizers(self) -> tuple[Fraction, ...]:
        """N_y for every input, exactly."""
        if self.equidistant:
            (step,) = self.steps([self.space.diameter])
            far, total = self.ratio**-step, sum(self.weights)
            return tuple(w + (total - w) * far for w in self.weights)
        scale, rows = self._integer_rows
        held: dict[int, Fraction] = {}
        found = []
        for row in rows:
            total_ = sum(row)
            if total_ not in held:
                held[total_] = Fraction(total_, scale)
            found.append(held[total_])
        return tuple(found)

    @cached_property
    def _integer_rows(self) -> tuple[int, list[list[int]]]:
        """Unnormalized rows as integers over one common scale."""
        size = self.space.size
        if size * size > tolerances.LARGEST_MATRIX:
            raise TooLarge(
                "the number of matrix entries",
                size * size,
                tolerances.LARGEST_MATRIX,
                "use a space with fewer points",
            )
        classes, table = distance_table(self.space)
        steps = self.steps(classes)
        longest = max(steps)
        over, under = self.ratio.numerator, self.ratio.denominator
        common = lcm(*(w.denominator for w in self.weights))
        integers = [int(w * common) for w in self.weights]
        powers = {k: under**k * over ** (longest - k) for k in set(steps)}
        distinct = {w: [w * powers[k] for k in steps] for w in set(integers)}
        columns = [distinct[w] for w in integers]
        rows = [
            [column[k] for column, k in zip(columns, line, strict=True)] for line in table.tolist()
        ]
        return common * over**longest, rows

    def row(self, i: int) -> tuple[Fraction, ...]:
        """The exact law of the output for the input with index i."""
        everyone = np.arange(self.space.size)
        if self.equidistant:
            (step,) = self.steps([self.space.diameter])
            far = self.ratio**-step
            line = [w * far for w in self.weights]
            line[i] = self.weights[i]
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

    def matrix(self) -> MatrixMechanism:
        """The same mechanism written out."""
        _, rows = self._integer_rows
        reduced = []
        for row in rows:
            common = gcd(*row)
            reduced.append([value // common for value in row] if common > 1 else row)
        return MatrixMechanism(self.space, self.outputs, Weights.from_integers(reduced))
