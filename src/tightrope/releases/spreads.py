"""Errors of the numbers in a table: its cells, their sums, and all cells together.

Noise of cells is independent, so a sum of cells has the law of as many noises. Every kind of
number has its own expected error and half-width; one more half-width holds for all cells at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tightrope.spaces import Tallies, Totals

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan


@dataclass(frozen=True)
class Spread:
    """Expected absolute error and half-width of one kind of number: a sum of so many cells."""

    of: str
    terms: int
    error: Fraction
    width: Fraction

    def as_json(self) -> dict[str, Any]:
        """The errors as JSON has them."""
        return {"of": self.of, "cells": self.terms, "expected_error": float(self.error),
                "within": float(self.width)}


def sums_of_cells(plan: QuestionPlan) -> tuple[Spread, ...]:
    """The errors of margins and totals; none where cells are not added up."""
    planned = plan.subqueries[0]
    if not isinstance(planned.subquery.space, Tallies):
        return ()
    return tuple(
        Spread(of, terms, planned.mean_error(terms), planned.width(plan.confidence, terms))
        for of, terms in plan.strategy.sums)


def width_of_all_cells(plan: QuestionPlan) -> Fraction | None:
    """Half the length of intervals that hold all cells at once; None for one number."""
    space = plan.subqueries[0].subquery.space
    several = isinstance(space, Totals) or (isinstance(space, Tallies) and space.cells > 1)
    if plan.width is None or plan.size is not None or not several:
        return None
    return plan.subqueries[0].width_of_all(plan.confidence)
