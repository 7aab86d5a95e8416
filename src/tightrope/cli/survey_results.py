"""`tightrope survey results`: what the respondents said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.asked import chosen
from tightrope.cli.options import Force, Json, PlotFile
from tightrope.cli.survey_new import SurveyFile
from tightrope.cli.survey_plan import Confidence
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.applications.surveys import Report, Survey
    from tightrope.data import SurveyStore


def results(
    file: SurveyFile,
    confidence: Confidence = 0.95,
    interval: Annotated[
        str, typer.Option("--interval", metavar="NAME", help="score, normal or chebyshev.")
    ] = "score",
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
    from tightrope.applications import surveys
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget, Target, check_apart
    from tightrope.data import SurveyStore, read_bytes
    from tightrope.utility import Interval

    picture = PictureTarget(plot, force)
    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise BadInput(f"expected a page named .html, found {str(page)!r}.")
    export, html = Target(output, force), Target(page, force)
    check_apart(export, html, picture)
    survey = surveys.read_survey(read_bytes(file))
    with SurveyStore(surveys.store_path(file), survey.digest) as store:
        if close:
            store.finish()
        found = surveys.report(
            survey,
            store,
            confidence=confidence,
            interval=chosen(Interval, interval, "score, normal or chebyshev"),
            sampling=not census,
            weights=_weights(weight),
        )
        closed = store.closed
        if output is not None:
            _export(survey, store, output, force)
    html.write(lambda: surveys.results_page(survey, found, closed, alone=True))
    picture.draw(lambda: _figure(found, survey))
    answer = {
        **found.json(),
        "closed": closed,
        "file": export.name,
        "page": html.name,
        "picture": picture.name,
    }
    deliver(answer, lambda screen: _show(screen, answer), as_json=as_json)


def _weights(texts: list[str] | None) -> dict[str, float] | None:
    weights = {}
    for text in texts or []:
        name, _, number = text.rpartition("=")
        try:
            weights[name] = float(number)
        except ValueError:
            raise BadInput(f"expected a weight as GROUP=NUMBER, found {text!r}.") from None
    return weights or None


def _export(survey: Survey, store: SurveyStore, output: Path, force: bool) -> None:
    from tightrope.data import write_table

    answers = store.answers()
    columns = {"group": [answer.group for answer in answers]}
    for question in survey.questions:
        names = question.design.responses
        columns[question.key] = [names[answer.responses[question.key]] for answer in answers]
    write_table(output, columns, force=force)


def _figure(found: Report, survey: Survey) -> Figure:
    from tightrope.applications.surveys import bars
    from tightrope.plots import intervals_figure

    many = len(found.findings) > 1
    drawn = [
        (f"{finding.question.key}: {name}" if many else name, *rest)
        for finding in found.findings
        for name, *rest in bars(finding)
    ]
    if not drawn:
        raise BadInput("there are no answers to draw yet.")
    title = survey.title if many else survey.questions[0].text
    return intervals_figure(drawn, title)  # type: ignore[arg-type]


def _show(screen: Console, answer: dict[str, Any]) -> None:
    from tightrope.cli.report import facts, paragraph, table

    state = "closed" if answer["closed"] else "open"
    screen.print(f"{answer['answers']:,} answers; the survey is {state}.")
    for question in answer["questions"]:
        estimate = question["estimate"]
        paragraph(screen, f"{question['key']}: {question['question']}")
        if estimate is None:
            screen.print("No answers yet.")
            continue
        parts = [("all", estimate), *question["groups"].items()]
        cells = [
            (name, row["answer"],
             *(f"{100 * row[key]:.1f}%" for key in ("likely", "low", "high", "unbiased")))
            for name, part in parts
            for row in part["rows"]
        ]
        columns = ("group", "true answer", "most likely", "from", "to", "unbiased")
        screen.print(table(columns, cells, words=2))
        if not estimate["plausible"]:
            screen.print(
                "These responses hardly fit the design (probability at most "
                f"{estimate['surprise']:.1g}): was it followed?"
            )
    if estimates := [one["estimate"] for one in answer["questions"] if one["estimate"]]:
        first = estimates[0]
        whose = "a population" if first["sampling"] else "the respondents themselves"
        paragraph(
            screen,
            f"From and to: {first['interval']} intervals for the shares of {whose}, each at "
            f"confidence {first['confidence']:g}.",
        )
    rows = [(key, answer[key]) for key in ("file", "page", "picture") if answer[key]]
    if rows:
        screen.print()
        screen.print(facts(rows))
