"""Cut graphs and one node rewired, on all graphs of few nodes and every largest degree."""

from math import comb
from random import Random

import numpy as np
import pytest

from tests.spaces.rewired_graphs import CutAll
from tightrope.choices import Count
from tightrope.errors import BadInput
from tightrope.spaces import (
    CutGraphs,
    Network,
    cut,
    degree_counts,
    largest_cut_count,
    node_sensitivity,
)

SIZES = [(nodes, degree) for nodes in (3, 4, 5) for degree in range(1, nodes)]
ALL_SIZES = [*SIZES, *((6, degree) for degree in range(1, 6))]


def as_network(graphs, mask):
    ends = np.array(graphs.edges(mask), dtype=np.int64).reshape(-1, 2)
    return Network(graphs.nodes, ends[:, 0], ends[:, 1])


def spread(values, rows):
    """The largest difference of values within a row."""
    return int(np.ptp(values[rows], axis=1).max())


def apart(vectors, rows):
    """The largest sum of differences of vectors within a row."""
    held = vectors[rows].astype(np.int16)
    return max(int(np.abs(held - held[:, [k]]).sum(axis=2).max()) for k in range(rows.shape[1]))


@pytest.mark.parametrize(("nodes", "degree"), SIZES)
def test_the_cut_is_edge_by_edge_in_rounds(nodes, degree):
    graphs = CutAll(nodes, degree)
    step = 1 if nodes < 5 else 13
    for mask in graphs.masks[::step].tolist():
        found = cut(as_network(graphs, mask), degree)
        assert list(zip(found.first.tolist(), found.second.tolist(), strict=True)) == graphs.edges(
            int(graphs.kept[mask]))
        at_least = [(graphs.degrees[mask] >= k).sum() for k in range(1, degree + 1)]
        assert degree_counts(found, degree).tolist() == at_least


@pytest.mark.parametrize(("nodes", "degree"), ALL_SIZES)
@pytest.mark.parametrize("shuffled", [False, True])
def test_no_rewiring_changes_a_count_by_more_than_is_proved(nodes, degree, shuffled):
    pairs = [(a, b) for a in range(nodes) for b in range(a + 1, nodes)]
    order = Random(nodes + degree).sample(pairs, len(pairs)) if shuffled else None
    graphs = CutAll(nodes, degree, order)  # the proof needs no particular order
    counts = {Count.EDGES: graphs.degrees.sum(axis=1) // 2}
    for kind, leaves in ((Count.STARS2, 2), (Count.STARS3, 3)):
        table = np.array([comb(k, leaves) for k in range(nodes)])
        counts[kind] = table[graphs.degrees].sum(axis=1)
    for kind, values in counts.items():
        found = max(spread(values, rows) for rows in graphs.rewirings())
        assert found <= node_sensitivity(nodes, kind, degree)
        assert values.max() <= largest_cut_count(nodes, kind, degree)
        if kind is Count.EDGES:  # a star and no edges
            assert found == degree


@pytest.mark.parametrize(("nodes", "degree"), ALL_SIZES)
def test_kept_edges_of_a_node_move_the_other_degrees_by_no_more_than_their_number(nodes, degree):
    """The lemma behind every bound: G beside G without the edges of v, for all G and v."""
    graphs = CutAll(nodes, degree)
    for node in range(nodes):
        at = sum(1 << bit for bit, pair in enumerate(graphs.pairs) if node in pair)
        without = graphs.degrees[graphs.masks & ~at]
        moved = np.abs(graphs.degrees - without).sum(axis=1)  # v's own are among them
        assert (moved <= 2 * graphs.degrees[:, node]).all()


@pytest.mark.parametrize(("nodes", "degree"), SIZES)
def test_one_rewired_node_moves_the_degrees_by_twice_the_largest_and_no_more(nodes, degree):
    graphs = CutAll(nodes, degree)
    at_least = np.stack([(graphs.degrees >= k).sum(axis=1) for k in range(1, degree + 1)], axis=1)
    assert max(apart(at_least, rows) for rows in graphs.rewirings()) == 2 * degree


@pytest.mark.parametrize("nodes", [3, 4, 5])
def test_one_edge_moves_the_degrees_by_two(nodes):
    graphs = CutAll(nodes, nodes - 1)  # nothing is cut
    at_least = np.stack([(graphs.degrees >= k).sum(axis=1) for k in range(1, nodes)], axis=1)
    for bit in range(len(graphs.pairs)):
        moved = np.abs(at_least - at_least[graphs.masks ^ 1 << bit]).sum(axis=1)
        assert moved.max() == moved.min() == 2


def test_triangles_of_cut_graphs_change_by_more_than_those_at_a_node():
    """Degree 2: a node is in one triangle at most, and rewiring it changes two."""
    graphs = CutAll(6, 2)
    place = {pair: bit for bit, pair in enumerate(graphs.pairs)}
    triangles = sum(
        graphs.kept >> place[a, b] & graphs.kept >> place[a, c] & graphs.kept >> place[b, c] & 1
        for a in range(6) for b in range(a + 1, 6) for c in range(b + 1, 6))
    assert max(spread(triangles, rows) for rows in graphs.rewirings()) == 2
    with pytest.raises(BadInput, match="triangles"):
        node_sensitivity(6, Count.TRIANGLES, 2)


def test_a_graph_within_the_degree_is_kept_as_it_is():
    ring = Network(6, np.array([0, 1, 2, 3, 4, 0]), np.array([1, 2, 3, 4, 5, 5]))
    assert CutGraphs(6, 2).accept(ring) is ring
    kept = CutGraphs(6, 1).accept(ring)  # pairs with the sum 1 mod 6 first: 01 and 34
    assert (kept.first.tolist(), kept.second.tolist()) == ([0, 3], [1, 4])
    with pytest.raises(BadInput, match="6 nodes"):
        CutGraphs(6, 2).accept(Network(5, np.array([0]), np.array([1])))
