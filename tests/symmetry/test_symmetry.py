"""Symmetries against brute force: isometries, groups, orbits, averages."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.spaces.samples import SPACES, distances
from tightrope.exact import IntArray, tolerances
from tightrope.spaces import (
    Space,
    coordinates,
    graph,
    grid,
    matrix,
    parse,
    path,
    points,
    product_sum,
)
from tightrope.symmetry import Symmetry, orbits, preserving, symmetries
from tightrope.symmetry import automorphisms as searching

Move = tuple[int, ...]

CHORD = graph(range(4), [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2, 2)])  # a declared pair at 2
TWINS = graph(range(8), [(0, 1), (0, 2), (0, 3), (0, 4), (4, 5), (4, 6), (4, 7)])
PRISM = points(range(6), [(x, y, z) for x, y in [(0, 0), (2, 0), (0, 2)] for z in (0, 7)])
SMALL = [
    s for s in [*SPACES, parse("hamming:values=2,people=5"), CHORD, TWINS, PRISM] if s.size <= 60
]


def closure(generators: Iterable[IntArray], size: int) -> set[Move]:
    """All elements of a group, one by one."""
    letters = [tuple(g.tolist()) for g in generators]
    found = {tuple(range(size))}
    border = list(found)
    while border:
        border = [tuple(g[i] for i in word) for word in border for g in letters]
        border = [word for word in set(border) if word not in found]
        found |= set(border)
    return found


def labels_of(group: Iterable[Move], size: int) -> list[int]:
    """Orbits by asking every element of the group."""
    least = [min(move[i] for move in group) for i in range(size)]
    names = {head: k for k, head in enumerate(sorted(set(least)))}
    return [names[head] for head in least]


def moved_along(symmetry: Symmetry) -> list[tuple[IntArray, IntArray]]:
    """All elements of the group of a symmetry, as pairs of permutations."""
    n = symmetry.inputs
    both = [np.concatenate([g, n + h]) for g, h in symmetry.generators]
    group = [np.array(move) for move in closure(both, n + symmetry.outputs)]
    return [(move[:n], move[n:] - n) for move in group]


def uniform(size: int) -> np.ndarray:
    return np.full(size, 1 / size)


def far(space: Space) -> np.ndarray:
    """Squared Euclidean losses of the points as outputs, exact for whole coordinates."""
    where = coordinates(space)
    return ((where[:, None] - where[None]) ** 2).sum(axis=2)


@pytest.mark.parametrize("space", SMALL, ids=lambda space: space.text)
def test_every_generator_keeps_every_distance_and_every_declared_neighbor(space):
    table = distances(space)
    declared = set(space.neighbors.pairs) if space.neighbors else set()
    for g in symmetries(space):
        assert sorted(g.tolist()) == list(range(space.size))
        assert all(table[g[i]][g[j]] == table[i][j] for i, j in combinations(range(space.size), 2))
        assert {(min(g[i], g[j]), max(g[i], g[j])) for i, j in declared} == declared


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("path:0..6", 2),
        ("sum:people=3,max=2", 2),
        ("counts:people=3,queries=2", 8),
        ("grid:3x3", 8),
        ("grid:3x4", 4),
        ("grid:2x2x2,metric=manhattan", 48),
        ("grid:1x3x1x3,metric=chebyshev", 8),
        ("histogram:people=3,cells=3", 6),
        ("histogram:people=2,cells=4,neighbors=add-remove", 24),
        ("histogram:people=4,cells=1,neighbors=add-remove", 2),
        ("hamming:values=2,people=4", 384),
        ("hamming:values=3,people=2", 72),
        ("sets:3", 48),
        ("categories:a/b/c/d/e", 120),
        ("complete:4", 24),
        ("cycle:8", 16),
        ("cycle:2", 2),
        ("star:1", 2),
        ("star:5", 120),
        ("path:0..2 * path:0..2", 8),
        ("path:0..2 * path:0..3", 4),
        ("path:0..2 * path:0..2 * path:0..2", 48),
        ("path:0..2 * (path:0..2 ^ path:0..2)", 16),
    ],
)
def test_the_group_of_a_family_is_as_large_as_it_should_be(text, order):
    space = parse(text)
    assert len(closure(symmetries(space), space.size)) == order


def test_spaces_of_more_than_ten_thousand_points_have_no_symmetries_written_out():
    assert symmetries(path(0, 10_000)) == ()
    assert symmetries(parse("hamming:values=2,people=500")) == ()
    assert len(symmetries(path(1, 10_000))) == 1
    assert len(symmetries(parse("categories:10000"))) == 2


def test_generators_cannot_be_changed():
    (turn,) = symmetries(path(0, 3))
    with pytest.raises(ValueError, match="read-only"):
        turn[0] = 0


@given(st.integers(2, 6), st.data())
def test_the_search_finds_all_automorphisms_of_small_tables(size, data):
    """Distances 2, 3 and 4 always make a metric."""
    table = np.zeros((size, size), dtype=np.int64)
    for i, j in combinations(range(size), 2):
        table[i, j] = table[j, i] = data.draw(st.sampled_from([2, 2, 2, 3, 4]))
    group = {
        move
        for move in permutations(range(size))
        if np.array_equal(table[np.ix_(move, move)], table)
    }
    space = matrix(range(size), table.tolist())
    assert closure(symmetries(space), size) == group


@pytest.mark.parametrize(
    ("space", "order"),
    [
        (CHORD, 4),
        (TWINS, 72),
        (PRISM, 4),
        (graph(range(10), [(i, j) for i in range(10) for j in range(i) if i // 2 != j // 2]), 3840),
        (points(range(9), [(x, y) for x in range(3) for y in range(3)]), 8),
    ],
    ids=["chord", "twins", "prism", "cocktail party", "square"],
)
def test_the_search_finds_groups_of_known_order(space, order):
    assert len(closure(symmetries(space), space.size)) == order


def test_the_search_finds_the_symmetries_of_a_torus_a_cube_and_a_set_without_structure():
    torus = [(20 * i + j, 20 * i + (j + 1) % 20) for i in range(20) for j in range(20)]
    torus += [(i, (i + 20) % 400) for i in range(400)]
    assert orbits(400, symmetries(graph(range(400), torus))).max() == 0
    cube = graph(range(256), [(i, i ^ bit) for i in range(256) for bit in (2**k for k in range(8))])
    assert orbits(256, symmetries(cube)).max() == 0
    equal = matrix(range(400), (1 - np.eye(400, dtype=int)).tolist())
    assert len(symmetries(equal)) == 2


def test_a_search_that_runs_out_of_work_returns_true_automorphisms(monkeypatch):
    pairs = np.arange(60) // 2
    table = np.where(pairs[:, None] == pairs, 1, 2) - np.eye(60, dtype=int)
    monkeypatch.setattr(searching, "_WORK", 5_000_000)
    found = searching.automorphisms(table)
    assert 0 < len(found) < 59
    assert all(np.array_equal(table[g][:, g], table) for g in found)


def test_spaces_too_large_to_search_have_no_symmetries():
    assert symmetries(points(range(401), [(x,) for x in range(401)])) == ()


@given(st.lists(st.permutations(range(7)), max_size=3))
def test_orbits_are_those_of_the_whole_group(generators):
    moves = [np.array(g) for g in generators]
    assert orbits(7, moves).tolist() == labels_of(closure(moves, 7), 7)


BOARDS = st.sampled_from(
    [
        parse("grid:3x3"),
        parse("grid:4x4"),
        parse("grid:2x3x2"),
        parse("path:0..5"),
        parse("histogram:people=2,cells=3"),
        product_sum(grid((2, 2)), grid((2, 2))),
    ]
)


@settings(max_examples=60)
@given(BOARDS, st.data())
def test_orbits_are_those_of_all_isometries_that_keep_prior_and_loss(space, data):
    n = space.size
    every = np.arange(n)
    loss = space.lengths(every[:, None], every)
    values = st.sampled_from([1, 1, 1, 2])
    seeds = np.array(data.draw(st.lists(values, min_size=n, max_size=n)))
    group = closure(symmetries(space), n)
    # a prior with some symmetry: the weights of a point and of its images, multiplied
    some = data.draw(st.sampled_from(sorted(group)))
    weight = np.prod([seeds[list(move)] for move in closure([np.array(some)], n)], axis=0)
    prior = weight / weight.sum()
    found = preserving(space, space.points, symmetries(space), prior=prior, loss=loss)
    keeping = [move for move in group if np.array_equal(prior[list(move)], prior)]
    assert found.input_orbits.tolist() == labels_of(keeping, n)
    assert found.output_orbits.tolist() == found.input_orbits.tolist()


@given(st.sampled_from(SMALL), st.integers(1, 5), st.sampled_from([0.0, 2.0**-40]), st.data())
def test_whatever_breaks_prior_or_loss_is_never_kept(space, outputs, slack, data):
    n = space.size
    prior = np.array(data.draw(st.lists(st.sampled_from([1, 1, 2]), min_size=n, max_size=n)))
    rows = st.lists(st.sampled_from([0.0, 1.0]), min_size=outputs, max_size=outputs)
    loss = np.array(data.draw(st.lists(rows, min_size=n, max_size=n)))
    found = preserving(
        space, range(outputs), symmetries(space), prior=prior / prior.sum(), loss=loss, slack=slack
    )
    for g, h in found.generators:
        assert np.array_equal(prior[g], prior)
        assert np.array_equal(loss[g][:, h], loss)
        assert sorted(h.tolist()) == list(range(outputs))


def test_a_half_turn_is_kept_where_both_reflections_are_lost():
    space = grid((4, 4))
    weight = np.arange(16).reshape(4, 4)
    prior = (weight + weight[::-1, ::-1] + 100.0 * (np.eye(4) > 0)).ravel()
    prior[[1, 14]] += 7
    found = preserving(space, space.points, symmetries(space), prior=prior, loss=far(space))
    assert [g.tolist() for g, _ in found.generators] == [list(range(15, -1, -1))]
    assert found.sizes.tolist() == [2] * 8


def test_outputs_that_are_not_the_points_are_moved_along():
    space = grid((4, 4))
    outputs = [(0, 0), (3, 3), (0, 3), (3, 0), (1, 1), (1, 1), (2, 2), (1, 2), (2, 1), (2, 2)]
    where, places = coordinates(space), np.array(outputs, dtype=np.float64)
    loss = ((where[:, None] - places[None]) ** 2).sum(axis=2)
    found = preserving(space, outputs, symmetries(space), prior=uniform(16), loss=loss)
    assert found.inputs == 16
    assert found.outputs == 10
    # cells (1, 1) and (2, 2) are offered twice, (1, 2) and (2, 1) once: reflections are lost
    assert found.output_orbits[:4].tolist() == [0, 0, 1, 1]
    assert len(set(found.output_orbits[7:9].tolist())) == 1
    few = loss[:, :4]
    even = preserving(space, outputs[:4], symmetries(space), prior=uniform(16), loss=few)
    assert even.sizes.tolist() == [4]
    assert len(np.unique(even.input_orbits)) == 3


def test_an_asymmetric_loss_leaves_no_symmetry():
    space = path(0, 9)
    gaps = np.subtract.outer(np.arange(10.0), np.arange(10.0))
    loss = np.where(gaps > 0, gaps, -2 * gaps)
    found = preserving(space, space.points, symmetries(space), prior=uniform(10), loss=loss)
    assert found.generators == ()
    assert found.sizes.tolist() == [1] * 10


def test_slack_forgives_rounding_and_nothing_else():
    space = grid((6, 6), step="1/10")
    loss = np.sqrt(far(space))
    given_symmetries = symmetries(space)
    exact = preserving(space, space.points, given_symmetries, prior=uniform(36), loss=loss)
    assert len(exact.sizes) > 6  # reflections change the last bit of some losses
    slack = tolerances.COMPARISON_MARGIN
    arguments = {"prior": uniform(36), "slack": slack}
    near = preserving(space, space.points, given_symmetries, loss=loss, **arguments)
    assert near.sizes.tolist() == [4, 8, 8, 4, 8, 4]
    loss[0, 1] *= 1 + 8 * slack * loss.max() / loss[0, 1]
    beyond = preserving(space, space.points, given_symmetries, loss=loss, **arguments)
    assert beyond.generators == ()


def test_a_prior_without_equal_values_leaves_no_symmetry():
    space = grid((32, 32))
    prior = 1.0 + np.arange(1024)
    found = preserving(
        space, space.points, symmetries(space), prior=prior, loss=np.zeros((1024, 1024))
    )
    assert found.generators == ()
    assert found.representatives.tolist() == list(range(1024))


@pytest.mark.parametrize(
    ("text", "inputs", "pairs"),
    [("grid:32x32", 136, 131_328), ("hamming:values=2,people=10", 1, 11)],
)
def test_a_thousand_points_fall_into_few_orbits(text, inputs, pairs):
    space = parse(text)
    every = np.arange(space.size)
    loss = space.lengths(every[:, None], every)
    found = preserving(space, space.points, symmetries(space), prior=uniform(space.size), loss=loss)
    assert len(found.representatives) == inputs
    assert sum(len(np.unique(row)) for row in found.fixing_orbits) == pairs
    assert len(found.generators) <= 3
    assert np.array_equal(found.spread(found.average(loss)), loss)


@st.composite
def problems(draw: st.DrawFn) -> Symmetry:
    """The symmetry of a space, or of a part of its points as outputs."""
    space = draw(
        st.sampled_from(
            [
                parse("path:0..4"),
                parse("grid:3x3"),
                parse("grid:2x3"),
                parse("cycle:6"),
                parse("hamming:values=2,people=3"),
                parse("categories:5"),
                parse("histogram:people=2,cells=3"),
                TWINS,
            ]
        )
    )
    every = np.arange(space.size)
    chosen = every
    if draw(st.booleans()):
        chosen = np.array(draw(st.lists(st.sampled_from(every.tolist()), min_size=1, max_size=6)))
    loss = space.lengths(every[:, None], chosen)
    return preserving(
        space,
        [space.points[z] for z in chosen],
        symmetries(space),
        prior=uniform(space.size),
        loss=loss,
    )


NUMBERS = st.integers(0, 1000).map(float)


@given(problems(), st.data())
def test_averages_are_those_over_all_elements_of_the_group(symmetry, data):
    n, m = symmetry.inputs, symmetry.outputs
    entries = data.draw(st.lists(NUMBERS, min_size=n * m, max_size=n * m))
    matrix_given = np.array(entries).reshape(n, m)
    group = moved_along(symmetry)
    whole = sum(matrix_given[np.ix_(g, h)] for g, h in group) / len(group)
    spread = symmetry.spread(symmetry.average(matrix_given))
    np.testing.assert_allclose(spread, whole, rtol=1e-12)
    for g, h in symmetry.generators:
        assert np.array_equal(spread[g][:, h], spread)


@given(problems(), st.data())
def test_settled_columns_spread_to_a_matrix_that_no_generator_changes(symmetry, data):
    n, count = symmetry.inputs, len(symmetry.representatives)
    entries = data.draw(st.lists(NUMBERS, min_size=n * count, max_size=n * count))
    columns = np.array(entries).reshape(count, n)
    settled = symmetry.settled(columns)
    spread = symmetry.spread(settled)
    assert np.array_equal(spread[:, symmetry.representatives], settled.T)
    for g, h in symmetry.generators:
        assert np.array_equal(spread[g][:, h], spread)
    for k, z in enumerate(symmetry.representatives):
        fixing = [g for g, h in moved_along(symmetry) if h[z] == z]
        np.testing.assert_allclose(
            settled[k], sum(columns[k][g] for g in fixing) / len(fixing), rtol=1e-12
        )
        least = np.min(fixing, axis=0)
        assert symmetry.fixing_orbits[k].tolist() == least.tolist()


@given(problems())
def test_orbits_of_inputs_and_outputs_are_those_of_all_elements_of_the_group(symmetry):
    group = moved_along(symmetry)
    moves = [tuple(g.tolist()) for g, _ in group], [tuple(h.tolist()) for _, h in group]
    assert symmetry.input_orbits.tolist() == labels_of(moves[0], symmetry.inputs)
    assert symmetry.output_orbits.tolist() == labels_of(moves[1], symmetry.outputs)
    assert symmetry.sizes.sum() == symmetry.outputs
    assert symmetry.output_orbits[symmetry.representatives].tolist() == list(
        range(len(symmetry.sizes))
    )


def test_without_generators_every_column_stands_for_itself():
    alone = Symmetry(3, 2)
    columns = np.arange(6.0).reshape(2, 3)
    assert alone.input_orbits.tolist() == [0, 1, 2]
    assert alone.fixing_orbits.tolist() == [[0, 1, 2]] * 2
    assert np.array_equal(alone.spread(columns), columns.T)
    assert np.array_equal(alone.average(columns.T), columns)
    assert np.array_equal(alone.settled(columns), columns)


def test_groups_too_large_to_list_are_averaged_over():
    space = parse("categories:40")
    loss = 1 - np.eye(40)
    found = preserving(space, space.points, symmetries(space), prior=uniform(40), loss=loss)
    weights = np.arange(1600.0).reshape(40, 40)
    (column,) = found.average(weights)
    assert factorial(40) > 10**47
    assert column[0] == pytest.approx(np.trace(weights) / 40)
    assert column[1:] == pytest.approx((weights.sum() - np.trace(weights)) / (40 * 39))
