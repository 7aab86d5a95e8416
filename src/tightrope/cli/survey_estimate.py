"""`tightrope survey estimate`: the true shares behind numbers of responses to any design."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Confidence, Force, IntervalOption, Json, PlotFile, flag, value
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.surveys import QuestionEstimate


@dataclass(frozen=True)
class AskedIntervals:
    """How intervals are made, and whose shares they are for."""

    confidence: Confidence = 0.95
    interval: IntervalOption = None
    census: Annotated[bool, flag(
        "--census", "Intervals for the respondents themselves, not for a population.")] = False


def estimate(
    counts: Annotated[
        str,
        typer.Argument(
            metavar="COUNTS",
            help="How often each response was given, with commas, in the order of the columns: "
            "20,50,30.",
        ),
    ],
    matrix: Annotated[Path, value(
        "--matrix", "FILE", "The design: a row for each true answer, a column for each response.")],
    *,
    how: AskedIntervals,
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
    from tightrope.cli.output import tell
    from tightrope.cli.targets import PictureTarget
    from tightrope.utility import Tally

    picture = PictureTarget(plot, force)
    result = surveys.estimate_answers(
        surveys.read_design(matrix), Tally.of(_numbers(counts)), confidence=how.confidence,
        interval=how.interval, sampling=not how.census,
    )
    picture.draw(lambda: _figure(result))
    tell(result.facts().also(picture.fact), as_json=as_json)


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts):
        raise BadInput(f"expected whole numbers with commas, such as 20,50,30, found {text!r}.")
    return [int(part) for part in parts]


def _figure(result: QuestionEstimate) -> Figure:
    from tightrope.plots import intervals_figure

    rows = [(str(row.value), row.estimate, row.low, row.high) for row in result.shares.rows]
    return intervals_figure(rows, f"Shares of the true answers, {result.shares.n:,} responses")
