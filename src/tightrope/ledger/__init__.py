"""Budgets that are kept: append-only books, sealed line by line, charged in one way only."""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.ledger.accounts import (
        Account,
        drawn_once,
        forms_of,
        from_plain,
        law_digest,
        metric_of,
        neighbors_of,
        plain,
    )
    from tightrope.ledger.booking import TableBooking, booking_of
    from tightrope.ledger.books import Booked, Ledger, booked_fact
    from tightrope.ledger.entries import (
        Balance,
        Budget,
        Charge,
        Record,
        entry_from,
        level_form,
        level_from,
        level_of,
        seal_from,
        spent_from,
    )
    from tightrope.ledger.list_accounts import account_for
    from tightrope.ledger.scopes import UNITS, Scope
    from tightrope.ledger.store import address
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "UNITS",
    "Account",
    "Balance",
    "Booked",
    "Budget",
    "Charge",
    "Ledger",
    "Record",
    "Scope",
    "TableBooking",
    "account_for",
    "address",
    "booked_fact",
    "booking_of",
    "drawn_once",
    "entry_from",
    "forms_of",
    "from_plain",
    "law_digest",
    "level_form",
    "level_from",
    "level_of",
    "metric_of",
    "neighbors_of",
    "plain",
    "seal_from",
    "spent_from",
]
