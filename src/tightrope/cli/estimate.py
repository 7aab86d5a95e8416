"""`tightrope estimate`: true proportions from a randomized column."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tightrope.choices import Estimator
from tightrope.cli.options import (
    LINES,
    Confidence,
    Force,
    IntervalOption,
    Json,
    PlotFile,
    flag,
    value,
)
from tightrope.facts import Fact


def estimate(
    table: Annotated[
        Path,
        typer.Argument(metavar="TABLE", help=f"A sanitized .parquet, .csv or .tsv file. {LINES}"),
    ],
    column: Annotated[str, value("--column", "NAME", "A randomized column.")],
    mechanism: Annotated[Path, value(
        "--mechanism", "FILE", "The document of the mechanism it went through.")],
    confidence: Confidence = 0.95,
    sampling: Annotated[bool, flag(
        "--sampling", "Intervals for the population that the rows were drawn from, not for the "
        "rows.")] = False,
    interval: IntervalOption = None,
    estimator: Annotated[Estimator, value(
        "--estimator", "NAME", "The proportions beside the unbiased ones: simplex (the nearest), "
        "clipped or likelihood.", default=True)] = Estimator.SIMPLEX,
    curator: Annotated[bool, flag(
        "--curator", "Tell which values are no outputs of the mechanism, and how many; name "
        "columns.")] = False,
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
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import PictureTarget
    from tightrope.plots import estimate_figure
    from tightrope.tables import estimate_column

    picture = PictureTarget(plot, force)
    with working("counting"):
        result = estimate_column(
            table, column, mechanism, confidence=confidence, sampling=sampling,
            interval=interval, estimator=estimator, curator=curator,
        )
    picture.draw(lambda: estimate_figure(result, column))
    tell(result.facts().also(Fact("column", "column", column), picture.fact), as_json=as_json)
