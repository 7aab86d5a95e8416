"""Regular priors and leakage: ECP's propositions as properties, against direct computation."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tightrope.constructions import min_loss_given_level, tight_constraints
from tightrope.errors import BadLevel, BadMatrix, BadSpace, Infeasible
from tightrope.exact import Level, Surd
from tightrope.kernels import (
    Irregular,
    NoWeights,
    Regular,
    corner_priors,
    regular_bounds,
    regularity,
    solve,
)
from tightrope.kernels.regular import _powers
from tightrope.spaces import categories, cycle, graph, grid, hamming, path, star
from tightrope.theory import most_leakage, most_leakage_of_any_prior, most_leakage_of_databases
from tightrope.utility import (
    Prior,
    Problem,
    apply_best_remap,
    best_remap,
    binary,
    expected_loss,
    leakage,
    min_capacity,
    min_entropy,
    uniform,
)

SPACES = [path(0, 3), star(3), cycle(5), categories(4), grid((2, 3)), hamming(values=2, people=3)]
spaces = st.sampled_from(SPACES)


def kernel_of(space, epsilon):
    every = np.arange(space.size)
    return np.exp(-epsilon * space.lengths(every[:, None], every[None, :]))


def priors_on(space):
    """Priors of small fractions on a space."""
    return st.lists(st.integers(1, 12), min_size=space.size, max_size=space.size).map(
        lambda raw: Prior.of([Fraction(x, sum(raw)) for x in raw])
    )


@settings(derandomize=True, deadline=None, max_examples=80)
@given(spaces, st.sampled_from(["0.2", "0.7", "1.6", "3"]), st.data())
def test_membership_agrees_with_a_solver_and_the_proof_separates(space, epsilon, data):
    prior = data.draw(priors_on(space))
    level = Level.epsilon(epsilon)
    kernel, law = kernel_of(space, float(epsilon)), prior.on(space)
    program = linprog(np.zeros(space.size), A_eq=kernel, b_eq=law, bounds=(0, None))
    found = regularity(space, level, prior)
    assert isinstance(found, Regular) == (program.status == 0)
    if isinstance(found, Regular):
        assert kernel @ found.floats == pytest.approx(law, abs=1e-12)
        assert found.floats.min() >= 0
        return
    proof = found.proof
    if proof.space == space:
        u = np.array([float(x) for x in proof.separation])
        assert (kernel @ u).min() > -1e-9 * np.abs(u).max()
        assert u @ law < -1e-9 * np.abs(u).max()


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.text)
@pytest.mark.parametrize("epsilon", ["0.7", "1.6"])
def test_corner_priors_are_regular_with_one_coefficient(space, epsilon):
    level = Level.epsilon(epsilon)
    corners = corner_priors(space, level)
    low, high = regular_bounds(space, level)
    for y, corner in enumerate(corners):
        # just inside the corner: rounding may leave the corner itself outside
        inner = 0.999999 * corner + 1e-6 * corners.mean(axis=0)
        found = regularity(space, level, Prior.of(inner.tolist()))
        assert isinstance(found, Regular)
        assert int(np.argmax(found.floats)) == y
        assert corner[y] == pytest.approx(high[y])
        assert (corner >= low * (1 - 1e-12)).all()
        assert (corner <= high * (1 + 1e-12)).all()


@settings(derandomize=True, deadline=None, max_examples=40)
@given(spaces, st.data())
def test_regular_priors_change_by_no_more_than_the_level(space, data):
    shares = np.array(
        data.draw(st.lists(st.integers(0, 9), min_size=space.size, max_size=space.size)), float
    )
    if not shares.sum():
        return
    law = shares / shares.sum() @ corner_priors(space, Level.epsilon(1))
    kernel = kernel_of(space, 1.0)
    assert (law[:, None] * kernel <= law[None, :] * (1 + 1e-12)).all()  # Proposition 1
    low, high = regular_bounds(space, Level.epsilon(1))  # Proposition 2
    assert (law >= low * (1 - 1e-12)).all()
    assert (law <= high * (1 + 1e-12)).all()


def test_the_property_of_proposition_1_is_not_enough():
    space, level = star(3), Level.ratio(2)
    prior = Prior.of(["1/7", "2/7", "2/7", "2/7"])
    law = prior.on(space)
    assert (law[:, None] * kernel_of(space, float(level)) <= law[None, :] * (1 + 1e-12)).all()
    assert isinstance(regularity(space, level, prior), Irregular)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(spaces, st.data())
def test_no_mechanism_gains_more_than_theorem_2_allows(space, data):
    level = Level.epsilon(1)
    prior = data.draw(priors_on(space))
    found = regularity(space, level, prior)
    if isinstance(found, Regular):
        best = min_loss_given_level(space, level, prior=prior, loss=binary)
        assert 1 - best.value <= float(found.gain) * (1 + 1e-9)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(spaces, st.data())
def test_leakage_is_the_gain_under_the_best_remap(space, data):
    prior = data.draw(priors_on(space))
    asked = Problem(space, "1.5", prior, binary)
    mechanism = tight_constraints(space, "1.5").mechanism
    moved = apply_best_remap(mechanism, asked)
    gain = 1 - expected_loss(moved, prior=prior, loss=binary)
    assert leakage(mechanism, prior) == pytest.approx(log2(gain) + min_entropy(space, prior))
    assert len(best_remap(mechanism, asked)) == space.size
    assert leakage(mechanism, prior) <= min_capacity(mechanism) + 1e-12
    found = regularity(space, Level.epsilon("1.5"), prior)
    if isinstance(found, Regular):
        bound = most_leakage(space, Level.epsilon("1.5"), prior)
        assert leakage(mechanism, prior) <= bound + 1e-12


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.text)
def test_the_tight_mechanism_attains_the_leakage_bounds(space):
    level = Level.epsilon("1.5")
    mechanism = tight_constraints(space, level).mechanism
    assert leakage(mechanism) == pytest.approx(most_leakage_of_any_prior(space, level), abs=1e-9)
    assert min_capacity(mechanism) == pytest.approx(most_leakage(space, level), abs=1e-9)


def test_databases_have_the_closed_form_of_theorem_3():
    for epsilon in ("0.1", "0.5", "2"):
        level = Level.epsilon(epsilon)
        whole = most_leakage_of_any_prior(hamming(values=3, people=4), level)
        assert most_leakage_of_databases(3, 4, level) == pytest.approx(whole, rel=1e-12)


def test_the_bound_for_databases_is_rounded_up():
    """Beside the logarithm in 60 digits, of the fraction (values r / (values - 1 + r))^people."""
    with localcontext(prec=60):
        for values in (2, 3, 4, 7):
            for people in (1, 2, 5):
                for ratio in (2, 3, 5):
                    share = Decimal(values * ratio) / (values - 1 + ratio)
                    bits = people * share.ln() / Decimal(2).ln()
                    bound = Decimal(most_leakage_of_databases(values, people, Level.ratio(ratio)))
                    assert 0 <= bound - bits < Decimal("1e-14")
        assert most_leakage_of_databases(1, 5, Level.epsilon(1)) == 0


def test_a_bound_for_an_irregular_prior_is_refused():
    with pytest.raises(Infeasible, match="not regular"):
        most_leakage(categories(4), Level.epsilon("0.5"), Prior.of(["0.3", "0.27", "0.23", "0.2"]))
    with pytest.raises(Infeasible, match="not regular"):
        most_leakage(star(4), Level.epsilon("0.5"), uniform)


def test_a_prior_of_another_length_is_refused():
    with pytest.raises(BadMatrix, match="4 entries"):
        regularity(categories(4), Level.epsilon(1), Prior.of(["1/2", "1/2"]))


K33 = graph("abcxyz", [(i, j) for i in range(3) for j in range(3, 6)])


def exact_products(space, ratio, vector):
    """Φ times a vector, in fractions."""
    return [
        sum(ratio ** -int(space.distance(y, z).rational) * vector[z] for z in range(space.size))
        for y in range(space.size)
    ]


def test_a_singular_kernel_without_solution_comes_with_an_exact_separation():
    # at e^ε = 2 all rows of Φ on K_{3,3} give both sides the same total
    prior = Prior.of([Fraction(2, 9)] * 3 + [Fraction(1, 9)] * 3)
    found = regularity(K33, Level.ratio(2), prior)
    assert isinstance(found, Irregular)
    assert found.proof.upper is None
    u = found.proof.separation
    assert min(exact_products(K33, Fraction(2), u)) >= 0
    assert sum(p * x for p, x in zip(prior.weights, u, strict=True)) < 0


def test_a_singular_kernel_with_solutions_gives_one_of_them():
    inner = [Fraction(x, 60) for x in (11, 10, 9)]
    prior = Prior.of([*inner, *inner[::-1]])
    found = regularity(K33, Level.ratio(2), prior)
    assert isinstance(found, Regular)
    assert min(found.coefficients.each) >= 0
    assert exact_products(K33, Fraction(2), found.coefficients.each) == list(prior.weights)


def test_leakage_is_bounded_at_delta_0_only():
    # at δ = 1/2 one may say the truth with chance 1/2, and any value otherwise: 5/8 are right
    loose = Level.epsilon("0.5").with_delta(Fraction(1, 2))
    assert log2(4 * 5 / 8) > most_leakage(categories(4), Level.epsilon("0.5"))
    for bound in (
        lambda: most_leakage(categories(4), loose),
        lambda: most_leakage_of_any_prior(categories(4), loose),
        lambda: most_leakage_of_databases(4, 5, loose),
    ):
        with pytest.raises(BadLevel, match="δ = 0"):
            bound()


@pytest.mark.parametrize(("values", "people"), [(0, 5), (-3, 2), (4, 0)])
def test_databases_need_values_and_people(values, people):
    with pytest.raises(BadSpace, match="at least one"):
        most_leakage_of_databases(values, people, Level.epsilon(1))


@pytest.mark.parametrize("digits", [3, 8, 14, 20, 60])
def test_no_weights_on_a_star_are_proved_at_levels_below_the_rounding_of_doubles(digits):
    """1 - ε <= e^-ε <= 1 - ε + ε²/2 enclose every entry of Φ, and so Φ u."""
    small, leaves = Fraction(1, 10**digits), 4
    found = solve(star(leaves), Level.epsilon(small))
    assert isinstance(found, NoWeights)
    u = found.separation
    ends = 1 - small, 1 - small + small**2 / 2
    for y in range(leaves + 1):
        apart = [0 if y == z else 1 if 0 in (y, z) else 2 for z in range(leaves + 1)]
        assert sum(min(x * end**d for end in ends) for x, d in zip(u, apart, strict=True)) >= 0
    assert sum(u) < 0


@pytest.mark.filterwarnings("error")
def test_powers_beyond_doubles_bound_a_prior_by_zero():
    """From an end of 1100 steps Σ 2^d is above 2^1024; from the middle it is 2^552 - 3."""
    low, high = regular_bounds(path(0, 1100), Level.ratio(2))
    assert (low[0], low[550]) == (0, pytest.approx(2.0**-552))
    assert high[[0, 550]] == pytest.approx([1 / 2, 1 / 3])


@pytest.mark.parametrize(("ratio", "last"), [(3, 37), (7, 21)])
def test_rational_powers_below_two_to_the_sixty_are_rounded_once(ratio, last):
    assert ratio**last < 2**60 < ratio ** (last + 1)
    for sign in (1, -1):
        steps = [Surd.of(k) for k in range(last + 1)]
        exact = [float(Fraction(ratio) ** (sign * k)) for k in range(last + 1)]
        assert _powers(steps, Level.ratio(ratio), sign).tolist() == exact
