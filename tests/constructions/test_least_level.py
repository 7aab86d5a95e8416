"""The smallest level for a given loss: against closed forms, with a proof on both sides."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tightrope.constructions import Effort, Goal, Objective, min_level_given_loss
from tightrope.errors import BadInput, Infeasible
from tightrope.spaces import categories, grid, path
from tightrope.utility import LossMatrix, absolute, binary, euclidean


@pytest.mark.parametrize("values", [2, 3, 6])
def test_complete_graphs_need_the_level_of_randomized_response(values):
    found = min_level_given_loss(categories(values), Fraction(1, 5), Objective(loss=binary))
    closed = math.log((values - 1) * 4)  # the error is (k - 1)/(k - 1 + e^ε)
    assert float(found.refuted) < closed <= float(found.level)
    assert float(found.level) - float(found.refuted) <= 2e-6 * closed


@pytest.mark.parametrize(
    ("space", "most", "objective"),
    [
        (path(0, 9), Fraction(1, 2), Objective(loss=absolute)),
        (path(0, 9), Fraction(1, 100), Objective(loss=absolute)),
        (grid((3, 3)), Fraction(1, 2), Objective(loss=euclidean)),
    ],
)
def test_both_ends_of_the_bracket_are_proved(space, most, objective):
    found = min_level_given_loss(space, most, objective)
    assert found.solution.value <= most
    assert found.solution.certified.certificate.level == found.level
    again = min_level_given_loss(space, most, objective, width=1e-3)
    assert float(again.refuted) < float(found.level)
    assert float(found.refuted) < float(again.level)
    assert float(found.level) - float(found.refuted) <= 2e-6 * float(found.level)


def test_the_worst_case_with_delta_has_a_smallest_level_too():
    objective = Objective(loss=binary, goal=Goal.WORST)
    found = min_level_given_loss(categories(3), Fraction(1, 4), objective, delta=Fraction(1, 10))
    closed = math.log(2 * Fraction(9, 10) * 4 - 2)  # 2 (1 - δ)/(2 + e^ε) = 1/4
    assert float(found.refuted) < closed <= float(found.level)


def test_what_no_level_reaches_is_said_with_the_least_loss():
    gains = LossMatrix(-absolute.matrix(path(0, 2), (0, 1, 2)) - 1)
    with pytest.raises(Infeasible, match=r"even without privacy it is -2\.66667"):
        min_level_given_loss(path(0, 2), Fraction(-3), Objective(loss=gains))
    with pytest.raises(Infeasible, match="out of reach"):
        min_level_given_loss(path(0, 9), Fraction(1, 10**200), Objective(loss=absolute))


def test_what_a_constant_answer_has_needs_no_level():
    with pytest.raises(BadInput, match=r"a loss of 2\.5, at any"):
        min_level_given_loss(path(0, 9), Fraction(3), Objective(loss=absolute))
    nothing = LossMatrix(np.zeros((3, 3)))
    with pytest.raises(BadInput, match="a loss of 0, at any"):
        min_level_given_loss(path(0, 2), Fraction(0), Objective(loss=nothing))


def test_negative_losses_are_gains():
    table = LossMatrix(-np.eye(3))
    found = min_level_given_loss(categories(3), Fraction(-1, 2), Objective(loss=table))
    assert float(found.refuted) < math.log(2) <= float(found.level)
    coarse = Effort(gap=1e-3)
    wide = min_level_given_loss(
        categories(3), Fraction(-1, 2), Objective(loss=table), effort=coarse
    )
    assert float(wide.refuted) < math.log(2) <= float(wide.level)
