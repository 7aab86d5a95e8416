"""Geometric mechanisms from their definition: noise on the integers, clamped to the range."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import power_of
from tests.privacy.brute import has_level, lengths_of
from tightrope.constructions import truncated_geometric, two_sided_geometric
from tightrope.exact import Level
from tightrope.mechanisms import KernelMechanism
from tightrope.privacy import certified, smallest_level, verify
from tightrope.spaces import path

ratios = st.fractions(min_value=Fraction(11, 10), max_value=9, max_denominator=12)


def clamped(low, high, ratio):
    """Two-sided geometric noise, everything outside moved to the nearest end."""
    alpha = 1 / ratio
    steady = (1 - alpha) / (1 + alpha)
    rows = []
    for y in range(low, high + 1):
        inner = [steady * alpha ** abs(z - y) for z in range(low + 1, high)]
        below = steady * alpha ** (y - low) / (1 - alpha)  # Σ over z <= low
        above = steady * alpha ** (high - y) / (1 - alpha)  # Σ over z >= high
        rows.append((below, *inner, above))
    return rows


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.integers(-5, 5), st.integers(1, 9), ratios)
def test_the_truncated_geometric_is_clamped_noise_exactly(low, length, ratio):
    space = path(low, low + length)
    mechanism = truncated_geometric(space, Level.ratio(ratio)).mechanism
    expected = clamped(low, low + length, ratio)
    assert [mechanism.row_at(i) for i in range(space.size)] == expected
    assert all(sum(law) == 1 for law in expected)
    assert smallest_level(mechanism, space).exact.compare_level(Level.ratio(ratio)) == 0


@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "1", "3", "30"])
def test_at_a_decimal_level_it_is_clamped_noise_nearly_and_private_surely(epsilon):
    space, level = path(0, 5), Level.epsilon(epsilon)
    mechanism = truncated_geometric(space, level).mechanism
    e = Fraction(power_of((level.rational, Fraction(0), Fraction(1)), [(Fraction(1),) * 2], 60))
    rows = [mechanism.row_at(i) for i in range(6)]
    for found, exact in zip(rows, clamped(0, 5, e), strict=True):
        for p, q in zip(found, exact, strict=True):
            assert abs(p / q - 1) < Fraction(1, 10**9)
    assert has_level(rows, lengths_of(space), level)
    assert verify(mechanism, space, level).holds


def test_two_points_are_warners_randomized_response():
    mechanism = truncated_geometric(path(0, 1), Level.ratio(3)).mechanism
    assert mechanism.row_at(0) == (Fraction(3, 4), Fraction(1, 4))
    assert mechanism.row_at(1) == (Fraction(1, 4), Fraction(3, 4))


def test_a_level_with_a_rational_root_is_kept_exact():
    mechanism = truncated_geometric(path(0, 2), Level.parse("ln(4)/2")).mechanism
    level = certified(mechanism, Level.ratio(2)).certificate.smallest
    assert level.upper <= 0.6931471805599454


@pytest.mark.parametrize("ratio", ["2", "3/2", "1000001/1000000"])
def test_long_ranges_keep_the_kernel_and_its_exact_level(ratio):
    space, level = path(0, 199), Level.ratio(ratio)
    mechanism = truncated_geometric(space, level).mechanism
    assert isinstance(mechanism, KernelMechanism)
    assert set(mechanism.normalizers) == {Fraction(1)}
    assert mechanism.row_at(0) == clamped(0, 199, Fraction(ratio))[0]
    assert certified(mechanism, level).certificate.smallest.exact.compare_level(level) == 0


@settings(derandomize=True, deadline=None, max_examples=30)
@given(ratios)
def test_noise_has_the_ratio_of_the_level(ratio):
    assert two_sided_geometric(path(0, 9), Level.ratio(ratio)).mechanism.ratio == ratio


@pytest.mark.parametrize("epsilon", ["1e-6", "0.5", "20"])
def test_noise_at_a_decimal_level_is_just_inside(epsilon):
    level = Level.epsilon(epsilon)
    noise = two_sided_geometric(path(0, 9), level).mechanism
    assert verify(noise, noise.space, level).holds
    exact = smallest_level(noise, noise.space).exact
    assert exact.compare_level(level) <= 0
    assert exact.compare_level(Level.epsilon(level.rational * (1 - Fraction(1, 10**9)))) > 0
