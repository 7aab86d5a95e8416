"""A short run of the truth bench over statistics of tables; `make truth` is the long one."""

import pytest

from tests.truth.judge import all_faults
from tests.truth.releases import cases, judge_case
from tightrope.releases.statistics import STATISTICS

REPETITIONS = 40


def test_every_statistic_has_a_row():
    elsewhere = {"people", "cut", "keys"}  # in modules of their own
    asked = {case.question.ask for case in cases()} | elsewhere
    assert asked == set(STATISTICS)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["0.1", "1"])
def test_what_is_said_of_statistics_holds(level):
    tallies = [tally for case in cases([level]) for tally in judge_case(case, REPETITIONS)]
    assert all_faults(tallies) == []
