"""ε* of squares from above: mechanisms whose chances are splines, found by a program.

A coordinate of an answer is γ, L - γ, or even on a cell between them: these are its kinds. A
mechanism chooses a kind for both coordinates, with chances p(x) that depend on the input. So it
is near enough with the chance Σ p(x) θ₁(x₁) θ₂(x₂), where θ is the part of a kind that is within γ
of a coordinate: linear between whole numbers, if γ/n is the unit of length.

Nodes are points of whole u = (x₁ + x₂)/2 and v = (x₁ - x₂)/2: the largest difference of
coordinates is |Δu| + |Δv|. Each p has a coefficient at every node; those of neighbors differ by a
factor of at most r = e^ε. Between nodes they are interpolated in u, and then in v, by functions
with q'' = ε²q, so that |q'| <= εq; and p is the mean over all shifts of the nodes, divided by that
of a constant. It has level ε, and is a sum of coefficients with the weights of `spline_proofs`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, exp, inf, lcm, log
from time import monotonic

import numpy as np
from flint import ctx

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, ball_of, float_above
from tightrope.theory.limits.spline_proofs import (
    NEIGHBORS,
    Layout,
    bernstein_table,
    largest_ratio,
    most_failures,
)
from tightrope.theory.limits.square_programs import (
    RAREST,
    Triple,
    orbit_numbers,
    search_level,
    solve_blocks,
)

_UNKNOWNS = (2_500, 8_000)
"""Unknowns that are aimed at, in turn: a program takes a tenth of a second, then some seconds."""
_EVEN = 2.0**-12
"""Share of an even mechanism in units of the failure: adds as large a share of failures."""
_BITS = 54
"""Bits of sums, which are multiplied by the parts of the spread: a 64-bit integer holds them."""


def least_failure(layout: Layout, ratio: float, seconds: float = inf) -> FloatArray:
    """Coefficients, nearly, with the least failure if neighbors differ by the ratio at most.

    Failures count at thirds of whole numbers. In the shape of `unknowns`, 0 where there is none.
    """
    table = layout.unknowns
    count = int(table.max()) + 1
    lines, cone = _level_rows(layout, ratio)
    sums, totals = _sum_rows(layout)
    points, success = _success_rows(layout, log(ratio))
    worst = np.arange(points), np.full(points, count), np.ones(points)
    values, _ = solve_blocks(
        np.append(np.zeros(count), 1.0),
        [(lines, 0.0, inf, cone), (sums, 1.0, 1.0, [totals]), (points, 1.0, inf, [success, worst])],
        seconds)
    return np.where(table >= 0, np.maximum(values, 0)[table], 0.0)


def _level_rows(layout: Layout, ratio: float) -> tuple[int, list[Triple]]:
    """Rows for neighbors: a coefficient is at least the other one over the ratio."""
    table = layout.unknowns
    shown, where = np.unique(table[table >= 0], return_index=True)
    i, j, a, b = (c[where] for c in np.nonzero(table >= 0))  # one element of every orbit
    padded = np.pad(table, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-1)
    near = np.concatenate([padded[i, j, a + 1 + da, b + 1 + db] for da, db in NEIGHBORS])
    own = np.tile(shown, len(NEIGHBORS))
    first, second = np.unique(np.stack([own, near])[:, (near >= 0) & (near != own)], axis=1)
    lines = np.arange(len(first))
    return len(lines), [(lines, first, np.ones(len(lines))),
                        (lines, second, np.full(len(lines), -1 / ratio))]


def _sum_rows(layout: Layout) -> tuple[int, Triple]:
    """Rows for the sums of coefficients, at one node of every orbit."""
    table, span = layout.unknowns, layout.side + 5
    codes = np.arange(span**2)
    own = orbit_numbers(*np.divmod(codes, span), np.arange(span)[::-1]) == codes
    flat = table.reshape(-1, span**2)[:, own & (table[0, 0].ravel() >= 0)]
    rows = np.broadcast_to(np.arange(flat.shape[1]), flat.shape)
    return flat.shape[1], (rows.ravel(), flat.ravel(), np.ones(flat.size))


def _success_rows(layout: Layout, epsilon: float) -> tuple[int, Triple]:
    """Rows for the chances of success at points of an eighth of the square."""
    from scipy.sparse import coo_array

    table = layout.unknowns
    points, parts = _third_points(layout)
    x, y = np.triu_indices(len(points))
    low = np.floor(points).astype(np.int64)
    rows, columns, entries = [], [], []
    for da, db in product(range(-2, 4), repeat=2):
        a, b = low[x] + da, low[y] + db
        u, v = (points[x] - a + points[y] - b) / 2, (points[x] - a - points[y] + b) / 2
        weight = _weight(u, epsilon) * _weight(v, epsilon)
        here = np.flatnonzero((weight > 0) & ((a + b) % 2 == 0))
        served = parts[:, None, x[here]] * parts[None, :, y[here]] * weight[here]
        used = served > 0
        rows.append(np.broadcast_to(here, served.shape)[used])
        columns.append(table[:, :, a[here] + 2, b[here] + 2][used])
        entries.append(served[used])
    merged = coo_array((np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))),
                       (len(x), int(table.max()) + 1)).tocsr().tocoo()
    return len(x), (merged.row, merged.col, merged.data)


def _third_points(layout: Layout) -> tuple[FloatArray, FloatArray]:
    """Thirds of whole numbers on half of a side, and θ there; twice where it jumps."""
    half = layout.side // 2
    ends = layout.parts[:, :, :half] / np.array(layout.widths)[:, None, None]
    seen: dict[tuple[float, ...], None] = {}
    for k, s in product(range(half), (0.0, 1 / 3, 2 / 3, 1.0)):
        seen[(k + s, *((1 - s) * ends[:, 0, k] + s * ends[:, 1, k]))] = None
    table = np.array(sorted(seen))
    return table[:, 0], table[:, 1:].T


def _weight(t: FloatArray, epsilon: float) -> FloatArray:
    """The weight of a node at a distance in u or v."""
    y = np.array([1.5 - np.abs(t), 0.5 + t, 0.5 - t])
    outer, *inner = np.expm1(epsilon * y) + np.expm1(-epsilon * y)
    whole = 2 * (np.expm1(epsilon) + np.expm1(-epsilon))
    return np.where(np.abs(t) < 0.5, 1 - sum(inner) / whole, np.where(y[0] > 0, outer / whole, 0))


def whole_coefficients(layout: Layout, found: FloatArray, even: float) -> IntArray:
    """Coefficients in whole numbers with the same sum at every node; 0 where there is none.

    A share `even` of the mechanism is the one whose answers do not depend on the input: it keeps
    ratios of small coefficients within the level.
    """
    total = 2 ** (_BITS - (bernstein_table()[1] * lcm(*layout.widths) ** 2).bit_length())
    table = np.zeros(found.shape, dtype=np.int64)
    a, b = (c + 2 for c in layout.nodes)
    shares = found[:, :, a, b].reshape(layout.kinds**2, -1)
    shares = (1 - even) * shares / shares.sum(axis=0) + even / layout.kinds**2
    rounded = np.floor(shares * total).astype(np.int64)
    rounded[shares.argmax(axis=0), np.arange(len(a))] += total - rounded.sum(axis=0)
    table[:, :, a, b] = rounded.reshape(layout.kinds, layout.kinds, -1)
    return table


def spline_level(
    length: Fraction, radius: Fraction, failure: Fraction, start: float, seconds: float, *,
    enough: float = 0.0,
) -> float | None:
    """A level that suffices on a square, proved, in the time; None if none is found.

    `start` is a level, in units of 1/γ, from which the search goes on. It goes on with few
    unknowns, and with many if that does not lead to `enough` or less.
    """
    if failure < Fraction(RAREST):
        return None
    end, best = monotonic() + seconds, None
    for most in _UNKNOWNS:
        layout = choose_layout(length / radius, start, most)
        ratio = smallest_ratio(layout, failure, start, end)
        if ratio is not None:
            with ctx.workprec(128):
                level = ball_of(ratio, 128).log() * ball_of(layout.radius / radius, 128)
                best = min(best or inf, float_above(level))
            if best <= enough:
                break
    return best


def smallest_ratio(layout: Layout, failure: Fraction, start: float, end: float) -> Fraction | None:
    """The least ratio of neighbors, nearly, with which a spline fails as seldom as allowed.

    It is proved. None if none is found before `end`, a time of the clock.
    """
    ratios: dict[float, Fraction] = {}

    def failure_at(epsilon: float) -> Fraction | None:
        seconds = end - monotonic()
        try:
            if seconds > 0:
                table = whole_coefficients(
                    layout, least_failure(layout, exp(epsilon / layout.radius), seconds),
                    _EVEN * float(failure))
                ratios[epsilon] = largest_ratio(layout, table)
                return most_failures(layout, table, ratios[epsilon])
        except SolverFailed:  # out of time, or of doubles
            pass
        return None

    level = search_level(failure_at, failure, start, above=True)
    return None if level is None else ratios[level]


def choose_layout(length: Fraction, epsilon: float, most: int) -> Layout:
    """The layout of a side of so many radii that errs least at a level, by an estimate."""

    def error(side: int, radius: int, cells: int) -> float:
        width = ceil((side - 2 * radius) / cells) / radius
        return 0.3 * (side / radius - float(length)) + epsilon**2 * (
            0.07 * epsilon / radius**2 + 0.13 * width**2)

    sizes = [(side, radius, cells) for radius in range(3, 41)
             for side in [2 * ceil(length * radius / 2)]
             for cells in range(1, side - 2 * radius + 1)
             if (cells + 2) ** 2 * (side + 4) ** 2 <= 16 * most]
    side, radius, cells = min(sizes, key=lambda size: error(*size))
    half = [radius + k * (side - 2 * radius) // cells for k in range(cells // 2 + 1)]
    ends = sorted({*half, *(side - e for e in half)})
    return Layout(side, radius, tuple(ends))
