"""The interior-point method against HiGHS on the same small programs, and its bound."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tightrope.lp import ConeProgram, bound_from, minimize


def by_highs(program: ConeProgram) -> float:
    """The optimum of the program as one plain linear program."""
    copies, n = program.copies, program.width
    classes = int(program.classes.max()) + 1
    counts = np.bincount(program.classes)
    equal = np.zeros((classes, copies * n))
    rows = []
    for z in range(copies):
        for y in range(n):
            k = program.classes[y]
            equal[k, z * n + y] = program.sizes[z] / counts[k]
        for a, b in np.argwhere(program.kernel > 0):
            row = np.zeros(copies * n)
            row[z * n + a], row[z * n + b] = -1.0, program.kernel[a, b]
            rows.append(row)
    found = linprog(
        program.costs.ravel(), A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=equal,
        b_eq=np.ones(classes), bounds=(0, None), method="highs",
    )
    assert found.status == 0
    return float(found.fun)


def program_of(seed: int, n: int, copies: int, epsilon: float) -> ConeProgram:
    """A random program: points of the plane, random costs, every coordinate its own class."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, 3, (n, 2))
    gaps = np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2))
    kernel = np.exp(-epsilon * gaps)
    np.fill_diagonal(kernel, 0.0)
    return ConeProgram(rng.uniform(0, 1, (copies, n)), kernel, np.arange(n), np.ones(copies))


@settings(derandomize=True, deadline=None, max_examples=15)
@given(
    st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 6), st.sampled_from([0.2, 1.0, 3.0])
)
def test_the_optimum_is_that_of_highs(seed, n, copies, epsilon):
    program = program_of(seed, n, copies, epsilon)
    found = minimize(program, gap=1e-8)
    assert found.value == pytest.approx(by_highs(program), rel=1e-6)
    assert found.bound <= found.value
    assert found.value - found.bound <= 1e-7 * found.value


@settings(derandomize=True, deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 6))
def test_vectors_lie_inside_the_cone_and_rows_add_up(seed, n, copies):
    program = program_of(seed, n, copies, 1.0)
    found = minimize(program, gap=1e-8)
    slack = found.vectors[:, :, None] - program.kernel * found.vectors[:, None, :]
    assert (slack[:, program.kernel > 0] > 0).all()
    assert program.sizes @ found.vectors == pytest.approx(np.ones(n))


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 5), st.floats(0, 2))
def test_any_multipliers_prove_a_bound_that_is_not_above_the_optimum(seed, n, copies, size):
    program = program_of(seed, n, copies, 1.0)
    rng = np.random.default_rng(seed + 1)
    multipliers = size * rng.uniform(0, 1, (copies, n, n)) * (program.kernel > 0)
    assert bound_from(program, multipliers) <= by_highs(program) + 1e-7


def test_it_stops_when_the_time_is_up_and_still_proves_a_bound():
    program = program_of(5, 6, 6, 1.0)
    found = minimize(program, gap=1e-12, seconds=1e-9)
    assert not found.finished
    assert found.bound <= by_highs(program)


def test_the_watch_sees_the_gap_close():
    seen = []
    minimize(program_of(3, 5, 5, 1.0), gap=1e-8, watch=lambda *step: seen.append(step))
    assert [step[0] for step in seen] == list(range(1, len(seen) + 1))
    assert [step[2] for step in seen] == sorted(step[2] for step in seen)
    value, bound = seen[-1][1:]
    assert value - bound <= 1e-8 * value
