"""Counts and their sensitivity against networkx and against all graphs nearby."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import networkx as nx
import numpy as np
import pytest

from tests.applications.networks.all_graphs import AllGraphs
from tightrope.applications.networks import (
    Count,
    Method,
    Network,
    count_of,
    global_sensitivity,
    ladder_law,
    ladder_widths,
    largest_count,
    method_for,
    release_count,
)
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level
from tightrope.samplers import SeededSource

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


def test_neighboring_ladders_are_within_the_level():
    level = Level.epsilon(1)
    bound = float(np.exp(1))
    for seed in range(8):
        graph = nx.gnm_random_graph(8, 6 + seed, seed=seed)
        other = toggled(graph, (0, 1 + seed % 7))
        one, two = (ladder_law(network(g), Count.TRIANGLES, level) for g in (graph, other))
        for z in range(-40, 60):
            ratio = one.probability(z) / two.probability(z)
            assert 1 / bound < float(ratio) < bound


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


def test_the_method_follows_from_the_number_of_nodes_alone():
    assert method_for(20, Count.TRIANGLES) is Method.GLOBAL
    assert method_for(5000, Count.STARS3) is Method.LADDER
    assert method_for(5000, Count.EDGES) is Method.GLOBAL


def test_answers_stay_in_the_range_of_possible_counts():
    ring = network(nx.cycle_graph(10))
    for seed in range(40):
        for method in Method:
            found = release_count(ring, Count.TRIANGLES, Level.epsilon("0.1"), method,
                                  SeededSource(seed))
            assert 0 <= found.answer <= comb(10, 3)
            assert found.evidence.value == "theorem"


@pytest.mark.slow
def test_twenty_thousand_nodes_take_seconds():
    graph = nx.barabasi_albert_graph(20000, 5, seed=1)
    found = release_count(network(graph), Count.TRIANGLES, Level.epsilon(1), Method.LADDER,
                          SeededSource(3))
    true = sum(nx.triangles(graph).values()) // 3
    assert abs(found.answer - true) < 40000


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


def test_what_no_edge_changes_is_not_released():
    for method in Method:
        with pytest.raises(BadInput, match="nothing to protect"):
            release_count(network(nx.path_graph(3)), Count.STARS3, Level.epsilon(1), method)


@pytest.mark.parametrize("method", list(Method))
@pytest.mark.parametrize("count", list(Count))
def test_every_graph_on_four_nodes_has_the_same_answer_but_for_its_number(method, count):
    graphs, level = AllGraphs(4, count), Level.epsilon(1)
    found = {replace(release_count(graphs.network(g), count, level, method), answer=0)
             for g in graphs.masks.tolist()}
    (one,) = found
    assert one.neighbors.startswith("all graphs on these nodes that differ in one edge")


@pytest.mark.parametrize("method", list(Method))
def test_nothing_in_an_answer_but_the_answer_depends_on_the_graph(method):
    graphs = [network(nx.gnm_random_graph(60, edges, seed=5)) for edges in (60, 700)]
    found = [release_count(graph, Count.TRIANGLES, Level.epsilon(1), method) for graph in graphs]
    assert replace(found[0], answer=0) == replace(found[1], answer=0)


@pytest.mark.slow
@pytest.mark.parametrize("count", list(Count))
@pytest.mark.parametrize("nodes", [4, 5])
def test_on_all_labeled_graphs_rungs_of_neighbors_differ_by_at_most_one(nodes, count):
    graphs = AllGraphs(nodes, count)
    rungs, z = [], range(-8, largest_count(nodes, count) + 9)
    for g in graphs.masks.tolist():
        found = graphs.network(g)
        widths = ladder_widths(found, count).tolist()
        far = graphs.widths.shape[1]
        assert count_of(found, count) == graphs.values[g]
        assert (widths + widths[-1:] * far)[:far] == graphs.widths[g].tolist()
        assert widths[-1] == graphs.widths[g][-1]
        law = ladder_law(found, count, Level.epsilon(1))
        rungs.append([law.rung(answer) for answer in z])
    table = np.array(rungs)
    for column in graphs.neighbors.T:
        assert np.abs(table - table[column]).max() <= 1


def test_levels_beyond_doubles_are_refused():
    ring = network(nx.cycle_graph(10))
    for method in Method:
        with pytest.raises(BadLevel, match="600"):
            release_count(ring, Count.TRIANGLES, Level.epsilon(601), method)
        assert release_count(ring, Count.TRIANGLES, Level.epsilon(600), method).answer == 0


def test_the_law_is_exact():
    law = ladder_law(network(nx.path_graph(4)), Count.TRIANGLES, Level.ratio(4))
    assert law.ratio == Fraction(2)
    assert [law.rung(z) for z in range(5)] == [0, 1, 2, 2, 3]


def test_triangles_at_a_hub_of_a_hundred_thousand_edges_need_no_pair_of_its_nodes():
    leaves = np.arange(1, 100_001)  # their pairs would take 80 GB
    first = np.concatenate([np.zeros(len(leaves), dtype=np.int64), leaves[:-1:2]])
    second = np.concatenate([leaves, leaves[1::2]])
    assert count_of(Network(100_001, first, second), Count.TRIANGLES) == 50_000
