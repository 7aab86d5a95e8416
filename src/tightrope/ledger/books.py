"""The one way to spend: check the budget and write the entry, then draw, then keep the answer.

A charge is on the disk before anything is drawn, and an answer before it is shown. Whatever
fails in between, the entry stays spent and nothing is refunded; an answer that was kept is given
again for free, and is never drawn a second time.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tightrope.characters import counted, refuse_controls
from tightrope.errors import BadInput, Refused
from tightrope.facts import Fact, Shown
from tightrope.files import StrPath, reading
from tightrope.ledger.audit import LedgerReport, audit
from tightrope.ledger.entries import (
    START,
    VERSION,
    Balance,
    Budget,
    Charge,
    Kind,
    Record,
    Spent,
    budget_from,
    first_break,
    seal_of,
    spent_from,
)
from tightrope.ledger.keys import held_outside, make_key, read_key
from tightrope.ledger.store import Books, Store, address, file_of
from tightrope.markup import brief, lines

if TYPE_CHECKING:
    from tightrope.ledger.accounts import Account


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

    __repr__ = brief

    def as_json(self) -> dict[str, Any]:
        """The entry, the head and what is left, as JSON has them."""
        return {"entry": self.entry.as_json(), "head": self.head, "remaining": self.remaining,
                "again": self.again}


def booked_fact(booked: Booked | None) -> Fact:
    """The entry of an answer in the books, or that nothing was booked."""
    if booked is None:
        return Fact("booked", "books", Shown(None, "Nothing was booked."))
    free = ", given again for free" if booked.again else ""
    return Fact("booked", "books", Shown(
        booked, f"Booked as entry {booked.entry.number} of {booked.entry.budget}{free}; "
        f"{booked.remaining} left."))


class Ledger:
    """Budgets and what was spent of them, in a database that is only ever added to.

    `url` is the name of a SQLite file, or the URL of a SQLite or PostgreSQL database. The key is
    read from the environment, from `key`, or beside a SQLite file. Broken books are refused, but
    to whoever wants to look at them.

    >>> ledger = Ledger.create("books.sqlite")
    >>> ledger.verify().holds, len(ledger.balances())
    (True, 0)
    """

    def __init__(
        self, url: str | StrPath, *, key: StrPath | None = None, broken: bool = False
    ) -> None:
        self._store = Store(url)
        self._key = read_key(_key_place(url, key))
        self._seen = (0, START)
        self._known: dict[tuple[str, Kind], Record] = {}  # the newest of each that was checked
        if not broken:
            with self._store.reading() as books:
                self._follow(books)

    @classmethod
    def create(cls, url: str | StrPath, *, key: StrPath | None = None) -> Ledger:
        """The ledger at this address; made, with a new key, where there is none."""
        place = _key_place(url, key)
        store = Store(url, create=True)
        with store.reading() as books:
            empty = books.last() is None
        store.close()
        if empty and place is not None and not Path(place).exists() and not held_outside():
            make_key(place)
        return cls(url, key=key)

    @classmethod
    def audit(
        cls,
        url: str | StrPath,
        *,
        key: StrPath | None = None,
        head: str | None = None,
        releases: Sequence[Mapping[str, Any]] = (),
    ) -> LedgerReport:
        """As `verify`, also for books that are broken, which cannot be opened otherwise."""
        with cls(url, key=key, broken=True) as books:
            return books.verify(head=head, releases=releases)

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        balances = self.balances()
        return lines(f"Ledger: {counted(len(balances), 'budget')}",
                     [(one.budget.name, f"{one.remaining} left") for one in balances])

    def open_budget(self, budget: Budget) -> Balance:
        """A new budget; one of that name must not exist."""
        with self._store.writing() as books:
            if books.last(budget.name, Kind.BUDGET) is not None:
                raise BadInput(f"there is a budget {budget.name!r} already; it stays as it is.")
            self._add(books, Kind.BUDGET, budget.name, {"version": VERSION, **budget.as_json()})
        return self.balance(budget.name)

    def balance(self, name: str) -> Balance:
        """A budget with what was spent of it."""
        with self._store.reading() as books:
            return self._balance(books, name)

    def balances(self) -> tuple[Balance, ...]:
        """All budgets, in the order in which they were opened."""
        with self._store.reading() as books:
            names = [record.budget for record in books.all(kind=Kind.BUDGET)]
            return tuple(self._balance(books, name) for name in names)

    def records(self) -> tuple[Record, ...]:
        """All records, as they are."""
        with self._store.reading() as books:
            return tuple(books.all())

    def head(self) -> str:
        """The seal of the newest record; whoever keeps it can tell later that nothing was cut."""
        with self._store.reading() as books:
            return books.head()

    def book(
        self, budget: str, charge: Charge, draw: Callable[[], Mapping[str, Any]]
    ) -> Booked:
        """Charge a budget, draw, keep the answer, and only then give it.

        Raises
        ------
        Refused
            If the budget does not suffice, is for another dataset, unit, neighbors or metric, or
            if this very request was charged and its answer never kept. Nothing is drawn then.
        """
        entry, kept = self._charge(budget, charge)
        if kept is None:
            kept = self._keep(entry, draw())
            again = False
        else:
            again = True
        with self._store.reading() as books:
            remaining = self._balance(books, budget).remaining
        return Booked(kept.body["answer"], entry, kept.seal, remaining, again)

    def account(
        self, budget: str, *, request: str | None = None, dataset: str | None = None
    ) -> Account:
        """The account that `sanitize`, `curve` and others are given, to be charged there."""
        from tightrope.ledger.accounts import Account

        return Account(self, budget, request, dataset)

    def answered(self, budget: str, request: str) -> Booked | None:
        """The earlier answer to a request, None if there is none."""
        with self._store.reading() as books:
            left = self._balance(books, budget).remaining
            for entry in books.all(budget, Kind.CHARGE):
                if entry.body.get("request") != request:
                    continue
                answer = self._answer_to(books, entry)
                if answer is not None:
                    return Booked(answer.body["answer"], entry, answer.seal, left, again=True)
        return None

    def mark(self, path: StrPath) -> str:
        """The seal of a file: by it the key knows the file again, and nobody else learns of it."""
        with reading(path), Path(path).open("rb") as file:
            return hmac.digest(self._key, hashlib.file_digest(file, "sha256").digest(),
                               "sha256").hex()

    def check(self, budget: str, charge: Charge) -> Balance:
        """Refuse a charge that the budget does not allow now; nothing is written."""
        with self._store.reading() as books:
            balance = self._balance(books, budget)
            known = None if charge.request is None else self._earlier(books, budget, charge)
            if known is None:  # an answer that was kept is given again, whatever is left
                _spend(books, balance, charge)
            return balance

    def verify(
        self, *, head: str | None = None, releases: Sequence[Mapping[str, Any]] = ()
    ) -> LedgerReport:
        """Whether every record follows from those before it, and every sum is right.

        `head` is one that was kept: it must be the seal of some record, or else the books were
        cut off or replaced by a copy. `releases` are published documents: each must print an
        entry of these books, and the very numbers that were kept with it.
        """
        return audit(self._key, self.records(), head, releases)

    def _charge(self, name: str, charge: Charge) -> tuple[Record, Record | None]:
        """The entry of a charge, and its answer if this request was answered before."""
        with self._store.writing() as books:
            balance = self._balance(books, name)
            if charge.request is not None:
                earlier = self._earlier(books, name, charge)
                if earlier is not None:
                    return earlier
            spent = _spend(books, balance, charge)
            body = {**charge.as_json(), "spent": spent.as_json()}
            return self._add(books, Kind.CHARGE, name, body), None

    def _earlier(
        self, books: Books, name: str, charge: Charge
    ) -> tuple[Record, Record] | None:
        """The entry and answer of a request that was made before."""
        for entry in books.all(name, Kind.CHARGE):
            if entry.body.get("request") != charge.request:
                continue
            other = _differences(entry.body, charge.as_json()) - {"spent"}
            if other == {"law"}:  # a search elsewhere may end in other last digits
                raise Refused(f"the request {charge.request!r} asked the same and was drawn from "
                              f"another law, as it was found then; its answer stands with entry "
                              f"{entry.number}, and is not drawn again. Nothing was spent.")
            if other:
                raise another_question(charge.request)
            answer = self._answer_to(books, entry)
            if answer is not None:
                return entry, answer
            raise Refused(f"the request {charge.request!r} was charged as entry {entry.number} and "
                          "has no answer; it stays spent, and is not drawn again.")
        return None

    def _answer_to(self, books: Books, entry: Record) -> Record | None:
        """The answer to an entry, if one was kept; both must still bear their seals."""
        answer = next((answer for answer in books.all(entry.budget, Kind.ANSWER)
                       if answer.body.get("entry") == entry.number), None)
        for record in (entry, answer):
            if record is not None and first_break(
                    self._key, [record], record.number - 1, books.seal(record.number - 1)):
                raise Refused(f"record {record.number} of the ledger was changed after it had been "
                              "checked. Nothing was spent.")
        return answer

    def _keep(self, entry: Record, answer: Mapping[str, Any]) -> Record:
        with self._store.writing() as books:
            return self._add(books, Kind.ANSWER, entry.budget,
                             {"entry": entry.number, "answer": dict(answer)})

    def _balance(self, books: Books, name: str) -> Balance:
        refuse_controls(name, "the name of a budget", BadInput)
        self._follow(books)
        opened, charge = (books.last(name, kind) for kind in (Kind.BUDGET, Kind.CHARGE))
        if (opened, charge) != tuple(
            self._known.get((name, kind)) for kind in (Kind.BUDGET, Kind.CHARGE)
        ):
            raise Refused("a record of the ledger was changed after it had been checked. Nothing "
                          "was spent.")
        if opened is None:
            raise BadInput(f"the ledger has no budget {name!r}.")
        charges = books.count(name, Kind.CHARGE)
        return Balance(budget_from(opened.body), _spent(charge),
                       charges, charges - books.count(name, Kind.ANSWER))

    def _follow(self, books: Books) -> None:
        """Check the records that came since the last look; nothing is added to broken books."""
        number, seal = self._seen
        new = books.since(number)
        if number and (not new or new[0].seal != seal):
            raise Refused("records of the ledger were cut off or replaced. Nothing was spent.")
        broken = first_break(self._key, new[1:] if number else new, number, seal)
        if broken is not None:
            raise Refused(f"record {broken} of the ledger does not follow from those before it: it "
                          "was changed, or the key is another. Nothing was spent.")
        for record in new[1:] if number else new:
            if record.kind is Kind.BUDGET:
                budget_from(record.body)  # books of another version are not added to
            self._seen = (record.number, record.seal)
            self._known[record.budget, record.kind] = record

    def _add(self, books: Books, kind: Kind, budget: str, body: Mapping[str, Any]) -> Record:
        """One more record, after all that are there."""
        self._follow(books)
        last, before = self._seen
        time = datetime.now(UTC).isoformat(timespec="seconds")
        bare = Record(last + 1, kind, budget, time, json.loads(json.dumps(body)), "")
        record = replace(bare, seal=seal_of(self._key, before, bare.line))
        books.add(record)
        return record


def another_question(request: str | None) -> Refused:
    """The refusal of a request whose name was used for something else."""
    return Refused(f"the request {request!r} was another question. Nothing was spent.")


def _differences(first: Mapping[str, Any], other: Mapping[str, Any]) -> set[str]:
    """The names whose values are not the same in both."""
    return {name for name in {*first, *other} if first.get(name) != other.get(name)}


def _spend(books: Books, balance: Balance, charge: Charge) -> Spent:
    """The sum spent after the charge; `Refused` if the budget is another's or does not suffice."""
    own, asked = balance.budget.scope.as_json(), charge.scope.as_json()
    if own != asked:
        differences = "; ".join(f"{name} {value}, asked was {asked[name]}"
                                for name, value in own.items() if value != asked[name])
        raise Refused(f"the budget {balance.budget.name!r} is for another purpose: {differences}. "
                      "Nothing was spent.")
    spent = balance.spent.plus(charge.level)
    if not spent.within(balance.budget.level):
        raise Refused(f"the budget {balance.budget.name!r} has {balance.remaining} left, less than "
                      f"the {charge.level} asked for. Nothing was spent.")
    return spent


def _spent(charge: Record | None) -> Spent:
    return Spent() if charge is None else spent_from(charge.body.get("spent"))


def _key_place(url: str | StrPath, key: StrPath | None) -> StrPath | None:
    """Where the key is: as named, or beside a SQLite file."""
    if key is not None:
        return key
    file = file_of(address(url))
    return None if file is None else file.with_name(file.name + ".key")
