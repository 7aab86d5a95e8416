"""A search that is stopped or does not fit: the best proved pair so far, or one sentence."""

import json
import subprocess
import sys
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from tightrope.choices import Goal
from tightrope.constructions import Effort, compare, design, designing, min_loss_given_level
from tightrope.constructions.optimum import minimum, optimal
from tightrope.errors import SolverFailed, TooLarge
from tightrope.exact import Level, sizes
from tightrope.lp import iterates
from tightrope.spaces import path
from tightrope.utility import Problem, absolute, standing_of

DESIGN = """
import json, os, signal
from tightrope.constructions import Effort, min_loss_given_level

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a job in the background runs

def watch(step, value, bound):
    if step == 4:
        os.kill(os.getpid(), signal.SIGINT)

found = min_loss_given_level("grid:9x9,metric=manhattan", 1, effort=Effort(watch=watch))
finished = found.statistics["finished"]
print(json.dumps([found.value, found.bound, found.certified.certificate.smallest.upper, finished]))
"""


def test_a_real_ctrl_c_ends_a_search_with_what_is_proved():
    run = subprocess.run([sys.executable, "-c", DESIGN], capture_output=True, text=True)
    assert run.returncode == 0
    value, bound, level, finished = json.loads(run.stdout)
    assert 0 < bound < value
    assert level <= 1
    assert not finished


def test_an_open_gap_says_why():
    space = path(0, 9)
    stopped = min_loss_given_level(space, 1, effort=Effort(seconds=1e-9))
    assert standing_of(stopped).endswith("% (the search stopped before its end)")
    ended = min_loss_given_level(space, 1, effort=Effort(gap=0.0))
    assert standing_of(ended, 0.0).endswith("% (the search stopped at the end of its digits)")


@pytest.mark.parametrize("goal", list(Goal))
@pytest.mark.parametrize("stop", [KeyboardInterrupt(), SolverFailed("time limit reached")])
def test_with_delta_a_stopped_search_gives_the_optimum_without(monkeypatch, goal, stop):
    """At δ = 0 the level holds all the more, and its multipliers prove a bound with δ too."""
    problem = Problem(path(0, 5), Level.ratio(2, "0.01"), loss=absolute, goal=goal)
    best = minimum.minimum(problem)
    pure = minimum.minimum(problem.at(Level.ratio(2)))

    def stopped(asked, effort):
        raise stop

    monkeypatch.setattr(minimum, "solve_with_delta", stopped)
    monkeypatch.setattr(minimum, "_PATIENCE", 60.0)
    monkeypatch.setattr(minimum, "_SHARE", 0.0)
    found = minimum.minimum(problem, Effort(seconds=60.0))
    assert found.value == pytest.approx(pure.value, rel=1e-6)
    assert 0.5 * best.value < found.bound <= best.value < found.value
    assert found.certified.certificate.level.delta == Fraction(1, 100)
    assert not found.statistics["finished"]


def test_a_program_with_delta_that_fails_with_time_left_says_so(monkeypatch):
    def failed(asked, effort):
        raise SolverFailed("HiGHS did not solve a linear program: unknown.")

    monkeypatch.setattr(minimum, "solve_with_delta", failed)
    with pytest.raises(SolverFailed, match="HiGHS"):
        minimum.minimum(Problem(path(0, 5), Level.ratio(2, "0.01")))


def test_what_needs_too_much_memory_is_refused_before_it_is_taken(monkeypatch):
    """1,000 columns with dense factors of 1,000 x 1,000 entries are 10 gigabytes."""
    monkeypatch.setattr(iterates, "available", lambda extra: False)
    n = 1000
    prior = np.random.default_rng(7).dirichlet(np.ones(n))
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge, match=r"in megabytes, is 1\d,\d{3}, .* 8,000; .*\[fast\]"):
            min_loss_given_level(path(0, n - 1), "1/2", prior=prior, loss=absolute)
        assert tracemalloc.get_traced_memory()[1] < 400_000_000
    finally:
        tracemalloc.stop()


def test_a_time_too_short_for_the_proof_is_refused_before_anything_is_done():
    """1,500 x 1,500 entries take some 22 seconds; a moment is always given."""
    prior = np.random.default_rng(7).dirichlet(np.ones(1500))
    with pytest.raises(TooLarge, match=r"in seconds, is 23, .* of 3; .* allow 46 seconds or more"):
        min_loss_given_level("categories:1500", 1, prior=prior, effort=Effort(seconds=5.0))
    assert min_loss_given_level("categories:20", 1, effort=Effort(seconds=1e-9)).value > 0


def test_in_a_short_time_design_and_compare_give_what_can_be_proved_in_it():
    prior = np.random.default_rng(7).dirichlet(np.ones(900))
    asked = {"prior": prior, "effort": Effort(seconds=1.0)}
    assert design("categories:900", 1, **asked).construction == "remapped-tight"
    rows = {row.construction: row for row in compare("categories:900", 1, **asked).rows}
    assert rows["exponential"].solution is None
    assert "allow 3 seconds or more" in rows["exponential"].reason
    assert rows["tight"].solution is not None


def test_design_tries_nothing_more_when_the_time_is_up_and_something_is_found(monkeypatch):
    clock = iter(range(0, 1000, 50))
    monkeypatch.setattr(designing, "monotonic", lambda: next(clock))
    told = []
    problem = Problem("grid:3x3", 1)
    found = designing.try_catalog(
        problem, Effort(seconds=60.0, gap=0.0), whole=False, told=told.append
    )
    assert [row.construction for row in told if row.solution] == ["tight"]
    assert len(found.solutions) == 1


def test_ctrl_c_while_the_optimum_is_prepared_leaves_what_was_found_before(monkeypatch):
    def interrupted(problem):
        raise KeyboardInterrupt

    monkeypatch.setattr(Effort, "symmetry_of", lambda effort, problem: interrupted(problem))
    assert design("grid:3x3", 1).construction == "tight"
    found = compare("grid:3x3", 1)
    assert [row.construction for row in found.rows if row.construction == "optimal"] == []
    assert found.solutions
    with pytest.raises(KeyboardInterrupt):
        design("grid:3x3", 1, construction="optimal")


def test_design_tries_nothing_more_after_a_search_that_was_stopped():
    told = []

    def watch(step, value, bound):
        raise KeyboardInterrupt

    problem = Problem("grid:6x6", 1, prior=np.random.default_rng(7).dirichlet(np.ones(36)))
    designing.try_catalog(problem, Effort(watch=watch), whole=False, told=told.append)
    assert [row.construction for row in told][-1] == "optimal"
    assert told[-1].solution is not None


@pytest.mark.parametrize("space", ["categories:5000", "grid:69x70", "star:4999"])
def test_what_cannot_be_proved_in_the_memory_allowed_is_refused_at_once(space):
    """350 bytes for each of 5,000 x 5,000 entries are 8.75 gigabytes."""
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge, match=r"in megabytes, is 8,\d{3}, more than .* 8,000"):
            min_loss_given_level(space, "1/9")
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_what_the_columns_take_at_least_is_refused_before_they_are_made(monkeypatch):
    """With 5 x 5 columns, 80 + 120 bytes for each number and 4 x 110 for its nearest pairs."""
    monkeypatch.setattr(sizes, "LARGEST_CONE_MEMORY", 230_000)
    monkeypatch.setattr(optimal, "Rays", None)
    prior = np.random.default_rng(7).dirichlet(np.ones(25))
    with pytest.raises(TooLarge, match=r"the least memory .* in megabytes, is "):
        min_loss_given_level("grid:5x5", 1, prior=prior)


@pytest.mark.slow
def test_with_symmetry_few_columns_of_many_numbers_are_solved():
    """A star of 1,700 leaves has two kinds of points, hence two columns."""
    found = min_loss_given_level("star:1700", "1/2", effort=Effort(gap=0.01))
    assert found.gap < 0.01
    assert found.problem.space.size == 1701
