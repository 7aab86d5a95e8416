"""Privacy across components: nothing is asked there, all of it inside. Two judges, brute force."""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

from tests.documents.judges import HOLDS, NO, library_says, receipt_says, renewed
from tests.spaces.test_components import drawn, shortest
from tightrope.documents import compose, render
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import (
    Certificate,
    Refutation,
    certified,
    delta_curve,
    promise,
    repair,
    smallest_level,
    tightness,
    verify,
)
from tightrope.spaces import components, graph, matrix
from tightrope.spaces.products import product
from tightrope.theory import generalize

F = Fraction


def breaks(rows, far, ratio=2):
    """The pairs and outputs that break e^(ε d) = ratio^d, for whole distances."""
    laws = [[F(x, sum(row)) for x in row] for row in rows]
    return [
        (a, b, z)
        for a, b in itertools.permutations(range(len(rows)), 2) if far[a][b] is not None
        for z in range(len(rows[0])) if laws[a][z] > F(ratio) ** int(far[a][b]) * laws[b][z]
    ]


def excess(rows, pairs, far, ratio):
    """The largest hockey-stick sum over neighbors, both ways."""
    laws = [[F(x, sum(row)) for x in row] for row in rows]
    return max(
        sum(max(F(0), p - F(ratio) ** int(far[a][b]) * q)
            for p, q in zip(laws[a], laws[b], strict=True))
        for i, j in pairs for a, b in ((i, j), (j, i))
    )


def judged(space, rows, level, folder):
    """What both judges say about a document with these rows and this claim."""
    flat = MatrixMechanism(space, ("x", "y", "z"), Weights.from_integers([[1, 1, 1]] * space.size))
    document = compose(certified(flat, level))
    document["mechanism"]["rows"] = [" ".join(f"{x:x}" for x in row) for row in rows]
    data = render(renewed(document))
    code, report = receipt_says(data, folder)
    assert report["components"] == len(set(components(space).tolist()))
    return library_says(data), code


def whole(seed):
    size, links = drawn(3 * seed + 1)  # all lengths are 1
    return size, links, shortest(size, links), graph(range(size), links)


def rows_like(chance, size, part):
    """Rows that often are private: near a column of the component, with zeros for some."""
    base = {name: [chance.choice([0, 3, 4, 5]) for _ in "xyz"] for name in set(part)}
    if chance.random() < 0.8:
        base = {name: row if any(row) else [4, 4, 4] for name, row in base.items()}
    rows = [[x + chance.choice([0, 0, 0, 1]) * (x > 0) for x in base[name]] for name in part]
    if chance.random() < 0.3:
        rows[chance.randrange(size)][chance.randrange(3)] = chance.choice([0, 1, 40])
    return [row if any(row) else [1, 0, 0] for row in rows]


@pytest.mark.parametrize("seed", range(60))
def test_both_judges_agree_with_brute_force_on_several_components(seed, tmp_path):
    chance = random.Random(seed)
    size, _, far, space = whole(seed)
    for given in (space, matrix(range(size), [
        ["inf" if d is None else str(d) for d in row] for row in far
    ])):
        rows = rows_like(chance, size, components(space).tolist())
        mechanism = MatrixMechanism(given, ("x", "y", "z"), Weights.from_integers(rows))
        broken = breaks(rows, far)
        found = verify(mechanism, given, Level.ratio(2))
        assert isinstance(found, Refutation) == bool(broken)
        code = NO if broken else HOLDS
        assert judged(given, rows, Level.ratio(2), tmp_path) == (code, code)
        if broken:
            witness = found.witness
            a, b = given.index(witness.first), given.index(witness.second)
            assert (a, b, "xyz".index(witness.outputs[0])) in broken


@pytest.mark.parametrize("seed", range(30))
def test_delta_is_about_neighbors_of_one_component(seed, tmp_path):
    chance = random.Random(seed)
    size, links, far, space = whole(seed)
    rows = rows_like(chance, size, components(space).tolist())
    pairs = {tuple(sorted(link[:2])) for link in links}
    least = excess(rows, pairs, far, 2)
    mechanism = MatrixMechanism(space, ("x", "y", "z"), Weights.from_integers(rows))
    assert delta_curve(mechanism, space).at_ratio(F(2)) == least
    for delta, code in ((least, HOLDS), (least * F(99, 100), NO)):
        if 0 < delta < 1:
            level = Level.ratio(2, delta)
            assert isinstance(verify(mechanism, space, level), Certificate) == (code == HOLDS)
            assert judged(space, rows, level, tmp_path) == (code, code)


def test_a_mechanism_that_tells_the_component_for_certain_is_private(tmp_path):
    space = graph("abcd", [(0, 1), (2, 3)])
    rows = [[1, 0, 0], [1, 0, 0], [0, 2, 1], [0, 1, 2]]
    mechanism = MatrixMechanism(space, ("x", "y", "z"), Weights.from_integers(rows))
    proved = verify(mechanism, space, Level.ratio(2))
    assert isinstance(proved, Certificate)
    assert proved.smallest.exact.text == "ln(2)"
    assert judged(space, rows, Level.ratio(2), tmp_path) == (HOLDS, HOLDS)
    assert isinstance(verify(mechanism, space, Level.ratio("19/10")), Refutation)


def test_a_zero_beside_a_non_zero_inside_a_component_is_refuted_with_its_witness(tmp_path):
    space = graph("abcd", [(0, 1), (2, 3)])
    rows = [[1, 0, 0], [1, 0, 0], [0, 2, 1], [1, 1, 1]]
    mechanism = MatrixMechanism(space, ("x", "y", "z"), Weights.from_integers(rows))
    found = smallest_level(mechanism, space)
    assert isinstance(found, Refutation)
    assert (found.witness.first, found.witness.second) == ("d", "c")
    assert found.witness.outputs == ("x",)
    assert judged(space, rows, Level.epsilon(100), tmp_path) == (NO, NO)


def test_constant_on_every_component_is_the_level_zero():
    space = graph("abcd", [(0, 1), (2, 3)])
    rows = [[0, 1, 0], [0, 1, 0], [2, 1, 0], [2, 1, 0]]
    mechanism = MatrixMechanism(space, ("x", "y", "z"), Weights.from_integers(rows))
    assert smallest_level(mechanism, space).upper == 0
    tiny = [[0, 2**60, 1], [0, 2**60 + 1, 1], [2, 1, 0], [2, 1, 0]]  # beyond doubles
    close = MatrixMechanism(space, ("x", "y", "z"), Weights.from_integers(tiny))
    assert smallest_level(close, space).lower > 0


@pytest.mark.parametrize("family", ["graph", "matrix"])
def test_no_kernel_has_infinite_distances_for_either_judge(family, tmp_path):
    from tightrope.constructions import randomized_response
    from tightrope.spaces import complete

    document = compose(randomized_response(complete(100), Level.ratio(2)))
    assert document["mechanism"]["form"] == "kernel"
    far = [["0" if i == j else "1" if i // 50 == j // 50 else "inf" for j in range(100)]
           for i in range(100)]
    links = [[i, j, "1"] for i in range(100) for j in range(i + 1, 100) if i // 50 == j // 50]
    document["space"] = {
        "graph": {"family": "graph", "nodes": list(range(100)), "edges": links},
        "matrix": {"family": "matrix", "labels": list(range(100)), "distances": far},
    }[family]
    document["neighbors"] = "adjacent nodes" if family == "graph" else None
    data = render(renewed(document))
    assert (library_says(data), receipt_says(data, tmp_path)[0]) == (2, 2)


@pytest.mark.parametrize("seed", range(20))
def test_repair_mends_each_component_and_leaves_private_ones_alone(seed):
    rng = np.random.default_rng(seed)
    size, _, far, space = whole(seed)
    given = rng.dirichlet(np.full(3, 0.3), size)
    given[rng.random((size, 3)) < 0.2] = 0
    given[given.sum(axis=1) == 0] = 1
    given /= given.sum(axis=1, keepdims=True)
    mended = repair(given, space, Level.ratio(2), outputs=("x", "y", "z"))
    held = mended.certified.mechanism
    rows = [held.row_at(i) for i in range(size)]
    whole_rows = [[int(p * 2**400) for p in row] for row in rows]
    assert all(p <= 2 ** int(far[a][b]) * q * (1 + F(1, 2**300))
               for a, b in itertools.permutations(range(size), 2) if far[a][b] is not None
               for p, q in zip(whole_rows[a], whole_rows[b], strict=True))
    part = components(space)
    for i in range(size):
        if (part == part[i]).sum() == 1:
            assert np.allclose([float(p) for p in rows[i]], given[i], atol=1e-9)


def test_maximal_generality_is_that_of_every_component():
    space = graph("abcd", [(0, 1), (2, 3)])
    apart = [[2, 1, 0, 0], [1, 2, 0, 0], [0, 0, 2, 1], [0, 0, 1, 2]]
    across = [[2, 1], [1, 2], [2, 1], [1, 2]]
    found = [
        tightness(MatrixMechanism(space, tuple(range(len(rows[0]))), Weights.from_integers(rows)),
                  space, Level.ratio(2))
        for rows in (apart, across)
    ]
    # a | b yields "which of two" by forgetting the component, never the other way around
    assert [t.maximally_general for t in found] == [True, False]
    assert [t.loose for t in found] == [(), ()]
    general = generalize(
        MatrixMechanism(space, (0, 1), Weights.from_integers(across)), Level.ratio(2))
    rows = [general.certified.mechanism.row_at(i) for i in range(4)]
    assert tightness(general.certified.mechanism, space, Level.ratio(2)).maximally_general
    assert all(p * q == 0 for i in (0, 1) for j in (2, 3)
               for p, q in zip(rows[i], rows[j], strict=True))
    back = [[sum(p * q for p, q in zip(row, column, strict=True))
             for column in zip(*general.channel, strict=True)] for row in rows]
    assert back == [[Fraction(v, 3) for v in row] for row in across]


def test_a_point_alone_is_not_loose_and_the_identity_is_not_general():
    space = graph("abc", [(0, 1)])
    rows = Weights.from_integers([[2, 1, 0], [1, 2, 0], [0, 0, 1]])
    found = tightness(MatrixMechanism(space, (0, 1, 2), rows), space, Level.ratio(2))
    assert found.maximally_general
    assert found.loose == ()
    identity = Weights.from_integers([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    found = tightness(MatrixMechanism(space, (0, 1, 2), identity), space, Level.ratio(2))
    assert not found.maximally_general


@pytest.mark.parametrize("level", [Level.ratio(2), Level.ratio(2, delta="0.01")])
@pytest.mark.parametrize("space", [
    graph("abcde", [(0, 1), (1, 2), (3, 4)]),
    product(graph("abc", [(0, 1)]), graph("xyz", [(0, 1, 3)])),
])
def test_a_promise_says_first_that_components_are_not_protected(space, level):
    said = promise(level, space)
    count = len(set(components(space).tolist()))
    assert said.startswith(f"Which of the {count} components an input lies in is NOT protected")
    assert "inf" not in said
