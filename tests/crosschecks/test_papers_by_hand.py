"""Objects of the papers by plain sums over all graphs, events and sets, from their definitions."""

import random
from fractions import Fraction
from itertools import combinations, product
from math import log

import numpy as np
import pytest

import tightrope as tr
from tests.crosschecks.test_all_events_and_channels import mechanism_of, random_law
from tightrope.spaces import CutGraphs
from tightrope.theory import excesses


@pytest.mark.parametrize(("nodes", "degree"), [(4, 1), (4, 2), (4, 3), (5, 2)])
def test_rewiring_a_node_of_any_small_graph_moves_degrees_by_twice_the_largest(nodes, degree):
    pairs = list(combinations(range(nodes), 2))
    told = {}
    for kept in product((False, True), repeat=len(pairs)):
        ends = [pair for pair, held in zip(pairs, kept, strict=True) if held]
        first, second = (np.array([pair[side] for pair in ends], dtype=int) for side in (0, 1))
        degrees = CutGraphs(nodes, degree).accept(tr.spaces.Network(nodes, first, second)).degrees
        told[kept] = [int((degrees >= d).sum()) for d in range(1, degree + 1)]
    groups = {}  # graphs that agree away from a node are neighbors
    for v in range(nodes):
        for kept, counts in told.items():
            rest = tuple(k for pair, k in zip(pairs, kept, strict=True) if v not in pair)
            groups.setdefault((v, rest), []).append(counts)
    moved = max(sum(abs(x - y) for x, y in zip(a, b, strict=True))
                for held in groups.values() for a, b in combinations(held, 2))
    assert moved == 2 * degree


@pytest.mark.parametrize("seed", range(12))
def test_the_parts_of_a_pair_add_up_to_the_worst_event(seed):
    source = random.Random(seed)
    first, second = (random_law(source, 4) for _ in range(2))
    ratio, delta = source.choice([Fraction(2), Fraction(3, 2)]), source.choice([0, Fraction(1, 4)])
    row = excesses(mechanism_of([first, second]), tr.Level.ratio(ratio, delta), [(0, 1)]).rows[0]
    events = [event for size in range(5) for event in combinations(range(4), size)]
    worst = max(sum((first[z] - ratio * second[z] for z in event), Fraction(0)) for event in events)
    assert row.excess == (worst, worst)
    assert row.holds == (worst <= delta)
    assert {z for part in row.parts for z in part.outputs} == {
        z for z in range(4) if first[z] > second[z]
    }


@pytest.mark.parametrize(("ends", "ratio"), [
    ([(0, 1), (5, 6)], 2), ([(1, 2)], 3), ([(3, 3), (7, 8)], Fraction(3, 2)),
])
def test_the_mean_error_of_noise_is_that_of_its_sets(ends, ratio):
    moves = [(0, 0), *ends, *((-b, -a) for a, b in ends)]

    def grown(sets):
        held = []
        for a, b in sorted((a + c, b + d) for a, b in sets for c, d in moves):
            if held and a <= held[-1][1]:
                held[-1][1] = max(held[-1][1], b)
            else:
                held.append([a, b])
        return held

    text = " | ".join(f"[{a}, {b}]" for a, b in ends)
    law = next(one for one in tr.theory.noise(text, tr.Level.ratio(ratio)).facts().json["laws"]
               if one["law"] == "theorem-3")
    radius = float(Fraction(law["delta_radius"]))
    sets, before, total, moment = [[-radius, radius]], (0.0, 0.0), 0.0, 0.0
    for rung in range(120):
        length = sum(b - a for a, b in sets)
        # the integral of |x| over [a, b] is (b|b| - a|a|)/2
        mass = sum(b * abs(b) - a * abs(a) for a, b in sets) / 2
        total += (length - before[0]) / float(ratio) ** rung
        moment += (mass - before[1]) / float(ratio) ** rung
        before, sets = (length, mass), grown(sets)
    assert law["mean_error"] == pytest.approx(moment / total, rel=1e-9)
    assert law["epsilon"]["upper"] == pytest.approx(log(ratio))


@pytest.mark.parametrize("seed", range(6))
def test_a_separating_problem_is_worth_more_with_the_special_mechanism(seed):
    source = random.Random(seed)
    general, special = ([random_law(source, 3) for _ in range(3)] for _ in range(2))
    found = tr.theory.post_processing(mechanism_of(general), mechanism_of(special))
    if found.exists:
        made = [[sum(p * row[z] for p, row in zip(law, found.channel, strict=True))
                 for z in range(3)] for law in general]
        assert made == special
        return
    worth = sum(found.prior[x] * special[x][z] * found.gains[x][z]
                for x in range(3) for z in range(3))
    best = sum(max(sum(found.prior[x] * general[x][k] * found.gains[x][a] for x in range(3))
                   for a in range(3)) for k in range(3))
    assert worth - best == found.least > 0
