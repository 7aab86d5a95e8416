"""Values chosen by score: exact laws, levels by brute force over all neighbors, draws."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest

from tightrope.errors import BadInput
from tightrope.mechanisms import FrequentMechanism, RankMechanism, ScoreLaw
from tightrope.mechanisms.scores import _steps
from tightrope.privacy import certified
from tightrope.samplers import SeededSource, draw
from tightrope.spaces import ValueCounts


def tables(cells, most):
    return [list(held) for held in product(range(most + 1), repeat=cells)]


def neighbors(one, other, space):
    up = sum(max(b - a, 0) for a, b in zip(one, other, strict=True))
    down = sum(max(a - b, 0) for a, b in zip(one, other, strict=True))
    return (up <= space.added and down <= space.removed) or (
        down <= space.added and up <= space.removed)


def largest_ratio(mechanism, most):
    """The largest ratio of probabilities of an answer for any two neighbors."""
    space = mechanism.space
    picks = getattr(mechanism, "picks", 1)
    answers = list(product(range(space.values), repeat=space.groups * picks))
    laws = [(held, [float(mechanism.law(held).probability(answer)) for answer in answers])
            for held in tables(space.groups * space.values, most)]
    worst = 1.0
    for one, p in laws:
        for other, q in laws:
            if neighbors(one, other, space):
                worst = max(worst, *(a / b for a, b in zip(p, q, strict=True) if b))
    return worst


@pytest.mark.parametrize(("mechanism", "most"), [
    (RankMechanism(ValueCounts(1, 3, 1, 0), 1, 1, 0, 2), 2),
    (RankMechanism(ValueCounts(1, 3, 1, 1), 1, 3, 0, 2), 2),
    (RankMechanism(ValueCounts(1, 3, 2, 0), 3, 1, 0, 2, 2), 2),
    (RankMechanism(ValueCounts(1, 3, 1, 0), 1, 0, -2, 2), 2),
    (RankMechanism(ValueCounts(1, 3, 1, 1), 0, 1, 2, 2), 2),
    (RankMechanism(ValueCounts(2, 2, 1, 1), 1, 2, 0, 2), 2),
    (FrequentMechanism(ValueCounts(1, 3, 1, 0), 1, 2), 2),
    (FrequentMechanism(ValueCounts(1, 3, 2, 2), 1, 2, 2), 2),
    (FrequentMechanism(ValueCounts(1, 3, 1, 1), 2, 2), 2),
    (FrequentMechanism(ValueCounts(2, 2, 2, 0), 1, 2), 2),
], ids=repr)
def test_no_neighbors_are_told_apart_by_more_than_the_level(mechanism, most):
    worst = largest_ratio(mechanism, most)
    assert worst <= 2**mechanism.spread * (1 + 1e-9)
    assert worst >= 2 ** (mechanism.spread // 2)  # and the level is no great excess


def test_the_law_is_that_of_tosses_in_random_order():
    """Permute and flip, played out: the first of a random order whose coin shows heads."""
    law = ScoreLaw.listed(Fraction(3), [[1, 0, 2]])
    chance = [Fraction(1, 3), Fraction(1), Fraction(1, 9)]
    expected = [Fraction(0)] * 3
    for order in permutations(range(3)):
        left = Fraction(1, 6)
        for r in order:
            expected[r] += left * chance[r]
            left *= 1 - chance[r]
    assert [law.probability([r]) for r in range(3)] == expected
    assert sum(expected) == 1


@pytest.mark.parametrize("values", [2, 5, 12])
@pytest.mark.parametrize("confidence", [Fraction(1, 2), Fraction(95, 100), Fraction(9999, 10000)])
def test_how_far_off_a_choice_is_at_most_is_right_for_the_worst_scores(values, confidence):
    """One value is right, all others have one score t: E[1/(1 + heads)] by the binomial law."""
    mechanism = FrequentMechanism(ValueCounts(1, values, 1, 0), 1, Fraction(5, 4))
    beyond = mechanism.shortfall(confidence) + 1

    def missed(t):
        law = ScoreLaw.listed(mechanism.ratio, [[0, *[t] * (values - 1)]])
        return 1 - law.probability([0])

    assert missed(beyond) <= 1 - confidence
    assert beyond == 1 or missed(beyond - 1) > 1 - confidence


@pytest.mark.parametrize(("mechanism", "data"), [
    (RankMechanism(ValueCounts(1, 4, 1, 0), 1, 1, 0, 2), [1, 2, 0, 2]),
    (FrequentMechanism(ValueCounts(1, 4, 1, 0), 1, 2), [3, 1, 2, 0]),
    (FrequentMechanism(ValueCounts(1, 3, 1, 0), 2, 2), [2, 1, 2]),
])
def test_draws_have_the_law(mechanism, data):
    proved = certified(mechanism, mechanism.spread)
    source, law = SeededSource(5), mechanism.law(data)
    found = Counter(draw(proved, data, source) for _ in range(2000))
    answers = list(permutations(range(mechanism.space.values), getattr(mechanism, "picks", 1)))
    assert sum(law.probability(answer) for answer in answers) == 1
    for answer in answers:
        expected = 2000 * float(law.probability(answer))
        assert abs(found[answer] - expected) < 5.5 * expected**0.5 + 1


def test_ranks_are_of_rows_below_and_above():
    """Of 1, 1, 4, 7: a third smallest is 4, a value with 2 rows below and one above."""
    counts = [0, 2, 0, 0, 1, 0, 0, 1]
    third = RankMechanism(ValueCounts(1, 8, 1, 0), 1, 0, -3, Fraction(2))
    assert third.law(counts).table.tolist() == [[3, 1, 1, 1, 0, 0, 0, 0]]
    upper = RankMechanism(ValueCounts(1, 8, 1, 0), 1, 3, 0, Fraction(2))  # three quarters
    assert upper.law(counts).table.tolist() == [[12, 4, 4, 4, 0, 0, 0, 0]]


def test_of_two_right_values_the_one_that_more_rows_hold_in_place_is_likelier():
    """Of 0, 1, 1, 1, 2 only 1 is a median, and three rows at another value make that one."""
    middle = RankMechanism(ValueCounts(1, 3, 1, 0), 1, 1, 0, Fraction(2))
    assert middle.law([1, 3, 1]).table.tolist() == [[3, -3, 3]]
    assert middle.law([2, 2, 0]).table.tolist() == [[0, 0, 4]]  # both are
    assert middle.law([2, 3, 0]).table.tolist() == [[1, -1, 5]]


def test_a_second_choice_is_among_the_values_that_are_left():
    """Of scores 1 and 3 the first is taken with 1 - 1/4 + 1/4 · 1/2, as heads of 1 and 1/4."""
    scores = [[0, 1, 3]]
    two, one = ScoreLaw.listed(Fraction(2), scores, 2), ScoreLaw.listed(Fraction(2), scores)
    assert two.probability([0, 1]) == one.probability([0]) * Fraction(7, 8)
    assert two.probability([0, 2]) == one.probability([0]) * Fraction(1, 8)
    assert two.probability([1, 1]) == 0
    assert sum(two.probability(pair) for pair in permutations(range(3), 2)) == 1


@pytest.mark.parametrize(("below", "above"), [(1, 3), (3, 1)])
def test_what_neighbors_change_adds_up_over_the_rows_put_in_and_taken_out(below, above):
    """Two rows put in and one taken out: by 2 · 3 + 1 · 1 = 7 either way, in steps rounded up."""
    space = ValueCounts(1, 5, 2, 1)
    assert RankMechanism(space, below, above, 0, 2).spread == 2 * 7
    assert RankMechanism(space, below, above, 0, 2, 2).spread == 2 * 4
    two = ValueCounts(2, 5, 2, 1)  # in two groups: 9 and, at the ends of two steps, one more
    assert RankMechanism(two, below, above, 0, 2).spread == 2 * 9
    assert RankMechanism(two, below, above, 0, 2, 2).spread == 2 * 5


def test_scores_are_whole_steps_rounded_down():
    middle = RankMechanism(ValueCounts(1, 5, 1, 0), 1, 1, 0, 2, 2)
    assert middle.law([1, 0, 1, 1, 2]).table.tolist() == [[1, 1, 0, -1, 0]]
    most = FrequentMechanism(ValueCounts(1, 3, 1, 0), 1, 2, 2)
    assert most.law([5, 0, 4]).table.tolist() == [[-2, 0, -2]]


@pytest.mark.parametrize("make", [
    lambda: RankMechanism(ValueCounts(1, 5, 1, 0), -1, 2, 0, 2),
    lambda: RankMechanism(ValueCounts(1, 5, 1, 0), 2, -1, 0, 2),
    lambda: RankMechanism(ValueCounts(1, 5, 1, 0), 0, 0, 0, 2),
    lambda: FrequentMechanism(ValueCounts(1, 3, 1, 0), 0, 2),
    lambda: FrequentMechanism(ValueCounts(1, 3, 1, 0), 4, 2),
])
def test_weights_below_zero_and_picks_that_there_are_not_are_refused(make):
    with pytest.raises(BadInput):
        make()


def test_scores_of_many_rows_with_large_weights_do_not_overflow():
    counts, below, above, width = [2**40 - k for k in range(12)], 10**6, 10**6 - 1, 10_000
    law = RankMechanism(ValueCounts(1, 12, 1, 0), below, above, 5, 2, width).law(counts)
    size, expected = sum(counts), []
    assert below * size > 2**63
    for r in range(12):
        low, high = sum(counts[:r]), sum(counts[r + 1:])
        first = below * low - above * (size - low) + 5
        second = above * high - below * (size - high) - 5
        expected.append(max(first, second) // width)
    assert law.table.tolist() == [expected]


@pytest.mark.parametrize("values", [2, 3, 50])
def test_the_shortfall_is_proved_where_it_is_very_unlikely(values):
    mechanism = FrequentMechanism(ValueCounts(1, values, 1, 0), 1, 2)
    confidence = 1 - Fraction(3, 2**42)

    def beyond(t):
        p = Fraction(1, 2**t)
        return 1 - (1 - (1 - p) ** values) / (values * p)

    t = mechanism.shortfall(confidence) + 1
    assert beyond(t) <= 1 - confidence < beyond(t - 2)


def most_steps(rows, groups, weight, width):
    """Steps that rows cross at most in all groups, over all ways to spread them."""
    splits = (part for part in product(range(rows + 1), repeat=groups) if sum(part) == rows)
    return max(sum(-(-count * weight // width) for count in part) for part in splits)


@pytest.mark.parametrize("groups", [1, 2, 3, 4])
def test_rows_in_several_groups_cross_a_step_in_each_of_them(groups):
    """With one row in every group each may cross a step that none would cross together."""
    for rows, width in product(range(1, 6), range(1, 6)):
        assert _steps(rows, groups, 1, width) == most_steps(rows, groups, 1, width)
        for weight in (2, 3, 7):
            most = most_steps(rows, groups, weight, width)
            assert most <= _steps(rows, groups, weight, width) <= most + groups


def test_a_level_pays_for_a_step_in_every_group_of_a_row():
    """Two rows in two groups of steps of width 2: one step each, which a level for one denies."""
    law = FrequentMechanism(ValueCounts(2, 2, 2, 0), 1, 2, 2)
    assert largest_ratio(law, 2) == pytest.approx(4)
    assert law.spread == 2


@pytest.mark.parametrize("values", [2, 9, 400])
def test_a_shortfall_is_rounded_the_safe_way_and_by_no_more_than_doubles_need(values):
    """A confidence a hair above what a score reaches asks for the next score."""
    mechanism, hair = FrequentMechanism(ValueCounts(1, values, 1, 0), 1, 2), Fraction(1, 2**31)
    for t in (3, 7, 12):
        p = Fraction(1, 2**t)
        beyond = 1 - (1 - (1 - p) ** values) / (values * p)
        assert mechanism.shortfall(1 - beyond * (1 - hair)) == t
        assert mechanism.shortfall(1 - beyond * (1 + 4 * hair)) == t - 1
