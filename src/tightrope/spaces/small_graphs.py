"""All labeled graphs on few nodes, and how many edges must change for a count to be right.

A graph is a set of pairs of nodes, written as a binary number; two graphs are as many edges
apart as their numbers have bits that differ. The index of an answer r, in Theorem 2 of WXH, is
the least number of edges from the graph at hand to one that counts r; in Theorem 3, to one that
counts within δ of r. The paper's Algorithm 1 lists them for every graph up to renaming; here
they are found for one graph, among all, in one pass.
For edges the index is |r - f| - δ on any number of nodes, since every edge counts 1. For
triangles no quick way is to be hoped for: the index of 0 is the least number of edges whose
removal leaves no triangle, which is NP-hard (Yannakakis, 1981). For stars none is known here.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from tightrope.choices import Count, member_of
from tightrope.errors import TooLarge
from tightrope.exact import IntArray, owned
from tightrope.spaces.networks import Network, star_leaves

MOST_LISTED_NODES = 7
"""Nodes of graphs that are all listed: there are 2^21 on seven, and 2^28 on eight."""


def check_listed(nodes: int) -> None:
    """Refuse a number of nodes whose graphs are too many to list."""
    if nodes > MOST_LISTED_NODES:
        raise TooLarge(
            "the number of nodes", nodes, MOST_LISTED_NODES,
            "beyond, graphs are not listed, and how many edges must change for a given number of "
            "triangles (which is NP-hard) or stars is not known; ladder and global need no list",
        )


@lru_cache(maxsize=8)
def all_counts(nodes: int, count: Count | str) -> IntArray:
    """The count of every graph on so many nodes; bit k stands for the k-th pair of nodes.

    >>> all_counts(3, "triangles").tolist(), all_counts(3, "stars2").tolist()
    ([0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 1, 0, 1, 1, 3])
    """
    check_listed(nodes)
    count = member_of(Count, count)
    place = {pair: bit for bit, pair in enumerate(combinations(range(nodes), 2))}
    graphs = np.arange(1 << len(place), dtype=np.int64)
    sums = np.zeros(len(graphs), dtype=np.int64)
    if count is Count.TRIANGLES:
        for a, b, c in combinations(range(nodes), 3):
            sums += (graphs >> place[a, b]) & (graphs >> place[a, c]) & (graphs >> place[b, c]) & 1
        return owned(sums)
    if count is Count.EDGES:
        return owned(np.bitwise_count(graphs).astype(np.int64))
    for node in range(nodes):
        edges = sum(1 << bit for pair, bit in place.items() if node in pair)
        degree = np.bitwise_count(graphs & edges).astype(np.int64)
        more = degree - 2 if star_leaves(count) == 3 else np.ones_like(degree)
        sums += degree * (degree - 1) * more // (6 if star_leaves(count) == 3 else 2)
    return owned(sums)


def steps_to_counts(
    network: Network, count: Count | str, radius: int = 0
) -> tuple[IntArray, IntArray]:
    """All counts that occur on these nodes, and how many edges of this graph must change for each.

    With a radius δ it is enough that the changed graph counts within δ of it. A curator's
    figure, not private.

    >>> path = Network(4, np.array([0, 1, 2]), np.array([1, 2, 3]))
    >>> [held.tolist() for held in steps_to_counts(path, "triangles")]
    [[0, 1, 2, 4], [0, 1, 2, 3]]
    >>> steps_to_counts(path, "triangles", 1)[1].tolist()
    [0, 0, 1, 3]
    """
    nodes, known = network.nodes, all_counts(network.nodes, count)
    place = {pair: bit for bit, pair in enumerate(combinations(range(nodes), 2))}
    ends = zip(network.first.tolist(), network.second.tolist(), strict=True)
    here = sum(1 << place[pair] for pair in ends)
    apart = np.bitwise_count(np.arange(len(known), dtype=np.int64) ^ here).astype(np.int64)
    far = len(place) + 1
    nearest = np.full(int(known.max()) + 1, far, dtype=np.int64)
    np.minimum.at(nearest, known, apart)
    values = np.flatnonzero(nearest < far)
    steps = nearest[values]
    close = np.abs(values[:, None] - values) <= radius
    return values, np.where(close, steps, far).min(axis=1)
