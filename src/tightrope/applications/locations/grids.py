"""Mechanisms on the finitely many cells of a region, at the same promise for true positions.

The region is covered by cells of a declared size; a position becomes the nearest cell of its
hull. Cells of width h add c = √2 h + 1/40 m to a distance, so the mechanism on cells has level
ln(factor)/(within + c) for each meter: what a mechanism gains by knowing where the region ends,
or which cells are likely, it must first win back from its own cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from tightrope.applications.locations.lengths import meters, shown
from tightrope.applications.locations.planning import check_promise, promised, shaped
from tightrope.applications.locations.regions import region_of
from tightrope.constructions import design
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, IntArray, Level, short_text, sizes
from tightrope.privacy import Certified
from tightrope.samplers import SYSTEM, Source, draw_indices
from tightrope.spaces import MOVED, Positions, Region, grid
from tightrope.utility import Prior, Solution, uniform

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

    def prior(self, lon: FloatArray, lat: FloatArray, weight: FloatArray) -> Prior:
        """A public prior: the weights of public places by cell, one part in 1,000 spread evenly."""
        held = np.bincount(self.codes(lon, lat), weight, self.size)
        if not (weight >= 0).all() or not held.sum() > 0:
            raise BadInput("expected weights of places that are at least 0, and not all 0.")
        mixed = 0.999 * held / held.sum() + 0.001 / self.size
        return Prior(tuple(Fraction(share) for share in mixed.tolist()))


@dataclass(frozen=True, repr=False)
class GridPlan:
    """A proved mechanism on the cells of a region."""

    solution: Solution
    cells: Cells
    factor: Fraction
    releases: ClassVar[int] = 1

    @property
    def certified(self) -> Certified:
        """The mechanism on cells, with its certificate."""
        return self.solution.certified

    @property
    def space(self) -> Positions:
        """Region, distance and cells."""
        return self.cells.space

    @property
    def mean_displacement(self) -> float:
        """Meters from cell to cell on average, for the prior that it was made for."""
        return float(self.solution.value)

    @property
    def promise(self) -> str:
        """What is promised, in one sentence."""
        return promised(self.space, self.factor)

    def as_json(self) -> dict[str, Any]:
        """The plan as `tightrope locate --json` states it; lengths in meters."""
        certificate, solution = self.certified.certificate, self.solution
        return shaped({
            "certified": True,
            "construction": solution.construction,
            "evidence": certificate.evidence.value,
            "statement": certificate.statement,
            "neighbors": self.space.relation,
            **Level.ratio(self.factor).as_json(),
            "factor": str(self.factor),
            "within": float(self.space.within),
            "unit": "m",
            "region": self.space.region.describe(),
            "stretch": 1.0,
            "step": float(self.space.step),
            "added": float(self.cells.added),
            "cells": self.cells.size,
            "epsilon_per_meter_of_cells": float(certificate.level),
            "expected_displacement": self.mean_displacement,
            "bound": solution.bound,
            "promise": self.promise,
        })

    def blur(
        self, lon: FloatArray, lat: FloatArray, *, cut: bool = False, source: Source = SYSTEM
    ) -> tuple[FloatArray, FloatArray]:
        """New positions, centers of cells: they are never outside."""
        drawn = draw_indices(self.certified, self.cells.codes(lon, lat), source)
        return self.cells.centers(np.asarray(drawn, dtype=np.int64))

    def __repr__(self) -> str:
        a, b = self.cells.shape
        return (f"GridPlan({self.solution.construction} on {a} × {b} cells of "
                f"{shown(float(self.space.step))}, factor {self.factor} within "
                f"{short_text(self.space.within)} m: mean displacement "
                f"{shown(self.mean_displacement)})")


def region_cells(region: Any, within: str, cell: str) -> Cells:
    """The cells of a region; refused where they cost more than half of the distance."""
    place: Region = region_of(region)
    found = Cells(Positions(place, meters(within), meters(cell)))
    if found.size > sizes.LARGEST_GRID:
        raise BadInput(f"the region has {found.size:,} cells of {cell}; expected at most "
                       f"{sizes.LARGEST_GRID:,}, so larger cells or a smaller region.")
    return found


def plan_grid(
    region: Any, within: str, factor: Any, cell: str, construction: str, *,
    prior: Prior | None = None, loss: str = "euclidean",
) -> GridPlan:
    """A construction of the catalog on the cells of a region, proved for true positions.

    >>> plan_grid("-4,40,-3.99,40.01", "400 m", 10, "100 m", "exponential")
    GridPlan(exponential on 9 × 13 cells of 100 m, factor 10 within 400 m: mean displacement 429 m)
    """
    cells = region_cells(region, within, cell)
    ratio = check_promise(cells.space.region, within, factor)
    level = cell_level(cells, ratio)
    space = grid(cells.shape, cells.space.step)
    found = design(space, level, prior=prior or uniform, loss=loss, construction=construction)
    return GridPlan(found, cells, ratio)


def cell_level(cells: Cells, factor: Fraction, *, charged: bool = True) -> Level:
    """ε for each meter between cells; not `charged`, what true positions at centers have."""
    length = cells.space.within + (cells.added if charged else 0)
    return Level.ratio(factor).scaled(1 / length)
