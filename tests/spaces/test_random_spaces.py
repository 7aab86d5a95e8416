"""Properties of spaces drawn at random."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.spaces.samples import distances, irreducible, shortest
from tightrope.errors import NotAMetric
from tightrope.exact import Surd
from tightrope.spaces import (
    MatrixSpace,
    Space,
    graph,
    grid,
    histogram,
    matrix,
    path,
    points,
    space_from,
)
from tightrope.spaces.products import product

LENGTHS = st.builds(Fraction, st.integers(1, 12), st.sampled_from([1, 2, 3]))


@st.composite
def metrics(draw: st.DrawFn) -> list[list[Fraction]]:
    """Shortest paths of a complete graph with random lengths."""
    size = draw(st.integers(2, 7))
    pairs = list(combinations(range(size), 2))
    return shortest(size, [(i, j, draw(LENGTHS)) for i, j in pairs])


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, Fraction]]]:
    """A random tree and some more links."""
    size = draw(st.integers(2, 9))
    links = [(i, draw(st.integers(0, i - 1)), draw(LENGTHS)) for i in range(1, size)]
    ends = st.integers(0, size - 1)
    return size, links + draw(st.lists(st.tuples(ends, ends, LENGTHS), max_size=8))


SMALL = st.sampled_from(
    [path(0, 2), grid((2, 2)), grid((3,), step=2), histogram(people=2, cells=2)]
)


def agrees_with_brute_force(space: Space) -> None:
    pairs = space.edges()
    assert set(pairs) == irreducible(space)
    assert len(set(pairs)) == len(pairs)
    every = np.arange(space.size)
    dense = np.exp(-0.4 * space.lengths(every[:, None], every[None, :]))
    v = 1.0 + every
    np.testing.assert_allclose(space.kernel_product(0.4, v), dense @ v, rtol=1e-12)
    assert space_from(space.describe()) == space


@given(metrics())
def test_closures_are_metrics(table: list[list[Fraction]]) -> None:
    space = matrix(range(len(table)), table)
    agrees_with_brute_force(space)
    for i, row in enumerate(table):
        assert all(space.distance(i, j) == Surd.of(value) for j, value in enumerate(row))


@given(metrics(), st.data())
def test_a_stretched_distance_is_found_with_a_true_witness(
    table: list[list[Fraction]], data: st.DataObject
) -> None:
    assume(len(table) > 2)
    i, j = data.draw(st.sampled_from(list(combinations(range(len(table)), 2))))
    way = min(table[i][k] + table[k][j] for k in range(len(table)) if k not in (i, j))
    table[i][j] = table[j][i] = way
    matrix(range(len(table)), table)
    table[i][j] = table[j][i] = way + Fraction(1, 10**30)
    with pytest.raises(NotAMetric) as caught:
        matrix(range(len(table)), table)
    a, c, b = caught.value.points
    assert table[a][c] + table[c][b] < table[a][b]


@given(graphs())
def test_graphs_agree_with_floyd_and_warshall(
    drawn: tuple[int, list[tuple[int, int, Fraction]]],
) -> None:
    size, links = drawn
    space = graph(range(size), links)
    table = shortest(size, links)
    assert all(
        space.distance(i, j) == Surd.of(table[i][j]) for i in range(size) for j in range(size)
    )
    agrees_with_brute_force(space)
    assert set(space.edges()) <= set(space.neighbors.pairs)


PLACES = st.tuples(st.integers(-2, 2), st.integers(-2, 2))
STEPS = st.sampled_from([Fraction(1), Fraction(1, 3), Fraction(10**7), Fraction(1, 10**7)])


@given(st.lists(PLACES, min_size=2, max_size=10, unique=True), STEPS)
def test_points_on_lines_are_reducible(places: list[tuple[int, int]], step: Fraction) -> None:
    space = points(range(len(places)), [(x * step, y * step) for x, y in places])
    agrees_with_brute_force(space)
    for i, row in enumerate(distances(space)):
        for j, value in enumerate(row):
            (a, b), (c, d) = places[i], places[j]
            assert value == Surd.root(((a - c) ** 2 + (b - d) ** 2) * step**2)


@settings(max_examples=40)
@given(SMALL, metrics(), st.sampled_from(["sum", "max"]), st.booleans())
def test_products_of_anything_agree_with_brute_force(
    small: Space, table: list[list[Fraction]], combine: str, turned: bool
) -> None:
    assume(len(table) <= 5)
    other: MatrixSpace = matrix(range(len(table)), table)
    space = product(other, small, combine) if turned else product(small, other, combine)
    agrees_with_brute_force(space)
    for i, j in combinations(range(space.size), 2):
        (a, b), (c, d) = divmod(i, space.second.size), divmod(j, space.second.size)
        parts = space.first.distance(a, c), space.second.distance(b, d)
        assert space.distance(i, j) == (parts[0] + parts[1] if combine == "sum" else max(parts))
