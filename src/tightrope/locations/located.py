"""Positions in, positions out: a file or a frame, blurred row by row as a plan says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from tightrope.choices import Unusable, member_of
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, owned, short_text
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.files import StrPath, document_bytes, refuse_existing, replacing_all
from tightrope.ledger import Account, Booked, TableBooking, booked_fact, booking_of
from tightrope.locations.allowed import Allowed, allowed_of
from tightrope.locations.blurring import Handling, Plan, blur_rows
from tightrope.locations.formats import check_format, read_rows, write_rows
from tightrope.locations.frames import frame_rows
from tightrope.locations.places import same_file
from tightrope.locations.rows import Rows
from tightrope.samplers import SYSTEM, Source
from tightrope.tables import ORDER, SORTED

_SPACING: Final = 20
"""Points of allowed lines in the distance, about."""

@dataclass(frozen=True, repr=False)
class Located:
    """Blurred positions, and what was promised of them."""

    plan: Plan
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
        """The parts that stay as they were: columns, and the order of rows."""
        return (*self.handling.keep, ORDER)

    @property
    def promise(self) -> str:
        """The promise, in a sentence or two."""
        return _promise(self.plan, self.handling)

    def facts(self) -> Facts:
        """The plan, then the rows: how many, what is in clear, and where outputs lie."""
        plan, handling = self.plan.facts(), self.handling
        rule = {Unusable.CENTER: "drawn as from the middle of the region",
                Unusable.DROP: "dropped: which rows had none is in clear"}[handling.unusable]
        kept = () if not handling.keep else (
            "The columns in clear are as they were. If they identify people or places, remove "
            "them.",)
        return replace(
            plan,
            kind="Located",
            items=(
                *plan.items,
                Fact("rows", "rows", self.rows, meaning="a public number"),
                Fact("clear", "in clear", self.clear, detail=True),
                Fact("unusable", "no usable position", Shown(handling.unusable, rule),
                     detail=True),
                Fact(None, "outputs", self._where, detail=True),
                *data(cut=handling.cut, moved=handling.allowed is not None, person=handling.person,
                      place=handling.place, promise=self.promise),
                Fact("file", "file", self.file),
                Fact("mechanism", "mechanism", self.document, detail=True),
                booked_fact(self.booked),
            ),
            sentences=(self.promise, SORTED, *kept),
        )

    __repr__ = lines_of
    _repr_html_ = card_of

    @property
    def _where(self) -> str:
        """Where outputs lie."""
        if self.handling.allowed is not None:
            return "moved to where they may lie"
        if "cut" in self.plan.refused:
            return "centers of cells of the region"
        return "moved to the region's hull" if self.handling.cut else "may lie outside the region"


class Blurring:
    """The method that every plan for positions has."""

    def blur(
        self: Plan,
        positions: Any,
        *,
        lon: str | None = None,
        lat: str | None = None,
        keep: str | Sequence[str] = (),
        unusable: Unusable | str = Unusable.CENTER,
        cut: bool = False,
        to: Any = None,
        person: str | None = None,
        place: str | None = None,
        visits_are_public: bool = False,
        output: StrPath | None = None,
        force: bool = False,
        progress: Callable[[int], None] | None = None,
        account: Account | None = None,
        source: Source = SYSTEM,
    ) -> Located:
        """Blur positions as planned; those outside the region are moved to it.

        `positions` is a file (CSV, TSV, Parquet, GeoParquet, GeoJSON, GPX; then `output` names
        the new one) or a frame. All other columns are dropped but those to `keep`, which stay in
        clear. Rows without a usable position are drawn as if they were in the middle of the
        region, or dropped (`unusable`). With `cut`, outputs outside the region's hull are moved
        to it, which costs nothing. `to` says where outputs may lie, to which they are moved: a
        file of points, lines or polygons, or "region". An `account` is charged ln(factor) before
        anything is drawn.

        All rows that a `person` (a column; without it, the file) has are one trace, where traces
        are planned. With `place`, a column that names places, one position is drawn for each
        place of a person, that of its first row: only where it is declared that
        `visits_are_public`.
        """
        if self.prior is not None:
            self.prior.check_apart(positions)
        kept = (keep,) if isinstance(keep, str) else tuple(keep)
        rule = member_of(Unusable, unusable, "rule")
        handling = Handling(kept, rule, cut, _allow(self, to, positions), person, place)
        _check(self, handling, visits_are_public)
        job = _Job(self, handling, lon, lat, _booking(account, self, handling), progress, source)
        if isinstance(positions, str | Path):
            return job.on_file(positions, output, force=force)
        if output is not None:
            raise BadInput("expected a file of positions where an output file is named.")
        return job.on_frame(positions)


def _allow(plan: Plan, to: Any, positions: Any) -> Allowed | None:
    """Where outputs may lie, None if anywhere."""
    if to is None:
        return None
    if to is positions or same_file(to, positions):
        raise BadInput("outputs would move to the positions themselves: name a public file of "
                       "points, roads or areas.")
    return allowed_of(to, plan.space.region, float(plan.space.within) / _SPACING)


def _check(plan: Plan, handling: Handling, visits_are_public: bool) -> None:
    """Refuse declarations of rows that do not apply to a plan, or are not enough."""
    for name, sentence in plan.refused.items():
        if getattr(handling, name):
            raise BadInput(sentence)
    if handling.place is not None and not visits_are_public:
        raise BadInput("one position for each place tells which rows are at the same place: "
                       "expected it declared that visits are public.")
    if handling.person is not None and handling.place is None and not plan.traced:
        raise BadInput("rows of a person are taken together in a trace (locations.traces), or "
                       "with a column of places.")


def _promise(plan: Plan, handling: Handling) -> str:
    if handling.place is None:
        return plan.promise
    return (f"{plan.promise} Here a row stands for all rows of one place, which share a position; "
            "which rows those are is public, as declared.")


def _booking(account: Account | None, plan: Plan, handling: Handling) -> TableBooking | None:
    """The charge for a table of positions: the level, once for each position of a person."""
    within = short_text(plan.space.within)
    if plan.traced:
        who = "" if handling.person is None else f":{handling.person}"
        return booking_of(account, "traces", plan.level, [plan.certified],
                          f"meters-by-row:{within}", f"person{who}")
    what = "row" if handling.place is None else "place"
    unit = what if plan.releases == 1 else f"{what}s:{plan.releases}"
    return booking_of(account, "positions", plan.level, [plan.certified], f"meters:{within}", unit)


@dataclass(frozen=True)
class _Job:
    plan: Plan
    handling: Handling
    lon: str | None
    lat: str | None
    booking: TableBooking | None
    progress: Callable[[int], None] | None
    source: Source

    def on_frame(self, positions: Any) -> Located:
        if self.booking is not None:
            self.booking.again(None)
        rows, made = frame_rows(positions, self.lon, self.lat, self.handling.columns)
        drawn: list[Rows] = []
        booked = self._spend(rows, None, lambda: drawn.append(self._blur(rows)))
        new = drawn[0]
        return Located(self.plan, len(new.lon), self.handling, new.lon, new.lat, made(new),
                       booked=booked)

    def on_file(self, path: StrPath, output: StrPath | None, *, force: bool) -> Located:
        if output is None:
            raise BadInput("expected the name of a file to write the positions to (output).")
        check_format(output)
        document = Path(f"{output}.mechanism.json")  # out.csv and out.geojson have one each
        booked = None if self.booking is None else self.booking.again(output)
        if booked is not None:
            before = read_rows(output, self.lon, self.lat)
            return self._result(before, output, document, booked)
        for target in (output, document):
            refuse_existing(target, force=force)
            if Path(target).exists() and Path(path).exists() and Path(target).samefile(path):
                raise BadInput(f"{target} is the file of positions; choose another name.")
        rows = read_rows(path, self.lon, self.lat, self.handling.columns)
        drawn: list[Rows] = []
        about = {"promise": _promise(self.plan, self.handling), "unit": "m",
                 "expected_displacement": self.plan.mean_displacement}
        with replacing_all([output, document], force=force) as (first, second):
            def draw() -> None:
                drawn.append(self._blur(rows))
                write_rows(first, output, drawn[0], about)

            booked = self._spend(rows, first, draw)
            second.write_bytes(
                document_bytes(self.plan.certified, document, self._construction()))
        return self._result(drawn[0], output, document, booked)

    def _blur(self, rows: Rows) -> Rows:
        return blur_rows(self.plan, rows, self.handling, self.progress, self.source)

    def _spend(
        self, rows: Rows, unfinished: Path | None, draw: Callable[[], None]
    ) -> Booked | None:
        if self.booking is not None:
            return self.booking.spend(rows.kept_by(self.handling.unusable), unfinished, draw)
        draw()
        return None

    def _result(
        self, new: Rows, output: StrPath, document: Path, booked: Booked | None
    ) -> Located:
        return Located(self.plan, len(new.lon), self.handling, new.lon, new.lat, None, str(output),
                       str(document), booked)

    def _construction(self) -> dict[str, Any]:
        return self.plan.document_fields() | {
            "promise": _promise(self.plan, self.handling), "positions": self.plan.space.describe(),
            "unit": "m", "unusable": self.handling.unusable.value, "cut": self.handling.cut,
        }
