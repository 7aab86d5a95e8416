"""What a search is asked for: a gap, a time, few steps, and progress in the units of the loss."""

import numpy as np
import pytest

from tightrope.choices import Goal
from tightrope.constructions import Effort, min_loss_given_level
from tightrope.constructions.optimum import approximate, minimum, one_way, optimal
from tightrope.errors import SolverFailed, TooLarge
from tightrope.exact import Level
from tightrope.spaces import directed, graph, grid, path, points
from tightrope.utility import LossMatrix, Problem, absolute, euclidean


@pytest.mark.parametrize("goal", list(Goal))
def test_progress_is_told_in_the_units_of_the_loss(goal):
    seen = []
    found = min_loss_given_level(
        path(0, 9), 1, loss=lambda x, z: 1000 * abs(x - z), goal=goal,
        effort=Effort(watch=lambda *step: seen.append(step)),
    )
    steps, values, bounds = zip(*seen, strict=True)
    assert list(steps) == list(range(1, found.statistics["iterations"] + 1))
    assert values[-1] == pytest.approx(found.value, rel=1e-5)
    assert bounds[-1] == pytest.approx(found.bound, rel=1e-5)


class Asked(Exception):
    """Raised instead of a search, with what it was asked for."""


def ask(program, *, gap, seconds=np.inf, watch=None, judge=None, reserved=0):
    raise Asked(program, seconds, judge, gap)


def test_the_search_is_told_what_columns_are_worth_once_they_are_put_right(monkeypatch):
    monkeypatch.setattr(optimal, "minimize", ask)
    prior = np.random.default_rng(7).dirichlet(np.ones(10))
    with pytest.raises(Asked) as told:
        min_loss_given_level(path(0, 9), 1, prior=prior, loss=absolute)
    program, _, judge, _ = told.value.args
    whole = program.value(program.start)
    assert judge(program.start) == pytest.approx(whole)
    assert 0.6 * whole < judge(program.start / 2) <= whole  # rows add up to one again
    outside = program.start.copy()
    outside[0, 9] = 0.0  # some pair of the column fails
    assert judge(outside) > program.value(outside)


@pytest.mark.parametrize("entries", [0, 10**9])
def test_the_search_closes_the_gap_that_is_asked_for_or_more(monkeypatch, entries):
    monkeypatch.setattr(optimal, "minimize", ask)
    monkeypatch.setattr(optimal, "_QUICK", entries)  # up to so many, it closes much more
    with pytest.raises(Asked) as told:
        min_loss_given_level(path(0, 9), 1, loss=absolute, effort=Effort(gap=1e-3))
    assert 0 < told.value.args[3] <= 1e-3


@pytest.mark.parametrize(("seconds", "most"), [(60.0, 59.1), (2.5, 1.6), (0.5, 0.25)])
def test_time_for_the_proof_is_kept_of_the_time_allowed(monkeypatch, seconds, most):
    """300 x 300 entries take 0.9 seconds; the search has half of the time at least."""
    monkeypatch.setattr(optimal, "minimize", ask)
    with pytest.raises(Asked) as told:
        min_loss_given_level(path(0, 299), "1/2", loss=absolute, effort=Effort(seconds=seconds))
    assert seconds / 2 <= told.value.args[1] <= most


@pytest.mark.parametrize(("seconds", "told"), [(19.0, TooLarge), (21.0, Asked)])
def test_a_proof_may_take_half_of_the_time(monkeypatch, seconds, told):
    monkeypatch.setattr(optimal, "minimize", ask)
    monkeypatch.setattr(optimal, "_PROVED", 10)  # 10 x 10 entries take 10 seconds
    with pytest.raises(told):
        min_loss_given_level(path(0, 9), 1, loss=absolute, effort=Effort(seconds=seconds))


@pytest.mark.parametrize(("seconds", "told"), [(13.0, TooLarge), (15.0, Asked)])
def test_every_different_distance_takes_time_to_prove(monkeypatch, seconds, told):
    """Four points anywhere have seven of them, 0 among them; four on a path have four."""
    monkeypatch.setattr(optimal, "minimize", ask)
    monkeypatch.setattr(optimal, "_POWERS", 1)
    anywhere = points("abcd", [(0, 0), (1, 0), (0, 2), (5, 7)])
    with pytest.raises(told):
        min_loss_given_level(anywhere, 1, loss=euclidean, effort=Effort(seconds=seconds))
    with pytest.raises(Asked):
        min_loss_given_level(path(0, 3), 1, loss=absolute, effort=Effort(seconds=13.0))


def test_a_prior_without_symmetry_takes_few_steps():
    """23 steps; 33 without correctors, 40 or more where lists of pairs come late or never grow."""
    prior = np.random.default_rng(7).dirichlet(np.ones(49))
    found = min_loss_given_level(grid((7, 7)), "1/2", prior=prior, loss=euclidean)
    assert found.gap <= 1e-6
    assert found.statistics["iterations"] <= 27


@pytest.mark.parametrize(
    ("stop", "rest"), [(KeyboardInterrupt(), 2.0), (SolverFailed("time limit reached"), 20.0)]
)
def test_with_delta_the_optimum_without_has_the_time_that_is_left(monkeypatch, stop, rest):
    """Of 100 seconds the program with δ has 75; here it takes 80. After Ctrl-C it is a moment."""
    given, clock = [], iter([1000.0, 1080.0])

    def stopped(problem, effort):
        given.append(effort.seconds)
        raise stop

    def without(problem, effort):
        raise Asked(effort.seconds)

    monkeypatch.setattr(minimum, "monotonic", lambda: next(clock))
    monkeypatch.setattr(minimum, "solve_with_delta", stopped)
    monkeypatch.setattr(minimum, "_solve_without_delta", without)
    problem = Problem(path(0, 5), Level.ratio(2, "0.01"))
    with pytest.raises(Asked) as told:
        minimum.minimum(problem, Effort(seconds=100.0))
    assert given == [75.0]
    assert told.value.args == (rest,)


def test_the_program_with_delta_has_the_time_that_is_allowed(monkeypatch):
    def refine(program, *, seconds=np.inf, **given):
        raise Asked(seconds)

    monkeypatch.setattr(approximate, "refine", refine)
    with pytest.raises(Asked) as told:
        minimum.minimum(Problem(path(0, 5), Level.ratio(2, "0.01")), Effort(seconds=8.0))
    assert 0 < told.value.args[0] <= 6.0


def test_components_are_solved_with_the_effort_that_is_asked_for(monkeypatch):
    def solve(problem, effort):
        raise Asked(effort)

    monkeypatch.setattr(minimum, "solve_cone", solve)
    asked = Effort(gap=0.01, seconds=7.0)
    with pytest.raises(Asked) as told:
        minimum.minimum(Problem(graph("abcd", [(0, 1), (2, 3)]), 1), asked)
    assert told.value.args[0].gap == asked.gap
    assert told.value.args[0].seconds <= asked.seconds


def test_one_way_the_program_has_the_time_that_is_allowed(monkeypatch):
    def solve(program, *, seconds=np.inf, **given):
        raise Asked(seconds)

    monkeypatch.setattr(one_way, "solve", solve)
    with pytest.raises(Asked) as told:
        minimum.minimum(Problem(directed("ab", [(0, 1)]), 1), Effort(seconds=3.0))
    assert told.value.args == (3.0,)


def test_one_way_the_worst_loss_may_be_a_gain():
    space, losses = directed("abc", [(0, 1), (2, 1)]), np.array([[0, 2, 1], [1, 0, 2], [2, 1, 0.0]])
    found, moved = (
        min_loss_given_level(space, Level.ratio(2), loss=LossMatrix(table), goal=Goal.WORST)
        for table in (losses, losses - 3)
    )
    assert moved.value == pytest.approx(found.value - 3)
    assert moved.bound == pytest.approx(found.value - 3)
