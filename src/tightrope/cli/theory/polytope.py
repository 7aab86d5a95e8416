"""`tightrope theory polytope`: all extreme points, or whether a matrix is one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from tightrope.cli.options import Force, Json, PlotFile, option
from tightrope.errors import BadInput


def polytope(
    values: Annotated[
        int | None,
        typer.Argument(
            metavar="[M]", help="The number of values, from 2 to 8.", show_default=False
        ),
    ] = None,
    outputs: Annotated[int | None, option(
        "--outputs", "N",
        "The number of outputs; M if not given, at most 3 for 7 values, 2 for 8.")] = None,
    ratio: Annotated[str | None, option(
        "--ratio", "NUMBER",
        "e^ε, exactly: 2, 3/2; 1 is ε = 0. If not given, 2, or the least at which a --matrix is "
        "private.")] = None,
    columns: Annotated[int | None, option(
        "--columns", "C", "Only extreme points with this many non-zero columns.")] = None,
    matrix: Annotated[Path | None, option(
        "--matrix", "FILE",
        "Instead of M: is the matrix in this file an extreme point? (.csv, .json, …, or a "
        "mechanism document)")] = None,
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
    export: Annotated[Path | None, option(
        "--export", "FILE",
        "Write vertices and inequalities for SageMath (.sage) or polymake (.poly), or one of them "
        "for cdd and lrs (.ext, .ine).")] = None,
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
    from tightrope.cli.report import tell
    from tightrope.cli.targets import PictureTarget, Target, check_apart
    from tightrope.facts import Fact
    from tightrope.theory import extreme_points, orbit_figure, polytope_text

    catalog, picture = Target(output, force), PictureTarget(plot, force)
    exported = Target(export, force)
    check_apart(catalog, picture, exported)
    with working("enumerating"):
        points = extreme_points(values, outputs=outputs, ratio=ratio or 2, columns=columns)
        text = None if export is None else polytope_text(points, str(export))
        facts = points.facts()
    exported.write(lambda: (text or "").encode())
    catalog.write(lambda: f"{json.dumps(facts.json, ensure_ascii=False, indent=1)}\n".encode())
    picture.draw(lambda: orbit_figure(points))
    tell(facts.also(catalog.fact, Fact("export", "export", exported.name), picture.fact),
         as_json=as_json)


def _refuse_others(*given: object) -> None:
    """A matrix says its own size, and nothing but the answer is written."""
    if any(part is not None for part in given):
        raise BadInput("--matrix is judged alone: beside it only --ratio and --json are taken.")


def _judge(file: Path, ratio: str | None, *, as_json: bool) -> None:
    from tightrope.cli.report import tell
    from tightrope.facts import data
    from tightrope.files import read_rows
    from tightrope.theory import extremality

    verdict = extremality(read_rows(file), ratio)
    tell(verdict.facts().also(*data(file=file)), as_json=as_json)
    if not verdict.extreme:
        raise typer.Exit(1)
