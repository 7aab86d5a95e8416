"""No weights w >= 0 solve Φ w = 1 on a large Euclidean grid: a proof from a corner of it.

If Φ u >= 0 and Σ u < 0, then no w >= 0 has Φ w = 1, for Σ u = ⟨u, Φ w⟩ = ⟨Φ u, w⟩. At low levels
such a u lives on the few cells at one corner, however large the grid: a small linear program
finds it, and what proves it is Φ u at every cell y of the grid, times e^(ε|y|) so that it does not
fade, Σ_z u_z e^(ε(|y| - |y - z|)). That is computed in doubles; each term is within
2^-40 (1 + ε diameter) of itself, with room for some thousand roundings, and that is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, hypot

import numpy as np

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, Level, own, tolerances
from tightrope.lp import LinearProgram, solve
from tightrope.mechanisms import sides
from tightrope.spaces import Lattice, Metric

_WIDTHS = 4, 8
"""Cells along the corners that are tried: the wider, the higher the levels they rule out."""

_ROUNDS = 4
"""Programs for one corner, each with the cells that the one before it broke."""

_NEAR, _SPACING = 3, 1.25
"""Cells up to so many widths away are in the first program, beyond it ever fewer."""


@dataclass(frozen=True, eq=False)
class CornerProof:
    """u on the cells (a, b) with a, b < width at the corner (0, 0): Φ u >= 0 and Σ u < 0."""

    grid: Lattice
    values: FloatArray

    def __post_init__(self) -> None:
        own(self)

    @property
    def width(self) -> int:
        """Cells along the corner."""
        return len(self.values)


def corner_proof(grid: Lattice, level: Level) -> CornerProof | None:
    """The proof that no weights exist on a grid of two axes; None if no corner shows it.

    >>> from tightrope.spaces import parse
    >>> corner_proof(parse("grid:200x300"), Level.epsilon("0.3")).width
    4
    >>> corner_proof(parse("grid:200x300"), Level.epsilon("0.7")) is None  # they exist
    True
    """
    shape = sides(grid)
    rate = float(level) * float(grid.least_distance)
    if grid.norm.metric is not Metric.EUCLIDEAN or len(shape) != 2 or not 0 < rate < 1:
        return None
    for width in _WIDTHS:
        if min(shape) > width:
            corner = _found(shape, rate, width)
            if corner is not None:
                return CornerProof(grid, corner)
    return None


def _found(shape: tuple[int, ...], rate: float, width: int) -> FloatArray | None:
    """The values at the corner, proved; None if there are none or they are not found."""
    cells = _first(shape, width)
    for _ in range(_ROUNDS):
        try:
            values = _program(cells, rate, width)
        except SolverFailed:
            return None
        if fsum(values.ravel()) >= 0:
            return None
        broken = _violation(shape, rate, values)
        if not len(broken):
            return values
        cells = np.concatenate([cells, broken])
    return None


def _first(shape: tuple[int, ...], width: int) -> IntArray:
    """The cells of the first program: all near ones, ever fewer farther away."""
    near = _NEAR * width
    along = []
    for side in shape:
        far = near * _SPACING ** np.arange(1 + np.log(max(1.0, side / near)) / np.log(_SPACING))
        places = np.concatenate([np.arange(near), np.rint(far).astype(np.int64), [side - 1]])
        along.append(np.unique(places[places < side]))
    return np.stack(np.meshgrid(*along, indexing="ij"), axis=-1).reshape(-1, 2)


def _program(cells: IntArray, rate: float, width: int) -> FloatArray:
    """The least sum of u between -1 and 1 with room above zero at the cells given."""
    corner = np.stack(np.meshgrid(*2 * [np.arange(width)], indexing="ij"), axis=-1).reshape(-1, 2)
    matrix = np.stack([_pull(cells[:, 0], cells[:, 1], z, rate) for z in corner], axis=1)
    rows, columns = np.indices(matrix.shape).reshape(2, -1)
    none, ones = np.zeros(len(cells)), np.ones(len(corner))
    solution = solve(LinearProgram(
        ones, rows, columns, matrix.ravel(), none + tolerances.CORNER_ROOM, none + np.inf, -ones,
        ones))
    return solution.values.reshape(width, width)


def _pull(a: IntArray, b: IntArray, z: IntArray, rate: float) -> FloatArray:
    """e^(ε(|y| - |y - z|)) for the cells y = (a, b)."""
    far = np.sqrt((a * a + b * b).astype(np.float64))
    from_z = np.sqrt(((a - z[0]) ** 2 + (b - z[1]) ** 2).astype(np.float64))
    return np.asarray(np.exp(rate * (far - from_z)))


def _violation(shape: tuple[int, ...], rate: float, values: FloatArray) -> IntArray:
    """Some of the cells where Φ u is not proved to be positive; none if it is everywhere."""
    width = len(values)
    size = sum(abs(u) * np.exp(rate * hypot(*z)) for z, u in np.ndenumerate(values))
    room = tolerances.CORNER_ERROR * (1 + rate * hypot(*shape)) * size
    rows = max(1, 1_000_000 // shape[1])
    for first in range(0, shape[0], rows):
        a, b = np.ogrid[first : min(shape[0], first + rows), : shape[1]]
        total = np.zeros(np.broadcast_shapes(a.shape, b.shape))
        for z in np.ndindex(width, width):
            if values[z]:
                total += values[z] * _pull(a, b, np.array(z), rate)
        low = np.argwhere(~(total >= room))
        if len(low):
            return np.asarray(low[::1 + len(low) // 1000] + np.array([first, 0]))
    return np.zeros((0, 2), dtype=np.int64)
