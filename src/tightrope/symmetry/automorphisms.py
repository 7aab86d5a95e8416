"""Isometries of a space without structure, found by individualization and refinement.

The space is a table of classes, one for every pair of points; an automorphism is a permutation p
with table[p, p] = table. Points are colored, and a color is refined by what its points see: how
often each class leads to each color. Points of a color that may be exchanged at will are exchanged;
others are individualized one by one (the base). From the last point of the base to the first, the
search asks which points could have stood in its place. It skips those that known automorphisms
already reach. Colors are compared by hashes, so a collision costs time but never truth: every
permutation is checked against the whole table. The work is counted, and a search that runs out of
it returns what it has found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import IntArray
from tightrope.symmetry.permutations import join, orbits

MOST_SEARCHED: Final = 400
"""Points of a space whose automorphisms are searched for."""

_WORK: Final = 300_000_000  # table entries read, about half a second
_OVERHEAD: Final = 40_000  # what one round costs besides, in the same unit

Words = NDArray[np.uint64]


def automorphisms(table: NDArray[Any]) -> list[IntArray]:
    """Generators of the permutations that keep a symmetric table of classes.

    >>> path = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    >>> [p.tolist() for p in automorphisms(path)]
    [[2, 1, 0]]
    """
    return _Search(table).generators() if len(table) <= MOST_SEARCHED else []


def _hash(numbers: NDArray[Any]) -> Words:
    """Numbers spread over 64 bits (the finalizer of SplitMix64)."""
    x = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))


@dataclass(frozen=True, eq=False)
class _Choice:
    """Points of one color that are told apart: the first, or all if they may be exchanged."""

    points: IntArray
    before: IntArray
    color: int
    free: bool
    after: IntArray
    trace: tuple[bytes, ...]

    def images(self, colors: IntArray) -> list[IntArray]:
        """Possible images of the points in a coloring like the one before."""
        alike = np.flatnonzero(colors == self.color)
        return [alike] if self.free else list(alike[:, None])


class _Search:
    """The table and the work that is left; lives only inside `automorphisms`."""

    def __init__(self, table: NDArray[Any]) -> None:
        self.table, self.size = table, len(table)
        self.seen = _hash(table)
        self.work = _WORK
        self.base: list[_Choice] = []

    def generators(self) -> list[IntArray]:
        generators: list[IntArray] = []
        colors, _ = self.refine(np.zeros(self.size, dtype=np.int64))
        while self.work > 0 and int(colors.max()) + 1 < self.size:
            color = int(np.argmax(np.bincount(colors)))
            alike = np.flatnonzero(colors == color)
            exchanges = self.exchanges(alike)
            points = alike if exchanges else alike[:1]
            after, trace = self.refine(_individualize(colors, points))
            self.base.append(_Choice(points, colors, color, bool(exchanges), after, trace))
            generators += exchanges
            colors = after
        labels = orbits(self.size, generators)
        for depth in reversed(range(len(self.base))):
            if not self.base[depth].free:
                labels = self.add_orbit(depth, labels, generators)
        return generators

    def exchanges(self, alike: IntArray) -> list[IntArray]:
        """Generators of all permutations of some points, if they are automorphisms."""
        generators = []
        for turned in [alike[:2], alike] if len(alike) > 2 else [alike]:
            permutation = np.arange(self.size)
            permutation[turned] = np.roll(turned, -1)
            if not self.keeps_the_table(permutation):
                return []
            generators.append(permutation)
        return generators

    def add_orbit(self, depth: int, labels: IntArray, generators: list[IntArray]) -> IntArray:
        """Add automorphisms that fix the base above `depth` and move its point there.

        Takes and returns the orbits of those found, which all fix the base above.
        """
        choice = self.base[depth]
        alike = np.flatnonzero(choice.before == choice.color)
        failed = choice.points.tolist()
        while self.work > 0:
            left = alike[~np.isin(labels[alike], labels[failed])]
            if not len(left):
                break
            permutation = self.extend(depth, choice.before, left[:1])
            if permutation is None:
                failed.append(int(left[0]))
            else:
                self.work -= 10 * _OVERHEAD
                generators.append(permutation)
                labels = join(self.size, labels, labels[permutation])[labels]
        return labels

    def extend(self, depth: int, colors: IntArray, image: IntArray) -> IntArray | None:
        """An automorphism that takes colors to colors, and the base at `depth` to its image."""
        choice = self.base[depth]
        after, trace = self.refine(_individualize(colors, image))
        if trace != choice.trace:
            return None
        permutation = _align(choice.after, after)
        if self.keeps_the_table(permutation):
            return permutation
        if depth + 1 < len(self.base):
            for deeper in self.base[depth + 1].images(after):
                if self.work <= 0:
                    return None
                completed = self.extend(depth + 1, after, deeper)
                if completed is not None:
                    return completed
        return None

    def refine(self, colors: IntArray) -> tuple[IntArray, tuple[bytes, ...]]:
        """The coarsest finer coloring that sees no more, and how it came about.

        Colors are ranks of hashes, so that alike points of two colorings get the same color.
        """
        trace: list[bytes] = []
        count = 0
        while True:
            self.work -= self.size**2 + _OVERHEAD
            own = _hash(colors)
            values, finer = np.unique(self.seen @ own + _hash(own), return_inverse=True)
            trace += [values.tobytes(), np.bincount(finer).tobytes()]
            if len(values) <= count:
                return colors, tuple(trace)
            colors, count = finer.astype(np.int64), len(values)

    def keeps_the_table(self, permutation: IntArray) -> bool:
        """Whether the rows of all points that move become the rows of their images."""
        moved = np.flatnonzero(permutation != np.arange(self.size))
        self.work -= 4 * self.size * len(moved)
        images = self.table[permutation[moved]].take(permutation, axis=1)
        return np.array_equal(images, self.table[moved])


def _individualize(colors: IntArray, points: IntArray) -> IntArray:
    """The coloring in which each of some points has a color of its own."""
    marked = (len(points) + 1) * colors
    marked[points] += np.arange(1, len(points) + 1)
    return np.asarray(marked)


def _align(colors: IntArray, others: IntArray) -> IntArray:
    """A permutation that takes colors to colors and moves as few points as it can."""
    permutation = np.arange(len(colors))
    moved = np.flatnonzero(colors != others)
    starts = moved[np.argsort(colors[moved], kind="stable")]
    permutation[starts] = moved[np.argsort(others[moved], kind="stable")]
    return permutation
