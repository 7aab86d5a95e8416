"""ε* for a query, on long paths and with base measures of one's own, against plain programs."""

from fractions import Fraction
from math import log

import numpy as np
import pytest

from tests.crosschecks.plain_programs import distances, least_loss
from tightrope.errors import BadInput
from tightrope.privacy import verify
from tightrope.spaces import matrix, path, query
from tightrope.theory import accuracy, exponential_bounds, smallest_level_for
from tightrope.theory.limits.aims import Aim, lipschitz
from tightrope.theory.limits.failure_programs import SimplexGame
from tightrope.theory.limits.path_games import PathGame

F = Fraction


def random_query(seed):
    """A query between two small random metric spaces: numbers on a line, unevenly spaced."""
    source = np.random.default_rng(seed)

    def line(size):
        places = np.cumsum(source.integers(1, 5, size)).tolist()
        return matrix(range(size), [[F(abs(a - b), 2) for b in places] for a in places])

    datasets, values = line(5), line(4)
    table = source.integers(0, 4, 5).tolist()
    return query(datasets, values, table.__getitem__)


@pytest.mark.parametrize("seed", range(4))
def test_the_program_of_all_pairs_brackets_the_smallest_level_of_a_query(seed):
    asked, radius, failure = random_query(seed), F(1, 2), F(1, 7)
    found = smallest_level_for(asked, radius, failure)
    rows = distances(asked.codomain)[list(asked.values)]
    outside, apart = (rows > 0.5).astype(float), distances(asked.datasets)
    if found.upper == 0:
        assert least_loss(np.exp(0 * apart), outside) <= 1 / 7 + 1e-9
        return
    assert least_loss(np.exp(found.lower * apart), outside) >= 1 / 7 - 1e-8
    assert least_loss(np.exp(found.upper * apart), outside) <= 1 / 7 + 1e-8
    made = found.certified.mechanism
    assert verify(made, asked.datasets, found.upper).holds
    for row, far in zip((made.row_at(x) for x in range(5)), outside, strict=True):
        assert sum(p for p, out in zip(row, far, strict=True) if out) <= failure


@pytest.mark.parametrize("seed", range(4))
def test_no_pair_of_datasets_stretches_more_than_the_lipschitz_constant(seed):
    asked = random_query(seed)
    inner, outer = asked.datasets, asked.codomain
    ratios = {
        (x, z): outer.distance(asked.values[x], asked.values[z]).rational
        / inner.distance(x, z).rational
        for x in range(5) for z in range(5) if x != z
    }
    found = lipschitz(asked)
    assert found.exact
    assert found.upper == max(ratios.values())
    assert ratios[found.witness] == found.upper


def test_the_exponential_mechanism_of_a_query_keeps_theorem_2_7():
    # values move twice as far as datasets: 2Cβ with C = 2, and no mechanism is below ε*
    asked = query("path:0..3", "path:0..6", lambda x: 2 * x)
    found = accuracy(asked, 1, "1/5")
    assert found.stretch.upper == 2
    for row in found.exponential:
        assert found.smallest.lower <= row.attained
        assert row.exact <= row.guarantee
        assert row.attained <= 4 * row.beta


def test_a_query_that_adjacent_datasets_flip_needs_the_odds():
    # even and odd: the right one with 4/5 beside the wrong one with 1/5, in one step
    found = smallest_level_for(query("cycle:6", "categories:2", lambda x: x % 2), F(0), F(1, 5))
    assert found.lower <= log(4) <= found.upper


@pytest.mark.parametrize(("last", "radius"), [(1, 0), (4, 1), (7, 2), (10, 1), (11, 3)])
@pytest.mark.parametrize("epsilon", [0.2, 0.9])
def test_a_remap_of_the_geometric_fails_as_seldom_as_any_mechanism(last, radius, epsilon):
    aim = Aim(path(0, last), F(radius), F(1, 10))
    least = SimplexGame.of(aim).value(epsilon)
    assert PathGame(aim).value(epsilon) == pytest.approx(least, abs=1e-9)


def test_open_balls_on_a_path_are_closed_balls_of_the_next_smaller_radius():
    wide = smallest_level_for(path(0, 40), F(3), F(1, 10), closed=False)
    narrow = smallest_level_for(path(0, 40), F(2), F(1, 10))
    assert wide.lower <= narrow.upper
    assert narrow.lower <= wide.upper


def test_exact_answers_on_a_long_path_cost_the_odds_of_the_geometric():
    # 2α/(1 + α) = 1/4 at α = 1/7; ends of a long path do not matter to the middle
    found = smallest_level_for(path(0, 30), F(0), F(1, 4))
    assert found.upper == pytest.approx(log(7), abs=1e-9)
    assert found.lower <= log(7)


def test_a_base_measure_of_ones_own_stands_beside_the_others():
    rows = exponential_bounds(path(0, 4), F(2), F(1, 10), base=[1, 1, 1, 1, 1], cover=[1, 3])
    by_name = {row.base: row for row in rows}
    assert by_name["given"].attained == by_name["uniform"].attained
    assert by_name["given cover"].measure == (0, F(1, 2), 0, F(1, 2), 0)
    assert by_name["given cover"].least_ball == F(1, 2)


def test_a_measure_without_weight_near_a_point_serves_no_accuracy_there():
    rows = accuracy("path:0..2", 0, "1/10", base=[1, 0, 1]).exponential
    given = next(row for row in rows if row.base == "given")
    assert (given.least_ball, given.beta, given.attained) == (0, None, None)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"base": [0] * 5}, "zero everywhere"),
        ({"base": [1, -1, 1, 1, 1]}, "nowhere negative"),
        ({"base": [1, 2]}, "5 entries"),
        ({"cover": [0, 1]}, "does not cover: none of its 2 points is within 1/2, half the radius"),
        ({"cover": []}, "no points"),
        ({"cover": [7]}, "7 is not a point"),
    ],
)
def test_measures_that_weigh_nothing_and_covers_that_do_not_cover_are_refused(given, said):
    with pytest.raises(BadInput, match=said):
        accuracy("path:0..4", 1, "1/10", **given)


def test_a_lipschitz_constant_scales_the_level_and_the_rows():
    # ln(27) = 3.2958; three times that is 9.8875, and 99 rows at 1/10
    found = accuracy("categories:4", 0, "1/10", epsilon=0.1, times=3)
    assert found.enough == pytest.approx(3 * log(27), abs=1e-9)
    assert found.rows == 99
    with pytest.raises(BadInput, match="above 0"):
        accuracy("categories:4", 0, "1/10", times=0)


def test_without_time_the_bounds_that_need_no_search_are_the_answer():
    found = accuracy("grid:4x4", 1, "1/10", seconds=0)
    assert found.smallest.epsilon_star is None
    assert found.smallest.lower == found.packing.epsilon
    assert found.smallest.upper == min(row.attained for row in found.exponential)
    whole = accuracy("grid:4x4", 1, "1/10").smallest
    assert found.smallest.lower <= whole.upper
    assert whole.lower <= found.smallest.upper
