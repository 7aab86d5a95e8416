"""The documents that a report is made of: each proved again, or refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tightrope.documents import render
from tightrope.errors import AnswerIsNo, BadInput
from tightrope.exact import Level
from tightrope.files import StrPath, read_bytes
from tightrope.ledger import Record, entry_from, level_from
from tightrope.releases import (
    Answer,
    PlanRelease,
    PublishedPlan,
    QuestionPlan,
    Release,
    published_of,
)

_ODD = re.compile(r"[^A-Za-z0-9]+")
_NAME = re.compile(r"([0-9]{2,9})-([A-Za-z0-9-]+)\.json")
"""The name of a document in a report: its number, and a slug."""
_LONGEST_NAME = 40


@dataclass(frozen=True)
class AnsweredQuestion:
    """One question of a document: its plan, what was drawn, and its answers.

    `agreed` are answers of a plan that agree with those to its other questions.
    """

    plan: QuestionPlan
    drawn: Sequence[Sequence[int]]
    answers: tuple[Answer, ...]
    agreed: tuple[Answer, ...] | None = None


@dataclass(frozen=True)
class Evidence:
    """A document that holds: its text, its questions, and its entry in a ledger.

    `name` is its name in a report, and `raw` the one text that is written of its content: a digit
    beyond those that a number has would change no value. `content` is the document as a ledger is
    held against it. `known` are counts that it states as public.
    """

    name: str
    raw: bytes
    content: dict[str, object]
    entry: Record
    questions: tuple[AnsweredQuestion, ...]
    known: tuple[str, ...] = ()

    @property
    def level(self) -> Level:
        """The level that was charged."""
        return level_from(self.entry.body["level"])


Given = StrPath | Release | PlanRelease
"""A document: the name of its file, or a release or plan that was booked."""


def evidence_of(documents: Sequence[Given]) -> tuple[Evidence, ...]:
    """The documents in their order, named for a report.

    Raises `AnswerIsNo` for one that does not hold, `BadInput` for one that is given twice.
    """
    if not documents:
        raise BadInput("a report is made of at least one released document.")
    many = len(str(len(documents)))
    made = []
    for number, given in enumerate(documents, start=1):
        raw, path = _raw(given)
        stem = Path(path).name.removesuffix(".gz").removesuffix(".json")
        name = f"{number:0{max(many, 2)}d}-{slug(stem)}.json"
        made.append(read_evidence(raw, name, path))
    seals = [document.entry.seal for document in made]
    twice = next((k for k, seal in enumerate(seals) if seal in seals[:k]), None)
    if twice is not None:
        raise BadInput(f"{_raw(documents[twice])[1]} is the same release as another one here.")
    return tuple(made)


def read_evidence(raw: bytes, name: str, path: StrPath) -> Evidence:
    """One document, everything in it proved again that a document can prove."""
    published = published_of(raw, path)
    if not published.holds:
        reason = published.reason or "its digest does not fit"
        raise AnswerIsNo(f"{path} does not hold, and no report is made of it: {reason}.")
    content = dict(published.content)
    numbers = published.content["drawn"]["numbers"]
    known: tuple[str, ...] = ()
    questions: tuple[AnsweredQuestion, ...]
    if isinstance(published, PublishedPlan):
        known = tuple(each.shown for each in published.known)
        questions = tuple(AnsweredQuestion(part.plan, drawn, part.answers, part.agreed)
                          for part, drawn in zip(published.parts, numbers, strict=True))
    else:
        questions = (AnsweredQuestion(published.plan, numbers, published.answers),)
    return Evidence(name, render(content), content, entry_from(content["entry"]), questions, known)


def is_document_name(name: str, number: int) -> bool:
    """Whether a report names its document of this number so.

    >>> is_document_name("02-beds.json", 2), is_document_name("02-beds: 7.json", 2)
    (True, False)
    """
    parts = _NAME.fullmatch(name)
    return parts is not None and int(parts[1]) == number and parts[2] == slug(parts[2])


def slug(text: str) -> str:
    """A text as a part of the name of a file: letters, digits and hyphens.

    >>> slug("histogram of drug by sex"), slug("../../=cmd|' /C calc'!A0")
    ('histogram-of-drug-by-sex', 'cmd-C-calc-A0')
    """
    return _ODD.sub("-", text).strip("-")[:_LONGEST_NAME].strip("-") or "table"


def _raw(given: Given) -> tuple[bytes, str]:
    if isinstance(given, Release | PlanRelease):
        name = "release" if isinstance(given, Release) else given.plan.name
        return render(given.document()), f"{slug(name)}.json"
    return read_bytes(given), str(given)
