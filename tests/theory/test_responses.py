"""Closed forms of randomized response at a level, against the matrix itself."""

from fractions import Fraction
from math import exp

import pytest

from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certificate, verify
from tightrope.privacy.categorical import PrivateRange
from tightrope.spaces import categories
from tightrope.theory import response_curve, response_forms
from tightrope.theory.queries.responses import _ends

TINY = Fraction(1, 10**9)


def private(values, error, level):
    """Whether the matrix with this error has the level, by `verify`."""
    rows = [[str(1 - (values - 1) * error if i == j else error) for j in range(values)]
            for i in range(values)]
    space = categories(values)
    return isinstance(verify(MatrixMechanism.of(rows, space), space, level), Certificate)


@pytest.mark.parametrize("values", [2, 3, 5])
@pytest.mark.parametrize("level", [
    Level.ratio(2), Level.ratio("3/2", "0.1"), Level.epsilon(1), Level.epsilon("0.4", "0.05"),
])
def test_the_ends_are_private_and_beyond_them_nothing_is(values, level):
    found = response_forms(values, level)
    low, high = found.errors.low, found.errors.high
    assert private(values, low, level)
    assert private(values, high, level)
    assert not private(values, low - TINY, level)
    if high < Fraction(1, values - 1):
        assert not private(values, high + TINY, level)
    assert found.wrong.low == (values - 1) * low
    assert found.factors.high == 1 + 1 / low - values
    as_json = found.facts().json["errors"]
    assert low <= Fraction(as_json["low"])
    assert Fraction(as_json["high"]) <= high


@pytest.mark.parametrize("step", range(11))
def test_the_verdict_on_an_error_is_that_of_the_matrix(step):
    error = Fraction(step, 22)
    for level in (Level.ratio(2), Level.epsilon(1, "0.1")):
        given = response_forms(3, level, error=error).given
        assert given.holds == private(3, error, level)
        if given.ratio is not None and given.ratio > 1:
            assert private(3, error, Level.ratio(given.ratio, level.delta))
            assert not private(3, error, Level.ratio(given.ratio - TINY, level.delta))
        if given.delta[1] < 1:
            assert private(3, error, level.with_delta(given.delta[1]))


def test_a_factor_is_the_error_that_it_means():
    assert response_forms(5, 1, factor=6).given.error == Fraction(1, 10)
    assert response_forms(3, 1, factor=0).given.error == Fraction(1, 2)


def test_the_curve_is_flat_up_to_the_level():
    curve = response_curve(4, Level.epsilon(1), 2.0, 9)
    assert [d == 0 for _, d in curve] == [True] * 4 + [d == 0 for _, d in curve[4:]]
    assert curve[4][1] < 1e-12
    assert curve[-1][1] > curve[-2][1] > 0.1


def test_what_is_no_error_is_refused():
    for wrong in ({"error": "0.6"}, {"error": -1}, {"factor": -1}, {"error": "0.1", "factor": 2}):
        with pytest.raises(BadInput):
            response_forms(3, 1, **wrong)
    with pytest.raises(BadLevel):
        response_forms(3, 500)


@pytest.mark.parametrize(("values", "low", "high"), [
    (2, Fraction(1, 3), Fraction(2, 3)),  # wrong once in three times, or right
    (3, Fraction(1, 2), Fraction(4, 5)),  # weights 2:1:1, or 1:2:2
    (5, Fraction(2, 3), Fraction(8, 9))])
def test_a_wrong_answer_is_as_likely_as_all_errors_together(values, low, high):
    found = response_forms(values, Level.ratio(2)).wrong
    assert (found.low, found.high) == (low, high)


def test_the_delta_of_an_irrational_level_lies_between_its_ends():
    """Errors of 1/10 among two values: 9/10 - e/10 at ε = 1."""
    low, high = response_forms(2, Level.epsilon(1), error="1/10").given.delta
    assert low < high < low + Fraction(1, 10**15)
    assert abs(float(low) - (9 - exp(1)) / 10) < 1e-15


@pytest.mark.parametrize("end", [Fraction(1, 3), Fraction(2, 3), Fraction(1, 10), Fraction(1, 2)])
def test_ends_are_rounded_inward(end):
    shown = _ends(PrivateRange(end, end)).value
    assert Fraction(shown["high"]) <= end <= Fraction(shown["low"])
    assert shown["low"] - shown["high"] <= 2**-52
    assert (shown["low_text"], shown["high_text"]) == (str(end), str(end))
    assert _ends(PrivateRange(end, None)).value["high"] is None
