"""Surds: exact distances. Everything is checked by integer algebra."""

from fractions import Fraction
from functools import reduce
from math import isqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import length_of
from tightrope.exact import INFINITE, Surd
from tightrope.exact.surds import fraction_root

rationals = st.fractions(min_value=0, max_value=50, max_denominator=30)
factors = st.fractions(min_value=Fraction(1, 30), max_value=50, max_denominator=30)
lists_of_terms = st.lists(
    st.tuples(factors, st.fractions(min_value=0, max_value=60, max_denominator=12)), max_size=4
)


def total(terms):
    return reduce(lambda a, b: a + b, (Surd.root(r) * c for c, r in terms), Surd.of(0))


def root_sign(p, a, q, b):
    """The sign of p√a - q√b for non-negative rationals: compare squares."""
    left, right = p * p * a, q * q * b
    return (left > right) - (left < right)


def sum_sign(a, b, c):
    """The sign of √a + √b - √c: 2√(ab) against c - a - b."""
    rest = c - a - b
    if rest < 0:
        return 1
    return (4 * a * b > rest * rest) - (4 * a * b < rest * rest)


def agree(found, other, sign):
    assert (found < other) == (sign < 0)
    assert (found <= other) == (sign <= 0)
    assert (found > other) == (sign > 0)
    assert (found >= other) == (sign >= 0)
    assert (found == other) == (sign == 0)
    assert (found != other) == (sign != 0)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(rationals, rationals)
def test_rationals_compare_as_rationals(a, b):
    agree(Surd.of(a), Surd.of(b), (a > b) - (a < b))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(factors, rationals, factors, rationals)
def test_multiples_of_roots_compare_as_their_squares(p, a, q, b):
    agree(Surd.root(a) * p, Surd.root(b) * q, root_sign(p, a, q, b))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(rationals, rationals, rationals)
def test_a_sum_of_two_roots_compares_with_a_third(a, b, c):
    agree(Surd.root(a) + Surd.root(b), Surd.root(c), sum_sign(a, b, c))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_the_closest_third_root_is_told_apart(a, b):
    # (√a + √b)² = a + b + 2√(ab) lies between two neighboring integers, or is one
    square = a + b + isqrt(4 * a * b)
    for c in (square - 1, square, square + 1):
        agree(Surd.root(a) + Surd.root(b), Surd.root(c), sum_sign(a, b, c))


@settings(derandomize=True, deadline=None, max_examples=50)
@given(lists_of_terms, st.randoms(use_true_random=False))
def test_the_order_of_terms_does_not_matter(terms, random):
    shuffled = list(terms)
    random.shuffle(shuffled)
    assert total(terms) == total(shuffled)
    assert not total(terms) < total(shuffled)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(lists_of_terms, st.integers(1, 12))
def test_squares_move_in_and_out_of_the_root(terms, k):
    moved = [(c / k, r * k * k) for c, r in terms]
    assert total(terms) == total(moved)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(lists_of_terms, lists_of_terms)
def test_order_agrees_with_decimals_and_equality_with_algebra(one, other):
    left, right = total(one), total(other)
    gap = length_of(one, 120) - length_of(other, 120)
    if abs(gap) > 10**-100:
        agree(left, right, 1 if gap > 0 else -1)
    else:
        agree(left, right, 0)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(lists_of_terms, factors, lists_of_terms)
def test_multiplication_distributes_and_zero_vanishes(one, factor, other):
    left, right = total(one), total(other)
    assert (left + right) * factor == left * factor + right * factor
    assert left * 0 == Surd.of(0)
    assert left + Surd.of(0) == left


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Surd.root(8), Surd.root(2) * 2),
        (Surd.root(2) + Surd.root(8), Surd.root(18)),
        (Surd.root("1/2"), Surd.root(2) * Fraction(1, 2)),
        (Surd.root("9/4"), Surd.of("3/2")),
        (Surd.root(12) + Surd.root(27), Surd.root(75)),
        (Surd.root(0), Surd.of(0)),
        (Surd.root(2) * 0, Surd.of(0)),
        (Surd.root("2/9") + Surd.root("8/9"), Surd.root(2)),
        (Surd.root(10**40), Surd.of(10**20)),
        (Surd.root(2 * 10**40), Surd.root(2) * 10**20),
    ],
)
def test_equal_numbers_in_different_clothes(left, right):
    assert left == right
    assert not left < right
    assert left >= right


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        (Surd.root(10), Surd.root(2) + Surd.root(3)),
        (Surd.root(2) + Surd.root(3), Surd.root("9.9")),
        (Surd.root(10**60 - 1), Surd.of(10**30)),
        (Surd.of(10**30), Surd.root(10**60 + 1)),
        (Surd.of("1.41421356237309504880168872420969807856"), Surd.root(2)),
        (Surd.root(2), Surd.of("1.41421356237309504880168872420969807857")),
        (Surd.of(0), Surd.root(Fraction(1, 10**80))),
    ],
)
def test_close_numbers_are_told_apart(smaller, larger):
    if sum(c * c * r for c, r in smaller.terms) == 10:  # √10 = 3.1623 > √2 + √3 = 3.1463
        smaller, larger = larger, smaller
    agree(smaller, larger, -1)


def test_a_classic_near_coincidence_of_sums_of_roots():
    # √10 + √11 = 6.4789... and √5 + √18 = 6.4787...: they differ in the fifth digit
    agree(Surd.root(5) + Surd.root(18), Surd.root(10) + Surd.root(11), -1)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(rationals)
def test_a_root_is_rational_exactly_for_squares(value):
    assert fraction_root(value * value) == value
    assert Surd.root(value * value).rational == value
    found = fraction_root(value)
    assert found is None or found * found == value
    assert (found is None) == (Surd.root(value).rational is None)


def test_sums_of_irrational_numbers_are_never_called_rational():
    assert (Surd.root(2) + Surd.of(1)).rational is None
    assert (Surd.root(2) + Surd.root(3)).rational is None
    assert (Surd.of("1/2") + Surd.of("1/3")).rational == Fraction(5, 6)


def test_negative_numbers_are_no_distances():
    for make in (Surd.of, Surd.root):
        with pytest.raises(ValueError, match="negative"):
            make(-1)


def test_surds_are_not_hashable_and_equal_the_numbers_they_are():
    with pytest.raises(TypeError):
        hash(Surd.of(1))
    assert Surd.of(1) == 1


@settings(derandomize=True, deadline=None, max_examples=60)
@given(lists_of_terms)
def test_the_double_is_the_nearest_number_or_next_to_it(terms):
    exact = length_of(terms, 60)
    assert float(total(terms)) == pytest.approx(float(exact), rel=2**-52, abs=0)


FINITE = [Surd.of(0), Surd.of(3), Surd.root(2), Surd.root(2) + Surd.of(10**30)]


@pytest.mark.parametrize("finite", FINITE, ids=str)
def test_infinity_is_beyond_every_number_and_equal_to_none(finite):
    for one, other in ((finite, INFINITE), (INFINITE, finite)):
        assert one != other
    assert (INFINITE * 2).infinite
    assert (INFINITE * 0).rational == 0
    agree(finite, INFINITE, -1)
    agree(INFINITE, finite, 1)
    agree(INFINITE, INFINITE * 2, 0)
    assert sorted([INFINITE, finite])[0].infinite is False
    assert (finite + INFINITE).infinite
    assert (INFINITE + finite).infinite


def test_infinity_is_no_fraction_and_written_as_infinity():
    assert INFINITE.rational is None
    assert str(INFINITE) == "inf"


def test_what_vanishes_is_zero_and_rational():
    for number in (Surd.root(2), Surd.of(3), INFINITE):
        assert (number * 0).rational == 0


def test_a_sum_that_begins_with_a_fraction_is_irrational_all_the_same():
    assert (Surd.of(1) + Surd.root(2)).rational is None
    assert (Surd.of("1/2") + Surd.root(3) + Surd.root(5)).rational is None


@pytest.mark.parametrize(("number", "text"), [
    (Surd.of(0), "0"), (Surd.of("3/2"), "3/2"), (Surd.root(2), "√2"),
    (Surd.root(2) * 3, "3√2"), (Surd.root(2) * 3 + Surd.of(1), "3√2 + 1"),
    (Surd.root(3) + Surd.root(2) * Fraction(1, 2), "√3 + 1/2√2"),
])
def test_a_number_is_written_as_its_terms(number, text):
    assert str(number) == text
