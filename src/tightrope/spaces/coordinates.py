"""Points as numbers, for losses that measure how far off an answer is."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tightrope.exact import FloatArray, IntArray
from tightrope.spaces.labels import Integers
from tightrope.spaces.lattices import Lattice
from tightrope.spaces.positions import PointSpace
from tightrope.spaces.protocol import Space


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


def has_coordinates(space: Space) -> bool:
    """Whether the points are numbers, however many they are.

    >>> from tightrope.spaces import categories, path
    >>> has_coordinates(path(0, 10**15)), has_coordinates(categories(3))
    (True, False)
    """
    return isinstance(space, PointSpace) or (isinstance(space, Lattice) and space.numeric)


def exact_coordinates(space: Space) -> tuple[IntArray, Fraction] | None:
    """The same rows as whole numbers, and the unit that they are multiples of.

    >>> from tightrope.spaces import grid
    >>> whole, unit = exact_coordinates(grid((1, 2), step="1/2"))
    >>> whole.tolist(), unit
    ([[0, 0], [0, 1]], Fraction(1, 2))
    """
    if isinstance(space, PointSpace):
        return space.numerators, Fraction(1, space.denominator)
    if not isinstance(space, Lattice) or space.coordinates() is None:
        return None
    axes = np.stack(space.region.cells(np.arange(space.size)), axis=1).astype(np.int64)
    if isinstance(space.naming, Integers):
        return axes + space.naming.low, Fraction(1)
    return axes, space.norm.step
