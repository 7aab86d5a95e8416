"""Many levels: Ctrl-C ends with those that were reached, and says which were not."""

import numpy as np
import pytest

from tightrope.constructions import Effort, tradeoff
from tightrope.constructions import tradeoffs as module
from tightrope.exact import Level
from tightrope.spaces import grid

LEVELS = ["0.5", "1", "1.5", "2"]
PRIOR = np.random.default_rng(7).dirichlet(np.ones(9))


def stop_in_search(number):
    """What watches searches and presses Ctrl-C in one of them."""
    begun = []

    def watch(iteration, value, bound):
        if iteration == 1:
            begun.append(iteration)
        if len(begun) == number and iteration == 5:
            raise KeyboardInterrupt

    return watch


def test_a_search_that_is_stopped_is_the_last():
    found = tradeoff(grid((3, 3)), LEVELS, prior=PRIOR, effort=Effort(watch=stop_in_search(2)))
    assert [at.problem.level.text for at in found] == ["0.5", "1"]
    assert [at.interrupted for at in found] == [False, True]
    assert [level.text for level in found.left] == ["1.5", "2"]
    assert found.facts().json["left"] == [1.5, 2.0]
    stopped = found[1].ranked[0].solution
    assert stopped.bound <= stopped.value  # what its steps found is proved


def test_without_ctrl_c_no_level_is_left():
    found = tradeoff("categories:3", LEVELS)
    assert len(found) == 4
    assert found.left == ()
    assert not any(at.interrupted for at in found)


def test_a_level_at_which_nothing_was_found_yet_is_left(monkeypatch):
    whole, asked = module.try_catalog, []

    def stop(problem, effort, **options):
        asked.append(problem.level.text)
        if asked[-1] == "1.5":
            raise KeyboardInterrupt
        return whole(problem, effort, **options)

    monkeypatch.setattr(module, "try_catalog", stop)
    found = tradeoff("categories:3", LEVELS)
    assert len(found) == 2
    assert [level.text for level in found.left] == ["1.5", "2"]
    with pytest.raises(KeyboardInterrupt):
        tradeoff("categories:3", ["1.5"])


def test_with_delta_ctrl_c_is_told_too(monkeypatch):
    from tightrope.constructions.optimum import minimum

    def stop(problem, effort):
        raise KeyboardInterrupt

    monkeypatch.setattr(minimum, "solve_with_delta", stop)
    levels = [Level.epsilon(1, "0.1"), Level.epsilon(2, "0.1")]
    found = tradeoff("cycle:5", levels, prior=[0.1, 0.2, 0.3, 0.15, 0.25])
    assert len(found) == 1
    assert found[0].interrupted
    assert found.left == (levels[1],)
