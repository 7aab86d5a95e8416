"""`tightrope locate heatmap`: private counts in the cells of a region."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from tightrope.cli.asked_positions import Columns, PositionsFile, Region
from tightrope.cli.booking import AskedBooking
from tightrope.cli.options import Force, Json, PlotFile, value
from tightrope.errors import BadInput


def heatmap(
    region: Region,
    cell: Annotated[str, value("--cell", "LENGTH", "The width of cells: 500m, 2km.")],
    epsilon: Annotated[str, value("--epsilon", "E", "The level to spend.")],
    file: PositionsFile = None,
    person: Annotated[str | None, value(
        "--person", "NAME",
        "The column that names people; without it, each row is protected.")] = None,
    rows: Annotated[int, value(
        "--rows", "K", "Rows of a person that count, at most.", default=True)] = 1,
    cells: Annotated[int | None, value(
        "--cells", "K",
        "Cells in which a person counts, at most; as many as rows if not given.")] = None,
    columns: Columns = None,
    *,
    books: AskedBooking,
    output: Annotated[Path | None, value(
        "--output", "FILE.json", "Write the release here.", short="-o")] = None,
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
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import DocumentTarget, PictureTarget
    from tightrope.files import document_bytes
    from tightrope.locations import heat_map, heat_picture, plan_heat_map

    target, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    if file is None:
        if output is not None or plot is not None or books != AskedBooking():
            raise BadInput("without a file of positions only the plan is shown: nothing is "
                           "booked, written or drawn.")
        made = plan_heat_map(region, cell, epsilon, person=person, rows=rows, cells=cells)
        tell(made.facts().also(sentences=["Nothing was read and nothing was spent."]),
             as_json=as_json)
        return
    lon, lat = columns or (None, None)
    with books.account() as account, working("counting"):
        if account is None:
            raise BadInput("a heat map is charged to a budget: name --ledger and --budget, or "
                           "leave out the file to see the plan.")
        result = heat_map(file, region=region, cell=cell, epsilon=epsilon, account=account,
                          person=person, rows=rows, cells=cells, lon=lon, lat=lat,
                          rehearsal=lambda plan, answers: picture.rehearse(
                              lambda: heat_picture(plan, answers)))
    try:  # what was paid for is shown even if it cannot be written, and the other way round
        tell(result.facts().also(target.fact, picture.fact), as_json=as_json)
    finally:
        target.write(lambda: document_bytes(result.release, target.name or ""))
        picture.draw(lambda: heat_picture(result.plan, result.release.answers))
