"""Losses of any size: the same answer in other units, and one sentence where doubles end."""

import warnings

import numpy as np
import pytest

from tests.documents.judges import HOLDS, text_of, verdicts
from tightrope.choices import Goal
from tightrope.constructions import design
from tightrope.documents import compose, optimality_of
from tightrope.errors import BadMatrix
from tightrope.exact import Level
from tightrope.spaces import path
from tightrope.utility import LossMatrix

SPACE = path(0, 3)
LOSSES = np.array([[0.0, 2, 3, 7], [1, -1, 1, 4], [5, 2, 0, 1], [3, 3, 3, 0]])
LEVELS = [Level.epsilon("0.7"), Level.epsilon("0.7", delta="0.05")]
GOALS = list(Goal)


@pytest.mark.parametrize("level", LEVELS, ids=["pure", "delta"])
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("power", [40, 200, 600])
def test_the_optimum_does_not_depend_on_the_unit(level, goal, power):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        small = design(SPACE, level, loss=LossMatrix(LOSSES), goal=goal)
        large = design(SPACE, level, loss=LossMatrix(np.ldexp(LOSSES, power)), goal=goal)
    assert large.value == pytest.approx(np.ldexp(small.value, power), rel=2e-6)
    assert large.bound <= large.value
    assert small.gap <= 1e-6
    assert large.gap <= 1e-6


@pytest.mark.parametrize("level", LEVELS, ids=["pure", "delta"])
@pytest.mark.parametrize("goal", GOALS)
def test_both_judges_prove_optima_of_large_losses(level, goal, tmp_path):
    found = design(SPACE, level, loss=np.ldexp(LOSSES, 600), goal=goal)
    claim = optimality_of(found)
    assert claim is not None
    assert claim.gap <= 1e-6
    content = compose(found.certified, {"name": found.construction}, optimality=claim)
    assert verdicts(text_of(content), tmp_path) == (HOLDS, HOLDS)


def test_losses_far_below_one_get_a_true_bound():
    found = design(SPACE, LEVELS[0], loss=LossMatrix(np.ldexp(LOSSES, -900)))
    assert found.bound is None or found.bound <= found.value


@pytest.mark.parametrize("level", LEVELS, ids=["pure", "delta"])
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("size", [1e300, 1.7e308, -1.7e308])
def test_what_cannot_be_added_up_is_refused_in_one_sentence(level, goal, size):
    losses = LOSSES.copy()
    losses[0, 3] = size
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(BadMatrix, match="at most 1e\\+200 in size, found 1"):
            design(SPACE, level, loss=LossMatrix(losses), goal=goal)
