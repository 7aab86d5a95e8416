"""`tightrope theory polytope`: all extreme points, or whether a matrix is one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Force, Json, PlotFile
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console

    from tightrope.theory import Extremality, ExtremePoints

MOST_SHOWN = 12


def polytope(
    values: Annotated[
        int | None,
        typer.Argument(
            metavar="[M]", help="The number of values, from 2 to 8.", show_default=False
        ),
    ] = None,
    outputs: Annotated[
        int | None,
        typer.Option(
            "--outputs",
            metavar="N",
            help="The number of outputs; M if not given, at most 3 for 7 values, 2 for 8.",
            show_default=False,
        ),
    ] = None,
    ratio: Annotated[
        str | None,
        typer.Option(
            "--ratio",
            metavar="NUMBER",
            help="e^ε, exactly: 2, 3/2; 1 is ε = 0. If not given, 2, or the least at which a "
            "--matrix is private.",
            show_default=False,
        ),
    ] = None,
    columns: Annotated[
        int | None,
        typer.Option(
            "--columns",
            metavar="C",
            help="Only extreme points with this many non-zero columns.",
            show_default=False,
        ),
    ] = None,
    matrix: Annotated[
        Path | None,
        typer.Option(
            "--matrix",
            metavar="FILE",
            help="Instead of M: is the matrix in this file an extreme point? (.csv, .json, …, or "
            "a mechanism document)",
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
    export: Annotated[
        Path | None,
        typer.Option(
            "--export",
            metavar="FILE",
            help="Write vertices and inequalities for SageMath (.sage) or polymake (.poly), or "
            "one of them for cdd and lrs (.ext, .ine).",
            show_default=False,
        ),
    ] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """List the extreme points among all private M × N matrices, or judge one matrix, exactly.

    Any two values are neighbors. An optimal matrix for a linear loss can
    always be found among these points. How many there are does not depend
    on ε; points that differ by the order of rows or columns are one orbit.
    With --matrix a proof is shown: tight constraints that leave no freedom,
    or a direction in which the matrix can move both ways (exit code 1).

    Example: tightrope theory polytope 4 --outputs 3
    """
    if matrix is not None:
        _refuse_others(values, outputs, columns, output, export, plot)
        _judge(matrix, ratio, as_json=as_json)
        return
    if values is None:
        raise BadInput("expected a number of values M, or a matrix to judge: --matrix FILE.")
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget, Target, check_apart
    from tightrope.theory import extreme_points, orbit_figure, polytope_text

    catalog, picture = Target(output, force), PictureTarget(plot, force)
    exported = Target(export, force)
    check_apart(catalog, picture, exported)
    with working("enumerating"):
        found = extreme_points(values, outputs=outputs, ratio=ratio or 2, columns=columns)
        text = None if export is None else polytope_text(found, str(export))
    answer = found.as_json()
    listed = json.dumps(answer, ensure_ascii=False, indent=1)
    exported.write(lambda: (text or "").encode())
    catalog.write(lambda: f"{listed}\n".encode())
    picture.draw(lambda: orbit_figure(found))
    names = {"file": catalog.name, "export": exported.name, "picture": picture.name}
    deliver(answer | names, lambda screen: _show(screen, found, names), as_json=as_json)


def _refuse_others(*given: object) -> None:
    """A matrix says its own size, and nothing but the answer is written."""
    if any(part is not None for part in given):
        raise BadInput("--matrix is judged alone: beside it only --ratio and --json are taken.")


def _judge(file: Path, ratio: str | None, *, as_json: bool) -> None:
    from tightrope.cli.report import deliver
    from tightrope.files import read_rows
    from tightrope.theory import extremality

    found = extremality(read_rows(file), ratio)
    answer = found.as_json() | {"file": str(file)}
    deliver(answer, lambda screen: _show_matrix(screen, found), as_json=as_json)
    if not found.extreme:
        raise typer.Exit(1)


def _show_matrix(screen: Console, found: Extremality) -> None:
    from tightrope.cli.report import facts, paragraph

    loose = [f"row {i + 1}, column {j + 1}" for i, j in found.loose]
    more = [f"and {len(loose) - MOST_SHOWN} more"] if len(loose) > MOST_SHOWN else []
    rows: list[tuple[str, object]] = [
        ("extreme point", "yes" if found.extreme else "no"),
        ("matrix", f"{len(found.matrix)} values, {len(found.matrix[0])} outputs, at e^ε = "
         f"{found.ratio}"),
        ("non-zero columns", f"{len(found.columns)}; the rank is {found.rank}"),
        ("loose entries", [*loose[:MOST_SHOWN], *more] or "none"),
        ("tight constraints",
         f"rank {found.tight_rank} with the row sums, of {found.entries} needed"),
    ]
    screen.print(facts(rows))
    if found.direction is None:
        paragraph(
            screen,
            "No direction keeps the tight constraints tight, so the matrix is no mean of two "
            "others. --json lists independent tight constraints (i, k, j): a[i,j] = e^ε a[k,j].",
        )
        return
    paragraph(screen, "It is the mean of two other private matrices: itself plus and minus")
    for row in found.direction[:MOST_SHOWN]:
        screen.print("  " + "  ".join(map(str, row)), soft_wrap=True)
    if len(found.direction) > MOST_SHOWN:
        screen.print(f"and {len(found.direction) - MOST_SHOWN} more rows; --json has them.")


def _show(screen: Console, found: ExtremePoints, names: dict[str, str | None]) -> None:
    from tightrope.cli.report import facts, paragraph, table

    counts = ", ".join(f"{count:,} with {c}" for c, count in found.by_columns.items())
    loose = ", ".join(f"{count:,} have {entries}" for entries, count in found.by_loose.items())
    orbits = found.orbits
    rows: list[tuple[str, object]] = [
        ("extreme points", f"{found.total:,} in {len(orbits)} orbits"),
        ("non-zero columns", counts),
        ("loose entries", [
            f"of the points with two or more columns {loose or 'none has any'}",
            "(all entries of a single column are loose)",
        ]),
        *names.items(),
    ]
    screen.print(facts(rows))
    screen.print()
    screen.print(f"One matrix of each orbit at e^ε = {found.ratio}:")
    cells = [
        (_brief(orbit.vertex.matrix(found.ratio, found.outputs)), str(orbit.vertex.columns),
         f"{orbit.size:,}", str(len(orbit.vertex.loose)))
        for orbit in orbits[:MOST_SHOWN]
    ]
    screen.print(table(("rows", "columns", "points", "loose"), cells))
    if len(orbits) > MOST_SHOWN:
        screen.print(f"and {len(orbits) - MOST_SHOWN} more orbits; --json and -o have all of them.")
    paragraph(
        screen,
        "At ε = 0 all inputs have one law: only single columns are extreme (H16, Corollary 5.2)."
        if found.ratio == 1 else
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
