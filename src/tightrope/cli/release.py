"""`tightrope release`: private statistics of a table, charged to a budget.

One question, or a plan of several out of one total: both are read, looked at (--dry-run), charged,
drawn and written in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.declare import TableArgument, TableName, declare_command
from tightrope.cli.ledger import Asker, KeyFile
from tightrope.cli.options import Force, Json, PlotFile, flag, value
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from fractions import Fraction

    from tightrope.cli.targets import PictureTarget
    from tightrope.exact import Level
    from tightrope.facts import Fact
    from tightrope.releases import Answer, OpenTable, QuestionPlan


@dataclass(frozen=True)
class AskedAnswer:
    """How one question is answered: at which level, or how near; a plan states that itself."""

    optimal: Annotated[str | None, value(
        "--optimal", "AIM", "Least error in a declared range, biased: worst (input), average, or a "
        "file of weights.")] = None
    adjusted: Annotated[bool, flag(
        "--adjusted", "Beside unbiased counts: whole ones, not below 0, that add up.")] = False
    epsilon: Annotated[str | None, value("--epsilon", "E", "The level to spend.")] = None
    delta: Annotated[str | None, value(
        "--delta", "D", "δ beside it, for values that nobody declared: 1e-9.")] = None
    within: Annotated[str | None, value(
        "--within", "X", "Instead: the least level at which each cell is this near.")] = None
    confidence: Annotated[str | None, value(
        "--confidence", "C", "Of intervals, and of --within; 0.95 unless stated.")] = None

    @property
    def stated(self) -> list[str]:
        """The options that were given."""
        return [f"--{field.name}" for field in fields(self)
                if getattr(self, field.name) not in (None, False)]


@dataclass(frozen=True)
class Charged:
    """The budget that a release is charged to, or that it is not booked, and the files to write."""

    ledger: Annotated[str | None, value(
        "--ledger", "URL", "The ledger that is charged.")] = None
    budget: Annotated[str | None, value(
        "--budget", "NAME", "The budget that is charged.")] = None
    key: KeyFile = None
    request: Annotated[str | None, value(
        "--request", "NAME", "A name for this request: asked again, it gets the same answer for "
        "free.")] = None
    asker: Asker = None
    table: TableName = None
    unbooked: Annotated[bool, flag(
        "--unbooked", "Charge no budget: then there is no document to write, and nobody counts "
        "what was spent.")] = False
    dry_run: Annotated[bool, flag(
        "--dry-run", "Show mechanism and error; read no row and spend nothing.")] = False
    output: Annotated[Path | None, value(
        "--output", "FILE.json", "Write the release here.", short="-o")] = None
    plot: PlotFile = None
    report: Annotated[Path | None, value(
        "--report", "FOLDER", "Write a report of the release into this new folder.",
        panel="Output")] = None
    force: Force = False

    def check(self) -> None:
        """Refuse a release without a budget, and options of one that is not booked or drawn."""
        if self.dry_run:
            if self.output is not None or self.report is not None:
                raise BadInput("--dry-run draws nothing, so there is no release to write: leave "
                               "out -o and --report; --json shows the plan as one object.")
        elif self.unbooked:
            if any(given is not None for given in (
                    self.ledger, self.budget, self.key, self.request, self.asker,
                    self.output, self.report)):
                raise BadInput("--unbooked charges nothing and has no document: leave out "
                               "--ledger, --budget, --key, --request, --as, --report and -o.")
        elif self.ledger is None or self.budget is None:
            raise BadInput("a release is charged to a budget: name --ledger and --budget, look "
                           "first with --dry-run, or say --unbooked.")

    def books(self, data: str, declaration: Path) -> OpenTable:
        """The table with the budget."""
        from tightrope.releases import open_books

        return open_books(data, declaration, ledger=self.ledger, budget=self.budget,
                          table=self.table, key=self.key, asker=self.asker)

    def left(self, level: Level) -> str | None:
        """The rest of the budget after a charge, and of whoever asks; None if none is named."""
        from dataclasses import replace

        from tightrope.ledger import Ledger

        if self.ledger is None or self.budget is None:
            return None
        with Ledger(self.ledger, key=self.key) as books:
            balance = books.balance(self.budget)
        people = [person for person in balance.people if person.name == self.asker]
        if self.asker is not None and not people:
            raise BadInput(f"the budget {self.budget!r} does not name {self.asker}; `tightrope "
                           "ledger people` shows who may ask.")
        after = balance.spent.plus(level)
        if not after.within(balance.budget.level):
            return f"nothing (the budget has {balance.remaining}, which is less)"
        left = replace(balance, spent=after).remaining
        for person in people:
            own = person.spent.plus(level)
            if not own.within(person.level):
                return f"nothing ({person.name} has {person.remaining}, which is less)"
            left += f" in all, {own.left_of(person.level)} of {person.name}'s"
        return left


def release(
    data: TableArgument,
    question: Annotated[str | None, typer.Argument(
        metavar="[QUESTION]", show_default=False,
        help="What is asked: 'mean of age by sex where age >= 20'. Statistics: count, people, "
        "sum, mean, variance, median, minimum, maximum, mode, distribution, histogram of A, "
        "histogram of A and B, quantiles 0.25, 0.75 of A, 3 most frequent of A, proportion of "
        "CONDITION, counts of CONDITION; CONDITION, keys of A, left out, left out of A, upper "
        "bound of A, lower bound of A.")] = None,
    *,
    declaration: Annotated[Path | None, value(
        "--declaration", "FILE", "What is declared of the table.")] = None,
    plan: Annotated[Path | None, value(
        "--plan", "FILE", "Instead: several questions out of one total, for one charge.")] = None,
    assume_rows: Annotated[int | None, value(
        "--assume-rows", "N", "A guess of the number of rows, by which a plan knows the errors of "
        "means and shares; no row is read for it.")] = None,
    how: AskedAnswer,
    charged: Charged,
    as_json: Json = False,
) -> None:
    """Release a private statistic of a table, charged to a budget before it is drawn.

    What one person can change follows from the declaration; the mechanism with
    the least error is chosen from it, and nothing else depends on the rows.
    Whatever fails after the charge, it stays spent. A plan (--plan) splits one
    total among several questions, and is charged once.

    Example: tightrope release survey.parquet "histogram of religious by sex"
    --declaration survey.toml --epsilon 0.5 --ledger books.sqlite --budget 2026
    """
    if declaration is None:
        raise BadInput("a release needs what is declared of the table, --declaration FILE.toml: "
                       f"write one first, {declare_command(data, charged.table)}")
    if plan is not None:
        stated = [*(["QUESTION"] if question is not None else []), *how.stated,
                  *(["--request"] if charged.request is not None else [])]
        if stated:
            raise BadInput(f"{stated[0]} and --plan exclude each other: the plan states what is "
                           "asked and how.")
        if charged.plot is not None and not charged.dry_run:
            raise BadInput("a plan has a picture for each question: they are in its report, "
                           "--report FOLDER; --plot goes with --dry-run.")
        _release_plan(data, declaration, plan, assume_rows, charged, as_json=as_json)
        return
    if question is None:
        raise BadInput("say what is asked: a QUESTION such as 'count by sex', or --plan FILE.")
    if assume_rows is not None:
        raise BadInput("--assume-rows goes with --plan.")
    _release_answer(data, declaration, question, how, charged, as_json=as_json)


def _release_answer(
    data: str, declaration: Path, question: str, how: AskedAnswer, charged: Charged, *,
    as_json: bool,
) -> None:
    """Answer one question, or show how it would be answered."""
    from tightrope.cli.output import tell
    from tightrope.cli.targets import DocumentTarget, PictureTarget, ReportTarget
    from tightrope.facts import Fact
    from tightrope.files import read_declaration
    from tightrope.releases import (
        AnsweredPart,
        Question,
        asked_level,
        optimal_gains,
        plan_release,
        release_figure,
    )

    confidence, declared = how.confidence or "0.95", read_declaration(declaration)
    asked = Question.read(question, optimal=_aim(how.optimal), adjusted=how.adjusted)
    target = DocumentTarget(charged.output, charged.force)
    picture, page = PictureTarget(charged.plot, charged.force), ReportTarget(charged.report)
    charged.check()
    if charged.dry_run:
        level = asked_level(asked, declared, how.epsilon, how.within, confidence, how.delta)
        made = plan_release(asked, declared, level, confidence)
        left, instead = charged.left(made.level), optimal_gains(made)
        _tell_plan(made, [made], left, picture, [
            *(Fact(None, f"--optimal {gain.optimal}", gain.text) for gain in instead),
            Fact("instead", None, instead)], as_json=as_json)
        return
    from tightrope.files import document_bytes  # it brings the proofs of optima

    def rehearse(plan: QuestionPlan, answers: Sequence[Answer]) -> None:
        picture.rehearse(lambda: release_figure(plan, answers))
        page.rehearse([AnsweredPart(plan, tuple(answers))])

    answer = charged.books(data, declaration).ask(
        asked, how.epsilon, delta=how.delta, within=how.within, confidence=confidence,
        request=charged.request, unbooked=charged.unbooked, rehearsal=rehearse)
    try:  # what was paid for is shown even if it cannot be written, and the other way round
        tell(answer.facts().also(target.fact, picture.fact, page.fact), as_json=as_json)
    finally:
        target.write(lambda: document_bytes(answer, target.name or ""))
        picture.draw(lambda: release_figure(answer.plan, answer.answers))
        page.write(answer)


def _release_plan(
    data: str, declaration: Path, file: Path, assume_rows: int | None, charged: Charged, *,
    as_json: bool,
) -> None:
    """Answer the questions of a plan file, or show how they would share the total."""
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import DocumentTarget, PictureTarget, ReportTarget
    from tightrope.releases import plan

    target = DocumentTarget(charged.output, charged.force)
    page, picture = ReportTarget(charged.report), PictureTarget(charged.plot, charged.force)
    charged.check()
    if charged.dry_run:
        with working("splitting the total"):
            made = plan(file, declaration, assume_rows=assume_rows)
        _tell_plan(made, made.plans, charged.left(made.level), picture, [], as_json=as_json)
        return
    from tightrope.files import document_bytes

    books = charged.books(data, declaration)
    with working("answering the questions"):
        answer = books.release_plan(file, assume_rows=assume_rows, unbooked=charged.unbooked,
                                    rehearsal=lambda _, parts: page.rehearse(parts))
    try:  # what was paid for is shown even if it cannot be written, and the other way round
        tell(answer.facts().also(target.fact, page.fact), as_json=as_json)
    finally:
        target.write(lambda: document_bytes(answer, target.name or ""))
        page.write(answer)


def _tell_plan(
    made: Any, plans: Sequence[QuestionPlan], left: str | None, picture: PictureTarget,
    beside: Sequence[Fact], *, as_json: bool,
) -> None:
    """Show how one question, or a plan of several, would be answered, and what would be left."""
    from tightrope.cli.output import tell
    from tightrope.facts import Fact
    from tightrope.releases import chance_figure

    after = f" Left after it: {left}." if left else ""
    picture.draw(lambda: chance_figure(plans))
    tell(made.facts().also(
        *beside, Fact("remaining", None, left), picture.fact,
        sentences=[f"Nothing was read and nothing was spent.{after}"]), as_json=as_json)


def _aim(text: str | None) -> str | tuple[Fraction, ...] | None:
    """The aim of an optimum; a file has one weight a line, from the least answer on."""
    from tightrope.cli.asked import file_or
    from tightrope.files import read_vector

    if text is None or text in ("worst", "average"):
        return text
    file_or(text, "worst, average")
    return read_vector(text)
