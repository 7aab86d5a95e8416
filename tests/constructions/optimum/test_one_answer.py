"""One answer that is best for everybody is found, and proved to be, without a search."""

import numpy as np
import pytest

from tightrope.choices import Goal
from tightrope.constructions import min_loss_given_level
from tightrope.constructions.optimum.one_answer import always_one_answer
from tightrope.exact import Level
from tightrope.spaces import path
from tightrope.utility import Problem

LOSSES = np.array([[3.0, 1, 2], [2, 2, 2], [9, 5, 6]])  # the second answer is best for all


@pytest.mark.parametrize(("goal", "loss"), [(Goal.AVERAGE, 8 / 3), (Goal.WORST, 5)])
@pytest.mark.parametrize("delta", [0, "0.01"])
def test_an_answer_that_is_best_for_all_is_always_given(goal, loss, delta):
    found = min_loss_given_level(path(0, 2), Level.ratio(2, delta), loss=LOSSES, goal=goal)
    assert found.value == pytest.approx(loss, rel=1e-15)
    assert found.gap == pytest.approx(0, abs=1e-15)
    assert {found.certified.mechanism.row(y) for y in range(3)} == {(0, 1, 0)}


def test_on_average_only_possible_inputs_count():
    losses = LOSSES.copy()
    losses[1] = [0, 1, 0]
    problem = Problem(path(0, 2), 1, prior=["1/2", 0, "1/2"], loss=losses)
    assert always_one_answer(problem).value == 3
    assert always_one_answer(Problem(path(0, 2), 1, loss=losses)) is None
    assert always_one_answer(Problem(path(0, 2), 1, loss=losses, goal="worst")) is None
