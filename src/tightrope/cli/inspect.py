"""`tightrope inspect`: everything that is known about one mechanism, without a loss."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.characters import label_text, shorten
from tightrope.cli.options import (
    Force,
    Json,
    MechanismFile,
    Normalize,
    PlotFile,
    SpaceOption,
)
from tightrope.errors import BadInput, Refused

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.documents import Generality, Inspection
    from tightrope.mechanisms import FiniteMechanism
    from tightrope.utility import Beliefs

CURVE_LINES = 9
"""Points of a curve that are shown."""


def inspect(
    file: MechanismFile,
    space: SpaceOption = None,
    normalize: Normalize = False,
    plot: PlotFile = None,
    row_graphs: Annotated[
        Path | None,
        typer.Option(
            "--row-graphs",
            metavar="FILE",
            help="Draw the row graphs as likelihood functions into this .svg or .png file.",
            rich_help_panel="Output",
            show_default=False,
        ),
    ] = None,
    prior: Annotated[
        str | None,
        typer.Option(
            "--prior",
            metavar="uniform|FILE",
            help="How likely each input is to somebody: what an answer does to these beliefs.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Show what a mechanism reveals: level, δ(ε), leakage, generality, loose entries.

    With --prior also how far an answer moves somebody's odds and guesses. Of a
    release: question, answers and entry. Nothing is judged here; a document's
    own claim is for `verify`.

    Example: tightrope inspect m.json --plot m.png
    """
    from tightrope.cli.asked import prior_of
    from tightrope.cli.progress import working
    from tightrope.cli.published import inspect_release
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget, check_apart
    from tightrope.documents import inspect as inspected
    from tightrope.files import read_subject
    from tightrope.mechanisms import finite
    from tightrope.plots import mechanism_figure
    from tightrope.releases import is_release

    if space is None and is_release(file):
        if any(option is not None for option in (plot, row_graphs, prior)):
            raise BadInput("a release is shown as it is; --plot, --row-graphs and --prior are for "
                           "mechanisms.")
        inspect_release(file, as_json=as_json)
        return
    picture, graphs = PictureTarget(plot, force), PictureTarget(row_graphs, force)
    check_apart(picture, graphs)
    with working("inspecting"):
        subject = read_subject(file, space, normalize=normalize)
        law = None if prior is None else prior_of(prior, subject.space, normalize=normalize)
        found = inspected(subject.given, law)
    title = f"{shorten(found.construction or file.name)} on {shorten(found.space.text)}"
    graphs.draw(lambda: _row_graphs(found, title))
    picture.draw(lambda: mechanism_figure(finite(found.mechanism), title, curve=found.curve))
    answer = {**found.as_json(), "row_error": subject.row_error, "picture": picture.name}
    deliver(answer, lambda screen: _show(screen, found, subject.row_error), as_json=as_json)


def _row_graphs(found: Inspection, title: str) -> Figure:
    from tightrope.plots import row_graph_figure
    from tightrope.privacy import exact_margin, row_graphs

    matrix, space, level = found.matrix, found.space, found.judged
    if matrix is None or level is None:
        why = "row graphs need a finite matrix with a level above 0."
        raise Refused(found.skipped.get("level", why))
    graphs = row_graphs(matrix, space, level, margin=exact_margin(space, level))
    return row_graph_figure(matrix, graphs, title)


def _show(screen: Console, found: Inspection, row_error: float | None) -> None:
    from tightrope.cli.report import facts
    from tightrope.cli.wording import row_totals, space_text
    from tightrope.privacy import relation
    from tightrope.spaces import distances_text

    space = found.space
    outputs = found.unlisted if found.outputs is None else f"{found.outputs:,} outputs"
    rows: list[tuple[str, object]] = [
        ("construction", None if found.construction is None else shorten(found.construction)),
        ("space", f"{space_text(space.text)}: {space.size:,} inputs, {outputs}"),
        ("distances", distances_text(space)),
        ("neighbors", relation(space) or "none declared"),
        ("digest", {None: None, True: "fits", False: "does not fit: the file was changed"}[
            found.intact]),
        ("row totals", row_totals(row_error)),
        *_known(found),
    ]
    rows += [(f"no {name}", why) for name, why in found.skipped.items() if name != "level"]
    screen.print(facts(rows))
    if found.matrix is not None:
        _draw(screen, found.matrix)


def _known(found: Inspection) -> list[tuple[str, object]]:
    """The single numbers, each with what it means."""
    from tightrope.cli.wording import number

    best = found.dobrushin_best
    return [
        ("level", _level_text(found)),
        ("claimed", None if found.claim is None else f"ε = {found.claim.text}"
         + (f", δ = {number(found.claim.as_json()['delta'])}" if found.claim.delta else "")),
        ("leakage", None if found.leakage is None else
         f"{number(found.leakage, 6)} bits of min-entropy under the uniform prior, "
         "the most under any prior"),
        ("dobrushin", None if found.dobrushin is None else
         f"{number(found.dobrushin, 6)} (0 would tell two inputs apart for certain"
         + (")" if best is None else f"; the best at this level is {number(best, 6)})")),
        ("rank", found.rank),
        ("determinant", None if not found.determinant else
         f"{number(found.determinant, 6)} (1 would tell all inputs apart for certain)"),
        *([] if found.beliefs is None else _believed(found.beliefs)),
        ("generality", None if found.generality is None else _general_text(found.generality)),
        ("loose entries", _loose_text(found)),
        ("δ(ε)", _curve_text(found.curve)),
    ]


def _believed(found: Beliefs) -> list[tuple[str, object]]:
    """What an answer does to somebody with the prior."""
    from tightrope.cli.wording import number
    from tightrope.exact import short_text

    odds = found.largest
    moved = [
        f"by {part.factor} or more: up in {number(float(part.rise), 4)}, "
        f"down in {number(float(part.fall), 4)} of the answers at most"
        for part in found.moved
    ]
    return [
        ("one guess", f"right with chance {number(float(found.guess_before), 6)} before, "
         f"{number(float(found.guess_after), 6)} after: {number(found.leakage, 6)} bits "
         "of min-entropy under this prior"),
        ("information", f"{number(found.mutual_information, 6)} bits between input and output"),
        ("largest odds", "no answer moves any" if odds is None else
         f"of {label_text(odds.second)} against {label_text(odds.first)}: "
         f"{short_text(odds.before)} before, "
         f"{'infinite' if odds.after is None else short_text(odds.after)} after the answer "
         f"{label_text(odds.output)}"),
        ("odds move", ["between neighbors, if the first of them is the truth:", *moved]),
    ]


def _level_text(found: Inspection) -> str | None:
    from tightrope.cli.wording import number
    from tightrope.privacy import at_least

    level = found.level
    if level is None:
        return found.skipped.get("level")
    text = level.exact_text
    plain = number(level.upper, 10)
    exact = "" if text is None or len(text) > 24 else (
        " exactly" if text == plain else f" = {text} exactly")
    return f"{plain}{exact}{at_least(level.lower, level.upper)}"


def _general_text(general: Generality) -> str:
    at = f"at ε = {general.level.as_json()['epsilon']:.6g}"
    if general.exact.maximally_general:
        return f"maximal {at}: no other mechanism yields this one by post-processing"
    graphs = f"{general.connected} of {general.occurring} outputs have a connected row graph"
    if general.connected == general.occurring:
        return (
            f"maximal {at} within a relative {general.margin:.1e}, not exactly: e^(ε d) is "
            f"irrational, probabilities are fractions below it; within that, {graphs}"
        )
    return f"not maximal {at}: {graphs}" + _within(general)


def _within(general: Generality) -> str:
    return f", counted within a relative {general.margin:.1e}" if general.margin else ""


def _loose_text(found: Inspection) -> str | None:
    if found.generality is None:
        return None
    count, within = found.loose_count, _within(found.generality)
    if not count:
        return f"none{within}"
    some = ", ".join(
        f"input {label_text(y)} output {label_text(z)}"
        for y, z in (found.loose or ())[:3]
    )
    return f"{count:,} (on no tight pair{within}): {some}" + (", …" if count > 3 else "")


def _curve_text(curve: tuple[tuple[float, float], ...] | None) -> list[str] | None:
    """Every fourth point of the curve, one on a line."""
    if curve is None:
        return None
    points = [(f"{e:.4g}", f"{d:.3g}") for e, d in curve[:: (len(curve) - 1) // (CURVE_LINES - 1)]]
    width = max(len(epsilon) for epsilon, _ in points)
    lines = [f"ε = {epsilon:{width}}  δ = {delta}" for epsilon, delta in points]
    return ["the smallest δ between neighbors, for some ε:", *lines]


def _draw(screen: Console, matrix: FiniteMechanism) -> None:
    from tightrope.cli.shades import shade
    from tightrope.cli.wording import probability_table
    from tightrope.exact import sizes

    if (shown := probability_table(matrix)) is not None:
        screen.print()
        screen.print(shown)
    elif matrix.space.size * len(matrix.outputs) <= sizes.LARGEST_MATRIX:
        screen.print()
        screen.print("Log-probabilities: rows are inputs, columns are outputs, fuller is likelier.")
        for line in shade(matrix):
            screen.print(f"  {line}")
