"""`tightrope reproduce`: the figures and tables of the source papers, tried again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tightrope.cli.options import Force, Json, PlotFile, choice, value


def reproduce(
    named: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PAPER[/ITEM]",
            help="A paper, or one item of it; all of them without it.",
            show_default=False,
        ),
    ] = None,
    changes: Annotated[list[str] | None, value(
        "--set", "NAME=VALUE",
        "Another parameter than the paper's, for one item; may be repeated.")] = None,
    only_list: Annotated[
        bool,
        choice("--list", "List the items and their parameters; run nothing.", default=True),
    ] = False,
    plot: PlotFile = None,
    report: Annotated[Path | None, value(
        "--report", "FOLDER", "Write all that was tried into this new folder: one page with "
        "verdicts and pictures.", panel="Output")] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Try published figures again: published, found, verdict, reason.

    A claim about all cases is tried on those that `found` names: confirmed
    says that it held there, not that it was proved again; corrected that it
    failed and ours held; else it is not reproducible. Exits with 1 if a
    verdict differs from the one on record; with other parameters than the
    paper's there is none on record. With --plot the figure of one item is
    drawn as in its paper, and what is wrong in print is marked.

    Example: tightrope reproduce ecp/figure-4 --plot leakage.svg
    """
    from tightrope import papers
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import FolderTarget, PictureTarget
    from tightrope.errors import BadInput

    what = " ".join(named) if named else None
    if only_list:
        if changes or plot is not None or report is not None:
            raise BadInput("--list runs nothing, so there is nothing to --set, --plot or "
                           "--report.")
        tell(papers.contents(what).facts(), as_json=as_json)
        return
    if plot is not None:
        papers.pictured(what)
    drawing, folder = PictureTarget(plot, force), FolderTarget(report)
    reproduction = papers.reproduce(what, changes=changes or (), during=working)
    drawing.draw(reproduction.figure)
    if folder.path is not None:
        with working("writing the report"):
            papers.report(reproduction, folder.path)
    tell(reproduction.facts().also(drawing.fact, folder.fact), as_json=as_json)
    if reproduction.drifted:
        raise typer.Exit(1)
