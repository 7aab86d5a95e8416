"""A study in a file: TOML or JSON, with decimals as they are written.

    title = "Work"
    epsilon = 2
    links = { north = 700, south = 700 }
    [[questions]]
    text = "Have you ever taken something from work without asking?"
    answers = ["no", "yes"]
    refuse = true

The level is the total of one person. Every field has a meaning, or the file is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from tightrope.characters import label_text, meant
from tightrope.choices import member_of
from tightrope.errors import BadInput, Infeasible
from tightrope.exact import stated, stated_whole
from tightrope.files import StrPath, read_form
from tightrope.surveys.bins import Bins, Outside
from tightrope.surveys.designs import NO_YES, answer_names
from tightrope.surveys.protection import stated_level
from tightrope.surveys.questions import Branch, Kind, SecondQuestion
from tightrope.surveys.study import NOT_ASKED, REFUSED, Split, Study, StudyQuestion
from tightrope.surveys.study_designs import TRIANGULAR

FIELDS = ("title", "about", "epsilon", "ratio", "delta", "split", "links", "questions")
QUESTION_FIELDS = (
    "key", "text", "kind", "answers", "sensitive", "scores", "bins", "outside", "unit", "second",
    "refuse", "not_asked", "ask_if", "clear", "design", "aim", "prevalence", "epsilon", "ratio",
    "delta", "share", "weight",
)
_SECOND = ("text", "prevalence")
_INSTEAD = {
    FIELDS: {**dict.fromkeys(("total", "eps", "budget"), "epsilon = 2"), "question":
             "[[questions]]", **dict.fromkeys(("groups", "group"), "links = { north = 700 }"),
             "name": "title"},
    QUESTION_FIELDS: {**dict.fromkeys(("question", "ask", "label"), "text"), "type": "kind",
                      **dict.fromkeys(("options", "choices", "values"), "answers"),
                      **dict.fromkeys(("if", "branch", "when"), 'ask_if = { q1 = ["yes"] }'),
                      **dict.fromkeys(("refused", "dont_know"), "refuse = true"),
                      "edges": "bins", "eps": "epsilon", "name": "key", "id": "key"},
    _SECOND: {"question": "text"},
}
"""Names that people try for a field, and ours."""


def read_study(given: StrPath | Mapping[str, Any] | Study) -> Study:
    """The study in a TOML or JSON file, or that a mapping states.

    Parameters
    ----------
    given
        The name of a file, a mapping with the fields of one, or a study.

    Returns
    -------
    Study, whose questions have no designs yet.

    Raises
    ------
    BadInput
        for what is no study; the sentence names the file, the question and the field.

    >>> asked = {"text": "Ever?", "refuse": True}
    >>> read_study({"title": "Work", "ratio": 3, "questions": [asked]}).questions[0].values
    ('no', 'yes', 'prefer not to say')
    """
    if isinstance(given, Study):
        return given
    if isinstance(given, Mapping):
        return study_of(given)
    if isinstance(given, str) and not Path(given).suffix and not Path(given).exists():
        raise BadInput(f"a study is a file, such as study.toml; there is no {given[:60]!r}.")
    form = read_form(given, Decimal, ', such as title = "Work" and [[questions]]')
    try:
        return study_of(form)
    except BadInput as wrong:
        raise BadInput(f"{given}: {wrong}") from None


def study_of(form: object) -> Study:
    """The study that a mapping states, such as the content of a TOML file."""
    if not isinstance(form, Mapping):
        raise BadInput("expected a study with a title, epsilon and questions.")
    _only(form, FIELDS, "the study")
    questions = form.get("questions")
    if not isinstance(questions, list | tuple) or not questions:
        raise BadInput('a study has questions: [[questions]] with text = "…".')
    keys = [part.get("key", f"q{place}") if isinstance(part, Mapping) else ""
            for place, part in enumerate(questions, start=1)]
    return Study(
        _text(form, "title", ""),
        tuple(_question_at(part, place, keys) for place, part in enumerate(questions, start=1)),
        stated_level(form.get("epsilon"), form.get("delta"), form.get("ratio")),
        _text(form, "about", ""),
        member_of(Split, form.get("split", "even"), "split"),
        _links(form.get("links")),
    )


def _question_at(form: object, place: int, keys: list[Any]) -> StudyQuestion:
    try:
        return _question(form, keys)
    except BadInput as wrong:
        raise BadInput(f"question {place}: {wrong}") from None


def _question(form: object, keys: list[Any]) -> StudyQuestion:
    if not isinstance(form, Mapping):
        raise BadInput('it is stated as [[questions]] with text = "…".')
    _only(form, QUESTION_FIELDS, "a question")
    if form.get("kind") == "triangular":
        raise Infeasible(TRIANGULAR)
    return StudyQuestion(
        _text(form, "text"), _answers(form),
        key=_text(form, "key", ""),
        kind=member_of(Kind, form.get("kind", "choice"), "kind of question"),
        sensitive=_names(form, "sensitive") if "sensitive" in form else None,
        scores=_numbers(form, "scores") if "scores" in form else None,
        bins=_bins(form),
        second=_second(form["second"]) if "second" in form else None,
        refused=_refusal_answer(form.get("refuse", False)),
        not_asked=_text(form, "not_asked", NOT_ASKED),
        branch=_branch(form["ask_if"], keys) if "ask_if" in form else None,
        clear=_flag(form, "clear"),
        design=_text(form, "design", "") or None,
        aim=_aim(form),
        prevalence=_shares(form),
        epsilon=stated_level(form.get("epsilon"), form.get("delta"), form.get("ratio")),
        share=_number(form, "share"),
        weight=_number(form, "weight") or Fraction("weight" not in form),
    )


def _answers(form: Mapping[str, Any]) -> tuple[str, ...]:
    """The answers as a list, or as a text such as never/once/often."""
    if "answers" not in form:
        return NO_YES
    if "bins" in form:
        raise BadInput("the answers of a numeric question are its bins: leave answers out.")
    if isinstance(form["answers"], str):
        return answer_names(form["answers"])
    answers = _names(form, "answers")
    if len(answers) < 2:
        raise BadInput("expected at least two answers, the harmless one first.")
    return answers


def _bins(form: Mapping[str, Any]) -> Bins | None:
    if "bins" not in form:
        if {"outside", "unit"} & set(form):
            raise BadInput("outside and unit are those of bins: bins = [0, 5, 10, 50].")
        return None
    outside = member_of(Outside, form.get("outside", "nearest"), "way with numbers outside")
    return Bins(_numbers(form, "bins"), outside, _text(form, "unit", ""))


def _second(form: object) -> SecondQuestion:
    if not isinstance(form, Mapping):
        raise BadInput('a second question is second = { text = "…", prevalence = [0.15, 0.18] }.')
    _only(form, _SECOND, "a second question")
    ends = form.get("prevalence")
    if not isinstance(ends, list | tuple) or len(ends) != 2:
        raise BadInput("the prevalence of a second question is an interval that is known to hold "
                       "it: prevalence = [0.15, 0.18].")
    low, high = _numbers(form, "prevalence")
    return SecondQuestion(_text(form, "text"), low, high)


def _branch(form: object, keys: list[Any]) -> Branch:
    if not isinstance(form, Mapping) or len(form) != 1:
        raise BadInput('a question is asked on one condition: ask_if = { q1 = ["yes"] }.')
    ((key, answers),) = form.items()
    if key not in keys:
        raise BadInput(f"there is no question {label_text(key)!r}{meant(str(key), map(str, keys))}"
                       "; ask_if names an earlier one by its key.")
    return Branch(str(key), (answers,) if isinstance(answers, str) else _names(form, str(key)))


def _aim(form: Mapping[str, Any]) -> str | tuple[Fraction, ...] | None:
    """The aim of the best design: a name, or weights of the answers."""
    if "aim" not in form or isinstance(form["aim"], str):
        return form.get("aim")
    return _numbers(form, "aim")


def _shares(form: Mapping[str, Any]) -> Fraction | tuple[Fraction, ...] | None:
    """The expected share of the second of two answers, or those of all values."""
    if isinstance(form.get("prevalence"), list | tuple):
        return _numbers(form, "prevalence")
    return _number(form, "prevalence")


def _refusal_answer(value: object) -> str | None:
    if value is False:
        return None
    if value is not True and (not isinstance(value, str) or not value.strip()):
        raise BadInput("refuse is true, or the words for it: refuse = \"prefer not to say\".")
    return REFUSED if value is True else str(value)


def _links(value: object) -> Mapping[str, int] | int | None:
    """How many links, or how many for each group."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        return stated_whole(value, "links as a whole number, or as { north = 700, south = 700 }")
    return {str(name): stated_whole(count, f"a whole number of links of {label_text(name)!r}")
            for name, count in value.items()}


def _text(form: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = form.get(name, default)
    if value is None:
        raise BadInput(f'{name} is missing: {name} = "…".')
    if not isinstance(value, str):
        raise BadInput(f'{name} is a text in quotes: {name} = "…".')
    return value


def _names(form: Mapping[str, Any], name: str) -> tuple[str, ...]:
    values = form[name]
    if not isinstance(values, list | tuple) or not all(isinstance(v, str) for v in values):
        raise BadInput(f'{name} is a list of texts in quotes, such as ["no", "yes"].')
    return tuple(values)


def _numbers(form: Mapping[str, Any], name: str) -> tuple[Fraction, ...]:
    values = form[name]
    if not isinstance(values, list | tuple):
        raise BadInput(f"{name} is a list of numbers.")
    return tuple(stated(value, f"{name} as a list of numbers") for value in values)


def _number(form: Mapping[str, Any], name: str) -> Fraction | None:
    return stated(form[name], f"a number for {name}") if name in form else None


def _flag(form: Mapping[str, Any], name: str) -> bool:
    value = form.get(name, False)
    if not isinstance(value, bool):
        raise BadInput(f"{name} is true or false.")
    return value


def _only(form: Mapping[Any, Any], known: tuple[str, ...], what: str) -> None:
    for name in form:
        if name not in known:
            ours = _INSTEAD.get(known, {}).get(name)
            near = meant(name, known) if ours is None else f" (write {ours})"
            raise BadInput(f"unknown field {label_text(name)!r} in {what}{near}; fields here: "
                           f"{', '.join(known)}.")
