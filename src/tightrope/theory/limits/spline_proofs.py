"""How often a mechanism of splines fails, and its level: what is proved of whole coefficients.

At -1/2 <= t <= 1/2 from a node, along u or v, the neighbor at 1 has the weight b(1/2 + t), that at
-1 b(1/2 - t), and the node the rest of 1, where b(y) = (cosh εy - 1)/(2 cosh ε - 2). It is at most
y²/2, and less by no more than `spread`: b = y²(1 + κ(y))/(2 + 2κ(1)) with
κ(y) = 2(cosh εy - 1)/(εy)² - 1 >= (εy)²/12, and y²(κ(1) - (εy)²/12) is at most 3(κ(1)/ε)².

With y²/2 as weights, the chance of success is a polynomial of degree 6 on triangles between whole
numbers. The least of its Bernstein coefficients, less what the spread takes, bounds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise, product
from math import ceil, factorial, lcm, prod

import numpy as np
from flint import ctx

from tightrope.errors import SolverFailed
from tightrope.exact import IntArray, ball_of, float_above
from tightrope.theory.limits.square_programs import orbit_numbers

NEIGHBORS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
STENCIL = tuple((du + dv, du - dv) for du, dv in product((-1, 0, 1), repeat=2))
"""Nodes whose splines reach a node, relative to it, in u and v by turns."""

DEGREE = 6
_PARTS = 2**12
"""The spread is rounded up to one of so many parts of 1."""

Form = dict[tuple[int, ...], Fraction]
"""A homogeneous polynomial in barycentric coordinates: coefficients by the exponents."""


@dataclass(frozen=True)
class Layout:
    """A square of `side` units, an even number; a radius of `radius` units; the ends of cells."""

    side: int
    radius: int
    ends: tuple[int, ...]

    @property
    def kinds(self) -> int:
        """Kinds of a coordinate of an answer: both ends, and the cells between them."""
        return len(self.ends) + 1

    @cached_property
    def nodes(self) -> tuple[IntArray, IntArray]:
        """Both coordinates of all nodes whose splines reach into the square."""
        axis = np.arange(-2, self.side + 3)
        a, b = (c.ravel() for c in np.meshgrid(axis, axis, indexing="ij"))
        outside = sum(np.maximum(0, np.maximum(-c, c - self.side)) for c in (a, b))
        reached = ((a + b) % 2 == 0) & (outside <= 2)
        return a[reached], b[reached]

    @property
    def widths(self) -> list[int]:
        """The lengths of cells; 1 for the ends."""
        return [1, *(b - a for a, b in pairwise(self.ends)), 1]

    @cached_property
    def parts(self) -> IntArray:
        """θ times the width of each kind, at both ends of each unit of a side, from inside it."""
        units = np.arange(self.side)
        whole = np.stack([units, units + 1])
        low, high = whole - self.radius, whole + self.radius
        served = [np.broadcast_to(units < 2 * self.radius, whole.shape)]
        served += [np.clip(np.minimum(b, high) - np.maximum(a, low), 0, None)
                   for a, b in pairwise(self.ends)]
        served.append(np.broadcast_to(units >= self.side - 2 * self.radius, whole.shape))
        return np.stack(served).astype(np.int64)


    @cached_property
    def unknowns(self) -> IntArray:
        """The unknown of kinds i and j at a node (a, b), at [i, j, a + 2, b + 2]; -1 without it."""
        kinds, span = self.kinds, self.side + 5
        (a, b), codes = self.nodes, np.arange(kinds * span)
        flip = (kinds - 1 - codes // span) * span + span - 1 - codes % span
        i, j = np.divmod(np.arange(kinds**2)[:, None], kinds)
        orbits = orbit_numbers(i * span + a + 2, j * span + b + 2, flip)
        table = np.full((kinds, kinds, span, span), -1)
        table[i, j, a + 2, b + 2] = np.unique(orbits, return_inverse=True)[1].reshape(orbits.shape)
        return table


def largest_ratio(layout: Layout, table: IntArray) -> Fraction:
    """A ratio that no coefficient has to that of a neighboring node, proved; all are positive."""
    a, b = (c + 2 for c in layout.nodes)
    if (table[:, :, a, b] <= 0).any() or table.max() >= 2**53:
        raise SolverFailed("the coefficients of the spline are not positive.")
    worst = 1.0
    padded = np.pad(table, ((0, 0), (0, 0), (1, 1), (1, 1)))
    for da, db in NEIGHBORS:
        near = padded[:, :, a + 1 + da, b + 1 + db]
        worst = max(worst, float((near / table[:, :, a, b]).max()))  # rounded once
    return Fraction(worst) * (1 + Fraction(1, 2**51))


def spread(ratio: Fraction) -> Fraction:
    """How much less than y²/2 a weight is at most, rounded up to a multiple of 1/_PARTS."""
    with ctx.workprec(128):
        epsilon = ball_of(ratio, 128).log()
        kappa = ball_of(ratio + 1 / ratio - 2, 128) / epsilon**2 - 1
        most = 3 * (kappa / epsilon) ** 2 / (2 + 2 * kappa)
        return Fraction(ceil(float_above(most * _PARTS)), _PARTS)


def most_failures(layout: Layout, table: IntArray, ratio: Fraction) -> Fraction:
    """A bound on the chance of failure of every input, if neighbors have at most this ratio."""
    weights, scale = bernstein_table()
    common = lcm(*layout.widths)
    total = int(table.sum(axis=(0, 1)).max())
    parts = int(spread(ratio) * _PARTS)
    if 4 * parts * scale * total * common**2 >= 2**63:
        raise SolverFailed("the spline is too fine for whole numbers of 64 bits.")
    theta = layout.parts * np.array([common // w for w in layout.widths])[:, None, None]
    least = scale * total * common**2
    a, b = layout.nodes
    for s1, s2 in product((1, -1), repeat=2):  # triangles of a node and its neighbors on a row
        units = np.minimum(a, a + s1), np.minimum(b, b + s2)
        inside = np.logical_and.reduce([(c >= 0) & (c < layout.side) for c in units])
        row, column, x, y = (c[inside] for c in (*units, a, b))
        first, second = theta[:, ::s1, row], theta[:, ::s2, column]
        near = np.stack([table[:, :, x + s1 * da + 2, y + s2 * db + 2] for da, db in STENCIL])
        served = np.einsum("nijr,ier->nejr", near, first)
        success = np.einsum("nejr,jfr->nefr", served, second)
        exact, *changes = np.einsum("cbnef,nefr->cbr", weights, success)
        for number, change in enumerate(changes):  # in u alone, in v alone, and in both
            lost = np.minimum(change, 0) * parts // _PARTS
            exact = exact + (lost if number < 4 else lost * parts // _PARTS)
        least = min(least, int(exact.min()))
    return 1 - Fraction(least, scale * total * common**2)


@cache
def bernstein_table() -> tuple[IntArray, int]:
    """Bernstein coefficients of splines times hats on triangles, in whole numbers; their unit.

    A triangle has a node and its neighbors along both coordinates as corners, and is cut into
    four. A chance θ that is linear on a unit is the sum of its values at both ends times hats.
    `[c, k, n, e, f]` is coefficient k of spline n of the stencil, end e along the first
    coordinate and f along the second. Weights are y²/2 for c = 0, or, in u or v or both, 1 at the
    middle node and -1 at another.
    """
    ends = [(0, 0), (2, 0), (0, 2), (1, 0), (0, 1), (1, 1)]  # halves of units: corners, middles
    quarters = [(0, 3, 4), (3, 1, 5), (4, 5, 2), (3, 4, 5)]
    tables = [_forms([ends[k] for k in corners]) for corners in quarters]
    powers = sorted({m for form in tables[0] for m in form})
    shares = [[form.get(m, Fraction(0)) * Fraction(prod(map(factorial, m)), factorial(DEGREE))
               for form in same for m in powers] for same in zip(*tables, strict=True)]
    scale = lcm(*(c.denominator for line in shares for c in line))
    whole = np.array([[int(c * scale) for c in line] for line in shares], dtype=np.int64)
    return np.moveaxis(whole.reshape(9, len(STENCIL), 2, 2, -1), -1, 1), scale


def _forms(corners: Sequence[tuple[int, int]]) -> list[Form]:
    """All products of weights in u and v and hats, as forms on a triangle with these corners.

    Corners are given in halves of units from the node.
    """
    x, y = ([Fraction(c[k], 2) for c in corners] for k in (0, 1))
    hats = [_times(_linear(first), _linear(second)) for first, second in product(
        ([1 - a for a in x], x), ([1 - b for b in y], y))]
    unit = _times(_linear([1, 1, 1]), _linear([1, 1, 1]))
    nothing: Form = {}
    opposite = {m: -c for m, c in unit.items()}
    moved = [[opposite, unit, nothing], [nothing, unit, opposite]]
    u, v = ([_piece(node, [(a + sign * b) / 2 for a, b in zip(x, y, strict=True)])
             for node in (-1, 0, 1)] for sign in (1, -1))
    choices = [(u, v), *product(moved, [v]), *product([u], moved), *product(moved, moved)]
    return [_times(_times(first, second), hat)
            for along_u, along_v in choices for first in along_u for second in along_v
            for hat in hats]


def _piece(node: int, places: Sequence[Fraction]) -> Form:
    """The weight of a node -1, 0 or 1, from its places between -1/2 and 1/2 at the corners:
    (1/2 - t)²/2, 3/4 - t² or (1/2 + t)²/2."""
    half = Fraction(1, 2)
    before, after = (_linear([half + sign * t for t in places]) for sign in (-1, 1))
    if node:
        side = after if node > 0 else before
        return {m: c / 2 for m, c in _times(side, side).items()}
    unit, inside = _times(_linear([1, 1, 1]), _linear([1, 1, 1])), _times(before, after)
    return {m: c / 2 + inside[m] for m, c in unit.items()}


def _linear(corners: Sequence[Fraction | int]) -> Form:
    """The linear form with these values at the corners."""
    return {tuple(int(k == j) for j in range(3)): Fraction(c) for k, c in enumerate(corners)}


def _times(first: Form, second: Form) -> Form:
    total: Form = {}
    for (m, c), (n, d) in product(first.items(), second.items()):
        power = tuple(a + b for a, b in zip(m, n, strict=True))
        total[power] = total.get(power, Fraction(0)) + c * d
    return total
