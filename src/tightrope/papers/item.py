"""What an item of a source paper is, and what comes of trying it again.

An item runs with the parameters of its paper unless others are given, and states one change
that shows that it computes: `varied` changes what is found, `dropped` takes a hypothesis away
and so changes the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from inspect import signature
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

    `recorded` is the verdict on record; a run that ends in another one has drifted. `run` takes
    keywords, whose defaults are the paper's: whole numbers, fractions, text, yes or no, or
    tuples of those. Each change in `varied` or `dropped` is a set of such keywords.
    """

    paper: str
    name: str
    title: str
    recorded: Verdict
    run: Callable[..., Finding]
    varied: Mapping[str, Any] = field(default_factory=dict)
    dropped: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The name that the docs use, such as `wxh/figure-6`."""
        return f"{self.paper}/{self.name}"

    @property
    def parameters(self) -> dict[str, Any]:
        """What the item depends on, with the values of the paper."""
        return {name: one.default for name, one in signature(self.run).parameters.items()}

    def as_json(self) -> dict[str, Any]:
        """One row of what `tightrope reproduce --list --json` prints."""
        return {
            "paper": self.paper,
            "item": self.name,
            "title": self.title,
            "recorded": self.recorded.value,
            "parameters": {name: written(value) for name, value in self.parameters.items()},
        }


@dataclass(frozen=True)
class Contents:
    """Items that can be tried again, in order."""

    items: tuple[Item, ...]

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope reproduce --list --json` prints."""
        return {"items": [item.as_json() for item in self.items]}


@dataclass(frozen=True)
class Attempt:
    """An item that was tried again, with the parameters that are not the paper's."""

    item: Item
    finding: Finding
    changed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def drifted(self) -> bool:
        """Whether the verdict on the paper's own parameters differs from the one on record."""
        return not self.changed and self.finding.verdict is not self.item.recorded

    def as_json(self) -> dict[str, Any]:
        """One row of what `tightrope reproduce --json` prints."""
        return {
            "paper": self.item.paper,
            "item": self.item.name,
            "title": self.item.title,
            "changed": {name: written(value) for name, value in self.changed.items()},
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

    @property
    def summary(self) -> dict[str, dict[Verdict, int]]:
        """How many verdicts of each kind, paper by paper."""
        found: dict[str, dict[Verdict, int]] = {}
        for attempt in self.attempts:
            counts = found.setdefault(attempt.item.paper, dict.fromkeys(Verdict, 0))
            counts[attempt.finding.verdict] += 1
        return found

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope reproduce --json` prints."""
        rows = [attempt.as_json() for attempt in self.attempts]
        summary = {
            paper: {verdict.value: count for verdict, count in counts.items()}
            for paper, counts in self.summary.items()
        }
        return {"rows": rows, "drifted": self.drifted, "summary": summary}


def judged(
    published: str, found: str, holds: bool, reason: str, *, ours: bool = False
) -> Finding:
    """A finding by what was tried: the published claim, and ours in its place if there is one.

    Confirmed if the claim held; corrected if it failed and ours held in the same run; else
    neither was shown, and it is not reproducible.
    """
    verdict = Verdict.CONFIRMED if holds else (
        Verdict.CORRECTED if ours else Verdict.NOT_REPRODUCIBLE)
    return Finding(published, found, verdict, reason)


def written(value: object) -> str:
    """A parameter as it is typed after `--set`: `2`, `1/10`, `yes`, `0.5,1,2`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(written, value))
    return str(value)
