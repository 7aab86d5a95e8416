"""Inverses of the Newton matrices of a block of copies, all at once.

For matrices of a hundred rows a call of LAPACK takes longer than its work, and products of
whole stacks of matrices run ten times as fast as anything else. So all copies are factored by
one call, triangles are inverted by halves (products of stacks), and inverses are kept. Newton
matrices have no positive entry beside the diagonal: their inverses have no negative one, and
products with them cancel nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, tolerances
from tightrope.lp.arcs import Arcs

LARGEST = 200
"""Rows up to which this is quicker than one call of LAPACK for each matrix."""

_TOGETHER = 200_000
"""Entries of the matrices that are worked on together: few enough for a processor's cache."""

_SMALLEST = 16
"""Rows up to which triangles are inverted row by row."""


class BatchFactors:
    """L⁻¹ of every copy, where D H D = L Lᵀ with H its Newton matrix."""

    def __init__(self, arcs: Arcs) -> None:
        self.arcs = arcs
        self.entries = 0
        self.inverses = np.empty((0, arcs.width, arcs.width))
        self.scales = np.empty((0, arcs.width))

    def factor(self, starts: IntArray, pairs: IntArray, weights: FloatArray) -> None:
        """Invert H = Gᵀ W G of every copy."""
        self.scales, matrices = newton_matrices(self.arcs, starts, pairs, weights)
        self.entries = matrices.size
        if self.inverses.shape != matrices.shape:
            self.inverses = np.empty_like(matrices)
        many = max(1, _TOGETHER // self.arcs.width**2)
        try:
            for start in range(0, len(matrices), many):
                own = slice(start, start + many)
                lowers = np.asarray(np.linalg.cholesky(matrices[own]), dtype=np.float64)
                self.inverses[own] = invert_triangles(lowers)
        except np.linalg.LinAlgError:
            raise SolverFailed(
                "a Newton matrix of the cone program is not positive definite."
            ) from None

    def solve(self, sides: FloatArray) -> FloatArray:
        """H⁻¹ sides, copy by copy."""
        halves = np.einsum("zij,zj->zi", self.inverses, sides * self.scales)
        solution = np.matmul(halves[:, None], self.inverses)[:, 0]
        return np.asarray(solution * self.scales)

    def add_windows(
        self, sums: FloatArray, costs: FloatArray, classes: IntArray, chosen: IntArray,
        gram: FloatArray, double: bool = True,
    ) -> None:
        """Add Aᵀ H⁻¹ A of every copy to `gram`; all classes are taken, whichever are chosen."""
        half = int(classes.max()) + 1

        def product(left: FloatArray, right: FloatArray) -> FloatArray:
            first = (self.inverses * left[:, None]).reshape(-1, len(classes))
            second = first
            if right is not left:
                second = (self.inverses * right[:, None]).reshape(first.shape)
            return class_sums(first.T @ second, classes)

        left = sums * self.scales
        gram[:half, :half] += product(left, left)
        if len(costs):
            right = costs * self.scales
            beside = product(left, right)
            gram[half:, half:] += product(right, right)
            gram[:half, half:] += beside
            gram[half:, :half] += beside.T


def class_sums(matrix: FloatArray, classes: IntArray) -> FloatArray:
    """Sums of a matrix over the classes of its rows and of its columns.

    >>> class_sums(np.arange(9.0).reshape(3, 3), np.array([0, 1, 0])).tolist()
    [[16.0, 8.0], [8.0, 4.0]]
    """
    order = np.argsort(classes, kind="stable")
    starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
    ordered = matrix[order][:, order]
    if len(starts) == len(classes):
        return ordered
    return np.asarray(np.add.reduceat(np.add.reduceat(ordered, starts, axis=1), starts))


def solver(matrix: FloatArray) -> Callable[[FloatArray], FloatArray] | None:
    """A function that solves systems with a matrix; None where it is not positive definite.

    >>> quarter = solver(np.array([[4.0, 0.0], [0.0, 4.0]]))
    >>> quarter(np.array([1.0, 3.0])).tolist()
    [0.25, 0.75]
    """
    if len(matrix) > LARGEST:
        from scipy.linalg import lapack  # slow to import

        lower, failed = lapack.dpotrf(matrix, lower=1)
        return None if failed else lambda side: lapack.dpotrs(lower, side, lower=1)[0]
    try:
        lowers = np.asarray(np.linalg.cholesky(matrix[None]), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    inverse = invert_triangles(lowers)[0]
    return lambda side: np.asarray(inverse.T @ (inverse @ side))


def newton_matrices(
    arcs: Arcs, starts: IntArray, pairs: IntArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Scales D of every copy, and D H D with H = Gᵀ W G, its lower triangle only."""
    n, copies = arcs.width, len(starts) - 1
    tails, heads, shares = arcs.ends(starts, pairs)
    totals = np.bincount(tails, weights, minlength=copies * n)
    totals += np.bincount(heads, weights * shares**2, minlength=copies * n)
    scales = 1 / np.sqrt(totals)
    beside = -weights * shares * scales[tails] * scales[heads]
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    entries = np.bincount(high * n + low % n, beside, minlength=copies * n * n)
    matrices = np.asarray(entries, dtype=np.float64).reshape(copies, n, n)
    matrices[:, range(n), range(n)] = 1 + tolerances.CONE_REGULARIZATION
    return scales.reshape(copies, n), matrices


def invert_triangles(lowers: FloatArray) -> FloatArray:
    """The inverses of a stack of lower triangles: of short ones on the diagonal, then joined.

    >>> invert_triangles(np.array([[[2.0, 0.0], [1.0, 1.0]]])).tolist()
    [[[0.5, 0.0], [-0.5, 1.0]]]
    """
    copies, n, _ = lowers.shape
    parts = 1
    while -(-n // parts) > _SMALLEST:
        parts *= 2
    side = -(-n // parts)
    padded = np.zeros((copies, side * parts, side * parts))
    padded[:, :n, :n] = lowers
    padded[:, range(n, side * parts), range(n, side * parts)] = 1.0
    inverses = _row_by_row(_beside(padded, side, 0))
    while parts > 1:
        inverses = _join_halves(inverses, _beside(padded, side, 1))
        side, parts = 2 * side, parts // 2
    return inverses[:, :n, :n]


def _beside(lowers: FloatArray, side: int, below: int) -> FloatArray:
    """The blocks on the diagonal, in a row; or every other one of those just below it."""
    copies, n, _ = lowers.shape
    blocks = lowers.reshape(copies, n // side, side, n // side, side)
    rows = np.arange(below, n // side, 1 + below)
    return np.asarray(blocks[:, rows, :, rows - below].swapaxes(0, 1).reshape(-1, side, side))


def _row_by_row(lowers: FloatArray) -> FloatArray:
    """The inverses of short triangles, worked on side by side."""
    across = np.ascontiguousarray(lowers.transpose(1, 2, 0))
    inverses = np.zeros_like(across)
    for row, entries in enumerate(across):
        inverses[row, row] = 1 / entries[row]
        for column in range(row):
            sums = (entries[column:row] * inverses[column:row, column]).sum(axis=0)
            inverses[row, column] = -sums * inverses[row, row]
    return np.ascontiguousarray(inverses.transpose(2, 0, 1))


def _join_halves(inverses: FloatArray, below: FloatArray) -> FloatArray:
    """The inverses of triangles of twice the side, from those of their halves."""
    side = below.shape[1]
    above, under = inverses[0::2], inverses[1::2]
    joined = np.zeros((len(below), 2 * side, 2 * side))
    joined[:, :side, :side], joined[:, side:, side:] = above, under
    joined[:, side:, :side] = -np.matmul(under, np.matmul(below, above))
    return joined
