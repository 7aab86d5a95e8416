"""Covers, packings and base measures of finite spaces, and covers of Euclidean balls by grids.

A cover of radius r is a set of points such that every point is within r of one of them; a
packing is a set of points whose balls of radius r are disjoint. A space whose covers stay
finite for every r carries a uniformly positive measure: flip a coin until heads, and take a
point of the cover of radius 2^-i (KL-pc, Theorem 3.4), so that a point of the cover C_i has
weight 1/(2^i |C_i|). Balls are closed (d <= r) or open (d < r), as stated.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor, isqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput, TooLarge
from tightrope.lp import RationalProgram, minimize_exactly
from tightrope.spaces import Space, require_connected
from tightrope.theory.limits.aims import balls

Measure: TypeAlias = tuple[Fraction, ...]
Position: TypeAlias = tuple[Fraction, ...]
_ZERO, _ONE = Fraction(0), Fraction(1)
MOST_CENTERS = 1_000_000
"""Centers of a grid cover that are listed, at most."""


def cover(space: Space, radius: Fraction, *, closed: bool = True) -> tuple[int, ...]:
    """Points whose balls cover the space, chosen greedily: the one that covers most first.

    >>> from tightrope.spaces import path
    >>> cover(path(0, 8), Fraction(1))
    (1, 4, 7)
    """
    inside = balls(space, radius, closed=closed)
    if not inside.diagonal().all():
        raise BadInput("open balls of radius 0 are empty and cover nothing.")
    return serving(inside)


def serving(near: NDArray[np.bool_]) -> tuple[int, ...]:
    """Columns that together have an entry in every row, chosen greedily."""
    left = np.ones(len(near), dtype=bool)
    chosen: list[int] = []
    while left.any():
        chosen.append(int(np.argmax(near[left].sum(axis=0))))
        left &= ~near[:, chosen[-1]]
    return tuple(sorted(chosen))


def packing(
    space: Space, radius: Fraction, *, closed: bool = True, first: int = 0
) -> tuple[int, ...]:
    """Points with disjoint balls, from the given one on greedily: those that block least first.

    >>> from tightrope.spaces import path
    >>> packing(path(0, 8), Fraction(1))
    (0, 3, 6)
    """
    return disjoint_rows(balls(space, radius, closed=closed), first)


def disjoint_rows(near: NDArray[np.bool_], first: int = 0) -> tuple[int, ...]:
    """Rows without a common entry, from the given one on greedily: those that block least first."""
    inside = near.astype(np.float32)
    meets = (inside @ inside.T) > 0
    size = len(near)
    free = ~meets[first]
    free[first] = False
    chosen = [first]
    while free.any():
        blocked = np.where(free, (meets & free).sum(axis=1), size + 1)
        chosen.append(int(np.argmin(blocked)))
        free &= ~meets[chosen[-1]]
        free[chosen[-1]] = False
    return tuple(sorted(chosen))


def cover_measure(space: Space) -> Measure:
    """The measure of covers of radius D/2^i, D the diameter, each point weighing 1/(2^i |C_i|).

    From the radius on that tells all points apart, the cover is the whole space.
    """
    require_connected(space, "covers of half the diameter need")
    weights = [_ZERO] * space.size
    share, radius = _ONE, _diameter_above(space)
    while True:
        share, radius = share / 2, radius / 2
        chosen = cover(space, radius)
        for point in chosen:
            weights[point] += share / len(chosen)
        if len(chosen) == space.size:  # so are all that follow: together once more this share
            return tuple(w + share / space.size for w in weights)


def _diameter_above(space: Space) -> Fraction:
    """The diameter, or a fraction just above it if it is irrational."""
    exact = space.diameter.rational
    return Fraction(ceil(float(space.diameter) * 2**20) + 1, 2**20) if exact is None else exact


def best_weights(near: NDArray[np.bool_]) -> tuple[Measure, Fraction]:
    """The base measure on answers whose least ball weighs most, and that weight, exactly.

    `near` says which answers (columns) are near enough to each input (row). It is the optimal
    strategy of a game: one side hides at an input, the other guesses.

    Answers that serve everybody, with as many inputs that share none of them, settle it without
    a program: their equal weights give everybody 1/n, and nobody can give n such inputs more.
    """
    size, width = near.shape
    if not near.any(axis=1).all():  # somebody whom no answer serves
        return (Fraction(1, width),) * width, _ZERO
    chosen = serving(near)
    if len(disjoint_rows(near)) == len(chosen):
        share = Fraction(1, len(chosen))
        return tuple(share if z in set(chosen) else _ZERO for z in range(width)), share
    far = int(np.flatnonzero(~near[:, 0])[0])  # an input that the first answer does not serve
    columns = [
        [*((int(y), _ONE) for y in np.flatnonzero(~near[:, z])), (size, _ONE)]
        for z in range(width)
    ]
    columns.append([(y, -_ONE) for y in range(size)])  # t: the most mass outside a ball
    columns += [[(y, _ONE)] for y in range(size)]
    costs = [_ZERO] * width + [_ONE] + [_ZERO] * size
    start = [0, width, *(width + 1 + y for y in range(size) if y != far)]
    program = RationalProgram(costs, columns, [_ZERO] * size + [_ONE], start)
    optimum = minimize_exactly(program)
    return optimum.x[:width], 1 - optimum.value


def least_ball(
    space: Space, measure: Sequence[Fraction], radius: Fraction, *, closed: bool = True
) -> Fraction:
    """The smallest weight of a ball: positive for every radius iff uniformly positive."""
    return least_row(balls(space, radius, closed=closed), measure)


def least_row(near: NDArray[np.bool_], measure: Sequence[Fraction]) -> Fraction:
    """The smallest weight of the answers near an input."""
    return min(sum((measure[z] for z in np.flatnonzero(row).tolist()), _ZERO) for row in near)


def ball_cover(dimension: int, radius: Fraction) -> list[Position]:
    """Centers in the Euclidean unit ball such that every point of it is within the radius.

    The ball is cut into cells of a grid whose diameter is at most the radius; each cell that
    meets the ball is represented by its point nearest to the center.

    >>> len(ball_cover(2, Fraction(1)))
    9
    """
    _check_body(dimension, radius)
    root = Fraction(isqrt(dimension * 10**12) + 1, 10**6)  # just above the root of the dimension
    side = radius / root
    last = floor(1 / side)
    _check_count((2 * last + 2) ** dimension)
    corners = [
        max(k * side, _ZERO) if k >= 0 else min((k + 1) * side, _ZERO)
        for k in range(-last - 1, last + 1)
    ]
    centers = {p for p in product(corners, repeat=dimension) if sum(x * x for x in p) <= 1}
    return sorted(centers)


def _check_body(dimension: int, radius: Fraction) -> None:
    if dimension < 1 or radius <= 0:
        raise BadInput(
            f"expected a dimension of at least 1 and a radius above 0, found {dimension}, {radius}."
        )


def _check_count(count: int) -> None:
    if count > MOST_CENTERS:
        raise TooLarge(
            "the number of centers", count, MOST_CENTERS, "use a larger radius or fewer dimensions"
        )
