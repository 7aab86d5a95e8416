"""Heat maps: private counts of rows or people in every cell of a region.

The cells are bins of longitude and latitude that follow from the region and a width; counting,
noise, charge and document are those of a histogram of a declared table (`Question`). A person is
in a bounded number of cells by declaration, and what is more is cut. Positions outside the
bounds of the region count in the nearest cell, rows without a position or a person in none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from tightrope.declarations import Declaration, NumberColumn, Unit
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, IntArray, Level, Number, sizes
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of, to_json
from tightrope.ledger import Account, booked_fact
from tightrope.locations.formats import read_rows
from tightrope.locations.frames import frame_rows
from tightrope.locations.lengths import length_text, meters
from tightrope.locations.regions import region_of
from tightrope.locations.rows import Rows, check_kept
from tightrope.privacy import level_of
from tightrope.releases import (
    Answer,
    OpenTable,
    Question,
    QuestionPlan,
    Release,
    answer_table,
    error_facts,
    open_books,
    plan_release,
)
from tightrope.spaces import Region, TangentPlane

_FINE: Final = 1024
"""Parts of a cell to which positions are rounded before they are counted."""
_LARGEST: Final = 10
"""Counts of a heat map that people are shown."""
_QUESTION: Final = Question("histogram", "lat", "lon")


@dataclass(frozen=True, repr=False)
class HeatPlan:
    """The cells of a region, and how their counts are drawn; no row is read.

    >>> plan_heat_map("-4,40,-3,41", "20 km", 1, person="phone", rows=3)
    HeatPlan: 5 × 6 cells of about 18.5 km: counts are off by 2.95 kept rows on average
      level     ε = 1
      protects  people named by phone, at most 3 rows of each; neighbors add or remove one
    """

    region: Region
    plan: QuestionPlan

    @property
    def edges(self) -> tuple[FloatArray, FloatArray]:
        """The longitudes and the latitudes between cells."""
        lon, lat = (np.array([float(edge) for edge in self._column(name).bins])
                    for name in ("lon", "lat"))
        return lon, lat

    def _column(self, name: str) -> NumberColumn:
        column = self.plan.declaration.column(name)
        assert isinstance(column, NumberColumn)
        return column

    @property
    def shape(self) -> tuple[int, int]:
        """How many cells there are east and north."""
        lon, lat = self.edges
        return len(lon) - 1, len(lat) - 1

    @property
    def widths(self) -> tuple[float, float]:
        """Meters across a cell of the middle, east and north."""
        (east, north), (x, y) = _extent(self.region), self.shape
        return east / x, north / y

    @property
    def title(self) -> str:
        """The cells and the mean error of their counts, in one line."""
        (x, y), error = self.shape, self.plan.error
        assert error is not None
        return (f"{x:,} × {y:,} cells of about {length_text(max(self.widths))}: counts are off by "
                f"{float(error):.3g} {self.plan.unit_of_error} on average")

    def facts(self) -> Facts:
        """The cells and the error of their counts; lengths in meters."""
        return Facts("HeatPlan", self.title, (*data(**to_json(self.plan)), *self.items()))

    __repr__ = lines_of
    _repr_html_ = card_of

    def items(self) -> tuple[Fact, ...]:
        """The level, the errors and the cells."""
        plan, (lon, lat), (east, north) = self.plan, self.edges, self.widths
        return (
            Fact(None, "level", plan.level),
            Fact(None, "protects", plan.declaration.unit.shown),
            Fact(None, "counts", plan.kept, detail=True),
            *(Fact(None, name, text, detail=True) for name, text in error_facts(plan)),
            Fact(None, "mechanism", plan.mechanism, detail=True),
            Fact("region", "region", Shown(self.region.describe(), self.region.text), detail=True),
            Fact("cell", "cells", Shown(
                (east, north), f"{length_text(east)} by {length_text(north)} in the middle"),
                detail=True),
            *data(shape=self.shape, cell_unit="m", bounds=(lon[0], lat[0], lon[-1], lat[-1])),
        )


@dataclass(frozen=True, repr=False)
class HeatMap:
    """Private counts in the cells of a region, with their entry in the books."""

    plan: HeatPlan
    release: Release

    @property
    def counts(self) -> IntArray:
        """The counts, a row for each cell north and a column for each cell east; unbiased."""
        return counts_of(self.plan, self.release.answers)

    def facts(self) -> Facts:
        """The largest counts, the release that has all, and its cells."""
        release = self.release
        largest = sorted(release.answers, key=lambda answer: -float(answer.value or 0))[:_LARGEST]
        return Facts(
            "HeatMap",
            self.plan.title,
            (
                replace(answer_table(release.plan, largest), label="Largest counts", listed=0),
                *data(**to_json(release)),
                *self.plan.items(),
                replace(booked_fact(release.booked), key=None),
            ),
            (f"The {_LARGEST} largest counts are shown; the largest of many noisy numbers tend to "
             "be too large.", "All counts are in the release (-o) and on the map (--plot).",
             "Positions outside the bounds count in the nearest cell."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def counts_of(plan: HeatPlan, answers: Sequence[Answer]) -> IntArray:
    """Released counts as a table, a row for each cell north and a column for each cell east."""
    counts = [int(answer.value) for answer in answers if isinstance(answer.value, Fraction)]
    return np.array(counts, dtype=np.int64).reshape(plan.shape[::-1])


def plan_heat_map(
    region: Any, cell: str, epsilon: Level | Number, *, person: str | None = None, rows: int = 1,
    cells: int | None = None, dataset: str = "positions", confidence: Number = Fraction(95, 100),
) -> HeatPlan:
    """How private counts in cells of a width would be drawn, from declarations alone.

    A unit is a row, or the `person` that a column names: then at most `rows` of their rows
    count, in at most `cells` cells. Neighbors add or remove one unit.
    """
    place, width = region_of(region), float(meters(cell))
    west, south, east, north = place.bounds
    shape = [max(1, ceil(length / width)) for length in _extent(place)]
    if shape[0] * shape[1] > sizes.LARGEST_GRID:
        raise BadInput(f"the region has {shape[0] * shape[1]:,} cells of {cell}; expected at most "
                       f"{sizes.LARGEST_GRID:,}, so larger cells or a smaller region.")
    columns = {"lon": _bins(west, east, shape[0]), "lat": _bins(south, north, shape[1])}
    declared = Declaration(dataset, Unit(person, rows, cells), columns)
    return HeatPlan(place, plan_release(_QUESTION, declared, epsilon, confidence))


def _bins(low: Fraction, high: Fraction, count: int) -> NumberColumn:
    width = (high - low) / count
    edges = tuple(low + k * width for k in range(count + 1))
    return NumberColumn(low, high, width / _FINE, None, edges)


def _extent(region: Region) -> tuple[float, float]:
    """Meters across the middle of the bounds, east and north."""
    west, south, east, north = (float(side) for side in region.bounds)
    middle = TangentPlane(0.0, (south + north) / 2)
    x, _ = middle.project(np.array([middle.lon, middle.lon + 0.01]), np.full(2, middle.lat))
    _, y = middle.project(np.full(2, middle.lon), np.array([middle.lat - 0.01, middle.lat + 0.01]))
    return float(np.ptp(x)) * 100 * (east - west), float(np.ptp(y)) * 50 * (north - south)


def heat_map(
    positions: Any,
    *,
    region: Any,
    cell: str,
    epsilon: Level | Number | None = None,
    ratio: Number | None = None,
    account: Account,
    person: str | None = None,
    rows: int = 1,
    cells: int | None = None,
    lon: str | None = None,
    lat: str | None = None,
    confidence: Number = Fraction(95, 100),
    rehearsal: Callable[[HeatPlan, Sequence[Answer]], object] | None = None,
) -> HeatMap:
    """Private counts of positions in the cells of a region, charged to a budget.

    `positions` is a file or a frame as for `locate`; the account's dataset, unit and neighbors
    are those of its budget, or the charge is refused. `rehearsal` is called with stand-in answers
    before the charge: what fails there costs nothing.

    Returns: a `HeatMap`; its `counts` have a row for each cell north and a column for each cell
    east.

    Raises: `BadInput` for a region or length that cannot be read, or too many cells; `BadTable`
    where columns are missing. `Refused` where the budget has too little left, or is for something
    else.

    >>> from tightrope.ledger import Budget, Ledger, Scope
    >>> ledger = Ledger.create("heat.sqlite")
    >>> _ = ledger.open_budget(Budget("2026", Scope("trips", "row", "add-remove"), 2))
    >>> frame = {"lon": [-3.7, -3.6], "lat": [40.4, 40.5]}
    >>> heat_map(frame, region="-4,40,-3,41", cell="50 km", epsilon=1,
    ...          account=ledger.account("2026")).counts.shape
    (3, 2)
    """
    level, dataset = level_of(epsilon, ratio=ratio), account.dataset
    if dataset is None:
        dataset = account.ledger.balance(account.budget).budget.scope.dataset
    made = plan_heat_map(region, cell, level, person=person, rows=rows, cells=cells,
                         dataset=dataset, confidence=confidence)
    named = () if person is None else (person,)
    check_kept(named)
    table = _table(_read(positions, lon, lat, named), made.region)
    books: OpenTable = open_books(table, made.plan.declaration, ledger=account.ledger,
                                  budget=account.budget, asker=account.asker)
    tried = None if rehearsal is None else (
        lambda _, answers: rehearsal(made, answers))
    release = books.ask(_QUESTION, level, confidence=confidence, request=account.request,
                        rehearsal=tried)
    return HeatMap(made, release)


def _read(positions: Any, lon: str | None, lat: str | None, keep: Sequence[str]) -> Rows:
    if isinstance(positions, str | Path):
        return read_rows(positions, lon, lat, keep)
    return frame_rows(positions, lon, lat, keep)[0]


def _table(rows: Rows, region: Region) -> pa.Table:
    """Longitudes within half a turn of the region's middle; no position where one is unusable."""
    west, _, east, _ = region.bounds
    middle, fits = float((west + east) / 2), rows.usable
    turned = middle + (np.where(fits, rows.lon, middle) - middle + 180) % 360 - 180
    lon = np.where(fits, turned, np.nan)
    lat = np.where(fits, rows.lat, np.nan)
    return Rows(lon, lat, rows.columns).table()
