"""The loss of an output: meters, their squares, another cell, or a longer way.

The way is that of a service which sends somebody to the facility nearest to the output: how much
longer it is from the true position than to the facility nearest to that. Facilities are public.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tightrope.choices import Cost, member_of
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, stated
from tightrope.locations.covering import Cells
from tightrope.locations.places import places_of
from tightrope.spaces import TangentPlane
from tightrope.utility import LossLike, LossMatrix

_UNITS: Final = {Cost.METERS: "m", Cost.SQUARED: "m²", Cost.CELL: "", Cost.FACILITY: "m"}
_NAMES: Final = {Cost.METERS: "euclidean", Cost.SQUARED: "squared", Cost.CELL: "binary"}
Points = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class PositionLoss:
    """A loss of true position and output; facilities and a speed in km/h are for ways alone.

    >>> PositionLoss("squared").unit, PositionLoss("facility", {"lon": [1], "lat": [2]}, 30).unit
    ('m²', 'min')
    """

    cost: Cost = Cost.METERS
    facilities: Any = None
    speed: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "cost", member_of(Cost, self.cost, "loss"))
        if (self.facilities is not None) is not (self.cost is Cost.FACILITY):
            raise BadInput("the loss 'facility' is for a table of facilities, and needs one.")
        if self.speed is not None and (
                self.facilities is None or stated(self.speed, "a speed in km/h") <= 0):
            raise BadInput("expected a speed above 0 km/h, of ways to facilities.")
        if self.facilities is not None:
            places = places_of(self.facilities)
            object.__setattr__(self, "facilities", (places.lon, places.lat))

    @property
    def unit(self) -> str:
        """The unit of the loss."""
        return "min" if self.speed is not None else _UNITS[self.cost]

    @property
    def name(self) -> str:
        """The loss in a few words."""
        return {Cost.METERS: "displacement", Cost.SQUARED: "squared displacement",
                Cost.CELL: "another cell", Cost.FACILITY: "longer way"}[self.cost]

    def of(self, cells: Cells, truth: Points, out: Points) -> FloatArray:
        """The loss of each pair of a true position and an output."""
        plane = cells.space.region.plane
        if self.cost is Cost.CELL:
            return np.asarray(cells.codes(*truth) != cells.codes(*out), dtype=np.float64)
        a, b = (np.stack(plane.project(*points), axis=1) for points in (truth, out))
        if self.cost is Cost.FACILITY:
            return self._ways(plane, a, b)
        far = np.hypot(*(a - b).T)
        return np.asarray(far if self.cost is Cost.METERS else far**2)

    def on_cells(self, cells: Cells) -> LossLike:
        """The loss between the centers of cells, as a design takes it."""
        if self.cost is not Cost.FACILITY:
            return _NAMES[self.cost]
        plane = cells.space.region.plane
        at = np.stack(plane.project(*cells.centers(np.arange(cells.size))), axis=1)
        rows = [self._ways(plane, np.broadcast_to(center, at.shape), at) for center in at]
        return LossMatrix(np.array(rows), self.name)

    def _ways(self, plane: TangentPlane, truth: FloatArray, out: FloatArray) -> FloatArray:
        from scipy.spatial import cKDTree

        goals = np.stack(plane.project(*self.facilities), axis=1)
        tree = cKDTree(goals)
        nearest = goals[tree.query(out)[1]]
        longer = np.maximum(0.0, np.hypot(*(truth - nearest).T) - tree.query(truth)[0])
        rate = 1.0 if self.speed is None else 60 / (1000 * float(stated(self.speed, "a speed")))
        return np.asarray(longer * rate)
