"""Proportions from reports of sets, against the written-out mechanism and by simulation."""

from fractions import Fraction

import numpy as np
import pytest

from tightrope.choices import Estimator, Interval
from tightrope.errors import BadInput, BadTable
from tightrope.exact import Level
from tightrope.mechanisms import SubsetMechanism, UnaryMechanism
from tightrope.privacy import certified
from tightrope.samplers import SeededSource, draw_batches
from tightrope.spaces import categories
from tightrope.utility import estimate, estimate_reports

SUBSETS = SubsetMechanism(categories(5), 2, Fraction(4))


@pytest.mark.parametrize("interval", list(Interval))
@pytest.mark.parametrize("sampling", [False, True])
def test_subsets_are_estimated_as_their_matrix_is(interval, sampling):
    """The least-squares inverse of all ten sets is the share that holds a value, rescaled."""
    counts = np.array([90, 50, 40, 30, 20, 10, 15, 25, 35, 45])
    matrix = SUBSETS.matrix()
    holding = [sum(int(c) for c, z in zip(counts, matrix.outputs, strict=True) if v in z)
               for v in range(5)]
    how = {"interval": interval, "sampling": sampling}
    written = estimate(counts, matrix, **how).rows
    found = estimate_reports(holding, int(counts.sum()), SUBSETS, **how).rows
    for a, b in zip(written, found, strict=True):
        assert (a.estimate, a.low, a.high) == pytest.approx((b.estimate, b.low, b.high), abs=1e-9)


@pytest.mark.parametrize(
    "report",
    [SubsetMechanism(categories(40), 10, Fraction(3)),
     UnaryMechanism(categories(40), Fraction(1, 2), Fraction(1, 4))],
    ids=["subset", "unary"],
)
def test_the_variance_is_the_one_that_repetitions_have(report):
    """150 repetitions of 40 values: the mean of (error/spread)² is 1 within 5.5 deviations,
    0.1 for 6,000 nearly independent squares; a variance 1.3 times as large would give 0.77."""
    truth = np.repeat(np.arange(40), np.arange(1, 41))
    proportions = np.bincount(truth) / len(truth)
    p, q, n = float(report.held), float(report.added), len(truth)
    spread = (proportions * p * (1 - p) + (1 - proportions) * q * (1 - q)) / n / (p - q) ** 2
    proved, source = certified(report, Level.ratio(3)), SeededSource(11)
    (packed,) = draw_batches(proved, [np.tile(truth, 150)], source)
    bits = np.unpackbits(packed, axis=1, count=40, bitorder="little").reshape(150, n, 40)
    squares = []
    for held in bits.sum(axis=1):
        rows = estimate_reports(held.astype(np.int64), n, report).rows
        squares.append((np.array([r.estimate for r in rows]) - proportions) ** 2 / spread)
    assert abs(np.mean(squares) - 1) < 5.5 * (2 / 6000) ** 0.5 < 0.23


def test_all_in_one_value_is_estimated_as_one():
    n = 10**6
    holding = [int(n * (SUBSETS.held if v == 3 else SUBSETS.added)) for v in range(5)]
    found = [row.estimate for row in estimate_reports(holding, n, SUBSETS).rows]
    assert found == pytest.approx([0, 0, 0, 1, 0], abs=1e-4)


def test_proportions_on_the_simplex_add_up_to_one():
    for estimator in (Estimator.SIMPLEX, Estimator.CLIPPED):
        rows = estimate_reports([1, 9, 5, 3, 2], 10, SUBSETS, estimator=estimator).rows
        assert sum(row.adjusted for row in rows) == pytest.approx(1)
        assert min(row.adjusted for row in rows) >= 0


def test_counts_that_are_none_are_refused():
    for holding, n in (([1] * 4, 5), ([-1, 1, 1, 1, 1], 5), ([6, 1, 1, 1, 1], 5), ([0] * 5, 0),
                       ([0.5] * 5, 5)):
        with pytest.raises(BadTable):
            estimate_reports(holding, n, SUBSETS)
    with pytest.raises(BadInput, match="simplex"):
        estimate_reports([1] * 5, 5, SUBSETS, estimator=Estimator.LIKELIHOOD)
    with pytest.raises(BadInput, match="confidence"):
        estimate_reports([1] * 5, 5, SUBSETS, confidence=1)
