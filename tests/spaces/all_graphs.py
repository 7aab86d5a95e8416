"""All labeled graphs of a few nodes as bit masks, their counts and local sensitivities."""

from itertools import combinations
from math import comb

import numpy as np

from tightrope.choices import Count
from tightrope.spaces import Network


class AllGraphs:
    """Graph g has the pairs whose bits are set in g; counted without the library."""

    def __init__(self, nodes, count):
        self.nodes, self.count = nodes, count
        self.pairs = list(combinations(range(nodes), 2))
        self.masks = np.arange(1 << len(self.pairs))
        self.values = np.array([self._value(int(g)) for g in self.masks])
        around = [self.masks ^ (1 << bit) for bit in range(len(self.pairs))]
        self.neighbors = np.stack(around, axis=1)
        local = np.abs(self.values[self.neighbors] - self.values[:, None]).max(axis=1)
        found = [local]
        while (found[-1] != found[-1].max()).any():  # farther graphs are neighbors of nearer ones
            found.append(np.maximum(found[-1], found[-1][self.neighbors].max(axis=1)))
        self.widths = np.stack(found, axis=1)

    def edges(self, g):
        return [pair for bit, pair in enumerate(self.pairs) if g >> bit & 1]

    def network(self, g):
        ends = np.array(self.edges(g), dtype=np.int64).reshape(-1, 2)
        return Network(self.nodes, ends[:, 0], ends[:, 1])

    def _value(self, g):
        edges = set(self.edges(g))
        if self.count is Count.EDGES:
            return len(edges)
        if self.count is Count.TRIANGLES:
            triples = combinations(range(self.nodes), 3)
            return sum(set(combinations(triple, 2)) <= edges for triple in triples)
        leaves = 2 if self.count is Count.STARS2 else 3
        return sum(comb(sum(v in edge for edge in edges), leaves) for v in range(self.nodes))
