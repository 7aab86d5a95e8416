"""Errors of a plan in words, from declarations alone: the same on every surface."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from tightrope.releases.questions import CHOSEN, RANKED, Ask

if TYPE_CHECKING:
    from tightrope.releases.planning import Plan

BIASED = "biased toward the middle of the range"


def error_facts(plan: Plan) -> list[tuple[str, str]]:
    """The errors by name: of cells, sums and all cells together; of rounding; of which rows."""
    unit, sure = plan.counted_in, float(plan.confidence)
    facts = [("error", plan.accuracy), *(
        (spread.of, f"{float(spread.error):.4g} {unit} on average, at most "
         f"{float(spread.width):.4g} {unit} with confidence {sure:g}") for spread in plan.sums)]
    if plan.together is not None:
        facts.append(("all cells", f"at most {float(plan.together):.4g} {unit} at once with "
                      f"confidence {sure:g}"))
    rest = (("rounding", plan.rounding), ("of", plan.base))
    return facts + [(name, words) for name, words in rest if words is not None]


def accuracy(plan: Plan) -> str:
    """The error of one answer; of one cell, where there are several."""
    unit, ask = plan.counted_in, plan.question.ask
    sure = f"with confidence {float(plan.confidence):g}"
    if ask in RANKED or ask in CHOSEN:
        off = "off by up to" if ask in RANKED else "up to"
        return f"{off} {_shown(plan.width)} {unit} {sure}: {_noise(plan)}"
    error = "depends on the data" if plan.error is None else (
        f"{_shown(plan.error)} {unit} on average")
    if plan.target is not None:
        error += (f" {_over(plan)}, {_shown(plan.worst_error)} for the worst input; {BIASED}")
    return error if plan.width is None else f"{error}, at most {_shown(plan.width)} {unit} {sure}"


def _over(plan: Plan) -> str:
    return "over the stated weights" if plan.question.weights else "over the range"


def _noise(plan: Plan) -> str:
    """The sizes of groups for which that bound holds whatever is answered."""
    where = "groups" if plan.question.by else "tables"
    return f"noise in {where} below {least_size(plan):,} rows"


def least_size(plan: Plan) -> int:
    """Rows from which on a bound in ranks, or in rows of a cell, excludes some answer.

    Ranks from 0 to n are all within w of rank p n if n is at most w/max(p, 1 - p).
    """
    width = plan.width
    assert width is not None
    sides = [max(p, 1 - p) for p in plan.question.probabilities] if (
        plan.question.ask in (Ask.MEDIAN, Ask.QUANTILES)) else [Fraction(1)]
    return ceil(width / min(sides))


def meaning(plan: Plan) -> str | None:
    """The rank that an extreme value aims at, in words."""
    ask, rows = plan.question.ask, plan.parts[0].rows_beyond
    if ask not in (Ask.MINIMUM, Ask.MAXIMUM):
        return None
    return f"a value that about {rows:,} rows {'exceed' if ask is Ask.MAXIMUM else 'are below'}"


def _shown(number: Fraction | None) -> str:
    return "unknown" if number is None else f"{float(number):.4g}"
