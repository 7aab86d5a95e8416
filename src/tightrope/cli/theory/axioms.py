"""`tightrope theory axioms`: a privacy definition judged by the axioms of Kifer and Lin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Force, Json, PlotFile
from tightrope.errors import Infeasible

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.privacy import AxiomVerdict, Choice, Processing, WholeVerdict


def axioms(
    predicate: Annotated[
        str,
        typer.Argument(
            metavar="FILE.py:NAME",
            help="A function q(a, b) of two probabilities, or one of a whole matrix, in a Python "
            "file; or a .csv table: corners (a, lower, upper) or a square of 0 and 1.",
        ),
    ],
    grid: Annotated[
        int | None,
        typer.Option(
            "--grid",
            metavar="N",
            help="Try a function at multiples of 1/N, 60 if not given, or 4 on matrices; tables "
            "are exact.",
            show_default=False,
        ),
    ] = None,
    inputs: Annotated[
        int,
        typer.Option("--inputs", metavar="N", help="Rows of the matrices that are tried."),
    ] = 2,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Test a privacy definition: may its mechanisms be post-processed, and chosen at random?

    q(a, b) says whether an event may have probability a under one input
    and b under another. The file is run with your own rights. Exit code 1
    if an axiom fails; the counterexample is exact. A function is tried at
    multiples of 1/N only: without a counterexample nothing is proved
    about what lies between them. A function of one argument is asked of
    whole matrices, a row for each input, also close to those it forbids.

    Example: tightrope theory axioms definition.py:allowed
    """
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.files import read_predicate
    from tightrope.privacy import judge, judge_whole, takes_matrix

    picture = PictureTarget(plot, force)
    asked = read_predicate(predicate)
    if takes_matrix(asked):
        if plot is not None:
            raise Infeasible("a definition of whole mechanisms has no bound to draw.")
        with working("judging"):
            whole = judge_whole(asked, inputs=inputs, grid=4 if grid is None else grid)
        answer = {"predicate": predicate, **whole.as_json()}
        deliver(answer, lambda screen: _show_whole(screen, whole), as_json=as_json)
        if not (whole.transformation_invariance and whole.axiom_of_choice):
            raise typer.Exit(1)
        return
    with working("judging"):
        verdict = judge(asked, grid=60 if grid is None else grid)
    picture.draw(lambda: _figure(predicate, verdict))
    answer = {"predicate": predicate, **verdict.as_json()}
    deliver(answer, lambda screen: _show(screen, verdict), as_json=as_json)
    if not (verdict.transformation_invariance and verdict.axiom_of_choice):
        raise typer.Exit(1)


def _figure(predicate: str, verdict: AxiomVerdict) -> Figure:
    from tightrope.plots import bound_figure

    if verdict.definition is None:
        raise Infeasible("there is no equivalent definition to draw.")
    return bound_figure({"M": verdict.definition}, f"{predicate}: what it allows")


def _show_whole(screen: Console, verdict: WholeVerdict) -> None:
    from tightrope.cli.report import facts, paragraph

    said = {True: "no counterexample found", False: "fails"}
    screen.print(
        facts(
            [
                ("post-processing", said[verdict.transformation_invariance]),
                ("random choice", said[verdict.axiom_of_choice]),
                ("tried", f"{verdict.tried:,} matrices, {verdict.allowed:,} of them allowed, "
                 f"{verdict.scope}"),
            ]
        )
    )
    for name, found in (("Post-processing", verdict.processing), ("Random choice", verdict.choice)):
        if found is not None:
            rows = "; and ".join(" and ".join(map(_tuple, table)) for table in found.before)
            after = " and ".join(map(_tuple, found.after))
            paragraph(
                screen,
                f"{name}: allowed are the rows {rows}. Where {found.how}, they become {after}, "
                "which are not allowed.",
            )


def _show(screen: Console, verdict: AxiomVerdict) -> None:
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
        scope = verdict.scope
        paragraph(
            screen,
            f"{scope[0].upper()}{scope[1:]} the same as: P(O | second) <= M(P(O | first)), where M "
            f"is concave with corners {corners}{more}"
            + (f" and M(0) = {verdict.definition.at_zero}." if jump else "."),
        )
    elif verdict.processing is not None and verdict.choice is not None:
        paragraph(screen, _processing(verdict.processing), _choice(verdict.choice))


def _processing(found: Processing) -> str:
    """The counterexample in words that can be checked by hand."""
    rows = " and ".join(map(_tuple, found.mechanism))
    return (
        f"Post-processing: the mechanism with rows {rows} is allowed. Turn its outputs into one "
        f"event with probabilities {_tuple(found.channel)}: the event has probabilities "
        f"{_tuple(found.event)}, which are not allowed."
    )


def _choice(found: Choice) -> str:
    """The counterexample in words that can be checked by hand."""
    parts = "; ".join(
        f"{share} of ({rows[0][0]}, {rows[1][0]})"
        for share, rows in zip(found.shares, found.mechanisms, strict=True)
    )
    return (
        "Random choice: mechanisms with two outputs whose first has these probabilities are "
        f"allowed, and chosen with these chances: {parts}. The first output then has "
        f"{_tuple(found.event)}, which is not allowed."
    )


def _tuple(values: tuple[Fraction, ...]) -> str:
    return f"({', '.join(map(str, values))})"
