"""The optimum at (ε, δ): against closed forms, and against the program of all sets of outputs."""

from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest
from scipy.optimize import linprog

from tightrope.constructions import Goal, Objective, design, min_loss_with_delta
from tightrope.errors import Infeasible, Refused, TooLarge
from tightrope.exact import Level
from tightrope.privacy import Certificate, certify, verify
from tightrope.spaces import categories, cycle, grid, hamming, path, star
from tightrope.utility import LossMatrix, Prior, absolute, binary, squared


def optimum_over_all_sets(space, ratio, delta, table, prior=None):
    """The optimum when every set of outputs is written down; the worst case without a prior."""
    n, m = table.shape
    sets = list(chain.from_iterable(combinations(range(m), k) for k in range(1, m + 1)))
    rows, right = [], []
    for a, b in space.neighbors.pairs:
        for y, other in ((a, b), (b, a)):
            for chosen in sets:
                row = np.zeros(n * m + 1)
                row[[y * m + z for z in chosen]] = 1
                row[[other * m + z for z in chosen]] = -float(ratio)
                rows.append(row)
                right.append(float(delta))
    cost = np.zeros(n * m + 1)
    if prior is None:
        cost[-1] = 1
        for y in range(n):
            row = np.zeros(n * m + 1)
            row[y * m : (y + 1) * m], row[-1] = table[y], -1
            rows.append(row)
            right.append(0.0)
    else:
        cost[:-1] = (np.array(prior, dtype=float)[:, None] * table).ravel()
    equal = np.hstack([np.kron(np.eye(n), np.ones(m)), np.zeros((n, 1))])
    found = linprog(
        cost, A_ub=np.array(rows), b_ub=right, A_eq=equal, b_eq=np.ones(n),
        bounds=[(0, None)] * (n * m) + [(None, None)],
    )
    assert found.status == 0
    return found.fun


@pytest.mark.parametrize("space", [path(0, 3), star(3), cycle(4), hamming(values=2, people=2)])
@pytest.mark.parametrize("delta", ["1/100", "1/5", "3/4"])
def test_value_and_bound_enclose_the_optimum_over_all_sets(space, delta):
    drawn = np.random.default_rng(7)
    for ratio in (Fraction(3, 2), Fraction(3)):
        table = drawn.integers(0, 6, (space.size, space.size)).astype(float)
        raw = [int(k) for k in drawn.integers(0, 4, space.size)]
        prior = [Fraction(k, sum(raw)) for k in raw]
        level = Level.ratio(ratio, delta)
        found = min_loss_with_delta(space, level, Objective(Prior.of(prior), LossMatrix(table)))
        best = optimum_over_all_sets(space, ratio, Fraction(delta), table, prior)
        assert found.bound - 1e-7 <= best <= found.value + 1e-7
        assert found.value - found.bound <= 1e-6 * max(1.0, abs(found.value))
        objective = Objective(loss=LossMatrix(table), goal=Goal.WORST)
        worst = min_loss_with_delta(space, level, objective)
        assert worst.value == pytest.approx(
            optimum_over_all_sets(space, ratio, Fraction(delta), table), abs=1e-6
        )
        assert worst.bound <= worst.value + 1e-12
        assert worst.gap <= 1e-6 or worst.value < 1e-6


@pytest.mark.parametrize("values", [2, 3, 5, 9])
@pytest.mark.parametrize("delta", [Fraction(1, 1000), Fraction(1, 10), Fraction(1, 2)])
def test_complete_graphs_meet_the_closed_form_of_h16_theorem_4_8(values, delta):
    found = design(categories(values), Level.ratio(4, delta), loss=binary, goal=Goal.WORST)
    closed = (values - 1) * (1 - delta) / (values - 1 + 4)
    assert found.value == pytest.approx(float(closed), rel=1e-9)
    assert found.bound <= float(closed) * (1 + 1e-12)


def test_the_level_is_proved_and_smaller_deltas_fail():
    space, level = path(0, 9), Level.epsilon(1, "1e-6")
    found = min_loss_with_delta(space, level, Objective(loss=absolute))
    mechanism = found.certified.mechanism
    assert isinstance(verify(mechanism, space, level), Certificate)
    assert not isinstance(verify(mechanism, space, level.with_delta("0.99e-6")), Certificate)


def test_more_delta_never_loses_more():
    values = [
        min_loss_with_delta(path(0, 6), Level.ratio(2, delta), Objective(loss=squared)).value
        for delta in ("1e-9", "1e-4", "0.01", "0.3")
    ]
    assert values == sorted(values, reverse=True)
    pure = design(path(0, 6), Level.ratio(2), loss=squared, construction="optimal")
    assert values[0] == pytest.approx(pure.value, rel=1e-6)


def test_spaces_without_neighbors_have_no_delta():
    with pytest.raises(Refused, match="declares no neighbors"):
        min_loss_with_delta(grid((2, 2)), Level.ratio(2, "0.1"), Objective())
    with pytest.raises(Infeasible, match="declared neighbors"):
        design(grid((2, 2)), Level.ratio(2, "0.1"), construction="optimal")


def test_large_programs_are_refused_with_the_limit():
    with pytest.raises(TooLarge, match="250,000"):
        min_loss_with_delta(categories(70), Level.ratio(2, "0.1"), Objective())


def test_a_matrix_is_repaired_to_its_delta():
    space = path(0, 2)
    level = Level.ratio(2, "0.05")
    held = certify(np.eye(3), space, level)
    assert held.certificate.delta[1] <= Fraction(1, 20)
    assert held.certificate.delta[0] > Fraction(49, 1000)
