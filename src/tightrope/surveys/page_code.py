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

from tightrope.surveys.survey_file import Question, Survey


@lru_cache(maxsize=16)
def page_file(name: str) -> str:
    """A file of the pages that travel with the package."""
    return files(__package__).joinpath("pages", name).read_text(encoding="utf-8")


def thresholds(question: Question) -> list[list[str]]:
    """For every true answer, the cumulative sums of its exact weights, the total last, in hex.

    Weights are reduced by their greatest common divisor; probabilities are unchanged.
    """
    from math import gcd

    rows = []
    for i in range(question.mechanism.space.size):
        integers, _ = question.mechanism.weights.row_integers(i)
        shared = gcd(*integers)
        rows.append([f"0x{end:x}" for end in accumulate(w // shared for w in integers)])
    return rows


def page_code(survey: Survey) -> str:
    """The script that the page of this survey runs: the same bytes for every respondent."""
    questions: list[dict[str, Any]] = [
        {
            "key": question.key,
            "text": question.text,
            "answers": list(question.design.answers),
            "responses": list(question.design.responses),
            "thresholds": thresholds(question),
        }
        for question in survey.questions
    ]
    named = {"title": survey.title, "digest": survey.digest, "questions": questions}
    content = json.dumps(named, indent=1)
    return f'"use strict";\nconst SURVEY = {content};\n\n{page_file("page.js")}'
