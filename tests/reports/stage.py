"""Releases of a small table at a level without noise, and reports of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tightrope.declarations import Declaration
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.releases import OpenTable, Release, open_books

EXACT = 60
"""A level at which noise of counts is 0 but for one draw in 10^25."""

FORM: dict[str, Any] = {
    "dataset": "clinic",
    "columns": {
        "sex": {"type": "category", "values": ["f", "m"]},
        "drug": {"type": "category", "values": ["a", "b", "c"]},
        "age": {"type": "number", "low": 0, "high": 100, "resolution": 1, "bins": [0, 50, 100]},
    },
}
ROWS = {
    "sex": ["f", "f", "f", "m", "m", "f", "m", "f"],
    "drug": ["a", "a", "b", "a", "c", "b", "a", "a"],
    "age": [20, 30, 40, 50, 60, 70, 80, 90],
}


def open_table(
    folder: Path, form: dict[str, Any] = FORM, rows: dict[str, list[Any]] = ROWS, budget: str = "b"
) -> OpenTable:
    """The table with a budget of its own in a ledger of the folder."""
    ledger = Ledger.create(folder / "books.sqlite")
    ledger.open_budget(Budget(budget, Scope.of(Declaration.of(form)), "100000"))
    return open_books(rows, form, ledger=ledger, budget=budget)


def ask(table: OpenTable, *questions: str, level: object = EXACT) -> list[Release]:
    """A release for each question."""
    return [table.ask(question, level) for question in questions]
