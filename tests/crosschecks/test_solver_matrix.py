"""The optimal matrix of a floating-point solver is private at no level; `certify` mends it."""

from fractions import Fraction

import numpy as np
import pytest

from tests.crosschecks.plain_programs import best_matrix
from tests.exact.oracle import power_of
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Refutation, repair, smallest_level, verify
from tightrope.spaces import path
from tightrope.utility import absolute, expected_loss, uniform

OPTIMUM = 1.8080081202645478
SIZE = 50
LEVEL = Level.epsilon("0.5")


@pytest.fixture(scope="module")
def solved():
    """Least mean absolute error on 0..49 at ε = 0.5, constraints over adjacent pairs."""
    gaps = np.abs(np.subtract.outer(np.arange(SIZE), np.arange(SIZE)))
    found = best_matrix(np.where(gaps == 1, np.exp(0.5), np.inf), gaps, np.full(SIZE, 1 / SIZE))
    return np.maximum(found, 0), gaps / SIZE


def test_the_solver_returns_a_zero_beside_a_non_zero_and_verify_shows_it(solved):
    table, _ = solved
    space = path(0, SIZE - 1)
    mechanism = MatrixMechanism(space, space.points, Weights.from_floats(table))
    none = smallest_level(mechanism, space)
    assert isinstance(none, Refutation)
    witness = none.witness
    (output,) = witness.outputs
    assert table[witness.first, output] > 0 == table[witness.second, output]
    assert witness.probabilities[0] > 0 == witness.probabilities[1]
    for level in (LEVEL, Level.epsilon(10**6)):
        assert not verify(mechanism, space, level).holds


def test_certify_repairs_and_proves_it_at_a_cost_below_one_in_a_hundred_thousand(solved):
    table, costs = solved
    space = path(0, SIZE - 1)
    found = repair(table, space, LEVEL, costs=costs)
    mechanism = found.certified.mechanism
    value = expected_loss(mechanism, prior=uniform, loss=absolute)
    rows = [mechanism.row_at(i) for i in range(SIZE)]
    exact = sum(p * abs(y - z) for y, law in enumerate(rows) for z, p in enumerate(law)) / SIZE
    assert float(exact) == pytest.approx(value, rel=1e-12)
    assert 0 <= value / OPTIMUM - 1 < 1e-5
    assert 0 < found.moved < 1e-4
    # neighbors by brute force, with a lower bound of our own on e^0.5
    bound = Fraction(power_of((Fraction(1, 2), Fraction(0), Fraction(1)), [(Fraction(1),) * 2], 60))
    bound *= 1 - Fraction(1, 10**50)
    for y in range(SIZE - 1):
        for p, q in zip(rows[y], rows[y + 1], strict=True):
            assert (p > 0) == (q > 0)
            assert p <= bound * q
            assert q <= bound * p
