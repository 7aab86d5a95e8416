"""Sensitivities and kinds of queries, against plain loops."""

from fractions import Fraction

import pytest

from tightrope.errors import BadInput, BadSpace, NotAPoint
from tightrope.exact import Surd
from tightrope.spaces import batch, ceiling, grid, parse, path, query

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


def test_a_count_is_linear_and_a_square_is_not():
    people = path(0, 5)
    assert query(people, path(0, 15), lambda x: 3 * x).is_linear
    assert not query(people, path(0, 25), lambda x: x * x).is_linear
    cells = parse("histogram:people=3,cells=2,neighbors=add-remove")
    assert query(cells, path(0, 9), lambda x: x[0] + 3 * x[1]).is_linear
    assert not query(cells, path(0, 9), lambda x: x[0] * x[1]).is_linear


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
    with pytest.raises(BadSpace):
        batch(*(query(path(0, n), path(0, n), lambda x: x) for n in (1, 2)))


def test_euclidean_values_keep_square_roots():
    f = query(path(0, 2), grid((3, 3)), lambda x: (x, x))
    assert f.global_sensitivity == Surd.root(2)
