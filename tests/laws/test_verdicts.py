"""The statistical test itself: its error rates are what it says."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from tests.laws.verdicts import ERROR, OFF, Grouping, LawTest

LAW = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))


def test_the_true_law_is_rejected_less_often_than_stated():
    test = LawTest(LAW)
    low, high = test.intervals(test.draws)
    chances = np.array([float(p) for p in LAW])
    outside = binom.cdf(low - 1, test.draws, chances) + binom.sf(high, test.draws, chances)
    assert outside.sum() <= ERROR


def test_a_largest_cell_off_by_two_percent_is_accepted_less_often_than_stated():
    assert LawTest(LAW).misses(LawTest(LAW).draws) <= ERROR


def test_fewer_draws_would_not_do():
    test = LawTest(LAW)
    assert test.misses(test.draws * 9 // 10) > ERROR


@pytest.mark.parametrize("sign", [1, -1])
def test_a_law_that_is_off_is_a_law_with_that_largest_cell(sign):
    off = LawTest(LAW).off_by(sign * OFF)
    assert sum(off.cells) == 1
    assert off.cells[0] == Fraction(1, 2) * (1 + sign * OFF)


def test_expected_counts_confirm_the_law_and_counts_of_another_do_not():
    test = LawTest(LAW)
    n = test.draws
    assert test.confirms([round(n * p) for p in LAW])
    assert not test.accepts([round(n * p) for p in test.off_by(OFF).cells])
    assert not test.accepts([round(n * p) for p in test.off_by(-OFF).cells])


def test_a_grouping_keeps_the_largest_cell_apart():
    law = [Fraction(1, 8), Fraction(1, 100), Fraction(4, 10), Fraction(1, 100),
           Fraction(91, 200)]
    grouping = Grouping.of(law)
    assert sum(grouping.cells(law)) == 1
    assert max(grouping.cells(law)) == Fraction(91, 200)
    assert grouping.counts(np.array([0, 1, 2, 3, 4, 4])).sum() == 6
