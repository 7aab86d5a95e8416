"""ε* of a square from below: a program over few inputs, placed where answers stop serving them.

Lengths are in radii. Coordinates of inputs recur with a period that is a hair more than 2, so that
an answer serves no two of them a period apart: those it serves lie in a window of one period.
Within a period they are even on both parts into which the ends of the side cut it.

The program has an unknown for each window and each input near it: the chance of an answer that
serves this window at most. It keeps of all conditions the level, between inputs next to each
other, and that chances of windows near an input add up to 1 at most. Least failures of mechanisms
are not less than that of the program, and any weights of its constraints that are not negative
prove a bound. Symmetries of the square leave one unknown of each orbit.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import floor, inf
from time import monotonic
from typing import Any

import numpy as np
from flint import ctx

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, ball_of, float_below, lower_bound
from tightrope.theory.limits.compatibility import OutOfTime
from tightrope.theory.limits.square_programs import (
    RAREST,
    Triple,
    orbit_numbers,
    search_level,
    solve_blocks,
)

_PERIOD = 2 + Fraction(1, 2**20)
LONGEST = Fraction(19, 2), Fraction(23, 2)
"""Of a longer side a part is used: the second is within a tenth of the plane at failures from
1/100 to 3/10."""
_MOST_UNKNOWNS = 9_000
"""Unknowns that are aimed at: a program takes a few seconds."""
_MOST_OF_WIDEST = 12_000
"""Unknowns of the second of the longest sides: with 9,000 its grid is worse than the first's."""
_MOST_IN_PERIOD = 12
_SPAN = 3
"""Pairs of inputs are at most so many coordinates apart; without any between them."""
_HAIRS = 2.0**-12
_REACH = 5.0
"""Chances of windows farther than this from an input, in units of 1/ε, are left out."""
_BITS = 60


@dataclass(frozen=True)
class Grid:
    """Coordinates of inputs, ascending from 0 on, of which `window` in a row are a period."""

    axis: tuple[Fraction, ...]
    window: int

    @classmethod
    def of(cls, length: Fraction, reach: float = inf, most: int = _MOST_UNKNOWNS) -> Grid:
        """The grid on a side of so many radii that loses least, by an estimate, of those with
        not too many unknowns if inputs count up to a reach.

        >>> [float(round(x, 3)) for x in Grid.of(Fraction(3)).axis][:6]
        [0.0, 0.125, 0.25, 0.375, 0.5, 0.625]
        """
        if length % _PERIOD == 0:
            length -= _PERIOD / 2**20
        whole, left = divmod(length, _PERIOD)
        best, least = (1, 1), inf
        for first in range(1, _MOST_IN_PERIOD):
            for second in range(1, _MOST_IN_PERIOD):
                count = int(whole) * (first + second) + first + 1
                near = min(float(count), reach * (first + second))
                windows = count - first - second + 1
                gaps = sorted(map(float, (left / first, (_PERIOD - left) / second)))
                loss = 0.36 * gaps[1] + 0.1 * (1 - gaps[0] / gaps[1])
                if loss < least and (windows * near) ** 2 <= 8 * most:
                    best, least = (first, second), loss
        first, second = best
        residues = [left * k / first for k in range(first)]
        residues += [left + (_PERIOD - left) * k / second for k in range(second)]
        axis = [k * _PERIOD + r for k in range(int(whole) + 1) for r in residues]
        return cls((*(x for x in axis if x < length), length), first + second)

    @property
    def inputs(self) -> int:
        """Inputs in the square."""
        return len(self.axis) ** 2

    @cached_property
    def places(self) -> FloatArray:
        """The coordinates in doubles."""
        return np.array([float(x) for x in self.axis])


@dataclass(frozen=True)
class WindowGame:
    """The program on a grid: chances of windows at inputs within a reach, by orbits.

    An unknown stands for a window (i, j), numbered by its first coordinates, and an input (a, b):
    `first` holds i and a of one of each orbit, `second` holds j and b.
    """

    grid: Grid
    reach: float

    @cached_property
    def _elements(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Windows and inputs of all elements within the reach, along both coordinates."""
        x, wide = self.grid.places, self.grid.window
        count = len(x) - wide + 1
        centers = (x[:count] + x[wide - 1 :]) / 2
        near = np.abs(x - centers[:, None]) <= self.reach
        i, a = np.nonzero(near | near[::-1, ::-1])  # the same from the other end
        first, second = (c.ravel() for c in np.meshgrid(*[np.arange(len(i))] * 2, indexing="ij"))
        return i[first], a[first], i[second], a[second]

    @cached_property
    def unknowns(self) -> IntArray:
        """The unknown of window (i, j) and input (a, b), at [i, a, j, b]; -1 out of reach."""
        i, a, j, b = self._elements
        size, count = len(self.grid.axis), len(self.grid.axis) - self.grid.window + 1
        codes = np.arange(size * count)
        flip = (count - 1 - codes // size) * size + size - 1 - codes % size
        table = np.full((count, size, count, size), -1)
        table[i, a, j, b] = np.unique(
            orbit_numbers(i * size + a, j * size + b, flip), return_inverse=True)[1]
        return table

    @cached_property
    def sums(self) -> tuple[IntArray, IntArray, IntArray, int]:
        """For every unknown the orbit of its input, how many windows in its orbit an input of it
        has, whether they serve it, and the number of orbits of inputs."""
        i, a, j, b = self._elements
        size, wide = len(self.grid.axis), self.grid.window
        unknown = self.unknowns[i, a, j, b]
        orbits, orbit = np.unique(
            orbit_numbers(a, b, np.arange(size)[::-1]), return_inverse=True)
        members = np.bincount(np.unique(
            orbit_numbers(*np.divmod(np.arange(size**2), size), np.arange(size)[::-1]),
            return_inverse=True)[1])
        count = unknown.max() + 1
        inputs, served = np.zeros(count, np.int64), np.zeros(count, np.int64)
        inputs[unknown] = orbit
        served[unknown] = (i <= a) & (a < i + wide) & (j <= b) & (b < j + wide)
        return inputs, np.bincount(unknown) // members[inputs], served, len(orbits)

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray, IntArray, list[Fraction]]:
        """Unknowns of a window at two inputs with none between; the number of the distance."""
        table, axis = self.unknowns, self.grid.axis
        shown, where = np.unique(table[table >= 0], return_index=True)
        i, a, j, b = (c[where] for c in np.nonzero(table >= 0))
        around = (_SPAN, _SPAN)
        padded = np.pad(table, ((0, 0), around, (0, 0), around), constant_values=-1)
        steps = {d: [abs(y - x) for x, y in zip(axis[max(-d, 0):], axis[max(d, 0):], strict=False)]
                 for d in range(-_SPAN, _SPAN + 1)}
        kinds = sorted({gap for gaps in steps.values() for gap in gaps})
        number = {gap: k for k, gap in enumerate(kinds)}
        lengths = np.array([float(k) for k in kinds])
        moves = {d: np.array([0] * max(-d, 0) + [number[gap] for gap in gaps] + [0] * max(d, 0))
                 for d, gaps in steps.items()}
        lines = []
        for da, db in product(range(-_SPAN, _SPAN + 1), repeat=2):
            near = padded[i, a + _SPAN + da, j, b + _SPAN + db]
            kind = np.maximum(moves[da][a], moves[db][b])
            needed = (near >= 0) & (near != shown)
            for ea, eb in product(_between(da), _between(db)):
                if (ea, eb) not in ((0, 0), (da, db)):
                    rest = np.maximum(self._apart(a, ea, da), self._apart(b, eb, db))
                    half = lengths[np.maximum(moves[ea][a], moves[eb][b])]
                    needed &= half + rest > lengths[kind] + _HAIRS
            lines.append(np.stack([shown, near, kind])[:, needed])
        merged = np.unique(np.concatenate(lines, axis=1), axis=1)
        return merged[0], merged[1], merged[2], kinds

    def _apart(self, place: IntArray, first: int, second: int) -> FloatArray:
        """The distance along a side from `first` to `second` steps after a coordinate."""
        x, last = self.grid.places, len(self.grid.axis) - 1
        return np.abs(x[np.clip(place + second, 0, last)] - x[np.clip(place + first, 0, last)])

    def weights(self, epsilon: Fraction, seconds: float = inf) -> tuple[FloatArray, FloatArray]:
        """Weights, nearly the best, of how often inputs are served and of the pairs of a level."""
        inputs, copies, served, orbits = self.sums
        first, second, kind, distances = self.pairs
        count, lines, unknown = len(inputs), np.arange(len(first)), np.arange(len(inputs))
        shares = np.exp([-float(epsilon * d) for d in distances])[kind]
        level: list[Triple] = [(lines, first, np.ones(len(lines))), (lines, second, -shares)]
        sums: list[Triple] = [(inputs, unknown, copies.astype(np.float64))]
        success: list[Triple] = [
            (inputs, unknown, (copies * served).astype(np.float64)),
            (np.arange(orbits), np.full(orbits, count), -np.ones(orbits))]
        prices = solve_blocks(
            np.append(np.zeros(count), -1.0),
            [(len(lines), 0.0, inf, level), (orbits, 0.0, inf, success), (orbits, -inf, 1.0, sums)],
            seconds)[1]
        used = np.abs(prices[: len(lines) + orbits])  # HiGHS gives them a sign of their own
        return used[len(lines) :], used[: len(lines)]

    def least_failure(
        self, epsilon: Fraction, favored: FloatArray, multipliers: FloatArray
    ) -> Fraction:
        """A bound on the least failure of the program, from any weights; proved.

        With weights p of inputs, 1 in sum, success is at most the sum over windows and inputs of
        their chances times p, if they are served. Pairs add what is not negative. What stands
        before the chances at an input is then at most its price.
        """
        inputs, copies, served, orbits = self.sums
        first, second, kind, distances = self.pairs
        if not favored.sum() > 0:
            return Fraction(0)
        prior = _whole(favored / favored.sum())
        amounts = _whole(multipliers / favored.sum())
        with ctx.workprec(2 * _BITS):
            shares = np.array([_share(epsilon * d) for d in distances], dtype=object)
        gains: Any = prior[inputs] * (copies * served)
        np.add.at(gains, first, amounts)
        np.subtract.at(gains, second, amounts * shares[kind] >> _BITS)
        prices: Any = np.zeros(orbits, dtype=object)
        np.maximum.at(prices, inputs, -(-gains // copies))
        return 1 - Fraction(sum(prices.tolist()), sum(prior.tolist()))


def _between(step: int) -> range:
    """Steps from 0 to one, both included."""
    return range(min(step, 0), max(step, 0) + 1)


def _whole(weights: FloatArray) -> Any:
    """Weights in whole units of 2^-60, as Python integers."""
    return np.array([int(w) for w in np.ldexp(np.maximum(weights, 0), _BITS)], dtype=object)


def _share(product: Fraction) -> int:
    """e^(-product), rounded down to a unit."""
    return floor(lower_bound((-ball_of(product, 2 * _BITS)).exp() * (1 << _BITS)))


def _grid(length: Fraction, reach: float) -> Grid:
    """The grid for a square with a side of so many radii, or for a part of it."""
    first, second = LONGEST
    if length >= second:
        return Grid.of(second, reach, _MOST_OF_WIDEST)
    return Grid.of(min(length, first), reach)


def square_bound(
    length: Fraction, radius: Fraction, failure: Fraction, start: float, seconds: float
) -> tuple[float, int]:
    """A level below which no mechanism on a square fails so seldom, and the number of inputs.

    `start` is a level, in units of 1/γ, near which one is sought.

    Raises: `OutOfTime`; `SolverFailed` where the solver is not accurate enough for a proof.
    """
    if failure < Fraction(RAREST):
        raise SolverFailed("so rare a failure is beyond the solver's double arithmetic.")
    end = monotonic() + seconds
    if seconds <= 0:
        raise OutOfTime("the time ended before ε* was found; allow more, or ask for less.")
    reach = 1 + _REACH / start
    game = WindowGame(_grid(length / radius, reach), reach)

    def failure_at(epsilon: float) -> Fraction | None:
        try:
            weights = game.weights(Fraction(epsilon), end - monotonic())
        except SolverFailed:  # out of time, or of doubles
            return None
        return game.least_failure(Fraction(epsilon), *weights)

    level = search_level(failure_at, failure, start, above=False)
    if level is None:
        raise SolverFailed("the solver was not accurate enough to prove a bound, or had no time.")
    return float_below(ball_of(Fraction(level) / radius, 128)), game.grid.inputs
