"""Work on the lists of pairs of a block of copies, by whole arrays, and dense factors.

The same functions as in `loops` and `elimination`, for small programs, where calls of numpy
and LAPACK are quicker than loading a compiler, and for computers that have none.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, tolerances
from tightrope.lp.arcs import Arcs


def relist(
    vectors: FloatArray, starts: IntArray, pairs: IntArray, slacks: FloatArray,
    multipliers: FloatArray, arcs: Arcs, middle: float, limits: FloatArray,
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Lists without pairs that are far from tight, with those that came near."""
    drop, add, credit, part = limits
    copies, n = vectors.shape
    count = len(arcs.tails)
    tops = vectors[:, arcs.tails]
    units = tops * arcs.rooms
    gaps = tops - arcs.shares * vectors[:, arcs.heads]
    places = _owners(starts) * count + pairs
    listed = np.zeros(copies * count, dtype=np.bool_)
    listed[places] = True
    listed = listed.reshape(copies, count)
    wanted = np.where(listed, arcs.fixed | (gaps < drop * units), gaps < add * units)
    chosen = np.flatnonzero(wanted)
    found = np.searchsorted(places, chosen)
    found[found == len(places)] = 0
    old = listed.ravel()[chosen]
    leaving = np.bincount(
        _owners(starts) * n + arcs.tails[pairs], multipliers, minlength=copies * n
    )
    kinds = chosen % count
    rows = chosen // count * n
    credited = np.maximum(gaps.ravel()[chosen], credit * units.ravel()[chosen])
    returned = leaving[rows + arcs.heads[kinds]] / arcs.shares[kinds]
    most = part * np.minimum(leaving[rows + arcs.tails[kinds]], returned)
    entering = np.minimum(middle / credited, most)
    weights = np.where(old, multipliers[found], entering)
    distances = np.where(old, slacks[found], middle / weights)
    ends = np.cumsum(wanted.sum(axis=1))
    return np.append(0, ends), kinds.astype(np.int32), distances, weights


def rescale(
    starts: IntArray, pairs: IntArray, multipliers: FloatArray, arcs: Arcs, missing: FloatArray,
    rounds: int, sweeps: int, low: float, high: float,
) -> None:
    """Multiply all that leaves a place by 1 + x, so that what is missing there is made up."""
    size = missing.size
    places = _owners(starts) * arcs.width
    tails, heads = places + arcs.tails[pairs], places + arcs.heads[pairs]
    shares = arcs.shares[pairs]
    leaving, arriving = _flows(tails, heads, shares, multipliers, size)
    allowed = missing.ravel() + leaving - arriving
    for turn in range(rounds):
        carried = shares * multipliers
        enough = tolerances.RESCALING_ERROR * leaving.max()
        missed = allowed - leaving + arriving
        x = np.zeros(size)
        for _ in range(sweeps):
            y = missed + np.bincount(heads, carried * x[tails], minlength=size)
            y[leaving == 0] = 0
            error = np.abs(y - leaving * x).max()
            x = np.divide(y, leaving, out=x, where=leaving > 0)
            if error < enough:
                break
        multipliers *= 1 + np.clip(x[tails], low, high)
        if turn + 1 == rounds:
            return
        leaving, arriving = _flows(tails, heads, shares, multipliers, size)
        lacking = leaving - arriving - allowed
        short = (lacking > 100 * enough) & (arriving > 0)
        if not short.any():
            return
        more = np.ones(size)
        more[short] += lacking[short] / arriving[short]
        multipliers *= more[heads]
        leaving, arriving = _flows(tails, heads, shares, multipliers, size)


def _flows(
    tails: IntArray, heads: IntArray, shares: FloatArray, multipliers: FloatArray, size: int
) -> tuple[FloatArray, FloatArray]:
    """What leaves every place of every copy, and what arrives there."""
    leaving = np.bincount(tails, multipliers, minlength=size)
    arriving = np.bincount(heads, shares * multipliers, minlength=size)
    return np.asarray(leaving, dtype=np.float64), np.asarray(arriving, dtype=np.float64)


def reship(
    starts: IntArray, pairs: IntArray, multipliers: FloatArray, arcs: Arcs, allowed: FloatArray,
    sweeps: int, enough: float,
) -> None:
    """Send to each place only what it lacks, from where it came before and in the same parts."""
    size = allowed.size
    places = _owners(starts) * arcs.width
    tails, heads = places + arcs.tails[pairs], places + arcs.heads[pairs]
    arriving = np.bincount(heads, arcs.shares[pairs] * multipliers, minlength=size)
    parts = multipliers / arriving[heads]
    lacking = np.zeros(size)
    for _ in range(sweeps):
        leaving = np.bincount(tails, parts * lacking[heads], minlength=size)
        more = np.maximum(0.0, leaving - allowed.ravel())
        change = np.abs(more - lacking).max()
        lacking = more
        if change <= enough:
            break
    multipliers[:] = parts * lacking[heads]


def pull(starts: IntArray, pairs: IntArray, numbers: FloatArray, arcs: Arcs) -> FloatArray:
    """Gᵀ numbers, one row for each copy."""
    copies, n = len(starts) - 1, arcs.width
    places = _owners(starts) * n
    found = np.bincount(places + arcs.tails[pairs], numbers, minlength=copies * n)
    taken = arcs.shares[pairs] * numbers
    found = found - np.bincount(places + arcs.heads[pairs], taken, minlength=copies * n)
    return np.asarray(found.reshape(copies, n))


def push(starts: IntArray, pairs: IntArray, vectors: FloatArray, arcs: Arcs) -> FloatArray:
    """G vectors, pair by pair."""
    places, flat = _owners(starts) * arcs.width, vectors.ravel()
    reached = arcs.shares[pairs] * flat[places + arcs.heads[pairs]]
    return np.asarray(flat[places + arcs.tails[pairs]] - reached)


def _owners(starts: IntArray) -> IntArray:
    """The copy of every listed pair."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


class DenseFactors:
    """Cholesky factors of the Newton matrices of a block, D H D = L Lᵀ each."""

    def __init__(self, arcs: Arcs) -> None:
        self.arcs = arcs
        self.entries = 0
        self.lowers: list[FloatArray] = []
        self.scales = np.empty((0, arcs.width))

    def factor(self, starts: IntArray, pairs: IntArray, weights: FloatArray) -> None:
        """Factor H = Gᵀ W G of every copy."""
        arcs, n, copies = self.arcs, self.arcs.width, len(starts) - 1
        places = _owners(starts) * n
        tails, heads, shares = arcs.tails[pairs], arcs.heads[pairs], arcs.shares[pairs]
        totals = np.bincount(places + tails, weights, minlength=copies * n)
        totals += np.bincount(places + heads, weights * shares**2, minlength=copies * n)
        scales = 1 / np.sqrt(totals)
        beside = -weights * shares * scales[places + tails] * scales[places + heads]
        low, high = np.minimum(tails, heads), np.maximum(tails, heads)
        places = (places + low) * n + high  # the lower triangle, column by column
        matrices = np.bincount(places, beside, minlength=copies * n * n).reshape(copies, n, n)
        matrices[:, range(n), range(n)] = 1 + tolerances.CONE_REGULARIZATION
        self.scales, self.lowers, self.entries = scales.reshape(copies, n), [], matrices.size
        for matrix in matrices:
            lower, failed = lapack.dpotrf(matrix.T, lower=1, overwrite_a=1, clean=0)
            if failed:
                raise SolverFailed("a Newton matrix of the cone program is not positive definite.")
            self.lowers.append(lower)

    def solve(self, sides: FloatArray) -> FloatArray:
        """H⁻¹ sides, copy by copy."""
        scaled = sides * self.scales
        for lower, side in zip(self.lowers, scaled, strict=True):
            side[:] = lapack.dpotrs(lower, side, lower=1)[0]
        scaled *= self.scales
        return scaled

    def add_windows(
        self, sums: FloatArray, costs: FloatArray, classes: IntArray, chosen: IntArray,
        gram: FloatArray, double: bool = True,
    ) -> None:
        """Add Aᵀ H⁻¹ A of every copy to `gram`; all classes are taken, whichever are chosen."""
        order = np.argsort(classes, kind="stable")
        starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
        half = len(starts)

        def gathered(matrix: FloatArray) -> FloatArray:
            if half == len(classes):
                return matrix
            columns = np.add.reduceat(matrix[:, order], starts, axis=1)
            return np.asarray(np.add.reduceat(columns[order], starts, axis=0))

        for z, (lower, scale) in enumerate(zip(self.lowers, self.scales, strict=True)):
            inverse = lapack.dpotri(lower, lower=1)[0]
            inverse = np.tril(inverse) + np.tril(inverse, -1).T
            left = sums[z] * scale
            gram[:half, :half] += gathered(inverse * left[:, None] * left)
            if len(costs):
                right = costs[z] * scale
                gram[half:, half:] += gathered(inverse * right[:, None] * right)
                beside = gathered(inverse * left[:, None] * right)
                gram[:half, half:] += beside
                gram[half:, :half] += beside.T
