"""`tightrope survey edit`: new texts for a survey that is in the field."""

from __future__ import annotations

from typing import Annotated

from tightrope.cli.options import Json, value
from tightrope.cli.survey_new import Languages, SurveyFile
from tightrope.errors import BadInput


def edit(
    file: SurveyFile,
    *,
    title: Annotated[str | None, value("--title", "TEXT", "The new title.")] = None,
    about: Annotated[str | None, value("--about", "TEXT", "Who asks, and why.")] = None,
    question: Annotated[list[str] | None, value(
        "--question", "KEY=TEXT", "New words of a question, as in q1=…; may be repeated.")] = None,
    language: Languages = None,
    as_json: Json = False,
) -> None:
    """Change texts of a survey, or its languages; answers collected so far stay valid.

    The law of the answers cannot change: answers, designs and second questions stay.

    Example: tightrope survey edit s.json --title "Work" --language de.toml
    """
    from tightrope import surveys
    from tightrope.cli.output import tell

    edited = surveys.edit_survey(
        file, title=title, about=about, questions=_words(question or []),
        languages=language or ())
    tell(edited.facts(), as_json=as_json)


def _words(texts: list[str]) -> dict[str, str]:
    """New words by the key of their question."""
    words: dict[str, str] = {}
    for text in texts:
        key, equals, new = text.partition("=")
        if not equals or key.strip() in words:
            raise BadInput('expected --question as KEY=TEXT for each question once, as in q1="Have '
                           f'you …?", found {text[:60]!r}.')
        words[key.strip()] = new.strip()
    return words
