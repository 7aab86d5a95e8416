"""Marks on answers that say little, from declarations and released numbers alone.

A count or a sum is marked if its interval reaches 0; a mean, a share, a variance or a point of a
distribution if its interval is longer than half of the declared range. Of empty cells a share of
half the missed confidence has an interval above 0: those escape the mark.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tightrope.releases.accuracy import Keyed, Ranks
from tightrope.releases.cuts import notes

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan

REACHES_0, WIDE = "reaches-zero", "over-half-range"
MARKS = {REACHES_0: "reaches 0", WIDE: "over half of the range"}
"""The codes of marks, and their words."""
WITHHELD = "may be empty"


def mark_of(plan: QuestionPlan) -> str | None:
    """The mark that answers to a question may have, in words."""
    if isinstance(plan.strategy.accuracy, Ranks | Keyed):
        return None
    return MARKS[REACHES_0 if plan.strategy.range_length is None else WIDE]


def mark(plan: QuestionPlan, low: Fraction, high: Fraction) -> str | None:
    """The code of the mark of an answer with this interval."""
    length = plan.strategy.range_length
    if length is not None:
        return WIDE if 2 * (high - low) > length else None
    return REACHES_0 if low <= 0 and (high >= 0 or plan.strategy.counts) else None


def legend(plan: QuestionPlan, *, together: bool = False) -> str | None:
    """The mark of a question in words, with the share of empty cells that escape it.

    Where intervals hold `together`, it is the share of releases in which any cell escapes.
    """
    word = mark_of(plan)
    if word is None:
        return None
    missed = 100 * float(1 - plan.confidence) / (1 if plan.strategy.signed or together else 2)
    escaped = f"in up to {missed:g} % of releases an empty cell escapes it" if together else (
        f"up to {missed:g} % of empty cells escape this mark")
    says = "the cell may be empty" if plan.strategy.range_length is None else (
        "the interval is longer than half of the range")
    of = " of an agreed answer" if together else ""
    return f"“{word}”{of}: {says}; {escaped}."


def legends(plan: QuestionPlan, *, together: bool = False) -> list[str]:
    """The words below the answers: the meaning of marks, withheld values and cuts."""
    words = [legend(plan, together=together)]
    if plan.strategy.range_length is not None and plan.size is None:
        words.append(f"A value is withheld (“{WITHHELD}”) unless its group has at least 1 row at "
                     "the lower limit of its size; its interval holds if there is a row.")
    if plan.question.adjusted:
        words.append("Adjusted counts are whole, not below 0 and add up to the released total; "
                     "they are biased, their intervals are the unbiased ones cut at 0, and how "
                     "far they are off depends on the data.")
    return [word for word in (*words, *notes(plan)) if word is not None]
