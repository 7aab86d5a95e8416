"""Points as numbers, for losses that measure how far off an answer is."""

from __future__ import annotations

from tightrope.spaces.lattices import Lattice
from tightrope.spaces.positions import PointSpace
from tightrope.spaces.protocol import FloatArray, Space


def coordinates(space: Space) -> FloatArray | None:
    """One row of numbers per point, or None where the points are not numbers.

    Paths, sums, counts and histograms give their labels, grids the cell index times the
    step, points their coordinates.

    >>> from tightrope.spaces import grid
    >>> coordinates(grid((1, 2), step="1/2")).tolist()
    [[0.0, 0.0], [0.0, 0.5]]
    """
    if isinstance(space, Lattice | PointSpace):
        return space.coordinates()
    return None
