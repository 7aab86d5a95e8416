"""Maps of a plan and of outputs; of true positions there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tightrope.applications.locations.countries import outlines
from tightrope.applications.locations.heat import HeatMap
from tightrope.applications.locations.lengths import shown
from tightrope.applications.locations.planning import LocationPlan
from tightrope.exact import FloatArray
from tightrope.plots import Disc, heat_figure, map_figure
from tightrope.spaces import Region

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEAST_FACING: Final = 0.2
"""Corners of countries that face away more than this are left out."""
_MOST_SHOWN: Final = 50_000


def plan_map(
    plan: LocationPlan, lon: FloatArray | None = None, lat: FloatArray | None = None
) -> Figure:
    """The region in its plane, outputs if there are any, and the noise around its middle."""
    space = plan.space
    empty = np.empty(0)
    points = (empty, empty)
    if lon is not None and lat is not None:
        every = max(1, len(lon) // _MOST_SHOWN)
        points = _in_plane(space.region, lon[::every], lat[::every])
    hull = space.region.hull / 64_000
    rate = float(np.log(float(plan.mechanism.ratio)) / float(space.step)) * 1000
    discs = [
        Disc(float(space.within) / 1000, f"{shown(float(space.within))}: look the same up to a "
             f"factor {plan.factor}"),
        Disc(plan.mean_displacement / 1000, f"mean displacement {shown(plan.mean_displacement)}"),
        Disc(plan.far_displacement / 1000, f"95 of 100 within {shown(plan.far_displacement)}"),
    ]
    return map_figure(
        f"Positions within {shown(float(space.within))} look the same up to a factor "
        f"{plan.factor}", _land(space.region), (hull[:, 0], hull[:, 1]), points, rate, discs,
    )


def heat_picture(found: HeatMap) -> Figure:
    """The counts of a heat map, in the plane of its region."""
    made = found.plan
    lon, lat = np.meshgrid(*made.edges)
    corners = _in_plane(made.region, lon, lat)
    error = made.plan.error
    assert error is not None
    return heat_figure(
        f"Private counts at {made.plan.level}, off by {float(error):.3g} on average",
        _land(made.region), corners, found.counts, f"{made.plan.counted_in} in a cell, with noise",
    )


def _in_plane(
    region: Region, lon: FloatArray, lat: FloatArray
) -> tuple[FloatArray, FloatArray]:
    x, y = region.plane.project(lon, lat)
    return x / 1000, y / 1000


def _land(region: Region) -> list[tuple[FloatArray, FloatArray]]:
    """Countries as far as they face the plane, in kilometers."""
    found = []
    for ring in outlines():
        lon, lat = (np.array([float(corner[axis]) for corner in ring]) for axis in (0, 1))
        seen = region.plane.facing(lon, lat) > _LEAST_FACING
        if seen.sum() > 2:
            found.append(_in_plane(region, lon[seen], lat[seen]))
    return found
