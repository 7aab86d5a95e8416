"""The one way to spend: check the budget and write the entry, then draw, then keep the answer.

A charge is on the disk before anything is drawn, and an answer before it is shown. Whatever
fails in between, the entry stays spent and nothing is refunded. An answer that was kept is given
again for free, and is never drawn a second time. A request that was interrupted may be completed:
nothing of it was shown, so it is drawn anew, and the first answer that is kept is everybody's.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tightrope.characters import counted, refuse_controls
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level
from tightrope.files import StrPath, reading
from tightrope.ledger.audit import LedgerReport, audit
from tightrope.ledger.entries import (
    START,
    VERSION,
    Balance,
    Booked,
    Budget,
    Charge,
    Kind,
    Record,
    Superseded,
    charged,
    first_break,
    seal_of,
)
from tightrope.ledger.heads import Head, KeptHeads
from tightrope.ledger.keys import held_outside, key_place, make_key, read_key
from tightrope.ledger.people import People
from tightrope.ledger.requests import refuse_another
from tightrope.ledger.standings import Standing, take
from tightrope.ledger.store import Books, Store
from tightrope.ledger.sums import level_form
from tightrope.markup import lines

if TYPE_CHECKING:
    from tightrope.ledger.accounts import Account


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
        place = key_place(url, key)
        self._key = read_key(place)
        self._heads = KeptHeads.beside(place, self._key)
        self._seen: Head = (0, START)
        self._first: str | None = None  # the seal by which kept heads know this ledger
        self._added: list[Record] = []  # by the writer whose turn it is
        self._standings: dict[str, Standing] = {}  # of all records that were checked
        if not broken:
            with self._store.reading() as books:
                self._follow(books)

    @classmethod
    def create(cls, url: str | StrPath, *, key: StrPath | None = None) -> Ledger:
        """The ledger at this address; made, with a new key, where there is none."""
        place = key_place(url, key)
        store = Store(url, create=True)
        with store.reading() as books:
            empty = books.last() is None
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
        """End the use of the ledger; no connection is open between two calls."""

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        balances = self.balances()
        return lines(f"Ledger: {counted(len(balances), 'budget')}",
                     [(one.budget.name, f"{one.remaining} left") for one in balances])

    def open_budget(self, budget: Budget, people: People | None = None) -> Balance:
        """A new budget, with the people that it names; one of that name must not exist."""
        with self._writing() as books:
            if budget.name in self._standings:
                raise BadInput(f"there is a budget {budget.name!r} already; it stays as it is.")
            opened = self._add(books, Kind.BUDGET, budget.name,
                               {"version": VERSION, **budget.as_json()})
            self._name(books, Standing.of(opened), people or {})
        return self.balance(budget.name)

    def set_people(self, budget: str, people: People) -> Balance:
        """Name people who may ask, or give them other budgets, inside that of the whole.

        From the first on, every charge needs an asker. People's budgets may come to more than the
        whole: whoever asks first is served.
        """
        with self._writing() as books:
            self._name(books, self._standing(books, budget), people)
        return self.balance(budget)

    def _name(self, books: Books, standing: Standing, people: People) -> None:
        """One record for each person that is new or has another budget."""
        standing = replace(standing, people=dict(standing.people))  # these do not count yet
        for name, level in people.items():
            stated = None if level is None else Level.positive(level)
            person = standing.named(name, stated)
            if standing.people.get(person.name) != person:
                self._add(books, Kind.PERSON, standing.budget.name,
                          {"person": person.name, "level": level_form(person.level)})
            standing.people[person.name] = person

    def balance(self, name: str) -> Balance:
        """A budget with what was spent of it."""
        with self._store.reading() as books:
            return self._standing(books, name).balance

    def balances(self) -> tuple[Balance, ...]:
        """All budgets, in the order in which they were opened."""
        with self._store.reading() as books:
            self._follow(books)
            return tuple(standing.balance for standing in self._standings.values())

    def records(self) -> tuple[Record, ...]:
        """All records, as they are."""
        with self._store.reading() as books:
            return tuple(books.all())

    def head(self) -> str:
        """The seal of the newest record; whoever keeps it can tell later that nothing was cut."""
        with self._store.reading() as books:
            return books.head()

    def book(
        self,
        budget: str,
        charge: Charge,
        draw: Callable[[], Mapping[str, Any]],
        *,
        completes: bool = False,
    ) -> Booked:
        """Charge a budget, draw, keep the answer, and only then give it.

        A request that was charged and has no answer is drawn if it `completes`: only where nothing
        that `draw` draws is seen by anybody before it was kept. Of several who complete it, all
        are given the answer that was kept first.

        Raises
        ------
        Refused
            If the budget does not suffice, is for another dataset, unit, neighbors or metric, or
            if this very request was charged, its answer never kept, and is not to be completed.
            Nothing is drawn then.
        """
        entry, kept = self._charge(budget, charge, completes=completes)
        again = kept is not None
        if kept is None:
            kept, again = self._keep(entry, draw())
        return self._booked(entry, kept, again=again)

    def _booked(self, entry: Record, answer: Record, *, again: bool) -> Booked:
        """An answer with its entry, and what is left in all and of whoever asked."""
        standing = self._standings[entry.budget]
        person = standing.people.get(entry.body.get("asker", ""))
        return Booked(answer.body["answer"], entry, answer.seal, standing.balance.remaining, again,
                      None if person is None else person.remaining,
                      standing.superseded.get(entry.number))

    def account(
        self, budget: str, *, request: str | None = None, dataset: str | None = None,
        asker: str | None = None,
    ) -> Account:
        """The account that `sanitize`, `curve` and others are given, to be charged there."""
        from tightrope.ledger.accounts import Account

        return Account(self, budget, request, dataset, asker)

    def answered(self, budget: str, request: str) -> Booked | None:
        """The earlier answer to a request, None if there is none."""
        with self._store.reading() as books:
            standing = self._standing(books, budget)
            number = standing.requests.get(request)
            if number is None or number not in standing.answers:
                return None
            return self._booked(*(self._checked(books, each) for each in (
                number, standing.answers[number])), again=True)

    def requested(self, budget: str, request: str) -> Record | None:
        """The charge that was made by the name of a request, None if there is none."""
        with self._store.reading() as books:
            number = self._standing(books, budget).requests.get(request)
            return None if number is None else self._checked(books, number)

    def supersede(self, entry: int, by: int | None, reason: str) -> Superseded:
        """Mark a release that was wrong; it stays in the books, and nothing is refunded.

        `by` is the entry of the release in its place, None if there is none. `BadInput` if one of
        them is no release of these books, or was superseded before.
        """
        made = Superseded(entry, by, reason)
        with self._writing() as books:
            standing = self._released(books, entry)
            if by is not None:
                self._released(books, by)
            if entry == by:
                raise BadInput("a release is superseded by another one.")
            self._add(books, Kind.SUPERSEDE, standing.budget.name, made.as_json())
        return made

    def _released(self, books: Books, number: int) -> Standing:
        """Where the budget of a release stands; it has an answer and was not superseded."""
        for standing in self._standings.values():
            if number in standing.superseded:
                raise BadInput(f"{standing.superseded[number].shown}. It stays so.")
            if number in standing.answers:
                self._checked(books, number)
                return standing
        raise BadInput(f"the ledger has no entry {number} with an answer; `tightrope ledger show` "
                       "lists the entries.")

    def mark(self, path: StrPath) -> str:
        """The seal of a file: by it the key knows the file again, and nobody else learns of it."""
        with reading(path), Path(path).open("rb") as file:
            return hmac.digest(self._key, hashlib.file_digest(file, "sha256").digest(),
                               "sha256").hex()

    def check(self, budget: str, charge: Charge, *, completes: bool = False) -> Balance:
        """Refuse a charge that the budget does not allow now; nothing is written."""
        kept = self._heads.newest(self._first)  # read first: what it knows is in the books then
        with self._store.reading() as books:
            standing = self._standing(books, budget)
            self._refuse_lost(books, kept)
            if self._earlier(books, standing, charge, completes=completes) is None:
                standing.spend(charge)  # what was charged is not charged again, whatever is left
                standing.spend_own(charge)
            return standing.balance

    def verify(
        self, *, head: str | None = None, releases: Sequence[Mapping[str, Any]] = ()
    ) -> LedgerReport:
        """Whether every record follows from those before it, and every sum is right.

        `head` is one that was kept: it must be the seal of some record, or else the books were
        cut off or replaced by a copy. `releases` are published documents: each must print an
        entry of these books, and the very numbers that were kept with it.
        """
        with self._store.reading() as books:
            first = books.some([1])
        kept = self._heads.newest(first[0].seal) if first else None
        return audit(self._key, self.records(), head, releases, kept)

    def _charge(
        self, name: str, charge: Charge, *, completes: bool = False
    ) -> tuple[Record, Record | None]:
        """The entry of a charge, and its answer if this request was answered before."""
        with self._writing() as books:
            standing = self._standing(books, name)
            earlier = self._earlier(books, standing, charge, completes=completes)
            if earlier is not None:
                return earlier
            body = charged(charge, standing.spend(charge), standing.spend_own(charge))
            return self._add(books, Kind.CHARGE, name, body), None

    def _earlier(
        self, books: Books, standing: Standing, charge: Charge, *, completes: bool
    ) -> tuple[Record, Record | None] | None:
        """The entry of a request that was made before, and its answer unless it is completed."""
        number = None if charge.request is None else standing.requests.get(charge.request)
        if number is None:
            return None
        entry = self._checked(books, number)
        refuse_another(entry, charge)
        answer = standing.answers.get(number)
        if answer is None and not completes:
            raise Refused(f"the request {charge.request!r} was charged as entry {entry.number} and "
                          "has no answer; it stays spent, and is not drawn again.")
        return entry, None if answer is None else self._checked(books, answer)

    def _checked(self, books: Books, number: int) -> Record:
        """A record that was followed before, read again; it must still bear its seal."""
        records = {record.number: record for record in books.some([number - 1, number])}
        record, before = records.get(number), records.get(number - 1)
        if record is None or before is None or first_break(
                self._key, [record], number - 1, before.seal):  # the first record is a budget
            raise Refused(f"record {number} of the ledger was changed after it had been checked. "
                          "Nothing was spent.")
        return record

    def _keep(self, entry: Record, answer: Mapping[str, Any]) -> tuple[Record, bool]:
        """The answer that was kept first, and whether it was there before this one."""
        with self._writing() as books:
            first = self._standings[entry.budget].answers.get(entry.number)
            if first is not None:
                return self._checked(books, first), True
            return self._add(books, Kind.ANSWER, entry.budget,
                             {"entry": entry.number, "answer": dict(answer)}), False

    def _standing(self, books: Books, name: str) -> Standing:
        """Where a budget stands now; `BadInput` if there is none of this name."""
        refuse_controls(name, "the name of a budget", BadInput)
        known = self._standings.get(name)
        self._follow(books, () if known is None else known.pinned)
        if name not in self._standings:
            raise BadInput(f"the ledger has no budget {name!r}.")
        return self._standings[name]

    def _follow(self, books: Books, pinned: Sequence[Record] = ()) -> None:
        """Check the records that came since the last look; nothing is added to broken books.

        Pinned records were checked before, and must still be the same.
        """
        number, seal = self._seen
        records = {record.number: record for record in books.since(
            number, [record.number for record in pinned])}
        if number and (number not in records or records[number].seal != seal):
            raise Refused("records of the ledger were cut off or replaced. Nothing was spent.")
        if any(records.get(record.number) != record for record in pinned):
            raise Refused("a record of the ledger was changed after it had been checked. Nothing "
                          "was spent.")
        new = [record for record in records.values() if record.number > number]
        broken = first_break(self._key, new, number, seal)
        if broken is not None:
            raise Refused(f"record {broken} of the ledger does not follow from those before it: it "
                          "was changed, or the key is another. Nothing was spent.")
        self._take(new)

    def _take(self, records: Sequence[Record]) -> None:
        """Let checked records count."""
        take(self._standings, records)
        for record in records:
            self._seen, self._first = (record.number, record.seal), self._first or record.seal

    @contextmanager
    def _writing(self) -> Iterator[Books]:
        """The books for one writer alone; what it added counts once it is on the disk."""
        with self._store.turn():
            self._added = []
            with self._store.writing() as books:
                self._follow(books)
                self._refuse_lost(books, self._heads.newest(self._first))
                yield books
            self._take(self._added)
            if self._first is not None:
                self._heads.keep(self._first, *self._seen)

    def _refuse_lost(self, books: Books, kept: Head | None) -> None:
        """Refuse books without a record that a client kept the head of."""
        if kept is not None and kept != self._seen:
            self._heads.refuse_lost(kept, books.some([kept[0]]))

    def _add(self, books: Books, kind: Kind, budget: str, body: Mapping[str, Any]) -> Record:
        """One more record, after all that are there."""
        newest = self._added[-1:]
        last, before = (newest[0].number, newest[0].seal) if newest else self._seen
        time = datetime.now(UTC).isoformat(timespec="seconds")
        kept = json.loads(json.dumps(body, sort_keys=True))  # as it is read again
        bare = Record(last + 1, kind, budget, time, kept, "")
        record = replace(bare, seal=seal_of(self._key, before, bare.line))
        books.add(record)
        self._added.append(record)
        return record
