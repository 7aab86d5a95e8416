"""Cells, neighbor pairs and triples of a problem with δ, up to its symmetry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tightrope.exact import IntArray
from tightrope.symmetry import Symmetry, orbits


@dataclass(frozen=True, eq=False)
class Orbits:
    """Labels of orbits, with the first member and the size of each."""

    labels: IntArray

    @cached_property
    def heads(self) -> IntArray:
        """The first member of every orbit."""
        return np.unique(self.labels, return_index=True)[1].astype(np.int64)

    @cached_property
    def sizes(self) -> IntArray:
        """The number of members of every orbit."""
        return np.bincount(self.labels)

    def __len__(self) -> int:
        return len(self.heads)


@dataclass(frozen=True, eq=False)
class NeighborOrbits:
    """Orbits of the cells, pairs and triples of a neighbor program under a symmetry.

    `first` and `second` are the ends of the ordered neighbor pairs.
    """

    symmetry: Symmetry
    first: IntArray
    second: IntArray

    @cached_property
    def inputs(self) -> Orbits:
        """Orbits of inputs."""
        return Orbits(self.symmetry.input_orbits)

    @cached_property
    def cells(self) -> Orbits:
        """Orbits of cells (y, z), numbered y · outputs + z."""
        n, m = self.symmetry.inputs, self.symmetry.outputs
        moves = [(g[:, None] * m + h).ravel() for g, h in self.symmetry.generators]
        return Orbits(orbits(n * m, moves))

    @cached_property
    def _moves(self) -> list[IntArray]:
        """The generators as permutations of the ordered pairs."""
        n = self.symmetry.inputs
        order = np.argsort(self.first * n + self.second)
        keys = (self.first * n + self.second)[order]
        return [
            order[np.searchsorted(keys, g[self.first] * n + g[self.second])]
            for g, _ in self.symmetry.generators
        ]

    @cached_property
    def pairs(self) -> Orbits:
        """Orbits of ordered neighbor pairs."""
        return Orbits(orbits(len(self.first), self._moves))

    @cached_property
    def triples(self) -> Orbits:
        """Orbits of triples (a, b, z), numbered pair · outputs + z."""
        m = self.symmetry.outputs
        moves = [
            (pair[:, None] * m + h).ravel()
            for pair, (_, h) in zip(self._moves, self.symmetry.generators, strict=True)
        ]
        return Orbits(orbits(len(self.first) * m, moves))
