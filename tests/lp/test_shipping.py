"""Shipments: what arrives covers the deficits, and it is the most that can be had."""

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linprog

from tightrope.lp import Shipments, ship

ERROR = 1e-8


def kernel_on_a_line(source, size):
    places = source.uniform(0, 3, size)
    return np.exp(-np.abs(places[:, None] - places[None, :]))


def left(balance, kernel, shipments):
    """What every place has after the shipments."""
    after = balance.copy()
    np.subtract.at(after, shipments.origins, shipments.amounts)
    arriving = kernel[shipments.origins, shipments.targets] * shipments.amounts
    np.add.at(after, shipments.targets, arriving)
    return after


def best_left(balance, kernel, pairs):
    """The largest t <= 0 that every place can be left with by shipments along these pairs."""
    upper = np.zeros((len(balance), len(pairs) + 1))
    for j, (a, b) in enumerate(pairs):
        upper[a, j], upper[b, j] = 1, -kernel[a, b]
    upper[:, -1] = 1
    found = linprog(
        np.append(np.zeros(len(pairs)), -1.0), A_ub=upper, b_ub=balance,
        bounds=[(0, None)] * len(pairs) + [(None, 0)],
    )
    return -found.fun


def random_balance(source, kernel, room):
    """A balance that is `room` above what some hidden direct shipments cover exactly."""
    size = len(kernel)
    balance = np.zeros(size)
    for a in range(size // 2):
        for b in range(size // 2, size):
            amount = source.uniform()
            balance[a] += amount
            balance[b] -= amount * kernel[a, b]
    return balance + room


@pytest.mark.parametrize("seed", range(6))
def test_deficits_that_can_be_covered_are_covered_by_few_shipments(seed):
    source = np.random.default_rng(seed)
    kernel = kernel_on_a_line(source, 10)
    balance = random_balance(source, kernel, 0.001)
    found = ship(balance, kernel)
    assert found.amounts.min() > 0
    assert left(balance, kernel, found).min() >= -ERROR
    assert len(found.amounts) <= len(balance)
    # and so the balance is not negative on the cone: try vectors of it
    for v in (*kernel, kernel.sum(axis=0), np.ones(10)):
        assert balance @ v >= -ERROR


@pytest.mark.parametrize("seed", range(6))
def test_where_too_little_is_there_the_worst_place_is_left_as_well_as_possible(seed):
    source = np.random.default_rng(seed)
    kernel = kernel_on_a_line(source, 8)
    balance = random_balance(source, kernel, -1.0)
    places = range(len(balance))
    direct = [(a, b) for a in places for b in places if balance[a] > 0 > balance[b]]
    best = best_left(balance, kernel, direct)
    assert left(balance, kernel, ship(balance, kernel)).min() == pytest.approx(best, abs=ERROR)
    assert best < -0.01
    assert best_left(balance, kernel, list(permutations(places, 2))) < -0.01  # nor by detours


def test_routes_of_the_hint_are_used_if_they_do_and_left_if_not():
    kernel = np.array([[1, 0.5, 0.4], [0.5, 1, 0.2], [0.4, 0.2, 1]])
    balance = np.array([4.0, 1.0, -1.0])
    far = Shipments(np.array([1, 0]), np.array([2, 2]), np.array([1.0, 0.0]))
    found = ship(balance, kernel, far, enough=1.0)  # only the second place ships: 0.2 arrives
    assert set(found.origins.tolist()) == {1}
    found = ship(balance, kernel, far)
    assert left(balance, kernel, found).min() >= -ERROR
    assert 0 in found.origins


def test_without_deficits_nothing_is_shipped():
    found = ship(np.array([1.0, 0.0]), np.eye(2))
    assert len(found.amounts) == 0
