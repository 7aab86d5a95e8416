"""Fewer multipliers that prove the same bound.

An interior point has a positive multiplier on every listed pair; a proof is shorter with few.
Multipliers prove the same as long as Gᵀ M of each copy is at most its reduced costs. Faint ones
are left out, and dual feasibility is restored in one of two ways: the outflow of a coordinate
along faint pairs goes along its others (`rescale`), which suits copies that are used; or every
coordinate gets only the inflow it lacks (`meet_demand`), which suits copies that are not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import FloatArray, IntArray, tolerances
from tightrope.lp.arcs import Arcs, DualFlow
from tightrope.lp.deadlines import Deadline

Lists = tuple[IntArray, IntArray, FloatArray]

_SWEEPS = 1000
"""Sweeps of an attempt to restore dual feasibility, after which it has failed."""


def sparsify(
    kernels: Any, arcs: Arcs, lists: Lists, allowed: FloatArray, enough: float, deadline: Deadline,
    proof: Arcs | None = None,
) -> list[DualFlow]:
    """The multipliers of each copy, as few as were found to be dual feasible.

    `kernels` has the functions of `kernels_numpy`; an excess up to `enough` is forgiven. After the
    deadline multipliers are left as they are. Where `proof` is given, flows have
    its shares, which may be a hair less than those they were found with.
    """
    proof = arcs if proof is None else proof
    starts = lists[0]
    copies = len(starts) - 1
    flows: dict[int, DualFlow] = {}
    for faint in tolerances.FAINT_SHARES:
        for by_tail in (True, False):
            left = np.array([z for z in range(copies) if z not in flows], dtype=np.int64)
            if not len(left) or deadline.passed:
                break
            part = _part(lists, left)
            ends, fewer, kept = _strong(arcs, part, faint, by_tail)
            if by_tail:
                outflows = kernels.net_outflow(*part, arcs)
                missing = outflows - kernels.net_outflow(ends, fewer, kept, proof)
                kernels.rescale(ends, fewer, kept, proof, missing, 1, _SWEEPS, -1.0, np.inf)
            else:
                kernels.meet_demand(ends, fewer, kept, proof, allowed[left], _SWEEPS, enough / 8)
            excess = kernels.net_outflow(ends, fewer, kept, proof) - allowed[left]
            for k in np.flatnonzero(excess.max(axis=1) <= enough).tolist():
                own = slice(ends[k], ends[k + 1])
                used = kept[own] > 0
                flows[int(left[k])] = proof.flow(fewer[own][used], kept[own][used])
    for z in range(copies):
        own = slice(starts[z], starts[z + 1])
        flows.setdefault(z, proof.flow(lists[1][own], lists[2][own]))
    return [flows[z] for z in range(copies)]


def _part(lists: Lists, chosen: IntArray) -> Lists:
    """The lists of some copies."""
    starts, pairs, amounts = lists
    places = np.concatenate([np.arange(starts[z], starts[z + 1]) for z in chosen.tolist()])
    ends = np.append(0, np.cumsum(starts[chosen + 1] - starts[chosen]))
    return ends, pairs[places], amounts[places]


def _strong(arcs: Arcs, lists: Lists, faint: float, by_tail: bool) -> Lists:
    """The lists without pairs that carry little of what leaves their tail or reaches their head."""
    starts, pairs, amounts = lists
    copies = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    tails = copies * arcs.width + arcs.tails[pairs]
    heads = copies * arcs.width + arcs.heads[pairs]
    arriving = arcs.shares[pairs] * amounts
    size = (len(starts) - 1) * arcs.width
    kept: NDArray[np.bool_]
    if by_tail:
        leaving = np.bincount(tails, amounts, minlength=size)
        kept = (amounts >= faint * leaving[tails]) | (arriving >= faint * leaving[heads])
        kept |= amounts == _largest(tails, amounts, size)
    else:
        kept = arriving >= faint * _largest(heads, arriving, size)
    ends = np.append(0, np.cumsum(np.bincount(copies[kept], minlength=len(starts) - 1)))
    return ends, pairs[kept], amounts[kept]


def _largest(places: IntArray, numbers: FloatArray, size: int) -> FloatArray:
    """For every number the largest one at its place."""
    largest = np.zeros(size)
    np.maximum.at(largest, places, numbers)
    return np.asarray(largest[places])
