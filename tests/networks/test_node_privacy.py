"""Answers that protect nodes, against exact laws of all graphs of few nodes."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from tests.spaces.rewired_graphs import CutAll
from tests.spaces.test_degree_cuts import as_network
from tightrope.choices import Count
from tightrope.errors import BadInput, Infeasible
from tightrope.exact import Level
from tightrope.mechanisms import DegreeCounts, TallyLaw
from tightrope.networks import error_curves, release_count, release_degrees, worst_mean_error
from tightrope.networks.degrees import degree_mechanism, falling
from tightrope.networks.methods import count_mechanism
from tightrope.privacy import certified, verify
from tightrope.privacy.lemmas import lemma_holds
from tightrope.samplers import SeededSource
from tightrope.spaces import CutGraphs, Graphs, Network

EMPTY = np.zeros(0, dtype=np.int64)


def ring(nodes):
    return Network(nodes, np.arange(nodes - 1), np.arange(1, nodes))


@pytest.mark.parametrize(("count", "degree"), [("edges", 1), ("edges", 2), ("stars2", 2)])
def test_no_rewired_node_is_told_apart_by_more_than_the_level(count, degree):
    level, graphs = Level.ratio(3), CutAll(4, degree)
    mechanism = count_mechanism(4, count, level, "global", max_degree=degree)
    certified(mechanism, level)
    window = range(-12, 20)
    laws = [mechanism.law(as_network(graphs, g)) for g in graphs.masks.tolist()]
    chances = [[law.probability(z) for z in window] for law in laws]
    pairs = {(a, b) for rows in graphs.rewirings() for row in rows.tolist()
             for a in row for b in row}
    worst = max(p / q for a, b in pairs
                for p, q in zip(chances[a], chances[b], strict=True))
    assert worst <= 3
    assert worst == 3 or count != "edges"  # a star and no edges differ as much as any
    assert all(lemma_holds(mechanism, as_network(graphs, a), as_network(graphs, b))
               for a, b in sorted(pairs)[::11])


@pytest.mark.parametrize("space", [Graphs(4), CutGraphs(4, 2)])
def test_degrees_of_neighbors_are_told_apart_by_the_level_exactly(space):
    degree, q = 2, Fraction(2)
    mechanism = DegreeCounts(space, degree, q)
    graphs = CutAll(4, degree)
    kinds = [mechanism.law(as_network(graphs, g)).centers
             for g in graphs.masks.tolist()]
    if isinstance(space, Graphs):
        pairs = {(g, g ^ 1 << bit) for g in graphs.masks.tolist() for bit in range(6)}
    else:
        pairs = {(a, b) for rows in graphs.rewirings() for row in rows.tolist()
                 for a in row for b in row}
    window = [(a, b) for a in range(-1, 6) for b in range(-1, 6)]
    laws = {kind: TallyLaw(q, tuple(int(z) for z in kind)) for kind in set(kinds)}
    chances = {kind: [law.probability(z) for z in window] for kind, law in laws.items()}
    worst = max(p / r for one, other in {(kinds[a], kinds[b]) for a, b in pairs}
                for p, r in zip(chances[one], chances[other], strict=True))
    assert worst == q**mechanism.change
    found = certified(mechanism, Level.ratio(worst)).certificate.smallest
    assert found.exact == Level.ratio(worst)


def test_the_witness_of_degrees_has_the_probabilities_that_it_states():
    star = Network(5, np.array([0, 0, 0]), np.array([1, 2, 3]))
    one, none = Network(5, np.array([0]), np.array([1])), Network(5, EMPTY, EMPTY)
    for space, first in ((CutGraphs(5, 3), star), (Graphs(5), one)):
        mechanism = DegreeCounts(space, 3, Fraction(3))
        found = verify(mechanism, space, Level.ratio(2))
        (output,) = found.witness.outputs
        stated = tuple(mechanism.law(graph).probability(output) for graph in (first, none))
        assert found.witness.probabilities == stated
        assert stated[0] / stated[1] == 3**mechanism.change


def test_nothing_but_the_answer_depends_on_the_graph():
    full = Network(9, *np.array([(a, b) for a in range(9) for b in range(a + 1, 9)]).T)
    graphs = [ring(9), full, Network(9, EMPTY, EMPTY)]
    counts = [release_count(graph, "stars2", 1, protect="nodes", max_degree=3) for graph in graphs]
    assert len({replace(found, answer=0) for found in counts}) == 1
    assert "rewired, none is added or removed" in counts[0].neighbors
    held = [release_degrees(graph, 1, max_degree=3, protect="nodes") for graph in graphs]
    assert len({replace(found, at_least=(0, 0, 0)) for found in held}) == 1


def test_what_cannot_be_protected_is_refused_before_anything_is_drawn():
    with pytest.raises(Infeasible, match="triangles are not offered"):
        release_count(ring(9), "triangles", 1, protect="nodes", max_degree=3)
    for method in ("ladder", "smooth", "privacy-first"):
        with pytest.raises(Infeasible, match=method):
            release_count(ring(9), "edges", 1, method, protect="nodes", max_degree=3)
    for wrong in ({"protect": "nodes"}, {"max_degree": 3}, {"radius": 1},
                  {"protect": "nodes", "max_degree": 9}, {"protect": "nodes", "max_degree": 0}):
        with pytest.raises(BadInput):
            release_count(ring(9), "edges", 1, **wrong)


def test_the_mean_error_of_cut_counts_is_that_of_the_noise():
    """At most 1 edge at a node and e^ε = 3: two-sided geometric noise, 2q/(q² - 1)."""
    found = worst_mean_error(10**5, "edges", Level.ratio(3), "global", max_degree=1)
    assert found == pytest.approx(3 / 4, rel=1e-12)
    mechanism = degree_mechanism(10**5, Level.ratio(9), 1, "nodes")
    assert mechanism.ratio == 3
    found = release_degrees(ring(9), Level.ratio(9), max_degree=1, protect="nodes")
    assert found.mean_errors[0] == pytest.approx(3 / 4, rel=1e-12)


def test_draws_of_degrees_have_the_stated_error_and_are_about_the_cut_graph():
    star = Network(40, np.zeros(20, dtype=np.int64), np.arange(1, 21))
    source = SeededSource(3)
    drawn = [release_degrees(star, 2, max_degree=2, protect="nodes", source=source)
             for _ in range(200)]
    noise = np.array([found.at_least for found in drawn]) - np.array([3, 1])  # two edges are kept
    q = float(degree_mechanism(40, Level.epsilon(2), 2, "nodes").ratio)
    mean, spread = 2 * q / (q * q - 1), (2 * q / (q - 1) ** 2) ** 0.5
    assert abs(np.abs(noise).mean() - mean) < 5 * spread / 400**0.5
    assert abs(noise.mean()) < 5 * spread / 400**0.5
    for found in drawn[:50]:
        assert sum(found.histogram) == sum(found.adjusted) == 40
        assert min(found.adjusted) >= 0


def test_degrees_are_unbiased_and_their_intervals_hold_as_often_as_they_say():
    """A ring and 30 nodes without edges: 0 nodes have one edge, which adjusting would raise."""
    source, runs = SeededSource(11), 3000
    drawn = [release_degrees(Network(60, *ring_of(30)), "1/2", max_degree=4, source=source)
             for _ in range(runs)]
    truth = np.array([30, 0, 30, 0, 0])
    errors = np.array([found.histogram for found in drawn]) - truth
    spread = errors.std(axis=0) / runs**0.5
    assert (np.abs(errors.mean(axis=0)) < 5 * spread).all()
    held = np.array([[low <= z <= high for (low, high), z in zip(found.intervals, truth,
                                                                 strict=True)] for found in drawn])
    assert (held.mean(axis=0) > 0.95 - 5 * (0.0475 / runs) ** 0.5).all()
    assert (held.mean(axis=0) < 0.99).all()
    one, two = drawn[0].mean_errors
    stated = np.array([one, two, two, two, one])
    assert np.abs(np.abs(errors).mean(axis=0) - stated).max() < 0.05 * one
    biased = np.array([found.adjusted for found in drawn]).mean(axis=0) - truth
    assert np.abs(biased).max() > 20 * spread.max()  # so that a bias would be seen


def ring_of(size):
    first = np.append(np.arange(size - 1), 0)
    return first, np.append(np.arange(1, size), size - 1)


def test_falling_numbers_are_the_nearest_among_all():
    """Against every falling sequence on a fine grid, in squares."""
    grid = [Fraction(k, 6) for k in range(19)]
    for numbers in ([0, 3, 1], [2, 2, 2], [1, 3, 0], [3, 1, 2], [0, 1, 3]):
        best = min((sum((x - z) ** 2 for x, z in zip(held, numbers, strict=True)), held)
                   for held in ((a, b, c) for a in grid for b in grid if b <= a
                                for c in grid if c <= b))[1]
        assert falling(numbers) == tuple(int((2 * x + 1) // 2) for x in best)


def test_curves_are_public_and_fall_with_the_level():
    counted = release_count(ring(9), "edges", 1, protect="nodes", max_degree=3)
    plain = release_count(ring(6), Count.TRIANGLES, 1, "privacy-first", radius=1)
    for answer, names in ((counted, ["at most 1 edges at a node", "at most 3 edges at a node",
                                     "at most 6 edges at a node"]),
                          (plain, ["ladder", "smooth", "global", "privacy-first"])):
        curves = error_curves(answer)
        assert [name for name, _, _ in curves] == names
        for _, levels, errors in curves:
            assert levels[0] == 0.125
            assert levels[-1] == 8
            assert all(a > b for a, b in pairwise(errors))
