"""What is shown of a problem and its solution: four lines in a terminal, a card in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import counted, shorten
from tightrope.markup import card, lines
from tightrope.mechanisms import mechanism_facts, mechanism_picture
from tightrope.privacy import level_shown, meaning
from tightrope.utility.standing import standing_of

if TYPE_CHECKING:
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
