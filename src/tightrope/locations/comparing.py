"""Mechanisms side by side at one promise for true positions, never for anybody's positions.

Truths are spread evenly over the region's hull bounds, or as a public prior says, and run through
each mechanism; means are estimates with a standard error. Where cells are few, two more figures are
computed: the error of the best guess of an adversary who knows how truths are spread, and a lower
bound for every mechanism.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import log
from typing import Any, Final

import numpy as np

from tightrope.characters import counted
from tightrope.choices import Blur, CellBlur, Cost, member_of
from tightrope.constructions import Effort, design
from tightrope.errors import BadInput, CannotCheck, Infeasible
from tightrope.exact import FloatArray, IntArray, Level, own
from tightrope.facts import Column, Fact, Facts, Shown, Table, card_of, data, lines_of
from tightrope.locations.bounds import block_bound, even_bound
from tightrope.locations.covering import Cells, region_cells
from tightrope.locations.grids import NEAR, GridPlan, cell_level
from tightrope.locations.grids import cells as plan_cells
from tightrope.locations.lengths import length_text
from tightrope.locations.losses import PositionLoss
from tightrope.locations.nearness import best_near, near_space
from tightrope.locations.places import Places, places_of
from tightrope.locations.planning import LocationPlan, noise
from tightrope.mechanisms import FiniteMechanism
from tightrope.samplers import SYSTEM, Source
from tightrope.spaces import grid
from tightrope.utility import best_remap, euclidean, uniform

_DRAWS: Final = 20_000
_FEW: Final = 1_024
"""Cells up to which an adversary's best guess is worked out."""
_SECONDS: Final = 30.0
"""How long blocks of cells are solved."""
_SOLVED: Final = 150
"""Cells up to which the optimum is sought here; `locations.cells` goes further."""

_METERS, _CELL = PositionLoss(Cost.METERS), PositionLoss(Cost.CELL)

Drawing = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True)
class LocationRow:
    """The errors of one mechanism, in meters; None where it is not known.

    `mean`, its standard `error`, and `far` (the 95th percentile) are distances between truth and
    output. `same` is the probability that an output is in the truth's cell. `adversary` is the mean
    error of the best guess from the output, and `loss` the mean of the loss that was asked for, in
    its unit.
    """

    name: str
    cells: int | None
    mean: float | None = None
    error: float | None = None
    far: float | None = None
    same: float | None = None
    adversary: float | None = None
    loss: float | None = None
    reason: str | None = None


@dataclass(frozen=True)
class LocationComparison:
    """Mechanisms at one promise, the cells that outputs are compared by, and proved bounds.

    `bound` holds for mechanisms that have the level at every distance. `near_bound` holds for all
    that keep the promise at its distance, noise in steps among them.
    """

    plan: LocationPlan
    rows: tuple[LocationRow, ...]
    cell: float
    cells: int
    draws: int
    bound: float | None
    bound_for: str | None = None
    places: Places | None = None
    loss: PositionLoss = _METERS
    near_bound: float | None = None

    def __post_init__(self) -> None:
        own(self)

    def facts(self) -> Facts:
        """The mechanisms by their displacement, and the proved bounds; lengths in meters."""
        plan = self.plan.facts()
        best = min((row for row in self.rows if row.mean is not None),
                   key=lambda row: row.mean or 0.0)
        return Facts(
            "LocationComparison",
            f"{counted(len(self.rows), 'mechanism')}; least mean displacement "
            f"{length_text(best.mean or 0.0)}, by {best.name}",
            (
                *(replace(item, label=None) for item in plan.items),
                self._table(),
                self._bound("bound", "lower bound", self.bound,
                            f"any mechanism of this level at every distance, for {self.bound_for}"),
                self._bound("bound_at_distance", "at the distance", self.near_bound,
                            "any mechanism that keeps the promise, for truths at centers of cells"),
                Fact("cell", "cells", Shown(
                    self.cell, f"{self.cells:,} of them, {length_text(self.cell)} wide"),
                    detail=True),
                *data(comparison=[vars(row) for row in self.rows], cells=self.cells,
                      draws=self.draws, bound_for=self.bound_for, loss=self.loss.cost,
                      loss_unit=self.loss.unit),
            ),
            (
                *plan.sentences,
                *(f"{row.name}: {row.reason}" for row in self.rows if row.reason is not None),
                *([] if self.bound is not None else [
                    "No bound is sought on this loss with so many cells."]),
                "Noise in steps and optimal-within keep the promise at its distance alone: nearer "
                "positions may differ by as much.",
                f"Means are of {self.draws:,} truths spread "
                f"{'evenly over the region' if self.places is None else 'as the prior says'}, not "
                "of anybody's.",
            ),
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    def _bound(self, key: str, label: str, bound: float | None, of: str) -> Fact:
        """A proved lower bound on the mean loss, for people if there is one."""
        unit = f" {self.loss.unit}" if self.loss.unit else ""
        return Fact(key, label, None if bound is None else Shown(
            bound, f"{bound:,.4g}{unit} ({self.loss.name}) of {of}, proved"))

    def _table(self) -> Table:
        """The mechanisms that there are, for people."""
        def length(size: float | None) -> str:
            return "–" if size is None else length_text(size)

        other = self.loss.cost is not Cost.METERS
        unit = f", {self.loss.unit}" if self.loss.unit else ""
        names = ("mechanism", "mean", "95 of 100", "same cell", "best guess",
                 f"{self.loss.name}{unit}" if other else None)
        return Table(None, "", tuple(Column(None, name, 4) for name in names), tuple(
            (row.name, length(row.mean), length(row.far),
             "–" if row.same is None else f"{row.same:.3f}", length(row.adversary), row.loss)
            for row in self.rows if row.reason is None), listed=0)


def compare_locations(
    region: Any, within: str, factor: Any, *, cell: str | None = None, prior: Any = None,
    loss: PositionLoss | str = "meters", draws: int = _DRAWS, effort: Effort | None = None,
    source: Source = SYSTEM,
) -> LocationComparison:
    """Every mechanism for a region at one promise for true positions.

    `cell` is the width of cells for mechanisms on finitely many, a tenth of the distance if not
    given; `prior` a file or frame of public places with weights, which truths are then drawn from,
    and outputs moved by. The bound is proved for every mechanism of level ln(factor)/within for
    each meter of the plane, and `bound_for` says how: by the optimum where cells are few, or with
    an `effort`; else by prices for truths spread evenly, or by blocks of cells for a prior. With
    another `loss` than meters, mechanisms on cells are made for it, and the bound is one on it, by
    the optimum alone. Where cells are few, or by blocks for a prior, `near_bound` is proved for
    every mechanism that keeps the promise at its distance alone.

    >>> found = compare_locations("-4,40,-3.995,40.005", "400 m", 20, cell="140 m", draws=100)
    >>> [row.name for row in found.rows][:2], 0 < found.bound < found.rows[0].mean
    (['planar noise', 'planar noise, cut'], True)
    """
    plan = noise(region, within, factor)
    smooth = noise(plan.space.region, within, factor, mechanism=Blur.PLANAR_LAPLACE)
    if cell is None:
        cell = f"{float(plan.space.within / 10):.10g} m"
    places = None if prior is None else places_of(prior)
    cells = region_cells(plan.space.region, within, cell)
    cost = loss if isinstance(loss, PositionLoss) else PositionLoss(member_of(Cost, loss, "loss"))
    asked = _Asked(plan, within, cell, cells, places, effort, cost)
    truth = _draw_even(cells, draws, source) if places is None else _draw_prior(
        cells, places, draws, source)
    rows = [
        _row("planar noise", None, asked, truth, lambda a, b: plan.draw(a, b, source=source)),
        _row("planar noise, cut", None, asked, truth,
             lambda a, b: plan.draw(a, b, cut=True, source=source)),
        _row("planar Laplace noise", None, asked, truth,
             lambda a, b: smooth.draw(a, b, source=source)),
    ]
    if places is not None:
        rows.append(_noise_row("planar noise, moved by the prior", Blur.PLANAR, asked, truth,
                               source))
    stepped = noise(plan.space.region, within, plan.factor, mechanism=Blur.STEPS)
    rows.append(_row("noise in steps, cut", None, asked, truth,
                     lambda a, b: stepped.draw(a, b, cut=True, source=source)))
    if places is not None:
        rows.append(_noise_row("noise in steps, moved by the prior", Blur.STEPS, asked, truth,
                               source))
    rows += [_cells_row(name, asked, truth, source) for name in CellBlur]
    return LocationComparison(plan, tuple(rows), float(cells.space.step), cells.size, draws,
                              *_bound(asked), places, cost, _near_bound(asked))


@dataclass(frozen=True)
class _Asked:
    plan: LocationPlan
    within: str
    cell: str
    cells: Cells
    places: Places | None
    effort: Effort | None
    loss: PositionLoss

    @property
    def seeks_optimum(self) -> bool:
        """Whether the optimum is sought."""
        return self.effort is not None or self.cells.size <= _SOLVED


def _noise_row(
    name: str, law: Blur, asked: _Asked, truth: tuple[FloatArray, FloatArray], source: Source
) -> LocationRow:
    plan = asked.plan
    try:
        made = noise(plan.space.region, asked.within, plan.factor, prior=asked.places,
                     mechanism=law)
    except BadInput as absent:
        return LocationRow(name, None, reason=str(absent))
    return _row(name, None, asked, truth, lambda a, b: made.draw(a, b, source=source))


def _cells_row(
    name: CellBlur, asked: _Asked, truth: tuple[FloatArray, FloatArray], source: Source
) -> LocationRow:
    cells = asked.cells
    if name in (CellBlur.OPTIMAL, CellBlur.OPTIMAL_WITHIN) and not asked.seeks_optimum:
        return LocationRow(name.value, cells.size,
                           reason=f"sought on up to {_SOLVED} cells, beyond with --time.")
    try:
        made = plan_cells(cells.space.region, asked.within, asked.plan.factor, asked.cell,
                          mechanism=name, prior=asked.places, effort=asked.effort or NEAR,
                          loss=asked.loss.on_cells(cells))
    except (Infeasible, CannotCheck, BadInput) as absent:
        return LocationRow(name.value, cells.size, reason=str(absent))
    row = _row(f"{name.value} on cells", cells.size, asked, truth,
                 lambda a, b: made.draw(a, b, source=source))
    return LocationRow(**{**vars(row), "adversary": _adversary(made)})


def _draw_even(cells: Cells, draws: int, source: Source) -> tuple[FloatArray, FloatArray]:
    """Places spread evenly over the hull."""
    hull = cells.space.region.hull
    low, high = hull.min(axis=0), hull.max(axis=0)
    parts: list[IntArray] = []
    while sum(map(len, parts)) < draws:
        across = _uniform(2, draws, source).T
        points = np.rint(low + (high - low) * across).astype(np.int64)
        inside = points == np.array(cells.space.moved(points[:, 0], points[:, 1])).T
        parts.append(points[inside.all(axis=1)])
    x, y = np.concatenate(parts)[:draws].T
    return _lift(cells, x, y)


def _draw_prior(
    cells: Cells, places: Places, draws: int, source: Source
) -> tuple[FloatArray, FloatArray]:
    """Places drawn from a prior on cells, spread evenly over each cell."""
    which, across, along = _uniform(3, draws, source)
    ends = np.cumsum(cells.shares(places))
    codes = np.searchsorted(ends / ends[-1], which, side="right").clip(max=cells.size - 1)
    x, y = (part * 64 for part in cells.space.region.plane.project(*cells.centers(codes)))
    step = float(cells.space.step * 64)
    return _lift(cells, x + step * (across - 0.5), y + step * (along - 0.5))


def _uniform(rows: int, draws: int, source: Source) -> FloatArray:
    if draws < 2:
        raise BadInput(f"expected at least 2 draws, found {draws}.")
    words = np.frombuffer(source.bytes(8 * rows * draws), dtype="<u8").reshape(rows, draws)
    return np.asarray(words * 2.0**-64)


def _lift(
    cells: Cells, x: FloatArray | IntArray, y: FloatArray | IntArray
) -> tuple[FloatArray, FloatArray]:
    px, py = cells.space.moved(*(np.rint(part).astype(np.int64) for part in (x, y)))
    return cells.space.region.plane.lift(px / 64, py / 64)


def _row(
    name: str, size: int | None, asked: _Asked, truth: tuple[FloatArray, FloatArray], blur: Drawing
) -> LocationRow:
    cells, out = asked.cells, blur(*truth)
    far = _METERS.of(cells, truth, out)
    error = float(far.std() / np.sqrt(len(far)))
    other, lost = (float(loss.of(cells, truth, out).mean()) for loss in (_CELL, asked.loss))
    return LocationRow(name, size, float(far.mean()), error, float(np.quantile(far, 0.95)),
                       1 - other, loss=lost)


def _adversary(plan: GridPlan) -> float | None:
    """The mean error of the best guess, for the prior that the mechanism was made for."""
    mechanism = plan.certified.mechanism
    if plan.cells.size > _FEW or not isinstance(mechanism, FiniteMechanism):
        return None
    problem = plan.solution.problem
    problem = problem if plan.near else replace(problem, loss=euclidean)
    guess = np.array(best_remap(mechanism, problem))
    joint = problem.chances[:, None] * mechanism.to_numpy()
    return float((joint * problem.losses[:, guess]).sum())


def _bound(asked: _Asked) -> tuple[float | None, str | None]:
    """A proved lower bound on the mean loss, and for which truths."""
    cells, factor = asked.cells, asked.plan.factor
    level = cell_level(cells, factor, charged=False)
    if asked.seeks_optimum:
        prior = uniform if asked.places is None else cells.prior(asked.places)
        best = design(grid(cells.shape, cells.space.step), level, prior=prior,
                       loss=asked.loss.on_cells(cells), construction="optimal",
                       effort=asked.effort or NEAR)
        return best.bound or 0.0, "truths and answers at the centers of cells"
    if asked.loss.cost is not Cost.METERS:
        return None, None
    if asked.places is not None:
        return (block_bound(cells, level, cells.shares(asked.places), _SECONDS),
                "truths and answers at the centers of cells, block by block")
    return (even_bound(cells.space.region, log(factor) / float(cells.space.within)),
            "truths spread evenly")


def _near_bound(asked: _Asked) -> float | None:
    """The same for all that keep the promise at its distance; None where it is not worked out."""
    cells, level = asked.cells, Level.ratio(asked.plan.factor)
    within = cells.space.within
    if asked.loss.cost is not Cost.METERS:
        return None
    if asked.seeks_optimum:
        prior = uniform if asked.places is None else cells.prior(asked.places)
        step = cells.space.step
        return best_near(near_space(cells.shape, step, within), cells.shape, step, level, prior,
                         asked.effort or NEAR).bound or 0.0
    if asked.places is None:
        return None
    return block_bound(cells, level, cells.shares(asked.places), _SECONDS, within)
