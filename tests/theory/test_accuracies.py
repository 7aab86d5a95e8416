"""ε* with its neighbors, from one call, against closed forms."""

from fractions import Fraction
from math import log

import pytest

from tightrope.errors import BadInput, Infeasible
from tightrope.theory import accuracy


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
    assert accuracy("categories:4", 0, "1/10", level=0.1).rows == 33


def test_nothing_is_given_up_where_one_answer_is_near_everybody():
    found = accuracy("path:0..4", 2, "0.1")
    assert (found.smallest.upper, found.exponential) == (0, ())
    assert accuracy("path:0..4", 2, "0.1", closed=False).smallest.lower > 0


def test_what_commands_print_says_which_balls_were_meant():
    said = accuracy("path:0..4", "3/2", "1/10", closed=False).as_json()
    assert (said["balls"], said["radius"], said["failure"]) == ("open", "3/2", "1/10")


@pytest.mark.parametrize(
    ("radius", "failure", "kind"),
    [(-1, "0.1", BadInput), (1, 1, BadInput), ("wide", "0.1", BadInput), (0, 0, Infeasible)],
)
def test_an_accuracy_without_meaning_is_refused(radius, failure, kind):
    with pytest.raises(kind):
        accuracy("path:0..4", radius, failure)
