"""The cells of a region: finitely many, of a declared width, for mechanisms that list them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import numpy as np

from tightrope.errors import BadInput
from tightrope.exact import FloatArray, IntArray, sizes
from tightrope.locations.lengths import meters
from tightrope.locations.places import Places
from tightrope.locations.regions import region_of
from tightrope.spaces import MOVED, Positions, Region
from tightrope.utility import Prior

_DIAGONAL: Final = Fraction(14_142_136, 10_000_000)
"""Above √2."""


@dataclass(frozen=True)
class Cells:
    """The cells of a region: the lattice around its middle as far as its hull reaches.

    >>> from tightrope.spaces import Region
    >>> Cells(Positions(Region.box(-4, 40, "-3.9", "40.1"), 2000, 500)).shape
    (19, 23)
    """

    space: Positions

    @cached_property
    def _ends(self) -> tuple[IntArray, IntArray]:
        hull, step = self.space.region.hull, float(self.space.step * 64)
        return (np.rint(hull.min(axis=0) / step).astype(np.int64),
                np.rint(hull.max(axis=0) / step).astype(np.int64))

    @property
    def shape(self) -> tuple[int, int]:
        """How many cells there are east and north."""
        low, high = self._ends
        return int(high[0] - low[0]) + 1, int(high[1] - low[1]) + 1

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.shape[0] * self.shape[1]

    @property
    def edges(self) -> tuple[FloatArray, FloatArray]:
        """Kilometers east and north of the middle at which cells meet."""
        low, step = self._ends[0], float(self.space.step) / 1000
        east, north = ((np.arange(count + 1) + first - 0.5) * step
                       for first, count in zip(low, self.shape, strict=True))
        return east, north

    @property
    def added(self) -> Fraction:
        """Meters that cells and rounding add to a distance, at most."""
        return self.space.step * _DIAGONAL + 2 * MOVED

    def codes(self, lon: FloatArray, lat: FloatArray) -> IntArray:
        """The number of the cell of each position."""
        east, north = self.space.cells(lon, lat)
        low = self._ends[0]
        return np.asarray((east - low[0]) * self.shape[1] + (north - low[1]))

    def centers(self, codes: IntArray) -> tuple[FloatArray, FloatArray]:
        """Longitude and latitude of the centers of cells."""
        low = self._ends[0]
        east, north = np.divmod(codes, self.shape[1])
        return self.space.centers(east + low[0], north + low[1])

    def shares(self, places: Places) -> FloatArray:
        """The share of each cell in the weight of public places, one in 1,000 spread evenly."""
        weights = np.bincount(self.codes(places.lon, places.lat), places.weight, self.size)
        return np.asarray(0.999 * weights / weights.sum() + 0.001 / self.size)

    def prior(self, places: Places) -> Prior:
        """A public prior on the cells."""
        return Prior(tuple(Fraction(share) for share in self.shares(places).tolist()))


def region_cells(region: Any, within: str, cell: str) -> Cells:
    """The cells of a region; refused where they cost more than half of the distance."""
    place: Region = region_of(region)
    cells = Cells(Positions(place, meters(within), meters(cell)))
    if cells.size > sizes.LARGEST_GRID:
        raise BadInput(f"the region has {cells.size:,} cells of {cell}; expected at most "
                       f"{sizes.LARGEST_GRID:,}, so larger cells or a smaller region.")
    return cells
