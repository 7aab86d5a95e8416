"""Figures that small faults in the code would change, each worked out by hand."""

from fractions import Fraction
from math import exp, sqrt

import numpy as np
import pytest

import tightrope as tr
from tightrope.mechanisms import MatrixMechanism
from tightrope.spaces import categories
from tightrope.tables import estimate_aim, protect
from tightrope.utility import Query, estimate_queries


def test_an_estimate_says_as_what_missing_cells_count():
    done = tr.sanitize({"a": ["no", "yes", None] * 20}, {"a": "no/yes"}, 4, missing="yes")
    assert tr.estimate(done, "a").missing == "yes"


def test_scores_are_told_of_means_alone():
    done = tr.sanitize({"a": [1, 2, 3] * 20}, {"a": "1/2/3"}, 4)
    assert estimate_aim(done, "a", "cumulative").scores == ()
    assert estimate_aim(done, "a", "mean").scores == (("1", 1.0), ("2", 2.0), ("3", 3.0))


@pytest.mark.parametrize("split", ["error", "margins", "even"])
def test_the_levels_of_columns_add_up_to_the_whole(split):
    columns = {"a": "0/1", "b": "0/1/2", "c": "0/1/2/3/4/5/6"}
    levels = [column.level for column in protect(columns, 3, split=split)]
    assert sum((level.rational for level in levels), Fraction(0)) == 3


def test_the_split_by_error_is_the_best_for_values_that_are_equally_common():
    """Σ of k (s p(1 - p) + (1 - s) q(1 - q))/(p - q)² with s = 1/k over two columns."""
    def error(k, epsilon):
        p, q = (x / (exp(epsilon) + k - 1) for x in (exp(epsilon), 1))
        return (p * (1 - p) + (k - 1) * q * (1 - q)) / (p - q) ** 2

    columns = protect({"a": "0/1", "b": "/".join(map(str, range(20)))}, 4)
    first, second = (float(column.level) for column in columns)
    least = min(error(2, u / 300) + error(20, 4 - u / 300) for u in range(1, 1200))
    assert error(2, first) + error(20, second) <= 1.001 * least


def test_chebyshev_intervals_of_queries_have_their_width():
    """3/4 is the largest variance of one row, and 1/20 may fail: √(0.75/400/0.05) on each side."""
    coin = MatrixMechanism.of([["3/4", "1/4"], ["1/4", "3/4"]], categories(2))
    (row,) = estimate_queries([200, 200], 400, coin, [Query("share", (0.0, 1.0))],
                              interval="chebyshev").rows
    assert row.high - 0.5 == pytest.approx(sqrt(0.75 / 400 / 0.05))
    assert 0.5 - row.low == pytest.approx(sqrt(0.75 / 400 / 0.05))


def test_standard_errors_of_queries_use_the_expected_shares():
    """Three outputs for two values: at p they are weighted by J⁻¹q/P, J = Σ q qᵀ/P."""
    rows, expected = np.array([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6]]), ["9/10", "1/10"]
    mechanism = MatrixMechanism.of(rows.tolist(), categories(2), ["a", "b", "c"])
    counts = np.array([90, 120, 90])

    def inverse(p):
        chances = np.array(p) @ rows
        return np.linalg.solve((rows / chances) @ rows.T, rows / chances)

    values = inverse([0.9, 0.1])[1]
    own, even = (sqrt(inverse(p) @ counts / 300 @ (rows @ values**2 - np.array([0, 1])) / 300)
                 for p in ([0.9, 0.1], [0.5, 0.5]))
    assert abs(own / even - 1) > 1e-4
    (row,) = estimate_queries(counts, 300, mechanism, [Query("second", (0.0, 1.0))],
                              prior=expected).rows
    assert row.error == pytest.approx(own, rel=1e-9)
