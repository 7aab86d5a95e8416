"""`tightrope curve`: the mean of many people's curves, with its band."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.choices import Trend
from tightrope.cli.asked import AskedLevel
from tightrope.cli.booking import AskedBooking, booking_line
from tightrope.cli.options import LINES, Epsilon, Force, Json, OutputFile, PlotFile, Ratio

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.curves import Curve, CurvePlan

_DECLARED = "What is declared"
_ROWS = 16
"""Times and numbers of knots that people are shown; --json has all."""


@dataclass(frozen=True)
class Declared:
    """What is known of the rows before anybody looks at them."""

    people: Annotated[
        int,
        typer.Option("--people", metavar="N", help="The public number of rows, a curve each; "
                     "totals are divided by it, whatever the table holds.",
                     rich_help_panel=_DECLARED),
    ]
    low: Annotated[
        str,
        typer.Option("--low", metavar="NUMBER", help="Cells below it are moved to it.",
                     rich_help_panel=_DECLARED),
    ]
    high: Annotated[
        str,
        typer.Option("--high", metavar="NUMBER", help="Cells above it are moved to it.",
                     rich_help_panel=_DECLARED),
    ]
    columns: Annotated[
        str | None,
        typer.Option("--columns", metavar="NAMES",
                     help="The times: JAN:DEC (all from one to the other), or a,b,c. Text files "
                     "need them; of a .parquet file all columns if not given.",
                     rich_help_panel=_DECLARED, show_default=False),
    ] = None
    resolution: Annotated[
        str | None,
        typer.Option("--resolution", metavar="NUMBER",
                     help="Cells are rounded to it; if not given, to a power of ten that gives "
                     "at least 2^20 steps.", rich_help_panel=_DECLARED, show_default=False),
    ] = None
    missing: Annotated[
        str | None,
        typer.Option("--missing", metavar="NUMBER",
                     help="What stands for cells that are no number; the middle of the range if "
                     "not given.", rich_help_panel=_DECLARED, show_default=False),
    ] = None
    times: Annotated[
        str | None,
        typer.Option("--times", metavar="NUMBERS", help="When the columns are: 0,1,2.5; 1, 2, 3, … "
                     "if not given.", rich_help_panel=_DECLARED, show_default=False),
    ] = None
    lipschitz: Annotated[
        str | None,
        typer.Option("--lipschitz", metavar="NUMBER",
                     help="The most that the mean curve changes in a unit of time.",
                     rich_help_panel=_DECLARED, show_default=False),
    ] = None
    monotone: Annotated[
        Trend | None,
        typer.Option("--monotone", help="The mean curve only goes this way.",
                     rich_help_panel=_DECLARED, show_default=False),
    ] = None
    knots: Annotated[
        int | None,
        typer.Option("--knots", metavar="K", help="How many times are released; the number with "
                     "the least bound if not given.", show_default=False),
    ] = None
    confidence: Annotated[
        str,
        typer.Option("--confidence", metavar="NUMBER", help="Of the band, all knots together."),
    ] = "0.95"

    def as_keywords(self) -> dict[str, Any]:
        """As the library takes them."""
        held = dict(vars(self))
        if self.columns is not None and ":" not in self.columns:
            held["columns"] = [name.strip() for name in self.columns.split(",")]
        held["times"] = None if self.times is None else self.times.split(",")
        return held


def curve(
    table: Annotated[
        str,
        typer.Argument(metavar="TABLE", help="A row for each person, a column for each time: "
                       f".csv, .tsv, .parquet, .arrow. {LINES}"),
    ],
    *,
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    declared: Declared,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", metavar="", help="Show knots, noise and band; read only the "
                     "names of the columns."),
    ] = False,
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
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import DocumentTarget, PictureTarget, check_apart

    document, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    check_apart(document, picture)
    level = AskedLevel(epsilon, ratio).level()
    with working("planning"):
        plan = curves.planned(table, level, **declared.as_keywords())
    found = None
    if not dry_run:
        with books.account() as account, working("adding up"):
            found = curves.release(plan, table, account=account)
    picture.draw(lambda: _figure(plan, found))
    document.keep(plan.certified)
    shown = _Shown(plan, found, document.name, picture.name)
    answer = (found or plan).as_json() | {"file": document.name, "picture": picture.name}
    deliver(answer, lambda screen: _show(screen, shown), as_json=as_json)


@dataclass(frozen=True)
class _Shown:
    """What people are told: the plan, the curve if it was released, and the files."""

    plan: CurvePlan
    found: Curve | None
    file: str | None
    picture: str | None


def _figure(plan: CurvePlan, found: Curve | None) -> Figure:
    from tightrope.plots import curve_figure

    errors = {
        "one noise for each knot": [(c.knots, c.separately) for c in plan.choices],
        "joint noise": [(c.knots, c.noise) for c in plan.choices],
        "joint noise and lines between": [(c.knots, c.bound) for c in plan.choices
                                          if c.bound is not None],
    }
    values = None if found is None else [float(found.at(time)) for time in plan.times]
    bands = [] if found is None else [found.band_at(time) for time in plan.times]
    return curve_figure(
        [float(time) for time in plan.times], plan.columns, values,
        [None if b is None else (float(b[0]), float(b[1])) for b in bands], plan.positions,
        {name: line for name, line in errors.items() if line},
        title=f"Mean of {plan.people:,} curves, {plan.level!s}",
    )


def _show(screen: Console, shown: _Shown) -> None:
    from shlex import quote

    from tightrope.characters import decimal_text
    from tightrope.cli.report import facts, paragraph, table
    from tightrope.cli.wording import number
    from tightrope.declarations import Code, rules
    from tightrope.privacy import promise

    plan, found = shown.plan, shown.found
    proof, cell = plan.certified.certificate, plan.cell
    between = ("not known: declare --lipschitz or --monotone" if plan.chosen.between is None
               else f"lines are off by at most {number(plan.chosen.between, 4)}"
               + (" on average over time" if plan.lipschitz is None and plan.trend else "")
               + f", if {plan.declared} as declared")
    screen.print(facts([
        ("curve", f"mean of {plan.people:,} rows at {len(plan.columns)} times"),
        ("knots", f"{len(plan.knots)}: {', '.join(plan.knots[:8])}"
         + (", …" if plan.knots[8:] else "")),
        ("mean error", f"{number(plan.chosen.noise, 4)} at a knot"
         f" ({number(plan.chosen.separately, 4)} with one noise for each)"),
        ("band", f"± {number(float(plan.half_width), 4)}, all knots together, with confidence "
         f"{decimal_text(plan.confidence)}"),
        ("between", None if len(plan.knots) == len(plan.columns) else between),
        ("cells", rules([Code("cells", cell)])["cells"]),
        ("level", f"{proof.level}, proved ({proof.evidence.value}): {proof.statement}"),
        ("protected", f"{proof.neighbors}; the number of rows is public"),
        ("file", shown.file),
        ("picture", shown.picture),
    ]))
    if found is None and len(plan.choices) > 1:
        step = -(-len(plan.choices) // _ROWS)
        rows = [(str(c.knots), number(c.noise, 4), number(c.separately, 4),
                 "" if c.between is None else number(c.between, 4),
                 "" if c.bound is None else number(c.bound, 4))
                for k, c in enumerate(plan.choices) if k % step == 0 or c == plan.chosen]
        screen.print(table(("knots", "noise", "separately", "between", "at most"), rows, words=0))
    if found is not None:
        step = -(-len(plan.times) // _ROWS)
        rows = []
        for k, time in enumerate(plan.times):
            if k % step and k not in plan.positions:
                continue
            held = found.band_at(time)
            ends = ("", "") if held is None else (number(float(held[0]), 5),
                                                  number(float(held[1]), 5))
            knot = "knot" if k in plan.positions else ""
            rows.append((plan.columns[k], knot, number(float(found.at(time)), 5), *ends))
        screen.print(table(("time", "", "mean", "from", "to"), rows, words=2))
        if plan.declared and len(plan.knots) < len(plan.columns):
            paragraph(screen, "The bands of two knots contradict the declaration, so nothing is "
                      "said between knots." if found.contradicted else
                      f"Between knots the band rests on the declaration that {plan.declared}; at "
                      "knots it does not.")
    paragraph(screen, promise(proof.level, plan.mechanism.space),
              "No row was read, nothing was booked." if found is None else
              f"Any later question about this curve is free. {booking_line(found.booked)}")
    if shown.file is not None:
        file = quote(shown.file)
        paragraph(screen, "Next:", f"  tightrope verify {file}",
                  f"  python -m tightrope.receipt_theorems {file}   (a stranger's check)")
