"""Spaces of several components, against shortest paths found by hand."""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

from tightrope.errors import BadSpace
from tightrope.exact import INFINITE, Surd
from tightrope.kernels.reduction import reduced_kernel
from tightrope.mechanisms import KernelMechanism
from tightrope.spaces import (
    categories,
    components,
    count_components,
    farthest,
    graph,
    is_connected,
    matrix,
    path,
    points,
    query,
    split_components,
)
from tightrope.spaces.products import product
from tightrope.symmetry import symmetries

INF = float("inf")


def shortest(size, links):
    """All distances by Floyd and Warshall, in fractions; None is infinite."""
    far = [[Fraction(0) if i == j else None for j in range(size)] for i in range(size)]
    for i, j, length in links:
        if i != j and (far[i][j] is None or length < far[i][j]):
            far[i][j] = far[j][i] = Fraction(length)
    for k, i, j in itertools.product(range(size), repeat=3):
        if far[i][k] is not None and far[k][j] is not None:
            way = far[i][k] + far[k][j]
            far[i][j] = way if far[i][j] is None else min(way, far[i][j])
    return far


def irreducible(far):
    size = len(far)
    return [
        (a, b) for a, b in itertools.combinations(range(size), 2)
        if far[a][b] is not None and not any(
            c not in (a, b) and far[a][c] is not None and far[c][b] is not None
            and far[a][c] + far[c][b] == far[a][b] for c in range(size)
        )
    ]


def drawn(seed):
    chance = random.Random(seed)
    size = chance.randint(3, 9)
    count = chance.randint(1, size)
    lengths = [1] if seed % 3 else [1, 2, "1/2", 5]
    links = [(*chance.sample(range(size), 2), Fraction(chance.choice(lengths)))
             for _ in range(count)]
    return size, links


def check(space, far):
    size = len(far)
    for i, j in itertools.product(range(size), repeat=2):
        expected = INFINITE if far[i][j] is None else Surd.of(far[i][j])
        assert space.distance(i, j) == expected
    every = np.arange(size)
    known = np.array([[INF if d is None else float(d) for d in row] for row in far])
    assert np.array_equal(space.lengths(every[:, None], every), known)
    classes, where = space.classes(every[:, None], every[None, :])
    assert [float(d) for d in classes] == sorted(set(known.ravel().tolist()))
    assert np.array_equal(np.array([float(d) for d in classes])[where], known)
    assert sorted(space.edges()) == irreducible(far)
    finite = [d for row in far for d in row if d]
    assert space.least_distance == Surd.of(min(finite))
    assert farthest(space) == Surd.of(max(finite))
    together = np.isfinite(known)
    assert is_connected(space) == together.all() == (not space.diameter.infinite)
    part = components(space)
    assert np.array_equal(part[:, None] == part, together)
    assert count_components(space) == len(set(part.tolist()))
    v = np.random.default_rng(0).random((size, 2))
    assert np.allclose(space.kernel_product(0.7, v), np.exp(-0.7 * known) @ v)
    for move in symmetries(space):
        assert np.array_equal(known[np.ix_(move, move)], known)


@pytest.mark.parametrize("seed", range(60))
def test_graphs_and_matrices_have_the_distances_of_their_components(seed):
    size, links = drawn(seed)
    far = shortest(size, links)
    space = graph(range(size), links)
    check(space, far)
    text = [["inf" if d is None else str(d) for d in row] for row in far]
    check(matrix(range(size), text), far)
    check(matrix(range(size), [[INF if d is None else float(d) for d in row] for row in far]), far)


@pytest.mark.parametrize("combine", ["sum", "max"])
@pytest.mark.parametrize("seed", range(8))
def test_products_have_the_components_of_both_factors(seed, combine):
    size, links = drawn(seed)
    first, second = graph(range(size), links), [graph("abc", [(0, 2)]), path(0, 2)][seed % 2]
    space = product(first, second, combine)
    mine, yours = shortest(size, links), [
        [None if second.distance(i, j).infinite else second.distance(i, j).rational
         for j in range(3)] for i in range(3)
    ]
    far = [
        [None if None in (d := (mine[i // 3][j // 3], yours[i % 3][j % 3]))
         else sum(d) if combine == "sum" else max(d) for j in range(3 * size)]
        for i in range(3 * size)
    ]
    check(space, far)


def test_products_with_square_roots_have_components_too():
    square = points("abcd", [(0, 0), (0, 1), (1, 0), (1, 1)])
    space = product(graph("xyz", [(0, 1)]), square, "max")
    assert str(farthest(space)) == "√2"
    assert count_components(space) == 2
    assert all(not space.distance(i, j).infinite for i, j in space.edges())
    assert (0, 8) not in set(space.edges())


@pytest.mark.parametrize("seed", range(12))
def test_a_component_is_a_space_of_its_own(seed):
    size, links = drawn(seed)
    far = shortest(size, links)
    space = graph(range(size), links)
    seen = []
    for members, part in split_components(space):
        seen += members.tolist()
        if part is not None:
            check(part, [[far[i][j] for j in members] for i in members])
            inside = {(members[i], members[j]) for i, j in part.neighbors.pairs}
            assert inside == {p for p in space.neighbors.pairs if p[0] in set(members)}
    assert sorted(seen) == list(range(size))


def test_as_many_links_as_a_tree_has_do_not_make_a_tree():
    space = graph("abcd", [(0, 1), (1, 2), (0, 2)])
    v = np.arange(4.0)
    assert np.allclose(space.kernel_product(1.0, v)[3], 3)
    assert (str(space.diameter), str(farthest(space))) == ("inf", "1")


def test_infinity_is_longer_than_every_number_and_swallows_sums():
    one = Surd.of(1)
    assert one < INFINITE
    assert Surd.root(2) < INFINITE
    assert not INFINITE < INFINITE
    assert INFINITE == INFINITE + one == one + INFINITE == INFINITE * 3
    assert max(one, INFINITE) == INFINITE
    assert one != INFINITE
    assert INFINITE.rational is None
    assert float(INFINITE) == INF


@pytest.mark.parametrize("use", [
    lambda space: KernelMechanism(space, Fraction(2), Fraction(1), (Fraction(1),) * 4),
    reduced_kernel,
    lambda space: query(categories("a/b"), space, lambda x: x),
])
def test_what_needs_finite_distances_says_so_with_two_points(use):
    with pytest.raises(BadSpace, match="no path joins a and c"):
        use(graph("abcd", [(0, 1), (2, 3)]))
