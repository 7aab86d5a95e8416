"""Options of the commands of `locate`: a promise, rows, places, a map.

Each is a group of options (see `flat`). `AskedBlur` holds those that every command with positions
has, and does what they share: show a plan, or blur a file as planned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.choices import Unusable
from tightrope.cli.booking import AskedBooking
from tightrope.cli.options import LINES, Force, Json, PlotFile, choice, flag, value
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from tightrope.cli.targets import PictureTarget
    from tightrope.locations import GridPlan, LocationPlan, TracePlan

Region = Annotated[str, value(
    "--region", "REGION", "Declared, never read off the data: west,south,east,north in degrees, a "
    "country, or a GeoJSON file of polygons.")]
PositionsFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="Positions in .csv, .tsv, .parquet, .geojson or .gpx; without it, only the plan. "
        f"{LINES}",
        show_default=False,
    ),
]
Columns = Annotated[tuple[str, str] | None, value(
    "--columns", "LON LAT", "The columns of longitude and latitude in degrees.")]
PriorFile = Annotated[Path | None, value(
    "--prior", "FILE", "Public places with weights (lon, lat, weight), never the positions "
    "themselves: outputs are moved to where they suit best, at no cost.")]
SearchTime = Annotated[float | None, value(
    "--time", "SECONDS", "How long the search for the optimum may take; 600 if not given.")]


@dataclass(frozen=True)
class AskedPromise:
    """Positions this near look alike up to this factor, in this region."""

    region: Region
    within: Annotated[str, value(
        "--within", "LENGTH", "Positions this near look alike: 200m, 0.5km, 1mi.")]
    factor: Annotated[str, value(
        "--factor", "NUMBER", "Up to this factor in the probability of any output, such as 2.")]

    @property
    def words(self) -> tuple[str, str, str]:
        """Region, distance and factor, as plans take them."""
        return self.region, self.within, self.factor


@dataclass(frozen=True)
class AskedRows:
    """Positions, where the new ones go, and what becomes of rows."""

    file: PositionsFile = None
    output: Annotated[Path | None, value(
        "--output", "FILE", "The new file, in any of the formats.", short="-o")] = None
    columns: Columns = None
    keep: Annotated[list[str] | None, value(
        "--keep", "NAME", "Another column to keep, in clear; may be repeated.")] = None
    unusable: Annotated[Unusable, choice(
        "--unusable", "Rows without a usable position: drawn as from the middle of the region, or "
        "dropped (which tells which they were).", default=True)] = Unusable.CENTER
    to: Annotated[str | None, value(
        "--to", "FILE", "Move outputs to the nearest of these points, roads (lines) or areas "
        "(polygons); to the 'region', or to its 'hull'. It costs nothing.")] = None


@dataclass(frozen=True)
class AskedPlaces:
    """One position for each place of a person."""

    person: Annotated[str | None, value(
        "--person", "NAME", "With --public-place: the column that names people.")] = None
    public_place: Annotated[str | None, value(
        "--public-place", "NAME", "A column that names places: one position for each. This "
        "declares that which rows are at the same place is no secret.")] = None

    def options(self) -> dict[str, Any]:
        """The same as a plan's `blur` takes it."""
        return {"person": self.person, "place": self.public_place,
                "visits_are_public": self.public_place is not None}


@dataclass(frozen=True)
class AskedMap:
    """A map, and the place around which noise is shown."""

    plot: PlotFile = None
    around: Annotated[str | None, value(
        "--around", "LON,LAT",
        "With --plot: show where an output falls if the truth is here.")] = None

    def check(self) -> None:
        """Refuse a place without a map, or one that is none."""
        if self.plot is None and self.around is not None:
            raise BadInput("--around is for a map: name its file with --plot.")
        self.spot()

    def spot(self) -> tuple[float, float] | None:
        """The longitude and latitude that were typed, None if none were."""
        if self.around is None:
            return None
        try:
            lon, lat = (float(part) for part in self.around.split(","))
        except ValueError:
            lon = lat = float("nan")
        if not (abs(lon) <= 360 and abs(lat) <= 90):
            raise BadInput("expected --around as longitude,latitude in degrees, such as "
                           "--around=-3.7,40.4.")
        return lon, lat


@dataclass(frozen=True)
class AskedBlur:
    """Rows to blur, with map and books: what all commands share that blur positions."""

    rows: AskedRows
    map: AskedMap
    books: AskedBooking
    curator: Annotated[bool, flag(
        "--curator", "With --plot: draw the true positions too, which is not private.")] = False
    force: Force = False
    as_json: Json = False

    def run(self, make: Callable[[], LocationPlan | GridPlan | TracePlan], **more: Any) -> None:
        """Show the plan, or blur the file by it; `more` is what the plan's `blur` takes."""
        from tightrope.cli.output import tell
        from tightrope.cli.targets import PictureTarget

        self._check()
        picture = PictureTarget(self.map.plot, self.force)
        if self.rows.file is not None:
            self._blur(self.rows.file, make, picture, more)
            return
        plan = make()
        self._draw(picture, plan)
        tell(plan.facts().also(picture.fact), as_json=self.as_json)

    def _check(self) -> None:
        rows = self.rows
        if rows.file is None and self.books != AskedBooking():
            raise BadInput("without a file of positions nothing is drawn, and nothing is booked.")
        if (rows.file is None) is not (rows.output is None):
            raise BadInput("expected a file of positions and the name of a new one (-o), or "
                           "neither.")
        if self.curator and (rows.file is None or self.map.plot is None):
            raise BadInput("--curator draws true positions on a map: name their file, and that of "
                           "the map with --plot.")
        self.map.check()

    def _blur(
        self, file: Path, make: Callable[[], LocationPlan | GridPlan | TracePlan],
        picture: PictureTarget, more: dict[str, Any],
    ) -> None:
        from tightrope.cli.output import tell
        from tightrope.cli.progress import counting

        rows, (lon, lat) = self.rows, self.rows.columns or (None, None)
        hull = rows.to == "hull"
        with self.books.account() as account:
            plan = make()
            with counting("positions") as progress:
                done = plan.blur(file, lon=lon, lat=lat, keep=rows.keep or (),
                                 unusable=rows.unusable, cut=hull, to=None if hull else rows.to,
                                 output=rows.output, force=self.force, progress=progress,
                                 account=account, **more)
        self._draw(picture, plan, done.lon, done.lat)
        tell(done.facts().also(picture.fact), as_json=self.as_json)

    def _draw(
        self, picture: PictureTarget, plan: LocationPlan | GridPlan | TracePlan, *outputs: Any
    ) -> None:
        from tightrope.locations import TracePlan, plan_map, read_rows

        file, columns = self.rows.file, self.rows.columns or (None, None)
        picture.draw(lambda: plan_map(
            plan.position if isinstance(plan, TracePlan) else plan, *outputs,
            around=self.map.spot(),
            truths=read_rows(file, *columns) if self.curator and file else None,
        ))
