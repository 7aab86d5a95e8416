"""Sparse programs against another interface to the solver, and by their own duality."""

import numpy as np
import pytest
from scipy.optimize import linprog

from tightrope.errors import SolverFailed
from tightrope.exact import tolerances
from tightrope.lp import LinearProgram, solve
from tightrope.lp.programs import basic_columns, limit_steps, load_program, outcome


def random_program(source, rows, columns):
    """A bounded program with x = 1 as a feasible point, and its matrix."""
    matrix = source.integers(-3, 4, (rows, columns)).astype(float)
    held = np.nonzero(matrix)
    middle = matrix.sum(axis=1)
    program = LinearProgram(
        source.normal(size=columns), *held, matrix[held], middle - 1, middle + 2,
        np.zeros(columns), np.full(columns, 5.0),
    )
    return program, matrix


def reordered(program, order):
    return LinearProgram(
        program.costs, program.rows[order], program.columns[order], program.entries[order],
        program.row_lower, program.row_upper, program.lower, program.upper,
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_optimum_agrees_and_prices_prove_it(seed):
    source = np.random.default_rng(seed)
    program, matrix = random_program(source, 6, 9)
    found = solve(program)
    peer = linprog(
        program.costs, A_ub=np.vstack([matrix, -matrix]),
        b_ub=np.concatenate([program.row_upper, -program.row_lower]), bounds=(0, 5),
    )
    assert found.objective == pytest.approx(peer.fun, abs=1e-8)
    assert found.objective == pytest.approx(program.costs @ found.values, abs=1e-9)
    reduced = program.costs - found.prices @ matrix
    bound = np.minimum(reduced * program.upper, 0).sum() + np.where(
        found.prices > 0, found.prices * program.row_lower, found.prices * program.row_upper
    ).sum()
    assert bound == pytest.approx(found.objective, abs=1e-7)


def test_the_order_of_the_entries_does_not_matter():
    source = np.random.default_rng(3)
    program, _ = random_program(source, 6, 9)
    by_column = reordered(program, np.lexsort((program.rows, program.columns)))
    backwards_in_columns = reordered(program, np.lexsort((-program.rows, program.columns)))
    shuffled = reordered(program, source.permutation(len(program.entries)))
    best = solve(program).objective
    for other in (by_column, backwards_in_columns, shuffled):
        assert solve(other).objective == pytest.approx(best, abs=1e-9)


def test_the_basis_of_equations_determines_the_solution():
    source = np.random.default_rng(5)
    matrix = source.normal(size=(4, 10))
    right = matrix @ np.ones(10)
    rows, columns = np.indices(matrix.shape).reshape(2, -1)
    program = LinearProgram(
        np.arange(1.0, 11.0), rows, columns, matrix.ravel(), right, right,
        np.zeros(10), np.full(10, np.inf),
    )
    basis = basic_columns(program, tolerance=tolerances.SHIPPING_ERROR)
    expected = np.zeros(10)
    expected[basis] = np.linalg.solve(matrix[:, basis], right)
    assert solve(program).values == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("upper", "reason"), [(1.0, "infeasible"), (np.inf, "unbounded")])
def test_programs_without_an_optimum_are_told(upper, reason):
    one, low = np.ones(1), np.full(1, 2.0)  # x >= 2 and x <= upper, as large as possible
    where = np.array([0])
    program = LinearProgram(-one, where, where, one, low, one * np.inf, 0 * one, one * upper)
    with pytest.raises(SolverFailed, match=reason):
        solve(program)


def test_a_search_fails_after_the_steps_that_are_allowed():
    count = 12
    rows, columns = np.divmod(np.arange(count * count), count)
    entries = np.random.default_rng(3).uniform(1, 2, count * count)
    ones, far = np.ones(count), np.full(count, np.inf)
    program = LinearProgram(ones, rows, columns, entries, ones, far, 0 * ones, far)
    solver = load_program(program)
    solver.setOptionValue("presolve", "off")
    limit_steps(solver, 0)
    with pytest.raises(SolverFailed, match="iteration limit"):
        outcome(solver, np.inf)
    limit_steps(solver, 1)
    assert outcome(solver, np.inf).objective == pytest.approx(solve(program).objective)
