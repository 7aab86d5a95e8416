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
from fractions import Fraction
from typing import Any

from tightrope.characters import counted
from tightrope.declarations import Declaration
from tightrope.errors import BadDocument, BadInput
from tightrope.exact import Level, Number, writable
from tightrope.facts import Fact, Facts, card_of, data, lines_of
from tightrope.files import StrPath
from tightrope.ledger.scopes import Scope, check_code, check_line
from tightrope.markup import brief

VERSION = 2
"""Of the records: from version 2 on they hold codes and numbers, no sentences."""

START = "0" * 64
"""The seal before the first record."""


_FRACTION = re.compile(r"-?[0-9]{1,4300}(/[0-9]{1,4300})?", re.ASCII)
_TIME = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\+00:00", re.ASCII)
_SEAL, _LAW = re.compile(r"[0-9a-f]{64}"), re.compile(r"sha256:[0-9a-f]{64}")
_FORMS = re.compile(r"[a-z-]+(,[a-z-]+)*")


class Kind(StrEnum):
    """The kinds of records."""

    BUDGET = "budget"
    CHARGE = "charge"
    ANSWER = "answer"


@dataclass(frozen=True)
class Spent:
    """An exact sum of levels, of none to begin with; one too long to be written is rounded up.

    >>> total = Spent()
    >>> for _ in range(10):
    ...     total = total.plus(Level.of(0.1))
    >>> total.within(Level.of(1)), total.plus(Level.of("1e-30")).within(Level.of(1))
    (True, False)
    """

    epsilon: Level | None = None
    delta: Fraction = Fraction(0)

    def plus(self, level: Level) -> Spent:
        """The sum with one more level."""
        pure = level.pure
        return Spent(pure if self.epsilon is None else self.epsilon + pure,
                     writable(self.delta + level.delta))

    def within(self, budget: Level) -> bool:
        """Whether neither ε nor δ is beyond the budget, exactly."""
        over = self.epsilon is not None and self.epsilon.compare_level(budget.pure) > 0
        return not over and self.delta <= budget.delta

    def covers(self, level: Level) -> bool:
        """Whether a charge of this level can be among what was spent, exactly."""
        return (self.epsilon is not None and self.epsilon.compare_level(level.pure) >= 0
                and self.delta >= level.delta)

    @property
    def shown(self) -> str:
        """ε, and δ where there is one."""
        epsilon = "0" if self.epsilon is None else str(self.epsilon).removeprefix("ε = ")
        return f"ε = {epsilon}" + (f", δ = {float(self.delta):.3g}" if self.delta else "")

    def as_json(self) -> dict[str, Any] | None:
        """The sum as records hold it, exactly; None for nothing."""
        if self.epsilon is None:
            return None
        return {**level_form(self.epsilon), "delta": str(self.delta)}


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
    is the digest of the documents of the mechanisms that are drawn from.
    """

    question: str
    scope: Scope
    level: Level
    mechanism: str
    declaration: str | None = None
    request: str | None = None
    law: str | None = None

    def __post_init__(self) -> None:
        check_line(self.question, "the question of a charge")
        check_code(self.mechanism, "the mechanism of a charge", _FORMS, "tally")
        if self.request is not None:
            check_line(self.request, "the name of a request")
        object.__setattr__(self, "level", Level.positive(self.level))

    def as_json(self) -> dict[str, Any]:
        """The charge as its record holds it."""
        return {
            "question": self.question,
            "scope": self.scope.as_json(),
            "level": level_form(self.level),
            "mechanism": self.mechanism,
            "declaration": self.declaration,
            "request": self.request,
            "law": self.law,
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
class Balance:
    """A budget with what was spent of it."""

    budget: Budget
    spent: Spent
    charges: int
    unanswered: int

    @property
    def remaining(self) -> str:
        """The rest of the budget in words: exact where ε is a decimal, else from below."""
        level, spent = self.budget.level, self.spent.epsilon
        delta = level.delta - self.spent.delta
        tail = f", δ = {float(delta):.3g}" if level.delta else ""
        return f"ε = {_difference(level, spent)}{tail}"

    def facts(self) -> Facts:
        """Whom the budget protects, its level, what was spent and what is left."""
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
                      spent_delta=float(spent.delta), charges=self.charges),
            ),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def _difference(level: Level, spent: Level | None) -> str:
    if spent is None:
        return level.text
    if not level.coefficient and not spent.coefficient:
        left = level.rational - spent.rational
        return Level.epsilon(left).text if left else "0"
    if level.compare_level(spent) == 0:
        return "0"
    return f"{max(float(level) - float(spent), 0.0):.6g} (about)"


def level_form(level: Level) -> dict[str, str]:
    """A level exactly, as records hold it."""
    form = {"rational": str(level.rational), "coefficient": str(level.coefficient),
            "base": str(level.base)}
    return {**form, "delta": str(level.delta)}


def level_from(form: object) -> Level:
    """The level that a record holds, written as `level_form` writes it."""
    try:
        parts = dict(form)  # type: ignore[call-overload]
        level = Level(*(_fraction(parts[name]) for name in ("rational", "coefficient", "base",
                                                            "delta")))
        if level_form(level) != parts:
            raise ValueError(parts)
        return Level.positive(level)
    except (BadInput, KeyError, TypeError, ValueError, ZeroDivisionError):
        raise BadDocument("an entry of a ledger holds a level that cannot be read.") from None


def _fraction(text: str) -> Fraction:
    """A fraction as records write it; a power of ten could be too long for any memory."""
    if not _FRACTION.fullmatch(text):
        raise ValueError(text)
    return Fraction(text)


def level_of(record: Record) -> Level:
    """The level that a record states: of a charge, or of a budget."""
    return level_from(record.body["level"])


def spent_from(form: object) -> Spent:
    """The sum that a record holds."""
    if form is None:
        return Spent()
    level = level_from(form)
    return Spent(level.pure, level.delta)


def entry_from(form: object) -> Record:
    """The record of a charge as a release prints it; `BadDocument` unless every field has its type.

    A field of another type could say anything where it is printed.
    """
    try:
        body = dict(form)  # type: ignore[call-overload]
        number, kind, budget, time, seal = (
            body.pop(name) for name in ("number", "kind", "budget", "time", "seal"))
        spent = spent_from(body.pop("spent"))
        charge = Charge(**{**body, "scope": Scope(**body["scope"]),
                           "level": level_from(body["level"])})
        check_line(budget, "the name of a budget")
        fits = (type(number) is int and number > 1  # the first record is a budget
                and spent.epsilon is not None
                and all(isinstance(text, str) and pattern.fullmatch(text) for pattern, text in (
                    (_TIME, time), (_SEAL, seal), (_SEAL, charge.declaration),
                    (_LAW, charge.law))))
        if not fits:
            raise ValueError(number)
        return Record(number, Kind(kind), budget, time,
                      {**charge.as_json(), "spent": spent.as_json()}, seal)
    except (BadInput, KeyError, TypeError, ValueError):
        raise BadDocument("the entry is not written as a ledger writes one.") from None


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
