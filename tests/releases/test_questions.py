"""What may be asked of a declared table, and how a question reads."""

from fractions import Fraction

import pytest

from tightrope.errors import BadInput, BadLevel
from tightrope.releases import Question
from tightrope.releases.statistics import Counts, Cross, Frequent, Quantiles

F = Fraction


@pytest.mark.parametrize(("asked", "given", "text"), [
    ("count", {}, "count"), ("people", {"by": "c"}, "people by c"),
    ("sum", {"columns": "x"}, "sum of x"),
    ("mean", {"columns": ["x"], "by": ("b", "c")}, "mean of x by b, c"),
    ("cross", {"columns": ["x", "c"], "where": "x > 3"}, "histogram of x and c where x > 3"),
    ("counts", {"at": ["x > 3", "c = 'a'"]}, "counts of x > 3; c = 'a'"),
    ("proportion", {"at": "x > 3", "by": "c"}, "proportion of x > 3 by c"),
    ("frequent", {"columns": "x", "at": "2"}, "2 most frequent of x"),
    ("quantiles", {"columns": "x", "at": ["0.9", 0.1, "1/10"]}, "quantiles 1/10, 9/10 of x"),
    ("quantiles", {"columns": "x", "at": 0.000001}, "quantiles 1/1000000 of x"),
])
def test_a_question_reads_as_it_was_asked(asked, given, text):
    assert Question(asked, **given).text == text


def test_a_statistic_has_what_fills_the_slots_of_its_phrase():
    quantiles = Question("quantiles", "x", at=[0.75, 0.25]).statistic
    assert quantiles == Quantiles((F(1, 4), F(3, 4)), "x")
    assert Question("frequent", "x", at=[3]).statistic == Frequent(3, "x")
    assert Question("cross", ["x", "y"]).statistic == Cross("x", "y")
    assert Question("counts", at=["x > 1", "y > 1"]).statistic == Counts(("x > 1", "y > 1"))
    assert Question("count", None, None).columns == ()


@pytest.mark.parametrize(("asked", "given", "said"), [
    ("count", {"columns": "x"}, "no columns, found 1"), ("sum", {}, "1 column, found 0"),
    ("sum", {"columns": ["x", "y"]}, "1 column, found 2"),
    ("cross", {"columns": "x"}, "2 columns, found 1"),
    ("quantiles", {"columns": "x"}, "needs the probabilities"), ("counts", {}, "the conditions"),
    ("count", {"at": "x > 3"}, "takes no further"),
    ("median", {"columns": "x", "at": 0.5}, "takes no further"),
    ("frequent", {"columns": "x", "at": [1, 2]}, "one number"),
    ("frequent", {"columns": "x"}, "how many"),
    ("quantiles", {"columns": "x", "at": [0]}, "between 0 and 1"),
    ("quantiles", {"columns": "x", "at": [1]}, "between 0 and 1"),
    ("quantiles", {"columns": "x", "at": [0.1, 1.5]}, "between 0 and 1"),
    ("quantiles", {"columns": "x", "at": "1/1000001"}, "six digits"),
    ("counts", {"at": [3]}, "is a text"), ("counts", {"at": ["x > 1", "x > 1"]}, "stated twice"),
    ("proportion", {"at": ["x > 1", "x > 2"]}, "of one condition"),
    ("counts", {"at": ["x > 1\n"]}, "control"), ("count", {"where": "x\x1b > 1"}, "control"),
    ("sum", {"columns": [7]}, "named by texts"), ("count", {"by": ["c", None]}, "named by texts"),
    ("average", {"columns": "x"}, "average"),
])
def test_what_cannot_be_asked_is_refused_in_a_sentence(asked, given, said):
    with pytest.raises(BadInput, match=said):
        Question(asked, **given)


def test_so_many_most_frequent_values_are_a_whole_number():
    with pytest.raises(BadLevel, match="whole number"):
        Question("frequent", "x", at=1.5)
