"""What a survey found: estimates for every question, overall and by group, from its store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any

from tightrope.choices import Interval, member_of
from tightrope.errors import BadDocument, BadInput
from tightrope.extras import available
from tightrope.files import read_bytes
from tightrope.surveys.estimation import QuestionEstimate, estimate_answers
from tightrope.surveys.survey_file import Question, Survey, read_survey, store_path
from tightrope.surveys.survey_store import StoredAnswer, SurveyStore
from tightrope.utility import Tally


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
        held = {"group": [answer.group for answer in self.sent]}
        for question in self.survey.questions:
            names = question.design.responses
            held[question.key] = [names[answer.responses[question.key]] for answer in self.sent]
        return held

    def as_json(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {
            "answers": self.answers,
            "links": {g: {"made": made, "used": used} for g, (made, used) in self.links.items()},
            "questions": [_finding_json(finding) for finding in self.findings],
            "closed": self.closed,
        }


def results(
    file: str | PathLike[str],
    *,
    confidence: float = 0.95,
    interval: Interval | str | None = None,
    sampling: bool = True,
    weights: Mapping[str, float] | None = None,
    close: bool = False,
) -> Report:
    """What the survey in a file found so far; `close` ends it: no further answers."""
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
    """Everything that the stored answers say; `weights` count answers by their group."""
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
    found = [_finding(question, answers, weights, options) for question in survey.questions]
    return Report(survey, tuple(found), store.links(), tuple(answers), store.closed)


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
            for suffix, found in named for row in found.shares.rows]


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


def _finding_json(finding: Finding) -> dict[str, Any]:
    design = finding.question.design
    return {
        "key": finding.question.key,
        "question": finding.question.text,
        "responses": dict(zip(design.responses, finding.counts, strict=True)),
        "estimate": None if finding.estimate is None else _estimate_json(finding.estimate),
        "groups": {name: _estimate_json(estimate) for name, estimate in finding.groups},
    }


def _estimate_json(found: QuestionEstimate) -> dict[str, Any]:
    shares = found.shares
    return {
        "n": shares.n,
        "effective": shares.effective,
        "confidence": shares.confidence,
        "interval": shares.interval.value,
        "sampling": shares.sampling,
        "plausible": found.plausible,
        "surprise": found.surprise,
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
