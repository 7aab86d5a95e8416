"""`tightrope survey results`: what the respondents said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tightrope.cli.options import Force, Json, PlotFile, flag, value
from tightrope.cli.survey_estimate import AskedIntervals
from tightrope.cli.survey_new import SurveyFile
from tightrope.errors import BadInput
from tightrope.facts import Fact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.surveys import Report


def results(
    file: SurveyFile,
    *,
    how: AskedIntervals,
    weight: Annotated[list[str] | None, value(
        "--weight", "GROUP=NUMBER", "How much a group's answers count.")] = None,
    output: Annotated[Path | None, value(
        "--output", "FILE", "Export the randomized answers to this .csv, .tsv or .parquet file.",
        short="-o")] = None,
    page: Annotated[Path | None, value(
        "--page", "FILE", "Write the results as one .html file.")] = None,
    plot: PlotFile = None,
    close: Annotated[bool, flag("--close", "Close the survey: no further answers.")] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Estimate the shares of the true answers, with intervals; export what was sent.

    Example: tightrope survey results s.json -o answers.csv --page results.html
    """
    from tightrope import surveys
    from tightrope.cli.output import tell
    from tightrope.cli.targets import PictureTarget, Target, check_apart
    from tightrope.tables import write_table

    picture = PictureTarget(plot, force)
    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise BadInput(f"expected a page named .html, found {str(page)!r}.")
    export, html = Target(output, force), Target(page, force)
    check_apart(export, html, picture)
    report = surveys.results(
        file, confidence=how.confidence, interval=how.interval, sampling=not how.census,
        weights=_weights(weight), close=close,
    )
    if output is not None:
        write_table(output, report.columns(), force=force)
    html.write(lambda: surveys.results_page(report, alone=True))
    picture.draw(lambda: _figure(report))
    tell(report.facts().also(export.fact, Fact("page", "page", html.name), picture.fact),
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


def _figure(report: Report) -> Figure:
    from tightrope.plots import intervals_figure
    from tightrope.surveys import bars

    many = len(report.findings) > 1
    drawn = [
        (f"{finding.question.key}: {name}" if many else name, *rest)
        for finding in report.findings
        for name, *rest in bars(finding)
    ]
    if not drawn:
        raise BadInput("there are no answers to draw yet.")
    title = report.survey.title if many else report.survey.questions[0].text
    return intervals_figure(drawn, title)  # type: ignore[arg-type]
