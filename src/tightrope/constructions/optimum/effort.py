"""How hard to look for an optimum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tightrope.exact import tolerances
from tightrope.symmetry import Symmetry
from tightrope.utility import Problem

Watch = Callable[[int, float, float], None]


@dataclass(frozen=True)
class Effort:
    """How hard a design tries: it stops at this relative gap to the bound, or after the seconds.

    `watch` is told of progress and may stop the search; `symmetry=False` does without symmetries.

    >>> import tightrope as tr
    >>> found = tr.design("cycle:5", 1, effort=Effort(gap=0.01, seconds=60.0))
    >>> found.gap <= 0.01
    True
    """

    gap: float = tolerances.DEFAULT_GAP
    seconds: float = 600.0
    watch: Watch | None = None
    symmetry: bool = True

    def symmetry_of(self, problem: Problem) -> Symmetry:
        """The symmetry of a problem; none if it is not to be used."""
        if self.symmetry:
            return problem.symmetry
        return Symmetry(problem.space.size, len(problem.answers))


ORDINARY = Effort()
