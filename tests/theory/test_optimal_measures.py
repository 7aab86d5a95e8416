"""The most telling mechanisms against exact programs, brute force and random mechanisms."""

import random
from fractions import Fraction
from itertools import combinations, product
from math import log2

import pytest

from tests.crosschecks.exact_programs import exact_optimum
from tightrope.constructions import randomized_response
from tightrope.documents import inspect
from tightrope.errors import BadInput, Infeasible, Refused, TooLarge
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism, finite
from tightrope.privacy import verify
from tightrope.spaces import categories, complete, cycle, graph, matrix, parse, path, star
from tightrope.theory import generalize, max_measure_given_level
from tightrope.theory.polytope.rays import extreme_rays
from tightrope.utility import determinant, mutual_information

F = Fraction
HALF = (F(1, 2), F(1, 2))


def table_of(space):
    size = range(space.size)
    return [[int(space.distance(i, j).rational) for j in size] for i in size]


def rays_by_hand(space):
    """Every integer height with connected ties, one by one."""
    d, size = table_of(space), space.size
    far = max(map(max, d))
    found = set()
    for heights in product(range(far * (size - 1) + 1), repeat=size):
        if min(heights) or any(heights[i] - heights[j] > d[i][j]
                               for i, j in product(range(size), repeat=2)):
            continue
        joined, more = {0}, True
        while more:
            more = {j for i in joined for j in range(size)
                    if j not in joined and abs(heights[i] - heights[j]) == d[i][j]}
            joined |= more
        if len(joined) == size:
            found.add(heights)
    return found


@pytest.mark.parametrize("space", [
    path(0, 3), complete(4), cycle(4), star(3),
    matrix("abc", [[0, 1, 2], [1, 0, 2], [2, 2, 0]]),
    matrix("abc", [[0, 1, 3], [1, 0, 2], [3, 2, 0]]),
], ids=str)
def test_extreme_rays_are_all_heights_with_connected_ties(space):
    assert {tuple(map(int, ray)) for ray in extreme_rays(space)} == rays_by_hand(space)


@pytest.mark.parametrize("space", [
    path(0, 3), path(0, 2), cycle(5), star(3), complete(3),
    matrix("abc", [[0, 1, 2], [1, 0, 2], [2, 2, 0]]),
    matrix("abcd", [[0, 2, 2, 3], [2, 0, 2, 1], [2, 2, 0, 1], [3, 1, 1, 0]]),
], ids=str)
def test_the_best_overlap_is_that_of_the_best_test_between_two_inputs(space):
    ratio = F(2)
    found = max_measure_given_level(space, Level.ratio(2), "dobrushin")
    # With prior 1/2, 1/2 a test of u against v errs at least as often as half their overlap.
    least = []
    for u, v in combinations(range(space.size), 2):
        prior = [F(int(i in (u, v)), 2) for i in range(space.size)]
        costs = [[F(0), F(int(i == u))] if i != v else [F(1), F(0)] for i in range(space.size)]
        least.append(2 * exact_optimum(table_of(space), ratio, prior, costs))
    assert found.value == found.bound == -min(least)
    rows = [found.certified.mechanism.row_at(i) for i in range(space.size)]
    overlaps = [sum(map(min, p, q)) for p, q in combinations(rows, 2)]
    assert -min(overlaps) == found.value


def random_mechanism(source, space, level):
    """A mechanism at the level: a flat one, shaken and made general."""
    size = space.size
    rows = [[F(1, 2) + F(source.randrange(-3, 4), 40)] for _ in range(size)]
    table = [[p, 1 - p] for (p,) in rows]
    start = MatrixMechanism(space, (0, 1), Weights.from_fractions(table))
    return generalize(start, level).certified.mechanism


@pytest.mark.parametrize("space", [path(0, 3), complete(4), cycle(4)], ids=str)
def test_no_mechanism_tells_more_than_the_bound(space):
    source, level = random.Random(41), Level.ratio(3)
    weights = [F(k + 1, 10) for k in range(4)]
    best = max_measure_given_level(space, level, "mutual-information", prior=weights)
    assert best.gap < 1e-20
    assert verify(best.certified.mechanism, space, level).holds
    told = mutual_information(finite(best.certified.mechanism), weights)
    assert abs(told - float(best.value)) < 1e-12
    for _ in range(15):
        other = random_mechanism(source, space, level)
        assert mutual_information(other, weights) <= float(best.bound) + 1e-12
    assert told >= mutual_information(finite(randomized_response(complete(4), level).mechanism),
                                      weights) - 1e-12 or space != complete(4)


def test_two_values_are_told_best_by_randomized_response():
    p = F(3, 4)
    entropy = -float(p) * log2(p) - float(1 - p) * log2(1 - p)
    found = max_measure_given_level("categories:2", Level.ratio(3), "mutual-information")
    assert abs(float(found.value) - (1 - entropy)) < 1e-15
    for measure, value in (("determinant", F(1, 2)), ("dobrushin", F(-1, 2))):
        found = max_measure_given_level("categories:2", Level.ratio(3), measure)
        assert found.value == found.bound == value


def test_a_determinant_lies_between_its_bounds():
    source, level = random.Random(42), Level.ratio(2)
    for space in (path(0, 2), complete(3), star(2)):
        found = max_measure_given_level(space, level, "determinant")
        assert found.value == determinant(finite(found.certified.mechanism)) <= found.bound
        for _ in range(20):
            made = random_mechanism(source, space, level)
            columns = list(zip(*(made.row_at(i) for i in range(3)), strict=True))
            while len(columns) > 3:  # join two outputs at random
                columns.append(tuple(map(sum, zip(columns.pop(0), columns.pop(0), strict=True))))
                source.shuffle(columns)
            if len(columns) < 3:
                continue
            (a, b, c), (d, e, f), (g, h, i) = columns
            size = abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
            assert size <= found.value <= found.bound


def test_the_geometric_mechanism_has_the_best_determinant_of_rays_on_a_path():
    # (1 - q)^(2n - 3)/(1 + q) for n points and q = e^-ε, from the determinant of q^|i - j|
    q = F(1, 2)
    for n in (2, 3, 4):
        found = max_measure_given_level(path(0, n - 1), Level.ratio(2), "determinant")
        assert found.value == (1 - q) ** (2 * n - 3) / (1 + q)


def test_three_inputs_have_an_exact_determinant_that_rays_alone_miss():
    # rows (a, b, c): a stair on the path and what is left; 1/45 is the best of three rays
    found = max_measure_given_level(path(0, 2), Level.ratio("3/2"), "determinant")
    assert found.value == found.bound == F(1, 40)
    assert determinant(finite(found.certified.mechanism)) == F(1, 40)
    uneven = max_measure_given_level(path(0, 2), Level.epsilon("0.4"), "determinant")
    assert 0 < uneven.bound - uneven.value < F(1, 10**9)


@pytest.mark.parametrize("space", [path(0, 2), complete(3), graph("abc", [(0, 1, 2), (1, 2)])])
def test_no_grid_of_three_by_three_matrices_has_a_larger_determinant(space):
    """All matrices whose entries are multiples of 1/8, by the definition."""
    ratio = F(3)
    far = [[int(float(space.distance(i, j))) for j in range(3)] for i in range(3)]
    rows = [(F(a, 8), F(b, 8), F(8 - a - b, 8)) for a in range(9) for b in range(9 - a)]

    def near(p, q, d):
        return all(x <= ratio**d * y and y <= ratio**d * x for x, y in zip(p, q, strict=True))

    most = max(
        abs(p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0])
            + p[2] * (q[0] * r[1] - q[1] * r[0]))
        for p in rows for q in rows if near(p, q, far[0][1])
        for r in rows if near(p, r, far[0][2]) and near(q, r, far[1][2])
    )
    found = max_measure_given_level(space, Level.ratio(3), "determinant")
    assert 0 < most <= found.value == found.bound


def test_an_irrational_level_is_bracketed():
    for measure in ("dobrushin", "mutual-information"):
        found = max_measure_given_level(path(0, 3), Level.epsilon("0.5"), measure)
        assert 0 < found.bound - found.value < F(1, 10**9)
        assert verify(found.certified.mechanism, path(0, 3), Level.epsilon("0.5")).holds


@pytest.mark.parametrize(("space", "level", "measure", "error"), [
    ("path:0..3", Level.ratio(2, "1/10"), "dobrushin", Refused),
    ("path:0..3", Level.ratio(2), "usefulness", BadInput),
    ("grid:3x3", Level.ratio(2), "mutual-information", BadInput),
    ("grid:2x2,step=0.5,metric=manhattan", Level.epsilon(1), "mutual-information", BadInput),
    ("path:0..30", Level.ratio(2), "mutual-information", TooLarge),
    ("path:0..9", Level.ratio(2), "determinant", TooLarge),
    ("grid:20x20", Level.ratio(2), "dobrushin", TooLarge),
])
def test_what_cannot_be_proved_is_refused(space, level, measure, error):
    with pytest.raises(error):
        max_measure_given_level(parse(space), level, measure)


def test_a_disconnected_relation_has_no_best_measure():
    with pytest.raises((BadInput, Infeasible, Refused)):
        max_measure_given_level(graph("abc", [(0, 1)]), Level.ratio(2), "dobrushin")


@pytest.mark.parametrize("measure", ["mutual-information", "determinant"])
def test_levels_beyond_doubles_are_refused(measure):
    with pytest.raises(TooLarge, match="ε times the diameter"):
        max_measure_given_level("path:0..3", 2000, measure)


def test_the_bound_on_a_determinant_takes_the_links_of_a_shortest_tree():
    """(q - 1)/(q + 1) for each of three links of length 1, and one of length 2 at q = 4."""
    assert max_measure_given_level("path:0..3", "ln(2)", "determinant").bound == F(1, 27)
    longer = graph("abcd", [(0, 1), (1, 2), (2, 3, 2)])
    assert max_measure_given_level(longer, "ln(2)", "determinant").bound == F(3, 45)


@pytest.mark.parametrize(("space", "low", "high"), [
    (path(0, 1), 1 / 3, 1 / 3),  # (2 - 1)/(2 + 1), twice two thirds and a third
    (categories(3), 1 / 16, 1 / 16),  # 2 1 1 over 4: randomized response
    (categories(4), 1 / 125, 1 / 27),  # 2 1 1 1 over 5; at most 1/3 for each of three links
], ids=lambda x: getattr(x, "text", ""))
def test_the_best_determinant_is_enclosed(space, low, high):
    """|det| of randomized response at e^ε = 2 on m values is 1/(m + 1)^m times (m + 1)."""
    spread = [[Fraction(1 + (i == j), space.size + 1) for j in range(space.size)]
              for i in range(space.size)]
    own = inspect(MatrixMechanism.of(spread, space)).determinant
    best = max_measure_given_level(space, Level.ratio(2), "determinant").facts().json
    assert own == pytest.approx((space.size + 1) ** (1 - space.size))
    assert best["value"] >= low * (1 - 1e-12)
    assert best["bound"] == pytest.approx(high)
    assert own <= best["bound"]


def test_a_space_with_too_many_rays_is_told_the_limit_that_it_passed():
    with pytest.raises(TooLarge) as refused:
        extreme_rays(path(0, 300))
    number, most = refused.value.args[0].split(" is ")[1].split(", more than the limit of ")
    assert int(number.replace(",", "")) > int(most.split(";")[0].replace(",", ""))
