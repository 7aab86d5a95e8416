"""Exact numbers of the proof of least variance, each on its safe side."""

from fractions import Fraction

import flint
import pytest

from tightrope.exact import Level, Surd, Weights
from tightrope.utility import prove_variance, ratio_ceiling, workload_of

UNIT = Fraction(1, 2**96)


@pytest.mark.parametrize("ratio", ["4/3", "3", "10000001/10000000"])
def test_a_rational_ratio_is_rounded_up_to_a_whole_unit(ratio):
    ceiling = ratio_ceiling(Level.ratio(ratio), Surd.of(1))
    assert (ceiling / UNIT).denominator == 1
    assert Fraction(ratio) <= ceiling < Fraction(ratio) + UNIT


@pytest.mark.parametrize("epsilon", [1, 2, 7])
def test_an_irrational_ratio_is_rounded_up_to_a_whole_unit(epsilon):
    units = int(ratio_ceiling(Level.epsilon(epsilon), Surd.of(1)) / UNIT)
    with flint.ctx.workprec(400):
        power = flint.arb(epsilon).exp() * 2**96
        assert units - 1 < power
        assert power < units


def test_a_variance_is_rounded_up_by_next_to_nothing():
    """Warner's p = 2/3 at the share 2/3: P = 4/9, (4/9)(5/9)/(1/3)²; 1/P = 9/5 is not dyadic."""
    thirds = (Fraction(1, 3), Fraction(2, 3))
    proved = prove_variance(Weights.from_integers([[2, 1], [1, 2]]), workload_of([1, 0], 2), thirds)
    assert Fraction(20, 9) < proved < Fraction(20, 9) * (1 + Fraction(1, 2**100))


def test_a_query_that_no_output_tells_has_no_variance():
    told, even = Weights.from_integers([[3, 1], [1, 3], [1, 3]]), (Fraction(1, 3),) * 3
    assert prove_variance(told, workload_of([1, 0, 0], 3), even) is not None
    assert prove_variance(told, workload_of([0, 1, -1], 3), even) is None
    assert prove_variance(told, workload_of([[1, 0, 0], [0, 1, -1]], 3), even) is None
