"""`tightrope polytope`: all extreme points of the privacy polytope."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.options import Force, Json, PlotFile
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console

    from tightrope.theory import Orbit

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
    from tightrope.exact import Level
    from tightrope.plots import orbit_figure
    from tightrope.theory import extreme_points

    catalog, picture = Target(output, force), PictureTarget(plot, force)
    check_apart(catalog, picture)
    factor = Level.ratio(ratio).base
    with working("enumerating"):
        orbits = extreme_points(values)
    if columns is not None:
        if not 1 <= columns <= values:
            raise BadInput(f"expected from 1 to {values} non-zero columns, found {columns}.")
        orbits = tuple(orbit for orbit in orbits if orbit.vertex.columns == columns)
    answer = _answer(values, factor, orbits)
    text = json.dumps(answer, ensure_ascii=False, indent=1)
    catalog.write(lambda: f"{text}\n".encode())
    picture.draw(lambda: orbit_figure(orbits, factor))
    answer["file"], answer["picture"] = catalog.name, picture.name
    deliver(answer, lambda screen: _show(screen, answer), as_json=as_json)


def _answer(values: int, ratio: Fraction, orbits: tuple[Orbit, ...]) -> dict[str, Any]:
    by_columns: Counter[int] = Counter()
    for orbit in orbits:
        by_columns[orbit.vertex.columns] += orbit.size
    return {
        "values": values,
        "ratio": str(ratio),
        "total": by_columns.total(),
        "by_columns": {str(count): by_columns[count] for count in sorted(by_columns)},
        "loose": sum(orbit.size for orbit in orbits if orbit.vertex.loose),
        "orbits": [
            {
                "columns": orbit.vertex.columns,
                "size": orbit.size,
                "loose": [[i, j] for i, j in orbit.vertex.loose],
                "weights": [str(weight) for weight in orbit.vertex.weights],
                "matrix": [[str(p) for p in row] for row in orbit.vertex.matrix(ratio)],
            }
            for orbit in orbits
        ],
    }


def _show(screen: Console, answer: dict[str, Any]) -> None:
    from tightrope.cli.report import facts, paragraph, table

    counts = ", ".join(f"{count:,} with {c}" for c, count in answer["by_columns"].items())
    orbits = answer["orbits"]
    rows: list[tuple[str, object]] = [
        ("extreme points", f"{answer['total']:,} in {len(orbits)} orbits"),
        ("non-zero columns", counts),
        ("loose entries", f"{answer['loose']:,} points have one" if answer["loose"] else "none"),
        ("file", answer["file"]),
        ("picture", answer["picture"]),
    ]
    screen.print(facts(rows))
    screen.print()
    screen.print(f"One matrix of each orbit at e^ε = {answer['ratio']}:")
    cells = [
        (_brief(orbit["matrix"]), str(orbit["columns"]), f"{orbit['size']:,}",
         str(len(orbit["loose"])))
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


def _brief(matrix: list[list[str]]) -> str:
    """The rows over their least common denominator, zeros as dots."""
    from fractions import Fraction
    from math import lcm

    entries = [[Fraction(text) for text in row] for row in matrix]
    scale = lcm(*(entry.denominator for row in entries for entry in row))
    brief = [["·" if not entry else str(int(entry * scale)) for entry in row] for row in entries]
    wide = any(len(text) > 1 for row in brief for text in row)
    return " | ".join((" " if wide else "").join(row) for row in brief) + f"  /{scale}"
