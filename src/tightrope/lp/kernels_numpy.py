"""Work on the lists of pairs of a block of copies, by whole arrays.

The same functions as in `kernel_loops`, for small programs, where calls of numpy are quicker than
loading a compiler, and for computers that have none.
"""

from __future__ import annotations

import numpy as np

from tightrope.exact import FloatArray, IntArray, tolerances
from tightrope.lp.arcs import Arcs

_SWEEPS, _SLOWLY = 5, 50
"""Sweeps after which it is asked which copies have settled, and which have halved their change."""


def update_pairs(
    vectors: FloatArray, starts: IntArray, pairs: IntArray, slacks: FloatArray,
    multipliers: FloatArray, arcs: Arcs, middle: float, limits: FloatArray,
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Active pairs without those that are far from tight, with those that came near."""
    drop, add, credit, part, few = limits
    copies, n = vectors.shape
    count = len(arcs.tails)
    places = _owners(starts) * count + pairs
    tops, reached = vectors.take(arcs.tails, axis=1), vectors.take(arcs.heads, axis=1)
    reached *= arcs.shares
    # slacks below a share of the largest
    wanted = (reached > tops * (1 - add * arcs.largest_slacks)).ravel()
    near = ((reached > tops * (1 - drop * arcs.largest_slacks)) | arcs.fixed).ravel()
    listed = np.zeros(copies * count, dtype=np.bool_)
    listed[places] = True
    wanted[places] = near[places]
    chosen = np.flatnonzero(wanted)
    matches = np.searchsorted(places, chosen)
    matches[matches == len(places)] = 0
    old = listed[chosen]
    leaving = np.bincount(arcs.ends(starts, pairs)[0], multipliers, minlength=copies * n)
    kinds = chosen % count
    rows = chosen // count * n
    tails, heads = rows + arcs.tails[kinds], rows + arcs.heads[kinds]
    ends = np.concatenate([tails[~old], heads[~old]])
    leaving = leaving / np.maximum(1, np.bincount(ends, minlength=copies * n) / few)
    top = tops.ravel()[chosen]
    credited = np.maximum(top - reached.ravel()[chosen], credit * top * arcs.largest_slacks[kinds])
    most = part * np.minimum(leaving[tails], leaving[heads] / arcs.shares[kinds])
    entering = np.minimum(middle / credited, most)
    weights = np.where(old, multipliers[matches], entering)
    distances = np.where(old, slacks[matches], middle / weights)
    stops = np.cumsum(wanted.reshape(copies, count).sum(axis=1))
    return np.append(0, stops), kinds.astype(np.int32), distances, weights


def rescale(
    starts: IntArray, pairs: IntArray, multipliers: FloatArray, arcs: Arcs, missing: FloatArray,
    rounds: int, sweeps: int, low: float, high: float, enough: float = tolerances.RESCALING_ERROR,
) -> None:
    """Scale the outgoing multipliers of every coordinate towards dual feasibility."""
    shape, size = missing.shape, missing.size
    tails, heads, shares = arcs.ends(starts, pairs)
    leaving, arriving = _flows(tails, heads, shares, multipliers, size)
    allowed = missing.ravel() + leaving - arriving
    for turn in range(rounds):
        error = enough * leaving.reshape(shape).max(axis=1)
        missed = (allowed - leaving + arriving).reshape(shape)
        unit = np.divide(1.0, leaving, out=np.zeros(size), where=leaving > 0)
        parts = shares * multipliers * unit[tails]
        x = unit * _sweep(starts, tails, heads, parts, missed, error, sweeps).ravel()
        multipliers *= 1 + np.clip(x, low, high)[tails]
        if turn + 1 == rounds:
            return
        leaving, arriving = _flows(tails, heads, shares, multipliers, size)
        lacking = leaving - arriving - allowed
        short = (lacking > 100 * np.repeat(error, shape[1])) & (arriving > 0)
        if not short.any():
            return
        more = np.ones(size)
        more[short] += lacking[short] / arriving[short]
        multipliers *= more[heads]
        leaving, arriving = _flows(tails, heads, shares, multipliers, size)


def _sweep(
    starts: IntArray, senders: IntArray, takers: IntArray, parts: FloatArray, given: FloatArray,
    enough: FloatArray, sweeps: int, low: float = -np.inf,
) -> FloatArray:
    """The x that is given and taken, x = max(low, given + Σ parts x[senders]), by sweeps.

    Every few sweeps copies are left as they are that have settled, and those that rise from a
    least amount and, by how slowly they do, will not have settled after many more.
    """
    solution, n = np.zeros_like(given), given.shape[1]
    counts, left, x = np.diff(starts), np.arange(len(given)), np.zeros(given.size)
    slow, done = np.full(len(given), np.inf), 0
    while True:
        before = x
        for _ in range(min(_SWEEPS, sweeps - done)):
            before = x
            x = given.ravel() + np.bincount(takers, parts * x[senders], minlength=x.size)
            np.maximum(x, low, out=x)
        done += _SWEEPS
        solution[left] = x.reshape(-1, n)
        change = np.abs(x - before).reshape(-1, n).max(axis=1)
        going = ~(change < enough)
        if done % _SLOWLY == 0 and low > -np.inf:
            going &= change < slow / 2
            slow = change
        if done >= sweeps or not going.any():
            return solution
        if not going.all():
            kept, moved = np.repeat(going, counts), n * np.cumsum(~going)
            counts, left, slow = counts[going], left[going], slow[going]
            moved = np.repeat(moved[going], counts)
            senders, takers, parts = senders[kept] - moved, takers[kept] - moved, parts[kept]
            given, enough, x = given[going], enough[going], solution[left].ravel()


def _flows(
    tails: IntArray, heads: IntArray, shares: FloatArray, multipliers: FloatArray, size: int
) -> tuple[FloatArray, FloatArray]:
    """Outflow and inflow of multipliers at every coordinate of every copy."""
    leaving = np.bincount(tails, multipliers, minlength=size)
    arriving = np.bincount(heads, shares * multipliers, minlength=size)
    return np.asarray(leaving, dtype=np.float64), np.asarray(arriving, dtype=np.float64)


def meet_demand(
    starts: IntArray, pairs: IntArray, multipliers: FloatArray, arcs: Arcs, allowed: FloatArray,
    sweeps: int, enough: float,
) -> None:
    """Give every coordinate only the inflow it lacks, from the same tails in the same parts."""
    tails, heads, shares = arcs.ends(starts, pairs)
    arriving = np.bincount(heads, shares * multipliers, minlength=allowed.size)
    parts = multipliers / arriving[heads]
    even = np.full(len(allowed), enough)
    lacking = _sweep(starts, heads, tails, parts, -allowed, even, sweeps, 0.0)
    multipliers[:] = parts * lacking.ravel()[heads]


def net_outflow(starts: IntArray, pairs: IntArray, numbers: FloatArray, arcs: Arcs) -> FloatArray:
    """Gᵀ numbers, one row for each copy."""
    copies, n = len(starts) - 1, arcs.width
    tails, heads, shares = arcs.ends(starts, pairs)
    outflows = np.bincount(tails, numbers, minlength=copies * n)
    outflows = outflows - np.bincount(heads, shares * numbers, minlength=copies * n)
    return np.asarray(outflows.reshape(copies, n))


def pair_slacks(starts: IntArray, pairs: IntArray, vectors: FloatArray, arcs: Arcs) -> FloatArray:
    """G vectors, pair by pair."""
    tails, heads, shares = arcs.ends(starts, pairs)
    flat = vectors.ravel()
    return np.asarray(flat[tails] - shares * flat[heads])


def _owners(starts: IntArray) -> IntArray:
    """The copy of every listed pair."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))
