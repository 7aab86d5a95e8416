"""Released counts: the method, the range, and that nothing but the answer depends on the graph."""

from dataclasses import replace
from math import comb

import networkx as nx
import numpy as np
import pytest

from tests.spaces.all_graphs import AllGraphs
from tightrope.choices import Count, Method
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Surd
from tightrope.networks import methods_for, release_count
from tightrope.networks.methods import count_mechanism, method_for, smooth_factors
from tightrope.privacy import certified
from tightrope.samplers import SeededSource
from tightrope.spaces import Network


def network(graph):
    edges = np.array(sorted(tuple(sorted(e)) for e in graph.edges), dtype=np.int64).reshape(-1, 2)
    return Network(graph.number_of_nodes(), edges[:, 0], edges[:, 1])


def test_the_method_follows_from_the_number_of_nodes_alone():
    assert method_for(20, Count.TRIANGLES) is Method.GLOBAL
    assert method_for(5000, Count.STARS3) is Method.LADDER
    assert method_for(5000, Count.EDGES) is Method.GLOBAL


def test_answers_stay_in_the_range_of_possible_counts():
    ring = network(nx.cycle_graph(10))
    for seed in range(40):
        for method in methods_for(10, Count.TRIANGLES):
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


@pytest.mark.parametrize("method", methods_for(60, Count.TRIANGLES))
def test_nothing_in_an_answer_but_the_answer_depends_on_the_graph(method):
    graphs = [network(nx.gnm_random_graph(60, edges, seed=5)) for edges in (60, 700)]
    found = [release_count(graph, Count.TRIANGLES, Level.epsilon(1), method) for graph in graphs]
    assert replace(found[0], answer=0) == replace(found[1], answer=0)


def test_levels_beyond_doubles_are_refused():
    ring = network(nx.cycle_graph(10))
    for method in methods_for(10, Count.TRIANGLES):
        with pytest.raises(BadLevel, match="600"):
            release_count(ring, Count.TRIANGLES, Level.epsilon(601), method)
        assert release_count(ring, Count.TRIANGLES, Level.epsilon(600), method).answer == 0


def test_the_ladder_has_half_of_the_level_and_is_exact():
    mechanism = count_mechanism(4, Count.TRIANGLES, Level.ratio(4), Method.LADDER)
    law = mechanism.law(network(nx.path_graph(4)))
    assert law.ratio == 2
    assert [law.rung(z) for z in range(5)] == [0, 1, 2, 2, 3]


@pytest.mark.parametrize("epsilon", ["0.001", "0.1", "1", "7", "400"])
def test_factors_use_nearly_the_whole_level_and_never_more(epsilon):
    level = Level.epsilon(epsilon)
    growth, shift = smooth_factors(level)
    assert growth > 1
    assert shift > 1
    assert level.compare((growth * shift) ** 2, Surd.of(1)) <= 0
    spent = certified(count_mechanism(9, Count.TRIANGLES, level, Method.SMOOTH), level)
    assert spent.certificate.smallest.upper > float(level) * 0.999


@pytest.mark.parametrize("method", methods_for(60, Count.TRIANGLES))
def test_every_method_is_proved_at_its_level_and_the_certificate_is_one_for_all_graphs(method):
    level = Level.epsilon(1)
    proved = certified(count_mechanism(60, Count.TRIANGLES, level, method), level)
    released = release_count(network(nx.cycle_graph(60)), Count.TRIANGLES, level, method)
    assert released.statement == proved.certificate.statement
    assert released.neighbors == proved.certificate.neighbors
    assert proved.certificate.smallest.upper <= 1.0000000001


def test_most_answers_of_smooth_noise_are_within_its_scale():
    level = Level.epsilon(2)
    graph = network(nx.convert_node_labels_to_integers(nx.les_miserables_graph()))
    law = count_mechanism(77, Count.TRIANGLES, level, Method.SMOOTH).law(graph)
    scale, source = float(law.scale), SeededSource(4)
    answers = np.array([
        release_count(graph, Count.TRIANGLES, level, Method.SMOOTH, source).answer
        for _ in range(400)])
    within = (np.abs(answers - 467) <= scale).mean()
    assert 0.4 < within < 0.6  # a Cauchy law has half of its mass within its scale
