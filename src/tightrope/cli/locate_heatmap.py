"""`tightrope locate heatmap`: private counts in the cells of a region."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked_positions import Lat, Lon, PositionsFile, Region
from tightrope.cli.booking import AskedBooking
from tightrope.cli.options import Force, Json, PlotFile
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.locations import HeatMap, HeatPlan


def heatmap(
    region: Region,
    cell: Annotated[
        str, typer.Option("--cell", metavar="LENGTH", help="The width of cells: 500m, 2km.")
    ],
    epsilon: Annotated[str, typer.Option("--epsilon", metavar="E", help="The level to spend.")],
    file: PositionsFile = None,
    person: Annotated[
        str | None,
        typer.Option("--person", metavar="NAME", show_default=False,
                     help="The column that names people; without it, each row is protected."),
    ] = None,
    rows: Annotated[
        int, typer.Option("--rows", metavar="K", help="Rows of a person that count, at most.")
    ] = 1,
    cells: Annotated[
        int | None,
        typer.Option("--cells", metavar="K", show_default=False,
                     help="Cells in which a person counts, at most; as many as rows if not given."),
    ] = None,
    lon: Lon = None,
    lat: Lat = None,
    *,
    books: AskedBooking,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE.json", help="Write the release here.",
                     show_default=False),
    ] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Count positions in the cells of a region, privately, charged to a budget.

    The cells follow from the region and their width alone. Of a person, rows
    beyond the declared number are cut. Without a file, mechanism and error are
    shown; nothing is read and nothing is spent. The release is a document that
    `verify` and the receipt prove, as those of `tightrope release`.

    Example: tightrope locate heatmap trips.csv --region Spain --cell 20km --person phone
    --rows 5 --epsilon 1 --ledger books.sqlite --budget 2026 --plot map.png
    """
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import DocumentTarget, PictureTarget
    from tightrope.locations import heat_map, heat_picture, plan_heat_map
    from tightrope.releases import release_bytes

    target, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    if file is None:
        if output is not None or plot is not None or books != AskedBooking():
            raise BadInput("without a file of positions only the plan is shown: nothing is "
                           "booked, written or drawn.")
        made = plan_heat_map(region, cell, epsilon, person=person, rows=rows, cells=cells)
        deliver(made.as_json(), lambda screen: _show_plan(screen, made), as_json=as_json)
        return
    with books.account() as account, working("counting"):
        if account is None:
            raise BadInput("a heat map is charged to a budget: name --ledger and --budget, or "
                           "leave out the file to see the plan.")
        found = heat_map(file, region=region, cell=cell, epsilon=epsilon, account=account,
                         person=person, rows=rows, cells=cells, lon=lon, lat=lat,
                         rehearsal=lambda plan, answers: picture.rehearse(
                             lambda: heat_picture(plan, answers)))
    answer = {**found.as_json(), "file": target.name, "picture": picture.name}
    try:  # what was paid for is shown even if it cannot be written, and the other way round
        deliver(answer, lambda screen: _show(screen, found), as_json=as_json)
    finally:
        target.write(lambda: release_bytes(found.release, target.name or ""))
        picture.draw(lambda: heat_picture(found.plan, found.release.answers))


def _facts(made: HeatPlan) -> list[tuple[str, object]]:
    from tightrope.locations import shown
    from tightrope.releases import error_facts

    (x, y), (east, north) = made.shape, made.widths
    return [
        ("region", made.region.text),
        ("cells", f"{x:,} × {y:,}, {shown(east)} by {shown(north)} in the middle"),
        ("level", made.plan.level),
        ("mechanism", made.plan.mechanism),
        *error_facts(made.plan),
        ("counts", made.plan.kept),
        ("protects", made.plan.declaration.unit.shown),
    ]


def _show_plan(screen: Console, made: HeatPlan) -> None:
    from tightrope.cli.report import facts

    screen.print(facts(_facts(made)))
    screen.print("Nothing was read and nothing was spent.")


def _show(screen: Console, found: HeatMap) -> None:
    from tightrope.cli.booking import booking_line
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.results import answer_table

    best = sorted(found.release.answers, key=lambda answer: -float(answer.value or 0))[:10]
    answer_table(screen, found.plan.plan, best)
    screen.print(facts(_facts(found.plan)))
    paragraph(screen, booking_line(found.release.booked),
                      "The ten largest counts are shown; the largest of many noisy numbers tend to "
                      "be too large. All counts are in the release (-o) and on the map (--plot). "
                      "Positions outside the bounds count in the nearest cell.")
