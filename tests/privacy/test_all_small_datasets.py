"""Every theorem against all small datasets: no two neighbors are told apart by more.

Laws are built here from counts, sensitivities and replacements found by visiting every dataset;
those of the library must be the same, and the largest ratio over all answers, in fractions, must
be within what the certificate says, and equal to it where it says that it is attained.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb, ctx

from tests.spaces.all_graphs import AllGraphs
from tightrope.choices import Count
from tightrope.exact import Level, ball_of
from tightrope.mechanisms import (
    CauchyLaw,
    GlobalCount,
    LadderCount,
    ModeMechanism,
    NoiseMechanism,
    QuantileMechanism,
    SmoothCount,
)
from tightrope.privacy import certified, verify
from tightrope.privacy.lemmas import lemma_holds
from tightrope.spaces import Graphs, Records, path, sums

Q = Fraction(2)


def chances(rungs, step, ratio):
    """Exact probabilities of a window of answers from their rungs; beyond, steps go on.

    The window ends with a whole step beyond all listed rungs on either side, so what is left
    weighs step q^-t for each further t on either side.
    """
    left, right = rungs[0], rungs[-1]
    tails = sum(Fraction(step) * ratio**-end / (ratio - 1) for end in (left, right))
    total = sum((ratio**-t for t in rungs), Fraction(0)) + tails
    return [ratio**-t / total for t in rungs]


def ladder_rungs(value, widths, window):
    """The rung of every answer of a window: how many widths it takes to reach it."""
    found = []
    for z in window:
        reach, t = 0, 0
        while abs(z - value) > reach:
            reach += widths[min(t, len(widths) - 1)]
            t += 1
        found.append(t)
    return found


def window_of(graphs):
    """Answers around all ladders, ending with whole steps for every one of them."""
    most = int(graphs.values.max())
    reach = int(graphs.widths.sum(axis=1).max()) + 2 * int(graphs.widths.max())
    return range(-reach, most + reach + 1)


def trimmed(rungs, window, value, widths):
    """The window cut at both sides to where a rung of this ladder ends."""
    reach, step = sum(widths), widths[-1]
    low, high = value - reach, value + reach
    while low - step >= window[0]:
        low -= step
    while high + step <= window[-1]:
        high += step
    start = low - window[0]
    return rungs[start : start + high - low + 1], low


@pytest.mark.parametrize("nodes", [4, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("count", list(Count))
def test_ladders_of_all_graphs_are_within_the_level(nodes, count):
    graphs = AllGraphs(nodes, count)
    mechanism = LadderCount(Graphs(nodes), count, Q)
    bound = certified(mechanism, Level.ratio(Q**2)).certificate
    window, laws = window_of(graphs), {}
    for g in graphs.masks.tolist():
        kind = int(graphs.values[g]), tuple(graphs.widths[g].tolist())
        if kind not in laws:
            rungs = ladder_rungs(*kind, window)
            law = mechanism.law(graphs.network(g))
            assert [law.rung(z) for z in window] == rungs
            cut, low = trimmed(rungs, window, *kind)
            inside = dict(enumerate(chances(cut, kind[1][-1], Q), low))
            assert law.probability(low) == inside[low]
            laws[kind] = {z: law.probability(z) for z in window}
            assert all(laws[kind][z] == p for z, p in inside.items())
    kinds = [(int(v), tuple(w)) for v, w in zip(graphs.values, graphs.widths.tolist(), strict=True)]
    pairs = {(kinds[g], kinds[h]): (g, int(h)) for g in graphs.masks.tolist()
             for h in graphs.neighbors[g]}
    worst = max(p / laws[b][z] for a, b in pairs for z, p in laws[a].items())
    assert Fraction(1) < worst < Q**2
    assert worst <= Fraction(np.e ** bound.smallest.upper)
    for g, h in pairs.values():
        assert lemma_holds(mechanism, graphs.network(g), graphs.network(h))


@pytest.mark.parametrize("first", [1, 2, 4])
@pytest.mark.parametrize("count", [Count.STARS2, Count.EDGES, Count.TRIANGLES])
def test_noise_for_counts_of_all_graphs_attains_its_ratio_and_its_delta(count, first):
    graphs = AllGraphs(4, count)
    step = int(graphs.widths.max())
    mechanism = GlobalCount(Graphs(4), count, Q, min(first, step))
    window = range(-60, int(graphs.values.max()) + 61)
    laws = {}
    for g in graphs.masks.tolist():
        law = mechanism.law(graphs.network(g))
        laws[int(graphs.values[g])] = {z: law.probability(z) for z in window}
        assert [law.rung(z) for z in window] == [
            max(0, -(-(abs(z - int(graphs.values[g])) - mechanism.first + 1) // step))
            for z in window]
    pairs = {(int(graphs.values[g]), int(graphs.values[h])) for g in graphs.masks.tolist()
             for h in graphs.neighbors[g]}
    ratios = [laws[a][z] / laws[b][z] for a, b in pairs for z in window]
    assert max(ratios) == Q
    assert certified(mechanism, Level.ratio(Q)).certificate.smallest.exact == Level.ratio(Q)
    check_delta(mechanism, Graphs(4), laws, pairs)


def check_delta(mechanism, space, laws, pairs):
    """δ at e^ε = 3/2 is the largest hockey-stick sum over neighbors, up to the tails left out."""
    factor = Fraction(3, 2)
    exact = max(sum(max(Fraction(0), p - factor * laws[b][z]) for z, p in laws[a].items())
                for a, b in pairs)
    hair = Fraction(1, 10**5)
    found = verify(mechanism, space, Level.ratio(factor, delta=exact + hair))
    assert found.holds
    assert exact <= found.delta[0] <= exact + hair
    below = verify(mechanism, space, Level.ratio(factor, delta=exact - hair))
    assert not below.holds
    high, low = below.witness.probabilities
    assert high - factor * low == found.delta[0]


SPACES = [(path(0, 3), 1, 1), (path(0, 3), 3, 2), (sums(people=2, maximum=3), 3, 1),
          (sums(people=2, maximum=3), 3, 3), (sums(people=2, maximum=3), 5, 2),
          (sums(people=3, maximum=2), 2, 2)]


@pytest.mark.parametrize(("space", "step", "first"), SPACES)
def test_integer_noise_attains_its_ratio_and_its_delta_on_paths_and_sums(space, step, first):
    mechanism = NoiseMechanism(space, Q, step, first)
    window = range(-20 * step, 20 * step + space.size)
    laws = {}
    for i, y in enumerate(space.points):
        rungs = [max(0, -(-(abs(z - y) - first + 1) // step)) for z in window]
        assert [mechanism.law(y).rung(z) for z in window] == rungs
        laws[i] = {z: mechanism.probability(i, z) for z in window}
        assert 1 - sum(laws[i].values()) < Fraction(1, 10**5)
    worst = {}
    for i, j in product(range(space.size), repeat=2):
        if i != j:
            d = space.distance(i, j).rational
            ratio = max(laws[i][z] / laws[j][z] for z in window)
            assert ratio <= Q**d
            worst[d] = max(worst.get(d, Fraction(0)), ratio)
    assert worst[1] == Q
    found = certified(mechanism, Level.ratio(Q)).certificate.smallest
    assert found.exact == Level.ratio(Q)
    refuted = verify(mechanism, space, Level.ratio(Q - Fraction(1, 10**9))).witness
    i, j, z = space.index(refuted.first), space.index(refuted.second), refuted.outputs[0]
    assert refuted.probabilities == (laws[i][z], laws[j][z]) == (laws[i][z], laws[i][z] / Q)
    neighbors = {pair for a, b in space.neighbors.pairs for pair in ((a, b), (b, a))}
    near = {(i, j) for i, j in product(range(space.size), repeat=2)
            if i != j and space.distance(i, j).rational == 1}
    assert neighbors <= near
    check_delta(mechanism, space, laws, near)


def test_moments_of_integer_noise_are_the_sums():
    for step, first in ((1, 1), (3, 2), (4, 4), (5, 1)):
        noise = NoiseMechanism(path(0, 3), Fraction(9), step, first)
        window = range(-40 * step, 40 * step + 1)
        law = {z: noise.law(0).probability(z) for z in window}
        for found, expected in (
            (1 / noise.normalizer, law[0]),
            (noise.mean_error, sum(abs(z) * p for z, p in law.items())),
            (noise.mean_square, sum(z * z * p for z, p in law.items())),
        ):
            assert 0 <= found - expected < Fraction(1, 10**30)


def apart(x, y):
    """How many records must be replaced to turn one database into the other, as multisets."""
    left = list(y)
    for value in x:
        if value in left:
            left.remove(value)
    return len(left)


def databases(size, values):
    return list(product(range(values), repeat=size))


def worst_of(mechanism, held, values):
    laws = {}
    for x in held:
        law = mechanism.law(x)
        laws[x] = [law.probability(r) for r in range(values)]
        assert sum(laws[x]) == 1
    neighbors = [(x, y) for x in held for y in held
                 if sum(a != b for a, b in zip(x, y, strict=True)) == 1]
    assert all(lemma_holds(mechanism, x, y) for x, y in neighbors[::7])
    return max(p / q for x, y in neighbors for p, q in zip(laws[x], laws[y], strict=True))


@pytest.mark.parametrize(("size", "values", "rank"), [
    (3, 4, 1), (3, 4, 2), (3, 4, 3), (4, 3, 1), (4, 3, 2), (4, 3, 3), (4, 3, 4)])
def test_quantiles_of_all_small_databases_are_within_the_level(size, values, rank):
    held = databases(size, values)
    mechanism = QuantileMechanism(Records(size, 0, values - 1), rank, Q)
    for x in held:
        law = mechanism.law(x)
        for r in range(values):
            assert law.rung(r) == min(apart(x, y) for y in held if sorted(y)[rank - 1] == r)
    assert certified(mechanism, Level.ratio(Q**2)).certificate.holds
    assert Q < worst_of(mechanism, held, values) < Q**2  # between ε/2 and ε


@pytest.mark.parametrize(("size", "values"), [(3, 4), (4, 3)])
def test_modes_of_all_small_databases_are_within_the_level(size, values):
    held = databases(size, values)
    mechanism = ModeMechanism(Records(size, 0, values - 1), Q)
    for x in held:
        law = mechanism.law(x)
        for r in range(values):
            assert law.rung(r) == min(
                apart(x, y) for y in held if y.count(r) == max(map(y.count, y)))
    assert certified(mechanism, Level.ratio(Q**2)).certificate.holds
    assert Q <= worst_of(mechanism, held, values) < Q**2


@pytest.mark.parametrize("nodes", [4, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("count", list(Count))
def test_smooth_noise_of_all_graphs_is_within_the_level(nodes, count):
    """Weights in fractions: at most k² q between neighbors; their sums, in balls, at most q."""
    graphs, growth, shift = AllGraphs(nodes, count), Fraction(9, 8), Fraction(3, 2)
    mechanism = SmoothCount(Graphs(nodes), count, growth, shift)
    assert certified(mechanism, Level.ratio((growth * shift) ** 2)).certificate.holds
    powers = [growth**t for t in range(graphs.widths.shape[1])]
    kinds = {}
    for g in graphs.masks.tolist():
        smooth = max(w / p for w, p in zip(graphs.widths[g].tolist(), powers, strict=True))
        kinds[g] = int(graphs.values[g]), smooth
    one_of = {kind: g for g, kind in kinds.items()}
    for kind, g in one_of.items():
        assert mechanism.law(graphs.network(g)) == CauchyLaw(*kind, shift)
    pairs = {(kinds[g], kinds[int(h)]): (g, int(h)) for g in kinds for h in graphs.neighbors[g]}
    closest = Fraction(0)
    for (one, other), (g, h) in pairs.items():
        (f, s), (other_f, other_s) = one, other
        sigma, other_sigma = (x * shift / (shift**2 - 1) for x in (s, other_s))
        ratios = [(sigma * (other_sigma**2 + (z - other_f) ** 2))
                  / (other_sigma * (sigma**2 + (z - f) ** 2)) for z in range(-60, 100)]
        worst = max(*ratios, sigma / other_sigma)  # the last: z far away
        assert worst <= shift**2 * growth
        with ctx.workprec(200):
            sums = [arb.pi() * (arb.pi() * ball_of(x, 200)).coth() for x in (sigma, other_sigma)]
            assert sums[1] / sums[0] <= ball_of(growth, 200)
            assert ball_of(worst, 200) * sums[1] / sums[0] < ball_of((growth * shift) ** 2, 200)
        closest = max(closest, worst)
        assert lemma_holds(mechanism, graphs.network(g), graphs.network(h))
    assert closest > growth  # the bound is not idle
