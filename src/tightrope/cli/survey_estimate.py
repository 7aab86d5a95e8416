"""`tightrope survey estimate`: the true shares behind numbers of responses to any design."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.choices import Interval
from tightrope.cli.options import Force, Json, PlotFile
from tightrope.cli.survey_plan import Confidence
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.surveys import QuestionEstimate


def estimate(
    counts: Annotated[
        str,
        typer.Argument(
            metavar="COUNTS",
            help="How often each response was given, with commas, in the order of the columns: "
            "20,50,30.",
        ),
    ],
    matrix: Annotated[
        Path,
        typer.Option(
            "--matrix",
            metavar="FILE",
            help="The design: a row for each true answer, a column for each response.",
        ),
    ],
    confidence: Confidence = 0.95,
    interval: Annotated[
        Interval | None,
        typer.Option("--interval", help="How intervals are made; exact if possible, else score."),
    ] = None,
    census: Annotated[
        bool,
        typer.Option(
            "--census",
            metavar="",
            help="Intervals for the respondents themselves, not for a population.",
        ),
    ] = False,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Estimate the shares of the true answers from numbers of responses to a design of your own.

    The unbiased shares come first, and intervals are for those; they may leave [0, 1]. The most
    likely ones beside them solve the likelihood equations and stay within it. Nothing is read but
    the numbers.

    Example: tightrope survey estimate 20,50,30 --matrix design.csv
    """
    from tightrope import surveys
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.utility import Tally

    picture = PictureTarget(plot, force)
    found = surveys.estimate_answers(
        surveys.read_design(matrix), Tally.of(_numbers(counts)), confidence=confidence,
        interval=interval, sampling=not census,
    )
    picture.draw(lambda: _figure(found))
    deliver({**found.as_json(), "picture": picture.name},
            lambda screen: _show(screen, found, picture.name), as_json=as_json)


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts):
        raise BadInput(f"expected whole numbers with commas, such as 20,50,30, found {text!r}.")
    return [int(part) for part in parts]


def _figure(found: QuestionEstimate) -> Figure:
    from tightrope.plots import intervals_figure

    rows = [(str(row.value), row.estimate, row.low, row.high) for row in found.shares.rows]
    return intervals_figure(rows, f"Shares of the true answers, {found.shares.n:,} responses")


def _show(screen: Console, found: QuestionEstimate, picture: str | None) -> None:
    from tightrope.cli.report import paragraph, table

    shares = found.shares
    cells = [
        (str(row.value), *(f"{100 * share:.1f}%" for share in (
            row.estimate, row.low, row.high, row.error, row.adjusted)))
        for row in shares.rows
    ]
    screen.print(table(
        ("true answer", "unbiased", "from", "to", "standard error", "most likely"), cells))
    whose = "a population" if shares.sampling else "the respondents themselves"
    said = [f"From and to: {shares.interval} intervals for the shares of {whose}, each at "
            f"confidence {shares.confidence:g}.", *shares.remarks]
    if not found.plausible:
        said.append("These responses hardly fit the design (probability at most "
                    f"{found.surprise:.1g}): was it followed?")
    if picture is not None:
        said.append(f"Picture: {picture}")
    paragraph(screen, *said)
