"""`tightrope theory polytope`: extreme points and rays of a space, or whether a matrix is one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Force, Json, PlotFile, SpaceOption, complete_space, value
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from tightrope.cli.targets import PictureTarget, Target
    from tightrope.theory import ConeRays, ExtremePoints, MechanismVertices


def polytope(
    values: Annotated[
        str | None,
        typer.Argument(
            metavar="[M|SPACE]",
            help="A number of values from 2 to 8, any two neighbors; or a space: cycle:5.",
            autocompletion=complete_space,
            show_default=False,
        ),
    ] = None,
    outputs: Annotated[int | None, value(
        "--outputs", "N", "The number of outputs; M if not given, at most 3 for 7 values, 2 for 8. "
        "On a space, without it: the extreme rays.")] = None,
    *,
    asked: AskedLevel,
    columns: Annotated[int | None, value(
        "--columns", "C", "Only extreme points with this many non-zero columns.")] = None,
    tight: Annotated[list[str] | None, value(
        "--tight", "I,K,J", "Only a face: a[I,J] = e^ε a[K,J], counted from 0 (with --delta "
        "outputs J+J…); or I,J: that entry is 0. May be repeated.")] = None,
    matrix: Annotated[Path | None, value(
        "--matrix", "FILE", "Instead of M: is the matrix in this file an extreme point? (.csv, "
        ".json, …, or a mechanism document, on its own space)")] = None,
    space: SpaceOption = None,
    output: Annotated[Path | None, value(
        "--output", "FILE", "Write the catalog of all orbits here (.json).", short="-o")] = None,
    export: Annotated[Path | None, value(
        "--export", "FILE", "Write vertices and inequalities for SageMath (.sage) or polymake "
        "(.poly), or one of them for cdd and lrs (.ext, .ine).")] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """List the extreme points of all private matrices on a space, or judge one matrix, exactly.

    Without a level, e^ε is 2, or the least at which a --matrix is private. An optimal matrix for
    a linear loss can always be found among these points. On M values how many there are does not
    depend on ε. Points that differ by a symmetry of the space or the order of outputs are one
    orbit. With --matrix a proof is shown: tight constraints that leave no freedom, or a direction
    in which the matrix can move both ways (exit code 1).

    Example: tightrope theory polytope cycle:5 --ratio 2 --outputs 2
    """
    from tightrope.cli.targets import PictureTarget, Target, check_apart

    if matrix is not None:
        others = (values, outputs, columns, tight, output, export, plot)
        if any(part is not None for part in others):
            raise BadInput("--matrix is judged alone: beside it only --space, a level and --json "
                           "are taken.")
        _judge(matrix, space, asked, as_json=as_json)
        return
    if values is None or space is not None:
        raise BadInput("expected a number of values M, a space such as cycle:5, or a matrix to "
                       "judge: --matrix FILE (only a matrix takes --space).")
    files = _Files(Target(output, force), Target(export, force), PictureTarget(plot, force))
    check_apart(files.catalog, files.picture, files.exported)
    _list(values, outputs, columns, tight or [], asked, files, as_json=as_json)


@dataclass(frozen=True)
class _Files:
    """Where the answer is written."""

    catalog: Target
    exported: Target
    picture: PictureTarget


def _list(
    values: str, outputs: int | None, columns: int | None, tight: list[str], asked: AskedLevel,
    files: _Files, *, as_json: bool,
) -> None:
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.facts import Fact
    from tightrope.theory import ConeRays, orbit_figure, polytope_text

    with working("enumerating"):
        result = _enumerate(values, outputs, columns, tight, asked)
        export = files.exported.name
        if isinstance(result, ConeRays):
            if export or files.picture.name:
                raise BadInput("--export and --plot are for polytopes: give --outputs N too.")
            text = None
        else:
            text = None if export is None else polytope_text(result, export)
        facts = result.facts()
    files.exported.write(lambda: (text or "").encode())
    files.catalog.write(
        lambda: f"{json.dumps(facts.json, ensure_ascii=False, indent=1)}\n".encode())
    if not isinstance(result, ConeRays):
        files.picture.draw(lambda: orbit_figure(result))
    tell(facts.also(files.catalog.fact, Fact("export", "export", files.exported.name),
                    files.picture.fact), as_json=as_json)


def _enumerate(
    values: str, outputs: int | None, columns: int | None, tight: list[str], asked: AskedLevel
) -> ExtremePoints | MechanismVertices | ConeRays:
    """Closed forms on M values without δ; rays on a space without outputs; or the vertices."""
    from tightrope.exact import Level
    from tightrope.files import read_space
    from tightrope.theory import cone_rays, extreme_points, mechanism_vertices, ratio_of

    level = asked.if_any() or Level.ratio(2)
    number = values if values.lstrip("-").isdecimal() else None
    if number is not None and not level.delta and not tight:
        return extreme_points(int(number), outputs=outputs, ratio=ratio_of(level), columns=columns)
    if columns is not None:
        raise BadInput("--columns is for M values without --delta and --tight.")
    points = read_space(values if number is None else f"categories:{number}")
    if number is None and outputs is None and not level.delta and not tight:
        return cone_rays(points, level)
    faces = [_face(text) for text in tight]
    return mechanism_vertices(points, level, outputs=outputs, tight=faces)


def _face(text: str) -> tuple[int, int] | tuple[int, int, tuple[int, ...]]:
    """A constraint as it is typed: I,K,J or I,K,J+J, or I,J for an entry that is 0."""
    *first, last = text.split(",")
    try:
        ends, outputs = [int(part) for part in first], tuple(int(j) for j in last.split("+"))
    except ValueError:
        ends, outputs = [], ()
    if len(ends) == 1 and len(outputs) == 1:
        return ends[0], outputs[0]
    if len(ends) == 2:
        return ends[0], ends[1], outputs
    raise BadInput(f"expected --tight I,K,J with whole numbers from 0, such as 0,1,2 (or 0,1,0+2 "
                   f"with --delta, or 0,2 for an entry that is 0), found {text!r}.")


def _judge(file: Path, space: str | None, asked: AskedLevel, *, as_json: bool) -> None:
    from tightrope.cli.output import tell
    from tightrope.facts import data
    from tightrope.files import read_rows
    from tightrope.theory import extremality, ratio_of

    level = asked.if_any()
    rows, points = read_rows(file, space)
    verdict = extremality(rows, None if level is None else ratio_of(level),
                          space=points, delta=0 if level is None else level.delta)
    tell(verdict.facts().also(*data(file=file)), as_json=as_json)
    if not verdict.extreme:
        raise typer.Exit(1)
