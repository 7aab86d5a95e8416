"""The randomizer for the worst shares: a saddle point, against other shares and closed forms."""

import numpy as np
import pytest

from tightrope.constructions import best_randomizer, worst_case_randomizer
from tightrope.exact import Level
from tightrope.surveys import best_binary


def estimates(columns, W, prior):
    """The best linear unbiased estimates at a prior, a row for each query, by least squares."""
    chances = columns @ prior
    J = (columns.T / chances) @ columns
    return W @ np.linalg.pinv(J, rcond=1e-9) @ columns.T / chances


@pytest.mark.parametrize(("values", "workload"), [
    (3, "mean"), (4, "cumulative"), (4, "shares"), (5, [2, 0, 0, 1, -1]),
])
def test_no_shares_give_the_stated_estimates_a_larger_variance(values, workload):
    made = worst_case_randomizer(f"categories:{values}", 1, workload=workload)
    assert 0 <= made.gap < 1e-5
    rows = np.array([[float(p) for p in made.certified.mechanism.row_at(x)]
                     for x in range(values)])
    W = np.array(made.workload.rows, dtype=float)
    fixed = estimates(rows.T, W, np.array(made.estimated_at, dtype=float))
    assert np.allclose(fixed @ rows.T, W, atol=1e-6)
    moments = rows @ (fixed**2).sum(axis=0)
    random, largest = np.random.default_rng(2), 0.0
    near = np.array(made.prior, dtype=float)
    for shares in [near, *random.dirichlet(np.full(values, 0.4), size=4000)]:
        variance = moments @ shares - ((W @ shares) ** 2).sum()
        assert variance <= float(made.value) * (1 + 1e-7)
        largest = max(largest, variance)
    assert largest >= float(made.value) * (1 - 1e-4)


@pytest.mark.parametrize("workload", ["mean", "cumulative"])
def test_the_least_variance_at_any_shares_is_below_that_at_the_least_favorable_ones(workload):
    made = worst_case_randomizer("categories:4", 1, workload=workload)
    random = np.random.default_rng(3)
    for weights in random.integers(1, 30, size=(12, 4)).tolist():
        prior = [f"{weight}/{sum(weights)}" for weight in weights]
        other = best_randomizer("categories:4", 1, workload=workload, prior=prior)
        assert other.bound <= made.value


def test_of_two_answers_the_worst_case_is_that_of_the_best_binary_design():
    made = worst_case_randomizer("categories:2", 1, workload=[0, 1])
    assert float(made.value) == pytest.approx(float(best_binary(Level.of(1)).variance))
    assert [float(share) for share in made.prior] == [0.5, 0.5]


def test_a_scale_is_asked_as_its_ends():
    """At worst half of all are at either end, and only which end is told, as of yes and no."""
    made = worst_case_randomizer("categories:5", ratio=3, workload="mean")
    assert [round(float(share), 3) for share in made.prior] == [0.5, 0, 0, 0, 0.5]
    assert float(made.value) == pytest.approx(16 * (1 / 4 + 3 / 4))
