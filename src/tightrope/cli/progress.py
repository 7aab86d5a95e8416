"""What is being done, said on the terminal once it takes longer than a second.

Nothing is said where standard error is no terminal.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tightrope.cli.report import console

PATIENCE = 1.0
"""Seconds of work before anything is said about it."""


@contextmanager
def working(sentence: str) -> Iterator[None]:
    """Show the sentence while the block runs."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield
        return
    status = screen.status(sentence)
    with _later(status.start, status.stop):
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
    with _later(bar.start, bar.stop):
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def closing(sentence: str) -> Iterator[Callable[[int, float, float], None]]:
    """Show how the gap between value and bound closes; the block calls the given function."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda iteration, value, bound: None
        return
    status = screen.status(sentence)

    def show(iteration: int, value: float, bound: float) -> None:
        gap = (value - bound) / abs(value) if value else 0.0
        status.update(
            f"{sentence}: step {iteration}, loss {value:.9g}, bound {bound:.9g}, gap {gap:.1e}"
        )

    with _later(status.start, status.stop):
        yield show


def announce(line: str) -> None:
    """Say at once what is known already, while more is being worked out."""
    screen = console(stderr=True)
    if screen.is_terminal:
        screen.print(line, highlight=False, markup=False)


@contextmanager
def _later(start: Callable[[], None], stop: Callable[[], None]) -> Iterator[None]:
    """Call `start` if the block outlasts our patience, and then `stop` when it ends."""
    timer = threading.Timer(PATIENCE, start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        stop()
