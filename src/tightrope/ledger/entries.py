"""The books as values: budgets, charges and answers, each bound to all that came before.

Every record is a line of canonical JSON. Its seal is an HMAC of the line and of the seal before,
so that no record can be changed, moved or taken out of the middle without the key; the last seal
is the head, and whoever kept a head can tell that nothing before it was cut off.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tightrope.characters import counted
from tightrope.declarations import Declaration
from tightrope.errors import BadDocument, BadInput
from tightrope.exact import Level, Number
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.files import StrPath
from tightrope.ledger.people import Person, people_table, person_name
from tightrope.ledger.scopes import Scope, check_code, check_line
from tightrope.ledger.sums import Spent, level_form, level_from, spent_from
from tightrope.markup import brief

VERSION = 2
"""Of the records: from version 2 on they hold codes and numbers, no sentences."""

_LONGEST_REASON = 500
START = "0" * 64
"""The seal before the first record."""


_TIME = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\+00:00", re.ASCII)
_SEAL, _LAW = re.compile(r"[0-9a-f]{64}"), re.compile(r"sha256:[0-9a-f]{64}")
_FORMS = re.compile(r"[a-z-]+(,[a-z-]+)*")


class Kind(StrEnum):
    """The kinds of records."""

    BUDGET = "budget"
    PERSON = "person"
    CHARGE = "charge"
    ANSWER = "answer"
    SUPERSEDE = "supersede"


@dataclass(frozen=True)
class Budget:
    """The most that may be spent on a dataset, and whom it protects.

    >>> votes = {"dataset": "votes",
    ...          "columns": {"vote": {"type": "category", "values": ["no", "yes"]}}}
    >>> Budget.of("2026", votes, epsilon=1).scope.shown
    'dataset votes; unit row; neighbors add-remove; metric units that differ'
    """

    name: str
    scope: Scope
    level: Level

    def __post_init__(self) -> None:
        check_line(self.name, "the name of a budget")
        object.__setattr__(self, "level", Level.positive(self.level))

    @classmethod
    def of(
        cls,
        name: str,
        declaration: StrPath | Declaration | Mapping[str, Any] | Scope,
        epsilon: Level | Number,
        delta: Number | None = None,
    ) -> Budget:
        """A budget for the units of a declaration or its file, or for a scope as it is stated."""
        from tightrope.files import read_declaration

        level = Level.positive(epsilon)
        scope = declaration if isinstance(declaration, Scope) else (
            Scope.of(read_declaration(declaration)))
        return cls(name, scope, level if delta is None else level.with_delta(delta))

    def as_json(self) -> dict[str, Any]:
        """The budget as its record holds it."""
        return {"budget": self.name, "scope": self.scope.as_json(),
                "level": level_form(self.level)}


@dataclass(frozen=True)
class Charge:
    """One release before it is made: what is asked, of whom, at which level, by what mechanism.

    Everything here follows from declarations; a charge never holds anything of the data. The
    question is its text or a code such as `degrees:40`; mechanisms are named by their forms.
    `request` is a name that the caller chose, by which the same request is known again; `law`
    is the digest of the documents of the mechanisms that are drawn from. `parts` are the questions
    of a plan, each with its level; the level of the charge is that of all together. `terms` is the
    digest of what else a plan states. `asker` is who asks, one of the people that the budget names.
    """

    question: str
    scope: Scope
    level: Level
    mechanism: str
    declaration: str | None = None
    request: str | None = None
    law: str | None = None
    parts: tuple[tuple[str, Level], ...] = ()
    asker: str | None = None
    terms: str | None = None

    def __post_init__(self) -> None:
        for question in (self.question, *(question for question, _ in self.parts)):
            check_line(question, "the question of a charge")
        check_code(self.mechanism, "the mechanism of a charge", _FORMS, "tally")
        if self.request is not None:
            check_line(self.request, "the name of a request")
        if self.asker is not None:
            object.__setattr__(self, "asker", person_name(self.asker))
        object.__setattr__(self, "level", Level.positive(self.level))

    def as_json(self) -> dict[str, Any]:
        """The charge as its record holds it; one that names nobody has no field for it."""
        return {
            "question": self.question,
            "scope": self.scope.as_json(),
            "level": level_form(self.level),
            "mechanism": self.mechanism,
            "declaration": self.declaration,
            "request": self.request,
            "law": self.law,
            **({"parts": [{"question": question, "level": level_form(level)}
                          for question, level in self.parts]} if self.parts else {}),
            **({} if self.terms is None else {"terms": self.terms}),
            **({} if self.asker is None else {"asker": self.asker}),
        }


@dataclass(frozen=True)
class Record:
    """A line of the books: its number, kind, budget, time, content, and seal."""

    number: int
    kind: Kind
    budget: str
    time: str
    body: Mapping[str, Any]
    seal: str

    __repr__ = brief

    @property
    def line(self) -> bytes:
        """The bytes that the seal covers."""
        return canonical(self.number, self.kind, self.budget, self.time, self.body)

    def as_json(self) -> dict[str, Any]:
        """The record as it is exported."""
        return {"number": self.number, "kind": self.kind.value, "budget": self.budget,
                "time": self.time, **self.body, "seal": self.seal}


@dataclass(frozen=True)
class Superseded:
    """A release that stands no longer, why, and the entry of the one in its place, if any."""

    entry: int
    by: int | None
    reason: str

    def __post_init__(self) -> None:
        check_line(self.reason, "the reason")
        if len(self.reason) > _LONGEST_REASON:
            raise BadInput(f"the reason has at most {_LONGEST_REASON:,} characters.")

    @property
    def state(self) -> str:
        """The release as it stands, in few words."""
        return "withdrawn" if self.by is None else f"see {self.by}"

    @property
    def shown(self) -> str:
        """The state of the release, and the reason, in words."""
        other = "withdrawn" if self.by is None else f"superseded by entry {self.by}"
        return f"entry {self.entry} was {other}: {self.reason}"

    def as_json(self) -> dict[str, Any]:
        """The body of its record."""
        return {"entry": self.entry, "by": self.by, "reason": self.reason}


def superseded_from(record: Record) -> Superseded:
    """The release that a record supersedes."""
    return Superseded(record.body["entry"], record.body["by"], record.body["reason"])


@dataclass(frozen=True)
class Balance:
    """A budget with what was spent of it, in all and by each person that it names."""

    budget: Budget
    spent: Spent
    charges: int
    unanswered: int
    people: tuple[Person, ...] = ()

    @property
    def remaining(self) -> str:
        """The rest of the budget in words: exact where ε is a decimal, else from below."""
        return self.spent.left_of(self.budget.level)

    def facts(self) -> Facts:
        """Whom the budget protects, its level, what was spent and what is left, of each person."""
        budget, spent = self.budget, self.spent
        return Facts(
            "Budget", budget.name,
            (
                Fact("remaining", "left", self.remaining),
                Fact(None, "spent", f"{spent.shown} in {counted(self.charges, 'charge')}"),
                Fact(None, "in all", budget.level),
                Fact(None, "protects", budget.scope.shown),
                Fact("unanswered", "unanswered" if self.unanswered else None, self.unanswered,
                     meaning="what was charged stays spent"),
                *data(**budget.as_json(), epsilon=float(budget.level),
                      delta=float(budget.level.delta),
                      spent=0.0 if spent.epsilon is None else float(spent.epsilon),
                      spent_delta=float(spent.delta), charges=self.charges, people=self.people),
                *((people_table(self.people),) if self.people else ()),
            ),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@dataclass(frozen=True)
class Booked:
    """An answer with its entry in the books.

    `again` says that the answer had been given before: it cost nothing now.
    """

    answer: Mapping[str, Any]
    entry: Record
    head: str
    remaining: str
    again: bool = False
    asker_remaining: str | None = None
    superseded: Superseded | None = None

    __repr__ = brief

    def as_json(self) -> dict[str, Any]:
        """The entry, the head and what is left, as JSON has them."""
        return {"entry": self.entry.as_json(), "head": self.head, "remaining": self.remaining,
                "again": self.again, "asker_remaining": self.asker_remaining,
                "superseded": self.superseded}


def booked_fact(booked: Booked | None) -> Fact:
    """The entry of an answer in the books, or that nothing was booked."""
    if booked is None:
        return Fact("booked", "books", Shown(None, "Nothing was booked."))
    asker, free = booked.entry.body.get("asker"), ", given again for free" if booked.again else ""
    who, own = ("", "") if asker is None else (
        f" for {asker}", f" in all, {booked.asker_remaining} of {asker}'s")
    return Fact("booked", "books", Shown(
        booked, f"Booked as entry {booked.entry.number} of {booked.entry.budget}{who}{free}; "
        f"{booked.remaining} left{own}."
        + ("" if booked.superseded is None else f" Note: {booked.superseded.shown}.")))


def level_of(record: Record) -> Level:
    """The level that a record states: of a charge, or of a budget."""
    return level_from(record.body["level"])


def entry_from(form: object) -> Record:
    """The record of a charge as a release prints it; `BadDocument` unless every field has its type.

    A field of another type could say anything where it is printed.
    """
    try:
        body = dict(form)  # type: ignore[call-overload]
        number, kind, budget, time, seal = (
            body.pop(name) for name in ("number", "kind", "budget", "time", "seal"))
        spent = spent_from(body.pop("spent"))
        parts = tuple((part["question"], level_from(part["level"]))
                      for part in body.pop("parts", ()))
        own = spent_from(body.pop("asker_spent")) if body.get("asker") is not None else None
        charge = Charge(**{**body, "scope": Scope(**body["scope"]),
                           "level": level_from(body["level"]), "parts": parts})
        check_line(budget, "the name of a budget")
        fits = (type(number) is int and number > 1  # the first record is a budget
                and spent.epsilon is not None
                and (own is None or (own.epsilon is not None and charge.asker == body["asker"]))
                and all(isinstance(text, str) and pattern.fullmatch(text) for pattern, text in (
                    (_TIME, time), (_SEAL, seal), (_SEAL, charge.declaration),
                    (_LAW, charge.law), (_LAW, body.get("terms", charge.law)))))
        if not fits:
            raise ValueError(number)
        return Record(number, Kind(kind), budget, time,
                      charged(charge, spent, own), seal)
    except (BadInput, KeyError, TypeError, ValueError):
        raise BadDocument("the entry is not written as a ledger writes one.") from None


def charged(charge: Charge, spent: Spent, own: Spent | None) -> dict[str, Any]:
    """The body of a charge: what is spent after it, and by its asker if somebody asks."""
    return {**charge.as_json(), "spent": spent.as_json(),
            **({} if own is None else {"asker_spent": own.as_json()})}


def record_from(form: Mapping[str, Any]) -> Record:
    """A record as it is exported; `BadDocument` for anything else."""
    try:
        body = dict(form)
        number, kind, budget, time, seal = (
            body.pop(name) for name in ("number", "kind", "budget", "time", "seal"))
        check_line(budget, "the name of a budget")
        if type(number) is not int or not _TIME.fullmatch(time):
            raise ValueError(number)
        if kind == Kind.BUDGET:
            body["budget"] = budget  # which the record holds, too
        return Record(number, Kind(kind), budget, time, body, seal_from(seal))
    except (BadInput, KeyError, TypeError, ValueError):
        raise BadDocument("a line is not a record as a ledger exports it.") from None


def seal_from(text: object) -> str:
    """The seal of a record; `BadDocument` for anything else."""
    if not isinstance(text, str) or not _SEAL.fullmatch(text):
        raise BadDocument("a seal is 64 hexadecimal digits.")
    return text


def budget_from(body: Mapping[str, Any]) -> Budget:
    """The budget that a record holds; `BadDocument` unless it is of this version."""
    if body.get("version") != VERSION:
        raise BadDocument("the ledger is older than 0.2.0 and is not read any more: open a new one "
                          "for what is left of its budgets." if "version" not in body else
                          f"expected a ledger of version {VERSION}; a later version wrote this.")
    return Budget(body["budget"], Scope(**body["scope"]), level_from(body["level"]))


def canonical(
    number: int, kind: str, budget: str, time: str, body: Mapping[str, Any]
) -> bytes:
    """The one way in which a record is written as bytes."""
    return json.dumps(
        [number, str(kind), budget, time, body], sort_keys=True, separators=(",", ":"),
        ensure_ascii=True, allow_nan=False,
    ).encode("ascii")


def seal_of(key: bytes, before: str, line: bytes) -> str:
    """The seal of a line that follows another."""
    return hmac.new(key, bytes.fromhex(before) + line, hashlib.sha256).hexdigest()


def first_break(
    key: bytes, records: Iterable[Record], number: int = 0, before: str = START
) -> int | None:
    """The number of the first record that does not follow from those before, None if all do.

    The records come after one with this number and seal, which was checked.
    """
    expected = number + 1
    for record in records:
        seal = seal_of(key, before, record.line)
        if record.number != expected or not hmac.compare_digest(seal, record.seal):
            return expected
        before, expected = record.seal, expected + 1
    return None
