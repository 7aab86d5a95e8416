"""How hard to look for an optimum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

from tightrope.characters import shorten
from tightrope.errors import BadInput
from tightrope.exact import tolerances
from tightrope.symmetry import Symmetry
from tightrope.utility import Problem

Watch = Callable[[int, float, float], None]


@dataclass(frozen=True)
class Effort:
    """How hard a design tries: it stops at this relative gap to the bound, or after the seconds.

    `watch(step, value, bound)` is called after each step and may raise to stop the search;
    `symmetry=False` ignores symmetries.

    >>> import tightrope as tr
    >>> tr.design("cycle:5", 1, effort=Effort(gap=0.01, seconds=60.0)).gap <= 0.01
    True
    """

    gap: float = tolerances.DEFAULT_GAP
    seconds: float = 600.0
    watch: Watch | None = None
    symmetry: bool = True

    def __post_init__(self) -> None:
        given: tuple[tuple[str, Any], ...] = ("gap", self.gap), ("seconds", self.seconds)
        for name, value in given:
            if isinstance(value, bool) or not isinstance(value, Real):
                raise BadInput(
                    f"expected the {name} of an effort as a number, found {shorten(repr(value))}."
                )
        if not 0 <= self.gap < 1:
            raise BadInput(f"expected a gap from 0 to below 1, found {self.gap}.")
        if not self.seconds >= 0:
            raise BadInput(f"expected seconds of 0 or more, found {self.seconds}.")
        if self.watch is not None and not callable(self.watch):
            raise BadInput(
                "expected a function of step, value and bound to watch, "
                f"found {type(self.watch).__name__}."
            )

    def symmetry_of(self, problem: Problem) -> Symmetry:
        """The symmetry of a problem; none if it is not to be used."""
        if self.symmetry:
            return problem.symmetry
        return Symmetry(problem.space.size, len(problem.answers))


ORDINARY = Effort()
