"""The best answer to give for each output: post-processing that costs no privacy."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import SolverFailed
from tightrope.exact import check_entries
from tightrope.mechanisms import (
    FiniteMechanism,
    Held,
    KernelMechanism,
    Matrix,
    MatrixMechanism,
    RemappedMechanism,
    finite_form,
    matrix_form,
    remap,
)
from tightrope.spaces import Label
from tightrope.utility.expectation import probabilities
from tightrope.utility.losses import LossLike, loss_of
from tightrope.utility.problem import Problem

_SHARE_BITS = 40
"""Bits of the shares of a randomized remap: far below the error of the solver."""


def best_remap(mechanism: FiniteMechanism | Held | Matrix, problem: Problem) -> tuple[int, ...]:
    """For every output of the mechanism, the answer with the least expected loss given it.

    Ties go to the output itself where it is among the answers at the same place, else to the
    first answer.

    Returns: for each output the index of its answer in `problem.answers`.

    Raises: `BadMatrix` for a matrix that does not fit the space; `BadInput` for integer noise.

    >>> from tightrope.spaces import path
    >>> coin = MatrixMechanism.of([["3/4", "1/4"], ["1/2", "1/2"], ["1/4", "3/4"]], path(0, 2))
    >>> best_remap(coin, Problem("path:0..2", 2, loss="absolute"))
    (0, 1)
    """
    mechanism = matrix_form(mechanism, problem.space)
    joint = problem.chances[:, None] * probabilities(mechanism)
    expected = joint.T @ problem.losses
    best = expected.min(axis=1)
    chosen = expected.argmin(axis=1)
    if tuple(problem.answers) == tuple(mechanism.outputs):
        stays = expected[np.arange(len(best)), np.arange(len(best))] <= best
        chosen = np.where(stays, np.arange(len(best)), chosen)
    return tuple(int(answer) for answer in chosen)


def apply_best_remap(mechanism: FiniteMechanism, problem: Problem) -> FiniteMechanism:
    """The mechanism followed by its best remap; the mechanism itself if nothing moves.

    A kernel stays a kernel, with the answer to each of its outputs.
    """
    assignment, outputs = best_remap(mechanism, problem), problem.answers
    if tuple(outputs) == tuple(mechanism.outputs) and assignment == tuple(range(len(outputs))):
        return mechanism
    if isinstance(mechanism, KernelMechanism):
        return RemappedMechanism(mechanism, assignment, outputs)
    moved: MatrixMechanism = remap(mechanism, assignment, outputs)
    return moved


def worst_case_remap(
    mechanism: FiniteMechanism | Held, *, loss: LossLike = None, outputs: Sequence[Label]
) -> tuple[tuple[Fraction, ...], ...]:
    """For every output of the mechanism, a law on answers that suits the worst input.

    minimize max_y Σ_z P(z | y) Σ_r R[z, r] loss[y, r] over stochastic R. Rows add up to 1
    exactly, so that `cascade` with R is post-processing; the minimum is reached within the
    solver's error. On a path, where the loss of every input grows with distance, the geometric
    followed by this remap is the best there is for the worst input (Gupte and Sundararajan).

    Returns: for each output of the mechanism a tuple of fractions, the chances of `outputs`.

    Raises: `SolverFailed` if the linear program was not solved; `BadInput` for no `outputs`, an
    unknown loss or a bare matrix.

    >>> from tightrope.exact import Weights
    >>> from tightrope.spaces import categories
    >>> from tightrope.utility import binary
    >>> even = MatrixMechanism(categories(2), ("a", "b"), Weights.from_floats(np.eye(2)[:, ::-1]))
    >>> [[str(p) for p in law] for law in worst_case_remap(even, loss=binary, outputs=(0, 1))]
    [['0', '1'], ['1', '0']]
    """
    mechanism = finite_form(mechanism)
    table = loss_of(loss, mechanism.space, outputs).matrix(mechanism.space, outputs)
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    chances = probabilities(mechanism)
    inputs, given, answers = *chances.shape, len(outputs)
    check_entries(inputs, given * answers)
    costs = (chances[:, :, None] * table[:, None, :]).reshape(inputs, -1)
    heights = np.concatenate([costs, -np.ones((inputs, 1))], axis=1)
    places = np.arange(given * answers)
    even = coo_array(
        (np.ones(len(places)), (places // answers, places)), shape=(given, len(places) + 1)
    )
    solution = linprog(
        np.append(np.zeros(len(places)), 1.0), A_ub=heights, b_ub=np.zeros(inputs),
        A_eq=even.tocsr(), b_eq=np.ones(given),
        bounds=[(0, None)] * len(places) + [(None, None)], method="highs",
    )
    if solution.x is None:
        raise SolverFailed("the best randomized remap was not found.")
    return tuple(_law(row) for row in solution.x[:-1].reshape(given, answers))


def _law(row: NDArray[np.float64]) -> tuple[Fraction, ...]:
    """Shares in units of 2^-40 that add up to 1; the largest takes the rounding error."""
    shares = row / row.sum()
    units = [int(part) for part in np.ldexp(shares, _SHARE_BITS)]
    units[int(np.argmax(shares))] += 2**_SHARE_BITS - sum(units)
    return tuple(Fraction(part, 2**_SHARE_BITS) for part in units)
