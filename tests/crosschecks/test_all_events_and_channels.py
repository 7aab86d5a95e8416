"""Definitions by all events, batches by all answers, deficiency and overlap by plain programs."""

import random
from fractions import Fraction
from itertools import combinations, product
from math import log, prod

import numpy as np
import pytest
from scipy.optimize import linprog

import tightrope as tr


def random_law(source, width, zeros=0.2):
    weights = [0 if source.random() < zeros else source.randint(1, 6) for _ in range(width)]
    weights[source.randrange(width)] += 1
    return [Fraction(w, sum(weights)) for w in weights]


def mechanism_of(rows):
    space = f"path:0..{len(rows) - 1}"
    return tr.mechanisms.MatrixMechanism.of([[str(p) for p in row] for row in rows], space)


BOUNDS = [  # a bound as it is typed, and b - M(a) up to a positive factor
    ({"formula": "sqrt(a)"}, lambda a, b: b * b - a),
    ({"formula": "1-(1-a)^3"}, lambda a, b: b - 1 + (1 - a) ** 3),
    ({"ratio": 2, "delta": "1/6"},
     lambda a, b: b - min(1, 2 * a + Fraction(1, 6), 1 - (Fraction(5, 6) - a) / 2)),
    ({"epsilon": 0, "delta": "1/4"}, lambda a, b: b - min(1, a + Fraction(1, 4))),
]


@pytest.mark.parametrize("seed", range(24))
def test_a_definition_holds_iff_it_holds_for_every_event(seed):
    source = random.Random(seed)
    rows = [random_law(source, 4) for _ in range(3)]
    typed, excess = BOUNDS[seed % len(BOUNDS)]
    strict, zero = source.random() < 0.5, source.choice([None, Fraction(0)])
    pairs = source.sample([(i, j) for i in range(3) for j in range(3) if i != j], 2)
    asked = {**typed, "pairs": [list(pair) for pair in pairs]}
    if strict:
        asked["boundary"] = "strict"
    if zero is not None:
        asked["at_zero"] = "0"

    def allowed(a, b):
        over = b - zero if zero is not None and a == 0 else excess(a, b)
        return over < 0 or (over == 0 and (not strict or a == b))

    events = [event for size in range(5) for event in combinations(range(4), size)]
    kept = all(allowed(*(sum((rows[x][z] for z in event), Fraction(0)) for x in pair))
               for pair in pairs for event in events)
    found = mechanism_of(rows)
    definition = tr.files.read_definition(asked, found.space)
    assert tr.privacy.verify_generic(found, definition).holds == kept


@pytest.mark.parametrize("seed", range(6))
def test_deficiency_is_the_value_of_a_plain_program(seed):
    source = random.Random(seed)
    general, special = ([random_law(source, 3) for _ in range(3)] for _ in range(2))
    # channel c[k, z], excess u[x, z] >= special - general c, Σ_z u[x, z] <= t; least t
    upper, limits = [], []
    for x in range(3):
        for z in range(3):
            row = np.zeros(19)
            row[[z, 3 + z, 6 + z]] = [-float(p) for p in general[x]]
            row[9 + 3 * x + z] = -1
            upper.append(row)
            limits.append(-float(special[x][z]))
        row = np.zeros(19)
        row[9 + 3 * x : 12 + 3 * x], row[18] = 1, -1
        upper.append(row)
        limits.append(0)
    sums = np.kron(np.eye(3), np.ones(3))
    plain = linprog([0] * 18 + [1], A_ub=np.array(upper), b_ub=limits,
                    A_eq=np.hstack([sums, np.zeros((3, 10))]), b_eq=np.ones(3)).fun
    found = tr.theory.post_processing(mechanism_of(general), mechanism_of(special))
    assert found.least == found.deficiency
    assert float(found.deficiency) == pytest.approx(plain, abs=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_the_level_of_a_batch_is_the_largest_ratio_of_all_answers(seed):
    source = random.Random(seed)
    parts = [[random_law(source, 2, zeros=0) for _ in range(3)] for _ in range(3)]
    held = [tr.privacy.certified(mechanism_of(rows), tr.Level.ratio(100)) for rows in parts]
    ratios = [prod(rows[x][z] / rows[y][z] for rows, z in zip(parts, answer, strict=True))
              for x, y in ((0, 1), (1, 0), (1, 2), (2, 1))
              for answer in product(range(2), repeat=3)]
    found = tr.theory.batch(held).certified.certificate.smallest
    assert found.lower == pytest.approx(log(max(ratios)), abs=1e-12)
    assert found.upper == pytest.approx(log(max(ratios)), abs=1e-12)


@pytest.mark.parametrize(("seed", "ratio"), [(0, 2), (1, 3), (2, 5)])
def test_the_least_overlap_is_that_of_two_outputs_by_a_plain_program(seed, ratio):
    source, size = random.Random(seed), 4
    edges = [(source.randrange(k), k, source.randint(1, 3)) for k in range(1, size)]
    space = tr.spaces.graph(range(size), [(a, b, str(length)) for a, b, length in edges])
    upper, limits = [], []
    for a, b, length in [*edges, *((b, a, length) for a, b, length in edges)]:
        most = float(ratio) ** length
        row = np.zeros(size)
        row[a], row[b] = 1, -most
        upper += [row, -row]
        limits += [0, most - 1]
    apart = []
    for i, j in combinations(range(size), 2):
        costs = np.zeros(size)
        costs[i], costs[j] = -1, 1
        apart.append(-linprog(costs, A_ub=np.array(upper), b_ub=limits, bounds=(0, 1)).fun)
    found = tr.theory.max_measure_given_level(space, tr.Level.ratio(ratio), "dobrushin")
    assert float(found.value) == pytest.approx(max(apart) - 1, abs=1e-7)
    assert found.value == found.bound
