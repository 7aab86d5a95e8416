"""The words of a survey in one language: its own texts, and the sentences of the pages.

Answers and responses are positions, the same in every language; here are their names. What is
drawn, sent and stored never depends on words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from tightrope.surveys.languages import ENGLISH, Language, SurveyLanguage
from tightrope.surveys.questions import Kind, Question
from tightrope.surveys.study import NOT_ASKED, REFUSED
from tightrope.surveys.survey_file import Survey


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
    return tuple(_spoken(survey, spoken) for spoken in survey.languages)


def _spoken(survey: Survey, spoken: SurveyLanguage) -> Words:
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
