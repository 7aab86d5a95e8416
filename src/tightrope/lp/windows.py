"""Parts of the inverses of factored matrices, added up: the Schur complement of the row sums.

With H = D⁻¹ L Lᵀ D⁻¹ the part of H⁻¹ that belongs to some columns A is Xᵀ X with X = L⁻¹ D A. All
numbers of L⁻¹ are non-negative, since H has none above zero beside its diagonal; so X is a sum
without cancellation, for which single precision does. Columns are taken in the order in which
elimination meets them, in strips: a row of X then ends at the last strip that was met, and of
products of strips only those of rows that both have are made, a third of all where A is whole.
Written for the compiler (`kernels_numba`), as `elimination` is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any  # the compiler knows the types of these arrays

_FEW = 5
"""Rows of an inverse with fewer numbers than this part of them are added up one by one."""

_STRIP = 128
"""Columns of a strip, about."""

_ROWS = 32
"""Rows of a full triangle that are worked on together."""


def add_windows(
    orders: Array, ends: Array, rows: Array, entries: Array, diagonals: Array, scales: Array,
    full: Array, sums: Array, costs: Array, classes: Array, chosen: Array, gram: Array,
    number: Array,
) -> None:
    """Add Aᵀ H_z⁻¹ A of every copy to the symmetric part of `gram`, for the columns chosen of A.

    Column k of A has `sums[z, a]` at the coordinates a of class k; if `costs` has rows, as
    many columns follow with `costs[z, a]`. A row of `chosen` lists classes of a copy. All is
    done in the precision of `number`, an array of one.
    """
    copies, n = orders.shape
    few, each = chosen.shape[1], 2 if costs.shape[0] > 0 else 1
    half, sparse = gram.shape[0] // 2, n - full.shape[1]
    strips = max(1, (each * few + _STRIP // 2) // _STRIP)
    side = (each * few + strips - 1) // strips
    x = np.zeros((strips, n, side), number.dtype)
    own = np.empty(gram.shape[0], np.int64)
    touched, packing = np.empty(n, np.bool_), np.empty(n, np.bool_)
    names, met = np.empty(strips * side, np.int64), np.empty(n, np.int64)
    strip, place = np.empty(strips * side + 1, np.int64), np.empty(strips * side + 1, np.int64)
    line = np.empty(strips * side, number.dtype)
    begins, first_row = np.empty(strips, np.int64), np.empty(strips, np.int64)
    begin = 0
    for z in range(copies):
        own[:] = -1
        for u in range(few):
            own[chosen[z, u]] = few
        count = 0
        for j in range(n):  # columns in the order in which elimination meets them
            k = classes[orders[z, j]]
            if own[k] == few:
                own[k] = count
                names[each * count] = k
                if each == 2:
                    names[2 * count + 1] = half + k
                for i in range(each * count, each * (count + 1)):
                    if i % side == 0:
                        first_row[i // side] = j
                count += 1
            met[j] = (each * count + side - 1) // side
        touched[:] = False
        packing[:] = False
        first = begin
        for j in range(n):
            a = orders[z, j]
            u = own[classes[a]]
            if (u >= 0 or j >= sparse) and not touched[j]:
                touched[j] = True
                x[: met[j], j] = 0
            if u >= 0:
                i = each * u
                x[i // side, j, i % side] += sums[z, a] * scales[z, a]
                if each == 2:
                    x[(i + 1) // side, j, (i + 1) % side] += costs[z, a] * scales[z, a]
            packing[j] = touched[j]
            if touched[j] and j < sparse:
                number[0] = 1 / diagonals[z, j]
                f, used = number[0], 0
                for s in range(met[j]):
                    for i in range(side):
                        x[s, j, i] *= f
                        strip[used], place[used] = s, i
                        used += x[s, j, i] != 0
                dense = _FEW * used > met[j] * side
                for p in range(first, ends[z, j]):
                    r, number[0] = rows[p], entries[p]
                    f = number[0]
                    if not touched[r]:
                        touched[r] = True
                        x[: met[r], r] = 0
                    if dense:
                        for s in range(met[j]):
                            for i in range(side):
                                x[s, r, i] -= f * x[s, j, i]
                    else:
                        for k in range(used):
                            x[strip[k], r, place[k]] -= f * x[strip[k], j, place[k]]
                if not dense:
                    packing[j] = False
                    for k in range(used):
                        line[k] = x[strip[k], j, place[k]]
                        place[k] = names[strip[k] * side + place[k]]
                    for u in range(used):
                        for v in range(used):
                            gram[place[u], place[v]] += line[u] * line[v]
            first = ends[z, j]
        for s in range(strips):
            start = max(0, first_row[s] - sparse) // _ROWS * _ROWS
            x[s, sparse + start : first_row[s]] = 0
            for low in range(start, n - sparse, _ROWS):
                high = min(low + _ROWS, n - sparse)
                if low > start:
                    before = full[z, low:high, start:low].astype(number.dtype)
                    x[s, sparse + low : sparse + high] -= np.dot(
                        before, x[s, sparse + start : sparse + low]
                    )
                for j in range(low, high):
                    for k in range(low, j):
                        number[0] = full[z, j, k]
                        f = number[0]
                        for i in range(side):
                            x[s, sparse + j, i] -= f * x[s, sparse + k, i]
                    number[0] = 1 / full[z, j, j]
                    f = number[0]
                    for i in range(side):
                        x[s, sparse + j, i] *= f
        last = n
        begins[:] = n
        for j in range(n - 1, -1, -1):  # rows that are left, side by side at the end
            if packing[j]:
                last -= 1
                for s in range(met[j]):
                    begins[s] = last
                    if last > j:
                        x[s, last] = x[s, j]
        for s in range(strips):
            for t in range(s + 1):
                product = np.dot(x[s, begins[s] :].T, x[t, begins[s] :])
                if t < s:
                    product *= 2  # instead of its transpose beside it
                for u in range(min(side, each * few - s * side)):
                    name = names[s * side + u]
                    for v in range(min(side, each * few - t * side)):
                        gram[name, names[t * side + v]] += product[u, v]
        begin = ends[z, n - 1]
