"""Isometries of a space without structure, found by individualization and refinement.

The space is a table of classes, one for every pair of points; an automorphism is a
permutation p with table[p, p] = table. Points are colored, and a color is refined by what its
points see: how often each class leads to each color. Points that remain alike are told
apart one by one (the base), and from the last of them to the first the search asks which
others could have stood in its place, skipping those that found automorphisms already reach.
Colors are compared by hashes, so a collision costs time but never truth: every permutation
is checked against the whole table. The work is counted, and a search that runs out of it
returns what it has found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.spaces.permutations import joined
from tightrope.spaces.protocol import IntArray

MOST_SEARCHED: Final = 400
"""Points of a space whose automorphisms are searched for."""

_WORK: Final = 350_000_000  # table entries read, about half a second
_OVERHEAD: Final = 25_000  # what one round costs besides, in the same unit

Words = NDArray[np.uint64]


def automorphisms(table: NDArray[Any]) -> list[IntArray]:
    """Generators of the permutations that keep a symmetric table of classes.

    >>> path = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    >>> [p.tolist() for p in automorphisms(path)]
    [[2, 1, 0]]
    """
    return _Search(table).generators() if len(table) <= MOST_SEARCHED else []


def _mixed(numbers: NDArray[Any]) -> Words:
    """Numbers spread over 64 bits (the finalizer of SplitMix64)."""
    x = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))


@dataclass(frozen=True, eq=False)
class _Choice:
    """A point of the base: the colors before it, its own color, and what follows it."""

    point: int
    before: IntArray
    color: int
    after: IntArray
    trace: tuple[bytes, ...]


class _Search:
    """The table and the work that is left; lives only inside `automorphisms`."""

    def __init__(self, table: NDArray[Any]) -> None:
        self.table, self.size = table, len(table)
        self.seen = _mixed(table)
        self.work = _WORK
        self.base: list[_Choice] = []

    def generators(self) -> list[IntArray]:
        colors, _ = self.refined(np.zeros(self.size, dtype=np.int64))
        while self.work > 0 and int(colors.max()) + 1 < self.size:
            color = int(np.argmax(np.bincount(colors)))
            point = int(np.argmax(colors == color))
            after, trace = self.refined(_marked(colors, point))
            self.base.append(_Choice(point, colors, color, after, trace))
            colors = after
        found: list[IntArray] = []
        labels = np.arange(self.size)
        for depth in reversed(range(len(self.base))):
            labels = self.widened(depth, labels, found)
        return found

    def widened(self, depth: int, labels: IntArray, found: list[IntArray]) -> IntArray:
        """Add automorphisms that fix the base above `depth` and move its point there.

        Takes and returns the orbits of all that are found.
        """
        choice = self.base[depth]
        failed = [choice.point]
        for point in np.flatnonzero(choice.before == choice.color).tolist():
            if self.work <= 0:
                break
            if labels[point] in labels[failed]:
                continue
            permutation = self.extended(depth, choice.before, point)
            if permutation is None:
                failed.append(point)
            else:
                found.append(permutation)
                labels = joined(self.size, labels, labels[permutation])[labels]
        return labels

    def extended(self, depth: int, colors: IntArray, point: int) -> IntArray | None:
        """An automorphism that takes the base's point at `depth` to this one, colors to colors."""
        choice = self.base[depth]
        after, trace = self.refined(_marked(colors, point))
        if trace != choice.trace:
            return None
        permutation = _aligned(choice.after, after)
        if self.keeps_the_table(permutation):
            return permutation
        if depth + 1 < len(self.base):
            for other in np.flatnonzero(after == self.base[depth + 1].color).tolist():
                if self.work <= 0:
                    return None
                deeper = self.extended(depth + 1, after, other)
                if deeper is not None:
                    return deeper
        return None

    def refined(self, colors: IntArray) -> tuple[IntArray, tuple[bytes, ...]]:
        """The coarsest finer coloring that sees no more, and how it came about.

        Colors are ranks of hashes, so that alike points of two colorings get the same color.
        """
        trace: list[bytes] = []
        count = 0
        while True:
            self.work -= self.size**2 + _OVERHEAD
            own = _mixed(colors)
            values, finer = np.unique(self.seen @ own + _mixed(own), return_inverse=True)
            trace += [values.tobytes(), np.bincount(finer).tobytes()]
            if len(values) <= count:
                return colors, tuple(trace)
            colors, count = finer.astype(np.int64), len(values)

    def keeps_the_table(self, permutation: IntArray) -> bool:
        self.work -= self.size**2
        return np.array_equal(self.table[permutation][:, permutation], self.table)


def _marked(colors: IntArray, point: int) -> IntArray:
    """The coloring in which one point has a color of its own."""
    marked = 2 * colors
    marked[point] += 1
    return np.asarray(marked)


def _aligned(colors: IntArray, others: IntArray) -> IntArray:
    """A permutation that takes colors to colors and moves as few points as it can."""
    permutation = np.arange(len(colors))
    moved = np.flatnonzero(colors != others)
    starts = moved[np.argsort(colors[moved], kind="stable")]
    permutation[starts] = moved[np.argsort(others[moved], kind="stable")]
    return permutation
