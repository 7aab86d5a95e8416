"""Score intervals, proportions on the simplex, and the most likely proportions."""

from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

from tightrope.choices import Estimator, Interval
from tightrope.errors import BadTable
from tightrope.exact import Weights
from tightrope.mechanisms import KernelMechanism, MatrixMechanism, written_out
from tightrope.spaces import categories, sets
from tightrope.utility import estimate, estimate_items, estimate_variances, most_likely

Z = NormalDist().inv_cdf(0.975)


def response(size, ratio=3, weights=None):
    chosen = tuple(map(Fraction, weights or [1] * size))
    return KernelMechanism(categories(size), Fraction(ratio), Fraction(1), chosen)


SKEWED = MatrixMechanism(
    categories(3), tuple("abcd"),
    Weights.from_integers([[4, 1, 1, 2], [2, 3, 1, 2], [1, 1, 7, 3]]),
)
COUNTS = {
    "even": (response(4), [90, 60, 30, 20]),
    "weights": (response(3, 3, [1, 2, 5]), [9, 30, 61]),
    "matrix": (written_out(response(4)), [90, 60, 30, 20]),
    "skewed": (SKEWED, [40, 25, 60, 35]),
}


def half_steps(mechanism, n):
    """Half of the most that another output of one row changes each estimate by."""
    size = len(mechanism.outputs)
    alone = [[row.estimate for row in estimate([int(k == z) for k in range(size)], mechanism).rows]
             for z in range(size)]
    return np.ptp(alone, axis=0) / (2 * n)


@pytest.mark.parametrize("sampling", [False, True])
@pytest.mark.parametrize("name", list(COUNTS))
def test_the_ends_of_a_score_interval_are_where_the_estimate_is_just_unusual(name, sampling):
    """Solved by bisection on variances of whole vectors of proportions."""
    mechanism, counts = COUNTS[name]
    n = sum(counts)
    center = [row.estimate for row in estimate(counts, mechanism).rows]
    near = [row.adjusted for row in estimate(counts, mechanism, estimator=Estimator.SIMPLEX).rows]
    half = half_steps(mechanism, n)
    found = estimate(counts, mechanism, sampling=sampling, interval=Interval.SCORE)
    for v, row in enumerate(found.rows):
        def unusual(t, v=v):
            law = np.array(near) * (1 - t) / (1 - near[v])
            law[v] = t
            variance = estimate_variances(mechanism, law, n, sampling=sampling)[v]
            return max(abs(center[v] - t) - half[v], 0) ** 2 - Z**2 * variance

        if 0 < center[v] < 1:
            low = brentq(unusual, 0, center[v]) if unusual(0.0) > 0 else 0.0
            high = brentq(unusual, center[v], 1) if unusual(1.0) > 0 else 1.0
            assert row.low == pytest.approx(low, abs=1e-9)
            assert row.high == pytest.approx(high, abs=1e-9)


def test_the_score_interval_of_a_population_is_wilsons_for_randomized_response():
    """Newcombe 1998, method 4: Wilson's interval with the continuity correction."""
    counts, n, share = [37, 63], 100, 0.37
    low = (2 * n * share + Z**2 - 1 - Z * sqrt(
        Z**2 - 2 - 1 / n + 4 * share * (n * (1 - share) + 1))) / (2 * (n + Z**2))
    high = (2 * n * share + Z**2 + 1 + Z * sqrt(
        Z**2 + 2 - 1 / n + 4 * share * (n * (1 - share) - 1))) / (2 * (n + Z**2))
    row = estimate(counts, response(2), sampling=True, interval=Interval.SCORE).rows[0]
    assert row.low == pytest.approx(2 * low - 0.5, abs=1e-12)
    assert row.high == pytest.approx(2 * high - 0.5, abs=1e-12)


@pytest.mark.parametrize("sampling", [False, True])
def test_a_score_interval_holds_the_proportion_nearest_to_the_estimate(sampling):
    """The last value is estimated as 9.05 by Cramer's rule: whatever is in reach, 1 is nearest."""
    rows = [[7, 27, 0], [38, 6, 13], [8, 23, 0]]
    odd = MatrixMechanism(categories(3), tuple("abc"), Weights.from_integers(rows))
    law = [[Fraction(entry, sum(row)) for entry in row] for row in rows]
    shares = [Fraction(count, 50) for count in (44, 1, 5)]
    middle = shares[2] / law[1][2]  # only the second value gives c
    rest = [seen - middle * p for seen, p in zip(shares, law[1], strict=True)]
    last = (rest[1] - (1 - middle) * law[0][1]) / (law[2][1] - law[0][1])
    row = estimate([44, 1, 5], odd, sampling=sampling, interval=Interval.SCORE).rows[2]
    assert row.estimate == pytest.approx(float(last))
    assert row.estimate > 9
    assert row.low <= row.high == 1


@pytest.mark.parametrize("name", list(COUNTS))
def test_the_simplex_estimate_is_the_nearest_vector_of_proportions(name):
    mechanism, _ = COUNTS[name]
    counts = [95, 1, 2, 2][: len(mechanism.outputs)]
    free = np.array([row.estimate for row in estimate(counts, mechanism).rows])
    held = np.array([row.adjusted for row in
                     estimate(counts, mechanism, estimator=Estimator.SIMPLEX).rows])
    assert held.min() >= 0
    assert held.sum() == pytest.approx(1)
    corners = np.eye(len(held))
    assert ((corners - held) @ (free - held)).max() <= 1e-9  # no corner lies on the far side


def test_the_clipped_estimate_keeps_the_ratios_of_what_is_not_negative():
    mechanism = response(4)
    free = [row.estimate for row in estimate([90, 60, 30, 20], mechanism).rows]
    held = [row.adjusted for row in
            estimate([90, 60, 30, 20], mechanism, estimator=Estimator.CLIPPED).rows]
    assert free[2] < 0
    assert held[2:] == [0, 0]
    assert sum(held) == pytest.approx(1)
    assert held[0] / held[1] == pytest.approx(free[0] / free[1])


@pytest.mark.parametrize("name", list(COUNTS))
@pytest.mark.parametrize("extreme", [False, True])
def test_no_proportions_are_likelier_than_the_most_likely(name, extreme):
    mechanism, counts = COUNTS[name]
    counts = [95, 1, 2, 2][: len(counts)] if extreme else counts
    P = written_out(mechanism).weights.floats
    found = most_likely(counts, mechanism)

    def cost(x):
        law = np.exp(x - x.max())
        return -float(np.array(counts) @ np.log((law / law.sum()) @ P))

    best = min(minimize(cost, start, method="Nelder-Mead",
                        options={"maxiter": 20000, "xatol": 1e-9, "fatol": 1e-12}).fun
               for start in (np.zeros(len(P)), np.arange(len(P)) * -2.0))
    own = -float(np.array(counts) @ np.log(found.proportions @ P))
    assert own <= best + found.gap + 1e-6
    assert found.proportions.sum() == pytest.approx(1)
    assert found.gap <= 1e-4


def test_inside_the_simplex_the_most_likely_is_the_unbiased_estimate():
    mechanism, counts = response(4), [60, 50, 50, 40]
    free = [row.estimate for row in estimate(counts, mechanism).rows]
    likely = estimate(counts, mechanism, estimator=Estimator.LIKELIHOOD)
    assert [row.adjusted for row in likely.rows] == pytest.approx(free, abs=2e-3)
    assert likely.estimator is Estimator.LIKELIHOOD


@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("n", [1_000, 10**8])
def test_the_closed_form_of_the_likelihood_leaves_nothing_to_gain(n, uneven):
    """No proportions gain more than ln max_x g_x, g computed from the matrix itself."""
    rng = np.random.default_rng(1)
    mechanism = response(300, 3, rng.integers(1, 9, 300).tolist() if uneven else None)
    counts = rng.multinomial(n, rng.dirichlet(np.full(300, 0.3)) * 0.3 + 0.7 / 300)
    found = most_likely(counts, mechanism).proportions
    P = written_out(mechanism).weights.floats
    gains = P @ (counts / counts.sum() / (found @ P))
    assert found.min() == 0  # on the boundary, where no inverse tells it
    assert found.sum() == pytest.approx(1)
    assert gains.max() <= 1 + 1e-12


def test_the_closed_form_needs_no_matrix():
    size = 20_000
    counts = np.arange(size) % 7
    found = most_likely(counts, response(size, 50)).proportions
    assert found[0] == 0
    assert found[:7].tolist() == pytest.approx(found[7:14].tolist())


def test_likelihood_exists_where_nothing_determines_the_proportions():
    blind = MatrixMechanism(categories(2), ("a", "b"), Weights.from_integers([[1, 1], [1, 1]]))
    assert most_likely([5, 5], blind).proportions.tolist() == [0.5, 0.5]
    with pytest.raises(BadTable):
        most_likely([0, 0], blind)


def test_items_of_sets_are_estimated_one_by_one():
    kernel = KernelMechanism(sets(3), Fraction(3), Fraction(1), (Fraction(1),) * 8)
    found = estimate_items([300, 500, 250], 1000, ("a", "b", "c"), kernel)
    assert [row.value for row in found.rows] == ["a", "b", "c"]
    # a row shows an item with probability 3/4 if it holds it, 1/4 if not
    assert [row.estimate for row in found.rows] == pytest.approx([0.1, 0.5, 0.0])
