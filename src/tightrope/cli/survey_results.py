"""`tightrope survey results`: what the respondents said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.choices import Interval
from tightrope.cli.options import Force, Json, PlotFile
from tightrope.cli.survey_new import SurveyFile
from tightrope.cli.survey_plan import Confidence
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.surveys import Report


def results(
    file: SurveyFile,
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
    weight: Annotated[
        list[str] | None,
        typer.Option("--weight", metavar="GROUP=NUMBER", help="How much a group's answers count."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Export the randomized answers to this .csv, .tsv or .parquet file.",
            show_default=False,
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option("--page", metavar="FILE", help="Write the results as one .html file."),
    ] = None,
    plot: PlotFile = None,
    close: Annotated[
        bool, typer.Option("--close", metavar="", help="Close the survey: no further answers.")
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Estimate the shares of the true answers, with intervals; export what was sent.

    Example: tightrope survey results s.json -o answers.csv --page results.html
    """
    from tightrope import surveys
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget, Target, check_apart
    from tightrope.tables import write_table

    picture = PictureTarget(plot, force)
    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise BadInput(f"expected a page named .html, found {str(page)!r}.")
    export, html = Target(output, force), Target(page, force)
    check_apart(export, html, picture)
    found = surveys.results(
        file, confidence=confidence, interval=interval, sampling=not census,
        weights=_weights(weight), close=close,
    )
    if output is not None:
        write_table(output, found.columns(), force=force)
    html.write(lambda: surveys.results_page(found, alone=True))
    picture.draw(lambda: _figure(found))
    files = {"file": export.name, "page": html.name, "picture": picture.name}
    deliver({**found.as_json(), **files}, lambda screen: _show(screen, found, files),
            as_json=as_json)


def _weights(texts: list[str] | None) -> dict[str, float] | None:
    weights = {}
    for text in texts or []:
        name, _, number = text.rpartition("=")
        try:
            weights[name] = float(number)
        except ValueError:
            raise BadInput(f"expected a weight as GROUP=NUMBER, found {text!r}.") from None
    return weights or None


def _figure(found: Report) -> Figure:
    from tightrope.plots import intervals_figure
    from tightrope.surveys import bars

    many = len(found.findings) > 1
    drawn = [
        (f"{finding.question.key}: {name}" if many else name, *rest)
        for finding in found.findings
        for name, *rest in bars(finding)
    ]
    if not drawn:
        raise BadInput("there are no answers to draw yet.")
    title = found.survey.title if many else found.survey.questions[0].text
    return intervals_figure(drawn, title)  # type: ignore[arg-type]


def _show(screen: Console, found: Report, files: dict[str, str | None]) -> None:
    from tightrope.cli.report import facts, paragraph, table

    state = "closed" if found.closed else "open"
    screen.print(f"{found.answers:,} answers; the survey is {state}.")
    for finding in found.findings:
        paragraph(screen, f"{finding.question.key}: {finding.question.text}")
        if finding.estimate is None:
            screen.print("No answers yet.")
            continue
        cells = [
            (name, str(row.value),
             *(f"{100 * share:.1f}%" for share in (row.estimate, row.low, row.high, row.adjusted)))
            for name, part in [("all", finding.estimate), *finding.groups]
            for row in part.shares.rows
        ]
        columns = ("group", "true answer", "unbiased", "from", "to", "most likely")
        screen.print(table(columns, cells, words=2))
        if not finding.estimate.plausible:
            screen.print(
                "These responses hardly fit the design (probability at most "
                f"{finding.estimate.surprise:.1g}): was it followed?"
            )
    if found.answers:
        first = next(one.estimate.shares for one in found.findings if one.estimate is not None)
        whose = "a population" if first.sampling else "the respondents themselves"
        paragraph(
            screen,
            f"From and to: {first.interval} intervals for the shares of {whose}, each at "
            f"confidence {first.confidence:g}.",
            first.remarks[0],
        )
    if any(files.values()):
        screen.print()
        screen.print(facts(list(files.items())))
