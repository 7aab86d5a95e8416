"""Translation-invariant distances on the integer lattice.

The distance of two cells depends on their difference alone, through an integer key: the sum
of absolute differences in blocks (a block is what one person can change), the largest
difference, the sum of squares, the number of differing coordinates, or the shorter way
around a cycle. A distance is the key times the step; for squares, its root times the step.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import reduce
from math import prod
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from tightrope.choices import member_of
from tightrope.exact import FloatArray, IntArray, Surd
from tightrope.spaces.moves import moves, refuse_pairs
from tightrope.spaces.protocol import Pairs
from tightrope.spaces.regions import Box


class Metric(Enum):
    """How the differences along the axes combine."""

    MANHATTAN = "manhattan"
    CHEBYSHEV = "chebyshev"
    EUCLIDEAN = "euclidean"
    HAMMING = "hamming"
    CYCLIC = "cyclic"


@dataclass(frozen=True)
class Norm:
    """The distance of a difference of cells.

    `block` divides the sum of absolute differences, rounded up: 1 for plain counts, the
    largest contribution for sums, 2 where every person who leaves one cell enters another.
    For a cycle it is the number of nodes.

    >>> sums = Norm(Metric.MANHATTAN, block=5)
    >>> str(sums.surd(sums.key([-7])))
    '2'
    """

    metric: Metric
    block: int = 1
    step: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "metric", member_of(Metric, self.metric))

    def key(self, differences: Iterable[Any]) -> Any:
        """The integer that determines the distance, from one difference per axis.

        Differences may be integers or arrays of them.
        """
        match self.metric:
            case Metric.MANHATTAN:
                return -(-sum(abs(d) for d in differences) // self.block)
            case Metric.CHEBYSHEV:
                return reduce(np.maximum, (abs(d) for d in differences))
            case Metric.EUCLIDEAN:
                return sum(d * d for d in differences)
            case Metric.HAMMING:
                return sum((d != 0) * 1 for d in differences)
            case Metric.CYCLIC:
                (around,) = (abs(d) for d in differences)
                return np.minimum(around, self.block - around)
            case _:
                assert_never(self.metric)

    def surd(self, key: int) -> Surd:
        """The exact distance of a key."""
        exact = Surd.root(key) if self.metric is Metric.EUCLIDEAN else Surd.of(int(key))
        return exact * self.step

    def floats(self, keys: NDArray[Any]) -> FloatArray:
        """The distances of many keys as doubles: at most three correctly rounded operations."""
        lengths = np.asarray(keys, dtype=np.float64)
        if self.metric is Metric.EUCLIDEAN:
            lengths = np.sqrt(lengths)
        return lengths if self.step == 1 else lengths * float(self.step)


def box_edges(norm: Norm, box: Box) -> Pairs:
    """The irreducible pairs of a box.

    All metrics but the Euclidean are graph distances, and their unit steps never leave the
    box: along one axis, or along all axes at once under the Chebyshev metric. Euclidean
    distances are additive only on straight lines, so two cells are irreducible iff no cell
    lies on the line between them: the differences have no common divisor.
    """
    if norm.metric is Metric.EUCLIDEAN:
        return _shift_pairs(box, _coprime_offsets(box.shape))
    both = norm.metric is Metric.CHEBYSHEV
    count, cells = 0, 1
    for side in box.shape:  # before any pair is made
        steps = _steps(norm, side)
        along = len(steps) * (2 * side - steps[0] - steps[-1]) // 2 if steps else 0
        count = count * side + cells * along + 2 * count * along * both
        cells *= side
        refuse_pairs(count)
    pairs, cells = _axis_edges(norm, box.shape[0]), box.shape[0]
    for side in box.shape[1:]:
        pairs = moves(pairs, cells, _axis_edges(norm, side), side, both=both)
        cells *= side
    return pairs


def _steps(norm: Norm, side: int) -> range:
    """The differences along one axis that are one unit."""
    match norm.metric:
        case Metric.MANHATTAN:
            return range(1, min(norm.block, side - 1) + 1)
        case Metric.HAMMING:
            return range(1, side)
        case Metric.CYCLIC:
            return range(1, side, max(1, side - 2))
        case Metric.CHEBYSHEV | Metric.EUCLIDEAN:
            return range(1, min(2, side))
        case _:
            assert_never(norm.metric)


def _axis_edges(norm: Norm, side: int) -> Pairs:
    """The irreducible pairs along one axis."""
    return _shift_pairs(Box((side,)), np.array(_steps(norm, side), dtype=np.int64)[:, None])


def _shift_pairs(box: Box, offsets: IntArray) -> Pairs:
    """All pairs of cells with one of the differences; the first non-zero one is positive."""
    refuse_pairs(int((np.array(box.shape) - np.abs(offsets)).prod(axis=1).sum()))
    none = np.zeros(0, dtype=np.int64)
    pairs = [box.shift_pairs(offset) for offset in offsets.tolist()]
    return Pairs(
        np.concatenate([none, *(first for first, _ in pairs)]),
        np.concatenate([none, *(second for _, second in pairs)]),
    )


def _coprime_offsets(shape: tuple[int, ...]) -> IntArray:
    """Differences without a common divisor, the first non-zero one positive.

    >>> _coprime_offsets((2, 3)).tolist()
    [[0, 1], [1, -2], [1, -1], [1, 0], [1, 1], [1, 2]]
    """
    long = [axis for axis, side in enumerate(shape) if side > 1]
    if len(long) == 1:
        return np.array([[int(axis in long) for axis in range(len(shape))]])
    refuse_pairs(prod(2 * side - 1 for side in shape) // 2)
    prime = reduce(np.gcd, np.ix_(*(np.arange(1 - shape[axis], shape[axis]) for axis in long)))
    coprime = np.argwhere(prime == 1)
    offsets = np.zeros((len(coprime) // 2, len(shape)), dtype=np.int64)
    offsets[:, long] = coprime[len(coprime) // 2 :] - np.array(shape)[long] + 1
    return offsets
