"""Lattices: regions of integer cells with a translation-invariant distance.

Paths, sums, counts, histograms, grids, databases, categories, subsets and cycles are all of
this one kind. Everything follows from the region and the norm: distances from differences
of cells, irreducible pairs from unit steps, kernel products from recursions along the
axes or from a convolution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import NotAPoint
from tightrope.exact import FloatArray, IntArray, Surd
from tightrope.spaces import kernel_products
from tightrope.spaces.cards import space_card, space_line
from tightrope.spaces.classes import classes_of_keys
from tightrope.spaces.labels import Integers, Naming
from tightrope.spaces.moves import refuse_pairs
from tightrope.spaces.norms import Metric, Norm, box_edges
from tightrope.spaces.protocol import Label, LazyPoints, Neighbors, Pairs, every_index, label_of
from tightrope.spaces.regions import WORD, Box, Simplex


class Family(StrEnum):
    """The families that are lattices, by the names of their functions in texts and documents."""

    PATH = "path"
    SUM = "sum"
    COUNTS = "counts"
    HISTOGRAM = "histogram"
    GRID = "grid"
    HAMMING = "hamming"
    CATEGORIES = "categories"
    COMPLETE = "complete"
    SETS = "sets"
    CYCLE = "cycle"


_NUMERIC = (Metric.MANHATTAN, Metric.CHEBYSHEV, Metric.EUCLIDEAN)


@dataclass(frozen=True)
class Lattice:
    """A space of integer cells; made by `path`, `grid`, `hamming` and their like."""

    text: str
    form: tuple[tuple[str, Any], ...] = field(compare=False, repr=False)
    region: Box | Simplex = field(hash=False, repr=False)
    norm: Norm = field(hash=False, repr=False)
    naming: Naming = field(hash=False, repr=False)
    relation: str | None = field(hash=False, repr=False)

    @property
    def family(self) -> Family:
        """Which family it belongs to."""
        return Family(dict(self.form)["family"])

    @property
    def size(self) -> int:
        """The number of points."""
        return self.region.size

    @property
    def points(self) -> Sequence[Label]:
        """The labels, in the order of the indices."""
        if isinstance(self.naming, Integers):
            return range(self.naming.low, self.naming.low + self.size)
        return LazyPoints(self.size, lambda i: self.naming.label(self.region.cell(i)))

    def index(self, point: Label) -> int:
        """The index of a label."""
        cell = self.naming.cell(label_of(point))
        index = None if cell is None else self.region.rank(cell)
        if index is None:
            raise NotAPoint(point, self)
        return index

    def distance(self, i: int, j: int) -> Surd:
        """The exact distance of two points."""
        cells = zip(self.region.cell(int(i)), self.region.cell(int(j)), strict=True)
        return self.norm.surd(self.norm.key(a - b for a, b in cells))

    def lengths(self, i: IntArray, j: IntArray) -> FloatArray:
        """The distances of many pairs as doubles."""
        return self.norm.floats(self._keys(i, j))

    def classes(self, i: IntArray, j: IntArray) -> tuple[list[Surd], IntArray]:
        """The distinct exact distances of many pairs, and which pair has which."""
        return classes_of_keys(self._keys(i, j), self.norm.surd)

    def edges(self) -> Pairs:
        """The irreducible pairs."""
        return self._edges

    @property
    def neighbors(self) -> Neighbors | None:
        """Pairs at one step, in the words of the family; none for Euclidean grids."""
        if self.relation is None:
            return None
        return Neighbors(self.relation, self.edges, lambda: (self.least_distance,) * 2)

    @property
    def diameter(self) -> Surd:
        """The largest distance."""
        if self.norm.metric is Metric.CYCLIC:
            return Surd.of(self.size // 2)
        return self.norm.surd(self.norm.key(self.region.reach))

    @property
    def least_distance(self) -> Surd:
        """The smallest positive distance: one step."""
        return Surd.of(self.norm.step)

    def kernel_product(self, epsilon: float, v: FloatArray) -> FloatArray:
        """Φ v with Φ = exp(-ε d); v may have several columns."""
        every_index(self.size)
        return kernel_products.lattice_product(self, epsilon, v)

    __repr__ = space_line
    _repr_html_ = space_card

    def describe(self) -> dict[str, Any]:
        """The document form of the space."""
        return {name: list(x) if isinstance(x, tuple) else x for name, x in self.form}

    @property
    def numeric(self) -> bool:
        """Whether labels are numbers that can be averaged."""
        return self.norm.metric in _NUMERIC

    def coordinates(self) -> FloatArray | None:
        """One row of numbers per point, where labels are numbers that can be averaged."""
        if not self.numeric:
            return None
        axes = np.stack(self.region.cells(every_index(self.size)), axis=1).astype(np.float64)
        if isinstance(self.naming, Integers):
            return axes + self.naming.low
        return axes * float(self.norm.step)

    @cached_property
    def _wide(self) -> bool:
        """Whether keys outgrow 64 bits."""
        return int(Norm(self.norm.metric).key(self.region.reach)) >= WORD

    def _keys(self, i: Any, j: Any) -> NDArray[Any]:
        first, second = self.region.cells(i), self.region.cells(j)
        if self._wide:
            first = [axis.astype(object) for axis in first]
        return np.asarray(self.norm.key(a - b for a, b in zip(first, second, strict=True)))

    @cached_property
    def _edges(self) -> Pairs:
        every_index(self.size)
        if isinstance(self.region, Simplex):
            refuse_pairs(self.region.moves)
            return Pairs(*self.region.person_moves())
        return box_edges(self.norm, self.region)


def family_of(space: object) -> Family | None:
    """The family of a space that is a lattice; None for any other.

    >>> from tightrope.spaces import path, star
    >>> family_of(path(0, 9)) is Family.PATH, family_of(star(3))
    (True, None)
    """
    return space.family if isinstance(space, Lattice) else None
