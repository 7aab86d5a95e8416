"""How hard to look: what is no effort is refused where it is made."""

import math

import pytest

from tightrope.constructions import Effort
from tightrope.errors import BadInput


@pytest.mark.parametrize(("given", "reason"), [
    ({"gap": -1}, "a gap from 0 to below 1, found -1"),
    ({"gap": 1}, "a gap from 0 to below 1, found 1"),
    ({"gap": math.nan}, "a gap from 0 to below 1, found nan"),
    ({"gap": "x"}, "the gap of an effort as a number, found 'x'"),
    ({"gap": None}, "the gap of an effort as a number, found None"),
    ({"seconds": -1}, "seconds of 0 or more, found -1"),
    ({"seconds": math.nan}, "seconds of 0 or more, found nan"),
    ({"seconds": True}, "the seconds of an effort as a number, found True"),
    ({"watch": 3}, "a function of step, value and bound to watch, found int"),
])
def test_what_is_no_effort_is_named(given, reason):
    with pytest.raises(BadInput, match=reason):
        Effort(**given)


def test_all_digits_and_all_the_time_there_is_may_be_asked_for():
    assert Effort(gap=0.0, seconds=math.inf).gap == 0
