"""What an item of a source paper is, and what comes of trying it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """What exact arithmetic says about a published figure."""

    CONFIRMED = "confirmed"
    CORRECTED = "corrected"
    NOT_REPRODUCIBLE = "not reproducible"


@dataclass(frozen=True)
class Finding:
    """A published figure beside the one found, with the verdict and its reason."""

    published: str
    found: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True)
class Item:
    """One figure, table or claim of a source paper.

    `recorded` is the verdict on record; a run that ends in another one has drifted.
    """

    paper: str
    name: str
    title: str
    recorded: Verdict
    run: Callable[[], Finding]


@dataclass(frozen=True)
class Attempt:
    """An item that was tried again, and what was found."""

    item: Item
    finding: Finding

    @property
    def drifted(self) -> bool:
        """Whether the verdict differs from the one on record."""
        return self.finding.verdict is not self.item.recorded

    def as_json(self) -> dict[str, Any]:
        """One row of what `tightrope reproduce --json` prints."""
        return {
            "paper": self.item.paper,
            "item": self.item.name,
            "title": self.item.title,
            "published": self.finding.published,
            "found": self.finding.found,
            "verdict": self.finding.verdict.value,
            "recorded": self.item.recorded.value,
            "reason": self.finding.reason,
        }


@dataclass(frozen=True)
class Reproduction:
    """Items that were tried again, in order."""

    attempts: tuple[Attempt, ...]

    @property
    def drifted(self) -> int:
        """How many verdicts differ from those on record."""
        return sum(attempt.drifted for attempt in self.attempts)

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope reproduce --json` prints."""
        rows = [attempt.as_json() for attempt in self.attempts]
        return {"rows": rows, "drifted": self.drifted}


def judged(published: str, found: str, agrees: bool, reason: str) -> Finding:
    """A finding that is confirmed if both agree, and corrected otherwise."""
    return Finding(published, found, Verdict.CONFIRMED if agrees else Verdict.CORRECTED, reason)
