"""Priors and losses as a caller gives them: exact where they are right, refused where not."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from tightrope.errors import BadMatrix
from tightrope.spaces import path
from tightrope.utility import LossMatrix, Prior

HALVES = (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.parametrize("make", [Prior, Prior.of])
@pytest.mark.parametrize("wrong", [
    [-0.9, 0.2, 0.3, 0.2, 0.1, 1.1], [2, -1], [0.5, 0.4], [1, 1], [], [float("nan"), 1],
    [float("inf"), 0], [0.5, None], [0.5, "x"], [0.5, 0.5j], [True, False], [[0.5], [0.5]],
    "0.5", {0: 1}, 1, 0.5, [10**400, 1], ["1e999999999", 0], np.array([0.5, 0.5 + 0j]),
    np.ma.masked_array([0.5, 0.5], [True, False]), np.array(["a", "b"]),
])
def test_a_prior_is_a_law(make, wrong):
    with pytest.raises(BadMatrix):
        make(wrong)


@pytest.mark.parametrize("given", [
    [0.5, 0.5], ["1/2", "0.5"], HALVES, np.array([0.5, 0.5]), np.array([0.5, 0.5], np.float32),
    [Decimal("0.5"), Fraction(1, 2)], iter([0.5, 0.5]), [0.5 + 2e-7, 0.5 + 2e-7],
])
def test_a_prior_takes_numbers_of_any_kind(given):
    assert Prior(given).weights == HALVES


def test_a_prior_adds_up_to_one_exactly():
    thirds = Prior([0.1] * 10)
    assert sum(thirds.weights) == 1
    assert set(thirds.weights) == {Fraction(1, 10)}
    assert Prior().weights is None


@pytest.mark.parametrize("wrong", [
    [[0, 1], [1]], [[0, float("nan")], [1, 0]], [[0, float("inf")], [1, 0]], [0, 1], [], [[]],
    "absolute", {0: 1}, None, 1, [[0, "x"], [1, 0]], [[0, 1j], [1, 0]], [[0, None], [1, 0]],
    np.array([[0, 1j], [1, 0]]), np.zeros((2, 2, 2)), np.array([["a", "b"]]), [[10**400]],
    np.ma.masked_array(np.eye(2), np.eye(2)),
])
def test_a_loss_is_a_table_of_finite_numbers(wrong):
    with pytest.raises(BadMatrix, match="rows of finite numbers"):
        LossMatrix(wrong)


@pytest.mark.parametrize("given", [
    [[0, 1], [1, 0]], np.array([[0, 1], [1, 0]]), [["0", "1"], ["2/2", 0.0]],
    [[Fraction(0), Decimal(1)], [1, False + 0]], np.array([[False, True], [True, False]]),
    ((0, 1), (1, 0)), [np.array([0, 1]), np.array([1, 0])],
])
def test_a_loss_takes_rows_of_any_kind(given):
    assert LossMatrix(given).matrix(path(0, 1), (0, 1)).tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_a_loss_for_another_space_is_refused_with_both_shapes():
    with pytest.raises(BadMatrix, match="3 rows and 3 columns, found 2 and 2"):
        LossMatrix([[0, 1], [1, 0]]).matrix(path(0, 2), (0, 1, 2))
