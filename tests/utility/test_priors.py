"""Priors: exact fractions that add up to 1."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.errors import BadMatrix
from tightrope.spaces import path
from tightrope.utility import Prior, prior_of, uniform


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


@pytest.mark.parametrize(("values", "reason"), [
    ([], "is empty"),
    ({}, "is empty"),
    ([0.5, -0.25, 0.75], r"entry 2 of the prior is -0\.25; a probability is not negative"),
    ([0.5, 0.25, float("nan")], "entry 3 of the prior is nan, not a finite number"),
    ([0.5, "x", 0.5], "entry 2 of the prior is x, not a finite number"),
    ([[0.5], 0.5, 0], r"entry 1 of the prior is \[0\.5\], not"),
    ([0, 0, 0], "every entry of the prior is 0"),
    ([1, 0], "with 3 entries for path:0..2, found 2"),
])
def test_what_is_no_prior_on_a_space_is_named(values, reason):
    with pytest.raises(BadMatrix, match=reason):
        prior_of(values, path(0, 2))


def test_the_uniform_prior_fits_every_space():
    assert uniform.on(path(0, 3)).tolist() == [0.25] * 4
    assert Prior.of([1, 0]).on(path(0, 1)).tolist() == [1, 0]
    with pytest.raises(BadMatrix):
        Prior.of([1, 0]).on(path(0, 2))
