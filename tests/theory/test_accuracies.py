"""ε* with its neighbors, from one call, against closed forms."""

from fractions import Fraction
from math import log

import pytest

from tightrope.errors import BadInput, Infeasible
from tightrope.exact import Level, tolerances
from tightrope.spaces import categories, path
from tightrope.theory import accuracy, exponential_bounds, sample_size
from tightrope.theory.limits import base_measures
from tightrope.theory.limits.compatibility import SmallestLevelFor


def test_equidistant_points_need_the_logarithm_of_the_odds():
    # the right answer with probability 9/10, each of the other three with 1/30: a ratio of 27
    found = accuracy("categories:4", 0, 0.1)
    assert found.smallest.failure == Fraction(1, 10)  # a float means its shortest decimal
    assert found.smallest.lower <= log(27) <= found.smallest.upper
    assert found.packing.epsilon <= log(27)
    assert [row.base for row in found.exponential] == ["uniform", "cover", "optimized"]
    assert all(row.attained >= found.smallest.lower for row in found.exponential)
    assert found.rows is None


def test_rows_make_up_for_a_smaller_level():
    # ln(27) = 3.2958: 33 rows at 1/10 are enough (3.3), 32 are not (3.2)
    assert accuracy("categories:4", 0, "1/10", epsilon=0.1).rows == 33


def test_nothing_is_given_up_where_one_answer_is_near_everybody():
    found = accuracy("path:0..4", 2, "0.1")
    assert (found.smallest.upper, found.exponential) == (0, ())
    assert accuracy("path:0..4", 2, "0.1", closed=False).smallest.lower > 0


def test_what_commands_print_says_which_balls_were_meant():
    said = accuracy("path:0..4", "3/2", "1/10", closed=False).facts().json
    assert (said["balls"], said["radius"], said["failure"]) == ("open", "3/2", "1/10")


@pytest.mark.parametrize(
    ("radius", "failure", "kind"),
    [(-1, "0.1", BadInput), (1, 1, BadInput), ("wide", "0.1", BadInput), (0, 0, Infeasible)],
)
def test_an_accuracy_without_meaning_is_refused(radius, failure, kind):
    with pytest.raises(kind):
        accuracy("path:0..4", radius, failure)


def test_the_theorem_asks_for_balls_of_half_the_radius():
    """Around an end of 0..4 two of five answers are within 1: 2β, β = (2/2) ln(1/(δ · 2/5))."""
    uniform = exponential_bounds(path(0, 4), Fraction(2), Fraction(1, 5))[0]
    assert uniform.least_ball == Fraction(2, 5)
    assert uniform.guarantee == pytest.approx(2 * log(12.5))


def test_a_beta_that_is_a_hair_too_small_is_raised_until_failures_are_rare(monkeypatch):
    hair = 1 - 16 * tolerances.LEVEL_WIDTH
    monkeypatch.setattr(base_measures, "_least_beta", lambda aim, measure: log(8) * hair)
    found = exponential_bounds(categories(3), Fraction(1, 2), Fraction(1, 5))[0]
    assert found.beta > log(8) * (1 - 4 * tolerances.LEVEL_WIDTH)


def test_rows_are_enough_for_the_upper_end_of_the_bracket():
    found = SmallestLevelFor(1.5, 1.0, 2.0, Fraction(1), Fraction(1, 10), True, None, None)
    assert sample_size(found, Level.epsilon("0.5")) == 4
    assert sample_size(found, Level.epsilon("0.5"), sensitivity=3) == 12
