"""What a search promises: its proof, its end, its memory, its few steps."""

import os
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

from tests.lp.bounds import bound_from
from tests.lp.test_elimination import block_of
from tests.lp.test_interior_point import program_of
from tests.lp.test_refinement import fine
from tightrope.errors import TooLarge
from tightrope.exact import sizes
from tightrope.lp import (
    ConeProgram,
    interior_point,
    iterates,
    kernels_numpy,
    minimize,
    programs,
    refine,
    refinement,
    schur,
    shortening,
)
from tightrope.lp.arcs import Arcs
from tightrope.lp.deadlines import Deadline
from tightrope.lp.thinning import sparsify


def stop_at(step):
    def watch(iteration, value, bound):
        if iteration == step:
            raise KeyboardInterrupt

    return watch


@pytest.mark.parametrize(("seed", "worst"), [(4, False), (0, True)])
def test_a_stopped_search_mends_its_multipliers_and_proves_its_bound_by_them(
    monkeypatch, seed, worst
):
    monkeypatch.setattr(interior_point, "_PATIENCE", 0.0)  # without time to make them fewer
    seen = []

    def watch(*told):
        seen.append(told)
        stop_at(6)(*told)

    program = program_of(seed, 20, 20, 0.2, worst)
    found = minimize(program, gap=1e-9, watch=watch)
    assert found.bound > seen[-1][2] * (1 + 1e-5)
    proved = bound_from(program, found.flows, found.minimax_weights)
    assert proved == pytest.approx(found.bound, rel=1e-9)


@pytest.mark.parametrize("worst", [False, True])
def test_the_bound_that_is_told_at_a_step_is_proved_there(monkeypatch, worst):
    monkeypatch.setattr(
        iterates.Iterate, "restore_dual", lambda self, snapshot: (snapshot, self.outflows))
    program = program_of(13, 8, 8, 1.0, worst)
    for step in range(1, 8):
        seen = []

        def watch(*told, seen=seen, step=step):
            seen.append(told)
            stop_at(step)(*told)

        found = minimize(program, gap=1e-9, watch=watch)
        assert found.iterations == step
        assert seen[-1] == (step, found.value, found.bound)
        assert bound_from(program, found.flows, found.minimax_weights) == pytest.approx(found.bound)


@pytest.mark.parametrize("seed", range(4))
def test_the_gap_is_asked_of_what_vectors_are_worth_in_the_end(seed):
    program, gap = program_of(seed, 6, 6, 1.0), 1e-2

    def dearer(vectors):
        return program.value(vectors) * (1 + 0.95 * gap)

    found = minimize(program, gap=gap, judge=dearer)
    assert found.finished
    value = dearer(found.vectors)
    assert value - found.bound <= gap * value


def test_multipliers_are_made_fewer_for_a_moment_only_where_a_search_is_stopped(monkeypatch):
    late = []

    def thin(work, arcs, lists, allowed, enough, deadline, proof):
        late.append(deadline.passed)
        return sparsify(work, arcs, lists, allowed, enough, deadline, proof)

    monkeypatch.setattr(interior_point, "sparsify", thin)
    monkeypatch.setattr(interior_point, "_PATIENCE", 0.0)
    program = program_of(3, 6, 6, 1.0)
    assert minimize(program, gap=1e-6).finished
    assert not any(late)
    late.clear()
    minimize(program, gap=1e-6, watch=stop_at(3))
    assert late
    assert all(late)


def test_after_the_deadline_multipliers_are_left_as_they_are():
    arcs, starts, pairs, multipliers = block_of(6)
    allowed = kernels_numpy.net_outflow(starts, pairs, multipliers, arcs) + 1e-3
    lists = starts, pairs, multipliers
    for z, flow in enumerate(sparsify(kernels_numpy, arcs, lists, allowed, 1e-9, Deadline(0.0))):
        own = slice(starts[z], starts[z + 1])
        assert (flow.tails == arcs.tails[pairs[own]]).all()
        assert (flow.heads == arcs.heads[pairs[own]]).all()
        assert (flow.amounts == multipliers[own]).all()


def line_of(n, copies, worst=False):
    """Copies on a path, with random costs."""
    first, costs = np.arange(n - 1), np.random.default_rng(1).uniform(0, 1, (copies, n))
    shares = np.full(n - 1, 0.6)
    return ConeProgram(costs, first, first + 1, shares, np.arange(n), np.ones(copies), worst)


@pytest.mark.parametrize(
    ("program", "compiling", "room"),
    [(line_of(100, 200), 10**18, 1.5), (line_of(300, 3, True), 10**18, 1.2),
     (line_of(100, 300), 0, 1.0)],
    ids=["factors", "rows", "lists and vectors"],
)
def test_the_memory_that_is_estimated_is_what_a_search_takes(monkeypatch, program, compiling, room):
    monkeypatch.setattr(iterates, "_WORTH_COMPILING", compiling)
    minimize(program, gap=1e-9, watch=stop_at(3))  # what is loaded or compiled once
    with monkeypatch.context() as none:
        none.setattr(sizes, "LARGEST_CONE_MEMORY", 0)
        with pytest.raises(TooLarge) as told:
            minimize(program, gap=1e-3)
    tracemalloc.start()
    try:
        minimize(program, gap=1e-9, watch=stop_at(3))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most <= room * (told.value.found + 1) * 1e6


def weighted_line(n=40):
    """A path with random chances, where a column's window of a few coordinates is too narrow."""
    prior = np.random.default_rng(7).dirichlet(np.ones(n))
    far = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) * prior * n
    first, shares = np.arange(n - 1), np.full(n - 1, np.exp(-1.0))
    return ConeProgram(far, first, first + 1, shares, np.arange(n), np.ones(n))


@pytest.fixture
def narrow(monkeypatch):
    """Sparse factors, and windows of six coordinates at first."""
    monkeypatch.setattr(iterates, "_WORTH_COMPILING", 0)
    monkeypatch.setattr(iterates, "_DENSE_FILL", 2.0)
    monkeypatch.setattr(schur, "_WINDOW", 6)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("widen", [True, False])
def test_windows_widen_where_conjugate_gradients_take_long(monkeypatch, widen):
    """Some 90 iterations in all; some 600 where windows stay as narrow as they begin."""
    if not widen:
        monkeypatch.setattr(schur.SchurComplement, "_costs_more", lambda *_: False)
    solves, system = [], schur.SchurComplement
    times, conjugate = system.times, system._conjugate_gradients

    def counted(self, rows):
        solves[-1].append(self.window)
        return times(self, rows)

    def begun(self, right, precision):
        solves.append([])
        return conjugate(self, right, precision)

    monkeypatch.setattr(schur.SchurComplement, "times", counted)
    monkeypatch.setattr(schur.SchurComplement, "_conjugate_gradients", begun)
    assert minimize(weighted_line(), gap=1e-8).finished
    windows = [window for solve in solves for window in solve]
    assert windows[0] == 6
    assert (windows[-1] == 40) is widen
    assert (len(windows) < 250) is widen
    # whole windows come in the middle of a solve, which then is as good as done
    assert (solves[0][-1] == 40 and len(solves[0]) < 4) is widen


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize(("taken", "wide", "double"), [
    ([20, 20, 20], True, True), ([4, 4, 4], True, False), ([20, 20, 20], False, False),
])
def test_digits_are_added_where_whole_windows_still_take_long(taken, wide, double):
    with ThreadPoolExecutor(1) as pool:
        state = iterates.Iterate(weighted_line(), pool, 1)
        state.factorize()
        found = state.schur
        found.iterations, found.window = taken, 40 if wide else 6
        found._widen()
        assert found.double is double
        assert found.window == 40


def test_dense_factors_have_whole_windows_however_long_a_solve_takes():
    with ThreadPoolExecutor(1) as pool:
        state = iterates.Iterate(line_of(140, 3), pool, 1)
        state.factorize()
        assert state.dense
        assert not state.schur._should_widen(10**9)


BESIDE = """
import sys
import numpy as np
from threadpoolctl import threadpool_info
from tightrope.lp import ConeProgram, iterates, minimize

assert "scipy" not in sys.modules
iterates._WORTH_COMPILING, iterates._DENSE_FILL = 0, 2.0
n = 12
first = np.arange(n - 1)
costs = np.random.default_rng(1).uniform(0, 1, (n, n))
seen = []
program = ConeProgram(costs, first, first + 1, np.full(n - 1, 0.5), np.arange(n), np.ones(n))
minimize(program, gap=1e-3, watch=lambda *_: seen.append(threadpool_info()))
libraries = [one for one in seen[-1] if one["user_api"] == "blas"]
assert any("scipy" in one["filepath"] for one in libraries), libraries
assert {one["num_threads"] for one in libraries} == {1}, libraries
"""


def test_every_library_that_multiplies_matrices_has_one_thread_in_a_search():
    """In a process of its own: one that was loaded before is limited anyway."""
    ended = subprocess.run([sys.executable, "-c", BESIDE], capture_output=True, text=True,
                           env={**os.environ, "OPENBLAS_NUM_THREADS": "2"})
    assert not ended.returncode, ended.stderr


def test_fixed_pairs_are_the_nearest_both_ways_and_connect_all_coordinates():
    """Two crowds of eight far from each other: the four nearest of each are in its own crowd."""
    places = np.append(np.arange(8.0), 100 + np.arange(8.0))
    first, second = np.triu_indices(16, 1)
    arcs = Arcs.of(16, first, second, np.exp(-0.1 * (places[second] - places[first])))
    fixed = set(zip(arcs.tails[arcs.fixed].tolist(), arcs.heads[arcs.fixed].tolist(), strict=True))
    assert {(b, a) for a, b in fixed} == fixed
    for a in range(16):
        near = np.argsort(np.abs(places - places[a]), kind="stable")[1:4]
        assert {(a, int(b)) for b in near} <= fixed
    assert {(a, b) for a, b in fixed if a < 8 <= b} == {(7, 8)}


def test_each_copy_is_thinned_by_what_it_is_allowed_itself():
    arcs, starts, pairs, multipliers = block_of(6)
    outflows = kernels_numpy.net_outflow(starts, pairs, multipliers, arcs)
    allowed = outflows + 1e-3
    place = int(np.argmin(outflows[2]))
    allowed[2] += 5  # the last copy has plenty but for one place, which lacks more than it is sent
    allowed[2, place] = outflows[2, place] - 0.1
    flows = sparsify(kernels_numpy, arcs, (starts, pairs, multipliers), allowed, 1e-9, Deadline())
    for z, flow in enumerate(flows):
        assert (flow.net_outflow(arcs.width) <= allowed[z] + 1e-9).all()
    assert len(flows[2].amounts) < 20  # only what that place lacks is sent


def test_ends_are_those_of_the_pairs_asked_for():
    arcs, starts, pairs, _ = block_of(7)
    arcs.ends(starts, pairs)
    others = np.roll(pairs, 1)
    assert (arcs.ends(starts, others)[2] == arcs.shares[others]).all()


def test_no_call_of_highs_has_more_time_than_is_allowed(monkeypatch):
    given = []

    def counted(solver, seconds, **asked):
        given.append(seconds)
        found = programs.outcome(solver, seconds, **asked)
        assert solver.getOptionValue("time_limit")[1] == pytest.approx(seconds)
        return found

    monkeypatch.setattr(refinement, "outcome", counted)
    monkeypatch.setattr(shortening, "outcome", counted)
    third = Fraction(1, 3)  # x + y = 1 and x - y = 1/3: doubles miss some bits
    refine(fine([1, third], [[1, 1], [1, -1]], [1, third]), gap=1e-40, miss=1e-40, seconds=50.0)
    assert len(given) > 1
    assert max(given) <= 50.0
    assert given == sorted(given, reverse=True)


@pytest.mark.parametrize("seed", range(2, 5))
def test_a_search_ends_where_what_vectors_are_worth_no_longer_falls(seed):
    """As where pairs are left out that the vectors break: 200 steps would change nothing."""
    program = program_of(seed, 6, 6, 1.0)
    closed = minimize(program, gap=1e-4)
    found = minimize(program, gap=1e-4, judge=lambda vectors: program.value(vectors) * 1.01)
    assert found.exhausted
    assert not found.finished
    assert closed.iterations + 8 <= found.iterations <= closed.iterations + 12


def test_a_search_goes_on_as_long_as_what_vectors_are_worth_falls():
    program, asked = program_of(2, 6, 6, 1.0), []

    def falling(vectors):
        asked.append(1)
        return program.value(vectors) * (1 + 0.7 ** len(asked))

    found = minimize(program, gap=1e-2, judge=falling)
    assert found.finished
    assert len(asked) > 12
