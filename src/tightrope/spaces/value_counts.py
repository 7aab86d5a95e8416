"""Tables of which it is counted how often each value occurs, in every group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tightrope.errors import BadInput
from tightrope.exact import IntArray, own_numbers

MOST_VALUES, MOST_ROWS = 10_000_000, 2**40
"""Values of all groups together, and rows that neighbors differ in."""

LARGEST_COUNT = 2**40
"""Counts are cut to this: scores stay 64-bit integers."""


@dataclass(frozen=True)
class ValueCounts:
    """How often each of `values` values occurs in each of `groups` groups.

    One neighbor becomes the other by taking out at most `removed` rows and putting in at most
    `added`, or the other way round: (m, 0) adds or removes whoever has m rows, (m, m) replaces.

    >>> ValueCounts(groups=2, values=3, added=1, removed=0).accept([4, 0, 1, 2, 2, 2]).tolist()
    [[4, 0, 1], [2, 2, 2]]
    """

    groups: int
    values: int
    added: int
    removed: int
    family: ClassVar[str] = "value-counts"

    def __post_init__(self) -> None:
        own_numbers(self, whole=("groups", "values", "added", "removed"))
        if min(self.groups, self.values) < 1 or self.groups * self.values > MOST_VALUES:
            raise BadInput(f"expected from 1 to {MOST_VALUES:,} values in all groups together.")
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

    def accept(self, data: object) -> IntArray:
        """The counts, group by group; what else they were is not told."""
        held = np.asarray(data)
        if held.size != self.groups * self.values or held.dtype.kind not in "iu":
            raise BadInput(f"expected {self.groups * self.values:,} whole numbers.")
        counts = np.clip(held.astype(np.int64), 0, LARGEST_COUNT)
        return np.asarray(counts.reshape(self.groups, self.values))
