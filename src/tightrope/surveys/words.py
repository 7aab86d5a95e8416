"""The words of a survey in one language, and files of languages to translate them in.

Answers and responses are positions, the same in every language; here are their names. What is
drawn, sent and stored never depends on words.

A file in TOML has the sentences of the pages under the keys of the shipped ones, its code in
`[language]`, and the texts of one survey in `[survey]`. Without `[survey]` the survey's own texts
are shown, as they are written in that language. A shipped language needs `[survey]` alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from os import PathLike
from typing import Any

from tightrope.characters import counted, shorten
from tightrope.errors import BadInput
from tightrope.facts import Fact, Facts, lines_of
from tightrope.files import StrPath, read_form, write_bytes
from tightrope.surveys.languages import (
    CODE,
    ENGLISH,
    SHIPPED,
    Language,
    Sentence,
    SurveyLanguage,
    check_sentences,
    check_translation,
    flat,
)
from tightrope.surveys.questions import Kind, Question
from tightrope.surveys.study import NOT_ASKED, REFUSED
from tightrope.surveys.survey_file import Survey, survey_in

_HEADER = """\
# A language of a survey's pages. Fill in each ""; the line above shows what is said in English.
# Values in {{braces}} stay as they are. Where forms stand under numbers, the number {{n}} chooses
# the form, else `other` is taken: add the numbers that your language needs, such as 2 = "…".
# Then: tightrope survey edit {file} --language FILE
"""
_SURVEY = """
# The texts of the survey. Leave this table out if the survey itself is written in this language.
"""


@dataclass(frozen=True)
class QuestionWords:
    """A question in one language, with its answers and responses by position.

    `second` is the text of a second question, `unit` that of a number; empty where there is none.
    """

    text: str
    answers: tuple[str, ...]
    responses: tuple[str, ...]
    second: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Words:
    """A survey in one language; `questions` has its questions by key."""

    language: Language
    title: str
    about: str
    questions: Mapping[str, QuestionWords]


def question_words(question: Question, language: Language = ENGLISH) -> QuestionWords:
    """The words of a question as its survey's file has them.

    Names that the study did not choose itself are those of the language: of bins, of “prefer not
    to say” and “not asked”, of the responses to a crosswise question.
    """
    given = _given_names(question, language)
    return QuestionWords(
        question.text,
        tuple(given.get(name, name) for name in question.answers),
        tuple(given.get(name, name) for name in question.responses),
        "" if question.second is None else question.second.text,
        "" if question.bins is None else question.bins.unit,
    )


def _given_names(question: Question, language: Language) -> dict[str, str]:
    """The names of the language for names that a study gets unless it chooses its own."""
    names = {}
    if question.refused == REFUSED:
        names[REFUSED] = language.say("answer.refused")
    if question.not_asked == NOT_ASKED:
        names[NOT_ASKED] = language.say("answer.not_asked")
    if question.kind is Kind.CROSSWISE:
        names |= {"different": language.say("answer.different"),
                  "same": language.say("answer.same")}
    if question.bins is not None:
        edges = [language.decimal(edge) for edge in question.bins.shown]
        forms = ["answer.under"] * (len(edges) - 2) + ["answer.last"]
        names |= {name: language.say(form, low=low, high=high) for name, form, (low, high) in zip(
            question.bins.names, forms, pairwise(edges), strict=True)}
    return names


def all_words(survey: Survey) -> tuple[Words, ...]:
    """The words of a survey in every language that its pages speak, the first one first."""
    return tuple(_words_in(survey, spoken) for spoken in survey.languages)


def _words_in(survey: Survey, spoken: SurveyLanguage) -> Words:
    language = spoken.language
    questions = {question.key: _question(question, spoken) for question in survey.questions}
    return Words(language, spoken.says("title", survey.title), spoken.says("about", survey.about),
                 questions)


def _question(question: Question, spoken: SurveyLanguage) -> QuestionWords:
    """The words of a question in a language of the survey: translated, else as they are."""
    own, key = question_words(question, spoken.language), question.key
    answers, responses = (
        tuple(spoken.says(f"{key}.names.{name}", shown)
              for name, shown in zip(names, words, strict=True))
        for names, words in ((question.answers, own.answers), (question.responses, own.responses)))
    return QuestionWords(spoken.says(f"{key}.text", own.text), answers, responses,
                         spoken.says(f"{key}.second", own.second),
                         spoken.says(f"{key}.unit", own.unit))


def survey_texts(survey: Survey) -> dict[str, str]:
    """Every text of a survey that a translation has, by key.

    The names of a question are those of its answers and responses, each once; names that every
    language has for itself are left out.
    """
    texts = {"title": survey.title, **({"about": survey.about} if survey.about else {})}
    for question in survey.questions:
        key, given = question.key, _given_names(question, ENGLISH)
        texts[f"{key}.text"] = question.text
        if question.second is not None:
            texts[f"{key}.second"] = question.second.text
        if question.bins is not None and question.bins.unit:
            texts[f"{key}.unit"] = question.bins.unit
        for name in dict.fromkeys((*question.answers, *question.responses)):
            if name not in given:
                texts[f"{key}.names.{name}"] = name
    return texts


@dataclass(frozen=True)
class DraftTranslation:
    """A file of a language that was written, with the number of sentences left to fill in."""

    file: str
    code: str
    sentences: int
    texts: int
    survey: str = "SURVEY"

    @property
    def missing(self) -> int:
        """How many are left to fill in."""
        return self.sentences + self.texts

    def facts(self) -> Facts:
        """The file, and what is left to do."""
        return Facts(
            "DraftTranslation",
            f"{self.code}: {counted(self.missing, 'sentence')} to fill in",
            (
                Fact("file", "language file", self.file),
                Fact("code", None, self.code),
                Fact("sentences", "of the pages", self.sentences, meaning="to fill in"),
                Fact("texts", "of the survey", self.texts, meaning="to fill in"),
            ),
            ("Next: fill it in, then: tightrope survey edit "
             f"{self.survey} --language {self.file}",),
        )

    __repr__ = lines_of


def draft_translation(
    survey: Survey | StrPath, code: str, output: StrPath | None = None, *, force: bool = False
) -> DraftTranslation:
    """Write a file of a language with every sentence to fill in, of the pages and of the survey.

    What the survey has in this language already is filled in.

    Parameters
    ----------
    survey
        The survey, or its file.
    code
        The language, as in `de` or `pt-BR`; of one that is shipped only the survey's texts are
        left to translate.
    output
        The file; `CODE.toml` if not given.

    Raises
    ------
    BadInput
        if the code is none, or the file exists (without `force`).
    """
    if not CODE.fullmatch(code):
        raise BadInput(f"expected the code of a language as in de or pt-BR, found {code[:20]!r}.")
    name = "SURVEY" if isinstance(survey, Survey) else shorten(str(survey))
    survey = survey if isinstance(survey, Survey) else survey_in(survey)
    before = {spoken.code: spoken for spoken in survey.languages}.get(code)
    sentences = {} if before is None else before.sentences or {}
    texts = {} if before is None else before.texts or {}
    own = survey_texts(survey)
    wanted = {} if code in SHIPPED else ENGLISH.sentences
    lines = [_HEADER.format(file=name), "[language]", f"code = {_toml_text(code)}"]
    if wanted:
        lines += list(_sentence_lines(wanted, sentences))
    lines += [_SURVEY, *_text_lines(own, texts)]
    place = str(output or f"{code}.toml")
    write_bytes(place, "\n".join([*lines, ""]).encode(), force=force)
    return DraftTranslation(
        place, code, sum(key not in sentences for key in wanted),
        sum(key not in texts for key in own), name)


def with_languages(survey: Survey, given: Sequence[str | PathLike[str]]) -> Survey:
    """The survey with pages in these languages: codes of shipped ones, and files.

    English comes first if all others translate the survey's texts.
    """
    languages = [language_at(name, survey) for name in given]
    if all(language.texts is not None for language in languages):
        languages.insert(0, SurveyLanguage("en"))
    return replace(survey, languages=tuple(languages))


def language_at(name: str | PathLike[str], survey: Survey) -> SurveyLanguage:
    """A language by the code of a shipped one, or in a file, checked as a whole."""
    if isinstance(name, str) and CODE.fullmatch(name):
        return SurveyLanguage(name)
    content = read_form(name)
    if not isinstance(content, dict) or not all(isinstance(t, dict) for t in content.values()):
        raise BadInput(f"{name}: expected tables of sentences, as `tightrope survey translate` "
                       "drafts them.")
    translated = content.pop("survey", None)
    code = content.get("language", {}).pop("code", None)
    if not isinstance(code, str):
        raise BadInput(f'{name} does not say its language: expected code = "de" in [language].')
    sentences = {key: _sentence(name, key, value) for key, value in flat(content).items()}
    if sentences:
        check_sentences(str(name), sentences)
    texts = None if translated is None else _texts(name, translated)
    if texts is not None:
        check_translation(
            str(name), survey_texts(survey), texts)
    return SurveyLanguage(code, sentences or None, texts)


def _sentence(name: str | PathLike[str], key: str, value: Any) -> Sentence:
    good = isinstance(value, str) or (
        isinstance(value, dict) and all(isinstance(form, str) for form in value.values()))
    if not good:
        raise BadInput(f"{name}: expected a text under {key}.")
    sentence: Sentence = value
    return sentence


def _texts(name: str | PathLike[str], content: Mapping[str, Any]) -> dict[str, str]:
    """The table of a survey's texts, by key."""
    texts: dict[str, str] = {}
    waiting: list[tuple[str, Any]] = list(content.items())
    while waiting:
        key, value = waiting.pop(0)
        if isinstance(value, dict):
            waiting[:0] = [(f"{key}.{inner}", part) for inner, part in value.items()]
        elif isinstance(value, str):
            texts[key] = value
        else:
            raise BadInput(f"{name}: expected a text under survey.{key}.")
    return texts


def _sentence_lines(
    wanted: Mapping[str, Sentence], known: Mapping[str, Sentence]
) -> Iterator[str]:
    table = "language"
    for key, english in wanted.items():
        opened, _, name = key.partition(".")
        if opened != table:
            table = opened
            yield f"\n[{table}]"
        filled = known.get(key)
        if isinstance(english, str):
            yield f"# {english}"
            yield f"{name} = {_toml_text(filled if isinstance(filled, str) else '')}"
            continue
        yield from (f"# {form}: {text}" for form, text in english.items())
        forms = filled if isinstance(filled, Mapping) else dict.fromkeys(english, "")
        listed = ", ".join(f"{form} = {_toml_text(text)}" for form, text in forms.items())
        yield f"{name} = {{ {listed} }}"


def _text_lines(own: Mapping[str, str], known: Mapping[str, str]) -> Iterator[str]:
    yield "[survey]"
    table: list[str] = []
    for key, text in own.items():
        question, _, rest = key.partition(".")
        inner, _, name = rest.partition(".")
        opened = [question, inner] if name else [question] if rest else []
        if opened != table:
            table = opened
            yield f"\n[survey.{'.'.join(table)}]"
        last = _toml_text(name) if name else inner or question
        yield f"# {text}"
        yield f"{last} = {_toml_text(known.get(key, ''))}"


def _toml_text(text: str) -> str:
    """A text as TOML has it."""
    return json.dumps(text, ensure_ascii=False)
