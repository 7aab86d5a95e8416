"""Columns of dates and times between two bounds, counted in whole days or seconds.

A time column is a column of numbers, days or seconds, that are read and shown as moments: clamped
to the bounds, compared and counted in bins as all numbers are. Its steps are whole days, or whole
seconds. It has ranks (medians, quantiles, extremes) and no sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from tightrope.characters import label_text
from tightrope.choices import member_of
from tightrope.declarations.columns import LEAVE_OUT, NumberColumn
from tightrope.declarations.moments import Clock, stated_moment
from tightrope.errors import BadInput


@dataclass(frozen=True)
class TimeColumn(NumberColumn):
    """Moments between two bounds, both of which belong to it.

    >>> admitted = TimeColumn("2024-01-01", "2024-12-31", clock=Clock.DATE)
    >>> admitted.code("2024-01-03"), admitted.code("2031-01-01"), admitted.code("3.1.2024")
    (2, 365, None)
    >>> admitted.text(admitted.value(2))
    '2024-01-03'
    """

    clock: Clock = Clock.DATE

    def __post_init__(self) -> None:
        object.__setattr__(self, "clock", member_of(Clock, self.clock))
        for name in ("low", "high", "missing"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, self._stated(given, f"the field {name!r}"))
        object.__setattr__(self, "bins", tuple(self._stated(edge, "an edge") for edge in self.bins))
        object.__setattr__(self, "resolution", Fraction(1))
        if not self.low < self.high:
            raise BadInput(f"expected a low bound before the high one, found {self.text(self.low)} "
                           f"and {self.text(self.high)}.")
        if self.clock is Clock.TIME and self.high >= 86_400:
            raise BadInput("the last time of a day is 23:59:59.")
        super().__post_init__()

    def _stated(self, value: Any, what: str) -> Fraction:
        if isinstance(value, Fraction):
            return value
        number = stated_moment(value, self.clock)
        if number is None:
            raise BadInput(f"{what} is no {self.clock.noun.removeprefix('a ')}: write it as "
                           f"{self.clock.example}, found {label_text(value)}.")
        return Fraction(number)

    def number(self, cell: Any) -> float | None:
        """The day or second of a cell, or the one that stands for missing; None if left out."""
        number = self.clock.number(cell)
        return self._absent if number is None else float(number)

    def text(self, number: Fraction | float) -> str:
        """A day or second as it is shown."""
        return self.clock.text(int(number))

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The bins, in words."""
        last = len(self.bins) - 2
        return tuple(f"[{self.text(a)}, {self.text(b)}{']' if k == last else ')'}"
                     for k, (a, b) in enumerate(pairwise(self.bins)))

    def as_json(self) -> dict[str, Any]:
        """The column as a declaration holds it."""
        return {
            "type": self.clock.value, "low": self.text(self.low), "high": self.text(self.high),
            "missing": LEAVE_OUT if self.missing is None else self.text(self.missing),
            **({"bins": [self.text(edge) for edge in self.bins]} if self.bins else {}),
        }
