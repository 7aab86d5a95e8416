"""The graphs on few nodes, against the atlas of networkx; the numbers of WXH's experiment."""

import networkx as nx
import numpy as np
import pytest
from networkx.generators.atlas import graph_atlas_g

from tightrope.constructions import ladder, privacy_first
from tightrope.errors import TooLarge
from tightrope.exact import Level
from tightrope.papers.wxh.triangles import rates, sequences
from tightrope.privacy import smallest_level
from tightrope.spaces import triangle_query, unlabeled_graphs
from tightrope.spaces.small_graphs import all_counts

ATLAS = graph_atlas_g()


def edges_of(mask, nodes):
    pairs = [(a, b) for a in range(nodes) for b in range(a + 1, nodes)]
    return [pair for k, pair in enumerate(pairs) if mask >> k & 1]


def as_graph(mask, nodes):
    found = nx.empty_graph(nodes)
    found.add_edges_from(edges_of(mask, nodes))
    return found


@pytest.mark.parametrize("nodes", [3, 4, 5, 6, 7])
def test_there_are_as_many_graphs_as_in_the_atlas(nodes):
    space = unlabeled_graphs(nodes)
    listed = [g for g in ATLAS if g.number_of_nodes() == nodes]
    assert space.size == len(listed)
    degrees = sorted(tuple(sorted(d for _, d in g.degree())) for g in listed)
    ours = (as_graph(mask, nodes) for mask in space.points)
    assert sorted(tuple(sorted(d for _, d in g.degree())) for g in ours) == degrees


@pytest.mark.parametrize("nodes", [4, 5])
def test_neighbors_are_graphs_one_edge_apart(nodes):
    space = unlabeled_graphs(nodes)
    graphs = [as_graph(mask, nodes) for mask in space.points]
    pairs = {(a, b) for a, b in space.edges()}
    for a, one in enumerate(graphs):
        reached = set()
        for pair in nx.complete_graph(nodes).edges:
            other = one.copy()
            other.remove_edge(*pair) if other.has_edge(*pair) else other.add_edge(*pair)
            reached |= {b for b, g in enumerate(graphs) if nx.is_isomorphic(g, other)}
        assert reached == {b for b in range(space.size) if (min(a, b), max(a, b)) in pairs}


def test_triangles_are_those_of_networkx():
    known = all_counts(6, "triangles")
    for mask in unlabeled_graphs(6).points:
        assert known[mask] == sum(nx.triangles(as_graph(mask, 6)).values()) // 3


def test_more_than_seven_nodes_are_refused():
    with pytest.raises(TooLarge):
        unlabeled_graphs(8)


def test_the_experiment_has_1044_graphs_and_28_counts():
    query = triangle_query(7)
    assert (query.datasets.size, query.codomain.size) == (1044, 28)
    assert not query.is_monotone


def test_theorem_2_is_better_than_the_ladder_on_1039_graphs_at_epsilon_1():
    assert int((rates(1.0) < 1).sum()) == 1039


def test_the_exact_level_of_theorem_2_at_epsilon_1_is_1_413807():
    theorem, rungs = sequences()
    found = theorem.exact_level(theorem.root(Level.epsilon(1)))
    assert f"{found.upper:.6f}" == "1.413807"
    assert rungs.exact_level(rungs.root(Level.epsilon(1))).upper < 2


def test_verify_agrees_with_the_closed_form_on_graphs_of_5_nodes():
    query = triangle_query(5)
    for one in (privacy_first(query), ladder(query)):
        root = one.root(Level.epsilon(1))
        found = smallest_level(one.mechanism(root), one.space)
        assert found.exact == one.exact_level(root).exact
        errors = [
            sum(float(p) * abs(r - query.codomain.points[v])
                for p, r in zip(one.mechanism(root).row_at(x), query.codomain.points, strict=True))
            for x, v in enumerate(query.values)
        ]
        assert np.allclose(errors, one.distortion(float(root)))
