"""Tables of which it is counted how often each value occurs, in every group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tightrope.errors import BadInput
from tightrope.exact import IntArray, own, own_numbers

MOST_GROUPS, MOST_VALUES, MOST_ROWS = 10_000_000, 2**60, 2**40
"""Groups, values of all groups together, and rows that neighbors differ in."""

LARGEST_COUNT = 2**40
"""Counts are cut to this: scores stay 64-bit integers."""


@dataclass(frozen=True, eq=False)
class Occupied:
    """The cells that rows fall into, in order, and how many do; all others are empty.

    Cells are numbered group by group, value by value.

    >>> Occupied.among([0, 3, 0, 1]).cells.tolist()
    [1, 3]
    """

    cells: IntArray
    counts: IntArray

    def __post_init__(self) -> None:
        own(self, "cells", "counts")
        if self.cells.shape != self.counts.shape or (np.diff(self.cells) <= 0).any():
            raise BadInput("expected cells in order, each with its count.")

    @classmethod
    def among(cls, counts: object) -> Occupied:
        """Those of all cells."""
        listed = np.asarray(counts)
        if listed.ndim != 1 or (listed.size and listed.dtype.kind not in "iu"):
            raise BadInput("expected a list of whole numbers.")
        cells = np.flatnonzero(listed)
        return cls(cells, listed[cells].astype(np.int64))

    def listed(self, size: int) -> IntArray:
        """The counts of all cells, so many of them."""
        counts = np.zeros(size, dtype=np.int64)
        counts[self.cells] = self.counts
        return counts


@dataclass(frozen=True)
class ValueCounts:
    """How often each of `values` values occurs in each of `groups` groups.

    One neighbor becomes the other by taking out at most `removed` rows and putting in at most
    `added`, or the other way round: (m, 0) adds or removes whoever has m rows, (m, m) replaces.

    >>> tables = ValueCounts(groups=2, values=3, added=1, removed=0)
    >>> tables.accept([4, 0, 1, 0, 2, 2]).cells.tolist()
    [0, 2, 4, 5]
    """

    groups: int
    values: int
    added: int
    removed: int
    family: ClassVar[str] = "value-counts"

    def __post_init__(self) -> None:
        own_numbers(self, whole=("groups", "values", "added", "removed"))
        if not 1 <= self.groups <= MOST_GROUPS or self.values < 1 or (
            self.groups * self.values > MOST_VALUES
        ):
            raise BadInput(f"expected from 1 to {MOST_GROUPS:,} groups, and up to 2^60 values in "
                           "all of them together.")
        if not 0 <= self.removed <= self.added <= MOST_ROWS or not self.added:
            raise BadInput("expected at least one row that is added, and no more that are removed.")

    @property
    def relation(self) -> str:
        """Which tables are neighbors."""
        return (f"tables that differ in at most {self.added:,} rows put in and {self.removed:,} "
                "taken out, or the other way round")

    @property
    def text(self) -> str:
        """The datasets in one line."""
        return (f"value-counts:groups={self.groups},values={self.values},added={self.added},"
                f"removed={self.removed}")

    def describe(self) -> dict[str, Any]:
        """The document form."""
        return {"family": self.family, "groups": self.groups, "values": self.values,
                "added": self.added, "removed": self.removed}

    def accept(self, data: object) -> Occupied:
        """The cells with rows: as they are given, or found in a list of the counts of all cells."""
        size = self.groups * self.values
        if not isinstance(data, Occupied):
            if np.size(data) != size:  # type: ignore[arg-type]
                raise BadInput(f"expected {size:,} whole numbers.")
            data = Occupied.among(data)
        if len(data.cells) and not (data.cells[0] >= 0 and data.cells[-1] < size):
            raise BadInput(f"expected cells from 0 to {size - 1:,}.")
        kept = data.counts > 0
        return Occupied(data.cells[kept], np.minimum(data.counts[kept], LARGEST_COUNT))
