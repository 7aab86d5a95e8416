"""New texts for a survey that is in the field: the law of its answers stays as it is.

Title, about, the words of questions and languages may change; answers, designs and second
questions decide what an answer means, and may not. The store is told the digest of the new file
first, then the file takes its place: an edit that was cut off in between is made again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from tightrope.errors import BadDocument, BadInput, Refused
from tightrope.facts import Fact, Facts, data, lines_of
from tightrope.spellings import spelled
from tightrope.surveys.languages import SurveyLanguage
from tightrope.surveys.new_store import replace_survey
from tightrope.surveys.page_code import page_code
from tightrope.surveys.survey_file import Survey, store_path, survey_bytes, survey_in
from tightrope.surveys.survey_store import SurveyStore
from tightrope.surveys.words import language_at, survey_texts
from tightrope.web import code_asset


@dataclass(frozen=True)
class EditedSurvey:
    """A survey with other texts than before; `stale` are languages whose words may be old now."""

    file: Path
    survey: Survey
    before: Survey
    stale: tuple[str, ...]

    @property
    def changed(self) -> tuple[str, ...]:
        """The keys of the survey's own texts that changed."""
        now, before = survey_texts(self.survey), survey_texts(self.before)
        return tuple(key for key in {**before, **now} if before.get(key) != now.get(key))

    def facts(self) -> Facts:
        """The changed texts, with the digests and fingerprints that changed with them."""
        code, before = (code_asset(page_code(s)).sha256 for s in (self.survey, self.before))
        languages = [spoken.code for spoken in self.survey.languages]
        stale = () if not self.stale else (
            f"Not changed is the translation of these texts in {', '.join(self.stale)}: give "
            "--language with the new one.",)
        own, old = (_own_language(s) for s in (self.survey, self.before))
        both = "" if old in languages else (
            f"; for {old} beside {own}, translate them: tightrope survey translate")
        spoken = () if own == old else (
            f"The survey's own texts are shown as {own} now, no longer as {old}{both}.",)
        return Facts(
            "EditedSurvey",
            "the texts are new, the law of the answers is the same",
            (
                Fact("file", "survey", self.file),
                *([Fact("changed", "changed", list(self.changed))] if self.changed
                  else data(changed=[])),
                Fact("languages", "languages", languages),
                Fact("digest", "digest", self.survey.digest, meaning="SHA-256 of the survey"),
                Fact("digest_before", "before", self.before.digest, detail=True),
                Fact("code_sha256", "page's code", code, meaning="SHA-256"),
                Fact("code_sha256_before", "before", before, detail=True),
                *data(law=self.survey.law, stale=list(self.stale)),
            ),
            ("Answers collected so far stay valid, and one estimate is made of all.",
             "A running server beside this file shows the new texts from the next page on; with "
             "copies of the file elsewhere, copy the new one there.", *stale, *spoken),
        )

    __repr__ = lines_of


@spelled(question='questions={"q1": "…"}', language='languages=["de.toml"]')
def edit_survey(
    file: str | PathLike[str],
    *,
    title: str | None = None,
    about: str | None = None,
    questions: Mapping[str, str] | None = None,
    languages: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
) -> EditedSurvey:
    """Change texts of a survey; answers collected so far stay valid.

    Parameters
    ----------
    questions
        New words of questions, by key (`{"q1": "…"}`).
    languages
        Codes of shipped languages or files; one that the survey speaks already is replaced.

    Returns
    -------
    EditedSurvey, with the survey before and after.

    Raises
    ------
    BadInput
        if there is nothing to change, or no such question.
    Refused
        if the law of the answers would change, or the survey was made by an earlier version.
    """
    place = Path(file)
    survey = survey_in(place)
    if survey.version == 1:
        raise Refused("this survey was made by an earlier version, whose pages know a respondent's "
                      "draw by all texts: it cannot be edited.")
    edited = _edit_texts(survey, title, about, questions or {})
    asked = [languages] if isinstance(languages, str | PathLike) else languages
    given = [language_at(name, edited) for name in asked]
    edited = replace(edited, languages=_join_languages(edited.languages, given))
    if edited == survey:
        raise BadInput("there is nothing to change: give a new title, about, question or language; "
                       "the survey says all else already.")
    if edited.law != survey.law:
        raise Refused("this would change the law of the answers: make a new survey.")
    with _store(store_path(place), survey, edited) as store:
        replace_survey(place, survey_bytes(edited), lambda: store.rebind(edited.digest))
    fresh = {language.code for language in given}
    now, before = survey_texts(edited), survey_texts(survey)
    old = any(now[key] != before.get(key) for key in now)
    stale = [spoken.code for spoken in edited.languages
             if old and spoken.texts is not None and spoken.code not in fresh]
    return EditedSurvey(place, edited, survey, tuple(stale))


def _edit_texts(
    survey: Survey, title: str | None, about: str | None, words: Mapping[str, str]
) -> Survey:
    """The survey with other texts of its own."""
    keys = [question.key for question in survey.questions]
    unknown = set(words) - set(keys)
    if unknown:
        raise BadInput(f"there is no question {', '.join(sorted(unknown))}; those of this survey "
                       f"are {', '.join(keys)}.")
    questions = tuple(replace(question, text=words.get(question.key, question.text))
                      for question in survey.questions)
    return replace(survey, questions=questions,
                   title=survey.title if title is None else title,
                   about=survey.about if about is None else about)


def _join_languages(
    languages: Sequence[SurveyLanguage], given: Sequence[SurveyLanguage]
) -> tuple[SurveyLanguage, ...]:
    """The languages with those given, each in the place of what it replaces."""
    joined = list(languages)
    for new in given:
        same = [i for i, old in enumerate(joined) if old.code == new.code
                or (old.texts is None and new.texts is None)]
        if same:
            joined[same[0]] = new
        else:
            joined.append(new)
    return tuple(joined)


def _own_language(survey: Survey) -> str:
    """The language in which the survey's own texts are written."""
    return next(spoken.code for spoken in survey.languages if spoken.texts is None)


def _store(path: Path, before: Survey, after: Survey) -> SurveyStore:
    """The store of the survey; an edit that was cut off may have told it the new digest."""
    try:
        return SurveyStore(path, before.digest)
    except BadDocument:
        return SurveyStore(path, after.digest)
