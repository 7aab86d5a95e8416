"""A note on a "no" that holds for doubles but not for their shortest decimals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

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
