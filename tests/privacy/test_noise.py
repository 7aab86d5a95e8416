"""Two-sided geometric noise on all integers: its level, and its δ at smaller levels."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import power_of
from tightrope.errors import BadInput, BadMatrix, BadSpace
from tightrope.exact import Level
from tightrope.mechanisms import NoiseMechanism
from tightrope.privacy import Certificate, Refutation, smallest_level, verify
from tightrope.spaces import Records, cycle, path, sums

SPACE = path(0, 5)
ratios = st.fractions(min_value=Fraction(11, 10), max_value=9, max_denominator=10)
HAIR = Fraction(1, 10**60)


def delta_by_tails(q, factor):
    """Σ_z max(0, P(z|0) - factor P(z|1)): z <= 0 has ratio q, z >= 1 ratio 1/q."""
    steady = (q - 1) / (q + 1)
    reach = 40
    inner = sum(
        (max(Fraction(0), steady * (1 / q) ** abs(z) - factor * steady * (1 / q) ** abs(z - 1))
         for z in range(-reach, reach + 1)), Fraction(0)
    )
    # below -reach the terms are steady q^-|z| (1 - factor/q), a geometric series
    tail = steady * q ** -(reach + 1) / (1 - 1 / q) * max(Fraction(0), 1 - factor / q)
    return inner + tail


@settings(derandomize=True, deadline=None, max_examples=50)
@given(ratios, ratios)
def test_noise_has_the_levels_at_or_above_the_logarithm_of_its_ratio(q, claimed):
    noise = NoiseMechanism(SPACE, q)
    found = verify(noise, SPACE, Level.ratio(claimed))
    assert found.holds == (q <= claimed)
    assert smallest_level(noise, SPACE).exact == Level.ratio(q)
    if isinstance(found, Refutation):
        high, low = found.witness.probabilities
        i, j = SPACE.index(found.witness.first), SPACE.index(found.witness.second)
        (output,) = found.witness.outputs
        assert (high, low) == (noise.probability(i, output), noise.probability(j, output))
        assert high > claimed * low
    else:
        assert found.evidence == "theorem"
        assert found.smallest.exact == Level.ratio(q)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(ratios, ratios)
def test_noise_with_delta_is_judged_by_its_hockey_stick_sum(q, claimed):
    noise = NoiseMechanism(SPACE, q)
    exact = delta_by_tails(q, claimed)
    if exact == 0:
        assert verify(noise, SPACE, Level.ratio(claimed, delta="0.001")).holds
        return
    assert exact == (q - claimed) / (q + 1)
    assert isinstance(verify(noise, SPACE, Level.ratio(claimed, delta=exact)), Certificate)
    below = verify(noise, SPACE, Level.ratio(claimed, delta=exact - HAIR))
    assert isinstance(below, Refutation)
    high, low = below.witness.probabilities
    assert high > claimed * low + exact - HAIR


@pytest.mark.parametrize("epsilon", ["0.5", "1"])
def test_noise_with_delta_at_an_irrational_level(epsilon):
    noise = NoiseMechanism(SPACE, Fraction(5))
    level = Level.epsilon(epsilon)
    unit = [(Fraction(1), Fraction(1))]
    power = Fraction(power_of((level.rational, Fraction(0), Fraction(1)), unit, 60))
    exact = (5 - power) / 6
    gap = Fraction(1, 10**30)
    assert verify(noise, SPACE, level.with_delta(exact + gap)).holds
    assert not verify(noise, SPACE, level.with_delta(exact - gap)).holds


def test_noise_at_a_decimal_level_is_refuted_a_hair_above():
    # e = 2.718281828459045235360287471352662497757247...
    e = Fraction("2.718281828459045235360287471352662497757247")
    assert verify(NoiseMechanism(SPACE, e), SPACE, Level.epsilon(1)).holds
    above = NoiseMechanism(SPACE, e + Fraction(1, 10**42))
    assert not verify(above, SPACE, Level.epsilon(1)).holds


@pytest.mark.parametrize("q", [Fraction(5), Fraction(11, 4)])
@pytest.mark.parametrize("epsilon", ["0.5", "ln(2)", "ln(3)/2"])
def test_noise_with_delta_is_told_by_its_half_lines(q, epsilon):
    level, noise = Level.parse(epsilon), NoiseMechanism(SPACE, q)
    unit = [(Fraction(1), Fraction(1))]
    power = Fraction(power_of((level.rational, level.coefficient, level.base), unit, 200))
    steady = (q - 1) / (q + 1)
    near, far = (steady * sum(q ** -(k + more) for k in range(200)) for more in (0, 1))
    exact = delta_by_tails(q, 2 if epsilon == "ln(2)" else power)
    for digits in (9, 16, 30, 60):
        gap = Fraction(1, 10**digits)
        low, high = verify(noise, SPACE, level.with_delta(exact + gap)).delta
        assert low - Fraction(1, 10**150) <= exact <= high + Fraction(1, 10**150)
        assert high - low < Fraction(1, 10**30)
        assert (low == high) == (epsilon == "ln(2)")
        broken = verify(noise, SPACE, level.with_delta(exact - gap))
        assert not broken.holds
        p, r = broken.witness.probabilities
        assert abs(p - near) + abs(r - far) < Fraction(1, 10**60)
        assert p - power * r > exact - gap


@pytest.mark.parametrize("step", [1, 2])
def test_a_refutation_with_delta_names_the_outputs_that_are_likelier(step):
    noisy = NoiseMechanism(path(3, 9), Fraction(4), step, step)
    found = verify(noisy, noisy.space, Level.ratio(2, delta="1/100"))
    assert isinstance(found, Refutation)
    named = "every output up to 3" if step == 1 else "every output that is likelier for 3"
    assert found.witness.outputs == (named,)
    assert (found.witness.first, found.witness.second) == (3, 4)
    said = verify(noisy, noisy.space, Level.ratio(4)).statement
    assert said.startswith("two-sided geometric noise") is (step == 1)


def test_sums_are_told_apart_by_as_much_as_one_person_adds():
    noisy = NoiseMechanism(sums(people=3, maximum=2), Fraction(4), 2, 1)
    found = verify(noisy, noisy.space, Level.ratio(2, delta="1/100"))
    assert (found.witness.first, found.witness.second) == (0, 2)
    proved = verify(noisy, noisy.space, Level.ratio(4))
    assert (proved.checked, proved.delta) == (1, (0, 0))


def test_noise_has_no_level_where_one_person_changes_more_than_its_step():
    """For sums one person changes by up to 3, 0 and 3 are neighbors: an answer of 0 is 8 times
    as likely for the one as for the other, so noise of ratio 2 has no level ln 2 there."""
    noise = NoiseMechanism(path(0, 9), Fraction(2))
    assert noise.probability(0, 0) / noise.probability(3, 0) == 8
    for space, refused in ((sums(people=3, maximum=3), BadMatrix), (cycle(10), BadSpace)):
        for judge in (smallest_level, lambda m, on: verify(m, on, Level.ratio(2))):
            with pytest.raises(refused):
                judge(noise, space)
    assert smallest_level(noise, "sum:people=9,max=1").exact == Level.ratio(2)
    with pytest.raises(BadInput, match="expected a mechanism for records"):
        smallest_level(noise, Records(3, 0, 9))
