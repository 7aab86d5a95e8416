"""Maps of a plan and of outputs; those of true positions are for a curator, and say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from tightrope.exact import FloatArray
from tightrope.locations.countries import outlines
from tightrope.locations.grids import GridPlan
from tightrope.locations.heat import HeatPlan, counts_of
from tightrope.locations.lengths import length_text
from tightrope.locations.planning import LocationPlan
from tightrope.locations.rows import Rows
from tightrope.mechanisms import FiniteMechanism, RingLaw
from tightrope.plots import Around, Disc, heat_figure, map_figure
from tightrope.releases import Answer
from tightrope.spaces import Region

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEAST_FACING: Final = 0.2
"""Corners of countries that face away more than this are left out."""
_MOST_SHOWN: Final = 50_000
_MOST_CELLS: Final = 10_000
_RINGS_SHOWN: Final = 2
_SQUARES: Final = 240
"""Small squares along a picture of noise in steps."""


def plan_map(
    plan: LocationPlan | GridPlan, lon: FloatArray | None = None, lat: FloatArray | None = None,
    *, around: tuple[float, float] | None = None, truths: Rows | None = None,
) -> Figure:
    """The region in its plane, outputs if there are any, and the noise around one place.

    That is the middle of the region, or a longitude and latitude that was chosen. `truths` are a
    curator's: they are drawn as they are, and the map says so.
    """
    region, within = plan.space.region, float(plan.space.within)
    hull, empty = region.hull / 64_000, np.empty(0)
    points = (empty, empty) if lon is None or lat is None else _few(region, lon, lat)
    true = None
    if truths is not None:
        fits = truths.usable
        true = _few(region, truths.lon[fits], truths.lat[fits])
    return map_figure(
        f"Positions within {length_text(within)} look the same up to a factor {plan.factor}",
        _land(region), (hull[:, 0], hull[:, 1]), points, _around(plan, around), true,
    )


def _few(region: Region, lon: FloatArray, lat: FloatArray) -> tuple[FloatArray, FloatArray]:
    every = max(1, len(lon) // _MOST_SHOWN)
    return _in_plane(region, lon[::every], lat[::every])


def _around(plan: LocationPlan | GridPlan, chosen: tuple[float, float] | None) -> Around:
    """Where outputs fall around the middle of the region, or around a chosen place."""
    region, within = plan.space.region, float(plan.space.within)
    name, center = "the middle of the region", (0.0, 0.0)
    if chosen is not None:
        x, y = _in_plane(region, *(np.array([float(part)]) for part in chosen))
        name, center = f"{chosen[0]:g}, {chosen[1]:g}", (float(x[0]), float(y[0]))
    same = Disc(within / 1000, f"{length_text(within)}: look the same up to a factor {plan.factor}")
    mean = Disc(plan.mean_displacement / 1000,
                f"mean displacement {length_text(plan.mean_displacement)}")
    if isinstance(plan, LocationPlan):
        far = Disc(plan.far_displacement / 1000,
                   f"95 of 100 within {length_text(plan.far_displacement)}")
        if isinstance(plan.law, RingLaw):
            return Around(name, center, [same, mean, far],
                          cells=_rings(plan.law, float(plan.space.step) / 1000, center))
        rate = float(np.log(float(plan.law.ratio)) / float(plan.space.step)) * 1000
        return Around(name, center, [same, mean, far], rate)
    if plan.cells.size > _MOST_CELLS:
        return Around(name, center, [same, mean], 2000 / plan.mean_displacement)
    truth = chosen or (region.plane.lon, region.plane.lat)
    code = int(plan.cells.codes(*(np.array([float(part)]) for part in truth))[0])
    mechanism = plan.certified.mechanism
    assert isinstance(mechanism, FiniteMechanism)
    row = np.array([float(chance) for chance in mechanism.row_at(code)])
    if plan.remap is not None:
        row = np.bincount(plan.remap.targets, row, len(row))
    likely = row.reshape(plan.cells.shape).T / row.max()
    return Around(name, center, [same, mean], cells=(*plan.cells.edges, likely))


def _rings(
    law: RingLaw, step: float, center: tuple[float, float]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Edges of small squares around a place, in kilometers, and how likely each one's cells are."""
    reach = law.first + _RINGS_SHOWN * law.width
    edges = np.linspace(-reach, reach, _SQUARES + 1)
    middle = (edges[1:] + edges[:-1]) / 2
    beyond = np.maximum(np.hypot(middle[:, None], middle) - law.first, 0)
    likely = float(law.ratio) ** -np.ceil(beyond / law.width)
    return center[0] + edges * step, center[1] + edges * step, likely


def heat_picture(made: HeatPlan, answers: Sequence[Answer]) -> Figure:
    """The counts of a heat map, in the plane of its region; those that may be 0 are gray."""
    lon, lat = np.meshgrid(*made.edges)
    corners = _in_plane(made.region, lon, lat)
    error = made.plan.error
    assert error is not None
    return heat_figure(
        f"Private counts at {made.plan.level}, off by {float(error):.3g} on average",
        _land(made.region), corners, counts_of(made, answers),
        np.array([answer.mark is not None for answer in answers]).reshape(made.shape[::-1]),
        f"in each cell, with noise: {made.plan.kept or made.plan.unit_of_error}; gray if the "
        "interval reaches 0",
    )


def _in_plane(
    region: Region, lon: FloatArray, lat: FloatArray
) -> tuple[FloatArray, FloatArray]:
    x, y = region.plane.project(lon, lat)
    return x / 1000, y / 1000


def _land(region: Region) -> list[tuple[FloatArray, FloatArray]]:
    """Countries as far as they face the plane, in kilometers."""
    lines = []
    for ring in outlines():
        lon, lat = (np.array([float(corner[axis]) for corner in ring]) for axis in (0, 1))
        seen = region.plane.facing(lon, lat) > _LEAST_FACING
        if seen.sum() > 2:
            lines.append(_in_plane(region, lon[seen], lat[seen]))
    return lines
