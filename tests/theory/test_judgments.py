"""What a level makes of a prior, against exact programs and mixtures made by hand."""

from fractions import Fraction
from itertools import combinations
from math import exp, log2

import numpy as np
import pytest

from tests.crosschecks.exact_programs import exact_optimum
from tightrope.constructions import randomized_response
from tightrope.errors import BadLevel
from tightrope.exact import Level
from tightrope.spaces import graph
from tightrope.theory import judge_prior
from tightrope.utility import Prior

F = Fraction


def random_case(seed):
    """A connected graph of five nodes, and a prior that is often regular at e^ε = 3."""
    source = np.random.default_rng(seed)
    edges = {(int(source.integers(0, k)), k) for k in range(1, 5)}
    edges |= {pair for pair in combinations(range(5), 2) if source.random() < 0.3}
    space = graph(range(5), sorted(edges))
    raw = source.integers(4, 9, 5).tolist()
    return space, [F(x, sum(raw)) for x in raw]


@pytest.mark.parametrize("seed", range(6))
def test_no_mechanism_is_right_more_often_than_the_bound_under_a_regular_prior(seed):
    space, prior = random_case(seed)
    found = judge_prior(space, Level.ratio(3), prior)
    table = [[int(space.distance(i, j).rational) for j in range(5)] for i in range(5)]
    losses = [[F(i != j) for j in range(5)] for i in range(5)]
    best = 1 - exact_optimum(table, F(3), prior, losses)
    if found.regular:
        assert best <= found.verdict.gain
        assert found.most_leaked == pytest.approx(log2(found.verdict.gain / max(prior)))
    if found.any_prior is not None:
        assert log2(best / max(prior)) <= found.any_prior + 1e-12


@pytest.mark.parametrize("seed", range(6))
def test_shares_of_corners_make_up_the_prior_again(seed):
    space, prior = random_case(seed)
    found = judge_prior(space, Level.ratio(3), prior)
    assert (found.shares is None) == (not found.regular)
    if found.shares is not None:
        assert sum(found.shares) == pytest.approx(1)
        assert min(found.shares) >= 0
        mixed = np.array(found.shares) @ found.corners
        assert mixed == pytest.approx([float(p) for p in prior], abs=1e-12)
        assert all(low <= float(p) <= high
                   for low, p, high in zip(found.least, prior, found.most, strict=True))


def test_the_region_on_two_values_is_an_interval():
    # corners (1, q)/(1 + q) and its mirror: from 1/4 to 3/4 at q = 1/3, half of all priors
    low, high = judge_prior("categories:2", Level.ratio(3)).volume
    assert low <= 0.5 <= high
    assert high - low < 1e-15
    low, high = judge_prior("categories:2", Level.epsilon(1)).volume
    assert low <= (1 - exp(-1)) / (1 + exp(-1)) + 1e-15
    assert high >= (1 - exp(-1)) / (1 + exp(-1)) - 1e-15


@pytest.mark.parametrize("text", ["path:0..2", "cycle:3"])
def test_the_volume_is_the_share_of_random_priors_that_are_regular(text):
    # 4,000 even draws from the triangle: five deviations are below 0.04
    source = np.random.default_rng(7)
    found = judge_prior(text, Level.epsilon("1.6"))
    draws = source.dirichlet([1, 1, 1], 4000)
    weights = np.linalg.solve(found.corners.T, draws.T)
    share = float((weights >= 0).all(axis=0).mean())
    assert share == pytest.approx(found.volume[0], abs=0.04)


def test_a_mechanism_leaks_no_more_than_the_bound_and_is_not_held_to_it_at_a_smaller_level():
    made = randomized_response("categories:3", Level.ratio(4))
    prior = Prior.of(["2/5", "2/5", "1/5"])
    # joint maxima: 2/5 · 4/6 twice, and the third answer comes from 1/5 · 4/6 or 2/5 · 1/6
    at = judge_prior("categories:3", Level.ratio(4), prior, made)
    assert at.leaked == pytest.approx(log2((F(8, 30) * 2 + F(4, 30)) / F(2, 5)))
    assert at.private
    assert at.leaked <= at.most_leaked + 1e-12
    below = judge_prior("categories:3", Level.ratio(3), prior, made)
    assert below.private is False
    assert (below.optimum, below.shortfall) == (None, None)


def test_leakage_has_no_bound_with_a_delta():
    with pytest.raises(BadLevel, match="δ = 0"):
        judge_prior("categories:3", Level.ratio(2, "0.1"))


def test_a_volume_is_above_0_where_the_determinant_is_below():
    """Two points against three, q = 4/5: det = (1 - q^2)^4 (1 - 2 q^2), below 0."""
    pairs = [(a, b) for a in (0, 1) for b in (2, 3, 4)]
    q = F(4, 5)
    sums = (1 + q**2 + 3 * q) ** 2 * (1 + 2 * q**2 + 2 * q) ** 3
    low, high = judge_prior(graph(range(5), pairs), Level.ratio(1 / q)).volume
    assert low <= (1 - q**2) ** 4 * (2 * q**2 - 1) / sums <= high <= low * (1 + 1e-12)
