"""`tightrope theory axioms`: a privacy definition judged by the axioms of Kifer and Lin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Force, Json, PlotFile, argument, flag, value
from tightrope.errors import BadInput, Infeasible

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from tightrope.privacy import AxiomVerdict, WholeVerdict


def axioms(
    predicate: Annotated[str, argument(
        "FILE.py:NAME", "A function q(a, b) of two probabilities, or one of a whole matrix, in a "
        "Python file; or a .csv table: corners (a, lower, upper) or a square of 0 and 1.")],
    grid: Annotated[int | None, value(
        "--grid", "N", "Try a function at multiples of 1/N, 60 if not given, or 4 on matrices; "
        "tables are exact.")] = None,
    inputs: Annotated[int, value(
        "--inputs", "N", "Rows of the matrices that are tried.", default=True)] = 2,
    pair: Annotated[str | None, value(
        "--pair", "A,B", "Only: which values post-processing implies beside this allowed pair, "
        "and whether q allows them.")] = None,
    measure: Annotated[bool, flag(
        "--measure", "The function is a utility measure of a matrix: does post-processing ever "
        "raise it?")] = False,
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
    With --pair only Proposition 2.2.2 is tried at one pair, with --measure
    only whether post-processing raises a measure of utility.

    Example: tightrope theory axioms definition.py:allowed
    """
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import PictureTarget
    from tightrope.facts import Fact, data
    from tightrope.files import read_predicate
    from tightrope.privacy import AxiomVerdict, judge, judge_whole, takes_matrix

    picture = PictureTarget(plot, force)
    asked = read_predicate(predicate)
    if measure:
        if pair is not None or plot is not None or not takes_matrix(asked):
            raise BadInput("--measure is for a function of one matrix, without --pair and --plot.")
        _judge_measure(asked, inputs, 4 if grid is None else grid, as_json=as_json)
        return
    if pair is not None:
        if takes_matrix(asked) or plot is not None:
            raise BadInput("--pair is for a predicate q(a, b), without --plot.")
        _judge_pair(asked, pair, as_json=as_json)
        return
    if takes_matrix(asked) and plot is not None:
        raise Infeasible("a definition of whole mechanisms has no bound to draw.")
    verdict: AxiomVerdict | WholeVerdict
    with working("judging"):
        if takes_matrix(asked):
            verdict = judge_whole(asked, inputs=inputs, grid=4 if grid is None else grid)
        else:
            verdict = judge(asked, grid=60 if grid is None else grid)
    if isinstance(verdict, AxiomVerdict):
        picture.draw(lambda: _figure(predicate, verdict))
    tell(verdict.facts().also(*data(predicate=predicate), Fact(None, "picture", picture.name)),
         as_json=as_json)
    if not (verdict.transformation_invariance and verdict.axiom_of_choice):
        raise typer.Exit(1)


def _judge_measure(
    measure: Callable[..., object], inputs: int, grid: int, *, as_json: bool
) -> None:
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.theory import judge_measure

    with working("judging"):
        verdict = judge_measure(measure, inputs=inputs, grid=grid)
    tell(verdict.facts(), as_json=as_json)
    if not verdict.holds:
        raise typer.Exit(1)


def _judge_pair(predicate: Callable[..., object], pair: str, *, as_json: bool) -> None:
    from tightrope.cli.output import tell
    from tightrope.privacy import implied_values

    a, comma, b = pair.partition(",")
    if not comma:
        raise BadInput("expected --pair as two probabilities, such as 1/4,1/2.")
    implied = implied_values(predicate, a, b)
    tell(implied.facts(), as_json=as_json)
    if not implied.holds:
        raise typer.Exit(1)


def _figure(predicate: str, verdict: AxiomVerdict) -> Figure:
    from tightrope.plots import bound_figure

    if verdict.definition is None:
        raise Infeasible("there is no equivalent definition to draw.")
    return bound_figure({"M": verdict.definition}, f"{predicate}: what it allows")
