"""Permutations of indices, and their orbits: what a group takes into each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tightrope.exact import IntArray


def orbits(size: int, generators: Sequence[IntArray]) -> IntArray:
    """The orbit of every index, numbered from 0 in the order of their first members.

    >>> orbits(5, [np.array([1, 0, 2, 4, 3])]).tolist()
    [0, 0, 1, 2, 2]
    """
    labels = np.arange(size)
    if generators:
        labels = join(size, np.tile(labels, len(generators)), np.concatenate(generators))
    return labels


def join(size: int, first: IntArray, second: IntArray) -> IntArray:
    """Labels from 0, in the order of first members, that are equal where pairs join indices.

    >>> join(4, np.array([3]), np.array([1])).tolist()
    [0, 1, 2, 1]
    """
    heads = np.arange(size)  # the least index that is known to be joined with each
    while True:
        left, right = heads[first], heads[second]
        least, joined = np.minimum(left, right), heads.copy()
        np.minimum.at(joined, left, least)
        np.minimum.at(joined, right, least)
        while not np.array_equal(further := joined[joined], joined):
            joined = further
        if np.array_equal(joined, heads):
            return np.asarray(np.unique(heads, return_inverse=True)[1], dtype=np.int64)
        heads = joined
