"""Priors: exact fractions that add up to 1."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.errors import BadMatrix
from tightrope.spaces import path
from tightrope.utility import Prior, uniform


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.lists(st.integers(0, 100), min_size=1, max_size=6).filter(any))
def test_fractions_are_kept_exactly(parts):
    exact = [Fraction(part, sum(parts)) for part in parts]
    assert Prior.of(exact).weights == tuple(exact)


def test_a_slip_below_a_millionth_is_divided_out():
    found = Prior.of([0.1] * 10).weights
    assert sum(found) == 1
    assert set(found) == {Fraction(1, 10)}
    assert sum(Prior.of(["0.3333333", "0.3333333", "0.3333333"]).weights) == 1


@pytest.mark.parametrize(
    "values",
    [[], [0.5], [1, 1], [0.5, 0.5 + 2e-6], [1.5, -0.5], [float("nan"), 1], [float("inf"), 1],
     ["x", 1], ["1/0", 1], [0, 0]],
)
def test_what_is_no_prior_is_refused(values):
    with pytest.raises(BadMatrix):
        Prior.of(values)


def test_the_uniform_prior_fits_every_space():
    assert uniform.on(path(0, 3)).tolist() == [0.25] * 4
    assert Prior.of([1, 0]).on(path(0, 1)).tolist() == [1, 0]
    with pytest.raises(BadMatrix):
        Prior.of([1, 0]).on(path(0, 2))
