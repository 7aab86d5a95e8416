"""The (ε, δ) of zCDP against orders on a grid and against true hockey-stick sums, written apart."""

from fractions import Fraction
from math import erfc, exp, log, sqrt

import numpy as np
import pytest

from tightrope.errors import CannotCheck
from tightrope.exact import Level
from tightrope.mechanisms import GaussianMechanism
from tightrope.privacy import Refutation, largest_rho, smallest_level, verify
from tightrope.privacy.gaussians import zcdp_delta
from tightrope.spaces import Totals

CASES = [(Fraction(1, 50), 1.0), (Fraction(1, 3), 2.5), (Fraction(4), 30.0), (Fraction(1, 9), 0.01),
         (Fraction(1, 10**8), 0.001)]


def least_delta(rho, epsilon):
    """The least of e^((α - 1)(αρ - ε)) (1 - 1/α)^α / (α - 1) over orders, ever closer."""
    low, high = -8.0, 20.0
    for _ in range(6):
        at = np.linspace(low, high, 20_001)
        orders = 1 + np.exp(at)
        logs = (orders - 1) * (orders * rho - epsilon) + orders * np.log1p(-1 / orders) - np.log(
            orders - 1)
        place = int(logs.argmin())
        low, high = at[max(place - 10, 0)], at[min(place + 10, 20_000)]
    return exp(logs.min())


@pytest.mark.parametrize(("rho", "epsilon"), CASES)
def test_delta_is_the_least_over_all_orders_and_rounded_up(rho, epsilon):
    found = float(zcdp_delta(rho, Level.of(epsilon)))
    least = min(1.0, least_delta(float(rho), epsilon))
    assert least * (1 - 1e-9) <= found <= least * (1 + 1e-7)


def gaussian_delta(shift, epsilon):
    """The exact δ of a continuous Gaussian of variance 1 that is moved (Balle and Wang, 2018)."""
    def above(x):
        return erfc(x / sqrt(2)) / 2
    return above(epsilon / shift - shift / 2) - exp(epsilon) * above(epsilon / shift + shift / 2)


@pytest.mark.parametrize(("rho", "epsilon"), CASES)
def test_delta_is_above_that_of_one_gaussian_and_within_a_factor_of_ten(rho, epsilon):
    exact = gaussian_delta(sqrt(2 * rho), epsilon)
    assert exact <= float(zcdp_delta(rho, Level.of(epsilon))) <= 10 * exact


@pytest.mark.parametrize("epsilon", ["1/100", "1", "20"])
@pytest.mark.parametrize("delta", ["1e-12", "1e-6", "1/4"])
def test_the_largest_rho_is_proved_and_hardly_more_is(epsilon, delta):
    level = Level.of(epsilon).with_delta(delta)
    rho = largest_rho(level)
    assert least_delta(float(rho), float(level)) <= float(Fraction(delta)) * (1 + 1e-6)
    assert least_delta(float(rho) * 1.0001, float(level)) > float(Fraction(delta))


def law_of(variance):
    far = int(12 * sqrt(variance)) + 40
    weights = {z: exp(-z * z / (2 * variance)) for z in range(-far, far + 1)}
    total = sum(weights.values())
    return {z: w / total for z, w in weights.items()}


@pytest.mark.parametrize(("variance", "epsilon"), [(30, 0.5), (20, 1.0), (40_000, 0.05)])
def test_what_is_proved_is_true_and_what_is_not_is_left_open(variance, epsilon):
    """One total that moves by 3, or by 40 where noise is wide: the true δ is a sum."""
    most = 3 if variance < 100 else 40
    noisy, law = GaussianMechanism(Totals(5, most, 1), (variance,)), law_of(variance)
    true = sum(max(0.0, p - exp(epsilon) * law.get(z + most, 0)) for z, p in law.items())
    outcomes = []
    for factor in (0.02, 0.5, 0.97, 1.03, 3, 10):
        try:
            outcomes.append(verify(noisy, noisy.space, epsilon, delta=true * factor).holds)
        except CannotCheck:
            outcomes.append(None)
    assert outcomes[:3] == [None] * 3
    assert outcomes[-1] is True
    assert outcomes == sorted(outcomes, key=[None, True].index)


@pytest.mark.parametrize("variance", [Fraction(1, 50), 8, 40_000])
@pytest.mark.parametrize("epsilon", [0.1, 3])
def test_without_a_delta_a_witness_refutes_every_level(variance, epsilon):
    most = 3 if variance < 100 else 40
    noisy, law = GaussianMechanism(Totals(5, most, 1), (variance,)), law_of(float(variance))
    verdict = verify(noisy, noisy.space, epsilon)
    p, q = map(float, verdict.witness.probabilities)
    assert p > exp(epsilon) * q
    least = int(verdict.reason.split("at least ")[1].split(" ")[0].replace(",", ""))
    assert p == pytest.approx(sum(c for z, c in law.items() if z + most >= least), rel=0.03)
    assert q == pytest.approx(sum(c for z, c in law.items() if z >= least), rel=0.03)


def test_a_witness_names_the_totals_that_move_the_most_exposed_coefficient():
    noisy = GaussianMechanism(Totals(5, 3, 3), (100, 10), ((1, 1, 1), (1, -2, 0)))
    verdict = verify(noisy, noisy.space, "1/10")
    assert (verdict.witness.first, verdict.witness.second) == ("(3, 0, 0)", "(0, 3, 0)")
    assert "coefficient 2" in verdict.witness.outputs[0]
    refuted = smallest_level(noisy, noisy.space)
    assert isinstance(refuted, Refutation)
    assert log(refuted.witness.probabilities[0] / refuted.witness.probabilities[1]) > 1
    wide = GaussianMechanism(Totals(5, 3, 2), (10**14, 10**14))
    with pytest.raises(CannotCheck, match="too small"):  # e^-10^14 is not worked out
        verify(wide, wide.space, 600)
