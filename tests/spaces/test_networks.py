"""Counts of graphs and how much an edge changes them, against networkx and all graphs nearby."""

from fractions import Fraction
from itertools import combinations
from math import comb

import networkx as nx
import numpy as np
import pytest

from tests.spaces.all_graphs import AllGraphs
from tightrope.choices import Count
from tightrope.errors import BadInput
from tightrope.spaces import (
    Network,
    count_of,
    global_sensitivity,
    ladder_widths,
    largest_count,
    smooth_sensitivity,
)

COUNTED = [Count.TRIANGLES, Count.STARS2, Count.STARS3]


def network(graph):
    edges = np.array(sorted(tuple(sorted(e)) for e in graph.edges), dtype=np.int64).reshape(-1, 2)
    return Network(graph.number_of_nodes(), edges[:, 0], edges[:, 1])


def plain_count(graph, count):
    if count is Count.TRIANGLES:
        return sum(nx.triangles(graph).values()) // 3
    size = 2 if count is Count.STARS2 else 3
    return sum(comb(d, size) for _, d in graph.degree())


def toggled(graph, pair):
    other = graph.copy()
    if other.has_edge(*pair):
        other.remove_edge(*pair)
    else:
        other.add_edge(*pair)
    return other


def brute_widths(graph, count, far):
    """Local sensitivity at distance 0, 1, ..., by visiting every labeled graph nearby."""
    pairs = list(combinations(range(graph.number_of_nodes()), 2))
    seen, shell, found, best = {frozenset(map(frozenset, graph.edges))}, [graph], [], 0
    for _ in range(far + 1):
        following = []
        for one in shell:
            value = plain_count(one, count)
            for pair in pairs:
                other = toggled(one, pair)
                best = max(best, abs(plain_count(other, count) - value))
                key = frozenset(map(frozenset, other.edges))
                if key not in seen:
                    seen.add(key)
                    following.append(other)
        found.append(best)
        shell = following
    return found


SMALL = [nx.empty_graph(5), nx.path_graph(5), nx.star_graph(4), nx.cycle_graph(5),
         nx.complete_graph(5), nx.gnm_random_graph(5, 5, seed=2), nx.gnm_random_graph(5, 4, seed=9),
         nx.gnm_random_graph(5, 7, seed=4)]


@pytest.mark.slow
@pytest.mark.parametrize("count", COUNTED)
def test_ladder_widths_are_the_local_sensitivities_at_every_distance(count):
    for graph in SMALL:
        widths = ladder_widths(network(graph), count).tolist()
        widths += [widths[-1]] * 3
        assert widths[:3] == brute_widths(graph, count, 2)


@pytest.mark.parametrize("count", COUNTED)
def test_widths_of_neighbors_differ_by_at_most_one_distance(count):
    for seed in range(12):
        graph = nx.gnm_random_graph(9, 4 + 2 * seed, seed=seed)
        pair = (seed % 9, (seed * 4 + 1) % 9)
        if pair[0] == pair[1]:
            continue
        one, other = (ladder_widths(network(g), count) for g in (graph, toggled(graph, pair)))
        size = max(len(one), len(other)) + 1
        one, other = (np.pad(w, (0, size - len(w)), mode="edge") for w in (one, other))
        assert (one[:-1] <= other[1:]).all()
        assert (other[:-1] <= one[1:]).all()
        assert abs(plain_count(graph, count) - plain_count(toggled(graph, pair), count)) <= one[0]


@pytest.mark.parametrize("count", [*COUNTED, Count.EDGES])
def test_counts_are_those_of_networkx(count):
    for seed in range(5):
        graph = nx.gnm_random_graph(12, 30, seed=seed)
        expected = 30 if count is Count.EDGES else plain_count(graph, count)
        assert count_of(network(graph), count) == expected
    whole = nx.complete_graph(9)
    assert count_of(network(whole), count) == largest_count(9, count)
    less = toggled(whole, (0, 1))
    assert largest_count(9, count) - count_of(network(less), count) == global_sensitivity(9, count)


@pytest.mark.parametrize("wrong", [
    lambda: Network(2, np.array([0]), np.array([1])),
    lambda: Network(10**6 + 1, np.array([0]), np.array([1])),
    lambda: Network(5, np.array([1]), np.array([1])),
    lambda: Network(5, np.array([0]), np.array([5])),
    lambda: Network(5, np.array([0, 0]), np.array([1, 1])),
    lambda: Network(5, np.array([0, 1]), np.array([2])),
    lambda: Network(5, np.array([0.5]), np.array([2])),
])
def test_what_is_no_simple_graph_is_refused(wrong):
    with pytest.raises(BadInput):
        wrong()


def test_a_graph_owns_its_edges():
    ends = np.array([0, 1])
    path = Network(4, ends, ends + 1)
    ends[0] = 1
    assert path.first.tolist() == [0, 1]
    with pytest.raises(ValueError, match="read-only"):
        path.second[0] = 2


def test_triangles_at_a_hub_of_a_hundred_thousand_edges_need_no_pair_of_its_nodes():
    leaves = np.arange(1, 100_001)  # their pairs would take 80 GB
    first = np.concatenate([np.zeros(len(leaves), dtype=np.int64), leaves[:-1:2]])
    second = np.concatenate([leaves, leaves[1::2]])
    assert count_of(Network(100_001, first, second), Count.TRIANGLES) == 50_000


@pytest.mark.parametrize("count", list(Count))
@pytest.mark.parametrize("nodes", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_counts_and_widths_of_all_labeled_graphs_are_those_of_visiting_them(nodes, count):
    graphs = AllGraphs(nodes, count)
    far = graphs.widths.shape[1]
    for g in graphs.masks.tolist():
        found = graphs.network(g)
        widths = ladder_widths(found, count).tolist()
        assert count_of(found, count) == graphs.values[g]
        assert (widths + widths[-1:] * far)[:far] == graphs.widths[g].tolist()
        assert widths[-1] == graphs.widths[g][-1]


def test_a_tiny_growth_takes_a_far_distance_exactly():
    growth = Fraction(1001, 1000)
    empty = Network(77, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    halves = [t // 2 for t in range(151)]  # two new edges make one more common neighbor
    assert smooth_sensitivity(empty, Count.TRIANGLES, growth) == max(
        w / growth**t for t, w in enumerate(halves))


def test_on_large_sensitivities_the_smooth_one_is_the_local_one():
    graph = network(nx.convert_node_labels_to_integers(nx.les_miserables_graph()))
    assert smooth_sensitivity(graph, Count.TRIANGLES, Fraction(9, 8)) == 16
    assert smooth_sensitivity(graph, Count.EDGES, Fraction(9, 8)) == 1


@pytest.mark.parametrize("largest", range(8))
def test_widths_that_doubles_do_not_tell_apart_are_compared_exactly(largest, monkeypatch):
    """Each width is the same multiple of its power, but for one that is larger by 1."""
    growth, whole = Fraction(11, 10), 10**17
    widths = np.array([int(whole * growth**t) + (t == largest) for t in range(8)])
    monkeypatch.setattr("tightrope.spaces.networks.ladder_widths", lambda *given: widths)
    graph = Network(4, np.array([0, 1, 2]), np.array([1, 2, 3]))
    smooth_sensitivity.cache_clear()
    found = smooth_sensitivity(graph, Count.TRIANGLES, growth)
    smooth_sensitivity.cache_clear()
    assert found == whole + 1 / growth**largest
