"""What an item of a source paper is, and what comes of trying it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


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


def judged(published: str, found: str, agrees: bool, reason: str) -> Finding:
    """A finding that is confirmed if both agree, and corrected otherwise."""
    return Finding(published, found, Verdict.CONFIRMED if agrees else Verdict.CORRECTED, reason)
