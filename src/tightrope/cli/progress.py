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
def counting() -> Iterator[Callable[[str, int, int | None], None]]:
    """Show a bar; the block calls the given function with the stage, the rows done and all rows."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda stage, done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = TextColumn("{task.description} rows"), BarColumn(), MofNCompleteColumn(), TimeLeft()
    bar = Progress(*columns, console=screen, transient=True)
    task = bar.add_task("reading", total=None)
    with _later(bar.start, bar.stop):
        yield lambda stage, done, total: bar.update(
            task, description=stage, completed=done, total=total
        )


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
