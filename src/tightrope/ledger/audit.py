"""Whether books are whole: every line follows, every sum is right, every release is in them."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tightrope.facts import Fact, Facts, card_of, data, lines_of
from tightrope.ledger.entries import (
    START,
    Budget,
    Kind,
    Record,
    Spent,
    budget_from,
    first_break,
    level_from,
    spent_from,
)


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

    def facts(self) -> Facts:
        """Whether the books hold, the first fault, and what only the holder can know."""
        return Facts(
            "Ledger", "The books hold." if self.holds else f"Broken: {self.reason}.",
            (
                Fact("records", "records", self.records),
                Fact("head", "head", self.head),
                *(Fact(None, "holder only", text) for text in self.only_holder),
                *data(holds=self.holds, broken=self.broken, reason=self.reason,
                      only_holder=self.only_holder),
            ),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def audit(
    key: bytes,
    records: Sequence[Record],
    head: str | None,
    releases: Sequence[Mapping[str, Any]],
) -> LedgerReport:
    """Judge records by their key, a head that was kept and published releases."""
    broken = first_break(key, records)
    reason = "" if broken is None else f"record {broken} does not follow from those before it"
    if broken is None:
        broken, reason = _wrong_sum(records)
    seals = {record.seal for record in records}
    if broken is None and head is not None and head not in {START, *seals}:
        reason = "the head that was kept is not in the books: records were cut off or replaced"
    for release in releases:
        reason = reason or _mismatch(release, records)
    only_holder: tuple[str, ...] = () if head is not None else (
        "that no records were cut off at the end, and that this is no old copy: no head "
        "was given",
    )
    if releases:
        only_holder += ("that what was drawn is around the statistic of the data",)
    last = records[-1].seal if records else START
    return LedgerReport(not reason, len(records), last, broken, reason, only_holder)


def _wrong_sum(records: Sequence[Record]) -> tuple[int | None, str]:
    """The first charge whose sum is not that of the charges before it, or beyond its budget."""
    sums: dict[str, Spent] = {}
    budgets: dict[str, Budget] = {}
    answered: set[int] = set()
    for record in records:
        if record.kind is Kind.BUDGET:
            budgets[record.budget] = budget_from(record.body)
        elif record.kind is Kind.CHARGE:
            level = level_from(record.body["level"])
            total = sums.get(record.budget, Spent()).plus(level)
            sums[record.budget] = total
            if spent_from(record.body.get("spent")) != total:
                return record.number, f"the sum in record {record.number} is wrong"
            if record.budget not in budgets or not total.within(budgets[record.budget].level):
                return record.number, f"record {record.number} is beyond its budget"
        elif record.body["entry"] in answered:
            return record.number, f"record {record.number} answers an entry a second time"
        else:
            answered.add(record.body["entry"])
    return None, ""


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
