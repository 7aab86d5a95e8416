"""`tightrope polytope`: all extreme points of the privacy polytope."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Force, Json, PlotFile

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console

    from tightrope.theory import ExtremePoints

MOST_SHOWN = 12


def polytope(
    values: Annotated[
        int, typer.Argument(metavar="M", help="The number of values, from 2 to 5.")
    ],
    ratio: Annotated[
        str,
        typer.Option(
            "--ratio", metavar="NUMBER", help="e^ε of the matrices shown, exactly: 2, 3/2."
        ),
    ] = "2",
    columns: Annotated[
        int | None,
        typer.Option(
            "--columns",
            metavar="C",
            help="Only extreme points with this many non-zero columns.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the catalog of all orbits here (.json).",
            show_default=False,
        ),
    ] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """List the extreme points among all private M × M matrices, exactly.

    Any two values are neighbors. An optimal matrix for a linear loss can
    always be found among these points. How many there are does not depend
    on ε; points that differ by the order of rows or columns are one orbit.

    Example: tightrope polytope 4
    """
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget, Target, check_apart
    from tightrope.plots import orbit_figure
    from tightrope.theory import extreme_points

    catalog, picture = Target(output, force), PictureTarget(plot, force)
    check_apart(catalog, picture)
    with working("enumerating"):
        found = extreme_points(values, ratio=ratio, columns=columns)
    answer = found.as_json()
    text = json.dumps(answer, ensure_ascii=False, indent=1)
    catalog.write(lambda: f"{text}\n".encode())
    picture.draw(lambda: orbit_figure(found))
    answer |= {"file": catalog.name, "picture": picture.name}
    deliver(
        answer, lambda screen: _show(screen, found, catalog.name, picture.name), as_json=as_json
    )


def _show(screen: Console, found: ExtremePoints, file: str | None, picture: str | None) -> None:
    from tightrope.cli.report import facts, paragraph, table

    counts = ", ".join(f"{count:,} with {c}" for c, count in found.by_columns.items())
    orbits = found.orbits
    rows: list[tuple[str, object]] = [
        ("extreme points", f"{found.total:,} in {len(orbits)} orbits"),
        ("non-zero columns", counts),
        ("loose entries", f"{found.loose:,} points have one" if found.loose else "none"),
        ("file", file),
        ("picture", picture),
    ]
    screen.print(facts(rows))
    screen.print()
    screen.print(f"One matrix of each orbit at e^ε = {found.ratio}:")
    cells = [
        (_brief(orbit.vertex.matrix(found.ratio)), str(orbit.vertex.columns), f"{orbit.size:,}",
         str(len(orbit.vertex.loose)))
        for orbit in orbits[:MOST_SHOWN]
    ]
    screen.print(table(("rows", "columns", "points", "loose"), cells))
    if len(orbits) > MOST_SHOWN:
        screen.print(f"and {len(orbits) - MOST_SHOWN} more orbits; --json and -o have all of them.")
    paragraph(
        screen,
        "The counts hold for every ε above 0: the extreme points of all levels correspond.",
        "Of any linear loss, one of these matrices is a minimizer.",
    )


def _brief(matrix: tuple[tuple[Fraction, ...], ...]) -> str:
    """The rows over their least common denominator, zeros as dots."""
    from math import lcm

    scale = lcm(*(entry.denominator for row in matrix for entry in row))
    brief = [["·" if not entry else str(int(entry * scale)) for entry in row] for row in matrix]
    wide = any(len(text) > 1 for row in brief for text in row)
    return " | ".join((" " if wide else "").join(row) for row in brief) + f"  /{scale}"
