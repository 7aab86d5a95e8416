"""Planar noise on grids: the planar Laplace and the planar geometric, moved back into the grid.

The planar Laplace has the density ε²/(2π) e^(-ε|x-y|) on the plane, collected in cells around
the points of the grid (ECP, Section 7.2); the planar geometric has the mass λ e^(-ε|z-y|) on
all points of the lattice. Mass outside goes to the nearest cell. Both steps are
post-processing of a law that has the level, so the level is exactly ε, with no adjusted ε.

A mass depends on the offset along each axis only; border cells take the sums of all offsets
beyond theirs. Masses are computed in doubles, just inside the level, then taken as exact
numbers and proved (`repair`): draws follow these numbers, not the integral itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

from tightrope.constructions.obstacles import refuse, zero_obstacle
from tightrope.exact import FloatArray, IntArray, Level, Number, check_entries, own
from tightrope.privacy import Certified, level_of, repair
from tightrope.spaces import Family, Lattice, Metric, Space
from tightrope.utility import Problem

LEAST_RATE = 1 / 32
"""The least ε per step: below, the noise reaches thousands of cells far."""

LARGEST_REACH = 600
"""The largest ε times diameter: doubles end near e^-708."""

_TAIL = 42.0
"""Masses below e^-42 of the one they are added to do not count in doubles."""

_ROOM = 2.0**-38
"""Room below e^(ε d) for the rounding of masses in doubles."""

_NEAR = 4
"""Offsets from the center up to which integrals take a rule of higher order."""


@dataclass(frozen=True, eq=False)
class PlanarNoise:
    """Masses by offsets along both axes, and of all offsets beyond: M, then its tails.

    `masses[k, l]` is that of offset (k, l) for k, l < side, of all (k', l) with k' >= k - side
    for k >= side, and likewise along the second axis; the whole law adds up to 1.
    """

    side: int
    masses: FloatArray

    def __post_init__(self) -> None:
        own(self)

    @classmethod
    def geometric(cls, rate: float, side: int) -> PlanarNoise:
        """Masses proportional to e^(-rate d) on all points of the lattice.

        >>> round(PlanarNoise.geometric(1.0, 2).gain((100, 100)), 6)
        0.157301
        """
        return cls._of(lambda k: np.exp(-rate * np.hypot(k[:, None], k[None, :])), rate, side)

    @classmethod
    def laplace(cls, rate: float, side: int) -> PlanarNoise:
        """Masses of rate²/(2π) e^(-rate |x|) in unit squares around the points of the lattice.

        >>> round(PlanarNoise.laplace(1.0, 2).gain((100, 100)), 6)
        0.113457
        """
        return cls._of(lambda k: _squares(k, rate), rate, side)

    @classmethod
    def _of(
        cls, masses: Callable[[FloatArray], FloatArray], rate: float, side: int
    ) -> PlanarNoise:
        tail = _TAIL / rate
        far = side + 2 + int(sqrt(tail * (tail + 2 * side)))
        cells = masses(np.arange(far, dtype=np.float64))
        along = _with_tails(cells, side)
        both = _with_tails(along.T, side).T
        # the lattice is its center and four turned copies of {(k, l): k >= 1, l >= 0}
        beyond = float(cells[:0:-1].sum(axis=0)[::-1].sum())
        return cls(side, both / (cells[0, 0] + 4 * beyond))

    def matrix(self, shape: Sequence[int]) -> FloatArray:
        """The chance of every cell for every cell of a grid, both in row order."""
        first, second = (self._entries(side) for side in shape)
        table = self.masses[first[:, None, :, None], second[None, :, None, :]]
        size = shape[0] * shape[1]
        return np.ascontiguousarray(table.reshape(size, size))

    def gain(self, shape: Sequence[int]) -> float:
        """The mean chance that a cell of a grid with sides >= 2 stays where it is.

        That is the binary gain for the uniform prior; no remap has a larger one.
        """
        s, m = self.side, self.masses
        (a, b), corners = shape, 4 * m[s, s]
        edges = 2 * (b - 2) * m[s, 0] + 2 * (a - 2) * m[0, s]
        return float(((a - 2) * (b - 2) * m[0, 0] + edges + corners) / (a * b))

    def _entries(self, side: int) -> IntArray:
        """For inputs and outputs along one axis, the offset, or the tail from it at an end."""
        line = np.arange(side)
        offsets: IntArray = np.abs(line[:, None] - line[None, :])
        offsets[:, [0, -1]] += self.side
        return offsets


def obstacle(problem: Problem) -> str | None:
    """Why planar noise is not made here, in one sentence; None where it is."""
    space, epsilon = problem.space, float(problem.level)
    absent = f"it needs a grid with two axes, which {space.text} is not."
    if not isinstance(space, Lattice) or space.family is not Family.GRID:
        return absent
    shape = _shape(space)
    if len(shape) != 2 or min(shape) < 2:
        return absent
    if space.norm.metric is not Metric.EUCLIDEAN:
        return "its noise is round, for Euclidean distances only."
    if problem.level.is_zero:
        return zero_obstacle(problem)
    if epsilon * float(space.least_distance) < LEAST_RATE:
        return f"its noise reaches too far; it is made for ε times the step from {LEAST_RATE} on."
    if epsilon * float(space.diameter) > LARGEST_REACH:
        return f"its masses leave the range of doubles, at ε times the diameter {LARGEST_REACH}."
    return None


def planar_geometric(
    space: Space | str, epsilon: Level | Number | None = None, *, ratio: Number | None = None
) -> Certified:
    """The planar geometric on a Euclidean grid with two axes.

    Returns: the mechanism with its certificate. Raises: `Infeasible` on any other space, and for an
    ε too small or too large for doubles.

    >>> made = planar_geometric("grid:3x3", 1)
    >>> round(float(made.mechanism.row_at(4)[4]), 6)
    0.153675
    """
    problem = Problem(space, level_of(epsilon, ratio=ratio))
    return _certify_noise(problem, "planar-geometric", PlanarNoise.geometric)


def planar_laplace(
    space: Space | str, epsilon: Level | Number | None = None, *, ratio: Number | None = None
) -> Certified:
    """The planar Laplace on a Euclidean grid with two axes.

    Returns: the mechanism with its certificate. Raises: `Infeasible` on any other space, and for an
    ε too small or too large for doubles.

    >>> made = planar_laplace("grid:3x3", 1)
    >>> round(float(made.mechanism.row_at(4)[4]), 6)
    0.109679
    """
    problem = Problem(space, level_of(epsilon, ratio=ratio))
    return _certify_noise(problem, "planar-laplace", PlanarNoise.laplace)


def _shape(space: Lattice) -> tuple[int, ...]:
    return tuple(reach + 1 for reach in space.region.reach)


def _certify_noise(
    problem: Problem, name: str, noise: Callable[[float, int], PlanarNoise]
) -> Certified:
    refuse(name, obstacle(problem))
    space, level, step = problem.space, problem.level, problem.space.least_distance
    check_entries(space.size, space.size)
    assert isinstance(space, Lattice)
    rate = float(level.pure.inside(step, least=_ROOM)) * float(step)
    shape = _shape(space)
    return repair(noise(rate, max(shape)).matrix(shape), space, level).certified


def _with_tails(cells: FloatArray, side: int) -> FloatArray:
    """The first rows, then for each of them the sum of all rows from it on, the far ones first."""
    tails = np.cumsum(cells[::-1], axis=0)[::-1]
    return np.concatenate([cells[:side], tails[:side]])


def _squares(offsets: FloatArray, rate: float) -> FloatArray:
    """Integrals of rate²/(2π) e^(-rate |x|) over unit squares around whole offsets."""
    extra = int(rate)
    masses = _gauss(offsets, rate, 8 + extra)
    near = min(_NEAR, len(offsets))
    masses[:near, :near] = _gauss(offsets[:near], rate, 28 + extra)
    nodes, weights = np.polynomial.legendre.leggauss(40 + extra)
    reach = rate * 0.5 / np.cos(pi / 8 * (nodes + 1))  # eight wedges around the center
    within = -np.expm1(-reach) - reach * np.exp(-reach)
    masses[0, 0] = (weights @ within) / 2
    return masses


def _gauss(offsets: FloatArray, rate: float, order: int) -> FloatArray:
    """The product rule on every square; all of the weights are positive, so nothing cancels."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    squares = [np.square(offsets + node / 2) for node in nodes]
    sums = np.zeros((len(offsets), len(offsets)))
    for u, first in zip(weights, squares, strict=True):
        for v, second in zip(weights, squares, strict=True):
            sums += (u * v) * np.exp(-rate * np.sqrt(first[:, None] + second[None, :]))
    return sums * (rate**2 / (8 * pi))
