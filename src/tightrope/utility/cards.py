"""A problem in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import counted, shorten

if TYPE_CHECKING:
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
