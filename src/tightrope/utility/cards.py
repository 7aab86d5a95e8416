"""What is shown of a problem and its solution: four lines in a terminal, a card in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import counted, label_text, shorten
from tightrope.markup import LARGEST_PICTURE, card, lines, table
from tightrope.mechanisms import mechanism_facts, mechanism_picture
from tightrope.privacy import level_shown, meaning
from tightrope.utility.standing import standing_of

if TYPE_CHECKING:
    from tightrope.utility.estimation import Estimate, EstimateRow
    from tightrope.utility.problem import Problem
    from tightrope.utility.solution import Solution


def problem_line(problem: Problem) -> str:
    """A problem in one line.

    >>> from tightrope.utility import Problem
    >>> Problem("path:0..9", 0.5, goal="worst")
    Problem(path:0..9 at ε = 0.5, absolute loss, worst)
    """
    return f"Problem({question(problem)})"


def question(problem: Problem, at: str | None = None) -> str:
    """A problem in words, or the same at other levels."""
    said = f"{shorten(problem.space.text)} at {at or problem.level}, {problem.loss.name} loss"
    prior = "" if problem.prior.weights is None else ", given prior"
    outputs = "" if problem.outputs is None else f", {counted(len(problem.outputs), 'output')}"
    return f"{said}, {problem.goal.value}{prior}{outputs}"


def solution_lines(solution: Solution) -> str:
    """What it is, its error in words, its loss beside the best, and the level that is proved."""
    rows = [
        ("error", solution.closeness),
        ("loss", f"{solution.value:.7g}, {standing_of(solution)}"),
        ("level", level_shown(solution.certified.certificate)),
    ]
    named = f"{shorten(solution.construction)} on {question(solution.problem)}"
    return lines(f"Solution: {named}", rows)


def solution_card(solution: Solution) -> str:
    """A solution as HTML, with a picture where the mechanism is small."""
    problem, certified = solution.problem, solution.certified
    return card(
        f"{shorten(solution.construction)} on {question(problem)}",
        [
            ("error", solution.closeness),
            ("loss", f"{solution.value:.7g}, {standing_of(solution)}"),
            ("level", level_shown(certified.certificate)),
            *mechanism_facts(certified.mechanism),
        ],
        picture=mechanism_picture(certified.mechanism),
        sentences=meaning(certified.certificate),
    )


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
