"""Whether books are whole: every line follows, every sum is right, every release is in them."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tightrope.exact import Level
from tightrope.facts import Fact, Facts, card_of, data, lines_of
from tightrope.ledger.entries import (
    START,
    Kind,
    Record,
    Superseded,
    budget_from,
    first_break,
    superseded_from,
)
from tightrope.ledger.sums import Spent, level_from, spent_from

AROUND_DATA = "that what was drawn is around the statistic of the data"
"""Facts that neither a document nor a ledger can prove."""


@dataclass(frozen=True)
class LedgerReport:
    """Whether the books are whole: the first line that does not fit.

    `only_holder` is what only those can know who kept a head, or hold the data.
    """

    holds: bool
    records: int
    head: str
    broken: int | None
    reason: str
    only_holder: tuple[str, ...]
    superseded: tuple[Superseded, ...] = ()

    def facts(self) -> Facts:
        """Whether the books hold, the first fault, and what only the holder can know."""
        return Facts(
            "Ledger", "The books hold." if self.holds else f"Broken: {self.reason}.",
            (
                Fact("records", "records", self.records),
                Fact("head", "head", self.head),
                *(Fact(None, "superseded", each.shown) for each in self.superseded),
                *(Fact(None, "holder only", text) for text in self.only_holder),
                *data(holds=self.holds, broken=self.broken, reason=self.reason,
                      only_holder=self.only_holder, superseded=self.superseded),
            ),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def audit(
    key: bytes | None,
    records: Sequence[Record],
    head: str | None,
    releases: Sequence[Mapping[str, Any]],
    kept: tuple[int, str] | None = None,
) -> LedgerReport:
    """Judge records by their key, heads that were kept and published releases.

    `kept` is the number and the seal that this client has on file. Without the key numbers and
    sums are checked, and that is said.
    """
    broken = _first_gap(records) if key is None else first_break(key, records)
    reason = "" if broken is None else f"record {broken} does not follow from those before it"
    if broken is None:
        broken, reason = _wrong_sum(records)
    seals = {record.seal for record in records}
    if broken is None and head is not None and head not in {START, *seals}:
        reason = "the head that was kept is not in the books: records were cut off or replaced"
    elif broken is None and kept is not None and kept not in {
            (record.number, record.seal) for record in records}:
        reason = f"record {kept[0]}, kept beside the key, is not in the books: they lost records"
    for release in releases:
        reason = reason or _mismatch(release, records)
    only_holder: tuple[str, ...] = () if head is not None or kept is not None else (
        "that no records were cut off at the end, and that this is no old copy: no head "
        "was given",
    )
    if releases:
        only_holder += (AROUND_DATA,)
    if key is None:
        only_holder += ("that every record follows from the one before: this needs the key",)
    last = records[-1].seal if records else START
    return LedgerReport(not reason, len(records), last, broken, reason, only_holder,
                        () if broken is not None else _superseded(records, releases))


def _first_gap(records: Sequence[Record]) -> int | None:
    """The first number that is missing, or stands elsewhere."""
    return next((place for place, record in enumerate(records, 1) if record.number != place), None)


def _superseded(
    records: Sequence[Record], releases: Sequence[Mapping[str, Any]]
) -> tuple[Superseded, ...]:
    """The releases that stand no longer: of those that were given, or of all if none was."""
    entries = [release.get("entry") for release in releases]
    asked = {entry.get("number") for entry in entries if isinstance(entry, Mapping)}
    every = [superseded_from(record) for record in records if record.kind is Kind.SUPERSEDE]
    return tuple(each for each in every if not releases or each.entry in asked)


def _wrong_sum(records: Sequence[Record]) -> tuple[int | None, str]:
    """The first charge whose sum is not that of the charges before it, or beyond its budget."""
    sums: dict[str, Sums] = {}
    for record in records:
        known = sums.get(record.budget)
        if record.kind is Kind.BUDGET:
            fault = "" if known is None else "opens a budget a second time"
            sums[record.budget] = Sums(budget_from(record.body).level)
        else:
            fault = "is of a budget that was never opened" if known is None else known.add(record)
        if fault:
            return record.number, f"record {record.number} {fault}"
    return None, ""


@dataclass
class Sums:
    """The sums of the records of a budget, added up anew."""

    level: Level
    total: Spent = field(default_factory=Spent)
    people: dict[str, tuple[Level, Spent]] = field(default_factory=dict)
    answered: set[int] = field(default_factory=set)
    superseded: set[int] = field(default_factory=set)

    def add(self, record: Record) -> str:
        """Add the next record; the fault that it has, empty if it has none."""
        body = record.body
        if record.kind is Kind.ANSWER:
            fault = "answers an entry a second time" if body["entry"] in self.answered else ""
            self.answered.add(body["entry"])
            return fault
        if record.kind is Kind.SUPERSEDE:
            fits = body["entry"] in self.answered - self.superseded and body["by"] != body["entry"]
            self.superseded.add(body["entry"])
            return "" if fits else "supersedes no release, or one a second time"
        level = level_from(body["level"])
        if record.kind is Kind.PERSON:
            spent = self.people[body["person"]][1] if body["person"] in self.people else Spent()
            self.people[body["person"]] = (level, spent)
            inside = Spent(level.pure, level.delta).within(self.level) and spent.within(level)
            return "" if inside else "gives a person more than the whole, or less than was spent"
        self.total = self.total.plus(level)
        if spent_from(body.get("spent")) != self.total:
            return "has a wrong sum"
        if not self.total.within(self.level):
            return "is beyond its budget"
        return self._add_own(body.get("asker"), level, body.get("asker_spent"))

    def _add_own(self, asker: str | None, level: Level, stated: object) -> str:
        """Add a charge to the sum of its asker."""
        if asker is None and not self.people:
            return ""
        if asker not in self.people:
            return "is charged for nobody whom its budget names"
        most, spent = self.people[asker]
        spent = spent.plus(level)
        self.people[asker] = (most, spent)
        if spent_from(stated) != spent:
            return "has a wrong sum of its asker"
        return "" if spent.within(most) else "is beyond the budget of its asker"


def _mismatch(release: Mapping[str, Any], records: Sequence[Record]) -> str:
    """Why a published release is not one of these books; empty if it is.

    Values are compared as they are written, so that 1, 1.0 and true are three.
    """
    stated = release.get("entry")
    seal = str(stated.get("seal") if isinstance(stated, Mapping) else None)
    entry = next((record for record in records if record.kind is Kind.CHARGE
                  and hmac.compare_digest(record.seal.encode(), seal.encode())), None)
    if entry is None or _canonical(entry.as_json()) != _canonical(stated):
        return "the entry that a release prints is not in the books"
    answer = next((record for record in records if record.kind is Kind.ANSWER
                   and record.body.get("entry") == entry.number), None)
    if answer is None:
        return f"entry {entry.number} has no answer in the books, and a release prints one"
    if _canonical(answer.body.get("answer")) != _canonical(release.get("drawn")):
        return f"what a release says was drawn for entry {entry.number} is not what was kept"
    if release.get("head") != answer.seal:
        return f"the head that a release prints is not that of the answer to entry {entry.number}"
    return ""


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
