"""`tightrope estimate`: true proportions from a randomized column."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.characters import shorten
from tightrope.choices import Estimator, Interval
from tightrope.cli.options import LINES, Force, Json, PlotFile

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.utility import Estimate

MOST_ROWS = 100


def estimate(
    table: Annotated[
        Path,
        typer.Argument(metavar="TABLE", help=f"A sanitized .parquet, .csv or .tsv file. {LINES}"),
    ],
    column: Annotated[str, typer.Option("--column", metavar="NAME", help="A randomized column.")],
    mechanism: Annotated[
        Path,
        typer.Option(
            "--mechanism", metavar="FILE", help="The document of the mechanism it went through."
        ),
    ],
    confidence: Annotated[
        float, typer.Option("--confidence", metavar="NUMBER", help="Of each interval, from 0 to 1.")
    ] = 0.95,
    sampling: Annotated[
        bool,
        typer.Option(
            "--sampling",
            metavar="",
            help="Intervals for the population that the rows were drawn from, not for the rows.",
        ),
    ] = False,
    interval: Annotated[
        Interval | None,
        typer.Option(
            "--interval",
            help="How intervals are made; exact if possible, else score.",
        ),
    ] = None,
    estimator: Annotated[
        Estimator,
        typer.Option(
            "--estimator",
            metavar="NAME",
            help="The proportions beside the unbiased ones: simplex (the nearest), clipped or "
            "likelihood.",
        ),
    ] = Estimator.SIMPLEX,
    curator: Annotated[
        bool,
        typer.Option(
            "--curator",
            metavar="",
            help="Tell which values are no outputs of the mechanism, and how many; name columns.",
        ),
    ] = False,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Estimate the true proportions of a randomized column, with intervals.

    The unbiased estimate comes first, and intervals are for that one. The proportions beside it
    stay within 0 and 1 and are biased. Only the randomized column is read, so the estimate costs
    no privacy.

    Example: tightrope estimate out.csv --column answer --mechanism out.csv.answer.mechanism.json
    """
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.plots import estimate_figure
    from tightrope.tables import estimate_column

    picture = PictureTarget(plot, force)
    with working("counting"):
        found = estimate_column(
            table, column, mechanism, confidence=confidence, sampling=sampling,
            interval=interval, estimator=estimator, curator=curator,
        )
    picture.draw(lambda: estimate_figure(found, column))
    answer = {**found.as_json(), "column": column, "picture": picture.name}
    deliver(answer, lambda screen: _show(screen, found, column), as_json=as_json)


def _show(screen: Console, found: Estimate, column: str) -> None:
    from tightrope.cli.report import paragraph, table

    screen.print(f"{column}: estimated proportions from {found.n:,} randomized rows")
    cells = [
        (shorten(str(row.value)),
         *(f"{x:.4f}" for x in (row.estimate, row.low, row.high, row.adjusted)))
        for row in found.rows[:MOST_ROWS]
    ]
    screen.print(table(("value", "unbiased", "from", "to", found.estimator.value), cells))
    if len(found.rows) > MOST_ROWS:
        screen.print(f"and {len(found.rows) - MOST_ROWS} more values; --json has all of them.")
    whom = "the population the rows were drawn from" if found.sampling else "these rows"
    paragraph(
        screen,
        f"From and to: {found.interval} intervals for the true proportions of {whom}, each at "
        f"confidence {found.confidence:g}.",
        *found.remarks,
    )
