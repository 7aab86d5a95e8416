"""Answers of a release as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.releases import Answer, Plan

_LISTED = 60
"""Answers that people are shown; --json and -o have all."""


def answer_table(screen: Console, plan: Plan, answers: Sequence[Answer]) -> None:
    """Every answer with its interval, the first ones if there are many."""
    from tightrope.characters import counted
    from tightrope.cli.report import table
    from tightrope.releases import answer_columns

    titles, rows = answer_columns(plan, answers[:_LISTED])
    screen.print(table(titles, rows))
    if len(answers) > _LISTED:
        screen.print(f"… and {counted(len(answers) - _LISTED, 'more answer')}")
