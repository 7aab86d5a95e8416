"""`tightrope curve`: the mean of many people's curves, with its band."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.choices import Trend
from tightrope.cli.asked import AskedLevel
from tightrope.cli.booking import AskedBooking
from tightrope.cli.options import (
    LINES,
    Delta,
    Epsilon,
    Force,
    Json,
    OutputFile,
    PlotFile,
    Ratio,
    choice,
    flag,
    value,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.curves import Curve, CurvePlan

_DECLARED = "What is declared"


@dataclass(frozen=True)
class Declared:
    """Declarations on the rows and the curve, made before anybody looks at them."""

    people: Annotated[int, value(
        "--people", "N", "The public number of rows, a curve each; totals are divided by it, "
        "whatever the table holds.", panel=_DECLARED)]
    low: Annotated[str, value(
        "--low", "NUMBER", "Cells below it are moved to it.", panel=_DECLARED)]
    high: Annotated[str, value(
        "--high", "NUMBER", "Cells above it are moved to it.", panel=_DECLARED)]
    columns: Annotated[str | None, value(
        "--columns", "NAMES", "The times: JAN:DEC (all from one to the other), or a,b,c. Text "
        "files need them; of a .parquet file all columns if not given.", panel=_DECLARED)] = None
    resolution: Annotated[str | None, value(
        "--resolution", "NUMBER", "Cells are rounded to it; if not given, to a power of ten that "
        "gives at least 2^20 steps.", panel=_DECLARED)] = None
    missing: Annotated[str | None, value(
        "--missing", "NUMBER", "What stands for cells that are no number; the middle of the range "
        "if not given.", panel=_DECLARED)] = None
    times: Annotated[str | None, value(
        "--times", "NUMBERS", "When the columns are: 0,1,2.5; 1, 2, 3, … if not given.",
        panel=_DECLARED)] = None
    lipschitz: Annotated[str | None, value(
        "--lipschitz", "NUMBER", "The most that the mean curve changes in a unit of time.",
        panel=_DECLARED)] = None
    monotone: Annotated[Trend | None, choice(
        "--monotone", "The mean curve only goes this way.", panel=_DECLARED)] = None
    knots: Annotated[int | None, value(
        "--knots", "K",
        "How many times are released; the number with the least bound if not given.")] = None
    basis: Annotated[str | None, value(
        "--basis", "NAME", "With --delta: polynomials:K keeps the projection on polynomials of K "
        "coefficients; or a file with a row of numbers for each function, one for each time. "
        "Values at knots if not given.")] = None
    confidence: Annotated[str, value(
        "--confidence", "NUMBER", "Of the band, all knots together.", default=True)] = "0.95"

    def as_keywords(self) -> dict[str, Any]:
        """As the library takes them."""
        keywords = dict(vars(self))
        if self.columns is not None and ":" not in self.columns:
            keywords["columns"] = [name.strip() for name in self.columns.split(",")]
        keywords["times"] = None if self.times is None else self.times.split(",")
        if self.basis is not None and Path(self.basis).is_file():
            from tightrope.files import read_matrix

            keywords["basis"] = read_matrix(self.basis).numbers.tolist()
        return keywords


def curve(
    table: Annotated[
        str,
        typer.Argument(metavar="TABLE", help="A row for each person, a column for each time: "
                       f".csv, .tsv, .parquet, .arrow. {LINES}"),
    ],
    *,
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    delta: Delta = "0",
    declared: Declared,
    dry_run: Annotated[bool, flag(
        "--dry-run", "Show knots, noise and band; read only the names of the columns.")] = False,
    books: AskedBooking,
    output: OutputFile = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Release the mean curve of a table of curves, with a band around it.

    Neighbors are tables of N rows that differ in one. Everything is chosen
    from what is declared; what rows hold is never told. Later questions about
    the curve cost nothing.

    Example: tightrope curve elnino.csv --columns JAN:DEC --people 61 --low 15 --high 35
    --lipschitz 1.5 --epsilon 1
    """
    from tightrope import curves
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import DocumentTarget, PictureTarget, check_apart

    document, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    check_apart(document, picture)
    level = AskedLevel(epsilon, ratio, delta).level()
    with working("planning"):
        plan = curves.plan_table(table, level, **declared.as_keywords())
    released = None
    if not dry_run:
        with books.account() as account, working("adding up"):
            released = curves.release(plan, table, account=account)
    picture.draw(lambda: _figure(plan, released))
    document.keep(plan.certified)
    unread = () if released else ("No row was read, nothing was booked.",)
    result = released or plan
    tell(result.facts().also(document.fact, picture.fact, sentences=(*unread, *document.next)),
         as_json=as_json)


def _figure(plan: CurvePlan, released: Curve | None) -> Figure:
    from tightrope.plots import curve_figure

    errors = {
        "one noise for each knot": [(c.knots, c.separately) for c in plan.choices],
        "noise in boxes, δ = 0": [(c.knots, c.boxes) for c in plan.choices if c.boxes is not None],
        "joint noise": [(c.knots, c.noise) for c in plan.choices],
        "joint noise and lines between": [(c.knots, c.bound) for c in plan.choices
                                          if c.bound is not None],
    }
    values = None if released is None else [float(released.at(time)) for time in plan.times]
    bands = [] if released is None else [released.band_at(time) for time in plan.times]
    return curve_figure(
        [float(time) for time in plan.times], plan.columns, values,
        [None if b is None else (float(b[0]), float(b[1])) for b in bands],
        plan.positions if plan.basis is None else (),
        {name: line for name, line in errors.items() if line},
        title=f"Mean of {plan.people:,} curves, {plan.level!s}", chosen=plan.chosen.knots,
    )
