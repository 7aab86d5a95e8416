"""Exact feasibility: solutions solve, separations separate, and a solver agrees."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tightrope.lp import Feasible, Separated, nonnegative_solution

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
def test_the_answer_proves_itself_and_a_solver_agrees(system):
    matrix = [[Fraction(x) for x in row] for row in system[0]]
    right = [Fraction(x) for x in system[1]]
    found = nonnegative_solution(matrix, right)
    solver = linprog(np.zeros(len(matrix[0])), A_eq=np.array(system[0], dtype=float),
                     b_eq=np.array(system[1], dtype=float), bounds=(0, None))
    if isinstance(found, Feasible):
        assert min(found.solution) >= 0
        for row, value in zip(matrix, right, strict=True):
            assert sum(a * x for a, x in zip(row, found.solution, strict=True)) == value
        assert solver.status == 0
        return
    assert isinstance(found, Separated)
    u = found.vector
    for column in zip(*matrix, strict=True):
        assert sum(a * x for a, x in zip(column, u, strict=True)) >= 0
    assert sum(a * x for a, x in zip(right, u, strict=True)) < 0
    assert solver.status == 2
