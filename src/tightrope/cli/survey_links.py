"""`tightrope survey links`: more links, QR codes, and a sheet to print."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tightrope.cli.options import Force, Json, flag, value
from tightrope.cli.survey_new import SurveyFile
from tightrope.errors import BadInput


def links(
    file: SurveyFile,
    *,
    more: Annotated[int | None, typer.Option(
        "--more", metavar="NUMBER", min=1, show_default=False,
        help="Make so many more links; running servers take them at once.")] = None,
    group: Annotated[str | None, value(
        "--group", "NAME", "The group of people that they are for, if there are several.")] = None,
    output: Annotated[Path | None, value(
        "--output", "FILE", "The table of the new links; the next free s.links-2.csv if not "
        "given.", short="-o")] = None,
    table: Annotated[Path | None, value(
        "--links", "FILE", "Instead of new ones, draw the links in this table; s.links.csv if not "
        "given.")] = None,
    qr: Annotated[Path | None, value(
        "--qr", "FOLDER", "Write a QR code of each link into this new folder, as SVG.")] = None,
    png: Annotated[bool, flag("--png", "QR codes as PNG.")] = False,
    sheet: Annotated[Path | None, value(
        "--sheet", "FILE.html", "Write a page to print: cards to cut out, ten on A4 or Letter.",
    )] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make more links for a survey, or draw its links as QR codes and a sheet of cards.

    Example: tightrope survey links s.json --more 100 --sheet cards.html
    """
    from tightrope import surveys
    from tightrope.cli.output import tell

    if more is None and (group is not None or output is not None):
        raise BadInput("--group and --output are for new links: give --more NUMBER beside them.")
    if more is None and qr is None and sheet is None:
        raise BadInput("say what to make: --more NUMBER, --qr FOLDER or --sheet FILE.html.")
    if png and qr is None:
        raise BadInput("--png says how --qr FOLDER is written: give it beside.")
    if more is not None and table is not None:
        raise BadInput("--links draws links that were made before, --more makes new ones: give "
                       "one of them.")
    if more is None:
        made = surveys.print_links(file, table, qr=qr, png=png, sheet=sheet, force=force)
    else:
        made = surveys.add_links(
            file, more, group=group, output=output, qr=qr, png=png, sheet=sheet, force=force)
    tell(made.facts(), as_json=as_json)
