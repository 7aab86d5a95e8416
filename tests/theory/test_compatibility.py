"""ε*(γ, δ) against closed forms, a program solved by somebody else, and its own proofs."""

from fractions import Fraction
from itertools import pairwise
from math import log

import numpy as np
import pytest
from scipy.optimize import brentq

from tests.crosschecks.plain_programs import distances, least_loss
from tightrope.constructions import design, exponential
from tightrope.errors import BadInput, Infeasible, SolverFailed, TooLarge
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import verify
from tightrope.spaces import categories, cycle, matrix, parse, path, query, star
from tightrope.theory import (
    exponential_bounds,
    failures,
    packing_bound,
    sample_size,
    smallest_level_for,
)

F = Fraction


def unit_path(size):
    """A path of points with diameter 1."""
    rows = [[F(abs(i - j), size - 1) for j in range(size)] for i in range(size)]
    return matrix(range(size), rows)


@pytest.mark.parametrize("size", [2, 3, 4, 7, 16, 33, 64])
@pytest.mark.parametrize("failure", [F(1, 10), F(1, 3)])
def test_equidistant_points_have_a_closed_form(size, failure):
    found = smallest_level_for(categories(size), F(0), failure)
    closed_form = log((size - 1) * (1 - failure) / failure)
    assert found.lower <= closed_form <= found.upper
    assert found.upper - found.lower <= 1e-9
    assert found.epsilon_star == pytest.approx(closed_form, abs=1e-9)


def test_the_path_of_five_points_with_unit_diameter():
    # closed balls of radius 0.3; no two points are at distance 0.3, so open ones are the same
    for closed in (True, False):
        found = smallest_level_for(unit_path(5), F(3, 10), F(1, 10), closed=closed)
        assert found.lower <= 3.9753206728 + 5e-11
        assert found.upper >= 3.9753206728 - 5e-11
        assert found.upper - found.lower < 1e-9
        assert round(found.epsilon_star, 10) == 3.9753206728


@pytest.mark.parametrize(
    ("space", "radius", "closed"),
    [(path(0, 4), F(1), True), (path(0, 4), F(1), False), (cycle(5), F(1), True),
     (star(3), F(1, 2), True), (parse("grid:2x3"), F(1), True)],
    ids=str,
)
def test_the_root_agrees_with_the_whole_program(space, radius, closed):
    failure = F(1, 8)
    table = [[space.distance(i, j) for j in range(space.size)] for i in range(space.size)]
    inside = np.array([[float(d) <= radius if closed else float(d) < radius for d in row]
                       for row in table])
    d = distances(space)
    root = brentq(lambda e: least_loss(np.exp(e * d), ~inside) - float(failure), 0.01, 6)
    found = smallest_level_for(space, radius, failure, closed=closed)
    assert found.epsilon_star == pytest.approx(root, abs=1e-5)


@pytest.mark.parametrize("space", [path(0, 6), cycle(6), parse("grid:3x3"), categories(5)],
                         ids=lambda s: s.text)
def test_both_ends_carry_their_proof(space):
    radius, failure = F(1, 2), F(1, 10)
    found = smallest_level_for(space, radius, failure)
    mechanism = found.certified.mechanism
    assert verify(mechanism, space, Level.epsilon(found.upper)).holds
    assert max(failures(mechanism, radius)) <= failure
    for y in range(space.size):  # the chances of failure, added up here
        row, near = mechanism.row_at(y), [float(space.distance(y, z)) <= radius
                                       for z in range(space.size)]
        assert sum(p for p, inside in zip(row, near, strict=True) if not inside) <= failure
    assert found.dual.bound > failure
    assert found.upper - found.lower < 1e-9
    low = packing_bound(space, radius, failure)
    assert low.epsilon <= found.lower
    for row in exponential_bounds(space, radius, failure):
        assert row.attained >= found.lower
        assert row.attained <= row.guarantee


def test_where_one_output_serves_all_nothing_need_be_given_up():
    found = smallest_level_for(star(5), F(1), F(0))  # the center is within 1 of everything
    assert (found.epsilon_star, found.lower, found.upper) == (0, 0, 0)
    even = smallest_level_for(categories(4), F(0), F(3, 4))  # guess: right once in four
    assert even.upper == 0
    assert smallest_level_for(categories(4), F(0), F(3, 4) - F(1, 10**4)).lower > 0


def test_never_failing_is_impossible_at_any_level():
    with pytest.raises(Infeasible, match="no level is finite"):
        smallest_level_for(path(0, 4), F(1), F(0))


@pytest.mark.parametrize(("radius", "failure"), [(F(-1), F(1, 2)), (F(1), F(1)), (F(1), F(-1, 9))])
def test_requests_without_meaning_are_refused(radius, failure):
    with pytest.raises(BadInput):
        smallest_level_for(path(0, 4), radius, failure)


def test_spaces_beyond_the_solver_are_refused():
    with pytest.raises(TooLarge):
        smallest_level_for(parse("grid:40x40"), F(1), F(1, 10))


def test_the_packing_bound_is_tight_for_equidistant_points():
    found = packing_bound(categories(9), F(0), F(1, 5))
    assert len(found.points) == 9
    assert found.epsilon == pytest.approx(log(32), abs=1e-9)
    assert found.epsilon <= log(32)


def test_more_points_at_mutual_distance_one_need_more_and_more():
    levels = [smallest_level_for(categories(n), F(1, 3), F(1, 10)).lower for n in (2, 8, 32)]
    for smaller, larger in pairwise(levels):
        assert larger - smaller > log(4) - 0.5


def test_finer_paths_of_unit_diameter_stay_below_one_guarantee():
    # uniform measure on [0, 1]: the least ball of radius γ/2 weighs γ/2
    gamma, delta = F(3, 10), F(1, 10)
    limit = 2 * (2 / gamma) * log(1 / (delta * gamma / 2))
    levels = [smallest_level_for(unit_path(n), gamma, delta).upper for n in (5, 9, 17, 33)]
    assert max(levels) < limit


def test_the_true_level_is_half_the_guarantee_where_all_points_look_alike():
    for space in (cycle(7), categories(5), parse("sets:3")):
        uniform = exponential_bounds(space, F(1), F(1, 20))[0]
        assert uniform.exact == pytest.approx(uniform.guarantee / 2, rel=1e-9)
        assert uniform.attained == pytest.approx(uniform.beta, rel=1e-9)


def test_on_an_interval_the_guarantee_is_approached():
    # KL-pc, Theorem 2.7 is tight on [0, 1]: the ends have half the normalizer of the middle
    beta = 2
    gaps = []
    for n in (11, 41, 161):
        found = exponential(unit_path(n), Level.epsilon(2 * beta)).certificate.smallest
        gaps.append(2 * beta - found.upper)
    assert gaps == sorted(gaps, reverse=True)
    assert 0 < gaps[-1] < gaps[0] / 8


def test_the_bounds_of_the_exponential_mechanism_keep_the_utility():
    space, radius, failure = unit_path(6), F(2, 5), F(1, 10)
    for row in exponential_bounds(space, radius, failure):
        assert sum(row.measure) == 1
        made = exponential(space, Level.epsilon(F(row.guarantee)), base=row.measure).mechanism
        assert max(failures(made, radius)) <= failure
        assert row.exact <= row.guarantee


def test_the_sample_size_of_a_mean():
    # Δ = 1/N: N is ε*/ε, rounded up
    found = smallest_level_for(unit_path(5), F(3, 10), F(1, 10))
    assert sample_size(found, Level.epsilon("0.5")) == 8  # 3.9753/0.5 = 7.95
    assert sample_size(found, Level.epsilon("0.5"), sensitivity=2) == 16
    assert sample_size(found, Level.epsilon(100)) == 1


def test_the_cone_program_proves_a_bracket_that_agrees(monkeypatch):
    first = smallest_level_for(path(0, 8), F(1), F(1, 10))
    monkeypatch.setattr("tightrope.theory.limits.compatibility.MOST_CELLS", 0)
    second = smallest_level_for(path(0, 8), F(1), F(1, 10))
    assert second.lower <= first.upper
    assert first.lower <= second.upper
    assert second.upper - second.lower < 1e-10
    assert max(failures(second.certified.mechanism, F(1))) <= F(1, 10)
    assert second.dual.bound > F(1, 10)


@pytest.mark.slow  # about 6 s
def test_a_long_path_has_a_narrow_bracket_and_both_its_proofs():
    found = smallest_level_for(path(0, 44), F(2), F(1, 10))
    assert found.upper - found.lower < 1e-10
    assert max(failures(found.certified.mechanism, F(2))) <= F(1, 10)
    assert found.dual.bound > F(1, 10)


@pytest.mark.parametrize("failure", [F(1, 10**6), F(1, 10**12)])
def test_rare_failures_still_have_a_proved_bracket(failure):
    found = smallest_level_for(categories(2), F(0), failure)
    assert found.lower <= log((1 - failure) / failure) <= found.upper
    assert found.upper - found.lower < 1e-5


def test_failures_beyond_doubles_are_refused_and_prove_nothing():
    for failure in (F(1, 10**30), F(1, 10**400)):
        with pytest.raises(SolverFailed, match="so rare a failure"):
            smallest_level_for(categories(2), F(0), failure)
    assert packing_bound(categories(2), F(0), F(1, 10**400)).epsilon == 0


def test_open_balls_of_radius_zero_allow_no_mechanism():
    with pytest.raises(Infeasible, match="empty"):
        smallest_level_for(path(0, 2), F(0), F(1, 2), closed=False)


def test_failures_are_about_the_values_of_the_query():
    # the sum of two answers: the ball is around the value, and outputs are told by their labels
    asked = query("hamming:values=3,people=2", None, "sum")
    made = design("hamming:values=3,people=2", 1, query=asked).mechanism
    chances = failures(made, 0, query=asked)
    for y, x in enumerate(made.space.points):
        right = dict(zip(made.outputs, made.row_at(y), strict=True))[sum(x)]
        assert chances[y] == 1 - right
    assert failures(made, 4, query=asked) == (0,) * 9


def test_failures_tell_outputs_by_their_labels():
    space = path(0, 1)
    rows = Weights.from_integers([[9, 1], [1, 9]])
    swapped = MatrixMechanism(space, (1, 0), rows)
    assert failures(MatrixMechanism(space, (0, 1), rows), 0) == (F(1, 10), F(1, 10))
    assert failures(swapped, 0) == (F(9, 10), F(9, 10))
    mirrored = query(space, space, lambda x: 1 - x)
    assert failures(swapped, "0.5", query=mirrored) == (F(1, 10), F(1, 10))


def test_failures_ask_for_the_query_of_other_outputs():
    made = design("hamming:values=3,people=2", 1, query="sum").mechanism
    with pytest.raises(BadInput, match=r"the output 0 is no point of .*query=…"):
        failures(made, 0)
    with pytest.raises(BadInput, match=r"the query is about path:0\.\.1, and the mechanism about"):
        failures(made, 0, query=query("path:0..1", "path:0..4", lambda x: x))
