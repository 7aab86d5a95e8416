"""A survey as one file: questions, designs, and the proof of each.

The file carries, for every question, the document of a certified mechanism: exact weights,
claim and digest. Reading verifies every claim again, so a survey in memory is always proved.
Answers are categories, any two at distance 1: elsewhere ε would not be the factor that
respondents are promised.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tightrope.characters import looks, refuse_controls
from tightrope.documents import VERSION as VERSION_OF_MECHANISMS
from tightrope.documents import accept, compose, content_of, digest_of, read, render
from tightrope.errors import BadDocument, BadInput, NotCertified, NotIntact
from tightrope.exact import Level
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certified, sequential
from tightrope.spaces import Family, family_of
from tightrope.surveys.designs import TWO_QUESTIONS, Design, of_mechanism

FORMAT = "tightrope/survey"
VERSION = 1
MOST_QUESTIONS = 50
LONGEST_TEXT = 2000
LONGEST_NAME = 200
"""Characters of an answer, or of the name of a group."""
_KEY = re.compile("[a-z][a-z0-9]{0,19}")


@dataclass(frozen=True)
class Question:
    """One question: its words, the certified mechanism of its answers, the design's name.

    `version` is that of the mechanism's document, which stays as it was written.
    """

    key: str
    text: str
    certified: Certified
    sensitive: tuple[str, ...]
    design_name: str
    how: str
    version: int = VERSION_OF_MECHANISMS

    def __post_init__(self) -> None:
        if not isinstance(self.certified, Certified):
            raise NotCertified(self.certified)
        if not isinstance(self.mechanism, MatrixMechanism):
            raise BadDocument(f"the mechanism of {self.key} is not written out as a matrix.")
        space = self.mechanism.space
        if family_of(space) is not Family.CATEGORIES:
            raise BadDocument(
                f"the mechanism of {self.key} is for the space {space.text}; the answers of a "
                "survey are categories, of which any two are at distance 1: prove it on those."
            )
        if self.design_name in TWO_QUESTIONS:
            raise BadInput(
                f"the design {self.design_name!r} rests on a second question that the respondent "
                "answers in silence, and the page of a survey asks one: choose another design, or "
                "ask on paper with the numbers of `plan`."
            )
        if not _KEY.fullmatch(self.key):
            raise BadInput("expected the key of a question as q1: a letter, letters or digits.")
        if not looks(self.text) or len(self.text) > LONGEST_TEXT:
            raise BadInput(f"expected a question of 1 to {LONGEST_TEXT} characters.")
        for text in (self.key, self.text, self.design_name, self.how, *self.sensitive):
            refuse_controls(text, "a text of a question", BadInput)
        names = map(str, (*space.points, *self.mechanism.outputs))
        if max(map(len, names)) > LONGEST_NAME:
            raise BadInput(f"expected answers of at most {LONGEST_NAME} characters.")
        if not set(self.sensitive) or not set(self.sensitive) <= set(space.points):
            raise BadDocument(f"the sensitive answers of {self.key} are not among its answers.")

    @property
    def mechanism(self) -> Any:
        """The mechanism that the proof is about."""
        return self.certified.mechanism

    @property
    def level(self) -> Level:
        """The level that is proved."""
        return self.certified.certificate.level

    @property
    def document(self) -> dict[str, Any]:
        """The document of the mechanism."""
        return compose(self.certified, version=self.version)

    @cached_property
    def design(self) -> Design:
        """The mechanism as a design."""
        return of_mechanism(self.mechanism, self.design_name, self.sensitive)


@dataclass(frozen=True)
class Survey:
    """Questions under a title; `groups` are the kinds of links that were made."""

    title: str
    about: str
    questions: tuple[Question, ...]
    groups: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.questions) <= MOST_QUESTIONS:
            raise BadInput(
                f"expected from 1 to {MOST_QUESTIONS} questions, found {len(self.questions)}."
            )
        if len({question.key for question in self.questions}) < len(self.questions):
            raise BadDocument("two questions of the survey have the same key.")
        if not looks(self.title) or max(len(self.title), len(self.about)) > LONGEST_TEXT:
            raise BadInput(f"expected a title, and texts of at most {LONGEST_TEXT} characters.")
        if not self.groups or len(set(self.groups)) < len(self.groups):
            raise BadDocument("expected the groups of a survey, each once.")
        if max(map(len, self.groups)) > LONGEST_NAME:
            raise BadInput(f"expected names of groups of at most {LONGEST_NAME} characters.")
        for text in (self.title, self.about, *self.groups):
            refuse_controls(text, "a text of the survey", BadInput)

    @property
    def total(self) -> Level:
        """The level of all answers of one person together."""
        return sequential([question.level for question in self.questions])

    @property
    def digest(self) -> str:
        """The digest of the whole file."""
        return digest_of(self.document())

    def document(self) -> dict[str, Any]:
        """The survey as JSON has it, without its digest."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "title": self.title,
            "about": self.about,
            "groups": list(self.groups),
            "questions": [
                {
                    "key": question.key,
                    "text": question.text,
                    "sensitive": list(question.sensitive),
                    "design": {"name": question.design_name, "how": question.how},
                    "mechanism": question.document,
                }
                for question in self.questions
            ],
        }


def survey_of(
    title: str,
    questions: Sequence[tuple[str, Design, Certified]],
    *,
    about: str = "",
    groups: Sequence[str] = ("all",),
) -> Survey:
    """A survey from texts, designs and their proofs; questions are named q1, q2, …"""
    made = [
        Question(f"q{i}", text, proof, design.sensitive, design.name, design.how)
        for i, (text, design, proof) in enumerate(questions, start=1)
    ]
    return Survey(title, about, tuple(made), tuple(groups))


def survey_bytes(survey: Survey) -> bytes:
    """The file of a survey."""
    document = survey.document()
    return render({**document, "digest": digest_of(document)})


def read_survey(data: bytes) -> Survey:
    """The survey in a file, every claim verified again.

    Raises `BadDocument` for what is no survey, `NotIntact` if it was changed, and
    `NotPrivate` if a claim does not hold.
    """
    content = content_of(data)
    if content.get("format") != FORMAT:
        raise BadDocument(f"expected a file with format {FORMAT!r}.")
    if content.get("version") != VERSION:
        raise BadDocument(f"expected a survey of version {VERSION}.")
    stated, digest = content.get("digest"), digest_of(content)
    if stated != digest:
        raise NotIntact(str(stated), digest)
    try:
        survey = Survey(
            _text(content, "title"),
            _text(content, "about"),
            tuple(_question(part) for part in content["questions"]),
            tuple(str(name) for name in content["groups"]),
        )
    except (KeyError, TypeError, AttributeError):
        raise BadDocument("a field of the survey is missing or malformed.") from None
    if survey.digest != digest:  # it says more, or less, than what was read
        raise BadDocument("the survey is not written the way the file of a survey is.")
    return survey


def store_path(survey: Path) -> Path:
    """Where the answers of a survey are kept: beside its file."""
    return survey.with_suffix(".answers")


def _question(part: Mapping[str, Any]) -> Question:
    certified = accept(read(json.dumps(part["mechanism"]).encode()))
    design = part["design"]
    return Question(
        _text(part, "key"),
        _text(part, "text"),
        certified,
        tuple(str(name) for name in part["sensitive"]),
        _text(design, "name"),
        _text(design, "how"),
        part["mechanism"]["version"],
    )


def _text(part: Mapping[str, Any], name: str) -> str:
    value = part[name]
    if not isinstance(value, str):
        raise BadDocument(f"the field {name!r} is not a text.")
    return value
