"""Formulas in a: what they are at a fraction, exactly, in balls and compared."""

import math
from fractions import Fraction
from statistics import NormalDist

import pytest

from tightrope.errors import BadInput
from tightrope.exact.expressions import Expression

F = Fraction
THIRD = F(1, 3)


def at(text, a=THIRD):
    return Expression.parse(text).exact(F(a))


@pytest.mark.parametrize(("text", "value"), [
    ("a", "1/3"), ("0.25", "1/4"), ("1e-2", "1/100"), ("+a", "1/3"), ("-a", "-1/3"),
    ("-2", "-2"), ("--2", "2"), ("a + 1/2", "5/6"), ("a - 1/2", "-1/6"), ("a * 6", "2"),
    ("6·a", "2"), ("1 − a", "2/3"), ("a / 2", "1/6"), ("2 / a", "6"), ("a ^ 2", "1/9"),
    ("a ^ -2", "9"), ("a ^ 0", "1"), ("2 + 3", "5"), ("2 - 3", "-1"), ("2 * 3", "6"),
    ("2 / 3", "2/3"), ("2 ^ 3", "8"), ("(4/9) ^ (-1/2)", "3/2"), ("√4", "2"), ("√(a/3)", "1/3"),
    ("sqrt(a * 12)", "2"), ("exp(a - a)", "1"), ("ln(a * 3)", "0"), ("log(a + 2/3)", "0"),
    ("gaussian(a, 0)", "1/3"), ("gaussian(a - a, 2)", "0"), ("gaussian(3 * a, 2)", "1"),
    ("min(a, 1/2)", "1/3"), ("max(a, 1/2)", "1/2"), ("min(2, a, 1)", "1/3"), ("max(a, 2, 1)", "2"),
    # where a part is no fraction
    ("0 * √a", "0"), ("exp(1) * 0", "0"), ("(a - a) / √a", "0"), ("√a / √a", "1"),
    ("2^(1/2) / √(6 * a)", "1"), ("min(a, √a)", "1/3"), ("max(1, √a)", "1"),
    ("min(√a, 1/2, exp(a))", "1/2"), ("√a * 0 + a", "1/3"), ("(a - 1) ^ 3", "-8/27"),
])
def test_a_value_that_is_a_fraction_is_found(text, value):
    found = Expression.parse(text)
    assert found.exact(THIRD) == F(value)
    assert found.compare(THIRD, F(value)) == 0
    assert found.at(THIRD) == Expression("number", number=F(value))
    assert found.ball(THIRD, 64).contains(Expression.parse(value).ball(THIRD, 64))


@pytest.mark.parametrize(("text", "value"), [
    ("√a", math.sqrt(1 / 3)), ("√2", math.sqrt(2)), ("exp(a)", math.exp(1 / 3)),
    ("exp(1)", math.e), ("ln(a)", -math.log(3)), ("log(2)", math.log(2)),
    ("a ^ (2/3)", 3 ** (-2 / 3)), ("1 - √a/2", 1 - math.sqrt(1 / 3) / 2),
    ("√a * exp(a)", math.sqrt(1 / 3) * math.exp(1 / 3)), ("a * √a", 3**-1.5),
    ("1 / √a", math.sqrt(3)), ("√a / 2", math.sqrt(1 / 3) / 2),
    ("√a + a", math.sqrt(1 / 3) + 1 / 3),
    ("min(√a, 1)", math.sqrt(1 / 3)), ("max(a, √a)", math.sqrt(1 / 3)),
    ("min(√a, exp(a))", math.sqrt(1 / 3)), ("max(√a, exp(a), ln(a))", math.exp(1 / 3)),
    ("gaussian(a, 1)", NormalDist().cdf(NormalDist().inv_cdf(1 / 3) + 1)),
    ("gaussian(a, 1/2)", NormalDist().cdf(NormalDist().inv_cdf(1 / 3) + 0.5)),
    ("√a / exp(a)", math.sqrt(1 / 3) / math.exp(1 / 3)), ("(a - a) + √a", math.sqrt(1 / 3)),
    ("√a + √a", 2 * math.sqrt(1 / 3)),
])
def test_a_value_that_is_none_is_enclosed_and_compared(text, value):
    found = Expression.parse(text)
    assert found.exact(THIRD) is None
    ball = found.ball(THIRD, 128)
    assert abs(float(ball.mid()) - value) < 1e-12
    assert float(ball.rad()) < 1e-30
    assert found.compare(THIRD, F(value) + F(1, 10**9)) == 1
    assert found.compare(THIRD, F(value) - F(1, 10**9)) == -1


@pytest.mark.parametrize("text", [
    "1 / (a - 1/3)", "(a - 1/3) ^ -1", "(a - 1) ^ (1/2)", "(-8) ^ (1/3) + a", "√a / (√a - √a)",
    "(a - a) / (√a - √a)", "ln(a - a)", "0 ^ -1 + a",
])
def test_what_has_no_value_is_no_number(text):
    found = Expression.parse(text)
    assert found.exact(THIRD) is None
    with pytest.raises(BadInput, match="cannot be bounded at a = 1/3"):
        found.compare(THIRD, F(0))


def test_a_product_that_happens_to_be_a_fraction_is_not_guessed():
    with pytest.raises(BadInput, match="cannot be bounded"):
        Expression.parse("√a * √a").compare(THIRD, THIRD)


def test_values_that_differ_in_their_thousandth_bit_are_told_apart():
    below = F(math.isqrt(2**1999), 2**1000)
    root = Expression.parse("√a")
    assert root.compare(F(1, 2), below) == -1
    assert root.compare(F(1, 2), below + F(1, 2**1000)) == 1


@pytest.mark.parametrize("text", [
    "b", "a b", "a +", "", "a % 2", "a // 2", "f(a)", "sqrt(a, a)", "sqrt()", "exp()", "min(a)",
    "min(" + ", ".join("a" * 10) + ")", "sqrt(x=a)", "a < 1", "'a'", "a^a", "a^√2", "a ^ 1001",
    "a ^ -1001", "a ^ (1/1001)", "1 / 0", "a / 0", "a / (1 - 1)", "gaussian(a)",
    "gaussian(a, a)", "gaussian(a, -1)", "gaussian(a, √2)", "a.real", "True", "+", "not a",
    "a" + " " * 400,
])
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(BadInput):
        Expression.parse(text)


def test_a_formula_is_a_text():
    with pytest.raises(BadInput, match="of at most 400 characters"):
        Expression.parse(7)


def test_limits_are_reached():
    assert at("a" + " " * 399) == THIRD
    assert at("a ^ 1000", 1) == at("a ^ -1000", 1) == at("a ^ (1/1000)", 1) == 1
    assert at("min(" + ", ".join("a" * 9) + ")") == THIRD
    assert at("max(a, 1)") == 1


def test_division_by_what_is_not_zero_is_division():
    assert at("a / 0.5") == F(2, 3)
    assert at("0 / a") == 0


def test_zero_to_the_power_of_zero_is_not_said_to_be_zero():
    assert at("(a - a) ^ 0") is None
    assert at("(a - a) ^ 2") == 0
