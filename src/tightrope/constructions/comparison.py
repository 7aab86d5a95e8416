"""Constructions side by side: the loss of each, and the least loss of any mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from tightrope.characters import shorten
from tightrope.drawing import plot_of
from tightrope.errors import Refused
from tightrope.exact import tolerances
from tightrope.facts import Fact, Facts, card_of, data, latex_of, lines_of, listing
from tightrope.utility import BRIEFLY, Problem, Solution, question, saved, standing_of

if TYPE_CHECKING:
    import pandas

NOMINAL = ("Nominal mechanisms are as their theorems state them, at half of the level; the others "
           "are calibrated to it.")


@dataclass(frozen=True)
class Row:
    """One construction in a comparison; `solution` is None where it does not apply.

    Then the space is `too_large` for it, or something else is `beyond` a limit of it, or it is
    `impossible` to make, or an obstacle is in its way.
    """

    construction: str
    solution: Solution | None
    reason: str
    too_large: bool = False
    impossible: bool = False
    beyond: bool = False

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended its search."""
        return self.solution is not None and bool(self.solution.statistics.get("interrupted"))

    @property
    def parameters(self) -> str | None:
        """The parameters that were given or found, as they follow the name; None without any."""
        made = "" if self.solution is None else self.solution.construction
        return made.partition(":")[2] or None

    def facts(self) -> Facts:
        """The construction with its loss, gap, error and level, None where it does not apply."""
        solution = self.solution
        made = None if solution is None else solution.certified.certificate
        return Facts("Row", self.construction, data(
            construction=self.construction,
            value=solution and solution.value,
            gap=solution and solution.gap,
            errors_expected=solution and solution.closeness,
            level_proved=made and made.smallest,
            certified=made is not None,
            reason=self.reason,
            parameters=self.parameters,
        ))


@dataclass(frozen=True)
class Comparison:
    """Every construction for a problem, best first, and how little any mechanism loses.

    A row has the name of a construction and its `solution`, or the `reason` why it is absent;
    `bound` is proved, None if not known. Where Ctrl-C was pressed, the comparison is `interrupted`.
    `to_frame()` makes a table of pandas.

    >>> import tightrope as tr
    >>> comparison = tr.compare("categories:3", tr.Level.ratio(2))
    >>> round(comparison.bound, 12), comparison.solutions[0].construction
    (0.5, 'randomized-response')
    """

    problem: Problem
    rows: tuple[Row, ...]
    bound: float | None
    interrupted: bool = False

    @property
    def ranked(self) -> tuple[Row, ...]:
        """The rows, the least loss first; constructions that do not apply come last."""
        return tuple(sorted(
            self.rows, key=lambda row: inf if row.solution is None else row.solution.value
        ))

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """The solutions of constructions that apply, the least loss first."""
        return tuple(row.solution for row in self.ranked if row.solution is not None)

    def facts(self) -> Facts:
        """The rows, the least loss first, the bound, and the question."""
        problem = self.problem
        saves = "best saves at most" if problem.query is None else "best saves"
        tuned = [(row.construction, row.parameters) for row in self.ranked if row.parameters]
        absent = [(row.construction, row.reason) for row in self.rows if row.solution is None]
        return Facts(
            "Comparison",
            question(problem),
            (
                Fact("bound", "best possible", self.bound,
                     meaning="the least loss of any mechanism at this level, proved"),
                listing("", ("construction", "loss", saves, "ε proved", "error"),
                        map(_cells, self.solutions)),
                listing("Parameters", ("construction", "parameters"), tuned, words=2, listed=0),
                listing("Not here", ("construction", "reason"), absent, words=2),
                *data(rows=self.ranked, **problem.level.as_json(), space=problem.space.text,
                      loss=problem.loss.name, goal=problem.goal),
            ),
            ("Each level is proved.", *([NOMINAL] if problem.query is not None else []),
             *([BRIEFLY] if any(map(_has_radius, self.solutions)) else [])),
        )

    __repr__ = lines_of
    _repr_html_ = card_of
    to_latex = latex_of
    plot = plot_of

    def to_frame(self) -> pandas.DataFrame:
        """A frame of pandas: a row for each construction, in the catalog's order.

        Where a construction does not apply, numbers are missing and `reason` says why.
        """
        frame = pandas_module().DataFrame([_fields(row) for row in self.rows])
        return frame.set_index("construction")


def pandas_module() -> Any:
    """The module pandas; refused with the line that installs it where it is missing."""
    try:
        import pandas
    except ImportError:
        raise Refused("a frame needs pandas: pip install pandas.") from None
    return pandas


def _cells(solution: Solution) -> tuple[object, ...]:
    """One construction that applies, as people compare it."""
    smallest, closeness = solution.certified.certificate.smallest, solution.closeness
    return (shorten(solution.construction.partition(":")[0]), solution.value, best_saves(solution),
            smallest and smallest.upper, closeness and closeness.brief)


def best_saves(solution: Solution) -> str:
    """How much of a loss might be saved, nothing if that is not known."""
    if solution.gap is None:
        return ""
    exact = solution.gap <= tolerances.DEFAULT_GAP
    return standing_of(solution) if exact else saved(solution.gap)


def _has_radius(solution: Solution) -> bool:
    return solution.closeness is not None and solution.closeness.worst.radius is not None


def _fields(row: Row) -> dict[str, Any]:
    """The columns of a frame: the error in words, the bound beside the loss."""
    solution = row.solution
    if solution is None:
        return {"construction": row.construction, "value": None, "bound": None, "gap": None,
                "level_proved": None, "errors_expected": None, "reason": row.reason}
    smallest, closeness = solution.certified.certificate.smallest, solution.closeness
    return {"construction": row.construction, "value": solution.value, "bound": solution.bound,
            "gap": solution.gap, "level_proved": smallest and smallest.upper,
            "errors_expected": closeness and str(closeness), "reason": row.reason}
