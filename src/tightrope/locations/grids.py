"""Mechanisms on the finitely many cells of a region, at the same promise for true positions.

The region is covered by cells of a declared size; a position becomes the nearest cell of its
hull. Cells of width h add c = √2 h + 1/40 m to a distance, so the mechanism on cells has level
ln(factor)/(within + c) for each meter: what a mechanism gains by knowing where the region ends,
or which cells are likely, it must first win back from its own cells.

The promise alone asks for less: that cells in which positions may be `within` of each other are
told apart by the factor at most (`nearness`). `optimal-within` is the optimum for that; it pays
next to nothing for its cells, and positions that are nearer may differ by as much.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, ClassVar

import numpy as np

from tightrope.choices import CellBlur, member_of
from tightrope.constructions import Effort, design
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, Level, sizes
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.locations.covering import Cells, region_cells
from tightrope.locations.describing import plan_facts
from tightrope.locations.lengths import length_text
from tightrope.locations.located import Blurring
from tightrope.locations.nearness import best_near, near_space
from tightrope.locations.places import Places, places_of
from tightrope.locations.planning import NEARER, check_promise, promise_text
from tightrope.locations.remapping import Remap, listed_remap, spread_remap
from tightrope.mechanisms import FiniteMechanism, KernelMechanism
from tightrope.privacy import Certified
from tightrope.samplers import SYSTEM, Source, draw_indices
from tightrope.spaces import Positions, grid
from tightrope.utility import LossLike, PriorLike, Solution, uniform

NEAR = Effort(gap=1e-3)
"""A gap that no one sees on a map."""


@dataclass(frozen=True, repr=False)
class GridPlan(Blurring):
    """A proved mechanism on the cells of a region; with a public prior, what outputs become.

    `near` says that the promise is kept at its distance alone, not a level for each meter.
    """

    solution: Solution
    cells: Cells
    factor: Fraction
    remap: Remap | None = None
    near: bool = False
    prior: Places | None = None
    releases: ClassVar[int] = 1
    traced: ClassVar[bool] = False
    refused: ClassVar[Mapping[str, str]] = {
        "cut": "outputs are centers of cells of the region: there is nothing to cut.",
    }

    @property
    def certified(self) -> Certified:
        """The mechanism on cells, with its certificate."""
        return self.solution.certified

    @property
    def construction(self) -> str:
        """The name of the mechanism."""
        return CellBlur.OPTIMAL_WITHIN.value if self.near else self.solution.construction

    @property
    def space(self) -> Positions:
        """Region, distance and cells."""
        return self.cells.space

    @property
    def level(self) -> Level:
        """The level of a row."""
        return Level.ratio(self.factor)

    @property
    def mean_displacement(self) -> float:
        """Meters from cell to cell on average, for the prior; before outputs are moved by it."""
        return float(self.solution.value)

    @property
    def promise(self) -> str:
        """The promise, in one sentence."""
        return promise_text(self.space, self.factor) + (NEARER if self.near else "")

    def document_fields(self) -> dict[str, Any]:
        """How the mechanism was made, for its document."""
        return {"name": self.construction, "remapped": self.remap is not None}

    def facts(self) -> Facts:
        """The displacement beside the least possible on these cells; lengths in meters."""
        certificate, solution, cells = self.certified.certificate, self.solution, self.cells
        a, b = cells.shape
        best = "not known" if solution.bound is None or solution.gap is None else (
            f"{length_text(solution.bound)} on average on these cells; this is within "
            f"{solution.gap:.2%} of it")
        return plan_facts(
            self,
            Fact("construction", "mechanism", Shown(
                self.construction, f"{self.construction} on {a} × {b} cells of "
                f"{length_text(float(self.space.step))}")),
            Fact("bound", "best possible", Shown(solution.bound, best)),
            *data(gap=solution.gap, cells=cells.size, remapped=self.remap is not None,
                  added=None if self.near else float(cells.added),
                  epsilon_per_meter_of_cells=None if self.near else float(certificate.level)),
            level=self.level, neighbors=self.space.relation)

    __repr__ = lines_of
    _repr_html_ = card_of

    def draw(
        self, lon: FloatArray, lat: FloatArray, *, cut: bool = False, source: Source = SYSTEM
    ) -> tuple[FloatArray, FloatArray]:
        """New positions, centers of cells: they are never outside."""
        drawn = np.asarray(draw_indices(self.certified, self.cells.codes(lon, lat), source))
        return self.cells.centers(drawn if self.remap is None else self.remap.targets[drawn])


def cells(
    region: Any, within: str, factor: Any, cell: str, *,
    mechanism: CellBlur | str = CellBlur.OPTIMAL, prior: Any = None,
    loss: LossLike = "euclidean", effort: Effort = NEAR,
) -> GridPlan:
    """A construction on the cells of a region, of a declared width, proved for true positions.

    A `prior` is a file or a frame of public places with weights, never the positions themselves:
    the optimum is sought for it, and outputs of other mechanisms are moved to the cell that is
    best given it, which costs nothing. "optimal-within" is the optimum for the promise at its
    distance alone, for meters. The `effort` is for the optimum.

    Returns: a `GridPlan`; its `blur` draws new positions, all of them centers of cells.

    Raises: `BadInput` where the cells are too wide for the distance or too many, or the level is
    one that no one would want. `TooLarge` where there are too many cells for the optimum.

    >>> cells("-4,40,-3.99,40.01", "400 m", 10, "100 m", mechanism="exponential")
    GridPlan: positions within 400 m look alike up to factor 10; they move 429 m on average
      mechanism      exponential on 9 × 13 cells of 100 m
      best possible  not known
    """
    chosen = member_of(CellBlur, mechanism, "mechanism")
    cover = region_cells(region, within, cell)
    ratio = check_promise(cover.space.region, within, factor)
    places = None if prior is None else places_of(prior)
    shares = uniform if places is None else cover.prior(places)
    if chosen is CellBlur.OPTIMAL_WITHIN:
        return _plan_within(cover, ratio, shares, places, loss, effort)
    solution = design(grid(cover.shape, cover.space.step), cell_level(cover, ratio), prior=shares,
                      loss=loss, construction=chosen.value, effort=effort)
    remap = None if places is None else _best_cells(solution, cover, places)
    return GridPlan(solution, cover, ratio, remap, prior=places)


def _plan_within(
    cells: Cells, factor: Fraction, shares: PriorLike, places: Places | None, loss: LossLike,
    effort: Effort,
) -> GridPlan:
    """Positions at most `within` apart are in the same cell or in two that are joined."""
    if loss != "euclidean":
        raise BadInput(f"{CellBlur.OPTIMAL_WITHIN.value!r} is made for meters; expected no other "
                       "loss.")
    step = cells.space.step
    space = near_space(cells.shape, step, cells.space.within, anywhere=True)
    solution = best_near(space, cells.shape, step, Level.ratio(factor), shares, effort)
    return GridPlan(solution, cells, factor, near=True, prior=places)


_LISTED = isqrt(sizes.LARGEST_MATRIX)
"""Cells up to which the best answer to each output is worked out pair by pair."""


def _best_cells(solution: Solution, cells: Cells, places: Places) -> Remap | None:
    """The remap of outputs; None where the mechanism was made for the prior."""
    mechanism = solution.certified.mechanism
    assert isinstance(mechanism, FiniteMechanism)
    if cells.size <= _LISTED:
        remap = listed_remap(cells, mechanism, solution.problem)
        return None if (remap.targets == np.arange(cells.size)).all() else remap
    assert isinstance(mechanism, KernelMechanism)
    rate = float(np.log(float(mechanism.ratio)))
    return spread_remap(cells, cells.shares(places), rate)


def cell_level(cells: Cells, factor: Fraction, *, charged: bool = True) -> Level:
    """ε for each meter between cells; not `charged`, what true positions at centers have."""
    length = cells.space.within + (cells.added if charged else 0)
    return Level.ratio(factor).scaled(1 / length)
