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
    """Labels from 0, in the order of first members, that are equal where pairs join indices."""
    from scipy.sparse import coo_array  # slow to import
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(len(first), dtype=np.int8), (first, second)), shape=(size, size))
    _, parts = connected_components(links, directed=False)
    heads = np.unique(parts, return_index=True)[1]
    ranks = np.empty_like(heads)
    ranks[np.argsort(heads)] = np.arange(len(heads))
    return np.asarray(ranks[parts], dtype=np.int64)
