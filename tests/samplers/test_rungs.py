"""Rungs are drawn by exact boundaries: each word of a script leads where the law says."""

from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from types import SimpleNamespace

import numpy as np
import pytest

from tests.laws.verdicts import LawTest
from tests.samplers.scripts import ScriptedSource
from tightrope.choices import Count
from tightrope.errors import BadInput, NotCertified
from tightrope.exact import Intervals, Level
from tightrope.mechanisms import (
    CauchyLaw,
    GlobalCount,
    LineMechanism,
    ModeMechanism,
    NoiseMechanism,
    PiecewiseNoise,
    QuantileMechanism,
    RungLaw,
    TallyLaw,
)
from tightrope.privacy import certified
from tightrope.samplers import SeededSource, draw, draw_many, rungs
from tightrope.samplers.cauchy import cauchy_number
from tightrope.samplers.rungs import _rung, _sums, answer, rung_number, tally_numbers
from tightrope.samplers.sources import uniform_below, uniform_numbers
from tightrope.spaces import Graphs, RealLine, Records, sums

LAWS = [
    (Fraction(2), [1, 3, 0, 5], 0),
    (Fraction(2), [0, 0, 4, 1], 6),
    (Fraction(1001, 1000), [7] * 50, 2),
    (Fraction(10**9), [1, 10**12], 10**15),
    (Fraction(5, 4), [1, *[0] * 600, 10**9], 0),
]


def boundaries(ratio, counts, tail):
    """C_0, C_1, ...: exact cumulative probabilities; the last one with a tail is 1."""
    weights = [Fraction(c) * ratio**-t for t, c in enumerate(counts)]
    rest = Fraction(tail) * ratio ** (1 - len(counts)) / (ratio - 1)
    total, found, held = sum(weights) + rest, [], Fraction(0)
    for weight in weights:
        held += weight
        found.append(held / total)
    return found


def reading(word, more):
    pieces = [word.to_bytes(8, "little"), *(m.to_bytes(8, "little") for m in more)]
    return ScriptedSource(pieces)


@pytest.mark.parametrize(("ratio", "counts", "tail"), LAWS)
def test_every_word_leads_to_the_rung_of_its_number(ratio, counts, tail):
    exact = boundaries(ratio, counts, tail)
    ends = [int(c * 2**64) for c in exact]
    words = {w for end in ends for w in (end - 1, end, end + 1)} | set(range(0, 2**64, 2**58 + 3))
    for word in sorted(w for w in words if 0 <= w < 2**64):
        for more in ([0] * 40, [2**64 - 1] * 40):
            source = reading(word, more)
            number = sum(Fraction(w, 2 ** (64 * (k + 1))) for k, w in enumerate([word, *more]))
            if number >= exact[-1]:
                continue  # beyond the listed rungs a geometric number follows
            drawn = _rung(ratio, counts, tail, source)
            assert drawn == sum(c <= number for c in exact)


@pytest.mark.parametrize(("low_slack", "high_slack"), [(0, 1), (1, 0), (1, 1)])
@pytest.mark.parametrize(("ratio", "counts", "tail"), [law for law in LAWS if len(law[1]) < 9])
def test_a_rung_is_returned_only_when_loose_enclosures_agree(
    ratio, counts, tail, low_slack, high_slack, monkeypatch
):
    """Sums known to a quarter of their digits: every bound must be used at its right end."""
    weights = [Fraction(c) * ratio**-t for t, c in enumerate(counts)]
    rest = Fraction(tail) * ratio ** (1 - len(counts)) / (ratio - 1)
    sums = list(accumulate(weights)) + [sum(weights) + rest] * (tail > 0)

    def loose(ratio, counts, tail, precision):
        slack = 1 << (precision - precision // 4)
        exact = [c * 2**precision for c in sums]
        lows = [max(0, floor(c) - low_slack * slack) for c in exact]
        highs = [ceil(c) + high_slack * slack for c in exact]
        return lows, highs, (floor(exact[-1]), ceil(exact[-1]))

    monkeypatch.setattr(rungs, "_sums", loose)
    cuts = boundaries(ratio, counts, tail)
    words = {int(c * 2**64) + sign * (1 << k) for c in cuts for k in range(28, 37)
             for sign in (-1, 0, 1)}
    for word in sorted(w for w in words if 0 <= w < 2**64):
        for more in ([0] * 40, [2**64 - 1] * 40):
            number = sum(Fraction(w, 2 ** (64 * (k + 1))) for k, w in enumerate([word, *more]))
            if number < cuts[-1] and number not in cuts:  # a tie needs all digits
                found = _rung(ratio, counts, tail, reading(word, more))
                assert found == sum(c < number for c in cuts)


@pytest.mark.parametrize("precision", [64, 128, 1024])
@pytest.mark.parametrize(("ratio", "counts", "tail"), LAWS)
def test_sums_enclose_the_exact_ones(ratio, counts, tail, precision):
    lows, highs, total = _sums(ratio, counts, tail, precision)
    first = next(t for t, c in enumerate(counts) if c)
    scale = 2 ** (precision + ratio.numerator.bit_length()) * ratio**first
    held = Fraction(0)
    for t, count in enumerate(counts):
        held += count * ratio**-t * scale
        if t < len(lows):
            assert lows[t] <= held <= highs[t]
    held += Fraction(tail) * ratio ** (1 - len(counts)) / (ratio - 1) * scale
    assert total[0] <= held <= total[1]


def tallied(law, draws, far):
    """Draws of an answer, counted at each number up to a distance from 0, and beyond."""
    test = LawTest((*(law.probability(z) for z in range(-far, far + 1)),
                    1 - sum(law.probability(z) for z in range(-far, far + 1))))
    tally = [0] * (2 * far + 2)
    for z in draws(test.draws):
        tally[z + far if abs(z) <= far else -1] += 1
    return test, tally


@pytest.mark.slow
def test_answers_follow_their_law_and_two_percent_off_is_noticed():
    law, source = GlobalCount(Graphs(4), Count.EDGES, 12, 1).noise, SeededSource(5)
    test, tally = tallied(law, lambda n: (rung_number(law, source) for _ in range(n)), 1)
    assert test.confirms(tally)


@pytest.mark.slow
def test_staircases_follow_their_law_and_two_percent_off_is_noticed():
    noisy = NoiseMechanism(sums(people=4, maximum=3), Fraction(6), 3, 2)
    proved, source = certified(noisy, Level.ratio(6)), SeededSource(11)
    around = noisy.law(0)

    def draws(n):
        inputs = np.full(n, 5)
        return (draw_many(proved, inputs, source) - 5).tolist()

    test, tally = tallied(around, draws, 4)
    assert test.confirms(tally)
    assert tally[-1] > 0
    perturbed = noisy.__class__(noisy.space, Fraction(6), 3, 1)
    other, unlike = tallied(perturbed.law(0), draws, 4)
    assert not other.confirms(unlike)


@pytest.mark.slow
def test_answers_about_records_follow_their_law_and_two_percent_off_is_noticed():
    """Both kinds draw places in rungs; the law is worked out once, as for one answer."""
    held, records = Records(5, -2, 2), [1, 1, 2, -1, 0]
    quantile, mode = QuantileMechanism(held, 2, 3).law(records), ModeMechanism(held, 3).law(records)
    for law, drawn in (
        (quantile, lambda source: rung_number(quantile, source)),
        (mode, lambda source: int(mode.values[rung_number(mode.rungs, source)])),
    ):
        best = max(range(-2, 3), key=law.probability)
        test = LawTest((law.probability(best), 1 - law.probability(best)))
        source, tally = SeededSource(12), [0, 0]
        for _ in range(test.draws):
            tally[drawn(source) != best] += 1
        assert test.confirms(tally)


@pytest.mark.parametrize("which", ["quantile", "mode"])
def test_an_answer_about_records_is_a_place_in_the_rungs_of_their_law(which, monkeypatch):
    held, records = Records(5, -2, 2), [1, 1, 2, -1, 0]
    mechanism = QuantileMechanism(held, 2, 3) if which == "quantile" else ModeMechanism(held, 3)
    law = mechanism.law(records)
    rungs_of = law if which == "quantile" else law.rungs
    for rung, size in enumerate(rungs_of.counts.tolist()):
        for place in range(size):
            monkeypatch.setattr(rungs, "_rung", lambda *_, rung=rung: rung)
            monkeypatch.setattr(rungs, "uniform_below", lambda *_, place=place: place)
            assert law.rung(answer(mechanism, records, None)) == rung


@pytest.mark.slow
@pytest.mark.parametrize(("smooth", "shift"), [(Fraction(1, 2), 2), (Fraction(7, 2), 3)])
def test_cauchy_noise_follows_its_law_and_two_percent_off_is_noticed(smooth, shift):
    law = CauchyLaw(3, smooth, Fraction(shift))
    reach = 0 if smooth < 1 else 4
    inside = sum(Fraction(float(law.probability(3 + u).mid())) for u in range(-reach, reach + 1))
    test = LawTest(((1 - inside) / 2, inside, (1 - inside) / 2))
    source, tally = SeededSource(8), [0] * 3
    for _ in range(test.draws):
        moved = cauchy_number(law.scale, source)
        tally[1 + (moved > reach) - (moved < -reach)] += 1
    assert test.confirms(tally)


@pytest.mark.slow
def test_cauchy_noise_has_the_right_law_far_out():
    law = CauchyLaw(0, Fraction(7, 2), Fraction(3))
    source = SeededSource(9)
    sizes = np.array([abs(cauchy_number(law.scale, source)) for _ in range(30_000)])
    for far in (1, 2, 3, 4, 7, 8, 9, 31, 32, 100, 1000):
        outside = 1 - sum(float(law.probability(z).mid()) for z in range(1 - far, far))
        spread = (outside * (1 - outside) / len(sizes)) ** 0.5
        assert abs((sizes >= far).mean() - outside) < 6 * spread


@pytest.mark.slow
def test_noise_on_the_line_falls_into_cells_with_the_mass_of_the_density():
    changes = Intervals.of([(0, "1/2")])
    noise = PiecewiseNoise(Fraction(30), (Intervals.of([("-1/2", "1/2")]),), Fraction(1, 2))
    proved = certified(LineMechanism(RealLine(changes), noise, 1), Level.ratio(30))
    # value 5/12 on a grid of 1: the cell [0, 1) holds noise from -5/12 to 7/12
    inside = Fraction(11, 12) * noise.density(Fraction(0)) + Fraction(1, 12) * noise.density(
        Fraction(3, 4))
    above = Fraction(5, 12) * noise.density(Fraction(3, 4)) + Fraction(1, 2) * noise.density(
        Fraction(5, 4)) + Fraction(1, 12) * noise.density(Fraction(7, 4))
    test = LawTest((inside, above, 1 - inside - above))
    source, tally = SeededSource(6), [0, 0, 0]
    for _ in range(test.draws):
        drawn = draw(proved, Fraction(5, 12), source)
        assert drawn.denominator == 1
        tally[{0: 0, 1: 1}.get(int(drawn), 2)] += 1
    assert test.confirms(tally)


def test_positions_of_a_rung_are_its_integers_each_once():
    law = RungLaw(Fraction(2), np.array([3, 1, 1]), np.array([4, 4, 9]), 2)
    sizes = [*law.counts.tolist(), law.tail, law.tail]
    found = [[law.output(t, k) for k in range(size)] for t, size in enumerate(sizes)]
    assert found == [[3, 4], [1, 2], [5, 6, 7, 8, 9], [-1, 0, 10, 11], [-3, -2, 12, 13]]
    assert all(law.rung(z) == t for t, rung in enumerate(found) for z in rung)


def test_whole_numbers_below_a_size_are_uniform():
    source, tally = SeededSource(7), [0] * 3
    for _ in range(30000):
        tally[uniform_below(3, source)] += 1
    assert max(abs(t - 10000) for t in tally) < 500
    assert uniform_below(1, source) == 0
    assert 0 <= uniform_below(2**200, source) < 2**200


def test_many_whole_numbers_below_a_size_are_uniform():
    for size in (1, 3, 8, 1000):
        found = uniform_numbers(size, 60_000, SeededSource(size))
        assert found.min() >= 0
        assert found.max() < size
        expected = 60_000 / size
        counts = np.bincount(found, minlength=size)
        assert np.abs(counts - expected).max() < 7 * expected**0.5 + 1
    assert uniform_numbers(2**61, 5, SeededSource(1)).max() < 2**61
    assert len(uniform_numbers(5, 0, SeededSource(1))) == 0


def test_staircases_of_huge_noise_are_whole_numbers_of_any_length():
    tiny = NoiseMechanism(sums(people=2, maximum=10**14), 1 + Fraction(1, 10**9), 10**14, 1)
    proved = certified(tiny, Level.ratio(1 + Fraction(1, 10**9)))
    drawn = draw_many(proved, [7] * 40, SeededSource(3))
    assert all(type(z) is int for z in drawn)
    assert max(map(abs, drawn)) > 2**62


def test_only_certified_mechanisms_are_drawn_from():
    mechanism = QuantileMechanism(Records(3, 0, 9), 2, 2)
    for other in (mechanism, mechanism.law([1, 2, 3]), None):
        with pytest.raises(NotCertified):
            draw(other, [1, 2, 3])
    assert answer(mechanism, [1, 2, 3], SeededSource(1)) in range(10)


@pytest.mark.parametrize("wrong", [
    lambda: RungLaw(Fraction(1), np.array([0]), np.array([0]), 1),
    lambda: RungLaw(Fraction(2), np.array([0, 1]), np.array([0, 1]), 1),
    lambda: RungLaw(Fraction(2), np.array([1]), np.array([0]), 1),
    lambda: PiecewiseNoise(Fraction(1), (Intervals.of([(-1, 1)]),), Fraction(1)),
    lambda: PiecewiseNoise(Fraction(2), (Intervals.of([(0, 1)]),), Fraction(1)),
    lambda: PiecewiseNoise(Fraction(2), (None,), Fraction(1)),
])
def test_laws_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadInput):
        wrong()


@pytest.mark.parametrize("tail", [0, 5])
@pytest.mark.parametrize("ratio", [Fraction(3), Fraction(7, 3), Fraction(10**9)])
@pytest.mark.parametrize("length", [3, 400])
def test_sums_that_stop_early_still_enclose_what_they_hold(ratio, length, tail):
    counts, precision = [1 + t % 3 for t in range(length)], 64
    lows, highs, total = _sums(ratio, counts, tail, precision)
    assert (len(lows) < length) == (length == 400)
    scale = 2 ** (precision + ratio.numerator.bit_length())
    held = list(accumulate(count * ratio**-t * scale for t, count in enumerate(counts)))
    rest = Fraction(tail) * ratio ** (1 - length) / (ratio - 1) * scale
    if length == 3 and tail:
        held.append(held[-1] + rest)
    assert len(lows) == len(highs) == min(len(lows), len(held))
    for low, exact, high in zip(lows, held, highs, strict=False):
        assert low <= exact <= high
        if exact.denominator > 1:
            assert low < high
    assert total[0] <= held[-1] + (rest if len(held) == length else 0) <= total[1]


@pytest.mark.parametrize("ratio", [Fraction(3), Fraction(3, 2), Fraction(10**9), Fraction(7, 3),
                                   Fraction(101, 100)])
@pytest.mark.parametrize("precision", range(4, 12))
def test_sums_that_stop_before_the_largest_weights_still_enclose_the_total(ratio, precision):
    counts, tail = [1, 1] + [10**6] * (300 if ratio > Fraction(5, 4) else 1200), 10**7
    lows, _, total = _sums(ratio, counts, tail, precision)
    assert len(lows) < len(counts)
    scale = 2 ** (precision + ratio.numerator.bit_length())
    exact = sum(count * ratio**-t for t, count in enumerate(counts))
    exact += tail * ratio ** (1 - len(counts)) / (ratio - 1)
    assert total[0] <= exact * scale <= total[1]


def test_every_number_of_a_tally_has_its_own_noise_of_the_law(monkeypatch):
    asked = []

    def noise(*law):
        asked.append(law)
        return SimpleNamespace(draw=lambda count, source: np.array([3, -1, 0])[:count])

    monkeypatch.setattr(rungs, "stepped_noise", noise)
    law = TallyLaw(Fraction(5, 2), (10, 20, 2**70), 4, 3)
    assert tally_numbers(law, None) == [13, 19, 2**70]
    assert asked == [(Fraction(5, 2), 4, 3)]
