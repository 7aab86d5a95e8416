"""An account: the budget that one release is charged to, whatever it releases.

Every command that draws can be given one. What it charges says who is protected, against what
and at which level; the dataset is the one that the budget is for, unless the caller names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tightrope.documents import compose, digest_of, label_from_json
from tightrope.exact import Level
from tightrope.ledger.books import Ledger
from tightrope.ledger.entries import Booked, Charge
from tightrope.ledger.scopes import CODE, UNITS, Scope
from tightrope.privacy import Certified
from tightrope.samplers import SYSTEM, Source, draw
from tightrope.spaces import RealLine, Space, decimal, label_to_json


@dataclass(frozen=True)
class Account:
    """A budget of a ledger, the name of a request that may be asked again, and who asks.

    >>> from tightrope import Budget
    >>> ledger = Ledger.create("accounts.sqlite")
    >>> _ = ledger.open_budget(Budget("2026", Scope("votes", "row", "replace"), 1))
    >>> coin = {"mechanism": {"form": "coin"}}
    >>> ledger.account("2026").book("coin", Level.of(0.5), [coin], lambda: {"side": 1},
    ...                             unit="row", neighbors="replace").remaining
    'ε = 0.5'
    """

    ledger: Ledger = field(repr=False)
    budget: str
    request: str | None = None
    dataset: str | None = None
    asker: str | None = None

    def book(
        self,
        question: str,
        level: Level,
        laws: Sequence[Mapping[str, Any]],
        draw: Callable[[], Mapping[str, Any]],
        *,
        unit: str,
        neighbors: str,
        metric: str = UNITS,
    ) -> Booked:
        """Charge, draw, keep: see `Ledger.book`; `laws` are documents of the mechanisms."""
        dataset = self.dataset
        if dataset is None:
            dataset = self.ledger.balance(self.budget).budget.scope.dataset
        charge = Charge(question, Scope(dataset, unit, neighbors, metric), level, forms_of(laws),
                        None, self.request, law_digest(laws), asker=self.asker)
        return self.ledger.book(self.budget, charge, draw)

    def answered(self) -> Booked | None:
        """The answer that was kept for this request, None if there is none."""
        return None if self.request is None else self.ledger.answered(self.budget, self.request)


def law_digest(laws: Sequence[Mapping[str, Any]]) -> str:
    """SHA-256 of the documents of mechanisms, in their order."""
    return digest_of({"laws": list(laws)})


def forms_of(laws: Sequence[Mapping[str, Any]]) -> str:
    """The forms of the mechanisms in these documents, each once; of a table, that of its rows."""
    forms = [law["mechanism"] for law in laws]
    return ",".join(dict.fromkeys(str(form.get("base", form)["form"]) for form in forms))


def metric_of(space: Space) -> str:
    """The code of distance 1: units where all are alike, else the space, or its digest."""
    form = space.describe()
    if form.get("family") in ("categories", "complete"):
        return UNITS
    written = CODE.fullmatch(space.text) and " " not in space.text
    return space.text if written else f"{form['family']}:{digest_of(form)}"


def neighbors_of(certified: Certified) -> str:
    """The code of the neighbors of a value: how far others are on the line, else any other."""
    space = certified.mechanism.space
    return space.code if isinstance(space, RealLine) else "replace"


def drawn_once(
    certified: Certified,
    x: Any,
    question: str,
    account: Account | None,
    *,
    unit: str,
    neighbors: str,
    metric: str = UNITS,
    source: Source = SYSTEM,
) -> tuple[Any, Booked | None]:
    """One draw, charged to an account if there is one, and how it was booked."""
    if account is None:
        return draw(certified, x, source), None
    law = compose(certified)

    def kept() -> dict[str, Any]:
        return {"answer": plain(draw(certified, x, source))}

    booked = account.book(question, certified.certificate.level, [law], kept, unit=unit,
                          neighbors=neighbors, metric=metric)
    return from_plain(booked.answer["answer"], certified), booked


def plain(answer: Any) -> Any:
    """A drawn answer as JSON has it."""
    return decimal(answer) if isinstance(answer, Fraction) else label_to_json(answer)


def from_plain(answer: Any, certified: Certified) -> Any:
    """A kept answer as it was drawn."""
    if isinstance(certified.mechanism.space, RealLine):
        return Fraction(answer)
    return label_from_json(answer)
