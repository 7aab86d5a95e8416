"""The options by which a command is charged to a budget, and the line about the charge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.ledger import KeyFile
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from tightrope.ledger import Account, Booked

_PANEL = "Books"


@dataclass(frozen=True)
class AskedBooking:
    """The budget that a release is charged to; without it nothing is booked."""

    ledger: Annotated[
        str | None,
        typer.Option("--ledger", metavar="URL", help="Charge this ledger before anything is drawn.",
                     rich_help_panel=_PANEL, show_default=False),
    ] = None
    budget: Annotated[
        str | None,
        typer.Option("--budget", metavar="NAME", help="The budget that is charged.",
                     rich_help_panel=_PANEL, show_default=False),
    ] = None
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", metavar="NAME", help="The dataset; that of the budget if not "
                     "given.", rich_help_panel=_PANEL, show_default=False),
    ] = None
    request: Annotated[
        str | None,
        typer.Option("--request", metavar="NAME", help="A name for this request: asked again, it "
                     "gets the same answer for free.", rich_help_panel=_PANEL, show_default=False),
    ] = None
    key: KeyFile = None

    @contextmanager
    def account(self) -> Iterator[Account | None]:
        """The account that is charged, None if none was named."""
        from tightrope.ledger import Account, Ledger

        if self.ledger is None:
            if any(given is not None for given in (self.budget, self.dataset, self.request)):
                raise BadInput("--budget, --dataset and --request need --ledger beside them.")
            yield None
            return
        if self.budget is None:
            raise BadInput("--ledger needs the name of a budget beside it: --budget.")
        with Ledger(self.ledger, key=self.key) as opened:
            yield Account(opened, self.budget, self.request, self.dataset)


def booking_line(booked: Booked | None) -> str:
    """The booking in one line."""
    if booked is None:
        return "Nothing was booked."
    free = ", given again for free" if booked.again else ""
    return (f"Booked as entry {booked.entry.number} of {booked.entry.budget}{free}; "
            f"{booked.remaining} left.")
