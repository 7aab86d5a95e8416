"""Expected errors against exact sums over all answers, all graphs of few nodes, and draws."""

from fractions import Fraction
from math import isqrt

import networkx as nx
import numpy as np
import pytest

from tests.spaces.all_graphs import AllGraphs
from tightrope.choices import Count, Method
from tightrope.constructions.sequences.set_sequences import SetSequences
from tightrope.exact import Level
from tightrope.mechanisms import RungLaw
from tightrope.networks import mean_error, methods_for, release_count, worst_mean_error
from tightrope.networks.methods import count_mechanism
from tightrope.samplers import SeededSource
from tightrope.spaces import Network, count_of, ladder_widths, largest_count

EMPTY = np.zeros(0, dtype=np.int64)


def network(graph):
    ends = np.array(sorted(tuple(sorted(e)) for e in graph.edges), dtype=np.int64).reshape(-1, 2)
    return Network(graph.number_of_nodes(), ends[:, 0], ends[:, 1])


def exact_error(noise, value, most):
    """E|answer - value| of noise around 0, as a fraction: each answer from 0 to most in turn."""
    found = Fraction(0)
    for side in (value, most - value):
        inside = [noise.probability(u) for u in range(side)]
        beyond = (1 - 2 * sum(inside) + inside[0]) / 2 if side else Fraction(0)  # U >= side
        found += sum(u * p for u, p in enumerate(inside)) + side * beyond
    return found


def around_0(graph, count, level):
    law = count_mechanism(graph.nodes, count, level, Method.LADDER).law(graph)
    value = count_of(graph, count)
    return RungLaw(law.ratio, law.lows - value, law.highs - value, law.step)


SMALL = [nx.empty_graph(6), nx.complete_graph(6), nx.star_graph(6), nx.gnm_random_graph(7, 12, 3),
         nx.complete_bipartite_graph(2, 6), nx.cycle_graph(5)]


@pytest.mark.parametrize("count", list(Count))
@pytest.mark.parametrize("epsilon", ["0.01", "0.7", "5"])
def test_errors_in_rungs_are_the_exact_sums(count, epsilon):
    level = Level.epsilon(epsilon)
    for graph in map(network, SMALL):
        value, most = count_of(graph, count), largest_count(graph.nodes, count)
        noise = count_mechanism(graph.nodes, count, level, Method.GLOBAL).noise
        assert mean_error(graph, count, level, Method.GLOBAL) == pytest.approx(
            float(exact_error(noise, value, most)), rel=1e-14)
        ladder = around_0(graph, count, level)
        assert mean_error(graph, count, level, Method.LADDER) == pytest.approx(
            float(exact_error(ladder, value, most)), rel=1e-13)


@pytest.mark.parametrize("epsilon", ["0.5", "2"])
def test_errors_of_smooth_sensitivity_are_sums_over_all_answers(epsilon):
    graph, level = network(nx.path_graph(12)), Level.epsilon(epsilon)
    law = count_mechanism(12, Count.STARS2, level, Method.SMOOTH).law(graph)
    value, most = count_of(graph, Count.STARS2), largest_count(12, Count.STARS2)
    sides = []
    for side in (value, most - value):
        inside = [float(law.probability(law.center + u)) for u in range(side)]
        sides.append(sum(u * p for u, p in enumerate(inside)) + side * (
            1 - 2 * sum(inside) + inside[0]) / 2)
    assert mean_error(graph, Count.STARS2, level, Method.SMOOTH) == pytest.approx(
        sum(sides), rel=1e-12)


@pytest.mark.parametrize("method", list(Method))
@pytest.mark.parametrize("count", list(Count))
@pytest.mark.parametrize("nodes", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_no_graph_has_a_larger_error_than_the_public_figure(nodes, count, method):
    graphs = AllGraphs(nodes, count)
    kinds = {(int(v), tuple(w)): g for g, (v, w) in enumerate(
        zip(graphs.values, graphs.widths.tolist(), strict=True))}  # equal laws once
    if method is Method.PRIVACY_FIRST:  # not decided by value and widths
        kinds = {(int(v), (0, g)): g for g, v in enumerate(graphs.values)}
    for epsilon in ("0.05", "1", "6") if nodes == 4 else ("1",):
        level = Level.epsilon(epsilon)
        bound = worst_mean_error(nodes, count, level, method)
        found = {kind: mean_error(graphs.network(g), count, level, method)
                 for kind, g in kinds.items()}
        assert max(found.values()) <= bound * (1 + 1e-14)
        middle = [v in (largest_count(nodes, count) // 2, -(-largest_count(nodes, count) // 2))
                  and w[0] == max(w) for v, w in found]
        if any(middle):  # attained where such a graph exists
            assert max(found.values()) == pytest.approx(bound, rel=1e-13)


@pytest.mark.parametrize("epsilon", ["0.02", "0.5", "3"])
def test_no_rising_widths_err_more_than_the_widest(epsilon):
    level, ratio = Level.epsilon(epsilon), None
    rng = np.random.default_rng(5)
    bound = worst_mean_error(12, Count.TRIANGLES, level, Method.LADDER)  # D = 10, M = 220
    for _ in range(60):
        widths = np.sort(rng.integers(0, 11, size=rng.integers(1, 30)))
        reach = np.concatenate([[0], np.cumsum(widths)])
        ratio = ratio or around_0(Network(12, EMPTY, EMPTY), Count.TRIANGLES, level).ratio
        law = RungLaw(ratio, -reach, reach, 10)
        # floats suffice for a search: weights of 0, 1, … on one side, the rest beyond 400
        u = np.arange(1, 8000)
        rungs = np.where(u <= reach[-1], np.searchsorted(reach, u), len(reach) - 1 + -(
            -(u - reach[-1]) // 10))
        assert rungs[0] == law.rung(1)
        weights = float(ratio) ** -rungs.astype(float)
        error = 2 * (weights * np.minimum(u, 110)).sum() / (1 + 2 * weights.sum())
        assert error <= bound * (1 + 1e-9)


def test_public_figures_hold_at_any_size_and_level():
    for epsilon in ("1e-300", "1e-9", "600"):
        for method in methods_for(10**6, Count.STARS3):
            found = worst_mean_error(10**6, Count.STARS3, Level.epsilon(epsilon), method)
            assert 0 < found <= largest_count(10**6, Count.STARS3) / 2


def test_the_error_of_edges_without_a_range_is_that_of_geometric_noise():
    found = worst_mean_error(5000, Count.EDGES, Level.epsilon(2), Method.GLOBAL)
    assert found == pytest.approx(2 * np.exp(-2) / (1 - np.exp(-4)), rel=1e-9)


@pytest.mark.slow
def test_draws_have_the_stated_errors_and_not_those_before_moving_into_range():
    graph, level, draws = network(nx.complete_graph(7)), Level.epsilon(2), 200
    stated = [mean_error(graph, Count.TRIANGLES, level, method) for method in Method]
    raw = {Method.LADDER: 5.04, Method.GLOBAL: 2.31}  # E|noise|, which half the draws avoid
    for method, error, seed in zip(Method, stated, (1, 2, 3, 4), strict=True):
        source = SeededSource(seed)
        errors = np.array([
            35 - release_count(graph, Count.TRIANGLES, level, method, source).answer
            for _ in range(draws)])
        five = 5 * errors.std() / draws**0.5
        assert abs(errors.mean() - error) < five
        assert method not in raw or abs(errors.mean() - raw[method]) > five


def test_on_the_complete_graph_of_seven_nodes_global_noise_errs_least():
    graph, level = network(nx.complete_graph(7)), Level.epsilon(2)
    ladder, smooth, noise, _ = (mean_error(graph, Count.TRIANGLES, level, m) for m in Method)
    assert noise < ladder < smooth


def test_the_ladder_beats_global_noise_on_les_miserables_except_at_small_epsilon():
    graph = network(nx.convert_node_labels_to_integers(nx.les_miserables_graph()))
    assert ladder_widths(graph, Count.TRIANGLES)[0] == 16
    for epsilon, better in (("0.1", False), ("1", True), ("4", True)):
        ladder, _, noise = (
            mean_error(graph, Count.TRIANGLES, Level.epsilon(epsilon), m)
            for m in methods_for(77, Count.TRIANGLES))
        assert (ladder < noise) is better


@pytest.mark.parametrize("side", [-1, 1])
def test_the_worst_of_all_graphs_is_chosen_by_exact_errors(side, monkeypatch):
    """Two errors cross at r = 2 + √7; doubles near it may be wrong about which is larger.

    With e^(ε/2) = r, two-stars of three nodes have the values 0, 1, 3: the full graph errs by
    (2r + 3)/(r² + r + 1), one of two edges by 3/(r + 2).
    """
    root = Fraction(isqrt(7 << 88) + 4 * side, 1 << 44) + 2
    errors = (2 * root + 3) / (root**2 + root + 1), 3 / (root + 2)
    assert (errors[0] > errors[1]) is (side < 0)
    assert Fraction(1, 2**49) < abs(errors[0] / errors[1] - 1) < Fraction(1, 2**41)
    honest = SetSequences.distortion

    def wrong(sets, ratio):
        near = honest(sets, ratio)
        worse = np.abs(near - float(max(errors))) <= np.abs(near - float(min(errors)))
        return near * np.where(worse, 1 - 2.0**-40, 1.0)

    monkeypatch.setattr(SetSequences, "distortion", wrong)
    found = worst_mean_error(3, Count.STARS2, Level.ratio(root**2), Method.PRIVACY_FIRST)
    assert max(errors) <= Fraction(found) <= max(errors) * (1 + Fraction(1, 2**51))
