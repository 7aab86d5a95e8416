"""Products of two spaces: pairs of points, with distances that add or of which the larger counts.

Under the sum a person who differs in both parts is at distance 2, under the maximum at 1.
A sum never has shortcuts across, so its irreducible pairs move in one part only, and its
kernel is the Kronecker product of two kernels. The maximum of two graph distances with the
same unit is a graph distance too: its irreducible pairs are those at one unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import log2
from typing import Any, Final

import numpy as np

from tightrope.choices import member_of
from tightrope.errors import BadSpace, NotAPoint
from tightrope.exact import FloatArray, IntArray, Surd
from tightrope.spaces import kernel_products
from tightrope.spaces.cards import space_card, space_line
from tightrope.spaces.checks import check_digits
from tightrope.spaces.classes import (
    classes_of_keys,
    distance_table,
    distinct,
    merge_classes,
    pair_classes,
)
from tightrope.spaces.directed import Directed
from tightrope.spaces.irreducible import irreducible_pairs
from tightrope.spaces.moves import moves
from tightrope.spaces.protocol import (
    Label,
    LazyPoints,
    Neighbors,
    Pairs,
    Space,
    every_index,
    label_of,
)
from tightrope.spaces.regions import as_indices

MOST_FACTORS: Final = 6
"""Factors of one product: each adds a rounding to the lengths."""


class Combine(Enum):
    """How the distances of the two parts combine."""

    SUM = "sum"
    MAX = "max"


@dataclass(frozen=True)
class Product:
    """Pairs of points of two spaces, the first part slowest; made by `product`."""

    first: Space
    second: Space
    combine: Combine

    def __post_init__(self) -> None:
        object.__setattr__(self, "combine", member_of(Combine, self.combine, "way to combine"))
        for part in (self.first, self.second):
            if isinstance(part, Directed):
                raise BadSpace("a product needs factors that are protected both ways.")

    @property
    def factors(self) -> int:
        """The number of factors, those of nested products included."""
        return sum(
            part.factors if isinstance(part, Product) else 1 for part in (self.first, self.second)
        )

    @property
    def size(self) -> int:
        """The number of points."""
        return self.first.size * self.second.size

    @property
    def text(self) -> str:
        """The text form; parentheses stand where `parse` needs them."""
        left, right = self.first.text, self.second.text
        if isinstance(self.first, Product) and self.first.combine is not self.combine:
            left = f"({left})"
        if isinstance(self.second, Product):
            right = f"({right})"
        return f"{left} {'*' if self.combine is Combine.SUM else '^'} {right}"

    @property
    def points(self) -> Sequence[Label]:
        """Pairs of labels, the first part slowest."""
        first, second, columns = self.first.points, self.second.points, self.second.size
        return LazyPoints(self.size, lambda i: (first[i // columns], second[i % columns]))

    def index(self, point: Label) -> int:
        """The index of a pair of labels."""
        label = label_of(point)
        if not isinstance(label, tuple) or len(label) != 2:
            raise NotAPoint(point, self)
        return self.first.index(label[0]) * self.second.size + self.second.index(label[1])

    def distance(self, i: int, j: int) -> Surd:
        """The exact distance of two points."""
        (a, b), (c, d) = divmod(int(i), self.second.size), divmod(int(j), self.second.size)
        return self.combine_distances(self.first.distance(a, c), self.second.distance(b, d))

    def lengths(self, i: IntArray, j: IntArray) -> FloatArray:
        """The distances of many pairs as doubles."""
        (a, b), (c, d) = self._split_index(i), self._split_index(j)
        lengths = self.first.lengths(a, c), self.second.lengths(b, d)
        return lengths[0] + lengths[1] if self.combine is Combine.SUM else np.maximum(*lengths)

    def classes(self, i: IntArray, j: IntArray) -> tuple[list[Surd], IntArray]:
        """The distinct exact distances of many pairs, and which pair has which."""
        (a, b), (c, d) = self._split_index(i), self._split_index(j)
        mine, here = self.first.classes(a, c)
        yours, there = self.second.classes(b, d)
        if self.combine is Combine.MAX:
            both, rank = merge_classes(mine + yours)
            where = np.maximum(rank[here], rank[len(mine) :][there])
            return classes_of_keys(where, both.__getitem__)
        codes, where = distinct(here * len(yours) + there)
        sums, rank = merge_classes([mine[k // len(yours)] + yours[k % len(yours)] for k in codes])
        return sums, rank[where]

    def edges(self) -> Pairs:
        """The irreducible pairs."""
        return self._edges

    @cached_property
    def neighbors(self) -> Neighbors | None:
        """Neighbors in one part (sum), or in one or both (maximum); none if a part has none."""
        mine, yours = self.first.neighbors, self.second.neighbors
        if mine is None or yours is None:
            return None
        both = self.combine is Combine.MAX
        words = [f"({x})" if " part" in x else x for x in (mine.relation, yours.relation)]
        (near, far), (nearer, farther) = mine.apart, yours.apart
        span = min(near, nearer), max(far, farther)
        where = "the larger distance counts" if both else "distances add"
        if span == (Surd.of(1), Surd.of(1)):
            where = f"a person who differs in both is at distance {1 if both else 2}"
        return Neighbors(
            f"{words[0]} in the first part, or {words[1]} in the second part, "
            f"{'or' if both else 'not'} both ({where})",
            lambda: self._moves(mine.pairs, yours.pairs, both),
            lambda: span,
        )

    @property
    def diameter(self) -> Surd:
        """The largest distance."""
        return self.combine_distances(self.first.diameter, self.second.diameter)

    @property
    def least_distance(self) -> Surd:
        """The smallest positive distance."""
        return min(self.first.least_distance, self.second.least_distance)

    def kernel_product(self, epsilon: float, v: FloatArray) -> FloatArray:
        """Φ v with Φ = exp(-ε d); v may have several columns."""
        every_index(self.size)
        if self.combine is Combine.MAX:
            return kernel_products.dense_product(self, epsilon, v)
        rows, columns = self.first.size, self.second.size
        half = self.first.kernel_product(epsilon, v.reshape(rows, -1))
        turned = half.reshape(rows, columns, -1).swapaxes(0, 1)
        whole = self.second.kernel_product(epsilon, turned.reshape(columns, -1))
        return whole.reshape(turned.shape).swapaxes(0, 1).reshape(v.shape)

    __repr__ = space_line
    _repr_html_ = space_card

    def describe(self) -> dict[str, Any]:
        """The document form of the space."""
        factors = [self.first.describe(), self.second.describe()]
        return {"family": "product", "combine": self.combine.value, "factors": factors}

    def combine_distances(self, mine: Surd, yours: Surd) -> Surd:
        """The distance of two points whose parts are at these distances."""
        return mine + yours if self.combine is Combine.SUM else max(mine, yours)

    def _split_index(self, i: Any) -> tuple[Any, Any]:
        indices = as_indices(i, self.size)
        return indices // self.second.size, indices % self.second.size

    def _moves(self, mine: Pairs, yours: Pairs, both: bool) -> Pairs:
        return moves(mine, self.first.size, yours, self.second.size, both=both)

    @cached_property
    def _edges(self) -> Pairs:
        every_index(self.size)
        if self.combine is Combine.SUM:
            return self._moves(self.first.edges(), self.second.edges(), both=False)
        units = [pair_classes(part, part.edges())[0] for part in (self.first, self.second)]
        if len(units[0]) == len(units[1]) == 1 and units[0] == units[1]:
            return self._moves(self.first.edges(), self.second.edges(), both=True)
        return irreducible_pairs(*distance_table(self))


def product(
    first: Space | str, second: Space | str, combine: Combine | str = Combine.SUM
) -> Product:
    """Pairs of points of two spaces; distances add (sum), or the larger one counts (max).

    >>> from tightrope.spaces import path
    >>> str(product(path(0, 3), path(0, 3), "max").distance(0, 5))
    '1'
    """
    from tightrope.spaces.text import space_of  # which reads products

    first, second = space_of(first), space_of(second)
    space = Product(first, second, member_of(Combine, combine, "way to combine"))
    if space.factors > MOST_FACTORS:
        raise BadSpace(f"expected at most {MOST_FACTORS} factors, found {space.factors}.")
    check_digits(log2(first.size) + log2(second.size))
    return space


def product_sum(first: Space | str, second: Space | str) -> Product:
    """Pairs of points; distances add, so a person who differs in both is at distance 2.

    Returns: a `Product`; its points are pairs of points.

    Raises: `BadSpace` for text that is no space, or beyond six factors; `TooLarge` beyond 10^4000
    points.

    >>> from tightrope.spaces import path
    >>> str(product_sum(path(0, 1), path(0, 1)).diameter)
    '2'
    """
    return product(first, second, Combine.SUM)


def product_max(first: Space | str, second: Space | str) -> Product:
    """Pairs of points; the larger distance counts: a person who differs in both is at 1.

    Returns: a `Product`; its points are pairs of points.

    Raises: `BadSpace` for text that is no space, or beyond six factors; `TooLarge` beyond 10^4000
    points.

    >>> from tightrope.spaces import path
    >>> str(product_max(path(0, 1), path(0, 1)).diameter)
    '1'
    """
    return product(first, second, Combine.MAX)
