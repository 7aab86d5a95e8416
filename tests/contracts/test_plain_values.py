"""Plain numbers, texts and arrays go in wherever they make sense, and results go in as levels."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest

import tightrope as tr
from tightrope.exact import INFINITE, Surd
from tightrope.mechanisms import SubsetMechanism
from tightrope.theory import extreme_points

COIN = tr.mechanisms.MatrixMechanism.of([["3/4", "1/4"], ["1/2", "1/2"]], "categories:2")
LONG = tr.mechanisms.MatrixMechanism.of(
    [[f"{k}/997", f"{997 - k}/997"] for k in range(300, 340)], "path:0..39"
)
SETS = SubsetMechanism(tr.spaces.categories(4), 2, Fraction(3))


def test_an_epsilon_may_be_a_logarithm():
    assert tr.Level.epsilon("ln(2)") == tr.Level.ratio(2)
    third = tr.Level.epsilon("ln(8)/3", "0.1")
    assert third.compare_level(tr.Level.ratio(2)) == 0
    assert third.delta == Fraction(1, 10)


def test_a_delta_curve_takes_plain_levels_and_ratios():
    curve = tr.delta_curve(COIN)
    assert curve.at(0.3) == curve.at("0.3") == curve.at(tr.Level.of("3/10"))
    assert curve.at_ratio(1.1) == curve.at_ratio("11/10") == curve.at_ratio(Fraction(11, 10))
    assert curve.at_ratio(1.1) == Fraction(1, 2) - Fraction(11, 40)  # the second output decides
    with pytest.raises(tr.TightropeError):
        curve.at_ratio("many")


def test_a_vertex_takes_plain_ratios():
    vertex = extreme_points(3).orbits[-1].vertex
    assert vertex.matrix(1.1) == vertex.matrix("11/10") == vertex.matrix(Fraction(11, 10))


@pytest.mark.parametrize("number", [3, 3.0, Fraction(3), Decimal(3), np.int64(3)])
def test_a_distance_is_the_number_that_it_is(number):
    distance = tr.spaces.path(0, 5).distance(1, 4)
    assert distance == number
    assert number == distance
    assert distance <= number
    assert not distance < number
    assert distance < number + 1
    assert distance > number - 1
    assert distance != "3"


def test_distances_compare_with_any_number():
    root = Surd.root(2)
    assert root != 1.4142135623730951
    assert 1.414213562373095 < root < 1.4142135623730951
    assert Surd.of("1/10") == 0.1
    assert Surd.of(0) > -1
    assert Surd.of(0) != -1
    assert inf == INFINITE
    assert root < inf
    assert root > -inf
    assert root != nan
    with pytest.raises(TypeError):
        _ = root < "2"


def test_an_array_of_a_mechanism_has_its_probabilities():
    rows = [[0.75, 0.25], [0.5, 0.5]]
    assert np.array(COIN).tolist() == rows
    assert np.asarray(COIN, dtype=np.float32).dtype == np.float32
    for given in (COIN, tr.privacy.certified(COIN, 1), tr.design("path:0..3", 1),
                  tr.constructions.randomized_response("categories:3", 1), SETS):
        found = np.array(given)
        assert found.dtype == np.float64
        assert found.sum(axis=1) == pytest.approx(1)
    with pytest.raises(ValueError, match="copy"):
        np.array(COIN, copy=False)


def test_a_smallest_level_is_a_level_and_a_number():
    smallest = tr.smallest_level(LONG, "path:0..39")
    assert smallest.exact is not None
    assert float(smallest) == pytest.approx(float(smallest.exact))
    assert tr.verify(LONG, "path:0..39", smallest).holds
    improved = tr.improve(LONG, smallest, loss="absolute")
    assert improved.after.value <= tr.utility.worst_loss(LONG) + 40
    assert tr.Level.of(tr.privacy.certified(COIN, 1).certificate) == tr.Level.of(1)
    square = tr.space("grid:2x2")
    near = tr.smallest_level(tr.design(square, 1).mechanism, square)
    assert tr.verify(tr.design(square, 1).mechanism, square, near).holds


def test_a_long_exact_level_is_never_shown_without_its_fraction_bar():
    big = tr.Level.ratio(Fraction(10**40 + 1, 10**40 - 3) * 2)
    assert "/" in big.text
    for shown in (str(big), repr(big), repr(tr.privacy.Smallest(0.69, 0.7, big))):
        assert "…" not in shown
        assert f"{float(big):.7g} (exact in {len(big.text)} characters)" in shown
    assert tr.Level.of(big.text) == big
