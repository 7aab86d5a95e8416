"""Points with exact coordinates and Euclidean distances.

Coordinates are decimals or fractions, kept as integers over a common denominator. Squared
distances are then integers, and a pair is irreducible iff no other point lies on the line
between them: from every point, the nearest one in each direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import counted, shorten
from tightrope.errors import BadSpace
from tightrope.exact import FloatArray, IntArray, Surd, own
from tightrope.spaces.checks import LONGEST_BITS, Number, rational
from tightrope.spaces.classes import classes_of_keys
from tightrope.spaces.listed_points import ListedPoints
from tightrope.spaces.matrices import as_rows, check_labels
from tightrope.spaces.moves import refuse_pairs
from tightrope.spaces.protocol import Label, Neighbors, Pairs, plain
from tightrope.spaces.regions import WORD


@dataclass(frozen=True, eq=False, repr=False)
class PointSpace(ListedPoints):
    """Points with exact coordinates and Euclidean distances; made by `points`."""

    points: tuple[Label, ...]
    numerators: IntArray
    denominator: int

    def __post_init__(self) -> None:
        own(self, "numerators")
        shape = self.numerators.shape
        if len(shape) != 2 or shape[0] != len(self.points) or self.denominator < 1:
            raise BadSpace("expected a row of coordinates for each label, over a denominator.")

    @property
    def text(self) -> str:
        """The space in words; its content is in `describe`."""
        return f"{self.size} points in {counted(self.numerators.shape[1], 'dimension')}"

    def distance(self, i: int, j: int) -> Surd:
        """The exact distance of two points."""
        pair = zip(self.numerators[i].tolist(), self.numerators[j].tolist(), strict=True)
        return self._surd(sum((a - b) ** 2 for a, b in pair))

    def lengths(self, i: IntArray, j: IntArray) -> FloatArray:
        """The distances of many pairs as doubles."""
        if self._narrow:  # differences are exact doubles: half a rounding per axis, and two
            axes = (column[i] - column[j] for column in self._doubles)
            squares = sum(axis * axis for axis in axes)
        else:
            squares = self.keys(i, j).astype(np.float64)
        return np.asarray(np.sqrt(squares) / float(self.denominator))

    def classes(self, i: IntArray, j: IntArray) -> tuple[list[Surd], IntArray]:
        """The distinct exact distances of many pairs, and which pair has which."""
        return classes_of_keys(self.keys(i, j), self._surd)

    @property
    def neighbors(self) -> Neighbors | None:
        """None: positions have no neighbors, only distances."""
        return None

    @property
    def diameter(self) -> Surd:
        """The largest distance."""
        return self._extremes[1]

    @property
    def least_distance(self) -> Surd:
        """The smallest positive distance."""
        return self._extremes[0]

    def describe(self) -> dict[str, Any]:
        """The document form of the space."""
        rows = self.numerators.tolist()
        return {
            "family": "points",
            "labels": [plain(label) for label in self.points],
            "coordinates": [[str(Fraction(x, self.denominator)) for x in row] for row in rows],
        }

    def coordinates(self) -> FloatArray:
        """The coordinates as doubles, one row per point."""
        return self.numerators.astype(np.float64) / float(self.denominator)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PointSpace):
            return NotImplemented
        return (self.points, self.denominator) == (
            other.points,
            other.denominator,
        ) and np.array_equal(self.numerators, other.numerators)

    def __hash__(self) -> int:
        return hash((self.points, self.denominator, self.numerators.tobytes()))

    def _surd(self, square: int) -> Surd:
        return Surd.root(Fraction(square, self.denominator**2))

    @cached_property
    def _reach(self) -> int:
        return int(np.abs(self.numerators).max())

    @cached_property
    def _narrow(self) -> bool:
        return self._reach < 2**52 and self.numerators.shape[1] <= 2

    @cached_property
    def _doubles(self) -> list[FloatArray]:
        return [np.ascontiguousarray(axis) for axis in self.numerators.T.astype(np.float64)]

    def keys(self, i: Any, j: Any) -> NDArray[Any]:
        """Squared distances as integers over the squared denominator."""
        square = (2 * self._reach) ** 2 * self.numerators.shape[1]
        axes = self.numerators.T if square < WORD else self.numerators.T.astype(object)
        return np.asarray(sum((axis[i] - axis[j]) ** 2 for axis in axes))

    @cached_property
    def _extremes(self) -> tuple[Surd, Surd]:
        """The least and the largest distance, row by row."""
        least, largest = [], []
        every = np.arange(self.size)
        for i in range(self.size - 1):
            row = self.keys(i, every[i + 1 :])
            least.append(int(row.min()))
            largest.append(int(row.max()))
        return self._surd(min(least)), self._surd(max(largest))

    @cached_property
    def _edges(self) -> Pairs:
        """In every direction from a point, the nearest other point."""
        refuse_pairs(self.size * (self.size - 1) // 2)
        pairs = []
        every = np.arange(self.size)
        for i in range(self.size - 1):
            others = np.delete(every, i)
            steps = self.numerators[others] - self.numerators[i]
            times = np.gcd.reduce(steps, axis=1)
            directions = steps // times[:, None]
            order = np.lexsort((times, *directions.T))
            turns = (directions[order][1:] != directions[order][:-1]).any(axis=1)
            nearest = np.sort(others[order[np.concatenate([[True], turns])]])
            second = nearest[nearest > i]
            pairs.append(np.stack([np.full(len(second), i), second]))
        first, second = np.concatenate(pairs, axis=1)
        return Pairs(first, second)


def points(labels: Iterable[Label], coordinates: Sequence[Sequence[Number]]) -> PointSpace:
    """Points in the plane or in any dimension, at their Euclidean distances.

    Returns: a `PointSpace`; its points are the labels.

    Raises: `BadSpace` for fewer than two points, two at the same place, a label that occurs twice,
    or rows of different lengths.

    >>> space = points(["a", "b"], [("0", "0"), ("0.3", "0.4")])
    >>> str(space.distance(0, 1))
    '1/2'
    """
    names = check_labels(labels)
    coordinates = as_rows(coordinates)
    dimension = len(coordinates[0]) if len(coordinates) else 0
    if len(coordinates) != len(names) or dimension == 0:
        raise BadSpace(
            f"expected {len(names)} rows of coordinates, one for each label, "
            f"found {len(coordinates)}."
        )
    exact = []
    for name, row in zip(names, coordinates, strict=True):
        if len(row) != dimension:
            raise BadSpace(
                f"expected {dimension} coordinates for every point, found {len(row)} at "
                f"{shorten(str(name))}."
            )
        exact.append([rational(value, f"a coordinate of {shorten(str(name))}") for value in row])
    denominator = lcm(*{value.denominator for row in exact for value in row})
    integers = [tuple(int(value * denominator) for value in row) for row in exact]
    longest = 4 * max(abs(value) for row in integers for value in row)
    if longest >= WORD or denominator.bit_length() > LONGEST_BITS:
        raise BadSpace("the coordinates together need more than 18 digits; round them.")
    labels_at: dict[tuple[int, ...], Label] = {}
    for name, place in zip(names, integers, strict=True):
        if place in labels_at:
            raise BadSpace(f"the points {labels_at[place]} and {name} are at the same place.")
        labels_at[place] = name
    return PointSpace(names, np.array(integers, dtype=np.int64), denominator)
