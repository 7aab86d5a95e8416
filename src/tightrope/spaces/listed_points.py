"""The common part of spaces whose points are listed and whose distances are a table.

A class of a space inherits what does not depend on where its distances come from; points and
distances are its own, and it never expands more than it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import NotAPoint
from tightrope.exact import INFINITE, FloatArray, IntArray, Surd
from tightrope.spaces import kernel_products
from tightrope.spaces.cards import space_card, space_line
from tightrope.spaces.classes import classes_of_keys
from tightrope.spaces.protocol import Label, Pairs, Space, label_of


class ListedPoints:
    """Points by their labels; a class of spaces has `points`, distances, and `_edges`."""

    if TYPE_CHECKING:

        @property
        def points(self) -> Sequence[Label]: ...
        @property
        def _edges(self) -> Pairs: ...

    @property
    def size(self) -> int:
        """The number of points."""
        return len(self.points)

    def index(self, point: Label) -> int:
        """The index of a label."""
        return index_of(self._index, point, self)  # type: ignore[arg-type]

    def edges(self) -> Pairs:
        """The irreducible pairs."""
        return self._edges

    def kernel_product(self, epsilon: float, v: FloatArray) -> FloatArray:
        """Φ v with Φ = exp(-ε d); v may have several columns."""
        return kernel_products.dense_product(self, epsilon, v)  # type: ignore[arg-type]

    __repr__ = space_line
    _repr_html_ = space_card

    @cached_property
    def _index(self) -> dict[Label, int]:
        return {label: i for i, label in enumerate(self.points)}


class TabledDistances(ListedPoints):
    """Distances by a table of numerators over a denominator; `beyond` stands for infinity."""

    if TYPE_CHECKING:

        @property
        def numerators(self) -> NDArray[Any]: ...
        @property
        def denominator(self) -> int: ...
        @property
        def beyond(self) -> int | None: ...

    def distance(self, i: int, j: int) -> Surd:
        """The exact distance of two points, in this order."""
        return self._surd(int(self.numerators[i, j]))

    def lengths(self, i: IntArray, j: IntArray) -> FloatArray:
        """The distances of many pairs as doubles."""
        numerators = self.numerators[i, j]
        lengths = numerators.astype(np.float64) / float(self.denominator)
        return lengths if self.beyond is None else np.where(
            numerators == self.beyond, np.inf, lengths)

    def classes(self, i: IntArray, j: IntArray) -> tuple[list[Surd], IntArray]:
        """The distinct exact distances of many pairs, and which pair has which."""
        return classes_of_keys(self.numerators[i, j], self._surd)

    @property
    def diameter(self) -> Surd:
        """The largest distance: infinite where some points are not protected from each other."""
        return self._surd(int(self.numerators.max()))

    @property
    def farthest(self) -> Surd:
        """The largest finite distance."""
        finite = self.numerators != (-1 if self.beyond is None else self.beyond)
        return self._surd(int(self.numerators[finite].max()))

    def _surd(self, numerator: int) -> Surd:
        if numerator == self.beyond:
            return INFINITE
        return Surd.of(Fraction(numerator, self.denominator))


def index_of(index: Mapping[Label, int], point: Any, space: Space) -> int:
    """The index of a label, or `NotAPoint`."""
    label = label_of(point)
    try:
        place = None if isinstance(label, bool) else index.get(label)
    except TypeError:  # not hashable, so not a label
        place = None
    if place is None:
        raise NotAPoint(point, space)
    return place
