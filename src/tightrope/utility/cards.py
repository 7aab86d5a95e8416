"""A problem in words, and an estimate in lines and as a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import counted, label_text, shorten
from tightrope.markup import LARGEST_PICTURE, card, lines, table

if TYPE_CHECKING:
    from tightrope.utility.estimation import Estimate, EstimateRow
    from tightrope.utility.problem import Problem


def problem_line(problem: Problem) -> str:
    """A problem in one line.

    >>> from tightrope.utility import Problem
    >>> Problem("path:0..9", 0.5, goal="worst")
    Problem(path:0..9 at ε = 0.5, absolute loss, worst)
    """
    return f"Problem({question(problem)})"


def question(problem: Problem, at: str | None = None) -> str:
    """A problem in words, or the same at other levels."""
    text = f"{shorten(problem.space.text)} at {at or problem.level}, {problem.loss.name} loss"
    prior = "" if problem.prior.weights is None else ", given prior"
    outputs = "" if problem.outputs is None else f", {counted(len(problem.outputs), 'output')}"
    return f"{text}, {problem.goal.value}{prior}{outputs}"


def estimate_lines(estimate: Estimate) -> str:
    """The first estimated proportions with their intervals."""
    shown = estimate.rows if len(estimate.rows) <= 4 else estimate.rows[:3]
    more = len(estimate.rows) - len(shown)
    return lines(
        _estimate_title(estimate),
        [*((label_text(row.value), _proportion(row)) for row in shown),
         ("…", counted(more, "other value") if more else None),
         ("missing cells", estimate.missing and f"count as {label_text(estimate.missing)}")],
    )


def estimate_card(estimate: Estimate) -> str:
    """Estimated proportions as HTML."""
    shown = estimate.rows[:LARGEST_PICTURE]
    more = len(estimate.rows) - len(shown)
    return card(
        _estimate_title(estimate),
        picture=table(
            ("value", "unbiased", "from", "to", estimate.estimator.value),
            [(label_text(row.value),
              *(f"{x:.4g}" for x in (row.estimate, row.low, row.high, row.adjusted)))
             for row in shown],
        ),
        sentences=[*([f"{counted(more, 'other value')} not shown."] if more else []),
                   *estimate.remarks],
    )


def _estimate_title(estimate: Estimate) -> str:
    of = "the population" if estimate.sampling else "these rows"
    return (
        f"Estimate: {counted(len(estimate.rows), 'value')} from {counted(estimate.n, 'row')}, "
        f"{100 * estimate.confidence:.6g} % intervals for {of}"
    )


def _proportion(row: EstimateRow) -> str:
    return f"{row.estimate:.4g} from {row.low:.4g} to {row.high:.4g}"
