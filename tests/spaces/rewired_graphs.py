"""All labeled graphs of a few nodes, cut to a degree and rewired, without the library."""

from itertools import combinations

import numpy as np


class CutAll:
    """Every graph as a bit mask, cut to a degree by adding edges in an order of pairs."""

    def __init__(self, nodes, degree, order=None):
        self.nodes, self.pairs = nodes, list(combinations(range(nodes), 2))
        rounds = sorted(self.pairs, key=lambda pair: (sum(pair) % nodes, pair[0]))
        place = {pair: bit for bit, pair in enumerate(self.pairs)}
        self.masks = np.arange(1 << len(self.pairs))
        self.degrees = np.zeros((len(self.masks), nodes), dtype=np.int64)
        self.kept = np.zeros_like(self.masks)
        for a, b in rounds if order is None else order:
            held = (self.masks >> place[a, b] & 1).astype(bool)
            held &= (self.degrees[:, a] < degree) & (self.degrees[:, b] < degree)
            self.degrees[:, a] += held
            self.degrees[:, b] += held
            self.kept |= held.astype(np.int64) << place[a, b]

    def rewirings(self):
        """For each node: rows of graphs that differ in edges at that node alone."""
        for node in range(self.nodes):
            at = [bit for bit, pair in enumerate(self.pairs) if node in pair]
            rest = [bit for bit in range(len(self.pairs)) if bit not in at]
            yield subsets(rest)[:, None] | subsets(at)[None, :]

    def edges(self, mask):
        return [pair for bit, pair in enumerate(self.pairs) if mask >> bit & 1]


def subsets(bits):
    """All sums of powers of two of these bits."""
    found = np.zeros(1, dtype=np.int64)
    for bit in bits:
        found = np.concatenate([found, found | 1 << bit])
    return found
