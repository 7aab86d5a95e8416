"""Tight-constraints mechanisms: existence against brute force, published and known values."""

from fractions import Fraction
from itertools import pairwise
from math import exp, log

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tests.privacy.brute import has_level, lengths_of
from tightrope.constructions import compare, design, tight_constraints, tight_weights
from tightrope.errors import CannotCheck, Infeasible
from tightrope.exact import Level, ball_of
from tightrope.kernels import Regular, regularity
from tightrope.kernels.equations import solve_on_orbits
from tightrope.lp import Separated, nonnegative_solution
from tightrope.spaces import (
    categories,
    counts,
    cycle,
    graph,
    grid,
    hamming,
    histogram,
    path,
    product_max,
    product_sum,
    star,
    sums,
)
from tightrope.utility import Prior, absolute, binary, uniform

K33_AND_EDGE = graph(
    "abcxyz", [(i, j) for i in range(3) for j in range(3, 6)] + [(0, 1)]
)
SPACES = [
    path(0, 6), star(3), star(5), cycle(6), categories(4), hamming(values=3, people=2),
    sums(people=3, maximum=3), counts(people=3, queries=2), histogram(people=3, cells=3),
    histogram(people=2, cells=2, neighbors="add-remove"), grid((3, 4)), grid((1, 5)),
    grid((2, 3, 2), "1/2", "manhattan"), grid((3, 1, 3), 1, "manhattan"), K33_AND_EDGE,
    product_sum(star(3), path(0, 2)), product_max(path(0, 3), path(0, 2)),
    graph("abcde", [(0, 1, "1/2"), (1, 2, 2), (1, 3, 1), (3, 4, "1/3")]),
]


def kernel_of(space, epsilon):
    every = np.arange(space.size)
    return np.exp(-epsilon * space.lengths(every[:, None], every[None, :]))


def exact_kernel_of(space, ratio):
    return [
        [ratio ** -int(space.distance(i, j).rational) for j in range(space.size)]
        for i in range(space.size)
    ]


def separates(proof, level):
    """Whether Φ u > 0 and Σ u < 0 for the vector of the proof, in balls on all pairs."""
    space, u = proof.space, proof.separation
    with ctx.workprec(300):
        epsilon = level.ball(300)
        products = (
            sum(
                ((-epsilon * space.distance(y, z).ball(300)).exp() * ball_of(u[z], 300)
                 for z in range(space.size)), arb(0),
            )
            for y in range(space.size)
        )
        return all(product > 0 for product in products) and sum(u) < 0


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.text)
@pytest.mark.parametrize("epsilon", ["0.1", "0.4", "0.9", "1.7", "3"])
def test_existence_and_weights_agree_with_a_solver(space, epsilon):
    level = Level.epsilon(epsilon)
    kernel = kernel_of(space, float(level))
    found = linprog(
        np.zeros(space.size), A_eq=kernel, b_eq=np.ones(space.size), bounds=(0, None)
    )
    if found.status == 2:
        with pytest.raises(Infeasible) as caught:
            tight_weights(space, level)
        assert separates(caught.value.proof, level)
        return
    weights = tight_weights(space, level)
    assert np.abs(kernel @ weights.floats - 1).max() < 1e-11
    assert weights.floats.min() > 0
    assert weights.error < Fraction(1, 10**10)


@pytest.mark.parametrize("space", [s for s in SPACES if s.text != "grid:3x4"],
                         ids=lambda space: space.text)
@pytest.mark.parametrize("ratio", [2, 3, 5])
def test_at_rational_ratios_existence_agrees_with_exact_elimination(space, ratio):
    if any(space.distance(0, j).rational.denominator != 1 for j in range(space.size)):
        ratio = Fraction(ratio) ** 6
        rows = [
            [Fraction(round(ratio ** Fraction(1, 6))) ** -int(6 * space.distance(i, j).rational)
             for j in range(space.size)] for i in range(space.size)
        ]
    else:
        rows = exact_kernel_of(space, Fraction(ratio))
    ones = [Fraction(1)] * space.size
    exists = not isinstance(nonnegative_solution(rows, ones), Separated)
    if not exists:
        with pytest.raises(Infeasible):
            tight_weights(space, Level.ratio(ratio))
        return
    weights = tight_weights(space, Level.ratio(ratio)).each
    for row in rows:
        assert sum(a * w for a, w in zip(row, weights, strict=True)) == 1
    mechanism = tight_constraints(space, Level.ratio(ratio)).mechanism
    law = [mechanism.row_at(i) for i in range(space.size)]
    assert law == [
        tuple(a * w for a, w in zip(row, weights, strict=True)) for row in rows
    ]


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.text)
def test_the_mechanism_has_its_level_and_no_smaller_one(space):
    level = Level.epsilon(2)
    mechanism = tight_constraints(space, level).mechanism
    rows = [mechanism.row_at(i) for i in range(space.size)]
    assert has_level(rows, lengths_of(space), level)
    assert not has_level(rows, lengths_of(space), Level.epsilon("1.999"))


def test_the_sum_query_at_0_8_has_none_and_at_1_the_known_gain():
    space = sums(people=150, maximum=5)
    with pytest.raises(Infeasible, match="negative at the point 5"):
        design(space, Level.epsilon("0.8"), loss=binary, construction="tight")
    found = design(space, Level.epsilon(1), loss=binary, construction="tight")
    assert 1 - found.value == pytest.approx(0.14832275, abs=5e-9)
    assert found.theorem
    assert found.bound <= found.value <= found.bound * (1 + 1e-9)
    geometric = design(space, Level.epsilon(1), loss=binary, construction="geometric")
    assert 1 - geometric.value == pytest.approx(0.10086684, abs=5e-9)


@pytest.mark.parametrize(("space", "level", "prior"), [
    (star(3), Level.ratio(2), None),
    (grid((4, 4)), Level.epsilon(1), None),
    (path(0, 9), Level.epsilon("0.3"), None),
    (hamming(values=2, people=4), Level.ratio(3), None),
    (categories(4), Level.ratio(2), Prior.of(["2/5", "1/5", "1/5", "1/5"])),
    (path(0, 3), Level.epsilon(1), Prior.of(["0.3", "0.2", "0.2", "0.3"])),
])
def test_explicit_multipliers_prove_what_the_theorem_says(space, level, prior):
    law = uniform if prior is None else prior
    found = design(space, level, construction="tight", prior=law, loss=binary)
    kernel = kernel_of(space, float(level))
    mu = np.linalg.solve(kernel, law.on(space))
    assert mu.min() > -1e-12
    assert float(found.dual.bound) == pytest.approx(1 - mu.sum(), abs=1e-12)
    prices = [price / 2**96 for price in found.dual.prices]
    assert prices == pytest.approx((law.on(space) - mu).tolist(), abs=1e-12)
    assert found.dual.bound <= found.value + 1e-15


def test_on_a_path_it_is_the_truncated_geometric():
    level = Level.epsilon("0.7")
    tight = design(path(0, 9), level, loss=binary, construction="tight")
    geometric = design(path(0, 9), level, loss=binary, construction="geometric")
    assert tight.value == pytest.approx(geometric.value, rel=1e-12)


def test_on_a_star_it_exists_from_the_logarithm_of_one_less_than_the_leaves():
    for leaves in (3, 4, 7):
        assert tight_weights(star(leaves), Level.ratio(leaves - 1)).each[0] == 0
        with pytest.raises(Infeasible, match="negative at the point 0"):
            tight_weights(star(leaves), Level.epsilon(log(leaves - 1) - 1e-9))
        assert tight_weights(star(leaves), Level.epsilon(log(leaves - 1) + 1e-9)).floats[0] > 0


def test_a_singular_kernel_of_points_that_are_alike_has_even_weights():
    # K_{3,3} has the eigenvalue (1-q)(1-2q): singular at q = 1/2
    plain = graph("abcxyz", [(i, j) for i in range(3) for j in range(3, 6)])
    kernel = np.array(exact_kernel_of(plain, Fraction(2)), dtype=float)
    assert np.linalg.matrix_rank(kernel) == 5
    assert set(tight_weights(plain, Level.ratio(2)).each) == {1 / Fraction(1 + 3 / 2 + 2 / 4)}


def test_a_singular_kernel_is_decided_by_an_exact_program():
    # K_{3,3} and a leaf, at q = 1/2
    links = [(i, j) for i in range(3) for j in range(3, 6)] + [(0, 6)]
    space = graph("abcxyzl", links)
    rows = exact_kernel_of(space, Fraction(2))
    assert np.linalg.matrix_rank(np.array(rows, dtype=float)) < space.size
    weights = tight_weights(space, Level.ratio(2))
    assert weights.method == "exact program"
    assert min(weights.each) >= 0
    assert all(sum(a * w for a, w in zip(row, weights.each, strict=True)) == 1 for row in rows)


def test_a_singular_kernel_without_weights_is_refused_with_an_exact_separation():
    # K_{2,5} has the eigenvalue 0 at q = 1/2, with a vector that does not add up to 0
    space = graph("abvwxyz", [(i, j) for i in range(2) for j in range(2, 7)])
    with pytest.raises(Infeasible, match="Φ is singular") as caught:
        tight_weights(space, Level.ratio(2))
    u = caught.value.proof.separation
    rows = exact_kernel_of(space, Fraction(2))
    assert all(sum(a * x for a, x in zip(row, u, strict=True)) >= 0 for row in rows)
    assert sum(u) < 0


def test_existence_is_not_monotone_on_k33_with_an_edge():
    exists = []
    for epsilon in ("0.3", "0.6", "0.68", "0.75", "0.9", "1.2"):
        try:
            tight_weights(K33_AND_EDGE, Level.epsilon(epsilon))
        except Infeasible:
            exists.append(False)
        else:
            exists.append(True)
    assert exists[-1]
    changes = sum(a != b for a, b in pairwise(exists))
    assert changes >= 2


def test_a_product_has_none_if_one_factor_has_none():
    both = product_sum(path(0, 3), star(5))
    with pytest.raises(Infeasible, match=r"on its factor star:5 the only solution"):
        tight_weights(both, Level.ratio(2))
    weights = tight_weights(both, Level.ratio(5)).each
    alone = [tight_weights(part, Level.ratio(5)).each for part in (path(0, 3), star(5))]
    assert weights == tuple(a * b for a in alone[0] for b in alone[1])


def test_compare_shows_the_reason_and_goes_on():
    rows = {row.construction: row for row in compare(star(5), Level.ratio(2)).rows}
    assert rows["tight"].solution is None
    assert "negative at the point 0" in rows["tight"].reason
    assert rows["optimal"].solution is not None


def test_no_theorem_where_a_hypothesis_fails():
    space, level = categories(4), Level.ratio(2)
    skewed = Prior.of(["0.4", "0.4", "0.1", "0.1"])
    assert design(space, level, prior=skewed, loss=binary, construction="tight").theorem is None
    assert design(path(0, 3), level, loss=absolute, construction="tight").theorem is None
    found = design(space, level, prior=["0.3", "0.3", "0.2", "0.2"], loss=binary,
                   construction="tight")
    assert found.theorem
    assert found.gap < 1e-9


@settings(derandomize=True, deadline=None, max_examples=15)
@given(st.sampled_from([path(0, 4), star(3), grid((2, 3)), cycle(5), categories(4)]), st.data())
def test_the_best_mechanism_for_a_mixture_of_corners_is_the_tight_one(space, data):
    level = Level.epsilon("1.5")
    shares = np.array(
        data.draw(st.lists(st.integers(1, 9), min_size=space.size, max_size=space.size))
    )
    kernel = kernel_of(space, 1.5)
    corners = kernel / kernel.sum(axis=1, keepdims=True)
    prior = Prior.of((shares / shares.sum() @ corners).tolist())
    found = regularity(space, level, prior)
    assert isinstance(found, Regular)
    assert found.floats == pytest.approx(shares / shares.sum() / kernel.sum(axis=1), rel=1e-9)
    best = design(space, level, prior=prior, loss=binary, construction="optimal")
    tight = design(space, level, prior=prior, loss=binary, construction="tight")
    assert tight.value == pytest.approx(best.value, rel=2e-6)
    assert tight.bound == pytest.approx(best.bound, rel=2e-6)


def test_large_levels_tend_to_the_truth():
    for space in SPACES:
        weights = tight_weights(space, Level.epsilon(40)).floats
        assert weights == pytest.approx(np.ones(space.size), abs=20 * exp(-40 / 3))


def test_what_cannot_be_decided_is_said_and_compare_goes_on(monkeypatch):
    for limit in ("MOST_ORBITS", "MOST_BALL_ORBITS"):
        monkeypatch.setattr(f"tightrope.exact.sizes.{limit}", 1)
    with pytest.raises(CannotCheck, match="could not be proved with 2 unknowns"):
        tight_weights(grid((2, 3)), Level.epsilon(1))
    rows = {row.construction: row for row in compare(grid((2, 3)), 1, loss=binary).rows}
    assert rows["tight"].solution is None
    assert rows["optimal"].solution is not None


@pytest.mark.parametrize("shape", [(5,), (1, 5), (5, 1)])
def test_a_grid_along_one_axis_is_a_path(shape):
    found = tight_weights(grid(shape), Level.ratio(2))
    assert found.exact
    assert found.each == tight_weights(path(0, 4), Level.ratio(2)).each


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "exists"), [("0.6", False), ("0.7", True)])
def test_conjugate_gradients_agree_with_orbits_and_with_the_kernel(epsilon, exists):
    space, level = grid((64, 63)), Level.epsilon(epsilon)
    x, y = np.indices((64, 63)).reshape(2, -1)
    kernel = np.exp(-float(epsilon) * np.hypot(x[:, None] - x, y[:, None] - y))
    orbits = solve_on_orbits(space, level)
    if exists:
        found = tight_weights(space, level)
        assert found.method == "conjugate gradients"
        allowed = float(found.error + orbits.error)
        assert np.abs(found.floats - orbits.floats).max() <= allowed
        assert np.abs(kernel @ found.floats - 1).max() < 1e-11
        return
    with pytest.raises(Infeasible) as caught:
        tight_weights(space, level)
    proof = caught.value.proof
    assert proof.upper == pytest.approx(orbits.upper, abs=1e-9)
    assert sum(proof.separation) < 0
    u = np.array([float(x) for x in proof.separation])
    assert (kernel @ u).min() > 0


def test_a_tie_at_an_irrational_algebraic_ratio_is_decided_and_so_are_its_sides():
    # three nodes on each side, all joined, and one more edge: a mechanism up to e^ε = √2, from 2
    space = graph(list("abcdef"), [*((i, j) for i in range(3) for j in range(3, 6)), (0, 1)])
    tie = tight_weights(space, Level.parse("ln(2)/2"))
    # with q = 1/√2: w_a + q w_b + q² w_c = 1 and q (w_a + w_b + w_c) = 1, others 0
    assert tie.floats == pytest.approx([2**0.5 - 1] * 2 + [2 - 2**0.5] + [0] * 3, abs=1e-15)
    assert tie.each[3:] == (0, 0, 0)
    assert tight_constraints(space, Level.parse("ln(2)/2")).certificate.holds
    assert min(tight_weights(space, Level.ratio("7/5")).values) > 0  # (7/5)² < 2
    with pytest.raises(Infeasible):
        tight_weights(space, Level.ratio("17/12"))  # (17/12)² > 2
    assert min(tight_weights(space, Level.ratio(2)).values) == 0
