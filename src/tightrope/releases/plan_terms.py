"""The terms of a plan: its questions, their total, and what is said of each share.

    name = "2026 spring"
    total = { epsilon = 2 }
    aim = "largest"
    [[questions]]
    ask = "count by sex"
    within = 50

A question with a fixed `share` or `epsilon` keeps it. One with `within` or `weight` takes part in
the split. One of which nothing is said has an equal share of what fixed shares leave.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any

from tightrope.characters import label_text, meant, refuse_controls
from tightrope.choices import member_of
from tightrope.errors import BadInput
from tightrope.exact import Level, stated
from tightrope.files import StrPath, read_form
from tightrope.releases.known import MOST_KNOWN, Known
from tightrope.releases.planning import CONFIDENCE
from tightrope.releases.questions import Question, question_of
from tightrope.utility import Aim

MOST_QUESTIONS = 200
"""Questions of one plan: the split stays within seconds."""

LONGEST_NAME = 200
"""Characters of a plan's name: ledgers and reports show it whole."""

FARTHEST = Fraction(10) ** 50
"""Wanted errors and weights lie between this and its inverse, so that costs are doubles."""

_PLAN = ("name", "total", "aim", "confidence", "questions", "known")
_TOTAL = ("epsilon", "delta")
_KNOWN = ("ask", "cell", "value")
_QUESTION = ("ask", "within", "weight", "share", "epsilon", "delta", "optimal", "adjusted")
_INSTEAD = {
    _PLAN: {**dict.fromkeys(("epsilon", "eps", "budget"), "total = { epsilon = 2 }"),
            "delta": "total = { epsilon = 2, delta = 1e-9 }", "question": "[[questions]]"},
    _QUESTION: {**dict.fromkeys(("question", "query", "text"), "ask"), "eps": "epsilon",
                **dict.fromkeys(("error", "accuracy", "width"), "within"), "part": "share"},
}
"""Names that people try for a field, and ours."""


@dataclass(frozen=True)
class Term:
    """One question of a plan, and what is said of its share.

    `within` is the wanted 95 % error, `weight` how much its error counts beside others.
    """

    question: Question
    within: Fraction | None = None
    weight: Fraction | None = None
    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)

    @property
    def is_split(self) -> bool:
        """Whether its share is found by the split."""
        return self.epsilon is None and (self.within is not None or self.weight is not None)


@dataclass(frozen=True)
class PlanTerms:
    """A plan as it is stated, before the split."""

    name: str
    total: Level
    terms: tuple[Term, ...]
    aim: Aim = Aim.LARGEST
    confidence: Fraction = CONFIDENCE
    known: tuple[Known, ...] = ()


def read_terms(
    given: StrPath | Mapping[str, Any] | Sequence[Any] | PlanTerms, **stated_beside: Any
) -> PlanTerms:
    """The terms in a TOML or JSON file, a mapping, or a list of questions.

    What is stated beside them, such as a total, stands for fields that they do not have.
    """
    if isinstance(given, PlanTerms):
        return given
    if isinstance(given, str) and not Path(given).suffix and not Path(given).exists():
        raise BadInput("a plan is a file, year.toml, or a list of questions: "
                       f'["{label_text(given)}"].')
    if isinstance(given, str | PathLike):
        form: Any = read_form(given, Decimal, ', such as total = { epsilon = 2 } and [[questions]]')
        where = f"{given}: "
    else:
        form = given if isinstance(given, Mapping) else {"questions": given}
        where = ""
    try:
        return terms_of(form, **stated_beside)
    except BadInput as wrong:
        raise BadInput(f"{where}{wrong}") from None


def terms_of(form: object, **stated_beside: Any) -> PlanTerms:
    """The terms that a mapping states, such as the content of a TOML file."""
    if not isinstance(form, Mapping):
        raise BadInput("expected a plan with a name, a total and questions.")
    beside = {name: value for name, value in stated_beside.items() if value is not None}
    twice = next((name for name in beside if name in form), None)
    if twice is not None:
        raise BadInput(f"the plan states its {twice}; do not state it again.")
    form = {**form, **beside}
    _only(form, _PLAN, "the plan")
    name = form.get("name")
    if not isinstance(name, str) or not name.strip():
        raise BadInput('a plan has a name, by which it is completed if it is interrupted: '
                       'name = "2026 spring".')
    refuse_controls(name, "the name of a plan", BadInput)
    if len(name) > LONGEST_NAME:
        raise BadInput(f"the name of a plan has at most {LONGEST_NAME} characters, found "
                       f"{len(name):,}.")
    total, questions = _total(form.get("total")), form.get("questions")
    if not isinstance(questions, list | tuple) or not questions:
        raise BadInput('a plan has questions: [[questions]] with ask = "count by sex".')
    if len(questions) > MOST_QUESTIONS:
        raise BadInput(f"a plan has at most {MOST_QUESTIONS} questions, found {len(questions)}.")
    sure = stated(form.get("confidence", CONFIDENCE), "a confidence")
    if not 0 < sure < 1:
        raise BadInput("expected a confidence between 0 and 1.")
    terms = tuple(_term(part, place, total) for place, part in enumerate(questions, start=1))
    known = form.get("known", ())
    if not isinstance(known, list | tuple) or len(known) > MOST_KNOWN:
        raise BadInput(f"what is known is a list of at most {MOST_KNOWN} tables: [[known]].")
    return PlanTerms(name, total, terms, member_of(Aim, form.get("aim", "largest"), "aim"), sure,
                     tuple(_known(part, place) for place, part in enumerate(known, start=1)))


def _known(form: object, place: int) -> Known:
    if not isinstance(form, Mapping):
        raise BadInput(f'known {place} is stated as [[known]] with ask = "count" and value = 500.')
    try:
        _only(form, _KNOWN, "what is known")
        for name in ("ask", "value"):
            if name not in form:
                raise BadInput('say which count is known, and its value: ask = "count" and '
                               "value = 500.")
        return Known(question_of(form["ask"]), form.get("cell", ()), form["value"])
    except BadInput as wrong:
        raise BadInput(f"known {place}: {wrong}") from None


def _total(form: object) -> Level:
    if not isinstance(form, Mapping):
        shown = "none" if form is None else label_text(form)
        raise BadInput(f"expected the total of a plan as total = {{ epsilon = 2 }}, found {shown}.")
    _only(form, _TOTAL, "the total")
    if "epsilon" not in form:
        raise BadInput("the total of a plan states its ε: total = { epsilon = 2 }.")
    stated_level = form["epsilon"]
    level = Level.positive(stated_level if isinstance(stated_level, Level) else stated(
        stated_level, "ε of the total, as a decimal"))
    return level.with_delta(stated(form["delta"], "δ of the total")) if "delta" in form else level


def _term(form: object, place: int, total: Level) -> Term:
    if isinstance(form, str | Question):
        form = {"ask": form}
    if not isinstance(form, Mapping):
        raise BadInput(f'question {place} is stated as [[questions]] with ask = "count by sex".')
    try:
        _only(form, _QUESTION, "a question of a plan")
        if "ask" not in form:
            raise BadInput('say what is asked: ask = "count by sex".')
        asked = question_of(form["ask"])
        if "optimal" in form or "adjusted" in form:
            asked = Question.read(asked.text, optimal=form.get("optimal"),
                                  adjusted=form.get("adjusted", False))
        term = Term(asked, _factor(form, "within"), _factor(form, "weight"),
                    _fixed(form, total), stated(form.get("delta", 0), "δ of a question"))
        if term.is_split and asked.optimal is not None:
            raise BadInput("an optimum has a share or epsilon of its own, or an equal share: leave "
                           "out within and weight.")
        return term
    except BadInput as wrong:
        raise BadInput(f"question {place}: {wrong}") from None


def _fixed(form: Mapping[str, Any], total: Level) -> Fraction | None:
    """The fixed ε of a question, None if it has none."""
    stated_fields = [name for name in ("share", "epsilon") if name in form]
    if not stated_fields:
        return None
    others = [name for name in ("within", "weight", *stated_fields[1:]) if name in form]
    if others:
        raise BadInput(f"it states {stated_fields[0]} and {others[0]}: one of them decides on its "
                       "share.")
    value = _above_zero(form, stated_fields[0])
    assert value is not None
    if stated_fields == ["epsilon"]:
        return value
    if value > 1:
        raise BadInput("a share is a part of the total, at most 1; epsilon states a level.")
    return value * total.rational


def _above_zero(form: Mapping[str, Any], name: str) -> Fraction | None:
    if name not in form:
        return None
    value = stated(form[name], f"a number for {name}")
    if value <= 0:
        raise BadInput(f"expected a number above 0 for {name}.")
    return value


def _factor(form: Mapping[str, Any], name: str) -> Fraction | None:
    value = _above_zero(form, name)
    if value is not None and not 1 / FARTHEST <= value <= FARTHEST:
        raise BadInput(f"expected a number from 1e-50 to 1e50 for {name}.")
    return value


def _only(form: Mapping[Any, Any], known: Sequence[str], what: str) -> None:
    for name in form:
        if name not in known:
            ours = _INSTEAD.get(tuple(known), {}).get(name)
            near = meant(name, known) if ours is None else f" (write {ours})"
            raise BadInput(f"unknown field {label_text(name)!r} in {what}{near}; fields here: "
                           f"{', '.join(known)}.")
