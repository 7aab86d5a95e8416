"""The code of a respondent's page, generated from the certified mechanisms.

The browser draws an integer below the exact total of a row and compares it with the exact
cumulative sums of the weights that were proved, so what it sends follows exactly the law that
was verified. The whole script, with these numbers in it, has one hash, which the page shows.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from typing import Any

from tightrope.surveys.bins import Outside
from tightrope.surveys.questions import Kind, Question
from tightrope.surveys.survey_file import Survey
from tightrope.surveys.words import Words, all_words


@lru_cache(maxsize=16)
def page_file(name: str) -> str:
    """A file of the pages that travel with the package."""
    return files(__package__).joinpath("pages", name).read_text(encoding="utf-8")


def thresholds(question: Question) -> list[list[str]]:
    """For every true answer, the cumulative sums of its exact weights, the total last, in hex.

    Weights are reduced by their greatest common divisor; probabilities are unchanged.
    """
    from math import gcd

    rows: list[list[str]] = []
    if question.mechanism is None:
        return rows
    for i in range(question.mechanism.space.size):
        integers, _ = question.mechanism.weights.row_integers(i)
        shared = gcd(*integers)
        rows.append([f"0x{end:x}" for end in accumulate(w // shared for w in integers)])
    return rows


def page_code(survey: Survey) -> str:
    """The script that the page of this survey runs: the same bytes for every respondent.

    It names the survey by its law, so that a draw is known again after texts were edited.
    """
    questions = [_form(question, survey) for question in survey.questions]
    named = {"law": survey.law, "questions": questions,
             "languages": {words.language.code: _language_form(words)
                           for words in all_words(survey)}}
    content = json.dumps(named, indent=1)  # ASCII, whatever a browser guesses
    return (f'"use strict";\nconst SURVEY = {content};\n\n{page_file("page.js")}\n'
            f'{page_file("wheel.js")}')


def _form(question: Question, survey: Survey) -> dict[str, Any]:
    """A question as the code has it: positions and numbers, no words.

    Only what the page draws by a table has `thresholds`. The `toss` of an unrelated question is
    how often, of so many times, the answer to the sensitive one is sent.
    """
    keys = [other.key for other in survey.questions]
    branch, bins = question.branch, question.bins
    by_key = dict(zip(keys, survey.questions, strict=True))
    return {
        "key": question.key,
        "kind": question.kind.value,
        "responses": len(question.responses),
        "thresholds": thresholds(question) if question.randomized else [],
        "toss": _toss(question) if question.kind is Kind.UNRELATED else None,
        "bins": None if bins is None else {
            "edges": bins.shown, "refuse": bins.outside is Outside.REFUSE},
        "refused": _place(question, question.refused),
        "not_asked": _place(question, question.not_asked),
        "ask_if": None if branch is None else {
            "question": keys.index(branch.question),
            "answers": [_place(by_key[branch.question], name) for name in branch.answers]},
    }


def _place(question: Question, name: str | None) -> int | None:
    """The position of an answer, None if there is none of this name."""
    return None if name is None else question.answers.index(name)


def _toss(question: Question) -> list[str]:
    chance = question.truth
    return [f"0x{chance.numerator:x}", f"0x{chance.denominator:x}"]


def _language_form(words: Words) -> dict[str, Any]:
    """A language as the code has it: every text of the survey, and what the code says itself."""
    questions = {
        key: {"text": named.text, "answers": named.answers, "responses": named.responses}
        for key, named in words.questions.items()
    }
    return {"title": words.title, "questions": questions, "sentences": words.language.script()}
