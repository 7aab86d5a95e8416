"""Smooth sensitivity against all labeled graphs, exact levels and a direct sum."""

from fractions import Fraction
from math import log, pi, tanh

import networkx as nx
import numpy as np
import pytest

from tests.applications.networks.all_graphs import AllGraphs
from tightrope.applications.networks import (
    Count,
    Method,
    Network,
    release_count,
    smooth_law,
    smooth_sensitivity,
)
from tightrope.applications.networks.smooth import smooth_factors
from tightrope.errors import BadInput, NotPrivate
from tightrope.exact import Level, Surd
from tightrope.mechanisms import CauchyLaw
from tightrope.privacy.theorems import certified_smooth
from tightrope.samplers import SeededSource

LEVELS = [Level.epsilon(e) for e in ("0.1", "1", "4", "30")]


def story():
    graph = nx.convert_node_labels_to_integers(nx.les_miserables_graph())
    ends = np.array(sorted(tuple(sorted(edge)) for edge in graph.edges))
    return Network(77, ends[:, 0], ends[:, 1])


def largest_loss(one, other, shrink=1.0):
    """The largest ln P(z)/P'(z) over the integers, from its formula; (f, σ) each."""
    z = np.arange(-60, 100)
    logs = []
    for value, scale in (one, other):
        sigma = scale * shrink
        total = pi / tanh(pi * sigma)
        inside = np.log(sigma / (sigma**2 + (z - value) ** 2)) - log(total)
        logs.append(np.append(inside, log(sigma / total)))  # the last: z far away, less ln z²
    return float(np.abs(logs[0] - logs[1]).max())


@pytest.mark.parametrize("nodes", [4, 5])
@pytest.mark.parametrize("count", list(Count))
def test_the_law_is_within_the_level_for_all_neighbors_of_all_graphs(nodes, count):
    graphs = AllGraphs(nodes, count)
    for level in LEVELS:
        growth, shift = smooth_factors(level)
        found = {}
        for g in graphs.masks.tolist():
            powers = [growth**t for t in range(graphs.widths.shape[1])]
            smooth = max(w / p for w, p in zip(graphs.widths[g].tolist(), powers, strict=True))
            if g % 41 == 0:
                assert smooth_sensitivity(graphs.network(g), count, growth) == smooth
            found[g] = CauchyLaw(int(graphs.values[g]), smooth, shift)
        for g, law in found.items():
            for other in (found[h] for h in graphs.neighbors[g].tolist()):
                assert law.smooth <= growth * other.smooth
                assert abs(law.center - other.center) <= law.smooth
        pairs = {((found[g].center, found[g].scale), (found[h].center, found[h].scale))
                 for g in found for h in graphs.neighbors[g].tolist()}
        worst = max(largest_loss(*pair_floats(pair)) for pair in pairs)
        assert worst < float(level)


def pair_floats(pair):
    return [(value, float(scale)) for value, scale in pair]


def test_noise_of_half_the_scale_would_break_the_level():
    level, graphs = Level.epsilon(1), AllGraphs(5, Count.TRIANGLES)
    laws = [smooth_law(graphs.network(g), Count.TRIANGLES, level) for g in (1022, 1023)]
    pair = [(law.center, float(law.scale)) for law in laws]
    assert largest_loss(*pair) < 1 < largest_loss(*pair, shrink=1 / 2)


@pytest.mark.parametrize("epsilon", ["0.001", "0.1", "1", "7", "400"])
def test_factors_use_nearly_the_whole_level_and_never_more(epsilon):
    level = Level.epsilon(epsilon)
    growth, shift = smooth_factors(level)
    assert growth > 1
    assert shift > 1
    assert level.compare((growth * shift) ** 2, Surd.of(1)) <= 0
    spent = certified_smooth(CauchyLaw(0, Fraction(1), shift), growth, level)
    assert spent.certificate.smallest.upper > float(level) * 0.999


def test_weights_at_the_smooth_sensitivity_apart_differ_by_at_most_the_square_of_the_shift():
    law = CauchyLaw(0, Fraction(3), Fraction(3, 2))
    moved = CauchyLaw(3, Fraction(3), Fraction(3, 2))
    ratios = [law.weight(z) / moved.weight(z) for z in range(-200, 200)]
    assert Fraction(9, 4) * Fraction(98, 100) < max(ratios) <= Fraction(9, 4)


def test_probabilities_add_up_to_one():
    law = CauchyLaw(0, Fraction(1), Fraction(3, 2))
    inside = sum(float(law.probability(z).mid()) for z in range(-400, 401))
    tail = 2 * float(law.scale) / 400.5 * tanh(pi * float(law.scale)) / pi
    assert inside + tail == pytest.approx(1, abs=1e-6)


def test_more_than_the_level_is_refused():
    law = CauchyLaw(0, Fraction(1), Fraction(2))
    certified_smooth(law, Fraction(3, 2), Level.ratio(9))
    with pytest.raises(NotPrivate):
        certified_smooth(law, Fraction(3, 2) + Fraction(1, 1000), Level.ratio(9))
    with pytest.raises(BadInput, match="q above 1"):
        certified_smooth(law, Fraction(1), Level.ratio(9))
    with pytest.raises(BadInput, match="above 0"):
        CauchyLaw(0, Fraction(0), Fraction(2))
    with pytest.raises(BadInput, match="k above 1"):
        CauchyLaw(0, Fraction(1), Fraction(1))


def test_on_large_sensitivities_the_smooth_one_is_the_local_one():
    growth, _ = smooth_factors(Level.epsilon(1))
    assert smooth_sensitivity(story(), Count.TRIANGLES, growth) == 16
    assert smooth_sensitivity(story(), Count.EDGES, growth) == 1


def test_a_tiny_level_takes_a_far_distance_exactly():
    growth = Fraction(1001, 1000)
    empty = Network(77, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    halves = [t // 2 for t in range(151)]  # two new edges make one more common neighbor
    assert smooth_sensitivity(empty, Count.TRIANGLES, growth) == max(
        w / growth**t for t, w in enumerate(halves))


def test_most_answers_are_within_a_few_scales():
    level, graph = Level.epsilon(2), story()
    scale, source = float(smooth_law(graph, Count.TRIANGLES, level).scale), SeededSource(4)
    answers = np.array([
        release_count(graph, Count.TRIANGLES, level, Method.SMOOTH, source).answer
        for _ in range(400)])
    within = (np.abs(answers - 467) <= scale).mean()
    assert 0.4 < within < 0.6  # a Cauchy law has half of its mass within its scale
