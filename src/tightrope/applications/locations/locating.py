"""Positions in, positions out: a file or a frame, blurred row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from tightrope.applications.locations.formats import check_format, read_rows, write_rows
from tightrope.applications.locations.frames import frame_rows
from tightrope.applications.locations.grids import GridPlan, plan_grid
from tightrope.applications.locations.places import Places, places_of
from tightrope.applications.locations.planning import LocationPlan, plan_locations
from tightrope.applications.locations.rows import Rows, check_kept
from tightrope.choices import Unusable, member_of
from tightrope.constructions import ORDINARY, Effort
from tightrope.data import (
    Account,
    Booked,
    StrPath,
    TableBooking,
    booking_of,
    document_bytes,
    refuse_existing,
    replacing_all,
)
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, Level, owned, short_text
from tightrope.samplers import SYSTEM, Source

PLANAR: Final = "planar"
_DECIMALS: Final = 7
"""Places of a degree in outputs: about a centimeter."""
_BATCH: Final = 1 << 18


@dataclass(frozen=True, repr=False)
class Located:
    """Blurred positions, and what was promised of them."""

    plan: LocationPlan | GridPlan
    rows: int
    clear: tuple[str, ...]
    unusable: Unusable
    cut: bool
    lon: FloatArray = field(compare=False)
    lat: FloatArray = field(compare=False)
    table: Any = field(default=None, compare=False)
    file: str | None = None
    document: str | None = None
    booked: Booked | None = None

    def __post_init__(self) -> None:
        for name in ("lon", "lat"):
            object.__setattr__(self, name, owned(getattr(self, name)))

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope locate --json` prints."""
        return self.plan.as_json() | {
            "rows": self.rows,
            "clear": list(self.clear),
            "unusable": self.unusable.value,
            "cut": self.cut,
            "file": self.file,
            "mechanism": self.document,
            "booked": None if self.booked is None else self.booked.as_json(),
        }

    def __repr__(self) -> str:
        to = f", {self.file}" if self.file else ""
        return f"Located({self.rows:,} rows{to}, {self.plan!r})"


def locate(
    positions: Any,
    *,
    region: Any,
    within: str,
    factor: Any,
    lon: str | None = None,
    lat: str | None = None,
    keep: Sequence[str] = (),
    unusable: Unusable | str = Unusable.CENTER,
    cut: bool = False,
    mechanism: str = PLANAR,
    cell: str | None = None,
    prior: Any = None,
    effort: Effort = ORDINARY,
    releases: int = 1,
    output: StrPath | None = None,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
    account: Account | None = None,
    source: Source = SYSTEM,
) -> Located:
    """Blur positions, so that those within a distance look the same up to a factor.

    `positions` is a file (CSV, TSV, Parquet, GeoParquet, GeoJSON, GPX; then `output` names the
    new one) or a frame. The region is declared; positions outside are moved to it. All other
    columns are dropped but those to `keep`, which stay in clear. Rows without a usable position
    are drawn as if they were in the middle of the region, or dropped (`unusable`). With `cut`,
    outputs outside the region's hull are moved to it, which costs nothing. A `mechanism` other
    than planar noise is a construction for grids on cells of a declared width `cell`. Up to
    `releases` rows of one person share the level of planar noise: a trace. An `account` is
    charged ln(factor) for all of them before anything is drawn. A `prior` (a file or a frame of
    public places with weights, never the positions themselves) moves outputs to the cells that
    are best given it, which costs nothing; the `effort` is for the optimum.

    >>> frame = {"lon": [-3.7, -3.6], "lat": [40.4, 40.5], "phone": ["a", "b"]}
    >>> found = locate(frame, region="-4,40,-3,41", within="200 m", factor=2)
    >>> sorted(found.table), len(found.table["lon"])
    (['lat', 'lon'], 2)
    """
    places = None if prior is None else places_of(prior, positions)
    plan = planned(region, within, factor, mechanism, cell, releases, places, effort)
    rule, kept = member_of(Unusable, unusable, "rule"), tuple(keep)
    check_kept(kept)
    booking = _booking(account, plan)
    if isinstance(positions, str | Path):
        return _locate_file(plan, positions, output, _Asked(lon, lat, kept, rule, cut, force),
                            booking, progress, source)
    if output is not None:
        raise BadInput("expected a file of positions where an output file is named.")
    if booking is not None:
        booking.again(None)
    rows, made = frame_rows(positions, lon, lat, kept)
    drawn = []
    booked = _spend(booking, rows.kept_by(rule), None, lambda: drawn.append(
        blurred(plan, rows, rule, cut, progress, source)))
    found = drawn[0]
    return Located(plan, len(found.lon), kept, rule, cut, found.lon, found.lat, made(found),
                   booked=booked)


def _booking(account: Account | None, plan: LocationPlan | GridPlan) -> TableBooking | None:
    """What a table of positions costs: the level of a position for each row of one person."""
    unit = "row" if plan.releases == 1 else f"person of at most {plan.releases} rows"
    metric = f"positions at most {short_text(plan.space.within)} m apart on the ground"
    return booking_of(account, "positions", Level.ratio(plan.factor), [plan.certified], metric,
                      unit)


def _spend(
    booking: TableBooking | None, rows: int, unfinished: Path | None, draw: Callable[[], None]
) -> Booked | None:
    if booking is not None:
        return booking.spend(rows, unfinished, draw)
    draw()
    return None


def planned(
    region: Any, within: str, factor: Any, mechanism: str = PLANAR, cell: str | None = None,
    releases: int = 1, places: Places | None = None, effort: Effort = ORDINARY,
) -> LocationPlan | GridPlan:
    """The plan of planar noise, or of a construction on cells."""
    if mechanism == PLANAR:
        return plan_locations(region, within, factor, releases=releases, places=places, cell=cell)
    if releases != 1:
        raise BadInput("rows of one person share the level of planar noise only.")
    if cell is None:
        raise BadInput(f"the mechanism {mechanism!r} needs the width of its cells, such as 40 m.")
    return plan_grid(region, within, factor, cell, mechanism, places=places, effort=effort)


@dataclass(frozen=True)
class _Asked:
    lon: str | None
    lat: str | None
    keep: tuple[str, ...]
    unusable: Unusable
    cut: bool
    force: bool


def _locate_file(
    plan: LocationPlan | GridPlan, path: StrPath, output: StrPath | None, asked: _Asked,
    booking: TableBooking | None, progress: Callable[[int], None] | None, source: Source,
) -> Located:
    if output is None:
        raise BadInput("expected the name of a file to write the positions to (output).")
    check_format(output)
    document = Path(output).with_suffix(".mechanism.json")
    booked = None if booking is None else booking.again(output)
    if booked is not None:
        found = read_rows(output)
        return _located(plan, asked, found, output, document, booked)
    for target in (output, document):
        refuse_existing(target, force=asked.force)
        if Path(target).exists() and Path(path).exists() and Path(target).samefile(path):
            raise BadInput(f"{target} is the file of positions; choose another name.")
    rows = read_rows(path, asked.lon, asked.lat, asked.keep)
    drawn: list[Rows] = []
    about = {"promise": plan.promise, "unit": "m", "expected_displacement": plan.mean_displacement}
    with replacing_all([output, document], force=asked.force) as (first, second):
        def draw() -> None:
            drawn.append(blurred(plan, rows, asked.unusable, asked.cut, progress, source))
            write_rows(first, output, drawn[0], about)

        booked = _spend(booking, rows.kept_by(asked.unusable), first, draw)
        second.write_bytes(document_bytes(plan.certified, document, _construction(plan, asked)))
    return _located(plan, asked, drawn[0], output, document, booked)


def _located(
    plan: LocationPlan | GridPlan, asked: _Asked, found: Rows, output: StrPath, document: Path,
    booked: Booked | None,
) -> Located:
    return Located(plan, len(found.lon), asked.keep, asked.unusable, asked.cut,
                   found.lon, found.lat, None, str(output), str(document), booked)


def _construction(plan: LocationPlan | GridPlan, asked: _Asked) -> dict[str, Any]:
    name = plan.solution.construction if isinstance(plan, GridPlan) else "planar geometric"
    return {"name": name, "promise": plan.promise, "positions": plan.space.describe(),
            "unit": "m", "unusable": asked.unusable.value, "cut": asked.cut,
            "remapped": plan.remap is not None}


def blurred(
    plan: LocationPlan | GridPlan, rows: Rows, rule: Unusable | str, cut: bool,
    progress: Callable[[int], None] | None = None, source: Source = SYSTEM,
) -> Rows:
    """The rows with new positions, each with noise of its own."""
    kept, lon, lat = None, rows.lon, rows.lat
    fits = rows.usable
    if member_of(Unusable, rule, "rule") is Unusable.DROP:
        kept, lon, lat = fits, lon[fits], lat[fits]
    else:
        middle = plan.space.region.plane
        lon, lat = np.where(fits, lon, middle.lon), np.where(fits, lat, middle.lat)
    new: tuple[FloatArray, FloatArray] = np.empty(len(lon)), np.empty(len(lon))
    for start in range(0, len(lon), _BATCH):
        part = slice(start, start + _BATCH)
        moved = plan.blur(lon[part], lat[part], cut=cut, source=source)
        for held, made in zip(new, moved, strict=True):
            held[part] = np.round(made, _DECIMALS) + 0.0
        if progress is not None:
            progress(min(start + _BATCH, len(lon)))
    return rows.drawn(*new, kept)
