"""ε* of a square from below: a program over few inputs, placed where answers stop serving them.

An answer serves the inputs of a square window of side 2γ. Inputs stand on a grid of a few
coordinates; two of them a hair apart, on both sides of 2γ, count for more than an even grid of
twice as many. Of a side of more than four radii, coordinates half a radius apart are used, at most
thirteen: of a wider square only a part. The level that is found in doubles is proved by a least
favorable prior and multipliers, as for every finite space.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise, product
from math import log
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import SolverFailed
from tightrope.exact import Level, ball_of, float_below
from tightrope.spaces import Space, categories, matrix
from tightrope.theory.limits.aims import Aim
from tightrope.theory.limits.compatibility import OutOfTime
from tightrope.theory.limits.failure_programs import SimplexGame

_HAIR = Fraction(1, 2**20)
_MOST = 9
"""Coordinates of a grid for a square of less than two windows."""
_TWO = tuple(map(Fraction, ("0", "1/2", "1", "3/2", "2")))
_LEAST_HALVES, _MOST_HALVES = 9, 13
"""Coordinates half a radius apart, of wide squares: with 13 a bound takes about 15 seconds."""
_CLOSE = 2.0**-12
_RAREST = 2.0**-40
"""Failures below this are lost in the doubles of the program."""


@dataclass(frozen=True, eq=False)
class Windows(Aim):
    """An aim with a table of which answers (columns) serve which inputs."""

    table: NDArray[np.bool_] | None = None

    @cached_property
    def answers(self) -> Space:
        """As many answers as windows."""
        assert self.table is not None
        return categories(self.table.shape[1])

    @cached_property
    def near(self) -> NDArray[np.bool_]:
        """Which answers serve which inputs."""
        assert self.table is not None
        return self.table


def coordinates(length: Fraction) -> tuple[Fraction, ...]:
    """Coordinates of the inputs on a side that is so many radii long, ascending, from 0 on.

    >>> [float(round(x, 3)) for x in coordinates(Fraction(4))]
    [0.0, 0.5, 1.0, 1.5, 2.0, 2.0, 2.5, 3.0, 3.5, 4.0]
    """
    for count in range(_MOST_HALVES, _LEAST_HALVES - 1, -1):
        halves = _halves(count)
        if halves[-1] <= length:
            return halves
    if length >= 4:
        left = [x - _HAIR if x >= 1 else x for x in _TWO]
        return (*left, *(4 - x for x in reversed(left)))
    points = {Fraction(0), length}
    for edge in (Fraction(2), length - 2):
        points |= {x for x in (edge - _HAIR, edge + _HAIR) if 0 < x < length}
    placed = sorted(points)
    while True:  # the widest gaps are halved, all of them at once: the grid stays symmetric
        widest = max(b - a for a, b in pairwise(placed))
        more = [(a + b) / 2 for a, b in pairwise(placed) if b - a > widest - 4 * _HAIR]
        if len(placed) + len(more) > _MOST:
            return tuple(placed)
        placed = sorted([*placed, *more])


def _halves(count: int) -> tuple[Fraction, ...]:
    """Coordinates half a radius apart, symmetric; every fourth one is a hair more than 2 away."""
    points = []
    for k in range(count):
        before, after = k // 4, (count - 1 - k) // 4
        own, mirrored = k % 4, (count - 1 - k) % 4
        hairs = Fraction(before - after, 2) if own == mirrored else (
            before if own < mirrored else -after)
        points.append(Fraction(k, 2) + hairs * _HAIR)
    return tuple(x - points[0] for x in points)


def windows(points: tuple[Fraction, ...], *, closed: bool) -> list[tuple[int, int]]:
    """The largest runs of coordinates that one answer serves: within 2, as radii; first, last."""
    runs: list[tuple[int, int]] = []
    for first, x in enumerate(points):
        last = max(k for k, y in enumerate(points) if y - x < 2 or (closed and y - x == 2)
                   or k == first)
        if not runs or last > runs[-1][1]:
            runs.append((first, last))
    return runs


def square_game(
    length: Fraction, radius: Fraction, failure: Fraction, *, closed: bool
) -> SimplexGame:
    """The program for inputs on a grid in a square; lengths are counted in radii."""
    axis = coordinates(length / radius)
    runs = windows(axis, closed=closed)
    served = np.array([[a <= k <= b for a, b in runs] for k in range(len(axis))])
    cells = list(product(range(len(axis)), repeat=2))
    distances = [[max(abs(axis[a] - axis[c]), abs(axis[b] - axis[d])) for c, d in cells]
                 for a, b in cells]
    space = matrix(range(len(cells)), distances)
    return SimplexGame.of(Windows(
        space, Fraction(1), failure, closed, np.kron(served, served).astype(bool)))


def square_bound(
    length: Fraction, radius: Fraction, failure: Fraction, seconds: float, *, closed: bool
) -> tuple[float, int]:
    """A level below which no mechanism on a square fails so seldom, and the number of inputs.

    Raises: `OutOfTime`; `SolverFailed` where the solver is not accurate enough for a proof.
    """
    from scipy.optimize import brentq

    if failure < Fraction(_RAREST):
        raise SolverFailed("so rare a failure is beyond the solver's double arithmetic.")
    end = monotonic() + seconds

    def in_time() -> None:
        if monotonic() >= end:
            raise OutOfTime("the time ended before ε* was found; allow more, or ask for less.")

    in_time()
    game = square_game(length, radius, failure, closed=closed)

    @cache
    def excess(epsilon: float) -> float:
        in_time()
        return log(max(game.value(epsilon), _RAREST / 4)) - log(failure)

    low, high = 0.0, -log(failure)
    while excess(high) > 0:
        low, high = high, 1.5 * high
    root = float(brentq(excess, max(low, _CLOSE), high, rtol=_CLOSE)) if (
        low or excess(_CLOSE) > 0) else 0.0
    for k in (1, 8, 64):
        level = Fraction(root * (1 - k * _CLOSE))
        if root and game.short(Level.epsilon(level)) is not None:
            return float_below(ball_of(level / radius, 128)), game.aim.space.size
    raise SolverFailed("the solver was not accurate enough to prove a bound.")
