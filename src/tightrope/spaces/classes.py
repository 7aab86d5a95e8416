"""Distinct exact distances of many pairs, without an exact number per pair.

Distances of one space are determined by integers (counts, squared lengths, numerators over a common
denominator). So pairs are sorted into classes by integer arithmetic, and an exact number is made
once per class. Classes come in increasing order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import TooLarge
from tightrope.exact import IntArray, Surd, sizes, tolerances
from tightrope.spaces.protocol import Pairs, Space

_FLAGS = 10_000_000


def distance_table(space: Space) -> tuple[list[Surd], NDArray[np.int32]]:
    """The distinct distances of a space, and for every pair of points which it has.

    >>> from tightrope.spaces import parse
    >>> classes, table = distance_table(parse("path:0..2"))
    >>> [str(d) for d in classes], table.tolist()
    (['0', '1', '2'], [[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    """
    entries = space.size**2
    if entries > sizes.LARGEST_MATRIX:
        raise TooLarge(
            "the number of pairs of points",
            entries,
            sizes.LARGEST_MATRIX,
            "a table of all distances needs a smaller space",
        )
    every = np.arange(space.size)
    classes, where = space.classes(every[:, None], every[None, :])
    return classes, where.astype(np.int32)


def pair_classes(space: Space, pairs: Pairs) -> tuple[list[Surd], IntArray]:
    """The distinct distances of some pairs, and for every pair which it has."""
    return space.classes(pairs.first, pairs.second)


def classes_of_keys(keys: NDArray[Any], surd: Callable[[int], Surd]) -> tuple[list[Surd], IntArray]:
    """Classes of integers that determine distances and grow with them."""
    values, where = distinct(keys)
    return [surd(key) for key in values], where


def distinct(keys: NDArray[Any]) -> tuple[list[int], IntArray]:
    """The distinct non-negative integers in increasing order, and where each key is there."""
    if keys.size == 0 or keys.dtype == object or int(keys.max()) >= _FLAGS:
        values, where = np.unique(keys, return_inverse=True)
        return values.tolist(), where.reshape(keys.shape)
    present = np.zeros(int(keys.max()) + 1, dtype=np.bool_)
    present[keys] = True
    return np.flatnonzero(present).tolist(), (np.cumsum(present) - 1)[keys]


def merge_classes(values: list[Surd]) -> tuple[list[Surd], IntArray]:
    """The distinct values in increasing order, and the position of every value among them."""
    floats = [float(value) for value in values]

    def compare(a: int, b: int) -> int:
        gap = floats[a] - floats[b]
        if abs(gap) > tolerances.COMPARISON_MARGIN * floats[a]:
            return 1 if gap > 0 else -1
        return (values[a] > values[b]) - (values[a] < values[b])

    distinct: list[Surd] = []
    where = np.zeros(len(values), dtype=np.int64)
    previous = -1
    for position in sorted(range(len(values)), key=cmp_to_key(compare)):
        if previous < 0 or compare(previous, position):
            distinct.append(values[position])
        where[position] = len(distinct) - 1
        previous = position
    return distinct, where
