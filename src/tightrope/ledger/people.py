"""Who may ask: people that a budget names, each with a budget of their own inside the whole.

Names are declared, not authenticated: whoever may write to the ledger can state any of them. A
name reads as it is written, and no two names of a budget look alike, so that a reader of the
books cannot take one person for another.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tightrope.characters import few, looks
from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.facts import Table, listing
from tightrope.ledger.scopes import check_line
from tightrope.ledger.sums import Spent, level_form

People = Mapping[str, Level | Number | None]
"""Names, and the most that each may spend; None for no other bound than the whole."""

_LONGEST = 80
_PAIRS = ("аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw кk мm тt вb нh гr пn ґr ӏl үy "
          "αa οo νv τt ρp υu κk ιi χx γy ηn ωw βb μu ıi łl 0o 1l")
_ALIKE = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}
"""Cyrillic and Greek letters, and digits, that look like Latin letters in lower case."""


@dataclass(frozen=True)
class Person:
    """Somebody who may ask, the most that they may spend, and what they spent.

    >>> Person("ana", Level.of(1)).remaining
    'ε = 1'
    """

    name: str
    level: Level
    spent: Spent = field(default_factory=Spent)

    @property
    def remaining(self) -> str:
        """The rest of this person's budget in words."""
        return self.spent.left_of(self.level)

    def as_json(self) -> dict[str, object]:
        """The person with what was spent, as JSON has it."""
        spent = self.spent.epsilon
        return {"person": self.name, "level": level_form(self.level),
                "epsilon": float(self.level), "delta": float(self.level.delta),
                "spent": 0.0 if spent is None else float(spent),
                "spent_delta": float(self.spent.delta), "remaining": self.remaining}


def person_name(text: object) -> str:
    """The name of a person, composed (NFC); `BadInput` for one that does not read as it is written.

    >>> person_name("Zoe\u0308") == "Zo\u00eb"
    True
    """
    check_line(text, "the name of a person")
    name = unicodedata.normalize("NFC", str(text))
    if len(name) > _LONGEST:
        raise BadInput(f"the name of a person has at most {_LONGEST} characters.")
    if looks(name) != name or "=" in name:
        raise BadInput("the name of a person is plain text without '=', invisible or look-alike "
                       f"characters, and single blanks inside: {looks(name).replace('=', ' ')!r}.")
    return name


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of other names that a reader may take for this one.

    >>> look_alike("\u0430na", ["ben", "Ana"])
    'Ana'
    """
    seen = _skeleton(name)
    return next((other for other in others if other != name and _skeleton(other) == seen), None)


def _skeleton(name: str) -> str:
    return looks(name).casefold().translate(_ALIKE)


def names_text(people: Iterable[str]) -> str:
    """The names of people in one line."""
    return few(sorted(people))


def people_table(people: Sequence[Person]) -> Table:
    """People with their budgets, for readers."""
    return listing("people", ("person", "in all", "spent", "left"), [
        (person.name, str(person.level), person.spent.shown, person.remaining)
        for person in people])
