"""How far the rounding of cells may move an answer."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tightrope.characters import decimal_text
from tightrope.declarations import Code, NumberColumn

if TYPE_CHECKING:
    from tightrope.releases.planning import Plan


def half_step(plan: Plan) -> Fraction | None:
    """Half a resolution, by which the numbers behind the answers may be rounded."""
    steps = [reading.column.step for reading in plan.tally.readings
             if isinstance(reading, Code) and isinstance(reading.column, NumberColumn)]
    return max(steps) / 2 if steps else None


def rounding(plan: Plan) -> str | None:
    """How far rounding alone may move an answer."""
    half = half_step(plan)
    if half is None:
        return None
    of = plan.strategy.rounded
    return f"± {decimal_text(half)}{f' in {of}' if of else ''}, beside the noise"
