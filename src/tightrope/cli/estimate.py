"""`tightrope estimate`: true proportions from a randomized column."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.characters import shortened
from tightrope.cli.asked import chosen
from tightrope.cli.options import Force, Json, PlotFile

if TYPE_CHECKING:
    from rich.console import Console

MOST_ROWS = 100


def estimate(
    table: Annotated[
        Path, typer.Argument(metavar="TABLE", help="A sanitized .parquet, .csv or .tsv file.")
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
        str,
        typer.Option(
            "--interval",
            metavar="normal|score|chebyshev",
            help="How intervals are made; score is better for rare values and few rows.",
        ),
    ] = "normal",
    estimator: Annotated[
        str,
        typer.Option(
            "--estimator",
            metavar="NAME",
            help="unbiased, clipped, simplex (the nearest proportions) or likelihood.",
        ),
    ] = "unbiased",
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

    Only the randomized column is read, so the estimate costs no privacy.

    Example: tightrope estimate out.csv --column answer --mechanism out.answer.mechanism.json
    """
    from tightrope import utility
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.data import count_column, count_items, count_reports, item_names, load
    from tightrope.documents import label_to_json
    from tightrope.mechanisms import ReportMechanism, finite
    from tightrope.plots import estimate_figure

    picture = PictureTarget(plot, force)
    given = load(mechanism).mechanism
    base = given.base
    how: dict[str, Any] = {
        "confidence": confidence,
        "sampling": sampling,
        "interval": chosen(utility.Interval, interval, f"one of {', '.join(utility.Interval)}"),
        "estimator": chosen(utility.Estimator, estimator, f"one of {', '.join(utility.Estimator)}"),
    }
    with working("counting"):
        items = item_names(mechanism)
        if isinstance(base, ReportMechanism):
            holding, n = count_reports(table, column, base, curator=curator)
            found = utility.estimate_reports(holding, n, base, **how)
        elif items is None:
            counts = count_column(table, column, finite(base).outputs, curator=curator)
            found = utility.estimate(counts, finite(base), **how)
        else:
            holding, n = count_items(table, column, items, curator=curator)
            found = utility.estimate_items(holding, n, items, finite(base), **how)
    picture.draw(lambda: estimate_figure(found, column))
    answer = {
        "rows": [
            {
                "value": label_to_json(row.value),
                "estimate": row.estimate,
                "low": row.low,
                "high": row.high,
            }
            for row in found.rows
        ],
        "n": found.n,
        "confidence": found.confidence,
        "sampling": found.sampling,
        "method": found.method,
        "interval": interval,
        "column": column,
        "picture": picture.name,
    }
    deliver(answer, lambda screen: _show(screen, answer), as_json=as_json)


def _show(screen: Console, answer: dict[str, Any]) -> None:
    from tightrope.cli.report import paragraph, table

    rows = answer["rows"]
    screen.print(
        f"{answer['column']}: estimated proportions from {answer['n']:,} randomized rows",
    )
    cells = [
        (
            shortened(str(row["value"])),
            *(f"{row[name]:.4f}" for name in ("estimate", "low", "high")),
        )
        for row in rows[:MOST_ROWS]
    ]
    screen.print(table(("value", "estimate", "from", "to"), cells))
    if len(rows) > MOST_ROWS:
        screen.print(f"and {len(rows) - MOST_ROWS} more values; --json has all of them.")
    whom = "the population the rows were drawn from" if answer["sampling"] else "these rows"
    screen.print(
        f"Intervals for the true proportions of {whom}, each at confidence "
        f"{answer['confidence']:g} ({answer['interval']} intervals).",
    )
    if any(not 0 <= row["estimate"] <= 1 for row in rows):
        paragraph(
            screen, "An estimate may leave [0, 1]: it is right on average, and not cut off."
        )
