"""Sets of datasets too large to be spaces: graphs, records, numbers on a line, totals.

Each says, from declarations alone, which datasets there are and which of them are neighbors:
`describe` is its document form, `relation` names the neighbors. `accept` takes one dataset as
a mechanism works with it, or refuses it without telling what it holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from tightrope.errors import BadInput, BadSpace, CannotCheck
from tightrope.exact import IntArray, Intervals, exact_number, own_numbers
from tightrope.spaces.degree_cuts import cut
from tightrope.spaces.geographic import Positions, Traces, positions_from
from tightrope.spaces.key_counts import KeyCounts
from tightrope.spaces.networks import Network, check_nodes
from tightrope.spaces.protocol import Space
from tightrope.spaces.value_counts import ValueCounts

LARGEST_RECORD = 2**61
"""Bounds of records are below this: laws are counted in 64-bit integers."""

LONGEST_TOTALS = 250
"""Totals of one table that are released together."""


MOST_CELLS, MOST_CHANGE = 10**15, 2**100
"""Numbers of a tally, and what neighbors change of them."""


@dataclass(frozen=True)
class Graphs:
    """All simple graphs on so many nodes; neighbors differ in one edge.

    >>> Graphs(60).text
    'graphs:nodes=60'
    """

    nodes: int
    family: ClassVar[str] = "graphs"
    relation: ClassVar[str] = (
        "all graphs on these nodes that differ in one edge; the nodes are public"
    )

    def __post_init__(self) -> None:
        own_numbers(self, whole=("nodes",))
        check_nodes(self.nodes)

    @property
    def text(self) -> str:
        """The datasets in one line."""
        return f"graphs:nodes={self.nodes}"

    def describe(self) -> dict[str, Any]:
        """The document form."""
        return {"family": self.family, "nodes": self.nodes}

    def accept(self, data: object) -> Network:
        """The graph, if it is one on these nodes."""
        if type(data) is not Network or data.nodes != self.nodes:
            raise BadInput(f"expected a Network on {self.nodes:,} nodes.")
        return data


@dataclass(frozen=True)
class CutGraphs:
    """All graphs on so many nodes, cut to a degree; neighbors differ in edges at one node.

    >>> CutGraphs(60, 5).text
    'cut-graphs:nodes=60,degree=5'
    """

    nodes: int
    degree: int
    family: ClassVar[str] = "cut-graphs"
    relation: ClassVar[str] = (
        "all graphs on these nodes that differ in edges at one node: a node is rewired, none is "
        "added or removed; the nodes are public"
    )

    def __post_init__(self) -> None:
        own_numbers(self, whole=("nodes", "degree"))
        check_nodes(self.nodes)
        if not 1 <= self.degree < self.nodes:
            raise BadInput(
                f"expected a largest degree from 1 to {self.nodes - 1:,}, found {self.degree:,}."
            )

    @property
    def text(self) -> str:
        """The datasets in one line."""
        return f"cut-graphs:nodes={self.nodes},degree={self.degree}"

    def describe(self) -> dict[str, Any]:
        """The document form."""
        return {"family": self.family, "nodes": self.nodes, "degree": self.degree}

    def accept(self, data: object) -> Network:
        """The graph, if it is one on these nodes, without the edges beyond the degree."""
        return cut(Graphs(self.nodes).accept(data), self.degree)


@dataclass(frozen=True)
class Records:
    """All lists of so many whole numbers within bounds; neighbors differ in one record.

    >>> Records(3, 0, 9).accept([4, 80, -5]).tolist()
    [4, 9, 0]
    """

    size: int
    low: int
    high: int
    family: ClassVar[str] = "records"
    relation: ClassVar[str] = (
        "databases of equal size that differ in one record; values outside the bounds are moved "
        "to the nearest bound"
    )

    def __post_init__(self) -> None:
        own_numbers(self, whole=("size", "low", "high"))
        if self.size < 1:
            raise BadInput(f"expected at least one record, found {self.size}.")
        if self.low >= self.high:
            raise BadInput("expected whole bounds low < high: unbounded records have no such law.")
        if max(-self.low, self.high) >= LARGEST_RECORD:
            raise BadInput("expected bounds below 2^61: laws are counted in 64-bit integers.")

    @property
    def text(self) -> str:
        """The datasets in one line."""
        return f"records:size={self.size},low={self.low},high={self.high}"

    def describe(self) -> dict[str, Any]:
        """The document form."""
        return {"family": self.family, "size": self.size, "low": self.low, "high": self.high}

    def accept(self, data: object) -> IntArray:
        """The records, each within the bounds; what they were is not told."""
        records = np.asarray(data)
        if records.ndim != 1 or len(records) != self.size or records.dtype.kind not in "iu":
            raise BadInput(f"expected {self.size:,} records, all whole numbers.")
        if records.dtype.kind == "u":
            records = np.minimum(records, np.array(LARGEST_RECORD, dtype=np.uint64))
        return np.clip(records.astype(np.int64), self.low, self.high)


@dataclass(frozen=True)
class Tallies:
    """All lists of so many whole numbers; neighbors change a few of them, by so much in all.

    >>> Tallies(cells=4, touched=2, change=3).relation
    'lists of 4 whole numbers that differ in at most 2 of them, by at most 3 in all'
    """

    cells: int
    touched: int
    change: int
    family: ClassVar[str] = "tallies"

    def __post_init__(self) -> None:
        own_numbers(self, whole=("cells", "touched", "change"))
        if self.cells > MOST_CELLS or self.change > MOST_CHANGE:
            raise BadInput("expected at most 10^15 numbers that change by at most 2^100.")
        if not 1 <= self.touched <= min(self.cells, self.change):
            raise BadInput(
                "expected at least one number, of which neighbors change some, by 1 or more each."
            )

    @property
    def relation(self) -> str:
        """Which lists are neighbors."""
        listed = "1 whole number" if self.cells == 1 else f"{self.cells:,} whole numbers"
        return (f"lists of {listed} that differ in at most {self.touched:,} of them, by at most "
                f"{self.change:,} in all")

    @property
    def text(self) -> str:
        """The datasets in one line."""
        return f"tallies:cells={self.cells},touched={self.touched},change={self.change}"

    def describe(self) -> dict[str, Any]:
        """The document form."""
        return {"family": self.family, "cells": self.cells, "touched": self.touched,
                "change": self.change}

    def accept(self, data: object) -> tuple[int, ...]:
        """The numbers, as many as there are; what else they were is not told."""
        numbers = tuple(data) if isinstance(data, list | tuple) else ()
        if len(numbers) != self.cells or not all(type(number) is int for number in numbers):
            raise BadInput(f"expected a list of {self.cells:,} whole numbers.")
        return numbers


@dataclass(frozen=True, repr=False)
class RealLine:
    """All real numbers; neighbors differ by a point of the changes, up or down.

    >>> RealLine(Intervals.of([(0, 1), (10, 11)])).relation
    'any two values that differ by 0 to 1, or 10 to 11'
    """

    changes: Intervals
    family: ClassVar[str] = "line"

    def __post_init__(self) -> None:
        if type(self.changes) is not Intervals:
            raise BadInput(f"expected Intervals, found {type(self.changes).__name__}.")
        if self.changes.reach == 0:
            raise BadInput(
                "nobody can change the value (sensitivity 0); expected a change above 0."
            )

    @cached_property
    def moves(self) -> Intervals:
        """W: the changes, their mirror image and 0."""
        return (self.changes | Intervals.of([(0, 0)])).symmetric()

    @property
    def text(self) -> str:
        """The datasets in one line."""
        return f"line:{self._changes_text}"

    @property
    def relation(self) -> str:
        """Which numbers are neighbors."""
        return f"any two values that differ by {self._changes_text}"

    @property
    def code(self) -> str:
        """The neighbors as budgets name them: `differ:` and all changes."""
        return "differ:" + ",".join("..".join(dict.fromkeys(pair)) for pair in
                                    interval_texts(self.changes))

    def __repr__(self) -> str:
        return f"RealLine({self._changes_text})"

    @property
    def _changes_text(self) -> str:
        """The changes in words: each interval, or where they end if there are many."""
        pairs, most = self.changes.pairs(), 4
        listed = [str(a) if a == b else f"{a} to {b}" for a, b in pairs[:most]]
        more = [f"more, up to {self.changes.reach}"] if pairs[most:] else []
        return ", or ".join([*listed, *more])

    def describe(self) -> dict[str, Any]:
        """The document form."""
        return {"family": self.family, "changes": interval_texts(self.changes)}

    def accept(self, data: object) -> Fraction:
        """The value as the exact number it is."""
        try:
            return exact_number(data)
        except (ValueError, TypeError):
            raise BadInput("expected one exact number.") from None


@dataclass(frozen=True)
class Totals:
    """Totals of several numbers over so many people, each of whom adds 0 to `most` to each.

    Neighbors are tables that differ in what one person adds: every total moves by up to `most`.

    >>> Totals(people=3, most=9, length=2).accept([12, 90]), Totals(3, 9, 2).text
    ((12, 27), 'totals:people=3,most=9,length=2')
    """

    people: int
    most: int
    length: int
    family: ClassVar[str] = "totals"
    relation: ClassVar[str] = (
        "tables of equally many people that differ in all numbers of one person"
    )

    def __post_init__(self) -> None:
        own_numbers(self, whole=("people", "most", "length"))
        if min(self.people, self.most, self.length) < 1:
            raise BadInput("expected at least one person, one number, and a largest one above 0.")
        if self.people * self.most >= LARGEST_RECORD or self.length > LONGEST_TOTALS:
            raise BadInput(
                f"expected totals below 2^61, and at most {LONGEST_TOTALS:,} of them; take a "
                "coarser resolution."
            )

    @property
    def text(self) -> str:
        """The datasets in one line."""
        return f"totals:people={self.people},most={self.most},length={self.length}"

    def describe(self) -> dict[str, Any]:
        """The document form."""
        return {"family": self.family, "people": self.people, "most": self.most,
                "length": self.length}

    def accept(self, data: object) -> tuple[int, ...]:
        """The totals, each moved into its range; what they were is not told."""
        totals = list(data) if isinstance(data, Sequence | np.ndarray) else []
        if len(totals) != self.length or not all(_is_whole(total) for total in totals):
            raise BadInput(f"expected {self.length:,} totals, all whole numbers.")
        return tuple(min(max(int(total), 0), self.people * self.most) for total in totals)


Datasets = (
    Graphs | CutGraphs | Records | Tallies | ValueCounts | KeyCounts | RealLine | Totals
    | Positions | Traces
)


def listed(inputs: Space | Datasets) -> Space:
    """Inputs that can be listed, as a space; raises `CannotCheck` where they are too many."""
    if isinstance(inputs, Datasets):
        raise CannotCheck(
            f"the inputs are {inputs.text}, too many to list: the mechanism can be verified, "
            "and no more."
        )
    return inputs


def interval_texts(intervals: Intervals) -> list[list[str]]:
    """Intervals as documents hold them: the ends of each as exact text."""
    return [[str(low), str(high)] for low, high in intervals.pairs()]


def datasets_from(description: Mapping[str, Any]) -> Datasets | None:
    """The datasets of a document form; None if it names another family.

    >>> datasets_from({"family": "graphs", "nodes": 60})
    Graphs(nodes=60)
    """
    form = {name: value for name, value in description.items() if name != "family"}
    match description.get("family"):
        case "graphs" if set(form) == {"nodes"} and _whole(form):
            return Graphs(**form)
        case "cut-graphs" if set(form) == {"nodes", "degree"} and _whole(form):
            return CutGraphs(**form)
        case "records" if set(form) == {"size", "low", "high"} and _whole(form):
            return Records(**form)
        case "totals" if set(form) == {"people", "most", "length"} and _whole(form):
            return Totals(**form)
        case "tallies" if set(form) == {"cells", "touched", "change"} and _whole(form):
            return Tallies(**form)
        case "value-counts" if {*form} == {"groups", "values", "added", "removed"} and _whole(form):
            return ValueCounts(**form)
        case "key-counts" if set(form) == {"touched"} and _whole(form):
            return KeyCounts(**form)
        case "line" if set(form) == {"changes"}:
            try:
                ends = [[exact_number(end) for end in pair] for pair in form["changes"]]
                return RealLine(Intervals.of(ends))
            except (TypeError, ValueError):
                raise BadSpace("expected the changes of a line as pairs of fractions.") from None
        case "positions":
            return positions_from(form)
        case "traces":
            return Traces(positions_from(form))
        case ("graphs" | "cut-graphs" | "records" | "tallies" | "line" | "totals"
              | "key-counts") as family:
            raise BadSpace(f"the fields of the datasets {family!r} are not what they must be.")
        case _:
            return None


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _whole(fields: Mapping[str, Any]) -> bool:
    return all(type(value) is int for value in fields.values())
