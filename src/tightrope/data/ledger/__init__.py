"""Budgets that are kept: append-only books, sealed line by line, charged in one way only."""

from tightrope.data.ledger.accounts import (
    UNITS,
    Account,
    drawn_once,
    from_plain,
    law_digest,
    metric_of,
    plain,
)
from tightrope.data.ledger.audit import LedgerReport
from tightrope.data.ledger.books import Booked, Ledger, another_question
from tightrope.data.ledger.entries import (
    Balance,
    Budget,
    Charge,
    Record,
    Scope,
    entry_from,
    level_form,
    level_from,
    level_of,
    seal_from,
    spent_from,
)
from tightrope.data.ledger.store import address

__all__ = [
    "UNITS",
    "Account",
    "Balance",
    "Booked",
    "Budget",
    "Charge",
    "Ledger",
    "LedgerReport",
    "Record",
    "Scope",
    "address",
    "another_question",
    "drawn_once",
    "entry_from",
    "from_plain",
    "law_digest",
    "level_form",
    "level_from",
    "level_of",
    "metric_of",
    "plain",
    "seal_from",
    "spent_from",
]
