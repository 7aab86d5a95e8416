"""Relations that protect one way: directed distances.

A pair (x, y) of length d asks P(z | y) <= e^(ε d) P(z | x), and nothing of the other order:
whatever y answers, x might have answered too, but x may give itself away. Lengths add up along
directed paths; where none leads from x to y the distance is infinite and nothing is asked. So
d(x, y) and d(y, x) differ, and one of them may be infinite (KL10, Section 2: R is directed).

Everything that rests on a metric (kernels, tight constraints, neighbors, δ, products) refuses
such a space. What is left is whatever compares rows: verifying, and the optimum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadSpace, Refused
from tightrope.exact import FloatArray, IntArray, Surd, own, owned
from tightrope.spaces.checks import positive_rational
from tightrope.spaces.graphs import check_edge
from tightrope.spaces.listed_points import TabledDistances
from tightrope.spaces.matrices import check_labels
from tightrope.spaces.protocol import Label, Neighbors, Pairs, plain, refuse_above

MOST_DIRECTED: Final = 1_000
"""Points of a directed space: its paths are found through every third point."""

_LONGEST: Final = 2**53


@dataclass(frozen=True, eq=False, repr=False)
class Directed(TabledDistances):
    """Points joined by pairs (from, to, length) that protect one way; made by `directed`.

    `distance(i, j)` is the d of P(z | j) <= e^(ε d) P(z | i). `edges` are ordered pairs.
    """

    points: tuple[Label, ...]
    links: tuple[tuple[int, int, Fraction], ...]

    def __post_init__(self) -> None:
        own(self)
        ends = [(i, j) for i, j, _ in self.links]
        size = range(len(self.points))
        good = ends and ends == sorted(set(ends)) and all(
            i != j and i in size and j in size and length > 0 for i, j, length in self.links
        )
        if not good:
            raise BadSpace("expected ordered pairs of two points, each once, of positive lengths.")
        refuse_above(MOST_DIRECTED, self.size, "the number of points that are protected one way",
                     "use fewer, or protect both ways")
        if sum(length * self.denominator for *_, length in self.links) >= _LONGEST:
            raise BadSpace("the lengths of the pairs together need more than 15 digits.")

    @property
    def text(self) -> str:
        """The space in words; its content is in `describe`."""
        return f"one-way relation of {self.size} points and {len(self.links)} ordered pairs"

    def edges(self) -> Pairs:
        """The ordered pairs, (from, to), with no shortest path through a third point."""
        return self._edges

    @property
    def neighbors(self) -> Neighbors | None:
        """None: neighbors are protected both ways."""
        return None

    @property
    def least_distance(self) -> Surd:
        """The smallest positive distance."""
        return Surd.of(min(length for *_, length in self.links))

    @cached_property
    def components(self) -> IntArray:
        """The part of every point that pairs join in whichever direction, numbered from 0."""
        from scipy.sparse.csgraph import connected_components

        joined = self.numerators < self.beyond
        return owned(connected_components(joined, directed=False)[1].astype(np.int64))

    def kernel_product(self, epsilon: float, v: FloatArray) -> FloatArray:
        """Refused: e^(-ε d) is no kernel of a metric."""
        raise Refused(f"a kernel needs distances that are the same both ways, not {self.text}.")

    def describe(self) -> dict[str, Any]:
        """The document form of the space."""
        return {
            "family": "directed",
            "nodes": [plain(label) for label in self.points],
            "edges": [[i, j, str(length)] for i, j, length in self.links],
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Directed):
            return NotImplemented
        return (self.points, self.links) == (other.points, other.links)

    def __hash__(self) -> int:
        return hash((self.points, self.links))

    @cached_property
    def denominator(self) -> int:
        return lcm(*{length.denominator for *_, length in self.links})

    @cached_property
    def beyond(self) -> int:
        """The numerator, longer than any path, that stands for infinity."""
        return 1 + sum(int(length * self.denominator) for *_, length in self.links)

    @cached_property
    def numerators(self) -> NDArray[Any]:
        """Shortest paths from every point (row) to every other."""
        table = np.full((self.size, self.size), self.beyond, dtype=np.int64)
        np.fill_diagonal(table, 0)
        for i, j, length in self.links:
            table[i, j] = int(length * self.denominator)
        for k in range(self.size):
            np.minimum(table, table[:, k, None] + table[k], out=table)
        return owned(table)

    @cached_property
    def _edges(self) -> Pairs:
        """Links that are shortest paths, and the only ones of their length."""
        table, kept = self.numerators, []
        for i, j, length in self.links:
            through = table[i] + table[:, j]
            through[[i, j]] = self.beyond
            direct = int(length * self.denominator)
            if direct == table[i, j] < through.min():
                kept.append((i, j))
        first, second = zip(*kept, strict=True)
        return Pairs(np.array(first, dtype=np.int64), np.array(second, dtype=np.int64))


def directed(nodes: Iterable[Label], pairs: Iterable[Sequence[Any]]) -> Directed:
    """The space in which each pair (index, index, length) is protected in that order only.

    A pair (x, y) asks that whatever y answers might come from x too, up to e^ε. A missing length
    is 1; of equal pairs the shortest counts; distances add up along directed paths.

    >>> space = directed(["well", "ill"], [(0, 1)])
    >>> str(space.distance(0, 1)), str(space.distance(1, 0))
    ('1', 'inf')
    """
    labels = check_labels(nodes)
    shortest: dict[tuple[int, int], Fraction] = {}
    for pair in pairs:
        i, j, given = check_edge(pair, len(labels))
        length = positive_rational(given, "the length of a pair")
        if i != j:
            shortest[i, j] = min(length, shortest.get((i, j), length))
    if not shortest:
        raise BadSpace("a one-way relation needs a pair: without any, nothing is protected.")
    return Directed(labels, tuple((*ends, shortest[ends]) for ends in sorted(shortest)))
