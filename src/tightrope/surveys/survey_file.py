"""A survey as one file: questions, designs, and the proof of each.

The file carries, for every private question, the document of a certified mechanism: exact
weights, claim and digest. Reading verifies every claim again, so a survey in memory is always
proved. Answers are categories, any two at distance 1: elsewhere ε would not be the factor that
respondents are promised. Version 1 has questions of one kind only; files of it stay readable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tightrope.characters import alike, looks, refuse_controls, shorten
from tightrope.documents import Optimality, accept, content_of, digest_of, read, render
from tightrope.errors import BadDocument, BadInput, NotIntact
from tightrope.exact import Level
from tightrope.files import SURVEY as FORMAT
from tightrope.files import StrPath, read_bytes
from tightrope.privacy import sequential
from tightrope.surveys.bins import LONGEST_NAME, LONGEST_TEXT, Bins, Outside
from tightrope.surveys.languages import SurveyLanguage, check_languages, read_language
from tightrope.surveys.questions import (
    CLEAR,
    Branch,
    Kind,
    Question,
    SecondQuestion,
)

VERSION = 2
MOST_QUESTIONS = 50
TAKEN_KEY = "group"
"""No key of a question: by this name results are divided, and exported, by the groups of links."""
_EXACT = re.compile("-?[0-9]{1,60}(/[0-9]{1,60})?")
_ENGLISH_ALONE = (SurveyLanguage("en"),)


@dataclass(frozen=True)
class Survey:
    """Questions under a title; `groups` are the kinds of links that were made.

    `version` is that of the file, which stays as it was written. Its pages speak the
    `languages`; the first one is shown to browsers that prefer none of them.
    """

    title: str
    about: str
    questions: tuple[Question, ...]
    groups: tuple[str, ...]
    version: int = VERSION
    languages: tuple[SurveyLanguage, ...] = _ENGLISH_ALONE

    def __post_init__(self) -> None:
        if not 1 <= len(self.questions) <= MOST_QUESTIONS:
            raise BadInput(
                f"expected from 1 to {MOST_QUESTIONS} questions, found {len(self.questions)}."
            )
        if len({question.key for question in self.questions}) < len(self.questions):
            raise BadDocument("two questions of the survey have the same key.")
        if any(question.key == TAKEN_KEY for question in self.questions):
            raise BadInput(f"the key {TAKEN_KEY!r} names the groups of links: give the question "
                           "another one.")
        if not looks(self.title) or max(len(self.title), len(self.about)) > LONGEST_TEXT:
            raise BadInput(f"expected a title, and texts of at most {LONGEST_TEXT} characters.")
        groups = {alike(name) for name in self.groups}
        if not self.groups or len(groups) < len(self.groups) or "" in groups:
            raise BadInput("expected names of groups that look different, and none empty.")
        if max(map(len, self.groups)) > LONGEST_NAME:
            raise BadInput(f"expected names of groups of at most {LONGEST_NAME} characters.")
        for text in (self.title, self.about, *self.groups):
            refuse_controls(text, "a text of the survey", BadInput)
        if all(question.clear for question in self.questions):
            raise BadInput("every question is clear, so there is nothing to protect: expected one "
                           "that is not.")
        _check_branches(self.questions)
        _check_seconds(self.questions)
        check_languages(self.languages)
        if self.version == 1 and not (
                all(map(_of_version_1, self.questions)) and self.languages == _ENGLISH_ALONE):
            raise BadDocument("a survey of version 1 has no such questions or languages.")

    @property
    def private(self) -> tuple[Question, ...]:
        """The questions whose answers are randomized: all but the clear ones."""
        return tuple(question for question in self.questions if not question.clear)

    @property
    def total(self) -> Level:
        """The level of all randomized answers of one person together.

        Levels add up. A question that is asked of some people only counts like any other: that it
        was not asked is one of its values.
        """
        return sequential([q.level for q in self.questions if q.level is not None])

    @property
    def law(self) -> str:
        """The digest of what decides how answers are sent and what they mean: no texts but names.

        Of a file of version 1, the digest of the whole file.
        """
        if self.version == 1:
            return self.digest
        document = self.document()
        lawful = [{**question, "text": None, "design": question["design"]["name"]}
                  for question in document["questions"]]
        return digest_of({"format": FORMAT, "version": VERSION, "questions": lawful})

    @property
    def digest(self) -> str:
        """The digest of the whole file."""
        return digest_of(self.document())

    def document(self) -> dict[str, Any]:
        """The survey as JSON has it, without its digest; languages only if not English alone."""
        spoken = [language.document() for language in self.languages]
        return {
            "format": FORMAT,
            "version": self.version,
            "title": self.title,
            "about": self.about,
            "groups": list(self.groups),
            **({} if self.languages == _ENGLISH_ALONE else {"languages": spoken}),
            "questions": [
                {**_question_form(question), **(_form(question) if self.version > 1 else {})}
                for question in self.questions
            ],
        }


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
    version = content.get("version")
    if version not in (1, VERSION) or type(version) is not int:
        raise BadDocument(f"expected a survey of version 1 or {VERSION}.")
    stated, digest = content.get("digest"), digest_of(content)
    if stated != digest:
        raise NotIntact(str(stated), digest)
    try:
        survey = Survey(
            _text(content, "title"),
            _text(content, "about"),
            tuple(_question(part) for part in content["questions"]),
            tuple(str(name) for name in content["groups"]),
            version,
            tuple(map(read_language, content["languages"])) if "languages" in content
            else _ENGLISH_ALONE,
        )
    except (KeyError, TypeError, AttributeError, ValueError, ZeroDivisionError):
        raise BadDocument("a field of the survey is missing or malformed.") from None
    if survey.digest != digest:  # it says more, or less, than what was read
        raise BadDocument("the survey is not written the way the file of a survey is.")
    return survey


def survey_in(file: StrPath) -> Survey:
    """The survey in the file of this name, every claim verified again.

    Raises: as `read_survey`; the sentence names the file.
    """
    data = read_bytes(file)
    try:
        return read_survey(data)
    except BadDocument as wrong:
        raise BadDocument(f"{shorten(str(file))} is not a survey that `survey new` wrote: "
                          f"{wrong}") from None


def store_path(survey: Path) -> Path:
    """Where the answers of a survey are kept: beside its file."""
    return survey.with_suffix(".answers")


def _question_form(question: Question) -> dict[str, Any]:
    """The fields of a question that every version has."""
    return {
        "key": question.key,
        "text": question.text,
        "sensitive": list(question.sensitive),
        "design": {"name": question.design_name, "how": question.how},
        "mechanism": question.document,
    }


def _form(question: Question) -> dict[str, Any]:
    """The fields of a question that came with version 2; null where there is nothing to say."""
    bins, second, branch, scores = (
        question.bins, question.second, question.branch, question.scores)
    return {
        "kind": question.kind.value,
        "answers": list(question.listed) or None,
        "scores": None if scores is None else [None if s is None else str(s) for s in scores],
        "bins": None if bins is None else {
            "edges": [str(edge) for edge in bins.edges], "outside": bins.outside.value,
            "unit": bins.unit},
        "second": None if second is None else {
            "text": second.text, "prevalence": [str(second.low), str(second.high)]},
        "refused": question.refused,
        "not_asked": question.not_asked,
        "ask_if": None if branch is None else {
            "question": branch.question, "answers": list(branch.answers)},
    }


def _question(part: Mapping[str, Any]) -> Question:
    content = part["mechanism"]
    clear = content is None and "kind" in part
    design = part["design"]
    if clear and design["name"] != CLEAR:
        raise BadDocument("a question has no mechanism, and does not say that it is clear.")
    document = None if clear else read(json.dumps(content).encode())
    claim = None if document is None else document.optimality
    if isinstance(claim, Optimality):
        raise BadDocument("the claim of a question's design must be that of least variance.")
    return Question(
        _text(part, "key"),
        _text(part, "text"),
        None if document is None else accept(document),
        _texts(part, "sensitive"),
        _text(design, "name"),
        _text(design, "how"),
        **({} if clear else {"version": content["version"]}),
        optimality=claim,
        **(_read_form(part) if "kind" in part else {}),
    )


def _read_form(part: Mapping[str, Any]) -> dict[str, Any]:
    scores, bins, second, branch = (part[name] for name in ("scores", "bins", "second", "ask_if"))
    return {
        "kind": Kind(_text(part, "kind")),
        "listed": () if part["answers"] is None else _texts(part, "answers"),
        "scores": None if scores is None else tuple(
            None if score is None else _fraction(score) for score in scores),
        "bins": None if bins is None else Bins(
            tuple(map(_fraction, bins["edges"])), Outside(_text(bins, "outside")),
            _text(bins, "unit")),
        "second": None if second is None else SecondQuestion(
            _text(second, "text"), *map(_fraction, second["prevalence"])),
        "refused": None if part["refused"] is None else _text(part, "refused"),
        "not_asked": None if part["not_asked"] is None else _text(part, "not_asked"),
        "branch": None if branch is None else Branch(
            _text(branch, "question"), _texts(branch, "answers")),
    }


def _of_version_1(question: Question) -> bool:
    """Whether a file of version 1 can hold this question."""
    return (not question.clear and question.kind is Kind.CHOICE
            and (question.refused, question.not_asked, question.branch) == (None, None, None))


def _check_branches(questions: Sequence[Question]) -> None:
    """Whether each condition is on an earlier question whose answer the page knows.

    A clear question may hang on clear ones only: that it was not asked would tell the answer.
    """
    before: dict[str, Question] = {}
    for question in questions:
        branch, asked = question.branch, question.key
        before[asked] = question
        if branch is None:
            continue
        other = before.get(branch.question)
        if other is None or other is question:
            raise BadInput(f"{asked} depends on {branch.question!r}: expected the key of an "
                           "earlier question.")
        if other.kind.two_questions:
            raise BadInput(f"{asked} depends on {other.key}, whose true answer no page knows: "
                           f"it is {other.kind}.")
        if question.clear and not other.clear:
            raise BadInput(f"{asked} is clear and depends on {other.key}, whose answer it would "
                           "tell: ask it of everybody, or make it private.")
        wanted = set(branch.answers)
        if (not wanted or len(wanted) < len(branch.answers) or wanted == set(other.answers)
                or not wanted <= set(other.choices)):
            raise BadInput(
                f"{asked} depends on {other.key}: expected some, not all, of its answers "
                f"{', '.join(other.choices)}."
            )


def _check_seconds(questions: Sequence[Question]) -> None:
    """Whether each second question stands beside one question, once, and is asked nowhere else."""
    seen = {alike(question.text).casefold() for question in questions}
    for question in questions:
        if question.second is None:
            continue
        text = alike(question.second.text).casefold()
        if text in seen:
            raise BadInput(
                f"the second question of {question.key} is asked twice: two uses show whether two "
                "true answers agree; take another one."
            )
        seen.add(text)


def _fraction(value: Any) -> Fraction:
    if not isinstance(value, str) or not _EXACT.fullmatch(value):
        raise BadDocument("a number of the survey is not written as an exact fraction.")
    return Fraction(value)


def _texts(part: Mapping[str, Any], name: str) -> tuple[str, ...]:
    values = part[name]
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise BadDocument(f"the field {name!r} is not a list of texts.")
    return tuple(values)


def _text(part: Mapping[str, Any], name: str) -> str:
    value = part[name]
    if not isinstance(value, str):
        raise BadDocument(f"the field {name!r} is not a text.")
    return value
