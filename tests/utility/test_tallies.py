from fractions import Fraction

import numpy as np
import pytest

from tightrope.errors import BadTable
from tightrope.mechanisms import KernelMechanism
from tightrope.spaces import categories
from tightrope.utility import Tally, estimate

RESPONSE = KernelMechanism(categories(2), Fraction(3), Fraction(1), (Fraction(1), Fraction(1)))


def test_rows_of_equal_weights_count_as_they_are():
    tally = Tally.weighted([0, 1, 1], [2.0, 2.0, 2.0], 2)
    assert tally.shares == pytest.approx((1 / 3, 2 / 3))
    assert tally.effective == pytest.approx(3)


def test_weights_widen_intervals_as_fewer_rows_do():
    """Ten rows of weight 3 and 30 of weight 1 count as 60²/(90 + 30) = 30 rows."""
    codes = [0] * 10 + [1] * 30
    tally = Tally.weighted(codes, [3.0] * 10 + [1.0] * 30, 2)
    assert (tally.n, tally.effective, tally.shares) == (40, pytest.approx(30), (0.5, 0.5))
    weighted = estimate(tally, RESPONSE).rows[0]
    plain = estimate([15, 15], RESPONSE).rows[0]
    assert (weighted.low, weighted.high) == pytest.approx((plain.low, plain.high))


@pytest.mark.parametrize(
    "made",
    [
        lambda: Tally.of([0, 0]),
        lambda: Tally.of([3, -1]),
        lambda: Tally.of([0.5, 0.5]),
        lambda: Tally.of(np.ones((2, 2), dtype=int)),
        lambda: Tally.weighted([0, 1], [1.0], 2),
        lambda: Tally.weighted([0, 1], [1.0, 0.0], 2),
        lambda: Tally.weighted([0, 1], [1.0, float("inf")], 2),
        lambda: Tally.weighted([], [], 2),
    ],
)
def test_what_is_no_tally_is_refused(made):
    with pytest.raises(BadTable):
        made()
