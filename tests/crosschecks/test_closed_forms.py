"""Closed form = brute force = linear program, on spaces small enough for all three."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crosschecks.plain_programs import least_loss
from tightrope.constructions import design, randomized_response, truncated_geometric
from tightrope.exact import Level
from tightrope.mechanisms import KernelMechanism, NoiseMechanism
from tightrope.spaces import categories, cycle, hamming, path, star
from tightrope.utility import Prior, absolute, binary, expected_loss, squared, uniform, worst_loss

ratios = st.fractions(min_value=Fraction(11, 10), max_value=6, max_denominator=10)


def absolute_loss(y, n, ratio):
    """E|Z - y| of the truncated geometric on 0..n-1: the tails are α^k/(1 + α)."""
    alpha = 1 / ratio
    below, above = (alpha * (1 - alpha**room) / (1 - alpha) for room in (y, n - 1 - y))
    return (below + above) / (1 + alpha)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.integers(2, 12), ratios)
def test_the_absolute_loss_of_the_geometric_mechanism(n, ratio):
    mechanism = truncated_geometric(path(0, n - 1), Level.ratio(ratio)).mechanism
    exact = [absolute_loss(y, n, ratio) for y in range(n)]
    brute = [sum(abs(y - z) * p for z, p in enumerate(mechanism.row_at(y))) for y in range(n)]
    assert brute == exact
    assert expected_loss(mechanism, prior=uniform, loss=absolute) == pytest.approx(
        float(sum(exact) / n), rel=1e-13
    )
    assert worst_loss(mechanism, loss=absolute) == pytest.approx(float(max(exact)), rel=1e-13)
    halves = Prior.of([Fraction(1, 2), *[Fraction(0)] * (n - 2), Fraction(1, 2)])
    assert expected_loss(mechanism, prior=halves, loss=absolute) == pytest.approx(
        float(exact[0] + exact[-1]) / 2, rel=1e-13
    )


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.integers(2, 30), ratios)
def test_the_gain_of_randomized_response(k, ratio):
    mechanism = randomized_response(categories(k), Level.ratio(ratio)).mechanism
    gain = ratio / (ratio + k - 1)
    assert mechanism.row_at(0)[0] == gain
    assert expected_loss(mechanism, prior=uniform, loss=binary) == pytest.approx(
        float(1 - gain), rel=1e-13
    )
    assert worst_loss(mechanism, loss=binary) == pytest.approx(float(1 - gain), rel=1e-13)


@pytest.mark.parametrize(("k", "ratio"), [(2, 2), (3, 2), (4, 3), (5, 1.5)])
def test_randomized_response_is_optimal_for_the_uniform_prior(k, ratio):
    costs = (1 - np.eye(k)) / k
    distances = 1 - np.eye(k)
    best = least_loss(ratio ** distances, costs, prior=np.ones(k))
    found = design(categories(k), Level.ratio(ratio), loss=binary)
    assert found.construction == "randomized-response"
    assert found.value == pytest.approx(best, abs=1e-8)


def test_randomized_response_is_not_optimal_for_every_prior():
    prior = [0.4, 0.4, 0.1, 0.1]
    costs = np.array(prior)[:, None] * (1 - np.eye(4))
    best = 1 - least_loss(2.0 ** (1 - np.eye(4)), costs, prior=np.ones(4))
    found = 1 - design(categories(4), Level.ratio(2), prior=Prior.of(["0.4", "0.4", "0.1", "0.1"]),
                       loss=binary, construction="randomized-response").value
    assert best == pytest.approx(8 / 15, abs=1e-8)
    assert found == pytest.approx(0.4, abs=1e-12)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("ratio", [1.5, 2, 4])
def test_no_design_on_a_path_loses_less_than_the_linear_program(n, ratio):
    gaps = np.abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(float)
    for loss, costs in ((absolute, gaps), (squared, gaps**2), (binary, (gaps > 0) * 1.0)):
        best = least_loss(ratio ** gaps, costs / n, prior=np.ones(n))
        found = design(path(0, n - 1), Level.ratio(ratio), loss=loss).value
        assert found >= best - 1e-8


@pytest.mark.parametrize("ratio", [2, 4, 10])
def test_the_geometric_mechanism_is_optimal_for_the_binary_loss(ratio):
    # where the tight-constraints mechanism exists it is optimal for the uniform prior (ECP)
    n = 5
    gaps = np.abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(float)
    best = least_loss(ratio ** gaps, (gaps > 0) / n, prior=np.ones(n))
    found = design(path(0, n - 1), Level.ratio(ratio), loss=binary, construction="geometric").value
    assert found == pytest.approx(best, abs=1e-8)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.integers(2, 8), ratios)
def test_the_weights_of_the_geometric_mechanism_solve_the_kernel_equation(n, ratio):
    # Φ w = 1 with Φ = ratio^-|i-j|, so no normalizing is needed
    mechanism = truncated_geometric(path(0, n - 1), Level.ratio(ratio)).mechanism
    w = [mechanism.row_at(z)[z] for z in range(n)]
    for y in range(n):
        assert sum(weight * ratio ** -abs(y - z) for z, weight in enumerate(w)) == 1


@pytest.mark.parametrize("space", [cycle(6), hamming(values=3, people=2), categories(4)],
                         ids=lambda space: space.text)
def test_on_symmetric_spaces_the_plain_kernel_has_one_normalizer(space):
    kernel = KernelMechanism(space, Fraction(3), Fraction(1), (Fraction(1),) * space.size)
    total = sum(Fraction(1, 3) ** int(space.distance(0, z).rational) for z in range(space.size))
    assert set(kernel.normalizers) == {total}
    assert KernelMechanism(star(3), Fraction(3), Fraction(1), (Fraction(1),) * 4).normalizers[0] > (
        KernelMechanism(star(3), Fraction(3), Fraction(1), (Fraction(1),) * 4).normalizers[1]
    )


@settings(derandomize=True, deadline=None, max_examples=20)
@given(ratios)
def test_noise_loses_more_than_clamped_noise(ratio):
    noise = NoiseMechanism(path(0, 5), ratio)
    clamped = truncated_geometric(path(0, 5), Level.ratio(ratio)).mechanism
    for loss in (absolute, squared, binary):
        assert expected_loss(clamped, prior=uniform, loss=loss) < expected_loss(
            noise, prior=uniform, loss=loss
        )


@pytest.mark.parametrize("k", [2, 3, 5, 9])
@pytest.mark.parametrize("ratio", ["11/10", "2", "7"])
def test_a_bound_never_exceeds_the_exact_optimum_of_randomized_response(k, ratio):
    q = Fraction(ratio)
    optimum = 1 - q / (q + k - 1)
    found = design(categories(k), Level.ratio(q), loss=binary)
    assert Fraction(found.bound) <= optimum
    assert found.value >= float(optimum) * (1 - 1e-12)
    assert found.value - found.bound <= 1e-5 * found.value


@pytest.mark.parametrize("n", [3, 6])
@pytest.mark.parametrize("ratio", ["3/2", "2", "5"])
def test_a_bound_never_exceeds_the_exact_optimum_of_the_geometric_mechanism(n, ratio):
    # binary loss, uniform prior: Σ_z w_z / n is gained, with Φ w = 1
    q = Fraction(ratio)
    gain = (2 * q / (1 + q) + (n - 2) * (q - 1) / (q + 1)) / n
    found = design(path(0, n - 1), Level.ratio(q), loss=binary)
    assert Fraction(found.bound) <= 1 - gain
    assert found.value == pytest.approx(float(1 - gain), rel=1e-5)
