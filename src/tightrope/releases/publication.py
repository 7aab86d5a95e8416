"""A release as a document that may be published whole, and what a stranger can prove of it.

It holds what was declared and asked, the law that was drawn from with its proof, what was drawn,
the answers with their intervals, and the entry of the ledger: codes and numbers, no sentences, so
that words may change. Everything but the drawn numbers and the entry's number, time and seal
follows from the rest, so reading composes the document again and compares: a field that was
changed by itself is found, with or without a fitting digest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING, Any

from tightrope.declarations import Declaration
from tightrope.documents import compose, content_of, digest_of
from tightrope.errors import AnswerIsNo, BadDocument, BadInput, CannotCheck, NotIntact
from tightrope.exact import tolerances
from tightrope.facts import card_of, lines_of
from tightrope.files import StrPath, read_bytes, says_format
from tightrope.ledger import (
    AROUND_DATA,
    Charge,
    Record,
    Scope,
    entry_from,
    forms_of,
    law_digest,
    level_form,
    level_from,
    seal_from,
    spent_from,
)
from tightrope.releases.answers import Answer, Margin, answers
from tightrope.releases.descriptions import verdict_facts
from tightrope.releases.keys import check_entries
from tightrope.releases.planning import QuestionPlan, plan_release
from tightrope.releases.questions import Question

if TYPE_CHECKING:
    pass

FORMAT, PLAN_FORMAT = "tightrope/release", "tightrope/plan"
VERSION = 2
ONLY_HOLDER = (
    "that the entry is in a ledger whose lines all follow, and was not superseded: whoever holds "
    "ledger and key runs tightrope ledger verify --release",
    AROUND_DATA,
)
"""Facts that a document alone cannot prove."""
_IN_DOUBLES = frozenset({"expected_error", "worst_error"})
"""Fields whose last digits depend on the machine that wrote them."""


def charge_of(
    plan: QuestionPlan, request: str | None = None, asker: str | None = None
) -> Charge:
    """The charge for a plan, as the ledger books it; nothing of the data is in it."""
    laws = laws_of(plan)
    return Charge(question_code(plan.question), Scope.of(plan.declaration), plan.level,
                  forms_of(laws), plan.declaration.digest, request, law_digest(laws), asker=asker)


def question_code(question: Question) -> str:
    """The question as a charge states it: its text, after a code if an optimum is asked for."""
    aim = question.optimal
    code = "" if aim is None else f"optimal:{aim if isinstance(aim, str) else 'weights'} "
    return code + question.text


def laws_of(plan: QuestionPlan) -> list[dict[str, Any]]:
    """The documents of the mechanisms that a plan draws from."""
    return [compose(part.certified, optimality=part.optimality) for part in plan.subqueries]


def composed(
    plan: QuestionPlan, drawn: Mapping[str, Any], entry: Mapping[str, Any], head: str
) -> dict[str, Any]:
    """The document of a release: what was planned, drawn and booked."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "declared": plan.declaration.as_json(),
        "asked": asked_form(plan),
        "laws": laws_of(plan),
        "drawn": dict(drawn),
        "answers": [coded_answer(answer) for answer in answers(plan, drawn["numbers"])],
        "errors": errors_form(plan),
        "entry": dict(entry),
        "head": head,
    }
    return {**document, "digest": digest_of(document)}


def asked_form(plan: QuestionPlan) -> dict[str, Any]:
    """The question as its text, with level and confidence exactly; `plan_from` reads it."""
    asked = plan.question
    return {"question": asked.text,
            "optimal": list(asked.optimal) if isinstance(asked.optimal, tuple) else asked.optimal,
            "adjusted": asked.adjusted, "level": level_form(plan.level),
            "confidence": str(plan.confidence)}


def coded_answer(answer: Answer) -> dict[str, Any]:
    """An answer as a document holds it: null stands for all cells of a column, in margins."""
    cell = [None if isinstance(part, Margin) else part for part in answer.cell]
    return {**answer.as_json(), "cell": cell}


def errors_form(plan: QuestionPlan) -> dict[str, Any]:
    """The errors as numbers; sums are those of margins, the first column's first, and totals."""
    numbers = {"expected_error": plan.error, "worst_error": plan.worst_error,
               "within": plan.width, "within_together": plan.together}
    return {
        **{name: None if number is None else float(number) for name, number in numbers.items()},
        "sums": [{"cells": each.terms, "expected_error": float(each.error),
                  "within": float(each.width)} for each in plan.sums],
    }


@dataclass(frozen=True)
class PublishedRelease:
    """A release as a stranger reads it: what it says, and whether that holds together.

    `holds` is False if some part contradicts another, for the `reason` given, and True if all
    that a document can prove was proved; `only_holder` is what only the holder of the data knows.
    """

    content: Mapping[str, Any]
    plan: QuestionPlan
    answers: tuple[Answer, ...]
    intact: bool
    reason: str | None

    @property
    def holds(self) -> bool:
        """Whether all that a document can prove was proved."""
        return self.reason is None and self.intact

    @property
    def checked(self) -> tuple[str, ...]:
        """The facts that were proved, in words."""
        if not self.holds:
            return ()
        number = self.content["entry"]["number"]
        return (
            f"the mechanism, proved again: {self.plan.mechanism} at {self.plan.level}",
            "that this is the law that question, declaration and level ask for",
            "that answers and intervals follow from what was drawn",
            f"that entry {number} states this question, mechanism and charge",
        )

    @property
    def only_holder(self) -> tuple[str, ...]:
        """Facts that only those who hold data and ledger can know."""
        return ONLY_HOLDER if self.holds else ()

    facts = verdict_facts
    __repr__ = lines_of
    _repr_html_ = card_of


def is_release(path: StrPath) -> bool:
    """Whether a file says that it is a release, or a plan of several."""
    return says_format(path, FORMAT, PLAN_FORMAT)


def is_plan(path: StrPath) -> bool:
    """Whether a file says that it is a plan."""
    return says_format(path, PLAN_FORMAT)


def read_release(path: StrPath) -> PublishedRelease:
    """A release from a file, everything in it proved again that a document can prove.

    Raises `BadDocument` for what is no release of this version.
    """
    try:
        return reviewed(content_of(read_bytes(path)))
    except BadDocument as bad:
        raise BadDocument(f"{path}: {bad}", path=str(path)) from None


def release_content(path: StrPath) -> Mapping[str, Any]:
    """The document of a release or plan that does not contradict itself; else `AnswerIsNo`."""
    from tightrope.releases.plan_documents import PublishedPlan, read_plan

    published: PublishedPlan | PublishedRelease = read_plan(path) if is_plan(path) else (
        read_release(path))
    if not published.holds:
        reason = published.reason or "its digest does not fit"
        raise AnswerIsNo(f"{path} was changed: {reason}.")
    return published.content


def reviewed(content: Mapping[str, Any]) -> PublishedRelease:
    """Judge the document of a release by itself."""
    version = content.get("version")
    if content.get("format") != FORMAT or type(version) is not int or version > VERSION:
        raise BadDocument(f"expected a document with format {FORMAT!r}, version {VERSION}.")
    if version < VERSION:
        raise BadDocument("the release is older than 0.2.0 and is not read any more.")
    intact = content.get("digest") == digest_of(content)
    try:
        plan = plan_from(content["asked"], Declaration.of(content["declared"]), content["laws"])
        entry, drawn = entry_from(content["entry"]), drawn_numbers(content["drawn"], plan)
        expected = composed(plan, drawn, entry.as_json(), seal_from(content["head"]))
        reason = contradiction(content, expected) or other_charge(
            entry, charge_of(plan, entry.body["request"], entry.body.get("asker")))
        return PublishedRelease(content, plan, answers(plan, drawn["numbers"]), intact, reason)
    except (BadInput, CannotCheck, KeyError, TypeError, ValueError, IndexError, AttributeError,
            AssertionError, ArithmeticError, RecursionError) as error:
        if not intact:
            raise NotIntact(str(content.get("digest")), digest_of(content)) from error
        why = str(error) if isinstance(error, BadInput) else "a part is missing or misshapen."
        raise BadDocument(f"the release cannot be read: {why}") from None


def plan_from(asked: Mapping[str, Any], declaration: Declaration, laws: Any) -> QuestionPlan:
    """The plan of what a document says was asked, made anew; a table in it is proved again."""
    question = Question.read(asked["question"], optimal=asked["optimal"],
                             adjusted=asked["adjusted"])
    return plan_release(question, declaration, level_from(asked["level"]), asked["confidence"],
                        laws=_listed(laws))


def drawn_numbers(form: Any, plan: QuestionPlan) -> dict[str, list[list[Any]]]:
    """The whole numbers that were drawn, as many as each law has.

    So a short document asks for little: a declaration of a line can mean millions of cells.
    """
    rows = form["numbers"]
    if plan.keys is not None:
        if {*form} != {"numbers"} or len(rows) != 1:
            raise BadDocument("what was drawn is one list of keys.")
        check_entries(plan, rows[0])
        return {"numbers": rows}
    if {*form} != {"numbers"} or not all(
            isinstance(row, list) and all(type(number) is int for number in row) for row in rows):
        raise BadDocument("what was drawn are lists of whole numbers.")
    if [len(row) for row in rows] != [part.drawn for part in plan.subqueries]:
        raise BadDocument("what was drawn are not as many numbers as its question has.")
    return {"numbers": rows}


def _listed(laws: Any) -> list[Mapping[str, Any]]:
    if not isinstance(laws, list) or not laws:
        raise BadDocument("it has no list of laws.")
    return laws


def contradiction(content: Mapping[str, Any], expected: Mapping[str, Any]) -> str | None:
    """The first thing that a document says and that does not follow from the rest of it."""
    if {*content} != {*expected}:
        return "it has other fields than a release"
    if _written(content.get("laws")) != _written(expected.get("laws")):
        return "its law is not the one that question, declaration and level ask for"
    for name in expected:
        if name != "digest" and not _same(content[name], expected[name]):
            return f"what it states as {name} does not follow from the rest of it"
    return None


def other_charge(entry: Record, charge: Charge) -> str | None:
    """The first thing that an entry states otherwise than the charge that it was booked for."""
    if entry.kind != "charge":
        return "its entry is no charge"
    if charge.terms is not None and "terms" not in entry.body:
        return "its entry does not seal its total and known counts (terms)"
    for name, value in {"parts": None, "terms": None, **charge.as_json()}.items():
        if _written(entry.body.get(name)) != _written(value):
            return f"its entry states another {name}"
    sums = [entry.body[name] for name in ("spent", "asker_spent") if name in entry.body]
    if not all(spent_from(spent).covers(charge.level) for spent in sums):
        return "its entry says that less was spent than it charges"
    return None


def _same(own: object, other: object, name: str = "") -> bool:
    """Whether both are written alike, but for the last digits of errors in doubles."""
    if _written(own) == _written(other):
        return True
    if isinstance(own, Mapping) and isinstance(other, Mapping):
        return {*own} == {*other} and all(_same(own[key], other[key], key) for key in own)
    if isinstance(own, list) and isinstance(other, list):
        return len(own) == len(other) and all(
            _same(first, second, name) for first, second in zip(own, other, strict=True))
    return (name in _IN_DOUBLES and isinstance(own, float) and isinstance(other, float)
            and isclose(own, other, rel_tol=tolerances.WRITTEN_ERROR))


def _written(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
