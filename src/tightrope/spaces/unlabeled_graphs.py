"""All graphs on few nodes up to renaming, one edge apart from each other.

A labeled graph on n nodes is a set of edges, written as a binary number. Renaming nodes
permutes the edges; the classes are the orbits, each named by its smallest number. Two
classes are neighbors if one edge more or less leads from one to the other.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np

from tightrope.errors import BadInput
from tightrope.exact import IntArray
from tightrope.spaces.graphs import Graph, graph
from tightrope.spaces.protocol import Space
from tightrope.spaces.small_graphs import check_listed

_SIZES = (1, 1, 2, 4, 11, 34, 156, 1044)
"""How many graphs there are on so many nodes."""


@lru_cache(maxsize=4)
def unlabeled_graphs(nodes: int) -> Graph:
    """The space of unlabeled graphs: distance = the least number of edges to add or remove.

    >>> [unlabeled_graphs(n).size for n in (3, 4, 5)]
    [4, 11, 34]
    """
    if nodes < 3:
        raise BadInput(f"expected graphs with at least 3 nodes, found {nodes}.")
    orbit = _orbits(nodes)
    first = np.flatnonzero(orbit == np.arange(len(orbit)))
    number = np.zeros(len(orbit), dtype=np.int64)
    number[first] = np.arange(len(first))
    toggled = first[:, None] ^ (1 << np.arange(len(_edges(nodes))))
    ends = number[orbit[toggled]]
    links = {(min(a, b), max(a, b)) for a, row in enumerate(ends.tolist()) for b in row}
    return replace(graph(first.tolist(), sorted(links)), name=f"graphs:{nodes}")


def nodes_of(space: Space) -> int | None:
    """The number of nodes if the points are the unlabeled graphs on them, else None.

    >>> nodes_of(unlabeled_graphs(4))
    4
    """
    for nodes, size in enumerate(_SIZES):
        if isinstance(space, Graph) and space.size == size and nodes > 2:
            return nodes if space == unlabeled_graphs(nodes) else None
    return None


def named_graphs(space: Graph) -> Graph:
    """The graph by its name, `graphs:N`, if its nodes are the unlabeled graphs on N nodes.

    >>> named_graphs(replace(unlabeled_graphs(4), name=None)).text
    'graphs:4'
    """
    for nodes, size in enumerate(_SIZES):  # the last point is the complete graph
        if nodes > 2 and space.size == size and space.points[-1] == (1 << len(_edges(nodes))) - 1:
            return unlabeled_graphs(nodes) if nodes_of(space) else space
    return space


def _edges(nodes: int) -> list[tuple[int, int]]:
    return list(combinations(range(nodes), 2))


def _orbits(nodes: int) -> IntArray:
    """For every labeled graph a number of its class: the smallest graph of the class."""
    check_listed(nodes)
    edges = _edges(nodes)
    place = {edge: k for k, edge in enumerate(edges)}
    renamed = np.array(
        [
            [1 << place[min(p[a], p[b]), max(p[a], p[b])] for a, b in edges]
            for p in permutations(range(nodes))
        ]
    ).reshape(-1, len(edges))
    orbit = np.zeros(1 << len(edges), dtype=np.int64)
    free, start = np.ones(len(orbit), dtype=np.bool_), 0
    while free[start]:
        alike = renamed @ ((start >> np.arange(len(edges))) & 1)
        orbit[alike], free[alike] = start, False
        start += int(np.argmax(free[start:]))  # the next without a class, or start itself
    return orbit
