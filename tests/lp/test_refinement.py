"""Refined programs: against the solver in exact fractions, at magnitudes that doubles miss."""

from fractions import Fraction

import numpy as np
import pytest

from tightrope.errors import SolverFailed
from tightrope.lp import FineProgram, RationalProgram, minimize_exactly, refine

BITS = 200


def whole(values):
    return np.array([int(value * 2**BITS) for value in values], dtype=object)


def fine(costs, table, totals, free=()):
    """The program of a dense table, with its numbers rounded to multiples of 2^-200."""
    rows, columns = np.nonzero(np.array(table) != 0)
    entries = whole([table[i][j] for i, j in zip(rows.tolist(), columns.tolist(), strict=True)])
    signs = np.isin(np.arange(len(costs)), list(free))
    return FineProgram(whole(costs), rows, columns, entries, whole(totals), signs, BITS)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("tiny", [Fraction(1), Fraction(1, 2**40), Fraction(1, 2**60)])
def test_random_programs_meet_their_exact_optimum(seed, tiny):
    drawn = np.random.default_rng(seed)
    height, width = 3, 6
    left = [[Fraction(int(k)) for k in row] for row in drawn.integers(1, 9, (height, width))]
    table = [[*row, *(Fraction(i == k) for k in range(height))] for i, row in enumerate(left)]
    costs = [Fraction(-int(k)) * tiny for k in drawn.integers(1, 9, width)] + [Fraction(0)] * height
    totals = [Fraction(int(k)) * tiny for k in drawn.integers(1, 9, height)]
    columns = [
        [(i, table[i][j]) for i in range(height) if table[i][j]] for j in range(width + height)
    ]
    start = list(range(width, width + height))
    best = minimize_exactly(RationalProgram(costs, columns, totals, start)).value
    found = refine(fine(costs, table, totals), gap=1e-20, miss=1e-30)
    value = sum(c * Fraction(int(x), 2**BITS) for c, x in zip(costs, found.values, strict=True))
    bound = sum(b * Fraction(int(y), 2**BITS) for b, y in zip(totals, found.prices, strict=True))
    assert abs(value - best) <= abs(best) * Fraction(1, 10**18)
    assert abs(bound - best) <= abs(best) * Fraction(1, 10**18)


def test_a_start_near_the_solution_keeps_digits_that_doubles_drop():
    # minimize y with x + y = 1, x <= 1 - 2^-100: the optimum is 2^-100
    tiny = Fraction(1, 2**100)
    program = fine([0, 1, 0], [[1, 1, 0], [1, 0, 1]], [1, 1 - tiny])
    found = refine(program, gap=1e-9, start=whole([1, 0, 0]))
    assert found.values.tolist() == whole([1 - tiny, tiny, 0]).tolist()
    assert found.prices.tolist() == whole([1, -1]).tolist()


def test_free_variables_may_be_negative():
    found = refine(fine([1, 0], [[1, -1]], [-3], free=[0]), gap=0.0)
    assert found.values.tolist() == whole([-3, 0]).tolist()


def test_programs_without_a_solution_fail():
    with pytest.raises(SolverFailed):
        refine(fine([1], [[1]], [-1]), gap=0.0)
