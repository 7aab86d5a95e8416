"""The findings of a survey: estimates for every question, overall and by group, from its store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any

from tightrope.characters import counted, shorten
from tightrope.choices import Interval, member_of
from tightrope.errors import BadDocument, BadInput
from tightrope.extras import available
from tightrope.facts import Column, Facts, Table, card_of, data, lines_of
from tightrope.files import read_bytes
from tightrope.surveys.estimation import QuestionEstimate, estimate_answers
from tightrope.surveys.survey_file import Question, Survey, read_survey, store_path
from tightrope.surveys.survey_store import StoredAnswer, SurveyStore
from tightrope.utility import Estimate, Tally


@dataclass(frozen=True)
class Finding:
    """One question: the estimate over all respondents and for each group with answers.

    `estimate` is None while there are no answers.
    """

    question: Question
    counts: tuple[int, ...]
    estimate: QuestionEstimate | None
    groups: tuple[tuple[str, QuestionEstimate], ...]

    @property
    def picture(self) -> str | None:
        """The estimates as a picture that a page can hold, where matplotlib is installed."""
        from base64 import b64encode

        if self.estimate is None or not available("plot"):
            return None
        from tightrope.plots import intervals_figure, picture

        drawn = picture(intervals_figure(bars(self), ""), "svg")
        return f"data:image/svg+xml;base64,{b64encode(drawn).decode('ascii')}"


@dataclass(frozen=True)
class Report:
    """All questions of a survey, what was sent, and how many of the links were used."""

    survey: Survey
    findings: tuple[Finding, ...]
    links: Mapping[str, tuple[int, int]]
    sent: tuple[StoredAnswer, ...]
    closed: bool

    @property
    def answers(self) -> int:
        """How many people answered."""
        return len(self.sent)

    def columns(self) -> dict[str, list[str]]:
        """The randomized answers as columns of a table: the group, and a column per question."""
        columns = {"group": [answer.group for answer in self.sent]}
        for question in self.survey.questions:
            key, names = question.key, question.design.responses
            columns[key] = [names[answer.responses[key]] for answer in self.sent]
        return columns

    def facts(self) -> Facts:
        """The estimated shares of each question, then the answers and links behind them."""
        estimates = [finding.estimate for finding in self.findings if finding.estimate]
        state = "closed" if self.closed else "open"
        return Facts(
            "Report",
            f"{counted(self.answers, 'answer')} to {shorten(self.survey.title)}; the survey is "
            f"{state}",
            (
                *(_shares_table(finding) for finding in self.findings),
                *data(answers=self.answers, closed=self.closed,
                      links={name: {"made": made, "used": used}
                             for name, (made, used) in self.links.items()},
                      questions=[_finding_json(finding) for finding in self.findings]),
            ),
            (
                *(f"{finding.question.key}: {warning}" for finding in self.findings
                  if finding.estimate for warning in finding.estimate.warnings),
                *([_interval_sentence(estimates[0].shares), estimates[0].shares.remarks[0]]
                  if estimates else ["No answers yet."]),
            ),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def results(
    file: str | PathLike[str],
    *,
    confidence: float = 0.95,
    interval: Interval | str | None = None,
    sampling: bool = True,
    weights: Mapping[str, float] | None = None,
    close: bool = False,
) -> Report:
    """The findings so far of the survey in a file; `close` ends it: no further answers."""
    survey = read_survey(read_bytes(file))
    with SurveyStore(store_path(Path(file)), survey.digest) as store:
        if close:
            store.finish()
        return report(survey, store, confidence=confidence, interval=interval, sampling=sampling,
                      weights=weights)


def report(
    survey: Survey,
    store: SurveyStore,
    *,
    confidence: float = 0.95,
    interval: Interval | str | None = None,
    sampling: bool = True,
    weights: Mapping[str, float] | None = None,
) -> Report:
    """The report on the stored answers; `weights` count answers by their group."""
    if interval is not None:
        interval = member_of(Interval, interval)
    answers = store.answers()
    _check(survey, answers)
    unknown = set(weights or {}) - set(survey.groups)
    if unknown:
        raise BadInput(f"there is no group {', '.join(sorted(unknown))} in this survey.")
    if not 0 < confidence < 1:
        raise BadInput(f"expected a confidence between 0 and 1, found {confidence}.")
    if not all(0 < weight < inf for weight in (weights or {}).values()):
        raise BadInput("expected weights that are finite and above 0.")
    options = {"confidence": confidence, "interval": interval, "sampling": sampling}
    findings = [_finding(question, answers, weights, options) for question in survey.questions]
    return Report(survey, tuple(findings), store.links(), tuple(answers), store.closed)


def _check(survey: Survey, answers: Sequence[StoredAnswer]) -> None:
    """Refuse answers that no page of this survey sent: their store is damaged."""
    sizes = {question.key: len(question.design.responses) for question in survey.questions}
    for answer in answers:
        if set(answer.responses) != set(sizes) or not all(
            0 <= answer.responses[key] < size for key, size in sizes.items()
        ):
            raise BadDocument("the store is damaged: it holds an answer to other questions.")


def bars(finding: Finding) -> list[tuple[str, float, float, float]]:
    """Name, estimate and interval of every answer, overall and by group."""
    if finding.estimate is None:
        return []
    named = [("", finding.estimate), *((f" ({g})", e) for g, e in finding.groups)]
    return [(f"{row.value}{suffix}", row.estimate, row.low, row.high)
            for suffix, estimate in named for row in estimate.shares.rows]


def _finding(
    question: Question,
    answers: Sequence[StoredAnswer],
    weights: Mapping[str, float] | None,
    options: Mapping[str, Any],
) -> Finding:
    size = len(question.design.responses)
    codes = [answer.responses[question.key] for answer in answers]
    counts = tuple(codes.count(z) for z in range(size))
    if not answers:
        return Finding(question, counts, None, ())
    if weights:
        each = [weights.get(answer.group, 1.0) for answer in answers]
        tally = Tally.weighted(codes, each, size)
    else:
        tally = Tally.of(counts)
    names = sorted({answer.group for answer in answers})
    groups = []
    for name in names if len(names) > 1 else []:
        own = [c for c, answer in zip(codes, answers, strict=True) if answer.group == name]
        parted = Tally.of([own.count(z) for z in range(size)])
        groups.append((name, estimate_answers(question.design, parted, **options)))
    estimate = estimate_answers(question.design, tally, **options)
    return Finding(question, counts, estimate, tuple(groups))


def _shares_table(finding: Finding) -> Table:
    """The shares of a question's answers for people, overall and by group."""
    columns = (Column(None, "group", words=True), Column(None, "true answer", words=True),
               *(Column(None, name) for name in ("unbiased", "from", "to", "most likely")))
    groups = () if finding.estimate is None else (("all", finding.estimate), *finding.groups)
    return Table(None, f"{finding.question.key}: {finding.question.text}", columns, tuple(
        (name, row.value,
         *(f"{100 * share:.1f}%" for share in (row.estimate, row.low, row.high, row.adjusted)))
        for name, group in groups for row in group.shares.rows))


def _interval_sentence(shares: Estimate) -> str:
    whose = "a population" if shares.sampling else "the respondents themselves"
    return (f"From and to: {shares.interval} intervals for the shares of {whose}, each at "
            f"confidence {shares.confidence:g}.")


def _finding_json(finding: Finding) -> dict[str, Any]:
    design = finding.question.design
    return {
        "key": finding.question.key,
        "question": finding.question.text,
        "responses": dict(zip(design.responses, finding.counts, strict=True)),
        "estimate": None if finding.estimate is None else _estimate_json(finding.estimate),
        "groups": {name: _estimate_json(estimate) for name, estimate in finding.groups},
    }


def _estimate_json(estimate: QuestionEstimate) -> dict[str, Any]:
    shares = estimate.shares
    return {
        "n": shares.n,
        "effective": shares.effective,
        "confidence": shares.confidence,
        "interval": shares.interval.value,
        "sampling": shares.sampling,
        "plausible": estimate.plausible,
        "surprise": estimate.surprise,
        "rows": [
            {
                "answer": row.value,
                "estimate": row.estimate,
                "low": row.low,
                "high": row.high,
                "error": row.error,
                "adjusted": row.adjusted,
            }
            for row in shares.rows
        ],
    }
