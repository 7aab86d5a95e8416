"""Enclosures contain the exact solution, for still and for moving matrices."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.exact import Line, enclose
from tightrope.exact.enclosures import Enclosure, _contraction, _gamma, _spread

SIZES = st.integers(1, 6)
small = st.integers(0, 40)


def exact_solution(rows, right):
    """The solution in rational numbers, or None if the matrix is singular."""
    size = len(right)
    held = fmpq_mat(size, size, [fmpq(x.numerator, x.denominator) for row in rows for x in row])
    try:
        solved = held.solve(fmpq_mat(size, 1, [fmpq(x) for x in right]))
    except ZeroDivisionError:
        return None
    return [Fraction(int(x.p), int(x.q)) for x in solved.entries()]


def matrices(size):
    return st.lists(
        st.lists(small, min_size=size, max_size=size), min_size=size, max_size=size
    )


@settings(derandomize=True, deadline=None, max_examples=150)
@given(SIZES.flatmap(lambda n: st.tuples(matrices(n), matrices(n), matrices(n),
                                         st.lists(st.integers(-9, 9), min_size=n, max_size=n))),
       st.sampled_from([0.0, 2.0**-20, 2.0**-9, 2.0**-6]), st.integers(-4, 4))
def test_the_exact_solution_lies_within_its_bounds(data, half, quarter):
    start, slope, curve, right = data
    size = len(right)
    start = [[x + (64 if i == j else 0) for j, x in enumerate(row)] for i, row in enumerate(start)]
    line = Line(*(np.array(m, dtype=float) for m in (start, slope, curve)), half, 0.0)
    found = enclose(line, np.array(right, dtype=float))
    if found is None:
        return
    t = Fraction(half) * Fraction(quarter, 4)
    moved = [
        [start[i][j] - t * slope[i][j] + t * t / 2 * curve[i][j] * Fraction(i + 1, size)
         for j in range(size)]
        for i in range(size)
    ]
    solution = exact_solution(moved, right)
    assert solution is not None
    for k, x in enumerate(solution):
        middle = Fraction(float(found.middle[k])) + t * Fraction(float(found.slope[k]))
        assert abs(x - middle) <= Fraction(float(found.radius[k]))
        assert Fraction(float(found.low[k])) <= x <= Fraction(float(found.high[k]))


def test_bounds_are_close_where_the_matrix_is_good():
    found = enclose(Line.still(np.eye(50) + 0.01, 0.0), np.ones(50))
    assert found.radius.max() < 1e-12


def test_a_singular_matrix_is_not_enclosed():
    assert enclose(Line.still(np.ones((3, 3)), 0.0), np.ones(3)) is None
    nearly = np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-50]])
    assert enclose(Line.still(nearly, 0.0), np.ones(2)) is None


def test_a_line_that_becomes_singular_is_not_enclosed():
    line = Line(np.eye(2), np.eye(2), np.zeros((2, 2)), 1.0, 0.0)
    assert enclose(line, np.ones(2)) is None


def test_the_ends_of_an_enclosure_are_beyond_both_its_slope_and_its_radius():
    middle, slope, radius = np.array([1.0, 1.0]), np.array([3.0, -3.0]), np.array([0.25, 0.5])
    found = Enclosure(middle, slope, radius, 0.5, np.eye(2), 0.0)
    far = [Fraction(3, 2) + Fraction(1, 4), Fraction(3, 2) + Fraction(1, 2)]
    for low, high, reach in zip(found.low.tolist(), found.high.tolist(), far, strict=True):
        assert 1 - reach - Fraction(1, 10**5) < Fraction(low) <= 1 - reach
        assert 1 + reach <= Fraction(high) < 1 + reach + Fraction(1, 10**5)


@pytest.mark.parametrize("half", [0.0, 2.0**-6])
def test_numbers_below_the_range_of_doubles_stay_within_their_bounds(half):
    start, slope = [[1, Fraction(1, 2)], [Fraction(1, 4), 1]], [[0, 1], [1, 0]]
    right = [5e-324, 0.0]
    line = Line(np.array(start, dtype=float), np.array(slope, dtype=float), np.zeros((2, 2)), half,
                0.0)
    found = enclose(line, np.array(right))
    for t in (-Fraction(half), Fraction(half)):
        moved = [[Fraction(a) - t * b for a, b in zip(*rows, strict=True)]
                 for rows in zip(start, slope, strict=True)]
        tiny = exact_solution(moved, [1, 0])
        for k, x in enumerate(tiny):
            assert Fraction(float(found.low[k])) <= x * Fraction(right[0]) <= Fraction(
                float(found.high[k]))
            middle = Fraction(float(found.middle[k])) + t * Fraction(float(found.slope[k]))
            assert abs(x * Fraction(right[0]) - middle) <= Fraction(float(found.radius[k]))


@pytest.mark.parametrize("seed", range(40))
def test_every_matrix_within_the_stated_error_is_covered(seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 4))
    error = Fraction(int(rng.integers(1, 5)), 20)
    start = np.eye(size) + rng.integers(0, 8, (size, size)) / 16
    right = rng.integers(-8, 9, size) / 8
    found = enclose(Line.still(start, float(error)), right)
    if found is None:
        return
    for _ in range(20):
        signs = rng.integers(0, 2, (size, size)) * 2 - 1
        wrong = [[Fraction(start[i, j]) * (1 + int(signs[i, j]) * Fraction(float(error)))
                  for j in range(size)] for i in range(size)]
        solution = exact_solution(wrong, [Fraction(x).numerator * (8 // Fraction(x).denominator)
                                          for x in right])
        for k, x in enumerate(solution):
            assert abs(x / 8 - Fraction(float(found.middle[k]))) <= Fraction(float(found.radius[k]))


def test_the_error_of_a_short_line_is_of_second_order():
    start, slope = np.eye(3) + 0.25, np.ones((3, 3))
    for half in (2.0**-20, 2.0**-12):
        found = enclose(Line(start, slope, np.ones((3, 3)), half, 0.0), np.arange(3.0))
        assert found.radius.max() < 100 * half**2 + 1e-12


def test_a_spread_adds_the_largest_bound_to_every_one():
    # ρ + α/(1 - α) max ρ, with α = 1/4
    found = _spread(np.array([1.0, 3.0]), 0.25)
    assert ((found >= [2, 4]) & (found < [2.001, 4.001])).all()


@pytest.mark.parametrize(("start", "slope", "curve", "error", "norm"), [
    # with R = I, half = 1/4: the largest row sum of |I - A(t)| over all matrices of the line
    ([[1, 0], [0, 1]], [[0, 0], [0, 0]], [[0, 0], [0, 0]], Fraction(1, 8), Fraction(1, 8)),
    ([[1, 0.25], [0, 1]], [[0, 0], [0, 0]], [[0, 0], [0, 0]], Fraction(0), Fraction(1, 4)),
    ([[1, 0], [0.25, 1]], [[0, 0], [0, 0]], [[0, 0], [0, 0]], Fraction(0), Fraction(1, 4)),
    ([[1, 0], [0, 1]], [[0, 1], [0, 0]], [[0, 0], [0, 0]], Fraction(0), Fraction(1, 4)),
    ([[1, 0], [0, 1]], [[0, 1], [0, 0]], [[0, 0], [0, 0]], Fraction(1, 8),
     Fraction(1, 4) * Fraction(9, 8) + Fraction(1, 8)),
    ([[1, 0], [0, 1]], [[0, 0], [0, 0]], [[2, 4], [0, 0]], Fraction(0), Fraction(6, 32)),
    # here every column has half of that
    ([[1.125, 0.125], [0, 1]], [[0, 0], [0, 0]], [[0, 0], [0, 0]], Fraction(0), Fraction(1, 4)),
    ([[1, 0], [0, 1]], [[0.5, 0.5], [0, 0]], [[0, 0], [0, 0]], Fraction(0), Fraction(1, 4)),
])
def test_a_contraction_bounds_the_norm_of_what_the_inverse_leaves(start, slope, curve, error, norm):
    line = Line(*(np.array(m, dtype=float) for m in (start, slope, curve)), 0.25, float(error))
    found = Fraction(_contraction(line, np.eye(2), _gamma(2)))
    assert norm <= found <= 2 * norm + Fraction(1, 10**6)


def test_a_solution_beyond_the_range_of_doubles_is_not_enclosed():
    tiny = Line.still(np.diag([1e-200, 1e-200]), 0.0)
    with np.errstate(all="ignore"):
        assert enclose(tiny, np.array([1e200, 1.0])) is None


TENTHS = [k / 10 for k in range(1, 30)]


def test_the_reach_of_an_enclosure_is_rounded_outwards():
    """Around 0 the ends are half · |slope| + radius; doubles alone fall below it now and then."""
    for half in TENTHS:
        slope, radius = np.array(TENTHS), np.array(TENTHS[::-1])
        found = Enclosure(np.zeros(29), slope, radius, half, np.eye(29), 0.0)
        for k in range(29):
            reach = Fraction(half) * Fraction(TENTHS[k]) + Fraction(TENTHS[28 - k])
            assert reach <= Fraction(float(found.high[k])) <= reach * (1 + Fraction(1, 2**19))
            assert found.low[k] == -found.high[k]


def test_a_spread_is_rounded_upwards():
    for alpha in (0.1, 0.2, 0.3, 0.4, 0.45):
        found = _spread(np.array(TENTHS), alpha)
        share = Fraction(alpha) / (1 - Fraction(alpha)) * Fraction(TENTHS[-1])
        for bound, near in zip(TENTHS, found.tolist(), strict=True):
            exact = Fraction(bound) + share
            assert exact <= Fraction(near) <= exact * (1 + Fraction(1, 2**19))


def test_a_contraction_is_rounded_upwards_and_covers_products_below_the_range_of_doubles():
    """With R = I all products are exact; the sum of what is left, 1/4 + 2^-60, is not."""
    start = np.eye(3)
    start[0, 1:] = 0.25, 2.0**-60
    found = Fraction(_contraction(Line.still(start, 0.0), np.eye(3), 0.0))
    assert Fraction(1, 4) + Fraction(1, 2**60) <= found < Fraction(1, 4) * (1 + Fraction(1, 2**19))
    inverse, tiny = np.diag([2.0**-600, 1.0]), np.array([[2.0**600, 2.0**-600], [0.0, 1.0]])
    lost = Fraction(_contraction(Line.still(tiny, 0.0), inverse, _gamma(2)))
    assert Fraction(1, 2**1200) <= lost < Fraction(1, 2**45)
