"""Positions in, positions out: a file or a frame, blurred row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tightrope.choices import Blur, Unusable, member_of
from tightrope.constructions import Effort
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, Level, owned, short_text
from tightrope.files import StrPath, document_bytes, refuse_existing, replacing_all
from tightrope.ledger import Account, Booked, TableBooking, booking_of
from tightrope.locations.allowed import allowed_of
from tightrope.locations.blurring import AnyPlan, Handling, blurred
from tightrope.locations.formats import check_format, read_rows, write_rows
from tightrope.locations.frames import frame_rows
from tightrope.locations.grids import NEAR, GridPlan, plan_grid
from tightrope.locations.places import Places, places_of, same_file
from tightrope.locations.planning import LocationPlan, plan_locations
from tightrope.locations.rows import Rows
from tightrope.locations.traces import USUAL_ROWS, TracePlan, plan_traces
from tightrope.samplers import SYSTEM, Source
from tightrope.tables import ORDER

_SPACING: Final = 20
"""Points of allowed lines in the distance, about."""


@dataclass(frozen=True, repr=False)
class Located:
    """Blurred positions, and what was promised of them."""

    plan: AnyPlan
    rows: int
    handling: Handling
    lon: FloatArray = field(compare=False)
    lat: FloatArray = field(compare=False)
    table: Any = field(default=None, compare=False)
    file: str | None = None
    document: str | None = None
    booked: Booked | None = None

    def __post_init__(self) -> None:
        for name in ("lon", "lat"):
            object.__setattr__(self, name, owned(getattr(self, name)))

    @property
    def clear(self) -> tuple[str, ...]:
        """What stays as it was: columns, and the order of rows."""
        return (*self.handling.keep, ORDER)

    @property
    def promise(self) -> str:
        """What is promised, in a sentence or two."""
        return _promise(self.plan, self.handling)

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope locate --json` prints."""
        return self.plan.as_json() | {
            "rows": self.rows,
            "clear": list(self.clear),
            "unusable": self.handling.unusable.value,
            "cut": self.handling.cut,
            "moved": self.handling.allowed is not None,
            "person": self.handling.person,
            "place": self.handling.place,
            "promise": self.promise,
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
    keep: str | Sequence[str] = (),
    unusable: Unusable | str = Unusable.CENTER,
    cut: bool = False,
    mechanism: Blur | str = Blur.PLANAR,
    cell: str | None = None,
    prior: Any = None,
    effort: Effort = NEAR,
    releases: int = 1,
    fresh: int | None = None,
    jump: str | None = None,
    person: str | None = None,
    place: str | None = None,
    visits_are_public: bool = False,
    to: Any = None,
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
    than planar noise is planar Laplace noise (planar-laplace, without a `cell`), noise in "steps",
    which keeps the promise at its distance alone, or a construction for grids on cells of a
    declared width `cell`; "optimal-within" is the best on such cells for that distance alone. Up to
    `releases` rows of one person share the level of noise in the plane. An `account` is charged
    ln(factor) for all of them before anything is drawn. A `prior` (a file or a frame of public
    places with weights, never the positions themselves) moves outputs to the cells that are best
    given it, which costs nothing; the `effort` is for the optimum.

    With `fresh`, all rows that a `person` (a column; without it, the file) has are one trace of
    which so many positions are fresh, and the others repeat the last: see `plan_traces`. With
    `place`, a column that names places, one position is drawn for each place of a person, that
    of its first row: only where it is declared that `visits_are_public`. `to` says where outputs
    may lie, to which they are moved: a file of points, lines or polygons, or "region".

    >>> frame = {"lon": [-3.7, -3.6], "lat": [40.4, 40.5], "phone": ["a", "b"]}
    >>> found = locate(frame, region="-4,40,-3,41", within="200 m", factor=2)
    >>> sorted(found.table), len(found.table["lon"])
    (['lat', 'lon'], 2)
    """
    blur = member_of(Blur, mechanism, "mechanism")
    places = None if prior is None else places_of(prior, positions)
    plan = planned(region, within, factor, blur, cell, releases, places, effort) if (
        fresh is None) else _traced(region, within, factor, blur, fresh, jump, releases)
    if fresh is not None and (places is not None or cell is not None):
        raise BadInput("fresh positions of traces take no prior and no cells.")
    if place is not None and not visits_are_public:
        raise BadInput("one position for each place tells which rows are at the same place: "
                       "expected it declared that visits are public.")
    if fresh is None and (jump is not None or (person is not None and place is None)):
        raise BadInput("rows of a person are taken together with a number of fresh positions, or "
                       "with a column of places.")
    if fresh is not None and place is not None:
        raise BadInput("expected fresh positions of traces or positions of places, not both.")
    if to is not None and (to is positions or same_file(to, positions)):
        raise BadInput("outputs would be moved to the positions themselves; expected public places "
                       "for them to lie.")
    allowed = None if to is None else allowed_of(
        to, plan.space.region, float(plan.space.within) / _SPACING)
    kept = (keep,) if isinstance(keep, str) else tuple(keep)
    handling = Handling(kept, member_of(Unusable, unusable, "rule"), cut, allowed, person, place)
    booking = _booking(account, plan, handling)
    if isinstance(positions, str | Path):
        return _locate_file(plan, positions, output, _Asked(lon, lat, handling, force),
                            booking, progress, source)
    if output is not None:
        raise BadInput("expected a file of positions where an output file is named.")
    if booking is not None:
        booking.again(None)
    rows, made = frame_rows(positions, lon, lat, handling.columns)
    drawn = []
    booked = _spend(booking, rows.kept_by(handling.unusable), None, lambda: drawn.append(
        blurred(plan, rows, handling, progress, source)))
    found = drawn[0]
    return Located(plan, len(found.lon), handling, found.lon, found.lat, made(found),
                   booked=booked)


def _promise(plan: AnyPlan, handling: Handling) -> str:
    if handling.place is None:
        return plan.promise
    return (f"{plan.promise} Here a row stands for all rows of one place, which share a position; "
            "which rows those are is public, as declared.")


def _booking(
    account: Account | None, plan: AnyPlan, handling: Handling
) -> TableBooking | None:
    """What a table of positions costs: the level of a position for each that a person has."""
    what = "row" if handling.place is None else "place"
    metric = f"positions at most {short_text(plan.space.within)} m apart on the ground"
    if isinstance(plan, TracePlan):
        who = "" if handling.person is None else f" ({handling.person})"
        return booking_of(account, "traces", plan.level, [plan.certified],
                          f"{metric}, row by row", f"person{who}")
    unit = what if plan.releases == 1 else f"person of at most {plan.releases} {what}s"
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
    region: Any, within: str, factor: Any, mechanism: Blur | str = Blur.PLANAR,
    cell: str | None = None, releases: int = 1, places: Places | None = None,
    effort: Effort = NEAR,
) -> LocationPlan | GridPlan:
    """The plan of noise in the plane, or of a construction on cells."""
    mechanism = member_of(Blur, mechanism, "mechanism")
    if mechanism.in_plane(cell):
        return plan_locations(region, within, factor, releases=releases, places=places, cell=cell,
                              mechanism=mechanism)
    if releases != 1:
        raise BadInput("rows of one person share the level of noise in the plane only.")
    if cell is None:
        raise BadInput(f"the mechanism {mechanism.value!r} needs the width of its cells, such as "
                       "40 m.")
    return plan_grid(region, within, factor, cell, mechanism.value, places=places, effort=effort)


def _traced(
    region: Any, within: str, factor: Any, mechanism: Blur, fresh: int, jump: str | None,
    releases: int,
) -> TracePlan:
    if mechanism is not Blur.PLANAR:
        raise BadInput("fresh positions of traces are drawn by planar noise.")
    rows = USUAL_ROWS if releases == 1 else releases
    return plan_traces(region, within, factor, fresh=fresh, jump=jump, rows=rows)


@dataclass(frozen=True)
class _Asked:
    lon: str | None
    lat: str | None
    handling: Handling
    force: bool


def _locate_file(
    plan: AnyPlan, path: StrPath, output: StrPath | None, asked: _Asked,
    booking: TableBooking | None, progress: Callable[[int], None] | None, source: Source,
) -> Located:
    if output is None:
        raise BadInput("expected the name of a file to write the positions to (output).")
    check_format(output)
    document = Path(f"{output}.mechanism.json")  # out.csv and out.geojson have one each
    booked = None if booking is None else booking.again(output)
    if booked is not None:
        found = read_rows(output, asked.lon, asked.lat)
        return _located(plan, asked, found, output, document, booked)
    for target in (output, document):
        refuse_existing(target, force=asked.force)
        if Path(target).exists() and Path(path).exists() and Path(target).samefile(path):
            raise BadInput(f"{target} is the file of positions; choose another name.")
    rows = read_rows(path, asked.lon, asked.lat, asked.handling.columns)
    drawn: list[Rows] = []
    about = {"promise": _promise(plan, asked.handling), "unit": "m",
             "expected_displacement": plan.mean_displacement}
    with replacing_all([output, document], force=asked.force) as (first, second):
        def draw() -> None:
            drawn.append(blurred(plan, rows, asked.handling, progress, source))
            write_rows(first, output, drawn[0], about)

        booked = _spend(booking, rows.kept_by(asked.handling.unusable), first, draw)
        second.write_bytes(document_bytes(
            plan.certified, document, _construction(plan, asked.handling)))
    return _located(plan, asked, drawn[0], output, document, booked)


def _located(
    plan: AnyPlan, asked: _Asked, found: Rows, output: StrPath, document: Path,
    booked: Booked | None,
) -> Located:
    return Located(plan, len(found.lon), asked.handling, found.lon, found.lat, None, str(output),
                   str(document), booked)


def _construction(plan: AnyPlan, handling: Handling) -> dict[str, Any]:
    more: dict[str, Any] = {}
    match plan:
        case GridPlan():
            name = plan.construction
        case TracePlan():
            name, more = "predictive", {"jump": str(plan.jump)}
        case _:
            name = {Blur.PLANAR: "planar geometric", Blur.PLANAR_LAPLACE: "planar Laplace",
                    Blur.STEPS: "noise in steps"}[plan.noise]
    return {"name": name, **more, "promise": _promise(plan, handling),
            "positions": plan.space.describe(), "unit": "m",
            "unusable": handling.unusable.value, "cut": handling.cut,
            "remapped": not isinstance(plan, TracePlan) and plan.remap is not None}
