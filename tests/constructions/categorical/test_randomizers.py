"""Best randomizers for a workload: against a brute force, closed forms, and other randomizers."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

from tightrope.constructions import best_randomizer, compare_protocols
from tightrope.errors import BadInput, Infeasible, SolverFailed
from tightrope.exact import Level
from tightrope.surveys import best_binary
from tightrope.utility.randomizer_bounds import (
    RandomizerMultipliers,
    prove_variance_bound,
)
from tightrope.utility.workloads import workload_of


def rays(values, ratio):
    """All vectors of 1 and the ratio but the constant ones."""
    return np.array([row for row in product((1.0, ratio), repeat=values) if len(set(row)) > 1])


def variance(columns, W, prior):
    """That of the best unbiased estimates from columns of a mechanism, by least squares."""
    chances = columns @ prior
    J = (columns.T / chances) @ columns
    estimates = W @ np.linalg.pinv(J) @ columns.T / chances
    assert np.allclose(estimates @ columns, W, atol=1e-6)  # unbiased
    return float((chances * (estimates**2).sum(axis=0)).sum() - ((W @ prior) ** 2).sum())


def brute_force(W, prior, ratio):
    """The least variance over shares of all rays, by a general solver from several starts."""
    v, G = rays(len(prior), ratio), W.T @ W
    means = v @ prior

    def objective(shares):
        inverse = np.linalg.inv((v.T * (shares / means)) @ v)
        return np.trace(G @ inverse), -np.einsum(
            "ij,jk,ik->i", v, inverse @ G @ inverse, v) / means

    start = np.full(len(v), 1 / v.sum(axis=0)[0])
    ended = minimize(objective, start, jac=True, bounds=[(1e-12, None)] * len(v), method="SLSQP",
                     constraints={"type": "eq", "fun": lambda s: v.T @ s - 1,
                                  "jac": lambda s: v.T},
                     options={"maxiter": 500, "ftol": 1e-13})
    columns = v * ended.x[:, None]
    total = columns.sum(axis=0)
    most = (ratio * total.max() - total.min()) / (ratio - 1)
    columns = np.vstack([columns, most - total]) / most  # whole rows, and the rest is private too
    return variance(columns[columns.sum(axis=1) > 0], W, prior)


@pytest.mark.parametrize("seed", range(100))
def test_the_optimum_is_that_of_a_brute_force(seed):
    random = np.random.default_rng(seed)
    values, queries = int(random.integers(2, 6)), int(random.integers(2, 6))
    W = random.integers(-3, 4, size=(queries, values))
    if np.linalg.matrix_rank(np.vstack([W, np.ones(values)])) < values:
        W = np.vstack([W, np.eye(values, dtype=int)])
    weights = random.integers(1, 9, size=values)
    prior = [Fraction(int(w), int(weights.sum())) for w in weights]
    ratio = Fraction(int(random.integers(11, 60)), 10)
    made = best_randomizer(f"categories:{values}", ratio=ratio, workload=W.tolist(), prior=prior)
    least = brute_force(W.astype(float), np.array(prior, dtype=float), float(ratio))
    assert float(made.value) == pytest.approx(least, rel=1e-5)
    assert float(made.bound) <= least * (1 + 1e-9)
    assert 0 <= made.gap <= 1e-6
    rows = np.array([[float(p) for p in made.certified.mechanism.row_at(x)]
                     for x in range(values)])
    assert variance(rows.T, W.astype(float), np.array(prior, dtype=float)) == pytest.approx(
        float(made.value), rel=1e-7)


@pytest.mark.parametrize(("values", "epsilon"), [(3, "0.5"), (5, 1), (6, 1), (8, 2)])
def test_subset_selection_is_best_for_all_shares(values, epsilon):
    made = best_randomizer(f"categories:{values}", epsilon)
    assert float(made.value) == pytest.approx(compare_protocols(values, epsilon)[0].error)
    assert made.gap < 1e-7


def test_one_share_is_asked_as_yes_or_no():
    made = best_randomizer("categories:5", 1, workload=[0, 0, 0, 0, 1],
                           prior=["0.3", "0.2", "0.2", "0.2", "0.1"])
    assert len(made.certified.mechanism.outputs) == 2
    assert float(made.value) == pytest.approx(float(best_binary(Level.epsilon(1), "0.1").variance))


@pytest.mark.parametrize("workload", ["mean", [1, 0, 0, 0, 0, -1], [1, 1, 0, 0, 0, 0]])
def test_few_queries_are_proved_too(workload):
    made = best_randomizer("categories:6", 1, workload=workload)
    assert 0 <= made.gap < 1e-6
    assert made.certified.certificate.holds


def test_no_other_private_randomizer_varies_less_than_the_bound():
    random, prior = np.random.default_rng(7), np.full(4, 0.25)
    made = best_randomizer("categories:4", ratio=3, workload="cumulative")
    W = np.array(made.workload.rows, dtype=float)
    for _ in range(50):
        columns = random.uniform(1, 3, size=(9, 4)) * random.dirichlet(np.ones(9))[:, None]
        total = columns.sum(axis=0)
        most = (3 * total.max() - total.min()) / 2
        columns = np.vstack([columns, most - total]) / most  # the rest keeps the ratio 3
        assert (columns.max(axis=1) <= 3.0000001 * columns.min(axis=1)).all()
        assert variance(columns, W, prior) >= float(made.bound)


def test_multipliers_are_refused_exactly_where_a_ray_breaks_them():
    random = np.random.default_rng(11)
    refused = 0
    for _ in range(100):
        values = int(random.integers(2, 5))
        Z = [[Fraction(int(z), 8) for z in random.integers(-6, 7, size=2)] for _ in range(values)]
        y = [Fraction(int(part), 16) for part in random.integers(-4, 60, size=values)]
        prior, ratio = [Fraction(1, values)] * values, Fraction(int(random.integers(5, 16)), 4)
        holds = True
        for ray in product((Fraction(1), ratio), repeat=values):
            images = [sum(v * row[m] for v, row in zip(ray, Z, strict=True)) for m in range(2)]
            along_y = sum(v * part for v, part in zip(ray, y, strict=True))
            along_p = sum(v * part for v, part in zip(ray, prior, strict=True))
            if len(set(ray)) > 1:
                holds &= sum(i * i for i in images) <= along_p * along_y and along_y >= 0
        given = RandomizerMultipliers(tuple(map(tuple, Z)), tuple(y))
        queries = workload_of([[1] + [0] * (values - 1), [0] * (values - 1) + [1]], values)
        if holds:
            prove_variance_bound(queries, tuple(prior), ratio, given)
        else:
            refused += 1
            with pytest.raises(BadInput, match="ray"):
                prove_variance_bound(queries, tuple(prior), ratio, given)
    assert 20 <= refused <= 80


def test_few_outputs_cost_little_and_the_gap_is_stated():
    made = best_randomizer("categories:6", 1, workload="cumulative", outputs=12)
    assert len(made.certified.mechanism.outputs) <= 12
    assert 1e-6 < made.gap < 0.01


@pytest.mark.parametrize(("values", "size"), [(9, 3), (7, 3)], ids=["affine plane", "Fano plane"])
def test_block_designs_tell_all_shares_as_well_as_all_sets_of_a_size(values, size):
    """All triples are best at e^ε = values/size - 1, and planes of order 3 and 2 are as good."""
    ratio = Fraction(values - size, size)
    made = best_randomizer(f"categories:{values}", ratio=ratio, outputs=2 * values)
    assert made.outputs <= 2 * values
    assert made.gap < 1e-8
    listed = [set(name.split(", ")) for name in made.certified.mechanism.outputs]
    assert {len(block) for block in listed} == {size}


@pytest.mark.parametrize(("values", "epsilon", "aim", "most"), [
    (6, "0.5", "shares", 0.03), (8, "0.5", "shares", 0.01), (8, 1, "shares", 0.045),
    (10, 1, "shares", 0.021), (8, "0.5", "cumulative", 0.018)])
def test_what_few_outputs_cost(values, epsilon, aim, most):
    made = best_randomizer(f"categories:{values}", epsilon, workload=aim, outputs=2 * values)
    assert made.gap < most
    assert made.outputs <= 2 * values


@pytest.mark.parametrize("epsilon", [19, 20, 60, 1000])
def test_levels_that_change_hardly_any_answer_have_a_proof_too(epsilon):
    made = best_randomizer("categories:4", epsilon, workload="mean")
    assert 1.25 <= float(made.value) < 1.25 * (1 + 1e-6)  # of the places 0 to 3 themselves
    assert made.gap < 1e-6


def test_outputs_are_named_by_their_values():
    made = best_randomizer("categories:a/b/c/d", "0.5", workload="shares")
    assert "a, b" in made.certified.mechanism.outputs


@pytest.mark.parametrize(("space", "options", "wrong"), [
    ("categories:17", {}, "2 to 16"),
    ("categories:3", {"workload": [1, 0]}, "3 weights"),
    ("categories:3", {"workload": [1, 1, 1]}, "same weight"),
    ("categories:3", {"workload": "shares of"}, "shares"),
])
def test_what_cannot_be_sought_is_refused(space, options, wrong):
    with pytest.raises(BadInput, match=wrong):
        best_randomizer(space, 1, **options)


def test_other_spaces_and_too_few_outputs_are_refused():
    with pytest.raises(Infeasible, match="equally far"):
        best_randomizer("path:0..3", 1)
    with pytest.raises(SolverFailed, match="at most 2 outputs"):
        best_randomizer("categories:4", 1, outputs=2)
