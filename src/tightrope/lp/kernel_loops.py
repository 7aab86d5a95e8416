"""Work on the lists of pairs of a block of copies, as plain loops for the compiler.

A block has the pairs `pairs[starts[z] : starts[z + 1]]` of its copy z, in rising order: places
in the list of all directed pairs (`tails`, `heads`, `shares`) with v[tail] >= share v[head].
`slacks` and `multipliers` stand beside them. `kernels_numpy` has the same for whole arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any  # the compiler knows the types of these arrays


def find_near_pairs(vectors: Array, tails: Array, heads: Array, shares: Array, add: float) -> Any:
    """The pairs of every copy whose slack is small enough to be added, in rising order; how many.

    All copies look at a few pairs before any looks at the next ones, so that these stay in a
    processor's cache. `add` is the limit of the slack, as a share of v[tail] (1 - share²).
    """
    copies, n = vectors.shape
    few = 2048
    near = shares / (1 - add * (1 - shares * shares))  # where near v[head] > v[tail]
    came, many = np.empty((copies, 4 * n + few), np.int32), np.zeros(copies, np.int64)
    for start in range(0, len(tails), few):
        end = min(start + few, len(tails))
        if many.max() + few > came.shape[1]:
            more = np.empty((copies, came.shape[1] + came.shape[1] // 2 + few), np.int32)
            more[:, : came.shape[1]] = came
            came = more
        for z in range(copies):
            v, used = vectors[z], many[z]
            for i in range(start, end):
                if near[i] * v[heads[i]] > v[tails[i]]:
                    came[z, used] = i
                    used += 1
            many[z] = used
    return came, many


def update_pairs(
    vectors: Array, starts: Array, pairs: Array, slacks: Array, multipliers: Array,
    tails: Array, heads: Array, shares: Array, fixed: Array, middle: float, limits: Array,
    came: Array, many: Array,
) -> Any:
    """Active pairs without those far from tight, with the first `many[z]` pairs in `came[z]`.

    `limits` as in `active_pairs.limits_at`: the slack from which on a pair is dropped, that up to
    which it is added, and the least slack assumed for a new one, as shares of the largest slack
    v[tail] (1 - share²); the largest multiplier of a new pair, as a share of the outflow of its
    ends; and how many may have that at one end. Multiplier times slack is `middle` for new pairs.
    """
    drop, _, credit, part, few = limits
    copies, n = vectors.shape
    counts = np.zeros(copies + 1, np.int64)
    room = len(pairs) + many.sum()
    listed, gaps, weights = np.empty(room, np.int32), np.empty(room), np.empty(room)
    leaving, entering = np.empty(n), np.empty(n)
    used = 0
    for z in range(copies):
        v = vectors[z]
        leaving[:] = 0
        j, k, end = starts[z], 0, starts[z + 1]
        for i in range(j, end):
            leaving[tails[pairs[i]]] += multipliers[i]
        entering[:] = 0
        known = j  # the first pair of the list that is not before i
        for i in came[z, : many[z]]:
            while known < end and pairs[known] < i:
                known += 1
            if known == end or pairs[known] > i:
                entering[tails[i]] += 1
                entering[heads[i]] += 1
        for a in range(n):
            if entering[a] > few:
                leaving[a] *= few / entering[a]
        while j < end or k < many[z]:
            if k == many[z] or (j < end and pairs[j] <= came[z, k]):
                i = pairs[j]
                a, share = tails[i], shares[i]
                gap = v[a] - share * v[heads[i]]
                if fixed[i] or gap < drop * v[a] * (1 - share * share):
                    listed[used] = i
                    gaps[used] = slacks[j]
                    weights[used] = multipliers[j]
                    used += 1
                k += k < many[z] and came[z, k] == i
                j += 1
                continue
            i = came[z, k]
            a, share = tails[i], shares[i]
            gap = max(v[a] - share * v[heads[i]], credit * v[a] * (1 - share * share))
            weight = min(middle / gap, part * min(leaving[a], leaving[heads[i]] / share))
            listed[used] = i
            gaps[used] = middle / weight
            weights[used] = weight
            used += 1
            k += 1
        counts[z + 1] = used
    return counts, listed[:used].copy(), gaps[:used].copy(), weights[:used].copy()


def rescale(
    starts: Array, pairs: Array, multipliers: Array, tails: Array, heads: Array, shares: Array,
    missing: Array, rounds: int, sweeps: int, enough: float, low: float, high: float,
) -> None:
    """Scale the outgoing multipliers of every coordinate by 1 + x towards dual feasibility.

    x solves (outflow - inflow) x = missing, an M-matrix, by sweeps of Jacobi's method, and is
    clamped to [low, high]. A coordinate with too little inflow even if its outflow is nearly 0
    then gets more from all of its tails, and another round begins.
    """
    copies, n = missing.shape
    most = 0
    for z in range(copies):
        most = max(most, starts[z + 1] - starts[z])
    tail, head = np.empty(most, np.int32), np.empty(most, np.int32)
    share, part = np.empty(most), np.empty(most)
    leaving, arriving, allowed = np.empty(n), np.empty(n), np.empty(n)
    x, y = np.empty(n), np.empty(n)
    for z in range(copies):
        begin, many = starts[z], starts[z + 1] - starts[z]
        amounts = multipliers[begin : begin + many]
        for j in range(many):
            tail[j], head[j] = tails[pairs[begin + j]], heads[pairs[begin + j]]
            share[j] = shares[pairs[begin + j]]
        for turn in range(2 * rounds - 1):
            leaving[:] = 0
            arriving[:] = 0
            for j in range(many):
                leaving[tail[j]] += amounts[j]
                arriving[head[j]] += share[j] * amounts[j]
            if turn == 0:
                allowed[:] = missing[z] + leaving - arriving
            error = enough * leaving.max()
            if turn % 2:
                lacking = False
                for a in range(n):
                    more, x[a] = leaving[a] - arriving[a] - allowed[a], 1.0
                    if more > 100 * error and arriving[a] > 0:
                        x[a] += more / arriving[a]
                        lacking = True
                if not lacking:
                    break
                for j in range(many):
                    amounts[j] *= x[head[j]]
                continue
            for j in range(many):  # the part of what leaves a place that arrives at another
                part[j] = share[j] * amounts[j] / leaving[tail[j]] if amounts[j] > 0 else 0.0
            x[:] = 0  # how much more leaves each place
            for _ in range(sweeps):
                y[:] = allowed - leaving + arriving
                for j in range(many):
                    y[head[j]] += part[j] * x[tail[j]]
                change = 0.0
                for a in range(n):
                    if leaving[a] > 0:
                        change = max(change, abs(y[a] - x[a]))
                        x[a] = y[a]
                if change < error:
                    break
            for a in range(n):
                if leaving[a] > 0:
                    x[a] = 1 + min(max(x[a] / leaving[a], low), high)
            for j in range(many):
                amounts[j] *= x[tail[j]]


def meet_demand(
    starts: Array, pairs: Array, multipliers: Array, tails: Array, heads: Array, shares: Array,
    allowed: Array, sweeps: int, enough: float,
) -> None:
    """Give every coordinate only the inflow it lacks, from the same tails in the same parts.

    The outflow of a coordinate may be its inflow plus its reduced cost (`allowed`); the rest it
    lacks. Amounts rise from 0 until no coordinate lacks anything, or for so many sweeps; where
    fifty of them do not halve the change, the copy is left as it is.
    """
    copies, n = allowed.shape
    arriving, leaving, lacking = np.empty(n), np.empty(n), np.empty(n)
    for z in range(copies):
        arriving[:] = 0
        lacking[:] = 0
        for j in range(starts[z], starts[z + 1]):
            arriving[heads[pairs[j]]] += shares[pairs[j]] * multipliers[j]
        for a in range(n):
            arriving[a] = 1 / arriving[a] if arriving[a] > 0 else 0.0
        slow = np.inf
        for sweep in range(sweeps):
            leaving[:] = 0
            for j in range(starts[z], starts[z + 1]):
                b = heads[pairs[j]]
                leaving[tails[pairs[j]]] += multipliers[j] * lacking[b] * arriving[b]
            change = 0.0
            for a in range(n):
                more = max(0.0, leaving[a] - allowed[z, a])
                change = max(change, abs(more - lacking[a]))
                lacking[a] = more
            if change <= enough:
                break
            if sweep % 50 == 49:
                if change >= slow / 2:
                    break
                slow = change
        for j in range(starts[z], starts[z + 1]):
            b = heads[pairs[j]]
            multipliers[j] *= lacking[b] * arriving[b]


def net_outflow(
    starts: Array, pairs: Array, numbers: Array, tails: Array, heads: Array, shares: Array,
    out: Array,
) -> None:
    """out[z] = Gᵀ numbers."""
    out[:] = 0
    for z in range(len(starts) - 1):
        for j in range(starts[z], starts[z + 1]):
            i = pairs[j]
            out[z, tails[i]] += numbers[j]
            out[z, heads[i]] -= shares[i] * numbers[j]


def pair_slacks(
    starts: Array, pairs: Array, vectors: Array, tails: Array, heads: Array, shares: Array,
    out: Array,
) -> None:
    """out = G vectors, pair by pair."""
    for z in range(len(starts) - 1):
        for j in range(starts[z], starts[z + 1]):
            i = pairs[j]
            out[j] = vectors[z, tails[i]] - shares[i] * vectors[z, heads[i]]
