"""The smallest level for a given loss: against closed forms, with a proof on both sides."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tightrope.choices import Goal
from tightrope.constructions import Effort, least_level, min_level_given_loss, min_loss_given_level
from tightrope.constructions.optimum.minimum import minimum
from tightrope.errors import BadInput, Infeasible
from tightrope.spaces import categories, grid, path
from tightrope.utility import LossMatrix, Problem, absolute, binary


@pytest.mark.parametrize("values", [2, 3, 6])
def test_complete_graphs_need_the_level_of_randomized_response(values):
    found = min_level_given_loss(categories(values), Fraction(1, 5), loss=binary)
    closed = math.log((values - 1) * 4)  # the error is (k - 1)/(k - 1 + e^ε)
    assert float(found.refuted) < closed <= float(found.level)
    assert float(found.level) - float(found.refuted) <= 2e-6 * closed


@pytest.mark.parametrize(
    ("space", "most"),
    [
        (path(0, 9), Fraction(1, 2)),
        (path(0, 9), Fraction(1, 100)),
        (grid((3, 3)), Fraction(1, 2)),
    ],
)
def test_both_ends_of_the_bracket_are_proved(space, most):
    found = min_level_given_loss(space, most)
    assert found.solution.value <= most
    assert found.solution.certified.certificate.level == found.level
    assert min_loss_given_level(space, found.refuted).value > most  # by a search of its own
    again = min_level_given_loss(space, most, width=1e-3)
    assert float(again.refuted) < float(found.level)
    assert float(found.refuted) < float(again.level)
    assert float(found.level) - float(found.refuted) <= 2e-6 * float(found.level)


def test_the_worst_case_with_delta_has_a_smallest_level_too():
    found = min_level_given_loss(categories(3), Fraction(1, 4), goal="worst", delta=Fraction(1, 10))
    closed = math.log(2 * Fraction(9, 10) * 4 - 2)  # 2 (1 - δ)/(2 + e^ε) = 1/4
    assert float(found.refuted) < closed <= float(found.level)


@pytest.mark.parametrize("goal", list(Goal))
@pytest.mark.parametrize(("most", "delta"), [("1e-15", "0.01"), ("1e-9", "0.999999")])
def test_tiny_losses_with_delta_have_a_narrow_bracket(goal, most, delta):
    most, delta = Fraction(most), Fraction(delta)
    found = min_level_given_loss(categories(3), most, goal=goal, delta=delta)
    closed = math.log(2 * (1 - delta) / most - 2)  # 2 (1 - δ)/(2 + e^ε)
    assert float(found.refuted) < closed <= float(found.level)
    assert float(found.level) - float(found.refuted) <= 2e-6 * closed


def test_losses_below_the_unit_of_bounds_have_a_wide_bracket():
    most, delta = Fraction("1e-30"), Fraction(1, 100)
    found = min_level_given_loss(path(0, 5), most, loss=absolute, delta=delta)
    assert found.solution.value <= most
    assert 60 < float(found.refuted) < 69.3 < float(found.level) < 72


def test_what_delta_alone_reaches_needs_no_level():
    with pytest.raises(BadInput, match=r"with δ = 0\.9 a loss of 0\.0833333 is already reached"):
        min_level_given_loss(
            path(0, 5), Fraction(1, 2), loss=absolute, delta=Fraction(9, 10)
        )


def test_what_is_out_of_reach_with_delta_is_said_with_the_least_loss():
    with pytest.raises(Infeasible, match="out of reach: the smallest that was reached is"):
        min_level_given_loss(
            categories(2), Fraction(1, 10**100), delta=Fraction(1, 100)
        )


def test_what_no_level_reaches_is_said_with_the_least_loss():
    gains = LossMatrix(-absolute.matrix(path(0, 2), (0, 1, 2)) - 1)
    with pytest.raises(Infeasible, match=r"even without privacy it is -2\.66667"):
        min_level_given_loss(path(0, 2), Fraction(-3), loss=gains)
    with pytest.raises(Infeasible, match="out of reach"):
        min_level_given_loss(path(0, 9), Fraction(1, 10**200), loss=absolute)


def test_what_a_constant_answer_has_needs_no_level():
    with pytest.raises(BadInput, match=r"a loss of 2\.5, at any"):
        min_level_given_loss(path(0, 9), Fraction(3), loss=absolute)
    nothing = LossMatrix(np.zeros((3, 3)))
    with pytest.raises(BadInput, match="a loss of 0, at any"):
        min_level_given_loss(path(0, 2), Fraction(0), loss=nothing)


def test_negative_losses_are_gains():
    table = LossMatrix(-np.eye(3))
    found = min_level_given_loss(categories(3), Fraction(-1, 2), loss=table)
    assert float(found.refuted) < math.log(2) <= float(found.level)
    coarse = Effort(gap=1e-3)
    wide = min_level_given_loss(
        categories(3), Fraction(-1, 2), loss=table, effort=coarse
    )
    assert float(wide.refuted) < math.log(2) <= float(wide.level)


@pytest.mark.parametrize(("space", "most"), [("grid:4x4", "0.8"), ("cycle:12", "0.4")])
def test_few_searches_find_the_smallest_level(space, most):
    found = min_level_given_loss(space, most)
    assert found.trials <= 7  # halving a bracket to one part in a million takes twenty
    assert float(found.level) - float(found.refuted) <= 1e-6 * float(found.level)


def test_the_lower_end_is_proved_from_both_ends_without_a_search(monkeypatch):
    at = []

    def watched(problem, effort):
        at.append(problem.level)
        return minimum(problem, effort)

    monkeypatch.setattr(least_level, "minimum", watched)
    found = min_level_given_loss("grid:3x3", "0.5", prior=[k / 45 for k in range(1, 10)])
    assert found.level in at
    assert found.refuted not in at
    assert float(found.level) - float(found.refuted) <= 1e-6 * float(found.level)
    below = min_loss_given_level("grid:3x3", found.refuted, prior=[k / 45 for k in range(1, 10)])
    assert below.value > 0.5


@pytest.mark.parametrize("space", ["categories:3", "path:0..2", "star:4"])
def test_a_loss_that_only_doubles_find_small_enough_will_not_do(space):
    """At ε = 1, the first level tried, the double of the loss is below the exact one."""
    problem = Problem(space, 1)
    first = minimum(problem, Effort(gap=1e-3))

    def exact_loss(mechanism):
        rows = [mechanism.row_at(y) for y in range(problem.space.size)]
        return sum(chance * Fraction(loss) for row, losses in
                   zip(rows, problem.losses.tolist(), strict=True)
                   for chance, loss in zip(row, losses, strict=True)) / len(rows)

    exact = exact_loss(first.certified.mechanism)
    assert Fraction(first.value) < exact
    most = (Fraction(first.value) + exact) / 2
    found = min_level_given_loss(space, most, width=0.01)
    assert exact_loss(found.solution.certified.mechanism) <= most
    assert 1 < float(found.level) < 1.01
