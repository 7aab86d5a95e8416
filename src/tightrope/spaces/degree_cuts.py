"""Graphs cut to a largest degree D, so that one node with all its edges changes little.

The pairs of nodes stand in one public order, and an edge is kept if both its ends have fewer
than D kept edges so far. Let H be G without the edges at a node v, and t <= D the kept edges of
v in G. For the others, Σ |deg_G(u) - deg_H(u)| over u != v is at most t: each kept edge of v adds
at most 1; an edge that is elsewhere and kept in one graph only has an end that is full in the
other and was not in this one, so that the difference there falls by 1, and grows by at most 1
at the other end. So if v is rewired, from t kept edges to t':
- edges: those of G are those of H and 0 to t more, so they differ by at most D;
- all degrees together differ by at most t + t' + |t - t'| <= 2D, and so do the numbers of
  nodes with degree at least 1, 2, ..., D, added up;
- k-stars: Σ C(deg, k) over the others moves by at most C(D-1, k-1) for each unit, which with
  C(t, k) - C(t', k) at v is largest at t = t' = D: 2D C(D-1, k-1) = 2k C(D, k).
Triangles have no such bound here: the edges that change can be far from v.
"""

from __future__ import annotations

from math import comb

import numpy as np

from tightrope.choices import Count, member_of
from tightrope.errors import BadInput
from tightrope.exact import IntArray
from tightrope.spaces.networks import Network, star_leaves


def cut(network: Network, degree: int) -> Network:
    """The graph with at most so many edges at every node; others are left out, in a fixed order.

    Pairs (i, j) are ordered by (i + j) mod n, then by i: no node comes before the others, since
    each has at most one pair with a given sum.

    >>> star = Network(4, np.array([0, 0, 0]), np.array([1, 2, 3]))
    >>> cut(star, 2).second.tolist()
    [1, 2]
    """
    if int(network.degrees.max(initial=0)) <= degree:
        return network
    order = np.lexsort((network.first, (network.first + network.second) % network.nodes))
    left = [degree] * network.nodes
    kept = np.zeros(len(order), dtype=np.bool_)
    ends = zip(network.first[order].tolist(), network.second[order].tolist(), strict=True)
    for place, (node, other) in zip(order.tolist(), ends, strict=True):
        if left[node] and left[other]:
            left[node] -= 1
            left[other] -= 1
            kept[place] = True
    return Network(network.nodes, network.first[kept], network.second[kept])


def largest_cut_count(nodes: int, count: Count | str, degree: int) -> int:
    """The largest count over graphs on n nodes with maximum degree D.

    >>> [largest_cut_count(10, kind, 3) for kind in ("edges", "stars2", "stars3")]
    [15, 30, 10]
    """
    count = _supported_count(count)
    if count is Count.EDGES:
        return nodes * degree // 2
    return nodes * comb(degree, star_leaves(count))


def node_sensitivity(nodes: int, count: Count | str, degree: int) -> int:
    """The most that rewiring one node changes the count of a cut graph, by the proof above.

    >>> [node_sensitivity(100, kind, 3) for kind in ("edges", "stars2", "stars3")]
    [3, 12, 6]
    """
    count = _supported_count(count)
    if count is Count.EDGES:
        return degree
    leaves = star_leaves(count)
    return min(2 * leaves * comb(degree, leaves), largest_cut_count(nodes, count, degree))


def degree_counts(network: Network, degree: int) -> IntArray:
    """How many nodes have a degree of at least 1, 2, ..., up to this one.

    >>> degree_counts(Network(4, np.array([0, 0, 0]), np.array([1, 2, 3])), 3).tolist()
    [4, 1, 1]
    """
    counts = np.bincount(np.minimum(network.degrees, degree), minlength=degree + 1)
    return np.asarray(counts[::-1].cumsum()[-2::-1])


def _supported_count(count: Count | str) -> Count:
    count = member_of(Count, count)
    if count is Count.TRIANGLES:
        raise BadInput(
            "triangles of cut graphs have no node sensitivity that is known here: the edges that "
            "change can be far from the node."
        )
    return count
