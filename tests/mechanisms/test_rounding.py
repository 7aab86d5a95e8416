"""Rounded kernels: their values against another arithmetic, their sums against exact rows."""

from decimal import Context, Decimal
from fractions import Fraction
from math import floor

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.errors import BadMatrix
from tightrope.exact import Surd
from tightrope.mechanisms import UNIT_BITS, KernelMechanism
from tightrope.mechanisms.rounding import (
    _quotient,
    grid_of,
    kernel_sums,
    kernel_taps,
    rounded_power,
)
from tightrope.spaces import categories, grid, path

GRIDS = [
    path(-2, 4), grid((4, 5)), grid((3, 1, 4)), grid((2, 3, 2), "1/3"), grid((12, 12)),
    grid((5, 4), "2", "manhattan"), grid((4, 4), metric="chebyshev"),
]
ratios = st.fractions(min_value=Fraction(11, 10), max_value=40, max_denominator=30)


def kernel_on(space, ratio, seed):
    step = Fraction(1) if space.text.startswith("path") else space.least_distance.rational
    weights = np.random.default_rng(seed).integers(1, 2**61, space.size)
    return KernelMechanism(space, ratio, step, tuple(weights.tolist()), rounded=True)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(ratios, st.integers(0, 3000))
def test_a_value_is_the_power_rounded_down_to_62_bits(ratio, square):
    mantissa, exponent = rounded_power(ratio, Surd.root(square))
    assert 2**61 <= mantissa < 2**62
    wide = Context(prec=120)
    root = wide.sqrt(Decimal(square))
    base = wide.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
    power = wide.multiply(wide.power(base, -root), wide.power(2, -exponent))
    near = Decimal(10) ** -60
    assert mantissa - near <= power < mantissa + 1 + near


@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(4), Fraction(1 << 40, 1), Fraction(3, 2)])
@pytest.mark.parametrize("steps", [0, 1, 2, 31, 61, 62, 400])
def test_whole_powers_are_rounded_down_from_their_exact_value(ratio, steps):
    mantissa, exponent = rounded_power(ratio, Surd.of(steps))
    exact = ratio**-steps * Fraction(2) ** -exponent
    assert mantissa <= exact < mantissa + 1
    assert 2**61 <= mantissa < 2**62


@pytest.mark.parametrize(("over", "under"), [(1, 1), (1, 3), (2, 3), (5, 7), (3, 4), (1, 10**40)])
def test_a_quotient_is_rounded_down_to_62_bits_on_either_side_of_a_power_of_two(over, under):
    mantissa, exponent = _quotient(over, under)
    assert 2**61 <= mantissa < 2**62
    assert mantissa <= Fraction(over, under) / Fraction(2) ** exponent < mantissa + 1


@pytest.mark.parametrize("space", GRIDS, ids=lambda space: space.text)
@settings(derandomize=True, deadline=None, max_examples=6)
@given(ratio=ratios, seed=st.integers(0, 2**30))
def test_the_bounds_on_normalizers_contain_the_exact_ones(space, ratio, seed):
    kernel = kernel_on(space, ratio, seed)
    for exact, low in zip(kernel.normalizers, kernel.sums.lows, strict=True):
        assert low <= exact * 2**UNIT_BITS <= low + kernel.sums.width
    least, most = min(kernel.normalizers) * 2**UNIT_BITS, max(kernel.normalizers) * 2**UNIT_BITS
    assert kernel.sums.least <= least < most <= kernel.sums.most
    near = np.array([float(total) for total in kernel.normalizers])
    assert np.allclose(kernel.sums.floats(), near, rtol=1e-12, atol=0)


def test_the_largest_normalizer_is_below_the_upper_bound_also_where_it_has_a_rest():
    kernel = KernelMechanism(path(0, 2), Fraction(3), Fraction(1), (1, 1, 1), rounded=True)
    largest = max(kernel.normalizers) * 2**UNIT_BITS
    assert largest > max(kernel.sums.lows)  # 1/3 is no whole number of units
    assert largest <= kernel.sums.most


@pytest.mark.parametrize("space", GRIDS[:4], ids=lambda space: space.text)
def test_rows_matrix_and_single_probabilities_are_one_law(space):
    kernel = kernel_on(space, Fraction(7, 3), 1)
    matrix = kernel.matrix()
    for y in range(space.size):
        values = [
            w * Fraction(m) * Fraction(2) ** e
            for w, (m, e) in zip(
                kernel.weights,
                (rounded_power(Fraction(7, 3), space.distance(y, z) * (1 / kernel.unit))
                 for z in range(space.size)),
                strict=True,
            )
        ]
        law = tuple(value / sum(values) for value in values)
        assert kernel.row_at(y) == matrix.row_at(y) == law
        assert kernel.probability(y, space.size - 1) == law[-1]
        assert min(law) > 0


@pytest.mark.parametrize(
    ("space", "unit", "weights"),
    [
        (categories(3), 1, (1, 1, 1)),
        (grid((1, 3)), 2, (1, 1, 1)),
        (grid((1, 3)), 1, (1, 1, 2**62)),
        (grid((1, 3)), 1, (1, 1, Fraction(1, 2))),
        (grid((1, 3)), 1, (0, 0, 0)),
        (grid((1, 3)), 1, (1, -1, 1)),
        (grid((1, 3)), 1, (1, 1)),
    ],
)
def test_what_makes_no_rounded_kernel_is_refused(space, unit, weights):
    with pytest.raises(BadMatrix):
        KernelMechanism(space, Fraction(2), Fraction(unit), weights, rounded=True)


@pytest.mark.parametrize("space", GRIDS, ids=lambda space: space.text)
def test_taps_are_the_values_rounded_down_to_whole_units(space):
    kernel = kernel_on(space, Fraction(40), 3)
    middle = np.array(kernel.taps.shape) // 2
    for offset in np.ndindex(*kernel.taps.shape):
        key = grid_of(space).norm.key(np.abs(np.array(offset) - middle))
        length = space.norm.surd(int(key)) * (1 / kernel.unit)
        mantissa, exponent = rounded_power(Fraction(40), length)
        assert kernel.taps[offset] == floor(mantissa * Fraction(2) ** (exponent + UNIT_BITS))


@pytest.mark.parametrize("doubt", [1, 3])
@pytest.mark.parametrize("weights", [(3, -2, 5, -7), (-1, -1, -1, -1), (1, 2, 3, 4)])
def test_sums_of_weights_of_any_sign_lie_between_their_bounds(weights, doubt):
    """Values up to `doubt` above their taps: the extremes, where each sign takes its worst."""
    line, taps = path(0, 3), np.array([0, 1, 4, 16, 4, 1, 0])
    found = kernel_sums(line, np.array(weights), taps, doubt)
    for y, low in enumerate(found.lows):
        near = [int(taps[3 + y - z]) for z in range(4)]
        least = sum(w * (t + (doubt if w < 0 else 0)) for w, t in zip(weights, near, strict=True))
        most = sum(w * (t + (doubt if w > 0 else 0)) for w, t in zip(weights, near, strict=True))
        assert (low, low + found.width) == (least, most)
    assert (found.least, found.most) == (min(found.lows), max(found.lows) + found.width)


def test_a_kernel_that_reaches_farther_than_its_rate_is_refused():
    asked = []
    found = kernel_taps(path(0, 9), arb(14), lambda d: asked.append(d.rational) or 0).tolist()
    near = [int(Context(prec=60).exp(Decimal(-14 * k)) * 2**61) for k in (1, 2, 3)]
    assert found == [0, *near[::-1], 2**61, *near, 0]  # 2^-61 is beyond three steps of e^-14
    assert asked == [4]
    with pytest.raises(BadMatrix, match="farther than its rate"):
        kernel_taps(path(0, 9), arb(14), lambda d: 1)
