"""Sparse Cholesky factors of many small matrices with patterns of their own, as plain loops.

Each copy of a cone has a Newton matrix H = Gᵀ W G whose pattern is its own list of pairs. The
loops here order such a matrix (least degree first), find the pattern of its factor, factor it and
solve with it, D H D = L Lᵀ with D = diag(H)^(-1/2). They take blocks of copies and are written for
the compiler (`kernels_numba`); as Python they are slow but say the same. A set of coordinates is
a row of 64-bit words. The last columns of a factor may be nearly full; those of a block are then
kept as full triangles (`full`), in blocks for BLAS.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any  # the compiler knows the types of these arrays

_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_TWOS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_SUM = np.uint64(0x0101010101010101)


def least_degree(starts: Array, pairs: Array, tails: Array, heads: Array, orders: Array) -> None:
    """Write into each row of `orders` the coordinates of a copy, those of least degree first."""
    n = orders.shape[1]
    words = (n + 63) // 64
    near = np.zeros((n, words), np.uint64)
    degree = np.zeros(n, np.int64)
    for z in range(orders.shape[0]):
        near[:] = 0
        for j in range(starts[z], starts[z + 1]):
            a, b = tails[pairs[j]], heads[pairs[j]]
            near[a, b >> 6] |= _ONE << np.uint64(b & 63)
            near[b, a >> 6] |= _ONE << np.uint64(a & 63)
        for a in range(n):
            degree[a] = 0
            for w in range(words):
                x = near[a, w]
                x = x - ((x >> _ONE) & _TWOS)
                x = (x & _FOURS) + ((x >> np.uint64(2)) & _FOURS)
                x = (x + (x >> np.uint64(4))) & _BYTES
                degree[a] += np.int64((x * _SUM) >> np.uint64(56))
        for place in range(n):
            v, least = 0, n + 1
            for a in range(n):
                if degree[a] < least:
                    v, least = a, degree[a]
            orders[z, place] = v
            degree[v] = n + 2
            for w in range(words):
                rest, u = near[v, w], 64 * w - 1
                while rest:
                    if rest & np.uint64(0xFF) == 0:
                        rest >>= np.uint64(8)
                        u += 8
                        continue
                    u += 1
                    here = rest & _ONE
                    rest >>= _ONE
                    if not here:
                        continue
                    count = np.int64(0)
                    for i in range(words):
                        near[u, i] |= near[v, i]
                    near[u, u >> 6] &= _ALL ^ (_ONE << np.uint64(u & 63))
                    near[u, v >> 6] &= _ALL ^ (_ONE << np.uint64(v & 63))
                    for i in range(words):
                        x = near[u, i]
                        x = x - ((x >> _ONE) & _TWOS)
                        x = (x & _FOURS) + ((x >> np.uint64(2)) & _FOURS)
                        x = (x + (x >> np.uint64(4))) & _BYTES
                        count += np.int64((x * _SUM) >> np.uint64(56))
                    degree[u] = count


def pattern(
    starts: Array, pairs: Array, tails: Array, heads: Array, orders: Array, ends: Array
) -> Array:
    """The rows of every column of the factors, one after the other; `ends` says where they end.

    A column's rows are those of H and those of its children in the elimination tree.
    """
    copies, n = orders.shape
    words = (n + 63) // 64
    near = np.zeros((n, words), np.uint64)
    places = np.zeros(n, np.int64)
    rows = np.empty(64 * n, np.uint16)
    used = 0
    for z in range(copies):
        near[:] = 0
        for j in range(n):
            places[orders[z, j]] = j
        for j in range(starts[z], starts[z + 1]):
            a, b = places[tails[pairs[j]]], places[heads[pairs[j]]]
            low, high = min(a, b), max(a, b)
            near[low, high >> 6] |= _ONE << np.uint64(high & 63)
        for j in range(n):
            if used + n > len(rows):
                longer = np.empty(2 * len(rows) + n, np.uint16)
                longer[:used] = rows[:used]
                rows = longer
            first = used
            for w in range(j >> 6, words):
                rest, at = near[j, w], 64 * w
                while rest:
                    if rest & np.uint64(0xFF) == 0:
                        rest >>= np.uint64(8)
                        at += 8
                        continue
                    if rest & _ONE:
                        rows[used] = at
                        used += 1
                    rest >>= _ONE
                    at += 1
            ends[z, j] = used
            if used > first:
                parent = rows[first]
                for w in range(j >> 6, words):
                    near[parent, w] |= near[j, w]
                near[parent, parent >> 6] &= _ALL ^ (_ONE << np.uint64(parent & 63))
    return rows[:used].copy()


def factor(
    starts: Array, pairs: Array, tails: Array, heads: Array, shares: Array, weights: Array,
    orders: Array, ends: Array, rows: Array, entries: Array, diagonals: Array, scales: Array,
    full: Array, extra: float,
) -> int:
    """Factor every copy but for its `full` triangle, which is only made ready (`factor_full`).

    Returns how many pivots had no digit left.
    """
    copies, n = orders.shape
    sparse = n - full.shape[1]
    places, total = np.zeros(n, np.int64), np.zeros(n)
    line, chain = np.zeros(n), np.zeros(n, np.int64)
    following, reached = np.zeros(n, np.int64), np.zeros(n, np.int64)
    lost, begin = 0, 0
    for z in range(copies):
        total[:] = 0
        for j in range(n):
            places[orders[z, j]] = j
        for j in range(starts[z], starts[z + 1]):
            i = pairs[j]
            total[tails[i]] += weights[j]
            total[heads[i]] += shares[i] * shares[i] * weights[j]
        for a in range(n):
            scales[z, a] = 1 / np.sqrt(total[a])
        entries[begin : ends[z, n - 1]] = 0
        for j in range(starts[z], starts[z + 1]):
            i = pairs[j]
            a, b = places[tails[i]], places[heads[i]]
            low, high = min(a, b), max(a, b)
            left = begin if low == 0 else ends[z, low - 1]
            right = ends[z, low] - 1
            while left < right:
                middle = (left + right) // 2
                if rows[middle] < high:
                    left = middle + 1
                else:
                    right = middle
            entries[left] -= weights[j] * shares[i] * scales[z, tails[i]] * scales[z, heads[i]]
        chain[:] = -1
        first = begin
        for j in range(sparse):
            last = ends[z, j]
            for p in range(first, last):
                line[rows[p]] = entries[p]
            pivot = 1 + extra
            k = chain[j]
            while k >= 0:
                after, p = following[k], reached[k]
                end, x = ends[z, k], entries[p]
                pivot -= x * x
                for q in range(p + 1, end):
                    line[rows[q]] -= x * entries[q]
                if p + 1 < end:
                    reached[k] = p + 1
                    following[k] = chain[rows[p + 1]]
                    chain[rows[p + 1]] = k
                k = after
            if not pivot > extra / 16:
                pivot = 1.0
                lost += 1
            root = np.sqrt(pivot)
            diagonals[z, j] = root
            for p in range(first, last):
                entries[p] = line[rows[p]] / root
            if first < last:
                reached[j] = first
                following[j] = chain[rows[first]]
                chain[rows[first]] = j
            first = last
        full[z] = 0
        for j in range(sparse, n):
            full[z, j - sparse, j - sparse] = 1 + extra
            for p in range(first, ends[z, j]):
                full[z, rows[p] - sparse, j - sparse] = entries[p]
            first = ends[z, j]
        first = begin
        for j in range(sparse):
            last = ends[z, j]
            while first < last and rows[first] < sparse:
                first += 1
            for p in range(first, last):
                r, x = rows[p] - sparse, entries[p]
                for q in range(first, p + 1):
                    full[z, r, rows[q] - sparse] -= x * entries[q]
            first = last
        begin = ends[z, n - 1]
    return lost


def factor_full(full: Array, extra: float) -> int:
    """Factor the lower triangles in place, 32 columns at a time; pivots without a digit left."""
    copies, m = full.shape[:2]
    lost = 0
    for z in range(copies):
        lower = full[z]
        for low in range(0, m, 32):
            high = min(low + 32, m)
            if low:
                before = np.ascontiguousarray(lower[low:, :low])
                lower[low:, low:high] -= np.dot(before, before[: high - low].T)
            for j in range(low, high):
                pivot = lower[j, j]
                for k in range(low, j):
                    pivot -= lower[j, k] * lower[j, k]
                if not pivot > extra / 16:
                    pivot = 1.0
                    lost += 1
                root = np.sqrt(pivot)
                lower[j, j] = root
                for i in range(j + 1, m):
                    x = lower[i, j]
                    for k in range(low, j):
                        x -= lower[i, k] * lower[j, k]
                    lower[i, j] = x / root
            for j in range(low, high):
                lower[j, j + 1 : high] = 0
    return lost


def solve(
    orders: Array, ends: Array, rows: Array, entries: Array, diagonals: Array, scales: Array,
    full: Array, sides: Array, out: Array,
) -> None:
    """out[z] = H_z⁻¹ sides[z]."""
    copies, n = orders.shape
    sparse = n - full.shape[1]
    x = np.empty(n)
    begin = 0
    for z in range(copies):
        for j in range(n):
            a = orders[z, j]
            x[j] = sides[z, a] * scales[z, a]
        first = begin
        for j in range(sparse):
            y = x[j] / diagonals[z, j]
            x[j] = y
            for p in range(first, ends[z, j]):
                x[rows[p]] -= entries[p] * y
            first = ends[z, j]
        for j in range(sparse, n):
            y = x[j]
            line = full[z, j - sparse]
            for i in range(j - sparse):
                y -= line[i] * x[sparse + i]
            x[j] = y / line[j - sparse]
        for j in range(n - 1, sparse - 1, -1):
            line = full[z, j - sparse]
            y = x[j] / line[j - sparse]
            x[j] = y
            for i in range(j - sparse):
                x[sparse + i] -= line[i] * y
        for j in range(sparse - 1, -1, -1):
            first = begin if j == 0 else ends[z, j - 1]
            y = x[j]
            for p in range(first, ends[z, j]):
                y -= entries[p] * x[rows[p]]
            x[j] = y / diagonals[z, j]
        for j in range(n):
            a = orders[z, j]
            out[z, a] = x[j] * scales[z, a]
        begin = ends[z, n - 1]
