"""Columns put right: every way leads into the cone, rows add up, and factors are undone."""

import numpy as np
import pytest

from tightrope.constructions import min_loss_given_level
from tightrope.constructions.optimum import columns, optimal
from tightrope.lp import minimize
from tightrope.spaces import grid, path
from tightrope.symmetry import Symmetry
from tightrope.utility import absolute

N = 8
KERNEL = np.exp(-np.abs(np.subtract.outer(np.arange(N), np.arange(N))).astype(float))
NONE = Symmetry(N, N)


def mechanism():
    """The geometric mechanism on a path: multiples of exponential columns that add up to one."""
    return KERNEL * np.linalg.solve(KERNEL, np.ones(N))[:, None]


def assert_right(found):
    """Rows add up to one, and every pair of every column holds."""
    assert found.sum(axis=0) == pytest.approx(np.ones(N))
    for column in found:
        assert (column >= (KERNEL * column).max(axis=1) * (1 - 1e-9)).all()


@pytest.mark.parametrize("seed", range(5))
def test_what_rows_lack_is_made_up_for_inside_the_cone(seed):
    rng, exact = np.random.default_rng(seed), mechanism()
    given = columns.lift(exact * rng.uniform(0.9, 1.1, exact.shape), KERNEL)
    for column in given:
        assert (column >= (KERNEL * column).max(axis=1) * (1 - 1e-9)).all()
    totals = given.sum(axis=0)
    whole = columns._whole(totals, KERNEL)
    assert_right(columns._fill_largest(given, whole - totals, np.ones(N)) / whole)
    assert_right(columns._mix_rays(given, KERNEL, KERNEL.T, totals))


@pytest.mark.parametrize("seed", range(3))
def test_of_all_ways_to_put_columns_right_that_worth_least_is_taken(seed):
    worths = []

    def worth(found):
        worths.append(float(np.abs(found - exact).sum()))
        return worths[-1]

    rng, exact = np.random.default_rng(seed), mechanism()
    given = exact * rng.uniform(0.9, 1.1, exact.shape) * rng.uniform(0.2, 2, N)[:, None]
    found = columns.balance(given, KERNEL, NONE, KERNEL, worth)
    assert found.sum(axis=0) == pytest.approx(np.ones(N))
    assert len(set(worths)) > 2
    assert np.abs(found - exact).sum() == pytest.approx(min(worths))


def test_pairs_that_fail_are_mended_before_anything_else():
    def broken(found):
        return max(float(((KERNEL * column).max(axis=1) / column).max()) for column in found)

    given = mechanism()
    given[2, 5] /= 2
    assert broken(given) > 1.5
    assert broken(columns.balance(given, KERNEL, NONE, KERNEL, broken)) <= 1 + 1e-9


def test_factors_of_columns_are_undone():
    exact = mechanism()
    times = np.array([1.0, 7.0, 0.5, 1.2, 1.0, 0.9, 2.0, 0.3])
    found = columns.balance(
        exact * times[:, None], KERNEL, NONE, KERNEL, lambda given: np.abs(given - exact).sum()
    )
    assert found == pytest.approx(exact)
    rows = (exact * times[:, None]).T
    assert rows @ columns._factors(rows) == pytest.approx(np.ones(N))  # 1/7 takes two rounds


def test_columns_of_the_search_are_put_right_at_the_end(monkeypatch):
    prior = np.random.default_rng(7).dirichlet(np.ones(N))
    asked = {"prior": prior, "loss": absolute}
    best = min_loss_given_level(path(0, N - 1), 1, **asked)

    def scaled(program, **given):
        found = minimize(program, **given)
        found.vectors[:] *= np.random.default_rng(1).uniform(0.5, 2, (N, 1))
        return found

    monkeypatch.setattr(optimal, "minimize", scaled)
    found = min_loss_given_level(path(0, N - 1), 1, **asked)
    assert found.value == pytest.approx(best.value, rel=1e-5)


def test_near_pairs_are_no_more_than_are_scanned(monkeypatch):
    space, copies = grid((8, 8)), 64
    for most in (100, 300, 700):
        monkeypatch.setattr(columns, "MOST_SCANNED", 2 * copies * most)
        first, second = columns.near_pairs(space, copies)
        assert 63 <= len(first) <= most
        lengths = space.lengths(first, second)
        pairs = space.edges()
        every = space.lengths(pairs.first, pairs.second)
        if most > 200:  # all of the shorter lengths, not only those that connect
            assert len(first) == np.count_nonzero(every <= lengths.max() * (1 + 1e-9))
