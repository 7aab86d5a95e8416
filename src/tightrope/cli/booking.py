"""The options by which a command is charged to a budget, and the line about the charge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from tightrope.cli.ledger import Asker, KeyFile
from tightrope.cli.options import value
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from tightrope.ledger import Account, Booked

_PANEL = "Books"


@dataclass(frozen=True)
class AskedBooking:
    """The budget that a release is charged to; without it nothing is booked."""

    ledger: Annotated[str | None, value(
        "--ledger", "URL", "Charge this ledger before anything is drawn.", panel=_PANEL)] = None
    budget: Annotated[str | None, value(
        "--budget", "NAME", "The budget that is charged.", panel=_PANEL)] = None
    dataset: Annotated[str | None, value(
        "--dataset", "NAME", "The dataset; that of the budget if not given.", panel=_PANEL)] = None
    request: Annotated[str | None, value(
        "--request", "NAME", "A name for this request: asked again, it gets the same answer for "
        "free.", panel=_PANEL)] = None
    asker: Asker = None
    key: KeyFile = None

    @contextmanager
    def account(self) -> Iterator[Account | None]:
        """The account that is charged, None if none was named."""
        from tightrope.ledger import Account, Ledger

        if self.ledger is None:
            if any(given is not None
                   for given in (self.budget, self.dataset, self.request, self.asker)):
                raise BadInput("--budget, --dataset, --request and --as need --ledger beside them.")
            yield None
            return
        if self.budget is None:
            raise BadInput("--ledger needs the name of a budget beside it: --budget.")
        with Ledger(self.ledger, key=self.key) as opened:
            yield Account(opened, self.budget, self.request, self.dataset, self.asker)


def booking_line(booked: Booked | None) -> str:
    """The booking in one line."""
    from tightrope.ledger import booked_fact

    return booked_fact(booked).text
