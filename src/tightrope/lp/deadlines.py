"""When a search has to end."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

Clock = Callable[[], float]


class OutOfTime(Exception):
    """The time of a search is up; what was found before is used."""


class Deadline:
    """Some seconds from now, by a clock."""

    def __init__(self, seconds: float = float("inf"), clock: Clock = monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds

    @property
    def passed(self) -> bool:
        """Whether the time is up."""
        return self._clock() >= self._end

    def check(self) -> None:
        """Raise `OutOfTime` if it is."""
        if self.passed:
            raise OutOfTime
