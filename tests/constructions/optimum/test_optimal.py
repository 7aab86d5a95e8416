"""The optimum: value and bound against a simplex solver and known values."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crosschecks.plain_programs import distances, least_loss
from tests.privacy.brute import has_level, lengths_of
from tightrope.choices import Goal
from tightrope.constructions import (
    Effort,
    compare,
    min_loss_given_level,
)
from tightrope.constructions.optimum import columns, optimal
from tightrope.errors import BadMatrix, TooLarge
from tightrope.exact import Level
from tightrope.spaces import (
    categories,
    cycle,
    grid,
    hamming,
    histogram,
    matrix,
    path,
    points,
    star,
)
from tightrope.symmetry import Symmetry
from tightrope.utility import (
    LossMatrix,
    Multipliers,
    Prior,
    absolute,
    best_dual,
    binary,
    euclidean,
    squared,
    standing_of,
    uniform,
    worst_loss,
)

PLAIN = Effort(symmetry=False)


def factors(space, ratio):
    return float(ratio) ** distances(space)


def losses(n):
    return st.lists(
        st.lists(st.integers(0, 6), min_size=n, max_size=n), min_size=n, max_size=n
    ).map(lambda rows: np.array(rows, dtype=np.float64))


SMALL = [path(0, 3), star(3), cycle(5), categories(4), hamming(values=2, people=2),
         matrix("wxyz", [["0", "1", "2", "3"], ["1", "0", "2", "3"], ["2", "2", "0", "2"],
                         ["3", "3", "2", "0"]])]


RATIOS = [Fraction(2), Fraction(3, 2), Fraction(5)]


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.sampled_from(SMALL), st.sampled_from(RATIOS), st.data())
def test_value_and_bound_enclose_the_optimum_of_a_linear_program(space, ratio, data):
    table = data.draw(losses(space.size))
    raw = data.draw(
        st.lists(st.integers(0, 5), min_size=space.size, max_size=space.size).filter(any)
    )
    prior = tuple(Fraction(value, sum(raw)) for value in raw)
    level = Level.ratio(ratio)
    found = min_loss_given_level(
        space, level, prior=Prior(prior), loss=LossMatrix(table), effort=PLAIN
    )
    best = least_loss(factors(space, ratio), table, prior=prior)
    assert found.bound <= best + 1e-7
    assert found.value >= best - 1e-7
    assert found.value - found.bound <= 1e-6 * max(found.value, 1e-3)
    rows = [found.certified.mechanism.row_at(i) for i in range(space.size)]
    assert has_level(rows, lengths_of(space), level)
    exact = sum(
        prior[y] * p * Fraction(table[y, z])
        for y, law in enumerate(rows)
        for z, p in enumerate(law)
    )
    assert float(exact) == pytest.approx(found.value, rel=1e-12, abs=1e-15)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.sampled_from(SMALL), st.sampled_from(RATIOS), st.booleans(), st.data())
def test_the_worst_case_is_enclosed_and_its_prior_proves_it(space, ratio, symmetric, data):
    table = data.draw(losses(space.size))
    level = Level.ratio(ratio)
    found = min_loss_given_level(
        space, level, loss=LossMatrix(table), goal=Goal.WORST, effort=Effort(symmetry=symmetric)
    )
    best = least_loss(factors(space, ratio), table)
    assert found.bound <= best + 1e-7
    assert found.value >= best - 1e-7
    assert found.value - found.bound <= 1e-6 * max(found.value, 1e-3)
    rows = [found.certified.mechanism.row_at(i) for i in range(space.size)]
    assert has_level(rows, lengths_of(space), level)
    prior = found.dual.prior.exact(space)
    assert sum(prior) == 1
    assert min(prior) >= 0
    best = least_loss(factors(space, ratio), table, prior=prior)
    assert best >= found.bound - 1e-7


@pytest.mark.parametrize(("values", "ratio"), [(2, 3), (5, 2), (8, 7)])
def test_randomized_response_is_optimal_for_the_worst_category(values, ratio):
    found = min_loss_given_level(categories(values), Level.ratio(ratio), goal=Goal.WORST)
    exact = (values - 1) / (ratio + values - 1)
    assert found.bound <= exact <= found.value * (1 + 1e-12)
    assert found.gap <= 1e-6


def test_the_worst_case_is_never_below_any_average():
    level = Level.epsilon("0.7")
    worst = min_loss_given_level(path(0, 8), level, loss=absolute, goal=Goal.WORST)
    average = min_loss_given_level(path(0, 8), level, loss=absolute)
    assert worst.value >= average.bound
    assert worst_loss(average.certified.mechanism, loss=absolute) >= worst.bound
    assert worst.value == pytest.approx(worst_loss(worst.certified.mechanism, loss=absolute))


@pytest.mark.parametrize(
    ("space", "epsilon", "loss", "value"),
    [
        (path(0, 49), "0.5", absolute, 1.8080081202645478),
        (grid((8, 8)), "0.5", euclidean, 2.2595765140),
        (grid((8, 8)), "1", euclidean, 1.4496712543),
    ],
    ids=str,
)
def test_known_optima_are_enclosed(space, epsilon, loss, value):
    found = min_loss_given_level(space, Level.epsilon(epsilon), loss=loss)
    assert found.bound <= value * (1 + 1e-9)
    assert found.value >= value * (1 - 1e-9)
    assert found.gap <= 1e-6


def test_randomized_response_is_not_optimal_for_every_prior():
    prior = Prior.of(["0.4", "0.4", "0.1", "0.1"])
    found = min_loss_given_level(categories(4), Level.ratio(2), prior=prior, loss=binary)
    assert found.value == pytest.approx(1 - 8 / 15, rel=1e-6)


@pytest.mark.parametrize("space", [path(0, 6), cycle(6), star(4), histogram(people=3, cells=3)],
                         ids=lambda space: space.text)
def test_symmetry_changes_neither_value_nor_bound(space):
    with_it = min_loss_given_level(space, Level.epsilon(1), loss=binary)
    without = min_loss_given_level(space, Level.epsilon(1), loss=binary, effort=PLAIN)
    assert with_it.statistics["orbits"] < without.statistics["orbits"]
    assert with_it.value == pytest.approx(without.value, rel=2e-6)
    assert max(with_it.bound, without.bound) <= min(with_it.value, without.value)


@settings(derandomize=True, deadline=None, max_examples=10)
@given(st.sampled_from(SMALL), st.sampled_from(["0.3", "1", "2.5"]), st.data())
def test_no_construction_of_the_catalog_is_below_the_bound(space, epsilon, data):
    raw = data.draw(st.lists(st.integers(1, 9), min_size=space.size, max_size=space.size))
    prior = Prior.of([Fraction(v, sum(raw)) for v in raw])
    level = Level.epsilon(epsilon)
    bound = min_loss_given_level(space, level, prior=prior, loss=binary).bound
    for row in compare(space, level, prior=prior, loss=binary).rows:
        assert row.solution is None or row.solution.value >= bound


def test_inputs_of_prior_zero_are_protected_all_the_same():
    prior = Prior.of([Fraction(1, 2), Fraction(0), Fraction(1, 2)])
    found = min_loss_given_level(path(0, 2), Level.ratio(2), prior=prior, loss=absolute)
    rows = [found.certified.mechanism.row_at(i) for i in range(3)]
    assert has_level(rows, lengths_of(path(0, 2)), Level.ratio(2))
    assert found.gap <= 1e-6


def test_gains_are_negative_losses():
    table = np.array([[-1.0, 0.0], [0.0, -1.0]])
    found = min_loss_given_level(categories(2), Level.ratio(3), loss=LossMatrix(table))
    assert found.value == pytest.approx(-0.75, rel=1e-6)
    assert found.bound <= -0.75


def test_outputs_may_be_given():
    found = min_loss_given_level(path(0, 4), Level.ratio(2), loss=squared, outputs=(0, 2, 4))
    assert found.certified.mechanism.outputs == (0, 2, 4)
    assert found.gap <= 1e-6


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_losses_that_are_not_finite_are_refused(value):
    with pytest.raises(BadMatrix):
        min_loss_given_level(
            categories(2), Level.ratio(2), loss=LossMatrix(np.array([[0, value], [1, 0]]))
        )


def test_what_does_not_fit_is_refused_before_the_work():
    with pytest.raises(TooLarge):
        min_loss_given_level(grid((70, 70)), Level.epsilon(1), prior=uniform, loss=binary)


def test_near_pairs_alone_still_give_a_private_mechanism_and_a_true_bound(monkeypatch):
    space, level = grid((8, 8)), Level.epsilon(1)
    whole = min_loss_given_level(space, level, loss=euclidean)
    monkeypatch.setattr(columns, "MOST_SCANNED", 8_000)
    near = min_loss_given_level(space, level, loss=euclidean)
    assert near.statistics["pairs"] < whole.statistics["pairs"] / 2
    assert near.bound <= whole.value
    assert whole.bound <= near.value <= whole.value * (1 + 1e-2)
    assert near.gap <= 2e-2
    assert near.certified.certificate.smallest.upper <= 1


def test_near_pairs_connect_the_space():
    space = path(0, 30)
    first, second = columns.near_pairs(space, 10**9)
    assert sorted(zip(first.tolist(), second.tolist(), strict=True)) == [
        (i, i + 1) for i in range(30)
    ]


@pytest.mark.parametrize("goal", list(Goal))
def test_ctrl_c_returns_the_best_proved_so_far(goal):
    def watch(step, value, bound):
        if step == 9:
            raise KeyboardInterrupt

    space, level = grid((5, 5)), Level.epsilon(1)
    found = min_loss_given_level(space, level, goal=goal, effort=Effort(watch=watch))
    best = min_loss_given_level(space, level, goal=goal)
    assert not found.statistics["finished"]
    assert found.bound <= best.value <= found.value * (1 + 1e-6)
    assert 1e-6 < found.gap < 1
    assert found.certified.certificate.smallest.upper <= 1


@pytest.mark.parametrize("goal", list(Goal))
@pytest.mark.parametrize("prior", [uniform, Prior.of([Fraction(k, 45) for k in range(10)])])
def test_without_any_time_the_start_is_proved(goal, prior):
    space, level = path(0, 9), Level.ratio(2)
    asked = {"prior": prior if goal is Goal.AVERAGE else uniform, "goal": goal, "loss": absolute}
    found = min_loss_given_level(space, level, **asked, effort=Effort(seconds=1e-9))
    best = min_loss_given_level(space, level, **asked)
    assert found.statistics["iterations"] == 0
    assert 0 <= found.bound <= best.value <= found.value
    rows = [found.certified.mechanism.row_at(i) for i in range(space.size)]
    assert has_level(rows, lengths_of(space), level)


@pytest.mark.parametrize("chance", ["4/10^9", "1e-7"])
def test_an_optimum_far_below_the_losses_is_proved_to_the_gap_too(chance):
    """Without any answer but the likely one: no mechanism at this level loses less than p."""
    p = Fraction(4, 10**9) if "/" in chance else Fraction(chance)
    found = min_loss_given_level(
        categories(2), Level.epsilon("0.4"), prior=Prior.of([1 - p, p]), loss=binary
    )
    assert Fraction(found.bound) <= p <= Fraction(found.value)
    assert found.gap <= 1e-6
    assert found.statistics["finished"]


@pytest.mark.parametrize("seed", [0, 1])
def test_few_steps_suffice_where_points_lie_near_and_nearly_all_pairs_are_nearly_tight(seed):
    """Products that were left far below all others blocked every step: 118 and 46 of them."""
    rng = np.random.default_rng([seed, 36])
    places = [[str(Fraction(int(x), 500)) for x in row] for row in rng.integers(0, 1000, (36, 2))]
    prior = rng.dirichlet(np.ones(36))
    found = min_loss_given_level(
        points(range(36), places), Level.epsilon("0.1"), prior=prior, loss=euclidean
    )
    assert found.gap <= 1e-6
    assert found.statistics["iterations"] <= 30


def test_a_gap_that_the_proof_did_not_reach_is_not_called_finished(monkeypatch):
    """Here the proof has lost all its multipliers: the bound is that without privacy."""
    monkeypatch.setattr(
        optimal, "best_dual", lambda problem, multipliers, prior: best_dual(
            problem, [Multipliers(np.zeros(0, int), np.zeros(0, int), ())] * 5, prior
        )
    )
    found = min_loss_given_level(path(0, 4), Level.epsilon(1), loss=absolute)
    assert found.bound == 0
    assert not found.statistics["finished"]
    assert standing_of(found).endswith("(the search stopped at the end of its digits)")


@pytest.mark.parametrize("seed", range(4))
def test_columns_that_are_put_right_are_inside_the_cone_and_add_up_to_one(seed):
    """Also where points are a thousandth apart: what rows lack differs by little there."""
    rng = np.random.default_rng(seed)
    places = np.repeat(rng.uniform(0, 9, 5), 3) + rng.uniform(0, 1e-3, 15)
    kernel = np.exp(-np.abs(np.subtract.outer(places, places)))
    faint = 10.0 ** -rng.integers(0, 12, 15)
    given = columns.lift(rng.uniform(0.2, 1, (15, 15)) * faint[:, None], kernel)
    given = given / given.sum(axis=0).mean() * (1 + 1e-6 * rng.uniform(-1, 1, (15, 15)))
    worth = rng.uniform(0, 1, (15, 15))
    found = columns.balance(given, kernel, Symmetry(15, 15), kernel, lambda v: np.vdot(worth, v))
    assert found.sum(axis=0) == pytest.approx(np.ones(15), abs=1e-12)
    assert (found[:, :, None] >= found[:, None, :] * kernel * (1 - 1e-12)).all()


@pytest.mark.parametrize("seed", [0, 2])
def test_multipliers_catch_up_with_prices_where_points_lie_in_small_clusters(seed):
    """Every change of lists had put them off again: gaps of 0.9 and 30 % at the end of digits."""
    rng = np.random.default_rng([seed, 24])
    centers = np.repeat(rng.integers(0, 30, (6, 2)), 4, axis=0).tolist()
    places = [[c + Fraction(x, 10**6) for c, x in zip(center, shift, strict=True)]
              for center, shift in zip(centers, rng.integers(1, 1000, (24, 2)).tolist(),
                                       strict=True)]
    space = points(range(24), places)
    lengths = distances(space)
    loss = LossMatrix(np.where(rng.random((24, 24)) < 0.5, 3 * lengths, lengths))
    prior = rng.dirichlet(np.ones(24))
    found = min_loss_given_level(space, Level.epsilon("0.3"), prior=prior, loss=loss)
    assert found.gap <= 1e-6
