"""Exact optima, solutions and separations: by enumeration, by a solver in doubles, by proof."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tightrope.errors import SolverFailed, TooLarge
from tightrope.lp import RationalProgram, Separated, minimize_exactly, nonnegative_solution

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
        monkeypatch.setattr("tightrope.lp.rational._propose_basis", lambda program: None)
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


def test_numbers_beyond_doubles_are_solved_without_a_proposal():
    huge = F(10) ** 400  # minimize x + y with x + 10^400 y = 1
    program = RationalProgram((F(1), F(1)), (((0, F(1)),), ((0, huge),)), (F(1),), (0,))
    assert minimize_exactly(program).value == 1 / huge


def test_a_proposal_that_is_a_little_infeasible_is_mended(monkeypatch):
    # the column of the proposed basis gives x = -10^-30; the dual steps away from it
    tiny = F(1, 10**30)
    program = RationalProgram(
        [F(1), F(0), F(1)], [[(0, F(1))], [(0, F(-1))], [(0, F(1))]], [tiny], [0]
    )
    monkeypatch.setattr("tightrope.lp.rational._propose_basis", lambda program: [1])
    found = minimize_exactly(program)
    check(program, found)
    assert found.value == tiny


def test_programs_beyond_the_limit_are_refused():
    with pytest.raises(TooLarge):
        minimize_exactly(RationalProgram([], [], [F(0)] * 601, []))


def test_what_is_not_optimal_does_not_pass_the_check(monkeypatch):
    # minimize x + 2y with x + y = 1: a walk that stops at y = 1 has a price too high for x
    program = RationalProgram([F(1), F(2)], [[(0, F(1))], [(0, F(1))]], [F(1)], [1])
    monkeypatch.setattr("tightrope.lp.rational._propose_basis", lambda program: None)
    monkeypatch.setattr("tightrope.lp.rational._Simplex._entering_column", lambda self: None)
    with pytest.raises(SolverFailed, match="did not pass its check"):
        minimize_exactly(program)


@pytest.mark.parametrize("entry", [F(-1), F(0)])  # x = -1, and no inverse
def test_a_start_that_is_no_feasible_basis_is_told(monkeypatch, entry):
    column = [(0, entry)]
    program = RationalProgram([F(-1), F(-1)], [column, [(0, F(1))]], [F(1)], [0])
    monkeypatch.setattr("tightrope.lp.rational._propose_basis", lambda program: None)
    with pytest.raises(SolverFailed, match="no feasible basis"):
        minimize_exactly(program)


entries = st.integers(-4, 4)
systems = st.tuples(st.integers(1, 4), st.integers(1, 5)).flatmap(
    lambda shape: st.tuples(
        st.lists(st.lists(entries, min_size=shape[1], max_size=shape[1]),
                 min_size=shape[0], max_size=shape[0]),
        st.lists(entries, min_size=shape[0], max_size=shape[0]),
    )
)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(systems)
def test_a_solution_solves_or_a_separation_separates_and_a_solver_agrees(system):
    matrix = [[F(x) for x in row] for row in system[0]]
    right = [F(x) for x in system[1]]
    found = nonnegative_solution(matrix, right)
    solver = linprog(np.zeros(len(matrix[0])), A_eq=np.array(system[0], dtype=float),
                     b_eq=np.array(system[1], dtype=float), bounds=(0, None))
    if not isinstance(found, Separated):
        assert min(found) >= 0
        for row, value in zip(matrix, right, strict=True):
            assert sum(a * x for a, x in zip(row, found, strict=True)) == value
        assert solver.status == 0
        return
    u = found.vector
    for column in zip(*matrix, strict=True):
        assert sum(a * x for a, x in zip(column, u, strict=True)) >= 0
    assert sum(a * x for a, x in zip(right, u, strict=True)) < 0
    assert solver.status == 2
