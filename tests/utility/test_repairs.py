"""Repairs with their price, against arithmetic by hand."""

from fractions import Fraction

import pytest

from tightrope.exact import Level
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import repair
from tightrope.spaces import categories
from tightrope.utility import Problem, repair_for

RATIO = Level.ratio(2)
TRUTH = [[1, 0], [0, 1]]


def test_a_matrix_that_has_the_level_costs_what_it_costs():
    exact = MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"]], categories(2))
    found = repair_for(Problem("categories:2", RATIO, loss="binary"), exact)
    assert found.given is exact is found.certified.mechanism
    assert (found.changed, found.moved) == (False, 0)
    assert found.value_before == found.value_after == pytest.approx(1 / 3)


def test_what_is_added_goes_where_the_prior_makes_it_cheap():
    # lifted columns are (1, 1/2) and (1/2, 1), the rows add up to 3/2: nothing is left over
    even = repair_for(Problem("categories:2", RATIO, loss="binary"), TRUTH)
    assert even.value_after == pytest.approx(1 / 3)
    # (1, 0) and (1/2, 1/2) lift to (1, 1/2) and (1/4, 1/2), with the sums 5/4 and 1; S = 3/2, so
    # 1/4 and 1/2 are left over: for output 0 the rows become (5/6, 1/6) and (2/3, 1/3)
    half = [[1, 0], ["1/2", "1/2"]]
    first = repair_for(Problem("categories:2", RATIO, [0.9, 0.1], "binary"), half)
    assert first.value_before == pytest.approx(0.1 / 2)
    assert first.value_after == pytest.approx(0.9 / 6 + 0.1 * 2 / 3)
    # for output 1 they become (2/3, 1/3) and (1/3, 2/3)
    second = repair_for(Problem("categories:2", RATIO, [0.1, 0.9], "binary"), half)
    assert second.value_after == pytest.approx(0.1 / 3 + 0.9 / 3)


def test_the_worst_input_is_what_a_worst_goal_tells():
    half = [[1, 0], ["1/2", "1/2"]]
    found = repair_for(Problem("categories:2", RATIO, loss="binary", goal="worst"), half)
    assert found.value_before == 1 / 2
    assert found.value_after >= 1 / 3 - 1e-12


def test_without_a_loss_no_price_is_named():
    data = repair(TRUTH, "categories:2", RATIO).facts().json
    assert (data["value_before"], data["value_after"]) == (None, None)
    assert data["moved"] == pytest.approx(float(Fraction(1, 3)))
    assert data["changed"] is True
