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
    from tightrope.ledger.audit import AROUND_DATA
    from tightrope.ledger.booking import TableBooking, booking_of
    from tightrope.ledger.books import Ledger
    from tightrope.ledger.entries import (
        Balance,
        Booked,
        Budget,
        Charge,
        Record,
        Superseded,
        booked_fact,
        entry_from,
        seal_from,
    )
    from tightrope.ledger.exports import audit_books, export_balances, is_export
    from tightrope.ledger.history import history, history_figure, history_table
    from tightrope.ledger.list_accounts import account_for
    from tightrope.ledger.scopes import UNITS, Scope
    from tightrope.ledger.store import address
    from tightrope.ledger.sums import level_form, level_from, spent_from
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "AROUND_DATA",
    "UNITS",
    "Account",
    "Balance",
    "Booked",
    "Budget",
    "Charge",
    "Ledger",
    "Record",
    "Scope",
    "Superseded",
    "TableBooking",
    "account_for",
    "address",
    "audit_books",
    "booked_fact",
    "booking_of",
    "drawn_once",
    "entry_from",
    "export_balances",
    "forms_of",
    "from_plain",
    "history",
    "history_figure",
    "history_table",
    "is_export",
    "law_digest",
    "level_form",
    "level_from",
    "metric_of",
    "neighbors_of",
    "plain",
    "seal_from",
    "spent_from",
]
