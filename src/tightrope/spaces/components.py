"""Components: parts of a space between which every distance is infinite.

An infinite distance constrains nothing: e^(ε d) is infinite and e^(-ε d) is 0. So a mechanism
is private iff it is on every component, and which component an input lies in is not protected
at all. Graphs may have several components, matrices of distances too, and so products of such.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tightrope.errors import BadSpace
from tightrope.exact import FloatArray, IntArray, Surd, own
from tightrope.spaces.classes import distance_table, pair_classes
from tightrope.spaces.directed import Directed
from tightrope.spaces.graphs import Graph
from tightrope.spaces.listed_points import ListedPoints
from tightrope.spaces.matrices import MatrixSpace
from tightrope.spaces.products import Product
from tightrope.spaces.protocol import Label, Neighbors, Pairs, Space, every_index


def is_connected(space: Space) -> bool:
    """Whether all distances are finite, found without computing any where that is long.

    >>> from tightrope.spaces import graph, path
    >>> is_connected(path(0, 9)), is_connected(graph("abc", [(0, 1)]))
    (True, False)
    """
    if isinstance(space, Product):
        return is_connected(space.first) and is_connected(space.second)
    if isinstance(space, Directed):  # nor is it a metric, where all of them are
        return False
    return space.connected if isinstance(space, Graph | MatrixSpace) else True


def components(space: Space) -> IntArray:
    """The component of every point, numbered from 0.

    >>> from tightrope.spaces import graph
    >>> components(graph("abcd", [(0, 2), (1, 3)])).tolist()
    [0, 1, 0, 1]
    """
    if isinstance(space, Product):
        mine, yours = components(space.first), components(space.second)
        return np.add.outer(mine * (int(yours.max()) + 1), yours).ravel()
    if isinstance(space, Graph | MatrixSpace | Directed):
        return space.components
    return np.zeros_like(every_index(space.size))


def count_components(space: Space) -> int:
    """The number of components."""
    if isinstance(space, Product):
        return count_components(space.first) * count_components(space.second)
    return 1 if is_connected(space) else int(components(space).max()) + 1


def farthest(space: Space) -> Surd:
    """The largest finite distance: the diameter of a connected space.

    >>> from tightrope.spaces import graph
    >>> two = graph("abcde", [(0, 1), (1, 2), (3, 4)])
    >>> str(two.diameter), str(farthest(two))
    ('inf', '2')
    """
    if isinstance(space, Product) and not is_connected(space):
        return space.combine_distances(farthest(space.first), farthest(space.second))
    return space.farthest if isinstance(space, Graph | MatrixSpace | Directed) else space.diameter


def require_both_ways(space: Space, what: str) -> None:
    """Raise `BadSpace` if distances are directed."""
    if isinstance(space, Directed):
        raise BadSpace(f"{what} distances that are the same both ways, not a {space.text}.")


def require_connected(space: Space, what: str) -> None:
    """Raise `BadSpace` if some distances are infinite, or directed."""
    require_both_ways(space, what)
    if not is_connected(space):
        part = components(space)
        first, second = space.points[0], space.points[int(np.argmax(part != part[0]))]
        raise BadSpace(
            f"{what} a space in which all distances are finite; in {space.text} no path joins "
            f"{first} and {second}.",
            nodes=(first, second),
        )


def split_components(space: Space) -> Iterator[tuple[IntArray, Component | None]]:
    """The members of every component, and it as a space unless it is a single point."""
    part = components(space)
    for name in range(int(part.max()) + 1):
        members = np.flatnonzero(part == name)
        yield members, Component(space, members) if len(members) > 1 else None


@dataclass(frozen=True, eq=False, repr=False)
class Component(ListedPoints):
    """One component as a space of its own; `members` are the points of the whole."""

    whole: Space
    members: IntArray

    def __post_init__(self) -> None:
        own(self)

    @property
    def size(self) -> int:
        """The number of points."""
        return len(self.members)

    @property
    def text(self) -> str:
        """The space in words."""
        return f"a component of {self.whole.text}"

    @cached_property
    def points(self) -> Sequence[Label]:
        """The labels of the members."""
        return tuple(self.whole.points[i] for i in self.members.tolist())

    def distance(self, i: int, j: int) -> Surd:
        """The exact distance of two points."""
        return self.whole.distance(int(self.members[i]), int(self.members[j]))

    def lengths(self, i: IntArray, j: IntArray) -> FloatArray:
        """The distances of many pairs as doubles."""
        return self.whole.lengths(self.members[i], self.members[j])

    def classes(self, i: IntArray, j: IntArray) -> tuple[list[Surd], IntArray]:
        """The distinct exact distances of many pairs, and which pair has which."""
        return self.whole.classes(self.members[i], self.members[j])

    @property
    def neighbors(self) -> Neighbors | None:
        """The neighbors of the whole that lie in this component."""
        relation = self.whole.neighbors
        if relation is None:
            return None
        pairs = self._inside(relation.pairs)
        lengths = pair_classes(self, pairs)[0]
        return Neighbors(relation.relation, lambda: pairs, lambda: (lengths[0], lengths[-1]))

    @cached_property
    def diameter(self) -> Surd:
        """The largest distance."""
        return distance_table(self)[0][-1]

    @cached_property
    def least_distance(self) -> Surd:
        """The smallest positive distance."""
        return pair_classes(self, self.edges())[0][0]

    def describe(self) -> dict[str, Any]:
        """The document form: the whole space, and which points are in this component."""
        members = self.members.tolist()
        return {"family": "component", "whole": self.whole.describe(), "members": members}

    @cached_property
    def _edges(self) -> Pairs:
        return self._inside(self.whole.edges())

    def _inside(self, pairs: Pairs) -> Pairs:
        place = np.full(self.whole.size, -1, dtype=np.int64)
        place[self.members] = np.arange(self.size)
        first, second = place[pairs.first], place[pairs.second]
        return Pairs(first[first >= 0], second[first >= 0])
