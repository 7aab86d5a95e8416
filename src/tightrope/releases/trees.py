"""Counts up to every value from counts of blocks of values, in levels.

Level 1 cuts the values into blocks, each further level cuts every block into as many again, and
the last one has single values. A row is in one block of each level, and the count up to a value
adds up at most `branch - 1` blocks of each: few levels for few values, more for many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tightrope.exact import IntArray

_LEVELS = 8
"""Levels that are tried."""


@dataclass(frozen=True)
class Tree:
    """So many levels over so many values, each block cut into `branch`.

    >>> tree = Tree(5, 2, 3)
    >>> tree.sums(np.array([1, 2, 3, 4, 5])), tree.nodes, tree.terms
    ([6, 9, 1, 2, 3, 4, 5], 7, 4)
    >>> tree.upto([6, 9, 1, 2, 3, 4, 5])
    [1, 3, 6, 10, 15]
    """

    values: int
    levels: int
    branch: int

    @property
    def widths(self) -> tuple[int, ...]:
        """Values in a block of each level."""
        return tuple(self.branch ** (self.levels - 1 - level) for level in range(self.levels))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Blocks of each level."""
        return tuple(-(-self.values // width) for width in self.widths)

    @property
    def nodes(self) -> int:
        """Blocks of all levels."""
        return sum(self.sizes)

    @property
    def terms(self) -> int:
        """The most blocks that a count up to a value adds up."""
        return self.sizes[0] + (self.branch - 1) * (self.levels - 1)

    def sums(self, counts: IntArray) -> list[int]:
        """The counts of all blocks, level by level."""
        sums: list[int] = []
        for width in self.widths:
            sums += np.add.reduceat(counts, np.arange(0, self.values, width)).tolist()
        return sums

    def upto(self, numbers: Sequence[int]) -> list[int]:
        """From numbers for all blocks, one for all values up to each."""
        total, start = np.zeros(self.values, dtype=np.int64), 0
        places, before = np.arange(1, self.values + 1), np.zeros(self.values, dtype=np.int64)
        for width, size in zip(self.widths, self.sizes, strict=True):
            blocks = np.concatenate([[0], np.cumsum(np.array(numbers[start : start + size]))])
            whole = places // width
            total = total + blocks[whole] - blocks[before]
            start, before = start + size, whole * self.branch
        return [int(number) for number in total]


def trees(values: int) -> list[Tree]:
    """A tree for every number of levels that is worth trying; one level adds up single values."""
    worthwhile = []
    for levels in range(1, _LEVELS + 1):
        branch = max(2, int(values ** (1 / levels)) - 1)
        while branch**levels < values:
            branch += 1
        tree = Tree(values, levels, branch)
        if levels == 1 or tree.sizes[0] > 1:
            worthwhile.append(tree)
    return worthwhile
