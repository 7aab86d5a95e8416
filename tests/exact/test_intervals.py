"""Unions of intervals against membership of points, one by one."""

import random
from fractions import Fraction

import numpy as np
import pytest

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Intervals


def random_intervals(rng):
    ends = sorted(Fraction(rng.randint(-30, 30), rng.choice((1, 2, 3))) for _ in range(6))
    return [(ends[0], ends[1]), (ends[2], ends[3]), (ends[4], ends[5])]


def inside(pairs, z):
    return any(low <= z <= high for low, high in pairs)


POINTS = [Fraction(k, 12) for k in range(-12 * 70, 12 * 70 + 1)]


@pytest.mark.parametrize("seed", range(8))
def test_sums_unions_and_differences_hold_the_right_points(seed):
    rng = random.Random(seed)
    a, b = random_intervals(rng), random_intervals(rng)
    one, two = Intervals.of(a), Intervals.of(b)
    total, both = (one + two).pairs(), (one | two).pairs()
    rest = one.without(two)
    left = [] if rest is None else rest.pairs()
    ends = {end for pair in (*a, *b) for end in pair}
    for z in POINTS:
        assert inside(both, z) == (inside(a, z) or inside(b, z))
        if z not in ends:
            assert inside(left, z) == (inside(a, z) and not inside(b, z))
    for z in POINTS[::7]:
        assert inside(total, z) == any(
            low + c <= z <= high + d for low, high in a for c, d in b
        )


@pytest.mark.parametrize("seed", range(8))
def test_measures_add_up(seed):
    rng = random.Random(100 + seed)
    one, two = Intervals.of(random_intervals(rng)), Intervals.of(random_intervals(rng))
    rest = one.without(two)
    alone = Fraction(0) if rest is None else rest.measure
    assert alone + two.measure == (one | two).measure
    assert (one | two).contains(one)
    assert one.contains(one | two) == ((one | two) == one)


def test_intervals_that_touch_become_one_and_points_may_stand_alone():
    assert Intervals.of([(0, 1), (1, 2), (5, 5)]).pairs() == [(0, 2), (5, 5)]
    assert Intervals.of([(0, 1)]).without(Intervals.of([(0, 1)])) is None
    assert Intervals.of([(2, 3)]).symmetric().pairs() == [(-3, -2), (2, 3)]


@pytest.mark.parametrize("pairs", [
    [], [(1, 0)], [(0, 1), (3, 2)], [("a", 1)], [(0, float("inf"))], [(0,)], [0]])
def test_what_is_no_interval_is_refused(pairs):
    with pytest.raises(BadInput):
        Intervals.of(pairs)


def test_ends_too_fine_for_64_bits_are_refused():
    with pytest.raises(TooLarge):
        Intervals.of([(0, 10**17)])
    with pytest.raises(TooLarge):
        Intervals.of([(0, 10**9)]) + Intervals.of([(0, Fraction(1, 10**9 + 7))])


def test_equal_sets_are_equal_however_written_and_others_are_not():
    assert Intervals.of([(0, 1), ("1/2", 2)]) == Intervals.of([("0", "4/2")])
    assert Intervals.of([(0, 1)]) != Intervals.of([(0, 2)])
    assert Intervals.of([(0, 1)]) != [(0, 1)]


def test_intervals_are_in_order_and_apart():
    for lows, highs in (([0, 5], [6, 7]), ([5, 0], [6, 1]), ([0, 1], [1, 2]), ([3, 6], [2, 7]),
                        ([0, 1], [5]), ([], [])):
        with pytest.raises(BadInput):
            Intervals(np.array(lows, np.int64), np.array(highs, np.int64), Fraction(1))
    for unit in (0, -1):
        with pytest.raises(BadInput):
            Intervals(np.array([0]), np.array([1]), Fraction(unit))


@pytest.mark.parametrize("ends", [[0], (0,), np.array([0.0]), np.array([0.5], dtype=object), 0])
def test_ends_are_arrays_of_whole_numbers(ends):
    with pytest.raises(BadInput, match="whole numbers"):
        Intervals(ends, np.array([1]), Fraction(1))


@pytest.mark.parametrize("unit", ["1/3", 0.25, 2])
def test_the_unit_is_the_exact_number_that_was_given(unit):
    found = Intervals(np.array([0]), np.array([6]), unit).measure
    assert (found, type(found)) == (6 * Fraction(unit), Fraction)


def test_sets_in_different_units_meet_in_a_finer_one():
    thirds = Intervals(np.array([0, 9]), np.array([3, 12]), "2/3")  # [0, 2] and [6, 8]
    halves = Intervals(np.array([3]), np.array([5]), "1/2")  # [3/2, 5/2]
    both = [(0, Fraction(5, 2)), (6, 8)]
    assert (thirds | halves).pairs() == Intervals.union([thirds, halves]).pairs() == both
    assert (thirds + halves).pairs() == [(Fraction(3, 2), Fraction(9, 2)),
                                         (Fraction(15, 2), Fraction(21, 2))]
    assert (thirds.reach, halves.reach) == (8, Fraction(5, 2))
    assert Intervals.of([(-9, 1)]).reach == 9
    assert thirds.in_units(Fraction(1, 3)) == thirds
    with pytest.raises(BadInput, match="does not divide"):
        thirds.in_units(Fraction(1, 2))


def test_a_set_holds_neither_what_lies_before_nor_what_bridges_a_gap():
    two = Intervals.of([(0, 1), (3, 4)])
    assert two.contains(Intervals.of([(0, 1), (3, "7/2"), (4, 4)]))
    for other in ([(-2, -1)], [(0, 4)], [("1/2", "3/2")], [(2, 2)], [(4, 5)], [(0, 1), (-1, -1)]):
        assert not two.contains(Intervals.of(other))


def test_text_is_the_set_that_it_writes():
    assert Intervals.parse("[1, 3] | {5, 7}") == Intervals.of([(1, 3), (5, 5), (7, 7)])
    assert Intervals.parse("[2, 2]") == Intervals.of([(2, 2)])
    for wrong in ("[3, 1]", "(1, 2)", "1, 2", "{1, 2]", "{}", "[1]", "[1, 2, 3]", "", "[1, x]"):
        with pytest.raises(BadInput):
            Intervals.parse(wrong)


def test_no_interval_is_turned_around_among_others():
    with pytest.raises(BadInput, match="low <= high"):
        Intervals.of([(0, 5), (3, 1)])


@pytest.mark.parametrize(("lows", "highs"), [
    ([0, 2, 3], [1, 4, 5]), ([0, 2, 4], [1, 4, 5]), ([0, 1], [1, 2]), ([3, 0], [4, 1]),
])
def test_intervals_that_touch_overlap_or_are_out_of_order_are_not_disjoint(lows, highs):
    with pytest.raises(BadInput, match="disjoint"):
        Intervals(np.array(lows), np.array(highs), Fraction(1))


def test_ends_are_below_their_limits_and_no_more():
    most = 2**53 - 1
    assert Intervals.of([(-most, most)]).pairs() == [(-most, most)]
    assert Intervals.of([(0, 1)]).in_units(Fraction(1, most)).reach == 1
    for refused in ((0, 2**53), (-(2**53), 0), (0, Fraction(2**53, 3))):
        with pytest.raises(TooLarge):
            Intervals.of([refused])
    with pytest.raises(TooLarge):
        Intervals.of([(0, 1)]).in_units(Fraction(1, 2**53))
    most = 2**60 - 1
    assert Intervals(np.array([-most]), np.array([most]), Fraction(1)).measure == 2 * most
    for low, high in ((0, 2**60), (-(2**60), 0)):
        with pytest.raises(TooLarge):
            Intervals(np.array([low]), np.array([high]), Fraction(1))
