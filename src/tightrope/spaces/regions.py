"""Finite regions of the integer lattice, and the numbering of their cells.

A cell is a tuple of non-negative integers; cells are numbered lexicographically. A box
holds all cells below its shape. A simplex holds the ways to put people into cells: all of
them (tuples of the same total), or up to all of them (the rest stays outside).
Numbering and its inverse are computed, never tabulated, so regions may be astronomically
large. Arrays of indices become one array per axis.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import IntArray, owned

WORD = 2**62
"""Integers below this are computed in 64 bits, larger ones as Python integers."""


_LONGEST_TABLE = 40_000_000


def as_indices(i: Any, size: int) -> NDArray[Any]:
    """Indices as an array that can be divided by anything up to `size` without overflow."""
    return np.asarray(i, dtype=np.int64 if size < WORD else object)


@dataclass(frozen=True)
class Box:
    """All cells c with 0 <= c < shape, in every axis.

    >>> Box((2, 3)).cell(4), Box((2, 3)).rank((1, 1))
    ((1, 1), 4)
    """

    shape: tuple[int, ...]

    @cached_property
    def size(self) -> int:
        """The number of cells."""
        return prod(self.shape)

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """How far apart the numbers of two cells are that differ by one in an axis."""
        strides = [1]
        for side in reversed(self.shape[1:]):
            strides.append(strides[-1] * side)
        return tuple(reversed(strides))

    @property
    def reach(self) -> tuple[int, ...]:
        """The longest difference of two cells."""
        return tuple(side - 1 for side in self.shape)

    def cell(self, i: int) -> tuple[int, ...]:
        """The cell with number i."""
        digits = []
        for side in reversed(self.shape):
            i, digit = divmod(i, side)
            digits.append(digit)
        if i:
            raise IndexError(f"expected an index from 0 to {self.size - 1}")
        return tuple(reversed(digits))

    def cells(self, i: Any) -> list[NDArray[Any]]:
        """The cells of many numbers, one array per axis."""
        indices = as_indices(i, self.size)
        pairs = zip(self.strides, self.shape, strict=True)
        return [(indices // stride) % side for stride, side in pairs]

    def rank(self, cell: Sequence[int]) -> int | None:
        """The number of a cell, or None if it lies outside."""
        if len(cell) != len(self.shape):
            return None
        if not all(0 <= c < side for c, side in zip(cell, self.shape, strict=True)):
            return None
        return sum(c * stride for c, stride in zip(cell, self.strides, strict=True))

    def shift_pairs(self, offset: Sequence[int]) -> tuple[IntArray, IntArray]:
        """All pairs (cell, cell + offset) inside the box, as two arrays of numbers."""
        first = np.zeros(1, dtype=np.int64)
        for side, stride, step in zip(self.shape, self.strides, offset, strict=True):
            starts = np.arange(max(0, -step), min(side, side - step), dtype=np.int64) * stride
            first = (first[:, None] + starts).ravel()
        jump = sum(stride * step for stride, step in zip(self.strides, offset, strict=True))
        return first, first + jump


@dataclass(frozen=True)
class Simplex:
    """Tuples of `axes` counts with total `people`, or at most `people` if `slack`.

    >>> [Simplex(2, 2, False).cell(i) for i in range(3)]
    [(0, 2), (1, 1), (2, 0)]
    >>> [Simplex(1, 2, True).cell(i) for i in range(3)]
    [(0, 0), (0, 1), (1, 0)]
    """

    people: int
    axes: int
    slack: bool

    @property
    def parts(self) -> int:
        """The number of counts when the people outside are one of them."""
        return self.axes + self.slack

    @cached_property
    def size(self) -> int:
        """The number of cells."""
        return comb(self.people + self.parts - 1, self.parts - 1)

    @property
    def reach(self) -> tuple[int, ...]:
        """The longest difference of two cells: all people move from one cell to another."""
        return ((self.people, -self.people) + (0,) * self.axes)[: self.axes]

    def cell(self, i: int) -> tuple[int, ...]:
        """The cell with number i."""
        if not 0 <= i < self.size:
            raise IndexError(f"expected an index from 0 to {self.size - 1}")
        rest, counts = self.people, []
        for parts in range(self.parts, 1, -1):
            # a first count of at least c leaves _ways(rest - c, parts) tuples
            target = _ways(rest, parts) - i
            left = bisect_left(range(rest + 1), target, key=partial(_ways, parts=parts))
            i = _ways(left, parts) - target
            counts.append(rest - left)
            rest = left
        return tuple([*counts, rest][: self.axes])

    def rank(self, cell: Sequence[int]) -> int | None:
        """The number of a cell, or None if it lies outside."""
        total = sum(cell)
        if len(cell) != self.axes or any(c < 0 for c in cell) or total > self.people:
            return None
        if not self.slack and total < self.people:
            return None
        rest, number = self.people, 0
        for parts, count in zip(range(self.parts, 1, -1), cell, strict=False):
            number += _ways(rest, parts) - _ways(rest - count, parts)
            rest -= count
        return number

    @cached_property
    def _tables(self) -> list[IntArray] | None:
        """_ways(0..people, parts) for every number of parts, where that is small."""
        if self.size >= WORD or self.people * self.parts > _LONGEST_TABLE:
            return None
        table = [np.ones(self.people + 1, dtype=np.int64)]
        for _ in range(self.parts - 1):
            table.append(np.cumsum(table[-1]))
        return table

    def cells(self, i: Any) -> list[NDArray[Any]]:
        """The cells of many numbers, one array per axis."""
        indices = as_indices(i, self.size)
        tables = self._tables
        if tables is None:
            cells = np.array([self.cell(int(k)) for k in indices.flat], dtype=object)
            return [cells[:, axis].reshape(indices.shape) for axis in range(self.axes)]
        rest = np.full(indices.shape, self.people)
        counts: list[NDArray[Any]] = []
        for ways in reversed(tables[1:]):
            target = ways[rest] - indices
            left = np.searchsorted(ways, target)
            indices = ways[left] - target
            counts.append(rest - left)
            rest = left
        return [*counts, rest][: self.axes]

    @cached_property
    def every_cell(self) -> tuple[NDArray[Any], ...]:
        """All cells, one array per axis."""
        return tuple(map(owned, self.cells(np.arange(self.size))))

    @property
    def moves(self) -> int:
        """The number of pairs that `person_moves` gives."""
        others = _ways(self.people - 1, self.parts)
        return others * (self.axes if self.slack else comb(self.axes, 2))

    def person_moves(self) -> tuple[IntArray, IntArray]:
        """All pairs of cells that differ by one person moved, or added if there is slack.

        Every way to place the other people comes with all places for the last one.
        """
        others = Simplex(self.people - 1, self.axes, self.slack).every_cell
        rest = np.full((self.axes + 1, len(others[0])), self.people)
        placed = np.zeros_like(rest)  # row a: the last person in cell a; last row: outside
        assert self._tables is not None
        for axis, ways in enumerate(reversed(self._tables[1:])):
            left = rest - others[axis]
            left[axis] -= 1
            placed += ways[rest] - ways[left]
            rest = left
        if self.slack:
            return np.tile(placed[-1], self.axes), placed[:-1].ravel()
        later, earlier = np.tril_indices(self.axes, -1)
        return placed[later].ravel(), placed[earlier].ravel()


def _ways(people: int, parts: int) -> int:
    """How many tuples of `parts` counts have total `people`."""
    return comb(people + parts - 1, parts - 1)
