"""Quantiles and modes by inverse sensitivity, against all small databases."""

from fractions import Fraction
from itertools import product
from time import process_time

import numpy as np
import pytest

from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.samplers import SeededSource, draw_answer
from tightrope.theory import median_law, mode_law, mode_rungs, quantile_law, rank_of

VALUES, PEOPLE = 4, 3
DATABASES = list(product(range(VALUES), repeat=PEOPLE))


def apart(x, y):
    """How many records must be replaced to turn one database into the other, as multisets."""
    left = list(y)
    for value in x:
        if value in left:
            left.remove(value)
    return len(left)


def brute_rung(x, r, right):
    return min(apart(x, y) for y in DATABASES if right(y, r))


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_rungs_count_the_records_to_replace(rank):
    for x in DATABASES:
        law = quantile_law(np.array(x), Level.ratio(4), rank=rank, low=0, high=VALUES - 1).law
        for r in range(VALUES):
            assert law.rung(r) == brute_rung(x, r, lambda y, r: sorted(y)[rank - 1] == r)


def test_rungs_of_the_mode_count_the_records_to_replace():
    for x in DATABASES:
        found = mode_rungs(np.array(x), low=0, high=VALUES - 1).tolist()
        expected = [brute_rung(x, r, lambda y, r: y.count(r) == max(map(y.count, y)))
                    for r in range(VALUES)]
        assert found == expected


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_the_exact_level_over_all_small_databases_is_below_the_claim(rank):
    laws = {
        x: [quantile_law(np.array(x), Level.ratio(4), rank=rank, low=0, high=VALUES - 1)
            .law.probability(r) for r in range(VALUES)]
        for x in DATABASES
    }
    worst = max(
        p / q
        for x in DATABASES for y in DATABASES if apart(x, y) == 1
        for p, q in zip(laws[x], laws[y], strict=True)
    )
    assert Fraction(2) < worst < 4  # between ε/2 and ε


def test_the_exact_level_of_the_mode_is_below_the_claim():
    laws = {}
    for x in DATABASES:
        found = mode_law(np.array(x), Level.ratio(4), low=0, high=VALUES - 1)
        laws[x] = {v: found.certified.law.probability(k) for k, v in enumerate(found.values)}
        assert sum(laws[x].values()) == 1
    worst = max(laws[x][r] / laws[y][r] for x in DATABASES for y in DATABASES
                if apart(x, y) == 1 for r in range(VALUES))
    assert Fraction(2) <= worst < 4


def test_probabilities_add_up_to_one():
    law = quantile_law([4, 8, 5, 5], Level.epsilon(1), rank=3, low=-2, high=12).law
    assert sum(law.probability(r) for r in range(-2, 13)) == 1


@pytest.mark.slow
def test_the_median_of_a_million_records_takes_less_than_two_seconds_of_a_processor():
    records = np.random.default_rng(1).integers(0, 10**6, 10**6)
    start = process_time()
    proved = median_law(records, Level.epsilon("0.1"), low=0, high=10**6)
    answer = draw_answer(proved, SeededSource(2))
    assert process_time() - start < 2
    assert abs(answer - int(np.sort(records)[499_999])) < 1000


def test_values_outside_the_bounds_are_moved_to_the_nearest():
    inside = median_law([0, 5, 9], Level.ratio(4), low=0, high=9).law
    outside = median_law([-100, 5, 700], Level.ratio(4), low=0, high=9).law
    assert [inside.rung(r) for r in range(10)] == [outside.rung(r) for r in range(10)]


def test_far_answers_keep_their_tiny_probability():
    law = median_law([0] * 2001, Level.ratio(4), low=0, high=1).law
    assert law.probability(1) == Fraction(1, 2**1001 + 1)


@pytest.mark.parametrize("wrong", [
    lambda: median_law([1, 2], Level.ratio(2), low=0, high=0),
    lambda: median_law([1, 2], Level.ratio(2), low=None, high=None),
    lambda: median_law([1, 2], Level.ratio(2), low=0, high=float("inf")),
    lambda: median_law([], Level.ratio(2), low=0, high=1),
    lambda: median_law([0.5], Level.ratio(2), low=0, high=1),
    lambda: quantile_law([1], Level.ratio(2), rank=2, low=0, high=1),
    lambda: rank_of("1.5", 3),
    lambda: median_law([1, 2], Level.ratio(2), low=0, high=2**63),
    lambda: median_law([1, 2], Level.ratio(2), low=-(2**62), high=2**62),
])
def test_unbounded_or_unusable_records_are_refused(wrong):
    with pytest.raises(BadInput):
        wrong()
