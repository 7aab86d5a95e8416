"""The loops of `kernel_loops`, `elimination` and `windows`, compiled by numba, which is an extra.

Compiled once, they are kept on disk. They run without the interpreter's lock, so that threads
work on different blocks of copies at the same time.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, tolerances
from tightrope.lp import elimination, kernel_loops, windows
from tightrope.lp.arcs import Arcs

_GROWN, _CHANGED = 1.2, 0.1
"""Growth of a factor, and relative change of the lists, after which rows are ordered anew: ordering
takes time, and a stale order fills in."""


_FULL, _LEAST_FULL = 0.9, 150
"""Density from which on the last columns of a factor are a full triangle, and their least number:
BLAS is quicker on full triangles, but not on small ones."""


_ROOMS = kernel_loops, elimination, windows


def load() -> None:
    """Load what compiled loops multiply matrices with, so that its threads can be limited."""
    import scipy.linalg.cython_blas  # noqa: F401


@cache
def _loop(name: str) -> Any:
    from numba import njit

    function = next(getattr(room, name) for room in _ROOMS if hasattr(room, name))
    loose = {"contract", "reassoc"}
    return njit(nogil=True, cache=True, error_model="numpy", fastmath=loose)(function)


def update_pairs(
    vectors: FloatArray, starts: IntArray, pairs: IntArray, slacks: FloatArray,
    multipliers: FloatArray, arcs: Arcs, middle: float, limits: FloatArray,
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Active pairs without those that are far from tight, with those that came near."""
    came = _loop("find_near_pairs")(vectors, arcs.tails, arcs.heads, arcs.shares, limits[1])
    lists: tuple[IntArray, IntArray, FloatArray, FloatArray] = _loop("update_pairs")(
        vectors, starts, pairs, slacks, multipliers,
        arcs.tails, arcs.heads, arcs.shares, arcs.fixed, middle, limits, *came,
    )
    return lists


def rescale(
    starts: IntArray, pairs: IntArray, multipliers: FloatArray, arcs: Arcs, missing: FloatArray,
    rounds: int, sweeps: int, low: float, high: float, enough: float = tolerances.RESCALING_ERROR,
) -> None:
    """Scale the outgoing multipliers of every coordinate towards dual feasibility."""
    _loop("rescale")(
        starts, pairs, multipliers, arcs.tails, arcs.heads, arcs.shares, missing,
        rounds, sweeps, enough, low, high,
    )


def meet_demand(
    starts: IntArray, pairs: IntArray, multipliers: FloatArray, arcs: Arcs, allowed: FloatArray,
    sweeps: int, enough: float,
) -> None:
    """Give every coordinate only the inflow it lacks, from the same tails in the same parts."""
    _loop("meet_demand")(
        starts, pairs, multipliers, arcs.tails, arcs.heads, arcs.shares, allowed, sweeps, enough
    )


def net_outflow(starts: IntArray, pairs: IntArray, numbers: FloatArray, arcs: Arcs) -> FloatArray:
    """Gᵀ numbers, one row for each copy."""
    out = np.empty((len(starts) - 1, arcs.width))
    _loop("net_outflow")(starts, pairs, numbers, arcs.tails, arcs.heads, arcs.shares, out)
    return out


def pair_slacks(starts: IntArray, pairs: IntArray, vectors: FloatArray, arcs: Arcs) -> FloatArray:
    """G vectors, pair by pair."""
    out = np.empty(len(pairs))
    _loop("pair_slacks")(starts, pairs, vectors, arcs.tails, arcs.heads, arcs.shares, out)
    return out


def fill(starts: IntArray, pairs: IntArray, arcs: Arcs) -> int:
    """Entries of the sparse factor of one copy with these pairs."""
    orders = np.empty((1, arcs.width), dtype=np.uint16)
    lists = starts, pairs, arcs.tails, arcs.heads
    _loop("least_degree")(*lists, orders)
    return len(_loop("pattern")(*lists, orders, np.empty((1, arcs.width), dtype=np.int64)))


class SparseFactors:
    """Cholesky factors of the Newton matrices of a block, each with an order of its own."""

    def __init__(self, arcs: Arcs) -> None:
        self.arcs = arcs
        self.orders = np.empty((0, arcs.width), dtype=np.uint16)
        self.smallest = self.listed = self.entries = 0
        self.factors: tuple[Any, ...] = ()

    def factor(self, starts: IntArray, pairs: IntArray, weights: FloatArray) -> None:
        """Factor H = Gᵀ W G of every copy."""
        arcs, shape = self.arcs, (len(starts) - 1, self.arcs.width)
        ends = np.empty(shape, dtype=np.int64)
        lists = starts, pairs, arcs.tails, arcs.heads
        rows = np.empty(0, dtype=np.uint16)
        stale = abs(len(pairs) - self.listed) > _CHANGED * self.listed
        if not stale:
            rows = _loop("pattern")(*lists, self.orders, ends)
        if stale or len(rows) > _GROWN * self.smallest:
            self.orders = np.empty(shape, dtype=np.uint16)
            _loop("least_degree")(*lists, self.orders)
            rows = _loop("pattern")(*lists, self.orders, ends)
            self.smallest, self.listed = len(rows), len(pairs)
        self.smallest = min(self.smallest, len(rows))
        self.entries, entries = len(rows), np.empty(len(rows))
        diagonals, scales = np.empty(shape), np.empty(shape)
        last = _last_columns(ends)
        full = np.empty((len(ends), last, last))
        extra = tolerances.SPARSE_REGULARIZATION
        lost = _loop("factor")(
            *lists, arcs.shares, weights, self.orders, ends, rows, entries, diagonals, scales,
            full, extra,
        )
        lost += _loop("factor_full")(full, extra)
        if lost > len(self.orders):
            raise SolverFailed("a Newton matrix of the cone program is not positive definite.")
        self.factors = self.orders, ends, rows, entries, diagonals, scales, full

    def solve(self, sides: FloatArray) -> FloatArray:
        """H⁻¹ sides, copy by copy."""
        out = np.empty_like(sides)
        _loop("solve")(*self.factors, sides, out)
        return out

    def add_windows(
        self, sums: FloatArray, costs: FloatArray, classes: IntArray, chosen: IntArray,
        gram: FloatArray, double: bool = False,
    ) -> None:
        """Add Aᵀ H⁻¹ A of every copy to the symmetric part of `gram`, for its chosen classes."""
        number = np.empty(1, dtype=np.float64 if double else np.float32)
        _loop("add_windows")(*self.factors, sums, costs, classes, chosen, gram, number)


def _last_columns(ends: IntArray) -> int:
    """How many last columns of all factors of a block are nearly full triangles."""
    n = ends.shape[1]
    begins = np.append(0, ends[:-1, -1])
    counts = np.diff(ends, axis=1, prepend=begins[:, None])
    entries = np.cumsum(counts[:, ::-1], axis=1)  # entries of the last 1, 2, … columns
    many = np.arange(1, n + 1)
    nearly = (entries >= _FULL * (many * (many - 1) / 2)).all(axis=0)
    last = int(many[nearly].max(initial=0))
    return last if last >= _LEAST_FULL else 0
