"""Numbers, spaces, row totals and probabilities in words, the same in every command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import shorten
from tightrope.facts import Fact, Shown

if TYPE_CHECKING:
    from tightrope.cli.report import Listing
    from tightrope.mechanisms import Mechanism

LONGEST_SPACE = 200
"""Characters of a space that are shown."""


def number(value: float | None, digits: int = 7) -> str:
    """A number for people: a few digits that matter.

    >>> number(0.5555555555555556), number(2.0), number(1e-9), number(None)
    ('0.5555556', '2', '1e-09', 'not known')
    """
    return "not known" if value is None else f"{value:.{digits}g}"


def space_text(text: str) -> str:
    """The text of a space, the middle of a long one left out."""
    return shorten(text, LONGEST_SPACE)


def row_totals(row_error: float | None) -> str | None:
    """How far rows are from adding up to 1, and that each total became the denominator."""
    if not row_error:
        return None
    return f"within {number(row_error, 2)} of 1; each total became the denominator"


def row_fact(row_error: float | None) -> Fact:
    """How far rows are from adding up to 1, as a fact."""
    text = row_totals(row_error)
    return Fact("row_error", "row totals" if text else None, Shown(row_error, text or ""))


def probability_table(mechanism: Mechanism) -> Listing | None:
    """All probabilities of a small mechanism as a table; None for a larger one."""
    from tightrope.cli.report import table
    from tightrope.privacy import probability_table as described

    shown = described(mechanism)
    return table(shown[0].titles, shown[0].cells()) if shown else None
