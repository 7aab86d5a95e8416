"""Items of the source papers, and the findings of trying them again.

An item runs with the parameters of its paper unless others are given, and states one change
that shows that it computes: `varied` changes what is found, `dropped` takes a hypothesis away
and so changes the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from inspect import signature
from typing import TYPE_CHECKING, Any

from tightrope.errors import BadInput
from tightrope.facts import Column, Facts, Shown, Table, card_of, data, lines_of
from tightrope.plots import Chart, chart_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Verdict(StrEnum):
    """The verdict of exact arithmetic on a published figure."""

    CONFIRMED = "confirmed"
    CORRECTED = "corrected"
    NOT_REPRODUCIBLE = "not reproducible"


@dataclass(frozen=True)
class Finding:
    """A published figure beside the one found, with the verdict and its reason.

    The chart holds the numbers that this very run computed, drawn as in the paper.
    """

    published: str
    found: str
    verdict: Verdict
    reason: str
    chart: Chart | None = None


@dataclass(frozen=True)
class Item:
    """One figure, table or claim of a source paper.

    `recorded` is the verdict on record; a run that ends in another one has drifted. `run` takes
    keywords, whose defaults are the paper's: whole numbers, fractions, text, yes or no, or
    tuples of those. Each change in `varied` or `dropped` is a set of such keywords. The findings
    of an item that is `pictured` have a chart.
    """

    paper: str
    name: str
    title: str
    recorded: Verdict
    run: Callable[..., Finding]
    varied: Mapping[str, Any] = field(default_factory=dict)
    dropped: Mapping[str, Any] = field(default_factory=dict)
    pictured: bool = False

    @property
    def key(self) -> str:
        """The name that the docs use, such as `wxh/figure-6`."""
        return f"{self.paper}/{self.name}"

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the item, with the values of the paper."""
        known = signature(self.run).parameters
        return {name: parameter.default for name, parameter in known.items()}


@dataclass(frozen=True)
class Contents:
    """Items that can be tried again, in order."""

    items: tuple[Item, ...]

    def facts(self) -> Facts:
        """Every item with the verdict on record and its parameters."""
        columns = (Column(None, "item", words=True), Column("recorded", "recorded", words=True),
                   Column("parameters", "parameters", words=True),
                   Column("picture", "picture", words=True), Column("paper", None),
                   Column("item", None), Column("title", None))
        rows = tuple((f"{item.key}: {item.title}", item.recorded, parameters(item.parameters),
                      Shown(item.pictured, "--plot" if item.pictured else ""),
                      item.paper, item.name, item.title) for item in self.items)
        return Facts("Contents", f"{len(rows)} items", (
            Table("items", "", columns, rows, whole=True),))

    __repr__ = lines_of
    _repr_html_ = card_of


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

    @property
    def title(self) -> str:
        """The item and what it is called, with parameters that are not the paper's."""
        changed = f" ({parameters(self.changed).text})" if self.changed else ""
        return f"{self.item.key}: {self.item.title}{changed}"

    def figure(self) -> Figure:
        """The picture of the numbers that this run computed, with what is wrong in print marked.

        Returns: a matplotlib figure; `tightrope.plots.picture` makes a file of it.

        Raises: `BadInput` for an item without a picture.
        """
        if self.finding.chart is None:
            raise BadInput(f"{self.item.key} has no picture: it is no figure of computed values.")
        return chart_figure(self.finding.chart, self.title)

    @property
    def cells(self) -> tuple[object, ...]:
        """A row of the report."""
        item, finding = self.item, self.finding
        drift = f"; DRIFTED from the recorded verdict: {item.recorded}" if self.drifted else ""
        return (f"{item.key}: {item.title}", parameters(self.changed), finding.published,
                finding.found, Shown(finding.verdict, f"{finding.verdict}{drift}"), finding.reason,
                item.paper, item.name, item.title, item.recorded)


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
        summary: dict[str, dict[Verdict, int]] = {}
        for attempt in self.attempts:
            counts = summary.setdefault(attempt.item.paper, dict.fromkeys(Verdict, 0))
            counts[attempt.finding.verdict] += 1
        return summary

    def figure(self) -> Figure:
        """The picture of the one item that was tried, from the numbers of that very run.

        Returns: a matplotlib figure; `tightrope.plots.picture` makes a file of it.

        Raises: `BadInput` where several items were tried, or the one has no picture.
        """
        if len(self.attempts) != 1:
            keys = [each.item.key for each in self.attempts if each.finding.chart is not None]
            raise BadInput("a picture is of one item; name one, such as "
                           f"{', '.join(keys) or 'ecp/figure-4'}.")
        return self.attempts[0].figure()

    def facts(self) -> Facts:
        """Published and found, item by item, and how many verdicts there are of each kind."""
        rows, kept = self.attempts, len(self.attempts) - self.drifted
        columns = (*(Column(key, label, words=True) for key, label in (
            (None, "item"), ("changed", "with"), ("published", "published"), ("found", "found"),
            ("verdict", "verdict"), ("reason", "reason"))),
            *(Column(key, None) for key in ("paper", "item", "title", "recorded")))
        counts = [(paper, *kinds.values(), sum(kinds.values()))
                  for paper, kinds in self.summary.items()]
        total = ("all", *(sum(column) for column in list(zip(*counts, strict=True))[1:]))
        heads = tuple(Column(None, name) for name in ("paper", *Verdict, "items"))
        several = len(rows) > 1
        return Facts(
            "Reproduction", "",
            (Table("rows", "", columns, tuple(attempt.cells for attempt in rows),
                   listed=0 if several else 1, whole=True),
             Table(None, "" if several else None, heads, (*counts, total)),
             *data(drifted=self.drifted, summary=self.summary)),
            (f"{kept} of {len(rows)} verdicts are as recorded; each is about the cases named in "
             "found.",) if several else (),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def finding(
    published: str,
    found: str,
    holds: bool,
    reason: str,
    *,
    ours: bool = False,
    chart: Chart | None = None,
) -> Finding:
    """A finding by what was tried: the published claim, and ours in its place if there is one.

    Confirmed if the claim held; corrected if it failed and ours held in the same run; else
    neither was shown, and it is not reproducible.
    """
    verdict = Verdict.CONFIRMED if holds else (
        Verdict.CORRECTED if ours else Verdict.NOT_REPRODUCIBLE)
    return Finding(published, found, verdict, reason, chart)


def parameter_text(value: object) -> str:
    """A parameter as it is typed after `--set`: `2`, `1/10`, `yes`, `0.5,1,2`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(parameter_text, value))
    return str(value)


def parameters(values: Mapping[str, Any]) -> Shown:
    """Parameters by name; for people in one line."""
    texts = {name: parameter_text(value) for name, value in values.items()}
    return Shown(texts, ", ".join(f"{name} = {text}" for name, text in texts.items()))
