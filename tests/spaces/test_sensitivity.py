"""Sensitivities and kinds of queries, against plain loops."""

from fractions import Fraction
from math import log

import pytest

from tightrope.constructions import privacy_first
from tightrope.errors import BadInput, NotAPoint
from tightrope.exact import Level, Surd
from tightrope.spaces import ceiling, grid, parse, path, query

BITS = parse("hamming:values=2,people=4")


def count(x):
    return sum(x)


def brute_local(f, x, t):
    """The largest change by one person, of datasets within t people of x."""
    far = [[sum(a != b for a, b in zip(p, q, strict=True)) for q in BITS.points]
           for p in BITS.points]
    values = [f(p) for p in BITS.points]
    return max(
        abs(values[y] - values[z])
        for y in range(BITS.size) if far[x][y] <= t
        for z in range(BITS.size) if far[y][z] <= 1
    )


@pytest.mark.parametrize("function", [count, lambda x: count(x) ** 2, lambda x: 16 * x[0] * x[1]])
def test_local_sensitivity_at_a_distance(function):
    f = query(BITS, path(0, 16), function)
    for x in (0, 3, 15):
        widths = [f.lengths[k] for k in f.ladder(x)]
        for t in range(5):
            assert f.local_sensitivity(x, t) == Surd.of(brute_local(function, x, t)) == widths[t]
    assert f.global_sensitivity == Surd.of(brute_local(function, 0, 4))


def test_a_query_is_linear_if_neighbors_move_it_alike_from_every_dataset():
    ring = parse("cycle:7")
    assert query(ring, ring, lambda x: (3 * x) % 7).is_linear
    assert not query(ring, ring, lambda x: x * x % 7).is_linear
    halves = query(path(0, 2), None, {0: 0, 1: 0.5, 2: 1})
    assert halves.uneven == (0, 1)  # by 0.5 either way from 1, upward only from 0
    assert not query(path(0, 2), "categories:a/b", {0: "a", 1: "b", 2: "a"}).is_linear


def test_a_sum_of_bounded_records_is_not_linear():
    # WXH, Corollary 1 would give it the level ε; from (0, 0) the sum only rises
    asked = query("hamming:values=3,people=2", None, "sum")
    assert not asked.is_linear
    assert asked.uneven == ((0, 0), (0, 1))
    assert asked.changes[0] == {(1,), (2,)}
    assert asked.changes[1] == {(-1,), (1,), (2,)}
    half = privacy_first(asked).exact_level(Fraction(2))
    assert half.upper > log(2)


@pytest.mark.parametrize("text", ["cycle:5", "cycle:8"])
def test_a_linear_query_has_the_level_of_corollary_1(text):
    ring = parse(text)
    asked = query(ring, ring, lambda x: x)
    assert asked.is_linear
    assert privacy_first(asked).exact_level(Fraction(2)).exact == Level.ratio(2)


def test_monotone_permutation_and_identity_are_recognized():
    line = path(0, 4)
    assert query(line, line, lambda x: x).is_identity
    flipped = query(line, line, lambda x: 4 - x)
    assert flipped.is_permutation
    assert not flipped.is_identity
    assert flipped.is_monotone
    assert not query(line, line, lambda x: (2 * x) % 5).is_monotone
    assert not query(line, line, lambda x: 0).is_permutation


def test_distances_are_rounded_up_exactly():
    assert ceiling(Surd.root(2) * 3, Surd.root(2)) == 3
    assert ceiling(Surd.root(18), Surd.root(2)) == 3
    assert ceiling(Surd.root(18), Surd.of(Fraction(17, 12))) == 3
    assert ceiling(Surd.of(0), Surd.of(1)) == 0


def test_values_outside_the_codomain_and_bad_measures_are_refused():
    with pytest.raises(NotAPoint):
        query(path(0, 3), path(0, 3), lambda x: x + 1)
    with pytest.raises(BadInput, match="measure"):
        query(path(0, 1), path(0, 1), lambda x: x, [Fraction(1)])
    with pytest.raises(BadInput, match="zero everywhere"):
        query(path(0, 1), path(0, 1), lambda x: x, [Fraction(0), Fraction(0)])


def test_euclidean_values_keep_square_roots():
    f = query(path(0, 2), grid((3, 3)), lambda x: (x, x))
    assert f.global_sensitivity == Surd.root(2)
