"""Subgraph counts of a simple graph, and how much one edge can change them.

Edge privacy: neighbors differ in one edge; which nodes there are is declared, and public.
For triangles the local sensitivity at distance t is max min(a + floor((t + min(t, b))/2),
n - 2) over pairs of nodes, with a common neighbors and b nodes joined to exactly one of the
two. For k-stars it is max C(u, k-1) + C(v, k-1), with degrees u, v apart from the edge
between the two, raised by t edges in all and at most n - 2. Only pairs that no other pair
dominates are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb
from typing import Any

import numpy as np

from tightrope.choices import Count, member_of
from tightrope.errors import BadInput, TooLarge
from tightrope.exact import IntArray, owned, tolerances
from tightrope.markup import brief

MOST_NODES = 1_000_000
"""Nodes of a graph: beyond, sums of local sensitivities of 3-stars would leave 64 bits."""


def check_nodes(nodes: int) -> None:
    """Refuse a number of nodes that no count is made for."""
    if nodes < 3:
        raise BadInput(f"expected a graph with at least 3 nodes, found {nodes}.")
    if nodes > MOST_NODES:
        raise TooLarge("the number of nodes", nodes, MOST_NODES, "use a smaller graph")


@dataclass(frozen=True, eq=False)
class Network:
    """A simple undirected graph on nodes 0 to nodes - 1; each edge once, first < second.

    The nodes are declared, not found: how many there are must not depend on the edges.
    Neighbors are all graphs on these nodes that differ in one edge.

    >>> triangle = Network(4, np.array([0, 0, 1]), np.array([1, 2, 2]))
    >>> triangle.nodes, len(triangle.first)
    (4, 3)
    """

    nodes: int
    first: IntArray
    second: IntArray

    __repr__ = brief

    def __post_init__(self) -> None:
        check_nodes(self.nodes)
        for name in ("first", "second"):
            ends = np.asarray(getattr(self, name))
            if ends.ndim != 1 or (ends.size and ends.dtype.kind not in "iu"):
                raise BadInput("expected the ends of edges as lists of whole numbers.")
            object.__setattr__(self, name, owned(ends.astype(np.int64)))
        if len(self.first) != len(self.second):
            raise BadInput("expected as many first as second ends of edges.")
        if len(self.first) and (
            int(self.first.min()) < 0
            or int(self.second.max()) >= self.nodes
            or (self.first >= self.second).any()
        ):
            raise BadInput("expected edges between different nodes from 0 on, smaller one first.")
        if len(np.unique(self.first * self.nodes + self.second)) < len(self.first):
            raise BadInput("expected each edge once.")

    @cached_property
    def adjacency(self) -> Any:
        """The symmetric sparse matrix with a 1 for each edge."""
        from scipy.sparse import csr_array  # slow to import

        ends = np.concatenate([self.first, self.second])
        others = np.concatenate([self.second, self.first])
        ones = np.ones(len(ends), dtype=np.int32)
        return csr_array((ones, (ends, others)), shape=(self.nodes, self.nodes))

    @cached_property
    def upward(self) -> Any:
        """Each edge once, from the node of smaller degree: few two-step ways, even at a hub."""
        from scipy.sparse import csr_array  # slow to import

        rank = np.empty(self.nodes, dtype=np.int64)
        rank[np.argsort(self.degrees, kind="stable")] = np.arange(self.nodes)
        ends = np.sort([rank[self.first], rank[self.second]], axis=0)
        ones = np.ones(len(self.first), dtype=np.int32)
        return csr_array((ones, (ends[0], ends[1])), shape=(self.nodes, self.nodes))

    @cached_property
    def common(self) -> Any:
        """The sparse matrix with the number of common neighbors of every two nodes."""
        return (self.adjacency @ self.adjacency).tocsr()

    @cached_property
    def degrees(self) -> IntArray:
        """The number of edges at each node."""
        ends = np.concatenate([self.first, self.second])
        return owned(np.bincount(ends, minlength=self.nodes).astype(np.int64))


def count_of(network: Network, count: Count | str) -> int:
    """The number of subgraphs of a kind; a curator's figure, not private.

    >>> square = Network(4, np.array([0, 0, 0, 1, 2]), np.array([1, 2, 3, 2, 3]))
    >>> [count_of(square, kind) for kind in Count]
    [2, 8, 2, 5]
    """
    count = member_of(Count, count)
    if count is Count.TRIANGLES:
        upward = network.upward
        return int((upward @ upward).multiply(upward).sum(dtype=np.int64))
    if count is Count.EDGES:
        return len(network.first)
    size = star_leaves(count)
    return sum(comb(int(d), size) for d in network.degrees)


def largest_count(nodes: int, count: Count | str) -> int:
    """The count of the complete graph: no graph on these nodes has more."""
    count = member_of(Count, count)
    if count is Count.TRIANGLES:
        return comb(nodes, 3)
    if count is Count.EDGES:
        return comb(nodes, 2)
    return nodes * comb(nodes - 1, star_leaves(count))


def global_sensitivity(nodes: int, count: Count | str) -> int:
    """The most that one edge can change the count in any graph on these nodes.

    >>> [global_sensitivity(10, kind) for kind in Count]
    [8, 16, 56, 1]
    """
    count = member_of(Count, count)
    if count is Count.TRIANGLES:
        return nodes - 2
    if count is Count.EDGES:
        return 1
    return 2 * comb(nodes - 2, star_leaves(count) - 1)


@lru_cache(maxsize=4)
def ladder_widths(network: Network, count: Count | str) -> IntArray:
    """Local sensitivities at distance 0, 1, ... up to where the global one is reached.

    >>> path = Network(4, np.array([0, 1, 2]), np.array([1, 2, 3]))
    >>> ladder_widths(path, Count.TRIANGLES).tolist()
    [1, 2]
    """
    count = member_of(Count, count)
    top = global_sensitivity(network.nodes, count)
    times = np.arange(2 * network.nodes, dtype=np.int64)
    widths = np.zeros(len(times), dtype=np.int64)
    if count is Count.EDGES:
        return owned(np.ones(1, dtype=np.int64))
    if count is Count.TRIANGLES:
        for common, lone in _triangle_pairs(network):
            widths = np.maximum(widths, common + (times + np.minimum(times, lone)) // 2)
        widths = np.minimum(widths, top)
    else:
        most, size = network.nodes - 2, star_leaves(count) - 1
        for first, second in _star_pairs(network):
            for high, low in ((first, second), (second, first)):
                raised = np.minimum(high + times, most)
                rest = np.minimum(low + times - (raised - high), most)
                widths = np.maximum(widths, _choose(raised, size) + _choose(rest, size))
    reached = int(np.argmax(widths == top))
    assert widths[reached] == top  # 2 (n - 2) edges make any pair of nodes complete
    return owned(widths[: reached + 1])


@lru_cache(maxsize=4)
def smooth_sensitivity(network: Network, count: Count | str, growth: Fraction) -> Fraction:
    """max over t of LS_t/q^t, exactly; a curator's figure, not private.

    >>> path = Network(4, np.array([0, 1, 2]), np.array([1, 2, 3]))
    >>> smooth_sensitivity(path, Count.TRIANGLES, Fraction(3, 2))
    Fraction(4, 3)
    """
    widths = ladder_widths(network, count)
    with np.errstate(divide="ignore"):
        steps = np.log1p(float(growth - 1))
        sizes = np.log(widths) - np.arange(len(widths)) * steps
    near = np.flatnonzero(sizes >= sizes.max() - tolerances.SEQUENCE_MARGIN).tolist()
    best = near[0]
    for t in near[1:]:  # what doubles leave open is compared exactly
        if int(widths[t]) > int(widths[best]) * growth ** (t - best):
            best = t
    return int(widths[best]) / growth**best


def star_leaves(count: Count) -> int:
    """How many leaves the stars have that are counted."""
    return 2 if count is Count.STARS2 else 3


def _choose(values: IntArray, size: int) -> IntArray:
    return values if size == 1 else values * (values - 1) // 2


def _maximal_pairs(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs of numbers that no other pair reaches in both."""
    kept: list[tuple[int, int]] = []
    for pair in sorted(set(pairs), reverse=True):
        if not kept or pair[1] > kept[-1][1]:
            kept.append(pair)
    return kept


def _triangle_pairs(network: Network) -> list[tuple[int, int]]:
    """(common neighbors, nodes joined to exactly one) of pairs that no other dominates."""
    from scipy.sparse import triu

    joined, shared, degrees = network.adjacency, network.common, network.degrees
    above = triu(2 * shared + joined, 1).tocoo()  # the last bit says whether the two are joined
    kept = above.data > 1
    both, tied = above.data[kept] >> 1, above.data[kept] & 1
    lone = degrees[above.row[kept]] + degrees[above.col[kept]] - 2 * both - 2 * tied
    most = np.full(int(both.max(initial=0)) + 1, -1, dtype=np.int64)
    np.maximum.at(most, both, lone)
    pairs = [(a, b) for a, b in enumerate(most.tolist()) if b >= 0]
    return _maximal_pairs([*pairs, (0, _lonely(shared, joined, degrees))])


def _lonely(shared: Any, joined: Any, degrees: IntArray) -> int:
    """The most nodes joined to exactly one of two nodes without a common neighbor, or 0."""
    order = np.argsort(-degrees, kind="stable").tolist()
    best = 0
    for i in order:
        if degrees[i] + degrees[order[0]] <= best:
            break
        meets = set(shared.indices[shared.indptr[i] : shared.indptr[i + 1]].tolist())
        edges = set(joined.indices[joined.indptr[i] : joined.indptr[i + 1]].tolist())
        for j in order:
            reach = int(degrees[i] + degrees[j])
            if reach <= best:
                break
            if j != i and j not in meets:
                best = max(best, reach - 2 * (j in edges))
    return best


def _star_pairs(network: Network) -> list[tuple[int, int]]:
    """Degrees of two nodes apart from an edge between them, as far as nothing dominates them."""
    joined, degrees = network.adjacency, network.degrees
    order = np.argsort(-degrees, kind="stable").tolist()
    pairs: list[tuple[int, int]] = []
    for i in order:
        edges = set(joined.indices[joined.indptr[i] : joined.indptr[i + 1]].tolist())
        free = next((j for j in order if j != i and j not in edges), None)
        if free is not None:
            pairs.append((int(degrees[i]), int(degrees[free])))
        if edges:
            pairs.append((int(degrees[i]) - 1, max(int(degrees[j]) for j in edges) - 1))
    return _maximal_pairs([(max(pair), min(pair)) for pair in pairs])
