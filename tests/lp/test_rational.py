"""Exact optima against enumeration of all bases and against a solver in doubles."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from scipy.optimize import linprog

from tightrope.errors import TooLarge
from tightrope.lp import RationalProgram, minimize_exactly

F = Fraction


def random_program(source, rows, count):
    """A random program with artificial columns that make it feasible, and costs above 0."""
    totals = [F(source.randrange(0, 5), source.randrange(1, 4)) for _ in range(rows)]
    columns = [[(row, F(1))] for row in range(rows)]
    costs = [F(20)] * rows
    for _ in range(count):
        entries = [(row, F(source.randrange(-3, 4), source.randrange(1, 4))) for row in range(rows)]
        columns.append([(row, value) for row, value in entries if value])
        costs.append(F(source.randrange(0, 9), 2))
    return RationalProgram(costs, columns, totals, range(rows))


def dense(program):
    table = [[F(0)] * len(program.columns) for _ in program.totals]
    for j, column in enumerate(program.columns):
        for row, value in column:
            table[row][j] = value
    return table


def by_enumeration(program):
    """The least value over all bases with a non-negative solution."""
    table, size = dense(program), len(program.totals)
    q = lambda v: fmpq(v.numerator, v.denominator)  # noqa: E731
    right = fmpq_mat(size, 1, [q(b) for b in program.totals])
    best = None
    for basis in combinations(range(len(program.columns)), size):
        matrix = fmpq_mat(size, size, [q(row[j]) for row in table for j in basis])
        if matrix.det() == 0:
            continue
        x = matrix.solve(right)
        if all(x[i, 0] >= 0 for i in range(size)):
            value = sum((x[i, 0] * q(program.costs[j]) for i, j in enumerate(basis)), fmpq(0))
            best = value if best is None or value < best else best
    return F(int(best.p), int(best.q))


def check(program, found):
    """Both sides hold exactly, with equal values: nothing else is needed."""
    table = dense(program)
    assert min(found.x) >= 0
    for row, total in zip(table, program.totals, strict=True):
        assert sum(v * x for v, x in zip(row, found.x, strict=True)) == total
    for j, cost in enumerate(program.costs):
        paid = sum((row[j] * y for row, y in zip(table, found.prices, strict=True)), F(0))
        assert paid <= cost
    assert sum(c * x for c, x in zip(program.costs, found.x, strict=True)) == found.value


def test_the_optimum_is_the_least_value_over_all_bases():
    source = random.Random(10)
    for _ in range(60):
        program = random_program(source, source.randrange(1, 4), source.randrange(1, 5))
        found = minimize_exactly(program)
        check(program, found)
        assert found.value == by_enumeration(program)


@pytest.mark.parametrize("proposal", [True, False])
def test_it_ends_in_the_optimum_with_or_without_a_proposal(monkeypatch, proposal):
    if not proposal:
        monkeypatch.setattr("tightrope.lp.rational._proposed", lambda program: None)
    source = random.Random(11)
    for _ in range(15):
        program = random_program(source, 6, 12)
        found = minimize_exactly(program)
        check(program, found)
        floats = linprog(
            [float(c) for c in program.costs],
            A_eq=np.array(dense(program), dtype=float),
            b_eq=[float(b) for b in program.totals],
        )
        assert float(found.value) == pytest.approx(floats.fun, abs=1e-7)


def test_a_proposal_that_is_a_little_infeasible_is_mended(monkeypatch):
    # the column of the proposed basis gives x = -10^-30; the dual steps away from it
    tiny = F(1, 10**30)
    program = RationalProgram(
        [F(1), F(0), F(1)], [[(0, F(1))], [(0, F(-1))], [(0, F(1))]], [tiny], [0]
    )
    monkeypatch.setattr("tightrope.lp.rational._proposed", lambda program: [1])
    found = minimize_exactly(program)
    check(program, found)
    assert found.value == tiny


def test_programs_beyond_the_limit_are_refused():
    with pytest.raises(TooLarge):
        minimize_exactly(RationalProgram([], [], [F(0)] * 601, []))
