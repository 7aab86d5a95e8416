"""What every space must answer, against brute force."""

import json
from itertools import combinations, pairwise

import numpy as np
import pytest
from flint import ctx

from tests.spaces.samples import SPACES, TEXTS, distances, irreducible
from tightrope.errors import NotAPoint
from tightrope.exact import Surd, tolerances
from tightrope.spaces import Space, distance_table, pair_classes, parse, space_from

every_space = pytest.mark.parametrize("space", SPACES, ids=lambda space: space.text)


@every_space
def test_distances_are_a_metric(space: Space) -> None:
    table = distances(space)
    exact = [[float(value) for value in row] for row in table]
    for i in range(space.size):
        assert table[i][i] == Surd.of(0)
        for j in range(i):
            assert table[i][j] == table[j][i] > Surd.of(0)
            for k in range(space.size):
                near = exact[i][k] + exact[k][j] < exact[i][j] * (1 + 1e-9)
                assert not near or table[i][k] + table[k][j] >= table[i][j]


@every_space
def test_edges_are_the_irreducible_pairs(space: Space) -> None:
    pairs = space.edges()
    assert (pairs.first < pairs.second).all()
    assert len(set(pairs)) == len(pairs)
    assert set(pairs) == irreducible(space)
    assert space.edges() is pairs


@every_space
def test_points_and_indices_are_inverse(space: Space) -> None:
    labels = list(space.points)
    assert len(labels) == len(set(labels)) == space.size == len(space.points)
    assert [space.index(label) for label in labels] == list(range(space.size))
    assert [space.points[i] for i in range(space.size)] == labels
    assert space.points[-1] == labels[-1]
    assert list(space.points[1:3]) == labels[1:3]
    with pytest.raises(IndexError):
        space.points[space.size]


@every_space
@pytest.mark.parametrize("label", [True, 2.5, None, "no such point", (0, "x", 9), -77, {}, [[]]])
def test_what_is_not_a_label_is_not_a_point(space: Space, label: object) -> None:
    with pytest.raises(NotAPoint, match="is not a point of"):
        space.index(label)  # type: ignore[arg-type]


@every_space
def test_lengths_are_close_to_the_distances(space: Space) -> None:
    every = np.arange(space.size)
    lengths = space.lengths(every[:, None], every[None, :])
    assert lengths.shape == (space.size, space.size)
    assert lengths.dtype == np.float64
    with ctx.workprec(200):
        for i, j in combinations(range(space.size), 2):
            ball = space.distance(i, j).ball(200)
            assert abs(float(lengths[i, j]) - ball) <= ball * tolerances.LENGTH_ERROR
    assert np.array_equal(space.lengths(every[:1], every), lengths[0])


@every_space
def test_tables_of_classes_hold_the_exact_distances(space: Space) -> None:
    classes, table = distance_table(space)
    assert all(a < b for a, b in pairwise(classes))
    assert table.dtype == np.int32
    for i, row in enumerate(distances(space)):
        assert all(classes[table[i, j]] == value for j, value in enumerate(row))
    pairs = space.edges()
    some, where = pair_classes(space, pairs)
    for (i, j), k in zip(pairs, where.tolist(), strict=True):
        assert some[k] == classes[table[i, j]]
    assert len(some) == len(set(where.tolist()))


@every_space
def test_diameter_and_least_distance_are_attained_and_extreme(space: Space) -> None:
    found = [space.distance(i, j) for i, j in combinations(range(space.size), 2)]
    assert space.diameter == max(found)
    assert space.least_distance == min(found)


@every_space
@pytest.mark.parametrize("epsilon", [0.01, 0.7, 5.0, 800.0])
def test_kernel_products_equal_the_dense_product(space: Space, epsilon: float) -> None:
    every = np.arange(space.size)
    dense = np.exp(-epsilon * space.lengths(every[:, None], every[None, :]))
    random = np.random.default_rng(7)
    for shape in [(space.size,), (space.size, 3)]:
        v = random.uniform(0.1, 1, shape)
        found = space.kernel_product(epsilon, v)
        assert found.shape == shape
        np.testing.assert_allclose(found, dense @ v, rtol=1e-12)
    signed = random.normal(size=space.size)
    found = space.kernel_product(epsilon, signed)
    np.testing.assert_allclose(found, dense @ signed, atol=1e-12 * space.size)


@every_space
def test_a_description_gives_the_same_space(space: Space) -> None:
    document = json.loads(json.dumps(space.describe()))
    assert document == space.describe()
    again = space_from(document)
    assert again == space
    assert hash(again) == hash(space)
    assert list(again.points) == list(space.points)
    assert again.text == space.text


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_form_gives_the_same_space(text: str) -> None:
    space = parse(text)
    assert parse(space.text) == space
    assert parse(space.text).text == space.text
    assert hash(parse(space.text)) == hash(space)


def test_different_spaces_are_not_equal() -> None:
    assert sum(a == b for a in SPACES for b in SPACES) == len(SPACES)


@every_space
def test_neighbors_are_pairs_of_the_space_in_words(space: Space) -> None:
    neighbors = space.neighbors
    if neighbors is None:
        return
    assert neighbors.relation
    pairs = neighbors.pairs
    assert (pairs.first < pairs.second).all()
    assert len(set(pairs)) == len(pairs) > 0
