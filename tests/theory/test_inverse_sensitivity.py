"""Quantiles and modes by inverse sensitivity: bounds, far answers, a million records."""

from fractions import Fraction
from time import process_time

import numpy as np
import pytest

from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.privacy import certified
from tightrope.samplers import SeededSource, draw
from tightrope.theory import median, mode, quantile
from tightrope.theory.queries.inverse_sensitivity import rank_of


def test_probabilities_add_up_to_one():
    law = quantile(Level.epsilon(1), size=4, low=-2, high=12, rank=3).law([4, 8, 5, 5])
    assert sum(law.probability(r) for r in range(-2, 13)) == 1


@pytest.mark.slow
def test_the_median_of_a_million_records_takes_less_than_two_seconds_of_a_processor():
    records = np.random.default_rng(1).integers(0, 10**6, 10**6)
    level = Level.epsilon("0.1")
    start = process_time()
    proved = certified(median(level, size=10**6, low=0, high=10**6), level)
    answer = draw(proved, records, SeededSource(2))
    assert process_time() - start < 2
    assert abs(answer - int(np.sort(records)[499_999])) < 1000


def test_values_outside_the_bounds_are_moved_to_the_nearest():
    middle = median(Level.ratio(4), size=3, low=0, high=9)
    inside, outside = middle.law([0, 5, 9]), middle.law([-100, 5, 700])
    assert [inside.rung(r) for r in range(10)] == [outside.rung(r) for r in range(10)]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.uint64, np.int64, ">i4"])
def test_records_of_any_width_are_moved_to_bounds_that_do_not_fit_in_it(kind):
    records = np.array([3, 120, 5], dtype=kind)
    law = median(Level.ratio(4), size=3, low=-10_000, high=10_000).law(records)
    assert [law.rung(r) for r in (3, 4, 5, 120, 121)] == [1, 1, 0, 1, 2]


def test_far_answers_keep_their_tiny_probability():
    law = median(Level.ratio(4), size=2001, low=0, high=1).law([0] * 2001)
    assert law.probability(1) == Fraction(1, 2**1001 + 1)


def test_the_rank_of_the_median_is_the_lower_middle():
    for size in range(1, 9):
        assert median(Level.ratio(4), size=size, low=0, high=1).rank == (size + 1) // 2


def test_a_mode_is_drawn_from_its_own_values():
    level = Level.epsilon(40)
    proved = certified(mode(level, size=5, low=-3, high=3), level)
    assert draw(proved, [-2, 1, -2, 3, -2], SeededSource(1)) == -2


MIDDLE = median(Level.ratio(2), size=2, low=0, high=2)


@pytest.mark.parametrize("wrong", [
    lambda: median(Level.ratio(2), size=2, low=0, high=0),
    lambda: median(Level.ratio(2), size=2, low=None, high=None),
    lambda: median(Level.ratio(2), size=2, low=0, high=float("inf")),
    lambda: median(Level.ratio(2), size=0, low=0, high=1),
    lambda: quantile(Level.ratio(2), size=1, low=0, high=1, rank=2),
    lambda: median(Level.ratio(2), size=2, low=0, high=2**63),
    lambda: median(Level.ratio(2), size=2, low=-(2**62), high=2**62),
    lambda: rank_of("1.5", 3),
    lambda: MIDDLE.law([]),
    lambda: MIDDLE.law([1]),
    lambda: MIDDLE.law([1, 2, 1]),
    lambda: MIDDLE.law([0.5, 1]),
    lambda: MIDDLE.law([True, False]),
    lambda: MIDDLE.law([2**70, 1]),
])
def test_unbounded_or_unusable_records_are_refused(wrong):
    with pytest.raises(BadInput):
        wrong()
