"""The interior-point method against HiGHS on the same small programs, and its bound."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tests.lp.bounds import bound_from
from tightrope.lp import (
    ConeProgram,
    DualFlow,
    iterates,
    kernels_numba,
    kernels_numpy,
    minimize,
)


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
        for a, b, share in directed(program):
            row = np.zeros(copies * n)
            row[z * n + a], row[z * n + b] = -1.0, share
            rows.append(row)
    costs, top = program.costs.ravel(), np.zeros((0, copies * n))
    if program.worst:
        top = np.array([np.where(np.tile(program.classes, copies) == k, costs, 0) / counts[k]
                        for k in range(classes)])
        costs = np.zeros(copies * n)
    height = np.append(np.zeros(len(rows)), -np.ones(len(top)))
    upper = np.column_stack([np.concatenate([np.array(rows), top]), height])
    found = linprog(
        np.append(costs, n if program.worst else 0), A_ub=upper, b_ub=np.zeros(len(upper)),
        A_eq=np.column_stack([equal, np.zeros(classes)]), b_eq=np.ones(classes),
        bounds=[(0, None)] * (copies * n) + [(None, None)], method="highs",
    )
    assert found.status == 0
    return float(found.fun)


def directed(program: ConeProgram) -> list[tuple[int, int, float]]:
    pairs = list(zip(program.first, program.second, program.shares, strict=True))
    return pairs + [(b, a, share) for a, b, share in pairs]


def program_of(
    seed: int, n: int, copies: int, epsilon: float, worst: bool = False
) -> ConeProgram:
    """A random program: points of the plane, random costs, every coordinate its own class."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, 3, (n, 2))
    gaps = np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2))
    first, second = np.triu_indices(n, 1)
    shares = np.exp(-epsilon * gaps[first, second])
    costs = rng.uniform(0, 1, (copies, n))
    return ConeProgram(costs, first, second, shares, np.arange(n), np.ones(copies), worst)


@pytest.fixture(params=["plain", "compiled"])
def way(request, monkeypatch):
    """Both ways to do the work: by whole arrays and dense factors, by compiled loops and sparse."""
    limit = 0 if request.param == "compiled" else 10**18
    monkeypatch.setattr(iterates, "_WORTH_COMPILING", limit)


@pytest.mark.usefixtures("way")
@settings(
    derandomize=True, deadline=None, max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 6), st.sampled_from([0.2, 1.0, 3.0]),
    st.booleans(),
)
def test_the_optimum_is_that_of_highs(seed, n, copies, epsilon, worst):
    program = program_of(seed, n, copies, epsilon, worst)
    found = minimize(program, gap=1e-8)
    assert found.value == pytest.approx(by_highs(program), rel=1e-6)
    assert found.bound <= found.value * (1 + 1e-7)  # rows add up to one within a small error
    assert found.value - found.bound <= 1e-7 * found.value
    proved = bound_from(program, found.flows, found.minimax_weights)
    assert proved == pytest.approx(found.bound, rel=1e-9)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("worst", [False, True])
def test_classes_of_coordinates_and_sizes_of_copies_count(worst):
    program = program_of(8, 6, 3, 1.0, worst)
    program = replace(program, classes=np.array([0, 1, 0, 2, 1, 2]), sizes=np.array([1.0, 2, 3]))
    program = replace(program, start=np.full((3, 6), 1 / 6))
    found = minimize(program, gap=1e-8)
    assert found.value == pytest.approx(by_highs(program), rel=1e-6)
    assert bound_from(program, found.flows, found.minimax_weights) >= found.value * (1 - 1e-7)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("seed", range(4))
def test_vectors_lie_in_the_cone_and_rows_add_up_within_a_small_error(seed):
    program = program_of(seed, 6, 5, 1.0)
    found = minimize(program, gap=1e-8)
    for a, b, share in directed(program):
        assert (found.vectors[:, a] > share * found.vectors[:, b] * (1 - 1e-6)).all()
    assert program.sizes @ found.vectors == pytest.approx(np.ones(6))


@pytest.mark.usefixtures("way")
def test_multipliers_become_fewer_and_prove_the_same():
    program = program_of(4, 12, 12, 1.0)
    found = minimize(program, gap=1e-6)
    assert bound_from(program, found.flows) == pytest.approx(found.bound, rel=1e-9)
    assert all(flow.amounts.min(initial=1.0) > 0 for flow in found.flows)
    assert np.mean([len(flow.amounts) for flow in found.flows]) < 3 * program.width


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 5), st.floats(0, 2))
def test_any_multipliers_prove_a_bound_that_is_not_above_the_optimum(seed, n, copies, size):
    program = program_of(seed, n, copies, 1.0)
    rng = np.random.default_rng(seed + 1)
    tails, heads, shares = map(np.array, zip(*directed(program), strict=True))
    flows = [DualFlow(tails, heads, shares, size * rng.uniform(0, 1, len(tails)))
             for _ in range(copies)]
    assert bound_from(program, flows) <= by_highs(program) + 1e-7


def test_without_a_compiler_the_work_is_done_by_whole_arrays(monkeypatch):
    monkeypatch.setattr(iterates, "_WORTH_COMPILING", 0)
    monkeypatch.setattr(iterates, "available", lambda extra: False)
    monkeypatch.setattr(kernels_numba, "_loop", lambda name: pytest.fail(f"{name} was compiled"))
    program = program_of(7, 6, 6, 1.0)
    assert minimize(program, gap=1e-8).value == pytest.approx(by_highs(program), rel=1e-6)


class Ticking:
    """A clock that goes on by one whenever it is looked at."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1
        return self.now


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("worst", [False, True])
def test_time_that_runs_out_within_a_step_leaves_what_the_steps_before_found(worst):
    program = program_of(5, 6, 6, 1.0, worst)
    best = by_highs(program)
    seen = []
    for ticks in range(1, 250, 37):
        clock = Ticking()
        found = minimize(program, gap=1e-12, seconds=ticks, clock=clock)
        assert not found.finished
        assert found.bound <= min(found.value, best * (1 + 1e-9))
        assert bound_from(program, found.flows, found.minimax_weights) == pytest.approx(found.bound)
        assert clock.now < ticks + 40  # what is left to do looks at the clock for each block
        seen.append(found.iterations)
    assert seen[0] == 0
    assert seen == sorted(seen)
    assert len(set(seen)) > 3


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_at_any_moment_leaves_what_the_steps_before_found(monkeypatch, threads):
    program = program_of(6, 6, 6, 1.0)
    best = by_highs(program)
    work = kernels_numpy if threads == 1 else kernels_numba  # whole arrays: one thread
    whole = work.pair_slacks
    monkeypatch.setattr(iterates, "_WORTH_THREADS", 0)
    monkeypatch.setattr(iterates, "_WORTH_COMPILING", 10**18 if threads == 1 else 0)
    for moment in range(8, 50, 8):
        calls = []

        def pair_slacks(*given, calls=calls, moment=moment):
            calls.append(given)
            if len(calls) == moment:
                raise KeyboardInterrupt
            return whole(*given)

        monkeypatch.setattr(work, "pair_slacks", pair_slacks)
        found = minimize(program, gap=1e-12, threads=threads)
        assert len(calls) >= moment
        assert not found.finished
        assert found.bound <= min(found.value, best * (1 + 1e-9))
        assert bound_from(program, found.flows, found.minimax_weights) == pytest.approx(found.bound)


def test_where_digits_end_the_best_of_the_last_vectors_are_taken():
    judged = []

    def judge(vectors):
        judged.append(vectors)
        return abs(len(judged) - 3)  # the third is worth least

    found = minimize(program_of(3, 5, 5, 1.0), gap=0.0, judge=judge)
    assert found.exhausted
    assert found.iterations > len(judged) > 3
    assert found.vectors is judged[2]


@pytest.mark.usefixtures("way")
def test_multipliers_prove_the_bound_with_shares_a_hair_below_those_of_the_search():
    """Where the optimum is far below costs: here that of the first copy alone."""
    program = program_of(8, 6, 6, 0.5)
    costs = program.costs.copy()
    costs[0] = 1e-9
    program = replace(program, costs=costs, proof=program.shares * (1 - 2.0**-40))
    found = minimize(program, gap=1e-7)
    bound = bound_from(program, found.flows, found.minimax_weights)
    best = 1e-9 * program.width
    assert best * (1 - 1e-6) <= bound <= best * (1 + 1e-9)
    proved = {(a, b): share for a, b, share in zip(program.first.tolist(),
              program.second.tolist(), program.proof.tolist(), strict=True)}
    for flow in found.flows:
        for a, b, share in zip(flow.tails.tolist(), flow.heads.tolist(),
                               flow.shares.tolist(), strict=True):
            assert share == proved[min(a, b), max(a, b)]


def test_the_watch_sees_the_gap_close():
    seen = []
    minimize(program_of(3, 5, 5, 1.0), gap=1e-8, watch=lambda *step: seen.append(step))
    assert [step[0] for step in seen] == list(range(1, len(seen) + 1))
    assert [step[2] for step in seen] == sorted(step[2] for step in seen)
    value, bound = seen[-1][1:]
    assert value - bound <= 1e-8 * value


def test_emphasis_of_the_worst_case_is_a_prior_and_its_bound_holds():
    program = program_of(11, 5, 5, 1.0, worst=True)
    found = minimize(program, gap=1e-8)
    assert found.minimax_weights.min() >= 0
    assert found.minimax_weights.sum() == pytest.approx(5)
    assert bound_from(program, found.flows, found.minimax_weights) == pytest.approx(found.bound)
    fixed = replace(program, costs=program.costs * found.minimax_weights, worst=False)
    assert by_highs(fixed) == pytest.approx(by_highs(program), rel=1e-6)


@pytest.mark.slow  # about 3 s
@pytest.mark.filterwarnings("error")
def test_a_step_that_is_no_number_ends_the_search_at_the_one_before():
    n = 50  # a path whose columns reach down to e^-100: digits end before the gap closes
    first = np.arange(n - 1)
    far = (np.abs(np.subtract.outer(np.arange(n), np.arange(n))) > 2).astype(float)
    for epsilon in (0.1, 2.0):
        program = ConeProgram(
            far, first, first + 1, np.full(n - 1, np.exp(-epsilon)), np.arange(n), np.ones(n), True
        )
        found = minimize(program, gap=0.0)
        assert np.isfinite(found.vectors).all()
        assert all(np.isfinite(flow.amounts).all() for flow in found.flows)
        # Losses are at most 1: rows that miss 1 by m change the sum over all n inputs by n m.
        # Where digits end depends on how a processor adds: 3e-10 to 1.3e-9 on five kinds.
        missed = np.abs(found.vectors.sum(axis=0) - 1).max()
        assert missed <= 1e-8
        assert found.value - found.bound <= 1e-9 * found.value + n * missed
