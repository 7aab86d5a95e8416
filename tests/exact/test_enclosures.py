"""Enclosures contain the exact solution, for still and for moving matrices."""

from fractions import Fraction

import numpy as np
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.exact import Line, enclose
from tightrope.exact.enclosures import Enclosure

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
