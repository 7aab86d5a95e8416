"""Every family against its definition in words."""

import random
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import ceil, comb, gcd, isqrt

import numpy as np
import pytest

from tests.spaces.samples import FAR, LINES, MATRIX, SQUARE, TOWNS, TREE, WEIGHTED, shortest
from tightrope.errors import BadSpace, NotAMetric, TooLarge
from tightrope.exact import Surd
from tightrope.spaces import (
    Graph,
    Metric,
    Space,
    categories,
    complete,
    coordinates,
    counts,
    cycle,
    grid,
    hamming,
    haversine,
    histogram,
    matrix,
    parse,
    path,
    points,
    product_max,
    product_sum,
    sets,
    space_from,
    star,
    sums,
)


def agrees(space: Space, distance: object) -> bool:
    """Whether the exact distances are those of the labels."""
    labels = list(space.points)
    return all(
        space.distance(i, j) == Surd.of(distance(labels[i], labels[j]))  # type: ignore[operator]
        for i in range(space.size)
        for j in range(space.size)
    )


def l1(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    return sum(abs(x - y) for x, y in zip(a, b, strict=True))


def test_a_path_holds_the_integers_between_its_ends() -> None:
    space = path(-2, 6)
    assert list(space.points) == list(range(-2, 7))
    assert agrees(space, lambda a, b: abs(a - b))
    assert space.neighbors.relation == "counts that differ by one"


@pytest.mark.parametrize(("people", "maximum"), [(1, 4), (4, 3), (10, 1)])
def test_a_sum_counts_the_people_who_can_explain_a_difference(people: int, maximum: int) -> None:
    space = sums(people=people, maximum=maximum)
    assert list(space.points) == list(range(people * maximum + 1))
    assert agrees(space, lambda a, b: ceil(Fraction(abs(a - b), maximum)))
    assert space.neighbors.relation == "one person's contribution changed"
    assert all(j - i <= maximum for i, j in space.neighbors.pairs)


def test_counts_move_together() -> None:
    space = counts(people=3, queries=2)
    assert list(space.points) == list(product(range(4), repeat=2))
    assert agrees(space, lambda a, b: max(abs(x - y) for x, y in zip(a, b, strict=True)))
    assert (space.index((0, 0)), space.index((1, 1))) in set(space.neighbors.pairs)


def test_a_histogram_keeps_its_people_under_replacement() -> None:
    space = histogram(people=4, cells=3)
    expected = sorted(c for c in product(range(5), repeat=3) if sum(c) == 4)
    assert list(space.points) == expected
    assert space.size == comb(6, 2)
    assert agrees(space, lambda a, b: Fraction(l1(a, b), 2))
    assert space.neighbors.relation == "one person replaced"


def test_a_histogram_grows_and_shrinks_under_add_remove() -> None:
    space = histogram(people=4, cells=3, neighbors="add-remove")
    expected = sorted(c for c in product(range(5), repeat=3) if sum(c) <= 4)
    assert list(space.points) == expected
    assert agrees(space, l1)
    assert space.neighbors.relation == "one person added or removed"
    assert all(l1(space.points[i], space.points[j]) == 1 for i, j in space.neighbors.pairs)


def test_a_grid_is_euclidean_unless_told() -> None:
    space = grid((3, 4), step="1/2")
    assert list(space.points) == list(product(range(3), range(4)))
    for i, j in combinations(range(12), 2):
        (a, b), (c, d) = space.points[i], space.points[j]
        assert space.distance(i, j) == Surd.root(Fraction((a - c) ** 2 + (b - d) ** 2, 4))
        assert ((i, j) in set(space.edges())) == (gcd(a - c, b - d) == 1)
    assert space.neighbors is None


@pytest.mark.parametrize("metric", ["manhattan", Metric.CHEBYSHEV])
def test_neighbors_of_a_grid_are_one_step_apart(metric: str | Metric) -> None:
    space = grid((3, 4), step=Fraction(1, 3), metric=metric)
    unit = {(i, j) for i, j in combinations(range(12), 2) if space.distance(i, j) == Surd.of("1/3")}
    assert set(space.neighbors.pairs) == unit
    assert len(unit) == (17 if metric == "manhattan" else 29)
    assert space.neighbors.relation == "cells one step apart"


def test_databases_are_apart_by_the_people_who_differ() -> None:
    space = hamming(values=3, people=3)
    assert list(space.points) == list(product(range(3), repeat=3))
    assert agrees(space, lambda a, b: sum(x != y for x, y in zip(a, b, strict=True)))
    assert space.neighbors.relation == "one person's value changed"


def test_subsets_come_in_the_order_of_their_bit_mask() -> None:
    space = sets(4)
    labels = [tuple(k for k in range(4) if mask >> k & 1) for mask in range(16)]
    assert list(space.points) == labels
    assert agrees(space, lambda a, b: len(set(a) ^ set(b)))
    with pytest.raises(BadSpace):
        space.index((2, 1))
    with pytest.raises(BadSpace):
        space.index((1, 1))


def test_categories_are_all_at_distance_one() -> None:
    space = categories(["red", "green", "blue"])
    assert list(space.points) == ["red", "green", "blue"]
    assert agrees(space, lambda a, b: int(a != b))
    assert set(space.neighbors.pairs) == {(0, 1), (0, 2), (1, 2)}
    assert list(categories(3).points) == [0, 1, 2]
    assert categories(3).describe() == {"family": "categories", "values": [0, 1, 2]}
    assert space.neighbors.relation == "any two values"


@pytest.mark.parametrize("nodes", [2, 3, 6, 7])
def test_small_graphs_have_shortest_paths(nodes: int) -> None:
    one = Fraction(1)
    around = [(i, (i + 1) % nodes, one) for i in range(nodes)]
    hub = [(0, i, one) for i in range(1, nodes)]
    full = [(i, j, one) for i, j in combinations(range(nodes), 2)]
    for space, links in [(cycle(nodes), around), (star(nodes - 1), hub), (complete(nodes), full)]:
        table = shortest(nodes, links)
        assert agrees(space, lambda a, b, table=table: table[a][b])
        assert set(space.neighbors.pairs) == {(min(i, j), max(i, j)) for i, j, _ in links}


@pytest.mark.parametrize("space", [WEIGHTED, TREE, SQUARE])
def test_graphs_have_shortest_paths(space: Space) -> None:
    links = [(i, j, Fraction(length)) for i, j, length in space.describe()["edges"]]
    table = shortest(space.size, links)
    for i in range(space.size):
        assert all(space.distance(i, j) == Surd.of(table[i][j]) for j in range(space.size))
    tight = {(i, j) for i, j, length in links if length == table[i][j]}
    assert set(space.neighbors.pairs) == tight
    assert space.neighbors.relation == "adjacent nodes"


def test_a_link_beside_a_path_of_the_same_length_is_a_neighbor_but_no_edge() -> None:
    assert (0, 2) in set(WEIGHTED.neighbors.pairs)
    assert (0, 2) not in set(WEIGHTED.edges())
    assert (2, 4) not in set(WEIGHTED.neighbors.pairs)


@pytest.mark.parametrize("space", [WEIGHTED, TREE, SQUARE])
def test_large_graphs_are_searched_in_blocks_of_rows(
    space: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = np.arange(space.size)
    lengths = space.lengths(every[:, None], every[None, :])
    monkeypatch.setattr("tightrope.spaces.graphs._WHOLE_TABLE", 4)
    again = space_from(space.describe())
    assert np.array_equal(again.lengths(every[:, None], every[None, :]), lengths)
    assert np.array_equal(again.lengths(every, every[:1]), lengths[0])
    assert again.edges() == space.edges()
    assert again.neighbors.pairs == space.neighbors.pairs
    assert again.diameter == space.diameter
    assert again.distance(0, 5) == space.distance(0, 5)


def test_points_have_exact_euclidean_distances() -> None:
    assert LINES.distance(0, 1) == Surd.root("1/2")
    assert LINES.neighbors is None
    assert (1, 3) not in set(LINES.edges())  # point 0 lies between them
    assert FAR.distance(1, 3) == Surd.of("1/1000000")


def test_towns_are_whole_millimeters_apart() -> None:
    assert TOWNS.describe()["family"] == "matrix"
    meters = TOWNS.distance(0, 1).rational
    assert 1_100_000 < meters < 1_110_000
    assert (1000 * meters).denominator == 1
    near = haversine(["a", "b", "c"], [(0, 0), (0, "1e-9"), (0, 180)], unit="mm")
    assert near.distance(0, 1) == Surd.of(1)
    assert 0 <= float(near.distance(0, 2)) - np.pi * 6_371_008_800 <= 1


def test_a_unit_scales_distances_and_is_said() -> None:
    labels, places = ["a", "b"], [(0, 0), (0, 1)]  # a degree of the equator: 111,195 m
    found = {unit: haversine(labels, places, unit=unit) for unit in ("mm", "m", "km")}
    lengths = {unit: space.distance(0, 1).rational for unit, space in found.items()}
    assert lengths["mm"] == 1000 * lengths["m"] == 1_000_000 * lengths["km"]
    assert float(lengths["m"]) == pytest.approx(np.pi / 180 * 6_371_008.8, abs=1e-3)
    for unit, space in found.items():
        assert space.text.endswith(f"distances in {unit}")
        assert space_from(space.describe()).text == space.text
    assert haversine(labels, places).text == found["m"].text
    with pytest.raises(BadSpace, match="expected a unit of mm, m, km"):
        haversine(labels, places, unit="mile")


def test_a_metric_missed_by_rounding_is_told_by_how_much_and_can_be_repaired() -> None:
    rows = [[0, 0.1, 0.30000000000000004], [0.1, 0, 0.2], [0.30000000000000004, 0.2, 0]]
    way = Fraction(0.1) + Fraction(0.2)  # doubles are the numbers that they are
    off = float((Fraction(0.30000000000000004) - way) / Fraction(0.30000000000000004))
    with pytest.raises(NotAMetric, match=rf"by a relative {off:.1e} at most.*repair=shortest"):
        matrix("abc", rows)
    found = matrix("abc", rows, repair=True)
    assert [found.distance(*pair).rational for pair in ((0, 1), (1, 2), (0, 2))] == [
        Fraction(0.1), Fraction(0.2), way
    ]
    with pytest.raises(NotAMetric, match=r"both directions differ, by a relative 5\.0e-01"):
        matrix("ab", [[0, 2], [1, 0]])
    assert matrix("ab", [[0, 2], [1, 0]], repair=True).distance(0, 1) == Surd.of(1)
    with pytest.raises(NotAMetric, match="negative"):
        matrix("ab", [[0, -2], [-2, 0]], repair=True)


@pytest.mark.parametrize("seed", range(5))
def test_repaired_distances_are_the_largest_metric_below(seed: int) -> None:
    source = random.Random(seed)
    size = 5
    rows = [[Fraction(source.randrange(1, 40), 7) if i != j else Fraction(0) for j in range(size)]
            for i in range(size)]
    found = matrix(range(size), rows, repair=True)
    for i, j in permutations(range(size), 2):
        ways = [rows[a][b] for a, b in ((i, j), (j, i))]
        for length in range(1, size - 1):
            for middle in permutations([k for k in range(size) if k not in (i, j)], length):
                stops = (i, *middle, j)
                ways.append(sum(min(rows[a][b], rows[b][a]) for a, b in pairwise(stops)))
        assert found.distance(i, j).rational == min(ways)


def test_products_say_what_protects_a_person() -> None:
    parts = categories(["a", "b"]), categories(["c", "d"])
    total, larger = product_sum(*parts), product_max(*parts)
    assert list(total.points) == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    assert total.distance(0, 3) == Surd.of(2)
    assert larger.distance(0, 3) == Surd.of(1)
    assert set(total.neighbors.pairs) == {(0, 1), (0, 2), (1, 3), (2, 3)}
    assert set(larger.neighbors.pairs) == set(combinations(range(4), 2))
    assert "differs in both is at distance 2" in total.neighbors.relation
    assert "differs in both is at distance 1" in larger.neighbors.relation
    assert product_sum(parts[0], grid((2, 2))).neighbors is None


def test_a_product_of_counts_under_the_maximum_is_counts() -> None:
    larger = parse("path:0..3 ^ path:0..3")
    assert set(larger.edges()) == set(counts(people=3, queries=2).edges())


def test_coordinates_are_the_numbers_that_labels_mean() -> None:
    assert coordinates(path(-1, 1)).tolist() == [[-1], [0], [1]]
    assert coordinates(sums(people=2, maximum=1)).tolist() == [[0], [1], [2]]
    assert coordinates(grid((1, 3), step="0.5")).tolist() == [[0, 0], [0, 0.5], [0, 1]]
    assert coordinates(histogram(people=1, cells=2)).tolist() == [[0, 1], [1, 0]]
    assert coordinates(counts(people=1, queries=1)).tolist() == [[0], [1]]
    assert coordinates(points("ab", [(1, "0.5"), (2, 2)])).tolist() == [[1, 0.5], [2, 2]]
    none = [complete(3), cycle(4), sets(2), hamming(values=2, people=2), star(2), MATRIX]
    assert all(coordinates(space) is None for space in none)
    assert coordinates(parse("path:0..1 * path:0..1")) is None


def test_one_distance_may_be_written_in_several_ways() -> None:
    rows = [["0", "1e0", "1"], ["1.0", "0", "2/2"], ["1", "1", "0"]]
    assert matrix("abc", rows) == matrix("abc", [[0, 1, 1], [1, 0, 1], [1, 1, 0]])


def test_a_matrix_that_is_no_metric_is_refused_with_its_points() -> None:
    with pytest.raises(NotAMetric, match="shorter than the direct one") as caught:
        matrix("abc", [[0, 1, 3], [1, 0, 1], [3, 1, 0]])
    assert caught.value.points == ("a", "b", "c")
    with pytest.raises(NotAMetric, match="both directions differ") as caught:
        matrix("abc", [[0, 1, 2], [1, 0, 1], [2, "1.01", 0]])
    assert caught.value.points == ("b", "c")
    with pytest.raises(NotAMetric, match="at distance 0") as caught:
        matrix("abc", [[0, 1, 1], [1, 0, 0], [1, 0, 0]])
    assert caught.value.points == ("b", "c")
    with pytest.raises(NotAMetric, match="from itself"):
        matrix("ab", [[0, 1], [1, "1e-9"]])
    with pytest.raises(NotAMetric, match="negative"):
        matrix("ab", [[0, -1], [-1, 0]])


def test_a_triangle_is_decided_exactly() -> None:
    third = Fraction(1, 3)
    rows = [[0, third, 1], [third, 0, 2 * third], [1, 2 * third, 0]]
    assert len(matrix("abc", rows).edges()) == 2
    above = Fraction(1) + Fraction(1, 10**40)
    with pytest.raises(NotAMetric):
        matrix("abc", [[0, third, above], [third, 0, 2 * third], [above, 2 * third, 0]])


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[0, 1]], "square"),
        ([[0, 1], [1]], "square"),
        ([[0, None], [1, 0]], "the distance between a and b is missing"),
        ([[0, ""], [1, 0]], "missing"),
        ([[0, float("nan")], [1, 0]], "missing"),
        ([[0, float("inf")], [1, 0]], "both directions differ"),
        ([[0, float("inf")], [float("inf"), 0]], "no two points are at a finite distance"),
        ([[0, float("-inf")], [1, 0]], "must be a number"),
        ([[0, "one"], ["one", 0]], "must be a number"),
        ([[0, [1]], [1, 0]], "must be a number"),
        ([[0, True], [True, 0]], "must be a number"),
        ([[0, "1e99999999"], [1, 0]], "must be a number"),
        ([["0", f"1/{2**900}"], [f"1/{3**600}", "0"]], "300 digits"),
    ],
)
def test_a_matrix_with_bad_entries_is_refused(rows: list[list[object]], words: str) -> None:
    with pytest.raises(BadSpace, match=words):
        matrix("ab", rows)  # type: ignore[arg-type]


def test_labels_are_distinct_and_of_the_kinds_documents_hold() -> None:
    square = [[0, 1], [1, 0]]
    with pytest.raises(BadSpace, match="distinct"):
        matrix(["a", "a"], square)
    with pytest.raises(BadSpace, match="label"):
        matrix(["a", 0.5], square)  # type: ignore[list-item]
    with pytest.raises(BadSpace, match="at least two"):
        matrix(["a"], [[0]])
    assert matrix([("a", 1), ("a", 2)], np.array(square)).index(["a", 2]) == 1


def test_points_are_at_different_places() -> None:
    with pytest.raises(BadSpace, match="the points a and c are at the same place"):
        points("abc", [("0.5",), (1,), ("1/2",)])
    with pytest.raises(BadSpace, match="2 coordinates"):
        points("abc", [(1, 2), (1, 3), (1,)])
    with pytest.raises(BadSpace, match="a coordinate of b must be a number"):
        points("ab", [(1, 2), (1, "x")])
    with pytest.raises(BadSpace, match="18 digits"):
        points("ab", [("1e-10",), ("1e12",)])
    with pytest.raises(BadSpace, match="one for each label"):
        points("ab", [])
    with pytest.raises(BadSpace, match="latitude"):
        haversine("ab", [(91, 0), (0, 0)])


HUGE = [
    ("grid:100000x100000", 10**10),
    ("hamming:values=10,people=1000", 10**1000),
    ("sets:5000", 2**5000),
    ("histogram:people=1000000,cells=40", comb(10**6 + 39, 39)),
    ("histogram:people=70,cells=30,neighbors=add-remove", comb(100, 30)),
    ("path:-1000000000000..1000000000000", 2 * 10**12 + 1),
    ("grid:100000000000x100000000000x100000000000", 10**33),
    ("complete:1000000000", 10**9),
    ("cycle:999999999999", 999999999999),
    ("grid:100000x100000 * hamming:values=10,people=10 ^ path:0..9".replace(" ^", " *"), 10**21),
]


@pytest.mark.parametrize(("text", "size"), HUGE, ids=[text for text, _ in HUGE])
def test_huge_spaces_answer_without_enumeration(text: str, size: int) -> None:
    space = parse(text)
    assert space.size == size
    for i in (0, 1, size // 3, size - 1):
        assert space.index(space.points[i]) == i
    assert space.least_distance == Surd.of(1)
    assert space.distance(0, size - 1) <= space.diameter
    far = np.array([0, 1, 2], dtype=np.int64), np.array([2, 1, 5], dtype=np.int64)
    exact = [float(space.distance(i, j)) for i, j in zip(*map(np.ndarray.tolist, far), strict=True)]
    np.testing.assert_allclose(space.lengths(*far), exact, rtol=1e-15)
    with pytest.raises(TooLarge, match="more than the limit"):
        space.edges()
    with pytest.raises(TooLarge, match="more than the limit"):
        space.kernel_product(0.5, np.ones(3))


def test_huge_euclidean_distances_are_exact() -> None:
    space = parse("grid:10000000000x10000000000")
    corner = space.size - 1
    side = 10**10 - 1
    assert space.diameter == space.distance(0, corner) == Surd.root(2 * side**2)
    found = space.lengths(np.array([0], dtype=object), np.array([corner], dtype=object))
    assert found[0] == pytest.approx(float(Surd.root(2 * side**2)), rel=1e-15)
    assert isqrt(2 * side**2) == int(found[0])


def test_too_many_pairs_are_refused_before_they_are_made() -> None:
    for text in [
        "grid:1000x1000",
        "sum:people=2,max=1000000",
        "complete:1000000",
        "counts:people=1,queries=20",
        "grid:1000x1000 ^ path:0..1",
    ]:
        with pytest.raises(TooLarge, match="the number of pairs to list"):
            parse(text).edges()


@pytest.mark.slow
def test_a_million_cells_multiply_in_seconds() -> None:
    space = parse("grid:1000x1000")
    total = space.kernel_product(1.0, np.ones(space.size))
    center = total.reshape(1000, 1000)[500, 500]
    reach = np.arange(-60, 61)
    expected = np.exp(-np.hypot(reach[:, None], reach[None, :])).sum()
    assert center == pytest.approx(expected, rel=1e-12)
