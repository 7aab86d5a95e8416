"""A plan as a document that may be published whole, and what a stranger can prove of it.

It holds the declaration once, and for every question what a release holds: what was asked at which
level, the laws with their proofs, the answers and errors; beside these, answers that agree. All of
it but the drawn numbers and the entry's number, time and seal follows from the rest, so reading
composes the document again and compares; of total and known counts, the entry has the digest. Why a
question has its share is not in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from tightrope.declarations import Declaration
from tightrope.documents import content_of, digest_of
from tightrope.errors import BadDocument, BadInput, CannotCheck, NotIntact, Refused
from tightrope.exact import Level
from tightrope.facts import card_of, lines_of
from tightrope.files import StrPath, read_bytes
from tightrope.ledger import (
    Charge,
    Record,
    Scope,
    entry_from,
    forms_of,
    law_digest,
    level_form,
    level_from,
    seal_from,
)
from tightrope.releases.answered_plans import AnsweredPart, answered_parts
from tightrope.releases.known import MOST_KNOWN, Known
from tightrope.releases.plan_descriptions import published_facts
from tightrope.releases.plan_terms import MOST_QUESTIONS, PlanTerms
from tightrope.releases.planning import QuestionPlan
from tightrope.releases.publication import (
    ONLY_HOLDER,
    PLAN_FORMAT,
    PublishedRelease,
    asked_form,
    coded_answer,
    contradiction,
    drawn_numbers,
    errors_form,
    laws_of,
    other_charge,
    plan_from,
    question_code,
    reviewed,
)

VERSION = 1


def plan_charge(
    name: str, total: Level, plans: Sequence[QuestionPlan], known: Sequence[Known] = (),
    asker: str | None = None,
) -> Charge:
    """The one charge for all questions of a plan; its request is the name of the plan.

    Total and known counts are sealed with it: agreed answers rest on them.
    """
    laws = [law for plan in plans for law in laws_of(plan)]
    declaration = plans[0].declaration
    level = reduce(Level.__add__, (plan.level for plan in plans))
    return Charge(f"plan:{len(plans)}", Scope.of(declaration), level, forms_of(laws),
                  declaration.digest, name, law_digest(laws),
                  tuple((question_code(plan.question), plan.level) for plan in plans), asker,
                  digest_of(_asked_form(name, total, known)))


def charged_levels(entry: Record, terms: PlanTerms) -> list[Level]:
    """The levels of the questions of a plan that was charged: they stand for a split.

    `Refused` if the charge by this name was for other questions, total, known counts or shares.
    """
    parts = entry.body.get("parts") or []
    other = None
    if [part["question"] for part in parts] != [
            question_code(term.question) for term in terms.terms]:
        other = "with other questions"
    elif entry.body.get("terms") != digest_of(_asked_form(terms.name, terms.total, terms.known)):
        other = "with another total or other known counts"
    levels = [level_from(part["level"]) for part in parts]
    if other is None and any(
            term.delta != level.delta or term.epsilon not in (None, level.rational)
            for term, level in zip(terms.terms, levels, strict=True)):
        other = "with other fixed shares"
    if other is not None:
        raise Refused(f"{terms.name!r} was charged as entry {entry.number} {other}: give this plan "
                      "another name. Nothing was spent.")
    return levels


def composed_plan(
    name: str, total: Level, plans: Sequence[QuestionPlan], drawn: Mapping[str, Any],
    entry: Mapping[str, Any], head: str, known: Sequence[Known] = (),
) -> dict[str, Any]:
    """The document of a plan: what was asked, drawn and booked."""
    parts = answered_parts(plans, drawn["numbers"], known)
    document = {
        "format": PLAN_FORMAT,
        "version": VERSION,
        "declared": plans[0].declaration.as_json(),
        "asked": _asked_form(name, total, known),
        "parts": [_part_form(part) for part in parts],
        "drawn": dict(drawn),
        "entry": dict(entry),
        "head": head,
    }
    return {**document, "digest": digest_of(document)}


def _known(content: Mapping[str, Any]) -> tuple[Known, ...]:
    """The counts that a document states as public."""
    return tuple(map(Known.of, content["asked"].get("known", ())[:MOST_KNOWN]))


def _asked_form(name: str, total: Level, known: Sequence[Known]) -> dict[str, Any]:
    stated = {"known": [each.as_json() for each in known]} if known else {}
    return {"name": name, "total": level_form(total), **stated}


def _part_form(part: AnsweredPart) -> dict[str, Any]:
    form = {
        "asked": asked_form(part.plan),
        "laws": laws_of(part.plan),
        "answers": [coded_answer(answer) for answer in part.answers],
        "errors": errors_form(part.plan),
    }
    if part.agreed is not None:
        form["agreed"] = [coded_answer(replace(answer, adjusted=None, over_cuts=None))
                          for answer in part.agreed]
    return form


@dataclass(frozen=True)
class PublishedPlan:
    """A plan as a stranger reads it: what it says, and whether that holds together.

    `holds` is False if some part contradicts another, for the `reason` given, and True if all
    that a document can prove was proved; `only_holder` is what only the holder of the data knows.
    """

    content: Mapping[str, Any]
    parts: tuple[AnsweredPart, ...]
    intact: bool
    reason: str | None

    @property
    def name(self) -> str:
        """The name of the plan."""
        return str(self.content["asked"]["name"])

    @property
    def known(self) -> tuple[Known, ...]:
        """The counts that it states as public."""
        return _known(self.content)

    @property
    def level(self) -> Level:
        """The level of all answers together."""
        return reduce(Level.__add__, (part.plan.level for part in self.parts))

    @property
    def declaration(self) -> Declaration:
        """The declaration of the table."""
        return self.parts[0].plan.declaration

    @property
    def holds(self) -> bool:
        """Whether all that a document can prove was proved."""
        return self.reason is None and self.intact

    @property
    def checked(self) -> tuple[str, ...]:
        """The facts that were proved, in words."""
        if not self.holds:
            return ()
        return (
            f"the mechanisms of {len(self.parts)} questions, proved again, at {self.level} in all",
            "that these are the laws that questions, declaration and levels ask for",
            "that answers, agreed ones and intervals follow from what was drawn",
            f"that entry {self.content['entry']['number']} states these questions, mechanisms and "
            "the charge for all of them",
        )

    @property
    def only_holder(self) -> tuple[str, ...]:
        """Facts that only those who hold data and ledger can know."""
        return ONLY_HOLDER if self.holds else ()

    facts = published_facts
    __repr__ = lines_of
    _repr_html_ = card_of


def read_plan(path: StrPath) -> PublishedPlan:
    """A plan from a file, everything in it proved again that a document can prove.

    Raises `BadDocument` for what is no plan of this version.
    """
    try:
        return review_plan(content_of(read_bytes(path)))
    except BadDocument as bad:
        raise BadDocument(f"{path}: {bad}", path=str(path)) from None


def published_of(raw: bytes, path: StrPath) -> PublishedRelease | PublishedPlan:
    """The release or plan that the bytes of a file hold, everything in it proved again."""
    try:
        content = content_of(raw)
        return review_plan(content) if content.get("format") == PLAN_FORMAT else reviewed(content)
    except BadDocument as bad:
        raise BadDocument(f"{path}: {bad}", path=str(path)) from None


def review_plan(content: Mapping[str, Any]) -> PublishedPlan:
    """Judge the document of a plan by itself."""
    if content.get("format") != PLAN_FORMAT or type(content.get("version")) is not int or (
            content["version"] != VERSION):
        raise BadDocument(f"expected a document with format {PLAN_FORMAT!r}, version {VERSION}.")
    intact = content.get("digest") == digest_of(content)
    try:
        plans = _plans(content)
        entry, drawn = entry_from(content["entry"]), _drawn(content["drawn"], plans)
        name, total = content["asked"]["name"], level_from(content["asked"]["total"])
        known = _known(content)
        expected = composed_plan(name, total, plans, drawn, entry.as_json(),
                                 seal_from(content["head"]), known)
        charge = plan_charge(name, total, plans, known, entry.body.get("asker"))
        reason = _reason(content, expected) or other_charge(entry, charge)
        if reason is None and (charge.level.compare_level(total) > 0
                               or charge.level.delta > total.delta):
            reason = "its questions take more than its total"
        return PublishedPlan(content, answered_parts(plans, drawn["numbers"], known), intact,
                             reason)
    except (BadInput, CannotCheck, KeyError, TypeError, ValueError, IndexError, AttributeError,
            AssertionError, ArithmeticError, RecursionError) as error:
        if not intact:
            raise NotIntact(str(content.get("digest")), digest_of(content)) from error
        why = str(error) if isinstance(error, BadInput) else "a part is missing or misshapen."
        raise BadDocument(f"the plan cannot be read: {why}") from None


def _plans(content: Mapping[str, Any]) -> list[QuestionPlan]:
    """The plans of all questions, made anew; a table in them is proved again."""
    declaration, parts = Declaration.of(content["declared"]), content["parts"]
    if not isinstance(parts, list) or not 0 < len(parts) <= MOST_QUESTIONS:
        raise BadDocument(f"it has no list of up to {MOST_QUESTIONS} parts.")
    return [plan_from(part["asked"], declaration, part["laws"]) for part in parts]


def _drawn(form: Any, plans: Sequence[QuestionPlan]) -> dict[str, Any]:
    if {*form} != {"numbers"} or len(form["numbers"]) != len(plans):
        raise BadDocument("what was drawn is not of as many questions as the plan has.")
    return {"numbers": [drawn_numbers({"numbers": rows}, plan)["numbers"]
                        for rows, plan in zip(form["numbers"], plans, strict=True)]}


def _reason(content: Mapping[str, Any], expected: Mapping[str, Any]) -> str | None:
    """The first thing that a document says and that does not follow from the rest of it."""
    for number, (part, other) in enumerate(
            zip(content["parts"], expected["parts"], strict=True), start=1):
        reason = contradiction(part, other)
        if reason is not None:
            return f"of question {number}, {reason}"
    return contradiction(content, expected)
