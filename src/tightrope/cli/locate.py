"""`tightrope locate`: positions, blurred so that near ones look alike."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from tightrope.choices import Blur, Cost, Unusable
from tightrope.cli.booking import AskedBooking
from tightrope.cli.options import LINES, Force, Json, PlotFile
from tightrope.errors import BadInput


def locate(
    region: Annotated[
        str,
        typer.Option(
            "--region",
            metavar="REGION",
            help="Declared, never read off the data: west,south,east,north in degrees, a country, "
            "or a GeoJSON file of polygons.",
        ),
    ],
    within: Annotated[
        str,
        typer.Option("--within", metavar="LENGTH",
                     help="Positions this near look alike: 200m, 0.5km, 1mi."),
    ],
    factor: Annotated[
        str,
        typer.Option("--factor", metavar="NUMBER",
                     help="Up to this factor in the probability of any output, such as 2."),
    ],
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="Positions in .csv, .tsv, .parquet, .geojson or .gpx; without it, only the plan. "
            f"{LINES}",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The new file, in any of the formats.",
                     show_default=False),
    ] = None,
    lon: Annotated[
        str | None,
        typer.Option("--lon", metavar="NAME", help="The column of longitudes in degrees.",
                     show_default=False),
    ] = None,
    lat: Annotated[
        str | None,
        typer.Option("--lat", metavar="NAME", help="The column of latitudes in degrees.",
                     show_default=False),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="NAME", show_default=False,
                     help="Another column to keep, in clear; may be repeated."),
    ] = None,
    unusable: Annotated[
        Unusable,
        typer.Option("--unusable", help="Rows without a usable position: drawn as from the middle "
                     "of the region, or dropped (which tells which they were)."),
    ] = Unusable.CENTER,
    cut: Annotated[
        bool,
        typer.Option("--cut", metavar="", help="Move outputs outside the region to its edge; it "
                     "costs nothing."),
    ] = False,
    releases: Annotated[
        int,
        typer.Option("--releases", metavar="K", help="Rows of one person, at most: they share "
                     "the level, so that a whole trace keeps the promise."),
    ] = 1,
    fresh: Annotated[
        int | None,
        typer.Option("--fresh", metavar="K", show_default=False, help="Traces: so many positions "
                     "of a person are fresh, the others repeat the last one; any number of rows "
                     "keeps the promise."),
    ] = None,
    jump: Annotated[
        str | None,
        typer.Option("--jump", metavar="LENGTH", show_default=False, help="With --fresh: a new "
                     "position is likely beyond this far from the last."),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option("--person", metavar="NAME", show_default=False, help="With --fresh or "
                     "--place: the column that names people; without it, the file is one trace."),
    ] = None,
    place: Annotated[
        str | None,
        typer.Option("--place", metavar="NAME", show_default=False, help="A column that names "
                     "places: one position for each; needs --visits-are-public."),
    ] = None,
    visits_are_public: Annotated[
        bool,
        typer.Option("--visits-are-public", metavar="", help="Declares that which rows are at "
                     "the same place is no secret."),
    ] = False,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FILE", show_default=False, help="Move outputs to the "
                     "nearest of these points, roads (lines) or areas (polygons); or 'region'. It "
                     "costs nothing."),
    ] = None,
    mechanism: Annotated[
        Blur,
        typer.Option("--mechanism", help="planar, planar-laplace without --cell (noise on all "
                     "cells of the plane), steps (keeps the factor at the distance, and nothing "
                     "finer), or, on cells of a declared width, optimal-within (the best that "
                     "keeps so much) or a construction for grids."),
    ] = Blur.PLANAR,
    cell: Annotated[
        str | None,
        typer.Option("--cell", metavar="LENGTH", show_default=False,
                     help="The width of the cells of mechanisms on few cells."),
    ] = None,
    prior: Annotated[
        Path | None,
        typer.Option("--prior", metavar="FILE", show_default=False,
                     help="Public places with weights (lon, lat, weight), never the positions "
                     "themselves: outputs are moved to where they suit best, at no cost."),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", show_default=False,
                     help="How long the search for the optimum may take; 600 if not given."),
    ] = None,
    compare: Annotated[
        bool,
        typer.Option("--compare", metavar="", help="Mechanisms side by side at this promise; no "
                     "position is read."),
    ] = False,
    loss: Annotated[
        Cost,
        typer.Option("--loss", help="With --compare: what an output costs that is off."),
    ] = Cost.METERS,
    facilities: Annotated[
        Path | None,
        typer.Option("--facilities", metavar="FILE", show_default=False, help="With --loss "
                     "facility: public places that people are sent to, the nearest to an output."),
    ] = None,
    speed: Annotated[
        str | None,
        typer.Option("--speed", metavar="KM/H", show_default=False, help="With --facilities: "
                     "longer ways are told in minutes."),
    ] = None,
    plot: PlotFile = None,
    around: Annotated[
        str | None,
        typer.Option("--around", metavar="LON,LAT", show_default=False, help="With --plot: show "
                     "where an output falls if the truth is here."),
    ] = None,
    curator: Annotated[
        bool,
        typer.Option("--curator", metavar="", help="With --plot: draw the true positions too, "
                     "which is not private."),
    ] = False,
    *,
    books: AskedBooking,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Blur positions: those near each other look the same up to a factor.

    The promise is about true positions on Earth, proved for every pair of
    them. Region, cells and noise follow from what is declared here alone.
    Positions outside the region are moved to it, none is refused. Columns
    other than the position are dropped unless they are kept; what follows
    from a position (elevation, bounds, names of cells) always is.

    Example: tightrope locate trips.csv --region Spain --within 200m --factor 2 -o blurred.csv
    """
    from tightrope.cli.asked import AskedEffort
    from tightrope.cli.located import show_comparison, show_located, show_plan, show_traces
    from tightrope.cli.progress import closing, counting
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.locations import (
        PositionLoss,
        TracePlan,
        compare_locations,
        locate,
        places_of,
        plan_locations,
        plan_map,
        plan_traces,
        read_rows,
    )

    if file is None and books != AskedBooking():
        raise BadInput("without a file of positions nothing is drawn, and nothing is booked.")
    if (file is None) is not (output is None):
        raise BadInput("expected a file of positions and the name of a new one (-o), or neither.")
    if plot is None and (curator or around is not None):
        raise BadInput("--around and --curator are for a map: name its file with --plot.")
    if curator and file is None:
        raise BadInput("without a file of positions there are no true ones to draw.")
    spot = None if around is None else _place(around)
    picture, search = PictureTarget(plot, force), AskedEffort(gap=1e-3, time=time)
    search.effort()
    if file is None and compare:
        with closing("comparing", search.gap) as watch:
            found = compare_locations(region, within, factor, cell=cell, prior=prior,
                                      loss=PositionLoss(loss, facilities, speed),
                                      effort=None if time is None else search.effort(watch))
        picture.draw(lambda: plan_map(found.plan, around=spot))
        held = {**found.as_json(), "picture": picture.name}
        deliver(held, lambda screen: show_comparison(screen, found), as_json=as_json)
        return
    if PositionLoss(loss, facilities, speed).cost is not Cost.METERS:
        raise BadInput("a loss is for --compare; planar noise is the same for all of them.")
    if compare:
        raise BadInput("a comparison reads no positions: leave out the file and -o.")
    if file is None:
        if not mechanism.in_plane(cell) or (cell is not None and prior is None):
            raise BadInput("expected a file of positions for a mechanism on cells of a declared "
                           "width.")
        if fresh is not None and mechanism is not Blur.PLANAR:
            raise BadInput("fresh positions of traces are drawn by planar noise.")
        if fresh is not None:
            traced = plan_traces(region, within, factor, fresh=fresh, jump=jump)
            picture.draw(lambda: plan_map(traced.position, around=spot))
            deliver({**traced.as_json(), "picture": picture.name},
                    lambda screen: show_traces(screen, traced), as_json=as_json)
            return
        plan = plan_locations(region, within, factor, releases=releases, cell=cell,
                              mechanism=mechanism,
                              places=None if prior is None else places_of(prior))
        picture.draw(lambda: plan_map(plan, around=spot))
        answer = {**plan.as_json(), "picture": picture.name}
        deliver(answer, lambda screen: show_plan(screen, plan), as_json=as_json)
        return
    sought = mechanism is Blur.OPTIMAL  # what takes long is the search, not the positions
    with (books.account() as account,
          closing("designing and proving", search.gap) if sought else nullcontext() as watch,
          nullcontext() if sought else counting("positions") as told):
        done = locate(
            file, region=region, within=within, factor=factor, lon=lon, lat=lat,
            keep=keep or (), unusable=unusable, cut=cut,
            mechanism=mechanism, cell=cell, prior=prior, effort=search.effort(watch),
            releases=releases, fresh=fresh, jump=jump, person=person, place=place,
            visits_are_public=visits_are_public, to=to,
            output=output, force=force, progress=told, account=account,
        )
    drawn = done.plan.position if isinstance(done.plan, TracePlan) else done.plan
    picture.draw(lambda: plan_map(drawn, done.lon, done.lat, around=spot,
                                  truths=read_rows(file, lon, lat) if curator else None))
    deliver({**done.as_json(), "picture": picture.name}, lambda screen: show_located(screen, done),
            as_json=as_json)


def _place(text: str) -> tuple[float, float]:
    """A longitude and a latitude that were typed."""
    try:
        lon, lat = (float(part) for part in text.split(","))
    except ValueError:
        lon = lat = float("nan")
    if not (abs(lon) <= 360 and abs(lat) <= 90):
        raise BadInput("expected --around as longitude,latitude in degrees, such as "
                       "--around=-3.7,40.4.")
    return lon, lat
