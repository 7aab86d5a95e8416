"""`tightrope survey results`: what the respondents said, and how it depends on what is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Force, Json, PlotFile, flag, value
from tightrope.cli.survey_estimate import AskedIntervals
from tightrope.errors import BadInput
from tightrope.facts import Fact

if TYPE_CHECKING:
    from tightrope.surveys import Trend

_ANALYSES = "Analyses"


@dataclass(frozen=True)
class AskedAnalyses:
    """Analyses beside the shares of each question."""

    by: Annotated[list[str] | None, value(
        "--by", "group|KEY", "Compare the groups of links, or people by their answer to a clear "
        "question. May be repeated.", panel=_ANALYSES)] = None
    reference: Annotated[str | None, value(
        "--reference", "NAME", "Compare each group with this one; all pairs if not given.",
        panel=_ANALYSES)] = None
    table: Annotated[list[str] | None, value(
        "--table", "KEY,KEY", "Shares of the pairs of answers to two questions, and a test of "
        "independence. May be repeated.", panel=_ANALYSES)] = None
    regress: Annotated[list[str] | None, value(
        "--regress", "FORMULA", 'How an answer depends on groups and clear questions: '
        '"q1 ~ group + q3", or "q2=often ~ q3" for the share of one answer. May be repeated.',
        panel=_ANALYSES)] = None
    trend: Annotated[bool, flag(
        "--trend", "The files are waves of one survey, oldest first: changes and linear trends.",
        panel=_ANALYSES)] = False

    @property
    def tables(self) -> list[tuple[str, str]]:
        """The pairs of questions."""
        pairs = [tuple(key.strip() for key in text.split(",")) for text in self.table or []]
        for text, pair in zip(self.table or [], pairs, strict=True):
            if len(pair) != 2:
                raise BadInput(f"expected two questions as q1,q2, found {text!r}.")
        return [(pair[0], pair[1]) for pair in pairs]


def results(
    files: Annotated[list[Path], typer.Argument(
        metavar="FILE...", help="The file of a survey; with --trend those of its waves.",
        show_default=False)],
    *,
    how: AskedIntervals,
    asked: AskedAnalyses,
    weight: Annotated[list[str] | None, value(
        "--weight", "GROUP=NUMBER", "How much a group's answers count.")] = None,
    output: Annotated[Path | None, value(
        "--output", "FILE", "Export the randomized answers: .csv, .tsv, .parquet, .sav (SPSS) or "
        ".dta (Stata); without an ending, a folder with codebook, designs and a script for R.",
        short="-o")] = None,
    page: Annotated[Path | None, value(
        "--page", "FILE", "Write the results as one .html file.")] = None,
    plot: PlotFile = None,
    close: Annotated[bool, flag("--close", "Close the survey: no further answers.")] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Estimate the shares of the true answers, with intervals; compare, relate, export.

    Example: tightrope survey results s.json --by group --regress "q1 ~ group" --page results.html
    """
    from tightrope import surveys
    from tightrope.cli.output import tell
    from tightrope.cli.targets import PictureTarget, Target, check_apart

    picture = PictureTarget(plot, force)
    if asked.trend:
        alone = (asked.by, asked.reference, asked.table, asked.regress, weight, output, page, close)
        trend = _trend(files, how, alone=not any(alone))
        picture.draw(trend.plot)
        tell(trend.facts().also(picture.fact), as_json=as_json)
        return
    if len(files) > 1:
        raise BadInput("expected the file of one survey; add --trend to compare waves.")
    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise BadInput(f"expected a page named .html, found {str(page)!r}.")
    if output is not None:
        surveys.check_export(output, weighted=bool(weight))
    export, html = Target(output, force), Target(page, force)
    check_apart(export, html, picture)
    report = surveys.results(
        files[0], confidence=how.confidence, interval=how.interval, sampling=not how.census,
        weights=_weights(weight), by=asked.by or (), reference=asked.reference,
        tables=asked.tables, formulas=asked.regress or (), close=close,
    )
    if output is not None:
        surveys.write_export(report, output, force=force)
    html.write(lambda: surveys.results_page(report, alone=True))
    picture.draw(report.plot)
    tell(report.facts().also(export.fact, Fact("page", "page", html.name), picture.fact),
         as_json=as_json)


def _trend(files: list[Path], how: AskedIntervals, *, alone: bool) -> Trend:
    """The trend over the surveys in some files, each named by its file."""
    from tightrope import surveys

    if not alone:
        raise BadInput("--trend goes with --confidence, --interval, --census and --plot alone; ask "
                       "for the rest of one survey at a time.")
    for file, times in Counter(map(Path.resolve, files)).items():
        if times > 1:
            raise BadInput(f"expected each wave once, found {file.name} {times} times.")
    names = [file.stem for file in files]
    reports = [surveys.results(file, confidence=how.confidence, interval=how.interval,
                               sampling=not how.census) for file in files]
    distinct = len(set(names)) == len(names)
    return surveys.compare_waves(reports, names if distinct else [str(file) for file in files])


def _weights(texts: list[str] | None) -> dict[str, float] | None:
    weights = {}
    for text in texts or []:
        name, _, number = text.rpartition("=")
        try:
            weights[name] = float(number)
        except ValueError:
            raise BadInput(f"expected a weight as GROUP=NUMBER, found {text!r}.") from None
    return weights or None
