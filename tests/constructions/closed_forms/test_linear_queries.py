"""Noise for linear queries: the sets, the density, its mean, the published rates."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import quad

from tightrope.constructions import integer_staircase, least_mean_error, staircase
from tightrope.constructions.closed_forms.integer_staircase import solve
from tightrope.errors import BadInput, Infeasible, NotPrivate, TooLarge
from tightrope.exact import Intervals, Level, Surd
from tightrope.mechanisms import LineMechanism, NoiseMechanism
from tightrope.privacy import certified
from tightrope.spaces import RealLine, cycle, path, sums
from tightrope.theory import line_sequence, linear_noise
from tightrope.theory.queries.linear_queries import least_steps
from tightrope.utility import Problem, absolute, binary, expected_loss, uniform


def certified_noise(noise, changes, level):
    return certified(LineMechanism(RealLine(changes), noise, 1), level)


V = {
    1: Intervals.of([(0, 1), (1000, 1001)]),
    2: Intervals.of([(0, 100), (1000, 1001)]),
    3: Intervals.of([(0, 500), (1000, 1001)]),
    4: Intervals.of([(0, 1001)]),
}


def rate(changes, epsilon, delta):
    level = Level.epsilon(epsilon)
    return float(linear_noise(changes, level, delta).mean_error) / least_mean_error(1001, level)


def test_the_rates_of_the_experiment_at_epsilon_3_and_delta_10():
    assert f"{rate(V[1], 3, 10):.4f}" == "0.4653"
    assert f"{rate(V[4], 3, 10):.4f}" == "2.0148"


def test_delta_0_is_worse_than_the_staircase_except_for_the_second_query():
    rates = {k: rate(v, 3, 0) for k, v in V.items()}
    assert {k for k, r in rates.items() if r < 1} == {2}


@pytest.mark.parametrize("share", [Fraction(1, 7), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(9)])
def test_on_an_interval_theorem_3_is_the_staircase_of_geng_and_viswanath(share, ratio):
    reach, level = Fraction(5, 3), Level.ratio(ratio)
    ours = linear_noise(Intervals.of([(0, reach)]), level, share * reach)
    # a(γ) = (1 - b) / (2Δ (γ + b (1 - γ))), b = e^-ε, as published
    b = 1 / ratio
    height = (1 - b) / (2 * reach * (share + b * (1 - share)))
    for k in range(4):
        assert ours.density((k + share / 2) * reach) == height * b**k
        if share < 1:
            assert ours.density((k + (1 + share) / 2) * reach) == height * b ** (k + 1)
    theirs = staircase(reach, level, share)
    assert ours.mean_error == theirs.mean_error
    assert ours.normalizer == theirs.normalizer


def test_the_best_staircase_has_the_published_least_error():
    for text in ("0.1", "1", "3", "8"):
        level = Level.epsilon(text)
        e = float(text)
        published = 7 * np.exp(e / 2) / (np.exp(e) - 1)
        assert float(staircase(7, level).mean_error) == pytest.approx(published, rel=1e-9)
        assert least_mean_error(7, level) == pytest.approx(published, rel=1e-12)
        for share in ("1/10", "1/3", "9/10"):
            assert staircase(7, level, share).mean_error >= published * (1 - 1e-12)


def test_the_mean_and_the_total_agree_with_quadrature():
    noise = line_sequence(Intervals.of([(0, 1), (3, 4)]), Fraction(1, 2)).noise(Fraction(2))
    edges = sorted({float(e) for r in noise.rungs if r for pair in r.pairs() for e in pair})
    edges += [float(noise.reach) + 4.0 * k for k in range(1, 60)]
    edges = [e for e in edges if e >= 0]
    total = mean = 0.0
    for a, b in zip([0.0, *edges], edges, strict=False):
        height = float(noise.density(Fraction((a + b) / 2))) if b > a else 0.0
        total += quad(lambda z, h=height: h, a, b)[0]
        mean += quad(lambda z, h=height: h * z, a, b)[0]
    assert 2 * total == pytest.approx(1, abs=1e-9)
    assert 2 * mean == pytest.approx(float(noise.mean_error), rel=1e-9)


def brute_sets(changes, delta, steps, fine):
    """B_0, B_1, ... on a grid of cells: which cells can be explained by i people."""
    moves = sorted({s * v for low, high in changes for s in (1, -1)
                    for v in range(low * fine, high * fine + 1)} | {0})
    width = fine * (max(abs(m) for m in moves) // fine * steps + delta + 1)
    held = set(range(-delta * fine, delta * fine))
    found = [held]
    for _ in range(steps):
        # a cell [z, z + 1) moves as a whole; between two moves one apart nothing is left out
        held = {z + m for z in held for m in moves if abs(z + m) <= width}
        found.append(held)
    return found


def test_sets_are_what_i_people_can_explain():
    changes, delta, fine = [(0, 1), (5, 6)], 1, 2
    sequence = line_sequence(Intervals.of(changes), delta)
    for mine, cells in zip(sequence.sets, brute_sets(changes, delta, 3, fine), strict=False):
        shown = {z for low, high in mine.pairs() for z in range(int(low * fine), int(high * fine))}
        assert shown == cells


@pytest.mark.parametrize("key", V)
def test_the_sequence_has_converged_where_it_says_and_not_before(key):
    for delta in (0, 10):
        sequence = line_sequence(V[key], delta)
        n = sequence.converged
        last, before = sequence.sets[n], sequence.sets[n - 1]
        assert last.pairs() == [(-1001 * n - delta, 1001 * n + delta)]
        assert (last + sequence.moves).reach == last.reach + 1001
        assert len(last + sequence.moves) == 1
        assert len(before) > 1 or 2 * before.reach < 1001


def test_privacy_is_proved_and_a_smaller_level_is_refused():
    noise = linear_noise(V[2], Level.ratio(3), 10)
    proved = certified_noise(noise, V[2], Level.ratio(3))
    assert proved.certificate.evidence.value == "theorem"
    assert proved.certificate.smallest.exact == Level.ratio(3)
    with pytest.raises(NotPrivate):
        certified_noise(noise, V[2], Level.ratio("29/10"))


def test_noise_for_another_query_is_not_certified():
    noise = linear_noise(V[1], Level.ratio(3), 10)
    with pytest.raises(BadInput, match="beyond rung"):
        certified_noise(noise, V[4], Level.ratio(3))
    with pytest.raises(BadInput, match="more than 1001"):
        certified_noise(noise, Intervals.of([(0, 1002)]), Level.ratio(3))


def test_the_level_holds_at_many_points_and_is_attained():
    changes = Intervals.of([(0, 1), (3, 4)])
    noise = linear_noise(changes, Level.ratio(2), Fraction(1, 4))
    points = [Fraction(6 * k + 1, 16) for k in range(-20, 20)]
    moves = [Fraction(k, 8) for k in (0, 3, 8, 24, 29, 32)]
    ratios = {noise.density(z) / noise.density(z - s * v) for z in points for v in moves
              for s in (1, -1)}
    assert max(ratios) == 2
    assert min(ratios) == Fraction(1, 2)


@pytest.mark.parametrize(("changes", "delta", "message"), [
    ([(0, 0)], 1, "sensitivity 0"),
    ([(1, 1)], 0, "normalizer is not finite"),
    ([(2, 2), (3, 3)], Fraction(1, 4), "normalizer is not finite"),
    ([(0, 1)], -1, "at least 0"),
    ([(0, 1), (10, 10)], 4, "never become one interval"),
])
def test_queries_without_a_finite_law_are_refused(changes, delta, message):
    with pytest.raises(BadInput, match=message):
        line_sequence(Intervals.of(changes), delta)


@pytest.mark.parametrize(("width", "found"), [(20_000, 20_001), (10**9, 10**9 + 1)])
def test_sequences_that_cannot_end_in_time_are_refused_before_the_first_step(
    width, found, monkeypatch
):
    # Proposition 3: [0, 1] ∪ [n, n + 1] takes n sets
    monkeypatch.setattr(Intervals, "__add__", None)
    with pytest.raises(TooLarge) as refused:
        line_sequence(Intervals.of([(0, 1), (width + 1, width + 2)]))
    assert refused.value.found == found
    with pytest.raises(BadInput, match="never become one interval"):
        line_sequence(Intervals.of([(0, 1), (10, 10)]))


@pytest.mark.parametrize(("a", "b", "c", "delta"), [
    (1, 10, 11, 0), (1, 10, 12, 0), (3, 10, 11, 1), (Fraction(1, 2), 9, 10, 0), (0, 5, 6, 2),
    (2, 7, 9, Fraction(1, 4)),
])
def test_the_least_number_of_sets_is_the_number_that_it_takes(a, b, c, delta):
    moves = Intervals.of([(0, a), (b, c), (-a, 0), (-c, -b)])
    least = least_steps(moves, Fraction(delta))
    assert least == line_sequence(Intervals.of([(0, a), (b, c)]), delta).converged


def test_the_sets_and_their_intervals_all_together_are_limited():
    with pytest.raises(TooLarge, match="intervals of all sets"):
        line_sequence(Intervals.of([(0, 1), (100, 101)]), most_kept=100)
    with pytest.raises(TooLarge, match="number of sets"):
        line_sequence(Intervals.of([(9, 10)]), "1/2", most_sets=2)


def test_single_changes_that_delta_bridges_are_fine():
    assert line_sequence(Intervals.of([(2, 2), (3, 3)]), Fraction(1, 2)).converged > 0


def over_sums(maximum):
    return sums(people=9, maximum=maximum)


@pytest.mark.parametrize("first", [1, 2, 3])
def test_integer_staircases_tell_neighbors_apart_by_their_ratio(first):
    law = integer_staircase(over_sums(3), Level.ratio(8), first).mechanism.law(0)
    for z in range(-20, 20):
        for v in range(-3, 4):
            assert law.probability(z) <= 8 * law.probability(z + v)


@pytest.mark.parametrize("sensitivity", [1, 2, 4, 7, 30])
@pytest.mark.parametrize("epsilon", ["0.01", "0.2", "1", "5", "30"])
def test_the_best_integer_staircase_is_the_best_of_all_first_steps(sensitivity, epsilon):
    space, level = over_sums(sensitivity), Level.epsilon(epsilon)
    best = integer_staircase(space, level).mechanism.mean_error
    assert best == min(integer_staircase(space, level, r).mechanism.mean_error
                       for r in range(1, sensitivity + 1))


def test_the_best_first_step_of_a_huge_sum_needs_no_search():
    found = integer_staircase(sums(people=10, maximum=10**13), Level.ratio(4)).mechanism
    assert abs(Fraction(found.first, 10**13) - Fraction(1, 3)) < Fraction(1, 10**12)


def test_sensitivity_1_gives_the_two_sided_geometric():
    law = integer_staircase(over_sums(1), Level.ratio(3)).mechanism.law(0)
    for z in range(-4, 5):
        assert law.probability(z) == Fraction(1, 2) * Fraction(1, 3) ** abs(z)


def test_integer_noise_is_proved_for_its_sensitivity_only():
    noisy = integer_staircase(over_sums(3), Level.ratio(8)).mechanism
    assert certified(noisy, Level.ratio(8)).certificate.holds
    with pytest.raises(BadInput):
        noisy.on(over_sums(4))
    with pytest.raises(NotPrivate):
        certified(noisy, Level.ratio(7))


@pytest.mark.parametrize("call", [
    lambda: staircase(0, Level.ratio(2)), lambda: staircase(1, Level.ratio(2), 0),
    lambda: staircase(1, Level.ratio(2), 2),
    lambda: integer_staircase(over_sums(2), Level.ratio(2), 3),
])
def test_impossible_staircases_are_refused(call):
    with pytest.raises(BadInput):
        call()


@pytest.mark.parametrize("space", [cycle(5), path(0, 9), "counts:people=2,queries=2"])
def test_a_staircase_is_for_sums_alone(space):
    with pytest.raises(Infeasible, match="it needs sums"):
        integer_staircase(space, Level.ratio(2))


def test_where_only_a_right_answer_counts_the_first_step_is_one():
    for loss, first in ((binary, 1), (absolute, 13)):
        found = solve(Problem(over_sums(30), Level.ratio(2), loss=loss)).certified.mechanism
        values = [NoiseMechanism(found.space, found.ratio, 30, r) for r in range(1, 31)]
        assert found.first == first
        assert expected_loss(found, prior=uniform, loss=loss) == min(
            expected_loss(m, prior=uniform, loss=loss) for m in values)


def test_ratios_are_at_or_below_the_level():
    level = Level.epsilon("0.7")
    assert level.compare(linear_noise(V[4], level, 1).ratio, Surd.of(1)) <= 0
