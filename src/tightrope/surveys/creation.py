"""A new survey: the design of each question, its proof, and the files on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from shlex import quote
from urllib.parse import urlsplit

from tightrope.characters import counted
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level, Number
from tightrope.facts import Column, Fact, Facts, Table, data, lines_of
from tightrope.files import refuse_existing, remove_files
from tightrope.ledger import Account, Booked, booked_fact
from tightrope.samplers import token
from tightrope.surveys.comparison import designs_at
from tightrope.surveys.designs import TWO_QUESTIONS, Design
from tightrope.surveys.label import total_promise
from tightrope.surveys.optimum import best_binary
from tightrope.surveys.page_code import page_code
from tightrope.surveys.protection import prove, stated_level
from tightrope.surveys.survey_file import Survey, store_path, survey_bytes, survey_of
from tightrope.surveys.survey_store import NewSurvey, refuse_answers, write_survey
from tightrope.web import code_asset

MOST_LINKS = 10_000_000
BEST = "best"


def design_at(
    answers: Sequence[str],
    level: Level | Number,
    name: str | None = None,
    *,
    prevalence: Number | None = None,
) -> Design:
    """The design for these answers at a level, the harmless one first.

    For two answers, one that `designs_at` has by that name or the best for a prevalence, and
    Warner's if none is named; for more, k-ary.

    >>> design_at(("no", "yes"), Level.ratio(3)).name, design_at("abc", 1).name
    ('warner', 'k-ary')
    """
    names, asked = tuple(answers), Level.positive(level)
    if len(names) > 2:
        if name not in (None, "k-ary"):
            raise BadInput(
                f"the design {name} is for two answers, and k-ary randomizes {len(names)}."
            )
        (only,) = designs_at(asked, answers=names)
        return only.asking(names, names[1:])
    if name == BEST:
        return best_binary(asked, prevalence).design.asking(names)
    known = {design.name: design for design in reversed(designs_at(asked, answers=names))}
    wanted = name or "warner"
    if wanted not in known:
        listed = [other for other in reversed(known) if other not in TWO_QUESTIONS]
        raise BadInput(
            f"there is no design {wanted!r} at this level; expected best or one of "
            f"{', '.join(map(repr, listed))}."
        )
    return known[wanted]


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
    booked: Booked | None = None

    def remove(self) -> None:
        """Take the new survey back."""
        remove_files([self.file, self.store, self.links])

    def facts(self) -> Facts:
        """The files and the owner's token, then each question with its design."""
        survey, total = self.survey, self.survey.total
        columns = (Column("key", "key"), Column("text", "question", words=True),
                   Column("answers", None), Column(None, "harmless", words=True),
                   Column("sensitive", "sensitive", words=True),
                   Column("design", "design", words=True),
                   *(Column(key, None) for key in total.as_json()))
        questions = tuple(
            (question.key, question.text, question.design.answers,
             [name for name in question.design.answers if name not in question.sensitive],
             question.sensitive, question.design_name, *question.level.as_json().values())
            for question in survey.questions)
        return Facts(
            "CreatedSurvey",
            f"{counted(len(survey.questions), 'question')}, {total} together",
            (
                Fact("file", "survey", self.file),
                Fact("store", "answers", self.store, meaning="empty"),
                Fact("links", "links", self.links,
                     meaning="send each to one person, then delete the file"),
                Fact("owner", "owner's token", self.owner, meaning="shown only now", detail=True),
                Fact("code_sha256", "page's code", self.code_sha256, meaning="SHA-256",
                     detail=True),
                Table("questions", "", columns, questions, listed=0),
                *data(epsilon_total=float(total), delta_total=float(total.delta),
                      digest=survey.digest),
                booked_fact(self.booked),
            ),
            (total_promise(survey), "Next:",
             f"  tightrope survey serve {quote(str(self.file))}"),
        )

    __repr__ = lines_of


def create_survey(
    file: str | PathLike[str],
    questions: Sequence[tuple[str, Design]],
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
    links: Mapping[str, int] | int = 100,
    title: str = "Survey",
    about: str = "",
    url: str = "http://127.0.0.1:8000",
    force: bool = False,
    account: Account | None = None,
) -> CreatedSurvey:
    """Make a survey: its file with the proofs, its store, and links for respondents.

    Parameters
    ----------
    questions
        Their words and designs, each proved at the level, or at its own smallest if none.
    links
        How many, or how many of each group; every link works once.
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
    counts = dict(links) if isinstance(links, Mapping) else {"all": links}
    if min(counts.values(), default=0) < 0 or not 1 <= sum(counts.values()) <= MOST_LINKS:
        raise BadInput(f"expected from 1 to {MOST_LINKS:,} links.")
    address, place = checked_address(url), Path(file)
    if place.suffix.lower() != ".json":
        raise BadInput(f"expected a file named .json, found {file}.")
    store, listed = store_path(place), place.with_suffix(".links.csv")
    for path in (place, store, listed):
        refuse_existing(path, force=force)
    refuse_answers(store)
    asked = stated_level(epsilon, delta, ratio)
    proved = [(text, design, prove(design, asked)) for text, design in questions]
    made = survey_of(title, proved, about=about, groups=tuple(counts))
    owner = token()
    tokens = {token(): name for name, count in counts.items() for _ in range(count)}
    keys = tuple(question.key for question in made.questions)
    new = NewSurvey(survey_bytes(made), made.digest, owner, tokens, address, keys)
    created = CreatedSurvey(
        made, place, store, listed, owner, code_asset(page_code(made)).sha256,
        _book(made, account),
    )
    write_survey(place, store, listed, new, force=force)  # last: whatever fails, fails before
    return created


def _book(made: Survey, account: Account | None) -> Booked | None:
    """Charge a survey: whoever answers it pays for all its questions, once."""
    if account is None:
        return None
    booked = account.book(
        f"survey:{len(made.questions)}", made.total,
        [question.document for question in made.questions],
        lambda: {"survey": made.digest}, unit="respondent", neighbors="replace")
    if booked.again:
        raise Refused(f"the request {account.request!r} made this survey already; it is not made "
                      "again.")
    return booked


def checked_address(url: str) -> str:
    """The address that links start with: http or https, a host, at most a path."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or set(url) & set("?#\\\"<>") or not url.isprintable() or " " in url:
        raise BadInput(
            f"expected a url that starts with https:// or http://, names a host and has no "
            f"spaces, ? or #, found {url!r}."
        )
    return url.rstrip("/")
