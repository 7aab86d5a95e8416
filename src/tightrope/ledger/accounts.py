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
from tightrope.ledger.books import Booked, Ledger
from tightrope.ledger.entries import Charge, Scope
from tightrope.privacy import Certified
from tightrope.samplers import SYSTEM, Source, draw
from tightrope.spaces import RealLine, Space, decimal, label_to_json

UNITS = "units that differ"
"""The metric of neighbors that differ in one unit, whatever it was and became."""


@dataclass(frozen=True)
class Account:
    """A budget of a ledger, and the name of the request, if it may be asked again.

    >>> from tightrope import Budget
    >>> ledger = Ledger.create("accounts.sqlite")
    >>> _ = ledger.open_budget(Budget("2026", Scope("votes", "row", "replace"), 1))
    >>> ledger.account("2026").book("one coin", Level.of(0.5), "coin", lambda: {"side": 1},
    ...                             unit="row", neighbors="replace").remaining
    'ε = 0.5'
    """

    ledger: Ledger = field(repr=False)
    budget: str
    request: str | None = None
    dataset: str | None = None

    def book(
        self,
        question: str,
        level: Level,
        mechanism: str,
        draw: Callable[[], Mapping[str, Any]],
        *,
        unit: str,
        neighbors: str,
        metric: str = UNITS,
        laws: Sequence[Mapping[str, Any]] = (),
    ) -> Booked:
        """Charge, draw, keep: see `Ledger.book`."""
        dataset = self.dataset
        if dataset is None:
            dataset = self.ledger.balance(self.budget).budget.scope.dataset
        charge = Charge(question, Scope(dataset, unit, neighbors, metric), level, mechanism,
                        None, self.request, law_digest(laws))
        return self.ledger.book(self.budget, charge, draw)

    def answered(self) -> Booked | None:
        """The answer that was kept for this request, None if there is none."""
        return None if self.request is None else self.ledger.answered(self.budget, self.request)


def law_digest(laws: Sequence[Mapping[str, Any]]) -> str:
    """SHA-256 of the documents of mechanisms, in their order."""
    return digest_of({"laws": list(laws)})


def metric_of(space: Space) -> str:
    """What distance 1 is: any other value where all are alike, else what the space says."""
    alike = space.describe().get("family") in ("categories", "complete")
    return UNITS if alike else f"distances of {space.text}"


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

    booked = account.book(question, certified.certificate.level, str(law["mechanism"]["form"]),
                          kept, unit=unit, neighbors=neighbors, metric=metric, laws=[law])
    return from_plain(booked.answer["answer"], certified), booked


def plain(answer: Any) -> Any:
    """A drawn answer as JSON has it."""
    return decimal(answer) if isinstance(answer, Fraction) else label_to_json(answer)


def from_plain(answer: Any, certified: Certified) -> Any:
    """A kept answer as it was drawn."""
    if isinstance(certified.mechanism.space, RealLine):
        return Fraction(answer)
    return label_from_json(answer)
