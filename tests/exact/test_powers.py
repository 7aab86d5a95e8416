"""Numbers against long powers: the sign that writing the power out would show."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tightrope.exact import compare_power

NUMBERS = some.fractions(Fraction(1, 50), 50, max_denominator=50)


@given(NUMBERS, NUMBERS, some.integers(0, 30))
def test_the_sign_is_that_of_the_power_written_out(value, base, exponent):
    power = base**exponent
    assert compare_power(value, base, exponent) == (value > power) - (value < power)
    assert compare_power(power, base, exponent) == 0


@given(NUMBERS.filter(lambda base: base != 1), some.integers(1, 40), some.integers(20, 80))
def test_a_hair_beside_a_power_is_told_from_it(base, exponent, digits):
    power = base**exponent
    hair = power / 10**digits
    assert compare_power(power + hair, base, exponent) == 1
    assert compare_power(power - hair, base, exponent) == -1


@pytest.mark.parametrize("digits", [3, 12, 40])
def test_powers_that_nobody_could_write_out_are_compared(digits):
    """(1 + h)^(1/h) is below e, and above it with one factor more."""
    base, times = 1 + Fraction(1, 10**digits), 10**digits
    e = Fraction("2.71828182845904523536028747135266249775724709369995957496696762772407663035")
    assert compare_power(e, base, times) == 1
    assert compare_power(e, base, times + 1) == -1
