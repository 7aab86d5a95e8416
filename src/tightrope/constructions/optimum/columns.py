"""Columns of the privacy cone: which pairs to constrain, where to start, how to restore them.

The optimum is found with the nearest pairs of a large space only, and pairs that are not in a
column's list may fail by a little. Columns are lifted back, v[a] = max_b e^(-ε d(a,b)) v[b],
and then multiplied by factors near one that make all rows add up to one again: a positive
multiple of a column stays in the cone, whereas renormalizing rows would leave it. The residual
that factors leave is removed by a small share of exponential columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tightrope.exact import FloatArray, IntArray, Level, tolerances
from tightrope.spaces import Space
from tightrope.symmetry import Symmetry

MOST_SCANNED = 1_200_000_000
"""Directed pairs of all columns together; beyond, only the nearest pairs are constrained.

Each step scans all of them once, in a second or two."""

_INSIDE = 0.8
"""Share of ε at which the columns of the start are exponential: strictly inside the cone."""

_FACTORS = (0.3, 3.0)
"""Bounds on the change of a column's factor in one round."""

_ROUNDS = 25
"""Least-squares steps for the factors; `balance` removes the residual that they leave."""


def length_matrix(space: Space) -> FloatArray:
    """The distances of all pairs, in doubles."""
    everyone = np.arange(space.size)
    return np.asarray(space.lengths(everyone[:, None], everyone[None, :]), dtype=np.float64)


def near_pairs(space: Space, copies: int) -> tuple[IntArray, IntArray]:
    """The irreducible pairs, or the nearest of them where `copies` columns have too many.

    All pairs of one length are taken or left together, so that symmetry is kept, and pairs
    that connect the space are always taken.
    """
    edges = space.edges()
    if 2 * len(edges) * copies <= MOST_SCANNED:
        return edges.first, edges.second
    lengths = space.lengths(edges.first, edges.second)
    room = min(max(space.size, MOST_SCANNED // (2 * copies)), len(lengths) - 1)
    limit = np.partition(lengths, room)[room]
    chosen = lengths < limit * (1 - tolerances.LENGTH_ERROR)
    chosen[_spanning_tree(edges.first, edges.second, lengths, space.size)] = True
    return edges.first[chosen], edges.second[chosen]


def _spanning_tree(first: IntArray, second: IntArray, lengths: FloatArray, size: int) -> IntArray:
    """Positions of pairs that form a shortest spanning tree."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    order = np.argsort(lengths, kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    tree = minimum_spanning_tree(coo_array((ranks, (first, second)), shape=(size, size)).tocsr())
    return np.asarray(order[tree.data.astype(np.int64) - 1])


@dataclass(frozen=True, eq=False)
class Rays:
    """For every output the exponential column (an extreme ray) around the inputs it suits best.

    `reach` has the distance of each input (column) from those, one row for each output.
    """

    reach: FloatArray
    epsilon: float

    @classmethod
    def of(cls, losses: FloatArray, lengths: FloatArray, epsilon: float) -> Rays:
        """The columns for a matrix of losses (inputs × outputs)."""
        best = losses == losses.min(axis=0)
        reach = np.empty(losses.T.shape)
        for z, members in enumerate(best.T):
            reach[z] = lengths[:, members].min(axis=1)
        return cls(reach, epsilon)

    @property
    def columns(self) -> FloatArray:
        """e^(-ε reach)."""
        return np.asarray(np.exp(-self.epsilon * self.reach))

    def start(self) -> FloatArray:
        """Columns strictly inside the cone that add up to one.

        Multiples of exponential columns at a lower level, where they exist; else such columns
        at half of it, divided by the sums of their rows.
        """
        outputs, inputs = self.reach.shape
        kernel = np.exp(-_INSIDE * self.epsilon * self.reach)
        if outputs == inputs:
            try:
                weights = np.linalg.solve(kernel.T, np.ones(inputs))
            except np.linalg.LinAlgError:
                weights = np.zeros(1)
            if weights.min() > tolerances.LEAST_START * weights.max():
                return np.asarray(kernel * weights[:, None])
        halves = np.sqrt(kernel)
        return np.asarray(halves / halves.sum(axis=0))


def lift(columns: FloatArray, kernel: FloatArray) -> FloatArray:
    """The least columns of the cone that are nowhere below the given ones."""
    return np.array([(kernel * column).max(axis=1) for column in columns])


def balance(
    columns: FloatArray,
    kernel: FloatArray,
    symmetry: Symmetry,
    rays: FloatArray,
    worth: Callable[[FloatArray], float],
) -> FloatArray:
    """Columns inside the cone whose rows add up to one, close to those given.

    Row k is Σ_z sizes[z] · mean over class k of column z. The primal residual that factors leave
    is spread evenly, added to the largest column, or removed by a share of `rays`, with factors
    or without: the candidate with the least `worth` wins. Spread evenly, tiny entries may leave
    the cone; `repair` fixes that.
    """
    classes, sizes = symmetry.input_orbits, symmetry.sizes.astype(np.float64)
    counts = np.bincount(classes)

    def rows_of(given: FloatArray) -> FloatArray:
        parts = np.array([np.bincount(classes, column) for column in given]) / counts
        return np.asarray((parts * sizes[:, None]).T)

    lifted = lift(columns, kernel)
    scaled = lifted * _factors(rows_of(lifted))[:, None]
    candidates = []
    for given in (scaled, lifted):
        totals = rows_of(given).sum(axis=1)
        if np.abs(totals - 1).max() < tolerances.BALANCE_ERROR:
            candidates.append(given)
            continue
        whole = _whole(totals[classes], kernel)
        extra = (whole - totals)[classes]
        candidates.append((given + extra / sizes.sum()) / whole)
        candidates.append(_fill_largest(given, extra, sizes) / whole)
        mixed = _mix_rays(given, rays, rows_of(rays), totals)
        if mixed is not None:
            candidates.append(mixed)
    return min(candidates, key=worth)


def _factors(rows: FloatArray) -> FloatArray:
    """Factors of columns, close to one, that bring the row sums close to one."""
    factors = np.ones(rows.shape[1])
    for _ in range(_ROUNDS):
        residual = 1 - rows @ factors
        if np.abs(residual).max() < tolerances.BALANCE_ERROR:
            break
        scaled = rows * factors
        wide = scaled.shape[0] <= scaled.shape[1]
        square = scaled @ scaled.T if wide else scaled.T @ scaled
        square[np.diag_indices(len(square))] += tolerances.BALANCE_ERROR * np.trace(square)
        if wide:
            change = scaled.T @ np.linalg.solve(square, residual)
        else:  # the same, by a smaller system
            change = np.linalg.solve(square, scaled.T @ residual)
        factors = factors * np.clip(1 + change, *_FACTORS)
    return factors


def _whole(totals: FloatArray, kernel: FloatArray) -> float:
    """The least common row sum at which the residuals of all rows form a column of the cone.

    That is the least c with c - t[a] >= κ(a,b) (c - t[b]) for all a, b, with room for rounding.

    >>> round(_whole(np.array([1.0, 0.75]), np.array([[1.0, 0.5], [0.5, 1.0]])), 12)
    1.25
    """
    apart = ~np.eye(len(kernel), dtype=np.bool_)
    needed = totals[:, None] - kernel * totals + tolerances.TOTAL_ERROR
    return float(np.max(needed[apart] / (1 - kernel[apart]), initial=totals.max()))


def _fill_largest(columns: FloatArray, extra: FloatArray, sizes: FloatArray) -> FloatArray:
    """Columns with the residual of the rows added to the largest one."""
    most = int(np.argmax(sizes * columns.sum(axis=1)))
    filled = columns.copy()
    filled[most] += extra / sizes[most]
    return filled


def _mix_rays(
    columns: FloatArray, rays: FloatArray, rows: FloatArray, totals: FloatArray
) -> FloatArray | None:
    """A mixture of columns and rays whose rows add up to one; None if there is none."""
    if rows.shape[0] != rows.shape[1]:
        return None
    try:
        whole, rest = np.linalg.solve(rows, np.stack([np.ones(len(rows)), 1 - totals], axis=1)).T
    except np.linalg.LinAlgError:
        return None
    if not whole.min() > 0:
        return None
    share = max(0.0, float((-rest / whole).max()))
    weights = (rest + share * whole) / (1 + share)
    return np.asarray(columns / (1 + share) + rays * np.maximum(weights, 0)[:, None])


def inner_kernel(lengths: FloatArray, space: Space, level: Level) -> FloatArray:
    """e^(-ε d) of all pairs, just inside the level."""
    return np.asarray(np.exp(-float(level.pure.inside(space.least_distance)) * lengths))
