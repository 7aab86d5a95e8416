"""Columns of the privacy cone: which pairs to ask for, and how to put computed columns right.

The optimum is found with the nearest pairs of a large space only, so its columns may leave
the cone at far pairs by a little. They are lifted back, v[a] = max_b e^(-ε d(a,b)) v[b], and
then multiplied by factors near one that make all rows add up to one again: a positive
multiple of a column stays in the cone, whereas renormalizing rows would leave it.
"""

from __future__ import annotations

import numpy as np

from tightrope.exact import FloatArray, IntArray, Level, tolerances
from tightrope.spaces import Space

MOST_MULTIPLIERS = 20_000_000
"""Multipliers on pairs of all columns together; beyond, only the nearest pairs are asked for.

For gaps of 1e-3 and more, half of them will do, or some more."""

_NEAR = 70
"""Pairs of each point that suffice for a gap of 1e-3 on plane grids."""


def kernel_matrix(space: Space, epsilon: float) -> FloatArray:
    """e^(-ε d) of all pairs."""
    everyone = np.arange(space.size)
    return np.asarray(np.exp(-epsilon * space.lengths(everyone[:, None], everyone[None, :])))


def near_pairs(space: Space, copies: int, gap: float) -> tuple[IntArray, IntArray]:
    """The irreducible pairs, or the nearest of them where `copies` columns have too many.

    All pairs of one length are taken or left together, so that symmetry is kept, and pairs
    that connect the space are always taken.
    """
    edges = space.edges()
    most = MOST_MULTIPLIERS
    if gap >= tolerances.COARSE_GAP:
        most = min(most, max(most // 2, _NEAR * space.size * copies))
    if 2 * len(edges) * copies <= most:
        return edges.first, edges.second
    lengths = space.lengths(edges.first, edges.second)
    room = max(space.size, most // (2 * copies))
    limit = np.partition(lengths, min(room, len(lengths) - 1))[min(room, len(lengths) - 1)]
    chosen = lengths < limit * (1 - tolerances.LENGTH_ERROR)
    chosen[_connecting(edges.first, edges.second, lengths, space.size)] = True
    return edges.first[chosen], edges.second[chosen]


def _connecting(first: IntArray, second: IntArray, lengths: FloatArray, size: int) -> IntArray:
    """Positions of pairs that form a shortest spanning tree."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    order = np.argsort(lengths, kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    tree = minimum_spanning_tree(coo_array((ranks, (first, second)), shape=(size, size)).tocsr())
    return np.asarray(order[tree.data.astype(np.int64) - 1])


def balance(
    columns: FloatArray, space: Space, level: Level, classes: IntArray, sizes: FloatArray
) -> FloatArray:
    """Columns inside the cone whose rows add up to one, as near as can be to those given.

    Row k is Σ_z sizes[z] · mean over class k of column z. What rounding leaves for `repair`
    is tiny where the factors exist; otherwise an even share of the rest makes rows add up.
    """
    kernel = kernel_matrix(space, float(level.pure.inside(space.least_distance)))
    lifted = np.array([(kernel * column).max(axis=1) for column in columns])
    counts = np.bincount(classes)
    parts = np.array([np.bincount(classes, column) for column in lifted]) / counts
    rows = (parts * sizes[:, None]).T
    factors = 1 + np.linalg.lstsq(rows, 1 - rows.sum(axis=1), rcond=None)[0]
    if factors.min() > 0.5 and factors.max() < 2:
        lifted *= factors[:, None]
        rows = rows * factors
    totals = rows.sum(axis=1)
    if np.abs(totals - 1).max() > tolerances.ROW_TOTAL_ERROR:
        lifted /= totals.max()
        lifted += ((1 - totals / totals.max()) / sizes.sum())[classes]
    return lifted
