"""`tightrope release`: private statistics of a table, charged to a budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.declare import TableArgument, TableName
from tightrope.cli.ledger import KeyFile
from tightrope.cli.options import Force, Json, PlotFile, flag, value
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from fractions import Fraction

    from tightrope.exact import Level

def release(
    data: TableArgument,
    question: Annotated[
        str,
        typer.Argument(metavar="QUESTION", show_default=False,
                       help="What is asked: 'mean of age by sex where age >= 20'. Statistics: "
                       "count, people, sum, mean, variance, median, minimum, maximum, mode, "
                       "distribution, histogram of A [and B], quantiles 0.25, 0.75 of A, 3 most "
                       "frequent of A, proportion of CONDITION, counts of CONDITION; CONDITION."),
    ],
    declaration: Annotated[
        Path,
        value("--declaration", "FILE", "What is declared of the table."),
    ],
    optimal: Annotated[
        str | None,
        value("--optimal", "AIM", "Least error in a declared range, biased: worst (input), "
              "average, or a file of weights."),
    ] = None,
    adjusted: Annotated[
        bool,
        flag("--adjusted", "Beside unbiased counts: whole ones, not below 0, that add up."),
    ] = False,
    epsilon: Annotated[
        str | None,
        value("--epsilon", "E", "The level to spend."),
    ] = None,
    within: Annotated[
        str | None,
        value("--within", "X", "Instead: the least level at which each cell is this near."),
    ] = None,
    confidence: Annotated[
        str,
        value("--confidence", "C", "Of intervals, and of --within.", default=True),
    ] = "0.95",
    ledger: Annotated[
        str | None,
        value("--ledger", "URL", "The ledger that is charged."),
    ] = None,
    budget: Annotated[
        str | None,
        value("--budget", "NAME", "The budget that is charged."),
    ] = None,
    key: KeyFile = None,
    request: Annotated[
        str | None,
        value("--request", "NAME", "A name for this request: asked again, it gets the same answer "
              "for free."),
    ] = None,
    table: TableName = None,
    unbooked: Annotated[
        bool,
        flag("--unbooked", "Charge no budget: then there is no document to write, and nobody "
             "counts what was spent."),
    ] = False,
    dry_run: Annotated[
        bool,
        flag("--dry-run", "Show mechanism and error; read no row and spend nothing."),
    ] = False,
    output: Annotated[
        Path | None,
        value("--output", "FILE.json", "Write the release here.", short="-o"),
    ] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Release a private statistic of a table, charged to a budget before it is drawn.

    What one person can change follows from the declaration; the mechanism with
    the least error is chosen from it, and nothing else depends on the rows.
    Whatever fails after the charge, it stays spent.

    Example: tightrope release survey.parquet "histogram of religious by sex"
    --declaration survey.toml --epsilon 0.5 --ledger books.sqlite --budget 2026
    """
    from tightrope.cli.report import tell
    from tightrope.cli.targets import DocumentTarget, PictureTarget
    from tightrope.facts import Fact
    from tightrope.files import read_declaration
    from tightrope.releases import (
        Question,
        asked_level,
        open_books,
        optimal_gains,
        plan_release,
        release_bytes,
        release_figure,
    )

    declared = read_declaration(declaration)
    asked = Question.read(question, optimal=_aim(optimal), adjusted=adjusted)
    target, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    if dry_run:
        level = asked_level(asked, declared, epsilon, within, confidence)
        made = plan_release(asked, declared, level, confidence)
        left = _left(ledger, budget, key, made.level)
        instead = optimal_gains(made)
        after = f"; {left} would be left" if left else ""
        tell(made.facts().also(
            *(Fact(None, f"--optimal {gain.optimal}", gain.text) for gain in instead),
            Fact("instead", None, instead), Fact("remaining", None, left),
            sentences=[f"Nothing was read and nothing was spent{after}."]), as_json=as_json)
        return
    if unbooked:
        if any(given is not None for given in (ledger, budget, key, request, output)):
            raise BadInput("--unbooked charges nothing and has no document: leave out --ledger, "
                           "--budget, --key, --request and -o.")
    elif ledger is None or budget is None:
        raise BadInput("a release is charged to a budget: name --ledger and --budget, look first "
                       "with --dry-run, or say --unbooked.")
    books = open_books(data, declaration, ledger=ledger, budget=budget, table=table, key=key)
    answer = books.ask(
        asked, epsilon, within=within, confidence=confidence, request=request, unbooked=unbooked,
        rehearsal=lambda plan, answers: picture.rehearse(lambda: release_figure(plan, answers)))
    try:  # what was paid for is shown even if it cannot be written, and the other way round
        tell(answer.facts().also(target.fact, picture.fact), as_json=as_json)
    finally:
        target.write(lambda: release_bytes(answer, target.name or ""))
        picture.draw(lambda: release_figure(answer.plan, answer.answers))


def _aim(text: str | None) -> str | tuple[Fraction, ...] | None:
    """The aim of an optimum; a file has one weight a line, from the least answer on."""
    from tightrope.cli.asked import file_or
    from tightrope.files import read_vector

    if text is None or text in ("worst", "average"):
        return text
    file_or(text, "worst, average")
    return read_vector(text)


def _left(
    ledger: str | None, budget: str | None, key: Path | None, level: Level
) -> str | None:
    """The rest of the budget after a charge."""
    from dataclasses import replace

    from tightrope.ledger import Ledger

    if ledger is None or budget is None:
        return None
    with Ledger(ledger, key=key) as books:
        balance = books.balance(budget)
    after = balance.spent.plus(level)
    if not after.within(balance.budget.level):
        return f"nothing (the budget has {balance.remaining}, which is less)"
    return replace(balance, spent=after).remaining
