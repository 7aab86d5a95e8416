"""`tightrope axioms`: a privacy definition judged by the axioms of Kifer and Lin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.options import Force, Json, PlotFile
from tightrope.errors import Infeasible

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.privacy import AxiomVerdict


def axioms(
    predicate: Annotated[
        str,
        typer.Argument(
            metavar="FILE.py:NAME",
            help="A function q(a, b) in a Python file, or a .csv table: corners (a, lower, upper) "
            "or a square of 0 and 1.",
        ),
    ],
    grid: Annotated[
        int,
        typer.Option(
            "--grid", metavar="N", help="Try a function at multiples of 1/N; tables are exact."
        ),
    ] = 60,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Test a privacy definition: may its mechanisms be post-processed, and chosen at random?

    q(a, b) says whether an event may have probability a under one input
    and b under another. The file is run with your own rights. Exit code 1
    if an axiom fails; the counterexample is exact. A function is tried at
    multiples of 1/N only: without a counterexample nothing is proved
    about what lies between them.

    Example: tightrope axioms definition.py:allowed
    """
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.data import read_predicate
    from tightrope.privacy import judge

    picture = PictureTarget(plot, force)
    asked = read_predicate(predicate)
    with working("judging"):
        verdict = judge(asked, grid=grid)
    picture.draw(lambda: _figure(predicate, verdict))
    answer = _answer(predicate, verdict)
    deliver(answer, lambda screen: _show(screen, answer, verdict), as_json=as_json)
    if not (verdict.transformation_invariance and verdict.axiom_of_choice):
        raise typer.Exit(1)


def _figure(predicate: str, verdict: AxiomVerdict) -> Figure:
    from tightrope.plots import bound_figure

    if verdict.definition is None:
        raise Infeasible("there is no equivalent definition to draw.")
    return bound_figure({"M": verdict.definition}, f"{predicate}: what it allows")


def _answer(predicate: str, verdict: AxiomVerdict) -> dict[str, Any]:
    definition = verdict.definition
    knots = None if definition is None else [_pair(knot) for knot in definition.knots]
    return {
        "predicate": predicate,
        "transformation_invariance": verdict.transformation_invariance,
        "choice": verdict.axiom_of_choice,
        "counterexample": _counterexample(verdict),
        "satisfiable": verdict.satisfiable,
        "exact": verdict.exact,
        "grid": verdict.grid,
        "scope": _scope(verdict),
        "bound": knots,
        "bound_at_zero": None if definition is None else str(definition.at_zero),
    }


def _scope(verdict: AxiomVerdict) -> str:
    """Where the answer was decided."""
    if verdict.grid is None:
        return "for every event"
    return f"for events whose probabilities are multiples of 1/{verdict.grid}"


def _counterexample(verdict: AxiomVerdict) -> dict[str, Any] | None:
    processing, choice = verdict.processing, verdict.choice
    if processing is None or choice is None:
        return None
    return {
        "transformation_invariance": {
            "mechanism": [_pair(row) for row in processing.mechanism],
            "channel": _pair(processing.channel),
            "event": _pair(processing.event),
        },
        "choice": {
            "mechanisms": [[_pair(row) for row in rows] for rows in choice.mechanisms],
            "shares": _pair(choice.shares),
            "event": _pair(choice.event),
        },
    }


def _pair(values: tuple[Fraction, ...]) -> list[str]:
    return [str(value) for value in values]


def _show(screen: Console, answer: dict[str, Any], verdict: AxiomVerdict) -> None:
    from tightrope.cli.report import facts, paragraph

    said = {True: "holds" if verdict.exact else "no counterexample found", False: "fails"}
    how = (
        "exactly" if verdict.grid is None
        else f"at multiples of 1/{verdict.grid}" + (" (all that the table says)" if verdict.exact
             else "; between them nothing is claimed")
    )
    screen.print(
        facts(
            [
                ("post-processing", said[verdict.transformation_invariance]),
                ("random choice", said[verdict.axiom_of_choice]),
                ("decided", how),
            ]
        )
    )
    if not verdict.satisfiable:
        paragraph(
            screen,
            "No mechanism is allowed: even certain events are forbidden. Both axioms hold emptily.",
        )
    elif verdict.definition is not None:
        corners = ", ".join(f"({a}, {b})" for a, b in verdict.definition.knots[:12])
        more = ", …" if len(verdict.definition.knots) > 12 else ""
        jump = verdict.definition.at_zero != verdict.definition.knots[0][1]
        scope = _scope(verdict)
        paragraph(
            screen,
            f"{scope[0].upper()}{scope[1:]} the same as: P(O | second) <= M(P(O | first)), where M "
            f"is concave with corners {corners}{more}"
            + (f" and M(0) = {verdict.definition.at_zero}." if jump else "."),
        )
    else:
        paragraph(screen, *_story(answer["counterexample"]))


def _story(found: dict[str, Any]) -> list[str]:
    """Both counterexamples in words that can be checked by hand."""
    first, second = found["transformation_invariance"], found["choice"]
    rows = " and ".join(f"({', '.join(row)})" for row in first["mechanism"])
    lines = [
        f"Post-processing: the mechanism with rows {rows} is allowed. Turn its outputs into one "
        f"event with probabilities ({', '.join(first['channel'])}): the event has probabilities "
        f"({', '.join(first['event'])}), which are not allowed.",
    ]
    parts = "; ".join(
        f"{share} of ({rows[0][0]}, {rows[1][0]})"
        for share, rows in zip(second["shares"], second["mechanisms"], strict=True)
    )
    lines.append(
        "Random choice: mechanisms with two outputs whose first has these probabilities are "
        f"allowed, and chosen with these chances: {parts}. The first output then has "
        f"({', '.join(second['event'])}), which is not allowed."
    )
    return lines
