"""Laplace noise: its δ and its least scale, against sums over half-lines and over cells."""

import itertools
from fractions import Fraction
from math import exp, log

import pytest

from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.theory import laplace_curve, laplace_noise
from tightrope.theory.queries.laplace import _delta, _epsilon


def cells(center, scale, low, high, count):
    """The probabilities of many small cells under Laplace noise around a number."""
    def below(x):
        return exp((x - center) / scale) / 2 if x <= center else 1 - exp((center - x) / scale) / 2

    edges = [low + (high - low) * k / count for k in range(count + 1)]
    return [below(b) - below(a) for a, b in itertools.pairwise(edges)]


@pytest.mark.parametrize(("diameter", "scale", "epsilon"), [
    (1.0, 0.5, 0.3), (2.0, 1.0, 1.0), (3.0, 5.0, 0.1), (1.0, 2.0, 0.7),
])
def test_the_delta_of_a_scale_is_the_hockey_stick_sum_over_small_cells(diameter, scale, epsilon):
    reach = 40 * scale
    p, q = (cells(c, scale, -reach, diameter + reach, 40_000) for c in (0.0, diameter))
    found = sum(max(0.0, a - exp(epsilon) * b) for a, b in zip(p, q, strict=True))
    low, high = laplace_noise(diameter, epsilon, scale=scale).delta
    assert low <= high
    assert high == pytest.approx(found, abs=1e-6)


def test_the_least_scale_has_its_level_and_a_little_less_has_not():
    for delta in ("0", "0.01", "0.3"):
        level = Level.epsilon("0.7", delta)
        least = laplace_noise(3, level)
        assert least.holds
        assert least.scale == Fraction(least.least_scale)
        assert not laplace_noise(3, level, scale=least.scale * Fraction(999_999, 10**6)).holds


def test_the_published_scale_is_enough_but_not_needed():
    found = laplace_noise(1, Level.ratio(2, "0.2"))
    assert found.published_scale == pytest.approx(1 / (log(2) - log(0.8)))
    assert found.least_scale == pytest.approx(1 / (log(2) - 2 * log(0.8)))
    assert laplace_noise(1, Level.ratio(2, "0.2"), scale=found.published_scale).holds


def test_ties_are_decided():
    assert laplace_noise(1, "0.5", scale=2).holds
    assert laplace_noise(1, "0.5", scale=2).delta == (0.0, 0.0)
    assert not laplace_noise(1, "0.5", scale="1.999999999999999999999999999999").holds
    # ε = 2 - ln(4) and δ = 1/2: ε - 2 ln(1 - δ) is 2, the D/b of D = 2, b = 1
    level = Level(Fraction(2), Fraction(1), Fraction(1, 4), Fraction(1, 2))
    assert laplace_noise(2, level, scale=1).holds
    assert not laplace_noise(2, level.with_delta("0.499999999999"), scale=1).holds


def test_delta_and_epsilon_are_inverse():
    found = laplace_noise(2, Level.epsilon("0.25", "0.1"), scale="1.5")
    back = laplace_noise(2, Level.epsilon(repr(found.epsilon[1]), "0.1"), scale="1.5")
    assert back.delta[1] == pytest.approx(0.1)
    assert laplace_noise(1, Level.epsilon(1, "0.9"), scale=1).epsilon == (0.0, 0.0)


def test_the_curve_falls_to_nothing_at_the_pure_level():
    curve = laplace_curve(3, 2, 31)
    assert curve[0][1] == pytest.approx(1 - exp(-0.75))
    assert curve[-1] == (1.5, 0.0)
    assert all(a > b for (_, a), (_, b) in itertools.pairwise(curve))


@pytest.mark.parametrize(("diameter", "scale"), [(0, 1), (-1, 1), (1, 0), (1, "1e-9"), ("x", 1)])
def test_numbers_that_mean_nothing_are_refused(diameter, scale):
    with pytest.raises(BadInput):
        laplace_noise(diameter, 1, scale=scale)


def test_delta_and_epsilon_lie_between_bounds_that_differ_in_the_last_place():
    """A change of 1 at the scale 1: 1 - e^((1/2 - 1)/2) at ε = 1/2, and 1 + 2 ln(9/10) at 1/10."""
    for ends, true in ((_delta(Fraction(1), Level.epsilon("1/2")), 1 - exp(-0.25)),
                       (_epsilon(Fraction(1), Level.epsilon(1, "1/10")), 1 + 2 * log(0.9))):
        assert ends[0] < ends[1] <= ends[0] + 2**-52
        assert ends[0] - 2**-51 <= true <= ends[1] + 2**-51


def test_in_several_dimensions_the_sum_of_the_differences_decides():
    """The largest ratio of densities over points of a lattice, for moves of length D each way."""
    for dimension, scale, diameter in ((1, 2.0, 3.0), (2, 1.5, 2.0), (3, 4.0, 6.0)):
        ends = [[diameter if k == j else 0.0 for k in range(dimension)] for j in range(dimension)]
        ends += [[diameter / dimension] * dimension]
        lattice = list(itertools.product([-diameter, 0, diameter / 2, 2 * diameter],
                                         repeat=dimension))

        worst = max(sum(abs(a - c) - abs(a) for a, c in zip(z, end, strict=True)) / scale
                    for z in lattice for end in ends)
        least = laplace_noise(diameter, worst * (1 + 1e-12), scale=scale, dimension=dimension)
        assert least.holds
        assert not laplace_noise(diameter, worst * (1 - 1e-9), scale=scale,
                                 dimension=dimension).holds
        # a Riemann sum of one coordinate, to the power of the dimension, is 1
        step = scale / 200
        total = sum(exp(-abs(k) * step / scale) * step for k in range(-8000, 8001))
        assert float(least.peak) * total**dimension == pytest.approx(1, rel=1e-4)
        assert least.mean_error == dimension * Fraction(scale)


@pytest.mark.parametrize("call", [
    lambda: laplace_noise(1, Level.epsilon(1, "0.1"), dimension=2),
    lambda: laplace_noise(1, 1, dimension=0), lambda: laplace_noise(1, 1, dimension=True),
])
def test_dimensions_that_are_not_decided_are_refused(call):
    with pytest.raises(BadInput):
        call()
