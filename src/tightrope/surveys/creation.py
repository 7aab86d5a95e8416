"""A new survey: the design of each question, its proof, and the files on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from shlex import quote
from typing import Any

from tightrope.characters import counted
from tightrope.documents import compose
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level, Number
from tightrope.facts import Column, Fact, Facts, Table, data, lines_of
from tightrope.files import refuse_existing, remove_files
from tightrope.ledger import Account, Booked, booked_fact
from tightrope.samplers import token
from tightrope.spellings import LEVEL, spelled
from tightrope.surveys.designs import Design
from tightrope.surveys.fielding import (
    MOST_LINKS,
    Fielding,
    checked_address,
    checked_database,
    checked_return,
)
from tightrope.surveys.label import total_promise
from tightrope.surveys.new_store import NewSurvey, discard_store, refuse_answers, write_survey
from tightrope.surveys.page_code import page_code
from tightrope.surveys.protection import stated_level
from tightrope.surveys.questions import Question
from tightrope.surveys.study import Study, StudyQuestion
from tightrope.surveys.study_designs import proved_question
from tightrope.surveys.study_file import read_study
from tightrope.surveys.study_levels import question_levels
from tightrope.surveys.survey_file import Survey, store_path, survey_bytes
from tightrope.surveys.survey_records import OPEN
from tightrope.surveys.words import with_languages
from tightrope.web import code_asset

LINKS = 100
"""Links that are made if nothing states how many."""


@dataclass(frozen=True)
class CreatedSurvey:
    """A survey that was written: its files, the fingerprint of the code of its pages, and the
    owner's token, which is kept nowhere."""

    survey: Survey
    file: Path
    store: Path
    links: Path
    owner: str = field(repr=False)
    code_sha256: str
    fielding: Fielding
    booked: Booked | None = None

    def remove(self) -> None:
        """Take the new survey back."""
        discard_store(self.store)
        remove_files([self.file, self.store, self.links])

    def facts(self) -> Facts:
        """The files and the owner's token, then each question with its design."""
        survey, total = self.survey, self.survey.total
        columns = (Column("key", "key"), Column("text", "question", words=True),
                   Column("kind", None), Column("conditions", None),
                   Column("answers", None), Column(None, "harmless", words=True),
                   Column("sensitive", "sensitive", words=True),
                   Column("design", "design", words=True),
                   *(Column(key, "ε" if key == "epsilon" else None) for key in total.as_json()))
        questions = tuple(
            (question.key, question.text, question.kind, question.conditions,
             question.design.answers,
             [name for name in question.design.answers if name not in question.sensitive],
             question.sensitive, question.design_name, *_level_json(question).values())
            for question in survey.questions)
        return Facts(
            "CreatedSurvey",
            f"{counted(len(survey.questions), 'question')}, {total} together",
            (
                Fact("file", "survey", self.file),
                Fact("store", "answers", self.store, meaning=self.fielding.place),
                Fact("links", "links", self.links,
                     meaning="the open link" if survey.groups == (OPEN,)
                     else "send each to one person, then delete the file"),
                *self.fielding.facts(survey),
                Fact("owner", "owner's token", self.owner, meaning="shown only now", detail=True),
                Fact("code_sha256", "page's code", self.code_sha256, meaning="SHA-256",
                     detail=True),
                Table("questions", "", columns, questions, listed=0),
                *data(epsilon_total=float(total), delta_total=float(total.delta),
                      digest=survey.digest),
                booked_fact(self.booked),
            ),
            (total_promise(survey), *_conditions(survey), *self.fielding.sentences(survey),
             "Next:",
             f"  tightrope survey serve {quote(str(self.file))}"),
        )

    __repr__ = lines_of


@spelled(
    question='questions={"questions": [{"text": "…"}]}', language='languages=["de.toml"]',
    study='questions="study.toml"', **LEVEL,
)
def create_survey(
    file: str | PathLike[str],
    questions: Study | str | PathLike[str] | Mapping[str, Any] | Sequence[tuple[str, Design]],
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
    links: Mapping[str, int] | int | None = None,
    open: int = 0,
    returns: str | None = None,
    store: str | None = None,
    languages: Sequence[str | PathLike[str]] = ("en",),
    title: str | None = None,
    about: str | None = None,
    url: str = "http://127.0.0.1:8000",
    force: bool = False,
    account: Account | None = None,
) -> CreatedSurvey:
    """Make a survey: its file with the proofs, its store, and links for respondents.

    Parameters
    ----------
    questions
        The study: a `Study`, the name of its file, or its fields as a mapping. Or the words and
        designs of questions, each proved at the level, or at its own smallest if none.
    epsilon, delta, ratio
        The total of a study that states none; with words and designs, the level of each.
    links
        How many, or how many of each group; every link works once. 100 if not given, none
        beside an open link.
    open
        How many answers one open link may bring, which does not work once: each answer costs ε
        anew, and nothing limits how many of them one person sends.
    returns
        Where a button at the end leads, such as a panel: the same address for everybody.
    store
        The URL of a PostgreSQL database that keeps the answers instead of a file.
    languages
        What the pages speak: `en` or `es`, in which title and questions are written, and files of
        translations (see `draft_translation`).
    title, about
        Of the page, where the study states none.
    url
        Where the survey will be served: what links start with.
    force
        Whether to replace a survey of that name; one that has answers is never replaced.
    account
        A budget that is charged the level of all questions once, before there are any links:
        each respondent answers once, so serving the survey and its results cost nothing more.

    All files are written, or none.

    Returns
    -------
    CreatedSurvey, with the survey, the names of its files and the key of its owner.

    Raises
    ------
    BadInput
        if the file is not named .json or exists (without `force`), or there are no questions
        or links.
    NotPrivate
        if a design breaks the level.
    Refused
        if the account has too little left, or is for something else.

    >>> from tempfile import TemporaryDirectory
    >>> from tightrope.surveys import warner
    >>> with TemporaryDirectory() as folder:
    ...     made = create_survey(f"{folder}/s.json", [("Tax?", warner("3/4"))], "ln(3)", links=2)
    ...     made.survey.questions[0].text
    'Tax?'
    """
    stated = _with_stated(questions, stated_level(epsilon, delta, ratio), title, about, links)
    counts = _counts(stated.links, open)
    address, place = checked_address(url), Path(file)
    if place.suffix.lower() != ".json":
        raise BadInput(f"expected a file named .json, found {file}.")
    answers, listed = store_path(place), place.with_suffix(".links.csv")
    for path in (place, answers, listed):
        refuse_existing(path, force=force)
    refuse_answers(answers)
    fielding = Fielding(open, None if returns is None else checked_return(returns),
                        None if store is None else checked_database(store))
    made = survey_at(stated, (*counts, *([OPEN] if open else [])))
    made = with_languages(made, languages)
    owner = token()
    tokens = {token(): name for name, count in counts.items() for _ in range(count)}
    keys = tuple(question.key for question in made.questions)
    new = NewSurvey(survey_bytes(made), made.digest, owner, tokens, address, keys, open,
                    fielding.returns, fielding.database)
    created = CreatedSurvey(
        made, place, answers, listed, owner, code_asset(page_code(made)).sha256,
        replace(fielding, link=f"{address}/r/{new.head.open_token}" if open else None),
        _book(made, account, open),
    )
    write_survey(place, answers, listed, new, force=force)  # last: whatever fails, fails before
    return created


def survey_at(study: Study, groups: Sequence[str] = ("all",)) -> Survey:
    """The survey of a study: each question with a design at its level, and the proof."""
    levels = question_levels(study)
    questions = tuple(proved_question(asked, level)
                      for asked, level in zip(study.questions, levels, strict=True))
    return Survey(study.title, study.about, questions, tuple(groups))


def _with_stated(
    study: Study | str | PathLike[str] | Mapping[str, Any] | Sequence[tuple[str, Design]],
    level: Level | None,
    title: str | None,
    about: str | None,
    links: Mapping[str, int] | int | None,
) -> Study:
    """The study with what is stated beside it; each thing is stated once."""
    if not isinstance(study, Study | str | PathLike | Mapping):
        pairs = list(study)
        if not all(isinstance(pair, tuple | list) and len(pair) == 2
                   and isinstance(pair[1], Design) for pair in pairs):
            raise BadInput(
                "expected each question with its design, as in [(\"Ever?\", warner(\"3/4\"))], or "
                "a study, as in {\"epsilon\": 1, \"questions\": [{\"text\": \"Ever?\"}]}.")
        questions = tuple(
            StudyQuestion(text, design.answers, sensitive=design.sensitive, own=design,
                          epsilon=level)
            for text, design in pairs)
        return Study(title or "Survey", questions, about=about or "", links=links)
    read = read_study(study).with_total(level)
    for name, beside, inside in (("title", title, read.title), ("about", about, read.about),
                                 ("links", links, read.links)):
        if beside is not None and inside:
            raise BadInput(f"the study states {name}: do not state it again.")
    return replace(read, title=read.title or title or "Survey", about=read.about or about or "",
                   links=read.links if links is None else links)


def _counts(links: Mapping[str, int] | int | None, opened: int) -> dict[str, int]:
    """How many links of each group; none beside an open link if nothing was said."""
    if links is None:
        links = {} if opened else LINKS
    counts = dict(links) if isinstance(links, Mapping) else {"all": links}
    if min(counts.values(), default=0) < 0 or opened < 0 or not (
            1 <= sum(counts.values()) + opened <= MOST_LINKS):
        raise BadInput(f"expected from 1 to {MOST_LINKS:,} links.")
    if OPEN in counts:
        raise BadInput(f"the group {OPEN!r} has the answers of the open link: name it otherwise.")
    return counts


def _conditions(survey: Survey) -> tuple[str, ...]:
    """The assumptions about second questions, which no proof can check."""
    return tuple(
        f"The promise of {question.key} holds if: {' '.join(question.conditions)}"
        for question in survey.questions if question.conditions)


def _level_json(question: Question) -> dict[str, Any]:
    """The level of a question, None for a clear one."""
    if question.level is None:
        return dict.fromkeys(Level.of(0).as_json())
    return question.level.as_json()


def _book(made: Survey, account: Account | None, opened: int) -> Booked | None:
    """Charge a survey: whoever answers it pays for all its questions, once."""
    if account is None:
        return None
    if opened:
        raise BadInput("an open link does not limit what one person spends, so no budget can be "
                       "charged for it: use personal links.")
    booked = account.book(
        f"survey:{len(made.questions)}", made.total,
        [compose(q.certified, version=q.version) for q in made.questions if q.certified],
        lambda: {"survey": made.digest}, unit="respondent", neighbors="replace")
    if booked.again:
        raise Refused(f"the request {account.request!r} made this survey already; it is not made "
                      "again.")
    return booked
