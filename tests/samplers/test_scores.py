"""Values chosen by score, with one random number for a run: the law is that of single tosses."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from flint import arb, ctx

from tightrope.exact import tolerances
from tightrope.mechanisms import RankMechanism, ScoreLaw
from tightrope.samplers import SeededSource
from tightrope.samplers.scores import _Race, chosen_values
from tightrope.spaces import Occupied, ValueCounts

DRAWS = 4000
LAWS = {
    "runs": ScoreLaw(Fraction(2), 7, np.array([0, 1, 4]), np.array([1, 0, 2])),
    "one run": ScoreLaw(Fraction(3), 5, np.array([0]), np.array([4])),
    "a long run against a better value": ScoreLaw(
        Fraction(5, 4), 9, np.array([0, 8]), np.array([6, 0])),
    "two groups": ScoreLaw(Fraction(2), 3, np.array([0, 2, 3, 4]), np.array([0, 1, 5, 4])),
    "two picks": ScoreLaw(Fraction(2), 4, np.array([0, 1]), np.array([0, 1]), 2),
    "all of one run": ScoreLaw(Fraction(2), 4, np.array([0]), np.array([0]), 4),
    "as many picks as values": ScoreLaw(Fraction(2), 3, np.array([0, 1]), np.array([1, 0]), 3),
}


def expected(law):
    """The probability of every answer, by tosses of single values."""
    each = [*permutations(range(law.values), law.picks)]
    answers = [sum(parts, ()) for parts in product(each, repeat=len(law.firsts))]
    return {answer: float(law.probability(answer)) for answer in answers}


def fits(law, source, draws=DRAWS):
    found = Counter(tuple(chosen_values(law, source)) for _ in range(draws))
    chances = expected(law)
    assert set(found) <= set(chances)
    assert sum(chances.values()) == pytest.approx(1)
    return all(abs(found[answer] - draws * p) < 5 * (draws * p) ** 0.5 + 1
               for answer, p in chances.items())


@pytest.mark.parametrize("name", LAWS)
def test_a_run_is_chosen_as_often_as_its_values_together(name):
    assert fits(LAWS[name], SeededSource(7))


@pytest.mark.parametrize("name", ["runs", "two groups", "two picks"])
def test_what_doubles_do_not_decide_is_decided_by_more_bits(name, monkeypatch):
    monkeypatch.setattr(tolerances, "TIME_ERROR", 50.0)  # nothing is told apart
    assert fits(LAWS[name], SeededSource(8), 1000)


def test_runs_told_apart_by_doubles_and_by_balls_are_the_same(monkeypatch):
    law = ScoreLaw(Fraction(11, 10), 2**40, np.array([0, 5, 6, 2**39]), np.array([9, 0, 3, 200]))
    quick = [chosen_values(law, SeededSource(k)) for k in range(50)]
    monkeypatch.setattr(tolerances, "TIME_ERROR", 50.0)

    def run(value):
        return int(np.searchsorted(law.starts, value, side="right"))

    slow = [chosen_values(law, SeededSource(k)) for k in range(50)]
    same = sum(run(a) == run(b) for (a,), (b,) in zip(quick, slow, strict=True))
    assert same == 50  # the same first bits, and none was near a tie


class Words:
    """Bytes that were written down before."""

    seeded = True

    def __init__(self, *words):
        self.held = b"".join(word.to_bytes(8, "little") for word in words)

    def bytes(self, count):
        given, self.held = self.held[:count], self.held[count:]
        assert len(given) == count
        return given


def test_equal_first_bits_are_told_apart_by_the_next():
    """Two values of one score and the same word: the one with the larger U arrives first."""
    law = ScoreLaw.listed(Fraction(2), [[0, 0]])
    for second, winner in [((5, 9), 1), ((9, 5), 0), ((7, 7, 1, 9), 1)]:
        assert chosen_values(law, Words(2**63, 2**63, *second)) == [winner]


@pytest.mark.parametrize("word", [0, 1, 2**64 - 1])
def test_the_ends_of_what_a_word_can_be_are_times_like_others(word):
    law = ScoreLaw.listed(Fraction(2), [[0, 1, 300]])
    drawn = chosen_values(law, Words(word, 3 * 2**62, 2**62))
    assert drawn in ([0], [1])
    assert (drawn == [0]) is (word == 2**64 - 1)


def test_a_value_of_a_quintillion_is_drawn_like_one_of_a_few():
    """An empty group: all values alike; and a group with one row, whose value few values beat."""
    space = ValueCounts(2, 2**58, 1, 0)
    law = RankMechanism(space, 1, 1, 0, Fraction(2)).law(
        Occupied(np.array([2**58 + 12345]), np.array([1])))
    drawn = [chosen_values(law, SeededSource(k)) for k in range(200)]
    low = sum(value < 2**57 for value, _ in drawn)
    assert 60 < low < 140
    assert len({value for value, _ in drawn}) == 200
    assert len({value for _, value in drawn}) == 200  # 2^58 values with half the weight each


def test_scores_of_values_with_rows_and_of_those_between_are_the_ones_of_all_values():
    draw = np.random.default_rng(3)
    for _ in range(40):
        groups, values = int(draw.integers(1, 4)), int(draw.integers(2, 12))
        counts = draw.integers(0, 3, groups * values) * (draw.random(groups * values) < 0.4)
        law = RankMechanism(ValueCounts(groups, values, 1, 0), 2, 3, 1, Fraction(2)).law(counts)
        for row, own in zip(law.table.tolist(), counts.reshape(groups, values), strict=True):
            n = int(own.sum())
            for r, score in enumerate(row):
                low, high = int(own[:r].sum()), int(own[r + 1:].sum())
                assert score == max(2 * low - 3 * (n - low) + 1, 3 * high - 2 * (n - high) - 1)
        assert len(law.starts) <= 2 * np.count_nonzero(counts) + groups


def test_bounds_of_times_hold_for_every_bit_that_was_not_drawn():
    """U lies between its 64 bits and the next number of 64 bits: so does the time."""
    words = np.frombuffer(SeededSource(9).bytes(8 * 200), dtype="<u8")
    apart, lengths = np.arange(200) % 7, 1 + np.arange(200) ** 3
    soonest, latest = _Race(Fraction(3, 2), apart, lengths, words).times
    with ctx.workprec(400):
        for k, word in enumerate(words.tolist()):
            least, most = (_logarithm(word + more, int(lengths[k]), int(apart[k]))
                           for more in (1, 0))
            assert arb(float(soonest[k])) <= least
            assert most <= arb(float(latest[k]))
            assert latest[k] - soonest[k] < 1e-9


@pytest.mark.parametrize("length", [1, 4, 10**6])
def test_bounds_of_times_hold_at_both_ends_of_the_unit_interval(length):
    """Words of zeros or ones leave U = 0, at time 1, or U = 1, at time 0, in reach."""
    words = np.array([0, 1, 2**64 - 2, 2**64 - 1], dtype=np.uint64)
    soonest, latest = _Race(Fraction(3, 2), np.full(4, 2), np.full(4, length), words).times
    assert (latest[0] >= 2 * np.log(1.5), soonest[3]) == (True, -np.inf)
    with ctx.workprec(400):
        for k, word in enumerate(words.tolist()):
            if k < 3:
                assert arb(float(soonest[k])) <= _logarithm(word + 1, length, 2)
            if k > 0:
                assert _logarithm(word, length, 2) <= arb(float(latest[k]))


def _logarithm(word, length, apart):
    """ln of (1 - U^(1/m)) q^apart at U = word/2^64."""
    return (-((arb(word) / arb(2) ** 64).log() / length).expm1()).log() + apart * arb(1.5).log()
