"""Progress on the terminal, shown for work that takes longer than a second.

A search that has a value and a bound shows them sooner. Nothing is shown where standard error is
no terminal.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import log
from time import monotonic

from tightrope.cli.output import console
from tightrope.exact import tolerances

PATIENCE = 1.0
"""Seconds of work before progress is shown: short work needs none."""

GLANCE = 0.3
"""The same for a search that already has a value and a bound to show."""

_STEPS = 8
"""Last steps of a search from which the remaining time is extrapolated."""

_MINUTES, _HOURS = 2, 2
"""Minutes and hours from which on times are shown in these units."""


@contextmanager
def working(sentence: str) -> Iterator[None]:
    """Show the sentence while the block runs."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield
        return
    status = screen.status(sentence)
    with _show_later(status.start, status.stop):
        yield


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Show a count; the block calls the given function with the number of rows done so far."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda done: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.completed:,} " + what), BarColumn(), TimeElapsedColumn()
    bar = Progress(*columns, console=screen, transient=True)
    task = bar.add_task(what, total=None)
    with _show_later(bar.start, bar.stop):
        yield lambda done: bar.update(task, completed=done)


class Pace:
    """Remaining time of a search, from how fast its gap closes.

    >>> pace = Pace(1e-6, clock=iter([0.0, 10.0]).__next__)
    >>> pace.left(1, 1e-2), round(pace.left(2, 1e-4), 6)  # as many digits again
    (None, 10.0)
    """

    def __init__(self, asked: float, clock: Callable[[], float] = monotonic) -> None:
        self._asked, self._clock = asked, clock
        self._seen: list[tuple[float, float]] = []

    def left(self, iteration: int, gap: float) -> float | None:
        """Seconds left after a step, by the pace of the last few; None where that says nothing."""
        if iteration == 1:
            self._seen = []
        now = self._clock()
        if not 0 < gap < 1:  # the first steps say nothing of the later ones
            return None
        self._seen = [*self._seen, (now, log(gap))][-_STEPS:]
        (first, start), (last, end) = self._seen[0], self._seen[-1]
        if not end < start:
            return None
        return max(0.0, (end - log(self._asked)) * (last - first) / (start - end))


@contextmanager
def closing(
    sentence: str, asked: float | None = None
) -> Iterator[Callable[[int, float, float], None]]:
    """Show how the gap between value and bound closes; the block calls the given function.

    Both are floating-point numbers of the search, and the line says so: the final result is
    proved.
    """
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda iteration, value, bound: None
        return
    status = screen.status(sentence)
    pace = Pace(tolerances.DEFAULT_GAP if asked is None else asked)
    started = monotonic()

    def show(iteration: int, value: float, bound: float) -> None:
        gap = (value - bound) / abs(value) if value else 0.0
        left = pace.left(iteration, gap)
        more = "" if left is None else f", at this pace {_duration(left)} more"
        status.update(
            f"{sentence}: step {iteration}, loss {value:.9g}, bound {bound:.9g}, gap {gap:.1e}"
            f" (to be proved at the end){more}"
        )
        if 0 <= gap < 1 and monotonic() - started > GLANCE:
            status.start()

    with _show_later(status.start, status.stop):
        yield show


def _duration(seconds: float) -> str:
    """A duration, rounded for people.

    >>> _duration(7.4), _duration(143.0), _duration(8000.0)
    ('7 s', '2 min', '2.2 h')
    """
    if seconds < _MINUTES * 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < _HOURS * 3600 else f"{seconds / 3600:.1f} h"


def announce(line: str) -> None:
    """Print a line at once, while other results are computed."""
    screen = console(stderr=True)
    if screen.is_terminal:
        screen.print(line, highlight=False, markup=False)


@contextmanager
def _show_later(start: Callable[[], None], stop: Callable[[], None]) -> Iterator[None]:
    """Call `start` if the block takes longer than `PATIENCE`, and `stop` when it ends."""
    timer = threading.Timer(PATIENCE, start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        stop()
