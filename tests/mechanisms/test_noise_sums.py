"""Sums of noises whose law is too long to be written out number by number."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import signal, stats
from scipy.special import logsumexp

from tightrope.exact import tolerances
from tightrope.mechanisms import NoiseSum, TallyNoise
from tightrope.spaces import Tallies

SURE = [Fraction(1, 2), Fraction(95, 100), Fraction(99_999, 100_000)]


@pytest.mark.parametrize("terms", [2, 3, 10, 100, 400])
@pytest.mark.parametrize("confidence", SURE, ids=str)
def test_geometric_noises_reach_as_far_as_two_negative_binomial_numbers_are_apart(
    terms, confidence
):
    """n two-sided geometric numbers are n geometric ones less n others."""
    step = 1 / 2000
    noise = TallyNoise(Tallies(1, 1, 1), 1 + Fraction(1, 2000))
    kept, far = step / (1 + step), int((terms + 12 * terms**0.5 + 60) / step)
    below = np.arange(far)
    chances = stats.nbinom.pmf(below, terms, kept)

    def beyond(width):
        return 2 * float(chances @ stats.nbinom.sf(below + width, terms, kept))

    reach = NoiseSum(noise, terms).reach(confidence)
    assert beyond(reach) <= 1 - float(confidence)
    assert beyond(int(reach * 0.95)) > 1 - float(confidence)


def test_the_mean_error_of_rounded_noises_is_that_of_the_noises():
    step, terms = 1 / 2000, 10
    kept, far = step / (1 + step), int(160 / step)
    below = np.arange(far)
    one = stats.nbinom.pmf(below, terms, kept)
    apart = signal.fftconvolve(one, one[::-1])
    expected = float(np.abs(np.arange(1 - far, far)) @ apart)
    noise = TallyNoise(Tallies(1, 1, 1), 1 + Fraction(1, 2000))
    assert NoiseSum(noise, terms).mean_error == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("first", [1, 17, 40])
@pytest.mark.parametrize("confidence", SURE, ids=str)
def test_staircases_reach_as_far_as_their_law(first, confidence):
    noise = TallyNoise(Tallies(1, 1, 40), Fraction(101, 100), 40, first)
    z = np.abs(np.arange(-170_000, 170_001))
    rungs = np.where(z < first, 0, 1 + (z - first) // 40)
    one = (100 / 101) ** rungs
    one /= one.sum()
    three = signal.fftconvolve(signal.fftconvolve(one, one), one)
    far = np.abs(np.arange(len(three)) - len(three) // 2)
    reach = NoiseSum(noise, 3).reach(confidence)
    assert three[far > reach].sum() <= 1 - float(confidence)
    assert three[far > int(reach * 0.99)].sum() > 1 - float(confidence)


def test_beyond_what_doubles_tell_a_reach_is_still_a_bound():
    noise = TallyNoise(Tallies(1, 1, 1), Fraction(2))
    rare = Fraction(1, 10**15)
    reach = NoiseSum(noise, 2).reach(1 - rare)
    assert 40 < reach < 80
    weights = np.array([2.0 ** -abs(z) / 3 for z in range(-400, 401)])
    two = np.convolve(weights, weights)
    assert two[np.abs(np.arange(-800, 801)) > reach].sum() <= float(rare)


@pytest.mark.parametrize("terms", [2, 1000])
def test_errors_of_rounding_are_bounded_by_hoeffding_or_by_all_of_them(terms):
    """n errors of at most half a block are beyond t with at most 2 e^(-2 t²/(n block²))."""
    held, block = NoiseSum(TallyNoise(Tallies(1, 1, 1), Fraction(2)), terms), 7
    far = held._rounding(block)
    if terms == 2:
        assert far == block
    else:
        assert 2 * np.exp(-2 * far**2 / (terms * block**2)) == pytest.approx(
            terms * tolerances.NOISE_SUM)


def test_what_is_lost_in_doubles_is_added_to_the_tail():
    """The least width whose chance is above the confidence by all that two noises may lose."""
    lost = 2 * Fraction(tolerances.NOISE_SUM)

    def within(width):  # of two noises of weights 2^-|z|: 1 - P(|sum| > width) by hand
        return 1 - Fraction(4, 9) * (width + Fraction(11, 3)) / 2 ** (width + 1)

    law = np.convolve(*[[2.0 ** -abs(z) / 3 for z in range(-60, 61)]] * 2)
    assert float(1 - within(5)) == pytest.approx(
        law[np.abs(np.arange(-120, 121)) > 5].sum(), rel=1e-12)
    noise = TallyNoise(Tallies(1, 1, 1), Fraction(2))
    for width in range(8, 30):
        chance = within(width)
        assert NoiseSum(noise, 2).reach(chance - lost) == width + 1  # less than what may be lost
        assert NoiseSum(noise, 2).reach(chance - 4 * lost) == width


@pytest.mark.parametrize(("first", "step", "terms"), [(1, 1, 2), (1, 1, 50), (3, 5, 7)])
def test_a_width_beyond_the_window_is_where_exponential_moments_put_it(first, step, terms):
    """P(|sum| > w) <= 2 E[e^(θ noise)]^n e^(-θ w) for every θ; the moments are added up here."""
    noise = TallyNoise(Tallies(1, 1, step), Fraction(11, 10), step, first)
    z = np.arange(-9000, 9001)
    logs = -np.log(1.1) * np.where(np.abs(z) < first, 0, 1 + (np.abs(z) - first) // step)
    thetas = np.linspace(0.01, 0.95, 200) * np.log(1.1) / step
    moments = logsumexp(logs + thetas[:, None] * z, axis=1) - logsumexp(logs)

    def least(width):
        return float((np.log(2) + terms * moments - thetas * width).min())

    rare = Fraction(1, 10**13)
    reach = NoiseSum(noise, terms).reach(1 - rare)
    assert least(reach) <= np.log(float(rare)) + 1e-6
    assert least(reach * 0.98) > np.log(float(rare))
