"""`tightrope estimate`: true proportions from randomized columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from tightrope.choices import Estimand, Estimator
from tightrope.cli.options import (
    LINES,
    Confidence,
    Force,
    IntervalOption,
    Json,
    PlotFile,
    choice,
    flag,
    value,
)
from tightrope.errors import BadInput
from tightrope.facts import Fact, data

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def estimate(
    table: Annotated[
        Path,
        typer.Argument(metavar="TABLE", help="A sanitized .parquet, .csv or .tsv file, or - for "
                       f"CSV from standard input. {LINES}"),
    ],
    columns: Annotated[list[str] | None, value(
        "--column", "NAME", "A randomized column; may be repeated. All that have a mechanism "
        "beside the table, if none is named.")] = None,
    mechanisms: Annotated[list[Path] | None, value(
        "--mechanism", "FILE", "The document of the mechanism that a column went through, one for "
        "each, or the file of the survey whose answers these are; TABLE.NAME.mechanism.json if not "
        "given.")] = None,
    joint: Annotated[bool, flag(
        "--joint", "The shares of the combinations of values of the columns.")] = False,
    aim: Annotated[Estimand, choice(
        "--aim", "What is estimated of each column: its shares, cumulative shares in the declared "
        "order, or the mean of its scores.", default=True)] = Estimand.SHARES,
    scores: Annotated[str | None, value(
        "--scores", "1,2,3", "A number for each declared value, for --aim mean; numbers, middles "
        "of cells, or places if not given.")] = None,
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
    """Estimate the true proportions of randomized columns, with intervals.

    The unbiased estimate comes first, and intervals are for that one. The proportions beside it
    stay within 0 and 1 and are biased. Only randomized columns are read, so the estimate costs
    no privacy.

    Example: tightrope estimate out.csv --column answer
    """
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import PictureTarget
    from tightrope.plots import estimate_figure, queries_figure
    from tightrope.surveys import question_mechanisms, survey_in
    from tightrope.tables import cross_table, estimate_aims, estimate_columns, randomized_columns

    picture = PictureTarget(plot, force)
    shares = aim is Estimand.SHARES and scores is None
    if joint and not shares:
        raise BadInput(f"--joint is for shares, not for --aim {aim}.")
    names, through = columns or [], mechanisms or []
    survey = question_mechanisms(through[0], names) if len(through) == 1 else None
    if survey is None and through and len(through) != len(names):
        raise BadInput(f"expected one --mechanism for each --column, found {len(names)} columns "
                       f"and {len(through)} mechanisms.")
    if survey is not None:
        names = names or list(survey)
    asked: dict[str, Any] | None = survey if survey is not None else (
        dict(zip(names, through, strict=True)) if through else None)
    how: dict[str, Any] = {"confidence": confidence, "sampling": sampling, "interval": interval,
                           "curator": curator}
    shown: list[Any]
    with working("counting"):
        if joint:
            names = names or list(randomized_columns(table, curator=curator))
            together = cross_table(table, names, asked, estimator=estimator, **how)
            shown, facts = [together], together.facts()
        else:
            if scores is not None and not names:
                names = list(randomized_columns(table, curator=curator))
            made: Any = (estimate_columns(table, names or None, asked, estimator=estimator, **how)
                         if shares else
                         estimate_aims(table, names or None, aim, asked,
                                       scores=_scores(scores, names), **how))
            names, shown = list(made.columns), list(made.estimates)
            facts = shown[0].facts() if len(shown) == 1 else made.facts()

    def figure() -> Figure:
        if len(shown) > 1:
            raise BadInput("--plot draws one column or a joint table; name one --column.")
        draw: Any = estimate_figure if shares else queries_figure
        return cast("Figure", draw(shown[0], ", ".join(names)))

    picture.draw(figure)
    # the object has the same fields for one column, as its own, and for several, in `columns`
    more = (data(rows=None, interval=None, missing=None, column=None,
                 **{"method" if shares else "scores": None})
            if len(shown) > 1 else
            (Fact("column", "column", ", ".join(names)), *data(columns=None)))
    left = [] if survey is None or columns else [
        question.key for question in survey_in(through[0]).questions if question.key not in survey]
    tell(facts.also(*more, *(() if shares else data(aim=aim)), picture.fact, sentences=[
        f"Left out, clear or with a second question: {', '.join(left)}; `tightrope survey "
        "results` estimates these."] if left else []), as_json=as_json)


def _scores(text: str | None, columns: list[str]) -> dict[str, list[str]] | None:
    """The scores of the one column that has them."""
    if text is None:
        return None
    if len(columns) != 1:
        raise BadInput("--scores are those of one column; name one --column.")
    return {columns[0]: text.split(",")}
