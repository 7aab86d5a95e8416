"""Mechanisms side by side at one promise for true positions, never for anybody's positions.

Truths are spread evenly over the region's hull bounds and run through each mechanism; means are
estimates with a standard error. What the best guess of an adversary is off by, who knows that
truths are spread evenly, and what no mechanism goes below, are worked out where cells are few.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tightrope.applications.locations.grids import (
    Cells,
    GridPlan,
    cell_level,
    plan_grid,
    region_cells,
)
from tightrope.applications.locations.planning import LocationPlan, plan_locations
from tightrope.constructions import design
from tightrope.errors import BadInput, CannotCheck, Infeasible
from tightrope.exact import FloatArray, own
from tightrope.mechanisms import FiniteMechanism
from tightrope.samplers import SYSTEM, Source
from tightrope.spaces import grid
from tightrope.utility import best_remap

CONSTRUCTIONS: Final = ("tight", "exponential", "planar-geometric", "optimal")
_DRAWS: Final = 20_000
_FEW: Final = 1_024
"""Cells up to which an adversary's best guess is worked out."""
_SOLVED: Final = 150
"""Cells up to which the optimum is sought here; `plan_grid` goes further."""

Blur = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True)
class LocationRow:
    """What one mechanism does to a position, in meters; None where it is not known.

    `mean`, its standard `error`, and `far` (the 95th percentile) are between truth and output,
    `same` is the probability that an output is in the truth's cell, `adversary` what a best
    guess from the output is off by.
    """

    name: str
    cells: int | None
    mean: float | None = None
    error: float | None = None
    far: float | None = None
    same: float | None = None
    adversary: float | None = None
    reason: str | None = None


@dataclass(frozen=True)
class LocationComparison:
    """Mechanisms at one promise, the cells that outputs are compared by, and a proved bound."""

    plan: LocationPlan
    rows: tuple[LocationRow, ...]
    cell: float
    cells: int
    draws: int
    bound: float | None

    def __post_init__(self) -> None:
        own(self)

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope locate --compare --json` prints."""
        return self.plan.as_json() | {
            "comparison": [vars(row) for row in self.rows],
            "cell": self.cell,
            "cells": self.cells,
            "draws": self.draws,
            "bound": self.bound,
        }

    def __repr__(self) -> str:
        known = [row for row in self.rows if row.mean is not None]
        best = min(known, key=lambda row: row.mean or 0.0)
        return (f"LocationComparison({len(self.rows)} mechanisms, least mean displacement "
                f"{best.mean:,.0f} m by {best.name})")


def compare_locations(
    region: Any, within: str, factor: Any, *, cell: str | None = None, draws: int = _DRAWS,
    source: Source = SYSTEM,
) -> LocationComparison:
    """Every mechanism for a region at one promise for true positions.

    `cell` is the width of cells for mechanisms on finitely many, a tenth of the distance if not
    given. The bound is proved, for truths at the centers of cells, for every mechanism of level
    ln(factor)/within for each meter; it is sought where cells are few.

    >>> found = compare_locations("-4,40,-3.995,40.005", "400 m", 20, cell="140 m", draws=100)
    >>> [row.name for row in found.rows][:2], 0 < found.bound < found.rows[0].mean
    (['planar noise', 'planar noise, cut'], True)
    """
    plan = plan_locations(region, within, factor)
    if cell is None:
        cell = f"{float(plan.space.within / 10):.10g} m"
    cells = region_cells(plan.space.region, within, cell)
    truth = _spread(cells, draws, source)
    rows = [
        _row("planar noise", None, cells, truth, lambda a, b: plan.blur(a, b, source=source)),
        _row("planar noise, cut", None, cells, truth,
             lambda a, b: plan.blur(a, b, cut=True, source=source)),
    ]
    for name in CONSTRUCTIONS:
        rows.append(_on_cells(name, plan, within, cell, cells, truth, source))
    return LocationComparison(plan, tuple(rows), float(cells.space.step), cells.size, draws,
                              _bound(cells, plan))


def _on_cells(
    name: str, plan: LocationPlan, within: str, cell: str, cells: Cells,
    truth: tuple[FloatArray, FloatArray], source: Source,
) -> LocationRow:
    if name == "optimal" and cells.size > _SOLVED:
        return LocationRow(name, cells.size, reason=f"sought here on up to {_SOLVED} cells only.")
    try:
        made = plan_grid(plan.space.region, within, plan.factor, cell, name)
    except (Infeasible, CannotCheck, BadInput) as absent:
        return LocationRow(name, cells.size, reason=str(absent))
    found = _row(f"{name} on cells", cells.size, cells, truth,
                 lambda a, b: made.blur(a, b, source=source))
    return LocationRow(**{**vars(found), "adversary": _adversary(made)})


def _spread(cells: Cells, draws: int, source: Source) -> tuple[FloatArray, FloatArray]:
    """Places spread evenly over the bounds of the hull, moved into it."""
    if draws < 2:
        raise BadInput(f"expected at least 2 draws, found {draws}.")
    words = np.frombuffer(source.bytes(16 * draws), dtype="<u8").reshape(2, draws)
    hull = cells.space.region.hull
    low, high = hull.min(axis=0), hull.max(axis=0)
    x, y = (np.rint(a + (b - a) * (part * 2.0**-64)).astype(np.int64)
            for a, b, part in zip(low, high, words, strict=True))
    px, py = cells.space.moved(x, y)
    return cells.space.region.plane.lift(px / 64, py / 64)


def _row(
    name: str, size: int | None, cells: Cells, truth: tuple[FloatArray, FloatArray], blur: Blur
) -> LocationRow:
    plane = cells.space.region.plane
    out = blur(*truth)
    (a, b), (c, d) = plane.project(*truth), plane.project(*out)
    far = np.hypot(a - c, b - d)
    same = float((cells.codes(*truth) == cells.codes(*out)).mean())
    error = float(far.std() / np.sqrt(len(far)))
    return LocationRow(name, size, float(far.mean()), error, float(np.quantile(far, 0.95)), same)


def _adversary(plan: GridPlan) -> float | None:
    """What a best guess is off by, for evenly spread cells, as the mechanism was made."""
    mechanism, problem = plan.certified.mechanism, plan.solution.problem
    if plan.cells.size > _FEW or not isinstance(mechanism, FiniteMechanism):
        return None
    guess = np.array(best_remap(mechanism, problem))
    chances = np.full(plan.cells.size, 1 / plan.cells.size)
    return float((chances[:, None] * mechanism.to_numpy() * problem.losses[:, guess]).sum())


def _bound(cells: Cells, plan: LocationPlan) -> float | None:
    """A proved lower bound on the mean displacement of truths at the centers of cells."""
    if cells.size > _SOLVED:
        return None
    space = grid(cells.shape, cells.space.step)
    level = cell_level(cells, plan.factor, charged=False)
    return design(space, level, loss="euclidean", construction="optimal").bound
