"""`tightrope inspect`: everything that is known about one mechanism, without a loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from tightrope.characters import shortened
from tightrope.cli.options import Force, Json, MechanismFile, PlotFile, SpaceOption
from tightrope.errors import BadInput, Refused

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.cli.subjects import Subject
    from tightrope.exact import Level
    from tightrope.mechanisms import FiniteMechanism
    from tightrope.privacy import Smallest, Tightness

CURVE_POINTS = 33
LARGEST_CURVE = 700.0
"""The end of a curve at most: e^ε is a double up to here."""
MOST_CURVE = 300_000
"""Entries of neighboring rows that a δ(ε) curve is made of, at most."""
MOST_PAIRWISE = 2_000_000_000
"""Comparisons for the Dobrushin coefficient, at most."""
MOST_RANK = 2_000
"""Rows of a matrix whose rank is computed, at most."""
MOST_LOOSE = 1_000
"""Loose entries that are listed."""

Found = TypeVar("Found")


@dataclass
class _Findings:
    """What was found out, and for what was not, the reason."""

    skipped: dict[str, str] = field(default_factory=dict)

    def attempt(self, name: str, find: Callable[[], Found]) -> Found | None:
        """The result of `find`, or None with the reason kept."""
        try:
            return find()
        except (BadInput, Refused) as reason:
            self.skipped[name] = str(reason)
            return None


def inspect(
    file: MechanismFile,
    space: SpaceOption = None,
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
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Show what a mechanism reveals: level, δ(ε), leakage, generality, loose entries.

    Nothing is judged here; a document's own claim is for `verify`.

    Example: tightrope inspect m.json --plot m.png
    """
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.subjects import read_subject
    from tightrope.cli.targets import PictureTarget, check_apart
    from tightrope.mechanisms import finite
    from tightrope.plots import mechanism_figure

    picture, graphs = PictureTarget(plot, force), PictureTarget(row_graphs, force)
    check_apart(picture, graphs)
    with working("inspecting"):
        subject = read_subject(file, space)
        answer, matrix = _inspect(subject)
    named = shortened(subject.construction or file.name)
    title = f"{named} on {shortened(subject.space.text)}"
    graphs.draw(lambda: _row_graphs(subject, matrix, title))
    picture.draw(lambda: mechanism_figure(finite(subject.mechanism), title, curve=answer["curve"]))
    answer["picture"] = picture.name
    deliver(answer, lambda screen: _show(screen, answer, matrix), as_json=as_json)


def _inspect(subject: Subject) -> tuple[dict[str, Any], FiniteMechanism | None]:
    from tightrope import utility
    from tightrope.cli.generality import best_dobrushin, row_graphs_json, tradeoff_corners
    from tightrope.cli.wording import (
        count_outputs,
        level_json,
        smallest_json,
        unlisted_outputs,
    )
    from tightrope.mechanisms import finite
    from tightrope.spaces import distances_text

    findings = _Findings()
    smallest = findings.attempt("level", lambda: _smallest(subject))
    matrix = findings.attempt("matrix", lambda: _written_out(finite(subject.mechanism)))
    level = _judged(subject.claim, smallest)
    curve = leakage = coefficient = rank = tight = graphs = best = corners = None
    if matrix is not None:
        held = matrix
        curve = findings.attempt("curve", lambda: _curve(held, subject, smallest))
        leakage = findings.attempt("leakage", lambda: utility.min_capacity(held))
        coefficient = findings.attempt("dobrushin", lambda: _dobrushin(held))
        rank = findings.attempt("rank", lambda: _rank(held))
        if level is not None:
            at = level
            tight = findings.attempt("generality", lambda: _tightness(held, subject, at))
            graphs = _quietly(lambda: row_graphs_json(held, subject.space, at))
            best = _quietly(lambda: best_dobrushin(subject.space, at))
        if curve is not None:
            corners = _quietly(lambda: tradeoff_corners(held, subject.space))
    answer = {
        "level": smallest_json(smallest),
        "claim": None if subject.claim is None else level_json(subject.claim),
        "intact": subject.intact,
        "curve": curve,
        "tradeoff_curve": corners,
        "row_graphs": graphs,
        "leakage": None if leakage is None else {"uniform_prior": leakage, "min_capacity": leakage},
        "dobrushin": coefficient,
        "dobrushin_best": best,
        "generality": None if tight is None or level is None else _generality(*tight, level),
        "rank": rank,
        "loose": None if tight is None or matrix is None else _loose(tight[1], matrix),
        "loose_count": None if tight is None else len(tight[1].loose),
        "picture": None,
        "skipped": findings.skipped,
        "space": subject.space.text,
        "distances": distances_text(subject.space),
        "neighbors": subject.relation,
        "inputs": subject.space.size,
        "outputs": count_outputs(subject.mechanism),
        "unlisted": unlisted_outputs(subject.mechanism),
        "construction": subject.construction,
        "row_error": subject.row_error,
    }
    return answer, matrix


def _quietly(find: Callable[[], Found]) -> Found | None:
    """What is found, None where it has no meaning or is too large to list."""
    try:
        return find()
    except (BadInput, Refused):
        return None


def _row_graphs(subject: Subject, matrix: FiniteMechanism | None, title: str) -> Figure:
    from tightrope.plots import row_graph_figure
    from tightrope.privacy import exact_margin, row_graphs

    level = None if matrix is None else _judged(subject.claim, _smallest(subject))
    if matrix is None or level is None:
        raise Refused("row graphs need a finite matrix with a level above 0.")
    margin = exact_margin(subject.space, level)
    graphs = row_graphs(matrix, subject.space, level, margin=margin)
    return row_graph_figure(matrix, graphs, title)


def _written_out(mechanism: FiniteMechanism) -> FiniteMechanism:
    """The mechanism as a matrix, once for all that follows; a large kernel stays one."""
    from tightrope.exact import sizes
    from tightrope.mechanisms import written_out

    small = mechanism.space.size * len(mechanism.outputs) <= sizes.LARGEST_MATRIX
    return written_out(mechanism) if small else mechanism


def _smallest(subject: Subject) -> Smallest:
    from tightrope.privacy import Refutation, smallest_level

    found = smallest_level(subject.mechanism, subject.space)
    if isinstance(found, Refutation):
        raise Refused(found.reason)
    return found


def _as_level(smallest: Smallest | None) -> Level | None:
    from tightrope.exact import Level

    if smallest is None or smallest.upper <= 0:
        return None
    return smallest.exact if smallest.exact is not None else Level.epsilon(smallest.upper)


def _judged(claim: Level | None, smallest: Smallest | None) -> Level | None:
    """The claimed level where the mechanism has it with δ = 0, else the smallest it has."""
    if claim is None or claim.delta or smallest is None:
        return _as_level(smallest)
    if smallest.exact is not None:
        return claim if smallest.exact.compare_level(claim) <= 0 else smallest.exact
    return claim if smallest.upper <= float(claim) else _as_level(smallest)


def _curve(
    matrix: FiniteMechanism, subject: Subject, smallest: Smallest | None
) -> list[tuple[float, float]]:
    """Points (ε, δ) from ε = 0 to the smallest pure level, or beyond the last bend."""
    from fractions import Fraction

    from tightrope.privacy import delta_curve

    relation = subject.space.neighbors
    if relation is None:
        raise Refused(f"{subject.space.text} declares no neighbors, so δ has no meaning there.")
    _limit("probabilities", len(matrix.outputs) * subject.space.size, MOST_CURVE)
    _limit("probabilities of neighbors", len(matrix.outputs) * len(relation.pairs), MOST_CURVE)
    curve = delta_curve(matrix, subject.space)
    bend = curve.breakpoints[-1]
    end = max(1.0, 1.1 * (log(bend.numerator) - log(bend.denominator)))
    last = min(LARGEST_CURVE, end if smallest is None else smallest.upper)
    points = []
    for step in range(CURVE_POINTS):
        ratio = Fraction(exp(last * step / (CURVE_POINTS - 1)))
        points.append((log(ratio), float(curve.at_ratio(ratio))))
    return points


def _dobrushin(matrix: FiniteMechanism) -> float:
    from tightrope.utility import dobrushin

    size = matrix.space.size
    _limit("comparisons of two rows", size * size * len(matrix.outputs), MOST_PAIRWISE)
    return dobrushin(matrix)


def _rank(matrix: FiniteMechanism) -> int:
    from tightrope.utility import rank

    _limit("rows or columns", max(matrix.space.size, len(matrix.outputs)), MOST_RANK)
    return rank(matrix)


def _tightness(
    matrix: FiniteMechanism, subject: Subject, level: Level
) -> tuple[Tightness, Tightness, float]:
    """What is tight exactly, what is within a margin, and that margin: 0 if both are one."""
    from tightrope.privacy import exact_margin, tightness

    work = len(subject.space.edges()) * len(matrix.outputs)
    _limit("irreducible pairs and outputs", work, MOST_PAIRWISE // 5)
    margin = exact_margin(subject.space, level)
    exact = tightness(matrix, subject.space, level)
    near = tightness(matrix, subject.space, level, margin=margin) if margin else exact
    return exact, near, margin


def _limit(what: str, found: int, most: int) -> None:
    if found > most:
        raise Refused(f"too large for that here: {found:,} {what}, the limit is {most:,}.")


def _generality(
    exact: Tightness, near: Tightness, margin: float, level: Level
) -> dict[str, Any]:
    from tightrope.cli.wording import level_json

    occurring = [joined for joined in near.connected if joined is not None]
    return {
        "maximally_general": exact.maximally_general,
        "margin": margin,
        "connected": sum(occurring),
        "occurring": len(occurring),
        "tight": near.tight,
        **level_json(level.pure),
    }


def _loose(tight: Tightness, matrix: FiniteMechanism) -> list[list[Any]]:
    from tightrope.documents import label_to_json

    inputs, outputs = matrix.space.points, matrix.outputs
    return [
        [label_to_json(inputs[y]), label_to_json(outputs[z])] for y, z in tight.loose[:MOST_LOOSE]
    ]


def _show(screen: Console, answer: dict[str, Any], matrix: FiniteMechanism | None) -> None:
    from tightrope.cli.report import facts
    from tightrope.cli.wording import space_text

    skipped = answer["skipped"]
    rows: list[tuple[str, object]] = [
        ("construction", None if (name := answer["construction"]) is None else shortened(name)),
        ("space", f"{space_text(answer['space'])}: {answer['inputs']:,} inputs, "
         + (answer["unlisted"] if answer["outputs"] is None else f"{answer['outputs']:,} outputs")),
        ("distances", answer["distances"]),
        ("neighbors", answer["neighbors"] or "none declared"),
        ("digest", {None: None, True: "fits", False: "does not fit: the file was changed"}[
            answer["intact"]]),
        *_known(answer),
    ]
    rows += [(f"no {name}", reason) for name, reason in skipped.items() if name != "level"]
    screen.print(facts(rows))
    if matrix is not None:
        _draw(screen, matrix, skipped)


def _known(answer: dict[str, Any]) -> list[tuple[str, object]]:
    """The single numbers, each with what it means."""
    from tightrope.cli.wording import at_least, number

    level, general, leakage = answer["level"], answer["generality"], answer["leakage"]
    claim = answer["claim"]
    exact = "" if level is None or level["exact"] is None or len(level["exact"]) > 24 else (
        f" = {level['exact']} exactly"
    )
    return [
        ("level", answer["skipped"].get("level") if level is None
         else f"{number(level['upper'], 10)}{exact}{at_least(level['lower'], level['upper'])}"),
        ("claimed", None if claim is None else f"ε = {claim['epsilon_text']}"
         + (f", δ = {number(claim['delta'])}" if claim["delta"] else "")),
        ("leakage", None if leakage is None else
         f"{number(leakage['min_capacity'], 6)} bits of min-entropy under the uniform prior, "
         "the most under any prior"),
        ("dobrushin", None if answer["dobrushin"] is None else
         f"{number(answer['dobrushin'], 6)} (0 would tell two inputs apart for certain"
         + (")" if answer["dobrushin_best"] is None else
            f"; the best at this level is {number(answer['dobrushin_best'], 6)})")),
        ("rank", answer["rank"]),
        ("generality", None if general is None else _general_text(general)),
        ("loose entries", None if general is None else _loose_text(answer)),
        ("δ(ε)", _curve_text(answer["curve"])),
    ]


def _general_text(general: dict[str, Any]) -> str:
    at = f"at ε = {general['epsilon']:.6g}"
    if general["maximally_general"]:
        return f"maximal {at}: no other mechanism yields this one by post-processing"
    graphs = f"{general['connected']} of {general['occurring']} outputs have a connected row graph"
    if general["connected"] == general["occurring"]:
        return (
            f"maximal {at} within a relative {general['margin']:.1e}, not exactly: e^(ε d) is "
            f"irrational, probabilities are fractions below it; within that, {graphs}"
        )
    return f"not maximal {at}: {graphs}" + _within(general)


def _within(general: dict[str, Any]) -> str:
    return f", counted within a relative {general['margin']:.1e}" if general["margin"] else ""


def _loose_text(answer: dict[str, Any]) -> str:
    count, within = answer["loose_count"], _within(answer["generality"])
    if count == 0:
        return f"none{within}"
    some = ", ".join(
        f"input {shortened(str(y))} output {shortened(str(z))}" for y, z in answer["loose"][:3]
    )
    return f"{count:,} (on no tight pair{within}): {some}" + (", …" if count > 3 else "")


def _curve_text(curve: list[tuple[float, float]] | None) -> list[str] | None:
    """Every fourth point of the curve, one on a line."""
    if curve is None:
        return None
    points = [(f"{e:.4g}", f"{d:.3g}") for e, d in curve[:: (CURVE_POINTS - 1) // 8]]
    width = max(len(epsilon) for epsilon, _ in points)
    lines = [f"ε = {epsilon:{width}}  δ = {delta}" for epsilon, delta in points]
    return ["the smallest δ between neighbors, for some ε:", *lines]


def _draw(screen: Console, matrix: FiniteMechanism, skipped: dict[str, str]) -> None:
    from tightrope.cli.shades import shaded
    from tightrope.cli.wording import probability_table
    from tightrope.exact import sizes

    if (shown := probability_table(matrix)) is not None:
        screen.print()
        screen.print(shown)
    elif matrix.space.size * len(matrix.outputs) <= sizes.LARGEST_MATRIX:
        screen.print()
        screen.print("Log-probabilities: rows are inputs, columns are outputs, fuller is likelier.")
        for line in shaded(matrix):
            screen.print(f"  {line}")
