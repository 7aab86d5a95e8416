"""Bounds of balls are bounds, and exact ones."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exact.oracle import decimal_of, power_of
from tightrope.exact import (
    Level,
    Surd,
    ball_of,
    float_above,
    float_below,
    lower_bound,
    short_text,
    upper_bound,
)

rationals = st.fractions(min_value=-1000, max_value=1000, max_denominator=10**9)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(rationals, st.sampled_from([24, 53, 128, 400]))
def test_a_ball_contains_its_rational_and_is_narrow(value, bits):
    ball = ball_of(value, bits)
    low, high = lower_bound(ball), upper_bound(ball)
    assert low <= value <= high
    assert high - low <= abs(value) / 2 ** (bits - 4)


@pytest.mark.parametrize("bits", [128, 256, 1024])
def test_bounds_are_as_narrow_as_the_ball(bits):
    ball = Level.epsilon(1).power_ball(Surd.of(1), bits)
    low, high = lower_bound(ball), upper_bound(ball)
    e = power_of((Fraction(1), Fraction(0), Fraction(1)), [(Fraction(1), Fraction(1))], 400)
    assert decimal_of(low, 400) < e < decimal_of(high, 400)
    assert high - low < Fraction(1, 2 ** (bits - 16))


@settings(derandomize=True, deadline=None, max_examples=80)
@given(rationals, st.sampled_from([53, 128]))
def test_doubles_around_a_ball_enclose_it(value, bits):
    ball = ball_of(value, bits)
    assert Fraction(float_below(ball)) <= value <= Fraction(float_above(ball))
    assert float_above(ball) - float_below(ball) <= 4 * math.ulp(float(value))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.fractions(min_value=0, max_value=10))
def test_short_text_is_short_and_near(value):
    tiny = value / 3**1000
    for number in (value, tiny, value * 10**5000):
        assert len(short_text(number)) <= 30
    assert abs(float(Fraction(short_text(value))) - float(value)) <= 1e-8 * float(value)


@pytest.mark.parametrize("value", [Fraction(1, 2), Fraction(-3, 4), Fraction(0), Fraction(2**60)])
def test_a_double_is_its_own_bound(value):
    ball = ball_of(value, 53)
    assert Fraction(float_below(ball)) == Fraction(float_above(ball)) == value


def test_balls_beyond_doubles_have_bounds_too():
    huge, largest = ball_of(Fraction(10) ** 400, 60), float.fromhex("0x1.fffffffffffffp+1023")
    assert (float_below(huge), float_above(huge)) == (largest, math.inf)
    assert (float_below(-huge), float_above(-huge)) == (-math.inf, -largest)
