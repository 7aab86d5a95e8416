"""Where a budget stands: the sums of its checked records, kept up as more of them are followed.

Of requests and answers only the numbers of their records are kept, so that a charge costs the
same however long the ledger is. A record that is needed again is read, and its seal checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tightrope.characters import meant
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level
from tightrope.ledger.entries import (
    Balance,
    Budget,
    Charge,
    Kind,
    Record,
    Superseded,
    budget_from,
    superseded_from,
)
from tightrope.ledger.people import Person, look_alike, names_text, person_name
from tightrope.ledger.sums import Spent, level_from, spent_from


def take(standings: dict[str, Standing], records: Iterable[Record]) -> None:
    """Let checked records count, each in the standing of its budget."""
    for record in records:
        if record.kind is Kind.BUDGET:
            standings[record.budget] = Standing.of(record)
        elif record.budget in standings:
            standings[record.budget].add(record)
        else:
            raise Refused(f"record {record.number} of the ledger is of a budget that was never "
                          "opened. Nothing was spent.")


@dataclass
class Standing:
    """The sums of one budget, and the records that decide on its next charge."""

    opened: Record
    budget: Budget
    newest: Record | None = None
    spent: Spent = field(default_factory=Spent)
    charges: int = 0
    people: dict[str, Person] = field(default_factory=dict)
    requests: dict[str, int] = field(default_factory=dict)
    answers: dict[int, int] = field(default_factory=dict)
    superseded: dict[int, Superseded] = field(default_factory=dict)

    @classmethod
    def of(cls, opened: Record) -> Standing:
        """The standing of a budget that was just opened; `BadDocument` for another version."""
        return cls(opened, budget_from(opened.body))

    def add(self, record: Record) -> None:
        """Take in the next record of this budget, which was checked."""
        if record.kind is Kind.CHARGE:
            self.newest = record
            self.spent = spent_from(record.body.get("spent"))
            self.charges += 1
            asker = record.body.get("asker")
            if asker is not None:
                self.people[asker] = replace(
                    self.people[asker], spent=spent_from(record.body["asker_spent"]))
            request = record.body.get("request")
            if request is not None:
                self.requests.setdefault(request, record.number)
        elif record.kind is Kind.ANSWER:
            self.answers.setdefault(record.body["entry"], record.number)
        elif record.kind is Kind.SUPERSEDE:
            self.superseded[record.body["entry"]] = superseded_from(record)
        elif record.kind is Kind.PERSON:
            name = record.body["person"]
            spent = self.people[name].spent if name in self.people else Spent()
            self.people[name] = Person(name, level_from(record.body["level"]), spent)

    @property
    def pinned(self) -> tuple[Record, ...]:
        """The records that must still be what they were when they were checked."""
        return (self.opened,) if self.newest is None else (self.opened, self.newest)

    @property
    def balance(self) -> Balance:
        """The budget with what was spent of it."""
        return Balance(self.budget, self.spent, self.charges, self.charges - len(self.answers),
                       tuple(self.people.values()))

    def spend(self, charge: Charge) -> Spent:
        """The sum after a charge; `Refused` if the budget is another's or does not suffice."""
        own, asked = self.budget.scope.as_json(), charge.scope.as_json()
        if own != asked:
            differences = "; ".join(f"{name} {value}, asked was {asked[name]}"
                                    for name, value in own.items() if value != asked[name])
            raise Refused(f"the budget {self.budget.name!r} is for another purpose: {differences}. "
                          "Nothing was spent.")
        spent = self.spent.plus(charge.level)
        if not spent.within(self.budget.level):
            left = _left(self.balance.remaining, self.budget.level, charge)
            raise Refused(f"the budget {self.budget.name!r} has {left} left, "
                          f"less than the {charge.level} asked for. Nothing was spent.")
        return spent

    def spend_own(self, charge: Charge) -> Spent | None:
        """The sum of its asker after a charge, None where the budget names nobody.

        `Refused` if nobody asks, or somebody whom the budget does not name, or with less left.
        """
        if not self.people and charge.asker is None:
            return None
        person = self.people.get(charge.asker or "")
        if person is None:
            raise Refused(f"{self._unknown(charge.asker)} Nothing was spent.")
        spent = person.spent.plus(charge.level)
        if not spent.within(person.level):
            left = _left(person.remaining, person.level, charge)
            give = "" if person.level.delta or not charge.level.delta else (
                f" `tightrope ledger people URL --budget {self.budget.name} --person "
                f"{person.name}={person.level.pure.text},{float(charge.level.delta):g}` gives a δ.")
            raise Refused(f"{person.name} has {left} left of the budget "
                          f"{self.budget.name!r}, less than the {charge.level} asked for. Nothing "
                          f"was spent.{give}")
        return spent

    def _unknown(self, asker: str | None) -> str:
        """Why a budget is not charged for this asker, and the spelling that works."""
        name, people = self.budget.name, names_text(self.people)
        if not self.people:
            return (f"the budget {name!r} names nobody, and {asker} asks: add them with `tightrope "
                    f"ledger people URL --budget {name} --person {asker}=EPSILON`, or leave out "
                    "--as (asker=).")
        if asker is None:
            first = min(self.people)
            return (f"the budget {name!r} names who may ask ({people}); say who asks: --as "
                    f'{first}, in Python asker="{first}".')
        return (f"the budget {name!r} does not name {asker}{meant(asker, self.people)}; {people} "
                "may ask.")

    def named(self, name: str, level: Level | None) -> Person:
        """Somebody new, or with another budget; `BadInput` for one that cannot be.

        A budget of a person is at most the whole, and at least what the person spent.
        """
        name, whole = person_name(name), self.budget.level
        other = look_alike(name, self.people)
        if other is not None:
            raise BadInput(f"the name {name!r} looks like {other!r}, who is in the budget already; "
                           "choose one that nobody takes for another.")
        spent = self.people[name].spent if name in self.people else Spent()
        given = whole if level is None else Level.positive(level)
        if not Spent(given.pure, given.delta).within(whole):
            raise BadInput(f"a person's budget is inside the whole, {whole}; found {given} for "
                           f"{name}.")
        if not spent.within(given):
            raise BadInput(f"{name} has spent {spent.shown} already, more than {given}.")
        return Person(name, given, spent)


def _left(remaining: str, level: Level, charge: Charge) -> str:
    """The rest of a budget in words; that it has no δ is said where one is asked for."""
    return remaining if level.delta or not charge.level.delta else f"{remaining}, δ = 0"
