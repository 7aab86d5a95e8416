"""The field of a root: arithmetic against doubles, zeros against identities."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.exact import Level, Radical, RadicalField, Surd

F = Fraction
fields = st.sampled_from([RadicalField(F(2), 2, F(1)), RadicalField(F(3, 2), 3, F(1)),
                          RadicalField(F(5), 4, F(1))])
small = st.fractions(min_value=-4, max_value=4, max_denominator=6)


def numbers(field):
    parts = st.lists(small, min_size=field.degree, max_size=field.degree)
    return parts.map(lambda held: Radical(field, tuple(held)))


def value(number):
    root = float(number.field.base) ** (1 / number.field.degree)
    return sum(float(c) * root**k for k, c in enumerate(number.coefficients))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(fields.flatmap(lambda field: st.tuples(numbers(field), numbers(field))))
def test_sums_products_and_quotients_are_those_of_real_numbers(pair):
    a, b = pair
    assert value(a + b) == pytest.approx(value(a) + value(b), abs=1e-9)
    assert value(a * b) == pytest.approx(value(a) * value(b), abs=1e-9)
    assert value(1 - a) == pytest.approx(1 - value(a), abs=1e-9)
    if b.sign:
        assert (a / b * b - a).sign == 0
        assert (1 / b * b).coefficients[0] == 1
    if abs(value(a)) > 1e-9:
        assert a.sign == (1 if value(a) > 0 else -1)


def test_the_degree_is_as_small_as_the_distances_allow():
    def degree(text, *distances):
        return RadicalField.of(Level.parse(text), [Surd.of(d) for d in distances]).degree

    assert degree("ln(2)/2", 1, 2) == 2
    assert degree("ln(2)/2", 2, 4) == 1
    assert degree("ln(4)/2", 1) == 1  # √4 = 2
    assert degree("ln(8)/6", 1) == 2  # the sixth root of 8 is √2
    assert degree("ln(2)", "1/2", "1/3") == 6
    assert RadicalField.of(Level.epsilon("0.5"), [Surd.of(1)]) is None
    assert RadicalField.of(Level.ratio(2), [Surd.root(2)]) is None


def test_powers_multiply_as_distances_add():
    level = Level.parse("ln(6)/3")
    field = RadicalField.of(level, [Surd.of(d) for d in (1, 2, 5)])
    assert field.power(Surd.of(2)) * field.power(Surd.of(3)) == field.power(Surd.of(5))
    assert field.power(Surd.of(2)) * field.power(Surd.of(2), sign=-1) == field.number(1)
    assert value(field.power(Surd.of(5))) == pytest.approx(6 ** (5 / 3))


def test_nothing_is_divided_by_zero():
    with pytest.raises(ZeroDivisionError):
        _ = RadicalField(F(2), 2, F(1)).number(0).inverse


def test_a_root_whose_degree_does_not_divide_that_of_the_field_is_not_taken():
    """4 is a square, and 4^(1/3) is of degree 3 all the same."""
    field = RadicalField.of(Level.parse("ln(4)/3"), [Surd.of(1)])
    assert (field.degree, field.base) == (3, 4)
    root = field.power(Surd.of(1))
    assert (root * root * root - 4).sign == 0
    assert abs(float(root.ball(64).mid()) - 4 ** (1 / 3)) < 1e-15
