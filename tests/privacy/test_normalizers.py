"""Kernel mechanisms: normalizers decide as the written-out matrix does."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import ends_within
from tests.privacy.brute import (
    check_witness,
    delta_by_subsets,
    has_level,
    level_of,
    plain_lengths,
    steeper,
    steepest,
)
from tightrope.exact import Level, Surd
from tightrope.mechanisms import KernelMechanism, TableMechanism
from tightrope.privacy import Refutation, smallest_level, verify
from tightrope.privacy.normalizers import KernelSpot
from tightrope.privacy.normalizers import steeper as kernel_steeper
from tightrope.spaces import (
    categories,
    complete,
    counts,
    cycle,
    graph,
    hamming,
    matrix,
    path,
    product_sum,
    star,
    sums,
)

HAIR = 1 - Fraction(1, 10**60)
SPACES = [
    path(0, 1), path(0, 4), categories(2), categories(3), complete(4), cycle(5), star(3),
    hamming(values=2, people=2), sums(people=2, maximum=2), counts(people=1, queries=2),
    product_sum(path(0, 1), categories(3)),
    graph("abcd", [(0, 1, "1/2"), (1, 2, "3/2"), (2, 3, "1"), (0, 3, "5/2")]),
    matrix("xyz", [["0", "2", "2"], ["2", "0", "2"], ["2", "2", "0"]]),
]
ratios = st.fractions(min_value=Fraction(11, 10), max_value=6, max_denominator=10)


@st.composite
def kernels(draw, space):
    """Weights with zeros, equal ones, and single ones."""
    kind = draw(st.sampled_from(["any", "any", "equal", "single", "two", "steep"]))
    n = space.size
    if kind == "any":
        weights = [draw(st.fractions(min_value=0, max_value=4, max_denominator=4))
                   for _ in range(n)]
        weights[draw(st.integers(0, n - 1))] += Fraction(1, 2)
    elif kind == "equal":
        weights = [Fraction(1)] * n
    elif kind == "steep":
        weights = [Fraction(1, 7**i) for i in range(n)]
    else:
        weights = [Fraction(0)] * n
        for _ in range(1 if kind == "single" else 2):
            weights[draw(st.integers(0, n - 1))] = draw(st.sampled_from([Fraction(1), Fraction(3)]))
    unit = Fraction(1, 2) if "graph" in space.text else draw(st.sampled_from([Fraction(1)] * 3))
    return KernelMechanism(space, draw(ratios), unit, tuple(weights))


def by_definition(kernel):
    """Rows and distances of a kernel from nothing but distances."""
    space, n = kernel.space, kernel.space.size
    table = [[space.distance(i, j).rational for j in range(n)] for i in range(n)]
    rows = []
    for line in table:
        values = [w * kernel.ratio ** -int(d / kernel.unit)
                  for w, d in zip(kernel.weights, line, strict=True)]
        rows.append(tuple(value / sum(values) for value in values))
    return rows, table


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.text)
@settings(derandomize=True, deadline=None, max_examples=25)
@given(data=st.data())
def test_a_kernel_is_judged_as_its_rows_are(space, data):
    kernel = data.draw(kernels(space))
    rows, table = by_definition(kernel)
    level = Level.ratio(data.draw(ratios))
    found = verify(kernel, space, level)
    assert found.holds == has_level(rows, plain_lengths(table), level)
    if isinstance(found, Refutation):
        check_witness(found, kernel.matrix(), plain_lengths(table))
    else:
        assert found.evidence == "kernel"


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.text)
@settings(derandomize=True, deadline=None, max_examples=25)
@given(data=st.data())
def test_the_smallest_level_of_a_kernel_is_that_of_its_rows(space, data):
    kernel = data.draw(kernels(space))
    rows, table = by_definition(kernel)
    steep = steepest(rows, table)
    found = smallest_level(kernel, space)
    written = smallest_level(kernel.matrix(), space)
    if steep[0] == 1:
        assert (found.lower, found.upper) == (written.lower, written.upper) == (0, 0)
        return
    level = level_of(steep)
    assert found.exact.compare_level(level) == 0
    assert written.exact.compare_level(level) == 0
    assert verify(kernel, space, level).smallest.exact.compare_level(level) == 0
    if steep[0] * HAIR > 1:
        assert not verify(kernel, space, level_of(steep, HAIR)).holds


@pytest.mark.parametrize("space", [path(0, 3), categories(3), star(3)], ids=lambda s: s.text)
@settings(derandomize=True, deadline=None, max_examples=15)
@given(data=st.data())
def test_a_kernel_with_delta_is_judged_as_its_rows_are(space, data):
    kernel = data.draw(kernels(space))
    rows, _ = by_definition(kernel)
    ratio = data.draw(ratios)
    exact = max(delta_by_subsets(rows[a], rows[b], ratio)
                for i, j in space.neighbors.pairs for a, b in ((i, j), (j, i)))
    if not 0 < exact < 1:
        return
    assert verify(kernel, space, Level.ratio(ratio, delta=exact)).holds
    below = verify(kernel, space, Level.ratio(ratio, delta=exact * HAIR))
    assert not below.holds
    lengths = plain_lengths(by_definition(kernel)[1])
    check_witness(below, kernel.matrix(), lengths)


def test_a_kernel_on_another_space_is_judged_by_that_space():
    kernel = KernelMechanism(path(0, 2), Fraction(2), Fraction(1), (Fraction(1),) * 3)
    rows, _ = by_definition(kernel)
    ones = [[Fraction(int(i != j)) for j in range(3)] for i in range(3)]
    level = level_of(steepest(rows, ones))
    assert smallest_level(kernel, categories(3)).exact.compare_level(level) == 0
    assert verify(kernel, categories(3), level).holds


def test_thousands_of_categories_are_decided_by_two_normalizers():
    n = 20_000
    weights = (Fraction(1),) * (n - 1) + (Fraction(1, 2),)
    kernel = KernelMechanism(categories(n), Fraction(3), Fraction(1), weights)
    total = n - 1 + Fraction(1, 2)
    least, most = (w + (total - w) / 3 for w in (Fraction(1, 2), Fraction(1)))
    with ends_within(60):
        found = smallest_level(kernel, kernel.space)
    assert found.exact.compare_level(Level.ratio(3 * most / least)) == 0


def test_a_table_has_the_level_of_its_base():
    base = KernelMechanism(categories(3), Fraction(2), Fraction(1), (Fraction(1),) * 3)
    table = TableMechanism(base, 1000)
    for level in (Level.ratio(2), Level.ratio("1.99"), Level.ratio("1.5", delta="1/8"),
                  Level.ratio("1.5", delta="1/9")):
        one, all_rows = (verify(m, base.space, level) for m in (base, table))
        assert one.holds == all_rows.holds
        assert type(one) is type(all_rows)
    assert smallest_level(table, base.space).exact == Level.ratio(2)


@pytest.mark.parametrize(
    ("space", "unit"),
    [(categories(3), 1), (path(0, 2), 1), (graph("abc", [(1, 2, "1/2"), (0, 2, "3/2")]), "1/2"),
     (graph("abc", [(1, 2, "3"), (0, 2, "3"), (0, 1, "3")]), 1)],
    ids=lambda held: getattr(held, "text", held),
)
def test_kernels_of_all_small_weights_are_judged_on_both_sides(space, unit):
    for weights in product((0, 1, 7), repeat=3):
        if not any(weights):
            continue
        held = tuple(map(Fraction, weights))
        kernel = KernelMechanism(space, Fraction(3, 2), Fraction(unit), held)
        rows, table = by_definition(kernel)
        steep = steepest(rows, table)
        found = smallest_level(kernel, space)
        if steep[0] == 1:
            assert (found.lower, found.upper, found.exact) == (0, 0, Level.of(0))
            assert verify(kernel, space, 0).holds
            assert verify(kernel, space, Level.ratio(2 - HAIR)).holds
            continue
        level = level_of(steep)
        assert found.exact.compare_level(level) == 0
        at = verify(kernel, space, level)
        assert at.holds
        assert at.smallest.exact.compare_level(level) == 0
        assert verify(kernel, space, level_of(steep, 2 - HAIR)).holds
        for hair in (HAIR, 1 - Fraction(1, 10**17), 1 - Fraction(1, 10**9)):
            below = verify(kernel, space, level_of(steep, hair))
            assert not below.holds
            check_witness(below, kernel.matrix(), plain_lengths(table))


@pytest.mark.parametrize("hair", [Fraction(0), *(Fraction(s, 10**d) for d in (9, 40, 60, 90)
                                                 for s in (1, -1))])
def test_slopes_that_agree_to_many_digits_are_told_apart(hair):
    def spot(ratio, distance):
        return KernelSpot(0, 1, Surd.of(distance), 6 * ratio.numerator, 6 * ratio.denominator, True)

    half = Fraction(1, 2)
    for base, d, e in ((Fraction(2), 1, 3), (3 * half, half, 2), (Fraction(1), 1, 2)):
        one = base ** int(2 * d) * (1 + hair), Fraction(d)
        other = base ** int(2 * e), Fraction(e)
        for left, right in ((one, other), (other, one)):
            if min(left[0], right[0]) >= 1:
                assert kernel_steeper(spot(*left), spot(*right)) == steeper(left, right)
