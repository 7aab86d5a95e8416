"""How a plan reads cells, in words: how far rounding goes, and which rows a share is of."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tightrope.characters import decimal_text
from tightrope.declarations import Code, NumberColumn
from tightrope.releases.questions import Ask

if TYPE_CHECKING:
    from tightrope.releases.planning import Plan


def half_step(plan: Plan) -> Fraction | None:
    """Half a resolution, by which the numbers behind the answers may be rounded."""
    steps = [reading.column.step for reading in plan.parts[0].part.tally.readings
             if isinstance(reading, Code) and isinstance(reading.column, NumberColumn)]
    return max(steps) / 2 if steps else None


def rounding(plan: Plan) -> str | None:
    """How far rounding alone may move an answer."""
    half = half_step(plan)
    if half is None:
        return None
    of = {Ask.SUM: "each row", Ask.VARIANCE: "the standard deviation"}.get(plan.question.ask)
    return f"± {decimal_text(half)}{f' in {of}' if of else ''}, beside the noise"


def base(plan: Plan) -> str | None:
    """The rows that a mean or a share is of."""
    if plan.size is not None:
        return f"all {plan.size:,} rows"
    match plan.question.ask:
        case Ask.PROPORTION:
            return "rows for which the condition is true or false, not unknown"
        case Ask.MEAN | Ask.VARIANCE | Ask.DISTRIBUTION:
            return f"rows whose {plan.question.columns[0]} is not left out"
        case _:
            return None
