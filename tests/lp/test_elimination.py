"""Sparse factors of many matrices: the loops as Python, and compiled, against dense algebra."""

import numpy as np
import pytest

from tightrope.lp import kernels_numba, windows
from tightrope.lp.arcs import Arcs
from tightrope.lp.batches import BatchFactors, invert_triangles, solver
from tightrope.lp.dense import DenseFactors


def block_of(seed, width=70, copies=3):
    """Directed pairs of points on a line and a few far ones, and random lists of them."""
    rng = np.random.default_rng(seed)
    near = np.stack([np.arange(width - 1), np.arange(1, width)])
    far = np.sort(rng.integers(0, width, (2, 40)), axis=0)
    far = far[:, far[1] > far[0] + 1]
    first, second = np.unique(np.concatenate([near, far], axis=1), axis=1)
    arcs = Arcs.of(width, first, second, rng.uniform(0.2, 0.9, len(first)))
    line = np.flatnonzero(np.abs(arcs.heads - arcs.tails) == 1)
    lists = [np.union1d(line, rng.integers(0, len(arcs.tails), 30)) for _ in range(copies)]
    starts = np.cumsum([0, *map(len, lists)])
    pairs = np.concatenate(lists).astype(np.int32)
    return arcs, starts, pairs, rng.uniform(0.1, 10, len(pairs))


def newton_matrix(arcs, pairs, weights):
    push = np.zeros((len(pairs), arcs.width))
    push[range(len(pairs)), arcs.tails[pairs]] = 1
    push[range(len(pairs)), arcs.heads[pairs]] -= arcs.shares[pairs]
    return push.T @ (weights[:, None] * push)


@pytest.fixture(params=["as Python", "compiled", "with full triangles"])
def loops(request, monkeypatch):
    if request.param == "as Python":
        monkeypatch.setattr(kernels_numba, "_loop", _as_python)
        monkeypatch.setattr(windows, "_STRIP", 6)  # several strips of few columns
    if request.param != "compiled":
        monkeypatch.setattr(kernels_numba, "_LEAST_FULL", 1)
        monkeypatch.setattr(kernels_numba, "_FULL", 0.2)  # more than one block of 32 columns


def _as_python(name):
    loop = next(getattr(room, name) for room in kernels_numba._ROOMS if hasattr(room, name))

    def run(*given):
        with np.errstate(over="ignore"):  # bits are counted by a product that may be cut off
            return loop(*given)

    return run


@pytest.mark.usefixtures("loops")
@pytest.mark.parametrize("factors", [kernels_numba.SparseFactors, DenseFactors, BatchFactors])
def test_factors_solve_with_every_newton_matrix(factors):
    arcs, starts, pairs, weights = block_of(1)
    held = factors(arcs)
    for turn in range(2):  # the second time with the orders of the first
        held.factor(starts, pairs, weights * (1 + turn))
        sides = np.random.default_rng(2).normal(size=(3, arcs.width))
        found = held.solve(sides)
        for z in range(3):
            own = slice(starts[z], starts[z + 1])
            matrix = newton_matrix(arcs, pairs[own], weights[own] * (1 + turn))
            assert matrix @ found[z] == pytest.approx(sides[z], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("share", "last"), [(1.0, 3), (0.5, 5)])
def test_the_last_columns_are_those_that_are_nearly_full(share, last, monkeypatch):
    monkeypatch.setattr(kernels_numba, "_LEAST_FULL", 1)
    monkeypatch.setattr(kernels_numba, "_FULL", share)
    counts = np.array([0, 1, 1, 2, 1, 0])  # the last three columns are full, 5 of 10 of the last 5
    ends = np.stack([np.cumsum(counts), 5 + np.cumsum(counts)])
    assert kernels_numba._last_columns(ends) == last


@pytest.mark.usefixtures("loops")
@pytest.mark.parametrize("worst", [False, True])
@pytest.mark.parametrize("factors", [kernels_numba.SparseFactors, DenseFactors, BatchFactors])
def test_windows_add_up_the_inverses(factors, worst):
    arcs, starts, pairs, weights = block_of(3)
    rng = np.random.default_rng(4)
    classes = np.append(np.arange(10), rng.integers(0, 10, arcs.width - 10))
    sums = rng.uniform(0, 1, (3, arcs.width))
    costs = rng.uniform(0, 1, (3, arcs.width)) if worst else np.empty((0, arcs.width))
    held = factors(arcs)
    held.factor(starts, pairs, weights)
    gram = np.zeros((20, 20) if worst else (10, 10))
    held.add_windows(sums, costs, classes, np.tile(np.arange(10), (3, 1)), gram)
    expected = np.zeros_like(gram)
    for z in range(3):
        columns = np.zeros((arcs.width, 10))
        columns[range(arcs.width), classes] = sums[z]
        if worst:
            more = np.zeros((arcs.width, 10))
            more[range(arcs.width), classes] = costs[z]
            columns = np.append(columns, more, axis=1)
        own = slice(starts[z], starts[z + 1])
        matrix = newton_matrix(arcs, pairs[own], weights[own])
        expected += columns.T @ np.linalg.solve(matrix, columns)
    assert (gram + gram.T) / 2 == pytest.approx(expected, rel=1e-5)


@pytest.mark.usefixtures("loops")
@pytest.mark.parametrize("chosen", [400, 210, 60])
def test_windows_of_several_strips_are_parts_of_the_inverses(chosen):
    arcs, starts, pairs, weights = block_of(8, width=400, copies=2)
    held = kernels_numba.SparseFactors(arcs)
    held.factor(starts, pairs, weights)
    rng = np.random.default_rng(9)
    sums, gram, expected = np.ones((2, 400)), np.zeros((400, 400)), np.zeros((400, 400))
    windows = np.array([rng.permutation(400)[:chosen] for _ in range(2)])
    held.add_windows(sums, np.empty((0, 400)), np.arange(400), windows, gram)
    for z, window in enumerate(windows):
        own = slice(starts[z], starts[z + 1])
        inverse = np.linalg.inv(newton_matrix(arcs, pairs[own], weights[own]))
        expected[np.ix_(window, window)] += inverse[np.ix_(window, window)]
    assert (gram + gram.T) / 2 == pytest.approx(expected, rel=1e-4, abs=1e-6 * expected.max())


def test_a_window_has_the_chosen_classes_only():
    arcs, starts, pairs, weights = block_of(5)
    held = kernels_numba.SparseFactors(arcs)
    held.factor(starts, pairs, weights)
    gram = np.zeros((arcs.width, arcs.width))
    chosen = np.array([[3, 5], [3, 9], [60, 5]])
    held.add_windows(
        np.ones((3, arcs.width)), np.empty((0, arcs.width)), np.arange(arcs.width), chosen, gram
    )
    inside = np.zeros_like(gram, dtype=bool)
    for pair in chosen:
        inside[np.ix_(pair, pair)] = True
    gram = gram + gram.T
    assert (gram[inside] > 0).all()
    assert not gram[~inside].any()


def test_a_path_has_no_fill():
    width = 30
    arcs = Arcs.of(width, np.arange(29), np.arange(1, 30), np.full(29, 0.5))
    held = kernels_numba.SparseFactors(arcs)
    held.factor(np.array([0, 58]), np.arange(58, dtype=np.int32), np.ones(58))
    assert len(held.factors[2]) == width - 1


def test_triangles_of_any_side_are_inverted_as_one_stack():
    rng = np.random.default_rng(6)
    for side in (1, 16, 17, 50):
        lowers = np.tril(rng.normal(size=(4, side, side))) + side * np.eye(side)
        assert invert_triangles(lowers) @ lowers == pytest.approx(
            np.tile(np.eye(side), (4, 1, 1)), abs=1e-12
        )


@pytest.mark.parametrize("rows", [5, 210])
def test_a_solver_is_given_for_positive_matrices_only(rows):
    root = np.random.default_rng(7).normal(size=(rows, rows))
    matrix = root @ root.T + np.eye(rows)
    solve = solver(matrix)
    assert matrix @ solve(np.arange(rows) + 1.0) == pytest.approx(np.arange(rows) + 1.0)
    assert solver(matrix - 2 * np.trace(matrix) * np.eye(rows)) is None
