"""Notes on a bare matrix: rows that do not add up to 1, and a "no" that is due to doubles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tightrope.facts import Fact, Shown

if TYPE_CHECKING:
    from tightrope.mechanisms import FiniteMechanism


def note_on_doubles(holds: Callable[..., bool], *failed: FiniteMechanism) -> str | None:
    """A sentence if mechanisms that failed would hold as the decimals of their doubles."""
    from tightrope.exact import in_decimals
    from tightrope.mechanisms import MatrixMechanism

    told, written = None, list(failed)
    for place, mechanism in enumerate(failed):
        if isinstance(mechanism, MatrixMechanism) and (other := in_decimals(mechanism.weights)):
            written[place], told = replace(mechanism, weights=other[0]), other[1]
    return f"{told}, and the answer is yes." if told and holds(*written) else None


def row_fact(row_error: float | None) -> Fact:
    """How far rows were from adding up to 1; people are told where they did not."""
    text = f"within {row_error:.2g} of 1; each total became the denominator" if row_error else ""
    return Fact("row_error", "row totals" if text else None, Shown(row_error, text))
