"""Graphs with positive rational lengths and the distance of shortest paths.

Lengths are kept as integers over a common denominator whose sums are exact in doubles, so
that Dijkstra's algorithm in doubles is exact. Distances are computed in rows, and kept all
at once only for small graphs. A tree has kernel products in linear time. Nodes that no path
joins are at an infinite distance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadSpace
from tightrope.exact import INFINITE, FloatArray, IntArray, Surd, own, owned
from tightrope.spaces import kernel_products
from tightrope.spaces.checks import Number, positive_rational, show, whole_between
from tightrope.spaces.classes import classes_of_keys
from tightrope.spaces.listed_points import ListedPoints
from tightrope.spaces.matrices import check_labels
from tightrope.spaces.protocol import Label, Neighbors, Pairs, plain

_MOST_NODES: Final = 1_000_000
_WHOLE_TABLE: Final = 4_000
_EXACT: Final = 2**53


@dataclass(frozen=True, eq=False, repr=False)
class Graph(ListedPoints):
    """A graph with at least one link; made by `graph` and `star`.

    Links have first < second, each once; numerators are their lengths over the denominator.
    `name` is the text that a list of nodes too long to read has, where there is one.
    """

    points: Sequence[Label]
    links: Pairs
    numerators: IntArray
    denominator: int
    form: tuple[tuple[str, Any], ...] | None = field(default=None, repr=False)
    name: str | None = None

    def __post_init__(self) -> None:
        own(self, "numerators")
        first, second, lengths = self.links.first, self.links.second, self.numerators
        good = 0 < len(first) == len(second) == len(lengths) and lengths.min() > 0
        if not good or first.min() < 0 or (first >= second).any() or second.max() >= self.size:
            raise BadSpace("expected edges from lower to higher nodes, each of a positive length.")
        if self.denominator < 1:
            raise BadSpace(f"expected a denominator from 1 up, found {self.denominator}.")
        _check_total(lengths.tolist())

    @property
    def text(self) -> str:
        """The text form where there is one; for other graphs what they are, for people."""
        if self.form is not None:
            (_, family), (_, number) = self.form
            return f"{family}:{number}"
        if self.name is not None:
            return self.name
        return f"graph of {self.size} nodes and {len(self.links)} edges"

    def distance(self, i: int, j: int) -> Surd:
        """The exact length of a shortest path."""
        return self._surd(int(self._keys(i, j)))

    def lengths(self, i: IntArray, j: IntArray) -> FloatArray:
        """The distances of many pairs as doubles."""
        return self._numerators(i, j) / float(self.denominator)

    def classes(self, i: IntArray, j: IntArray) -> tuple[list[Surd], IntArray]:
        """The distinct exact distances of many pairs, and which pair has which."""
        return classes_of_keys(self._keys(i, j), self._surd)

    @property
    def neighbors(self) -> Neighbors | None:
        """The links that are themselves shortest paths."""
        return Neighbors("adjacent nodes", lambda: self._shortest_links, self._link_span)

    @property
    def diameter(self) -> Surd:
        """The largest distance: infinite if there are several components."""
        return self.farthest if self.connected else INFINITE

    @cached_property
    def components(self) -> IntArray:
        """The component of every node, numbered from 0."""
        from scipy.sparse.csgraph import connected_components

        labels = connected_components(self._adjacency, directed=False)[1]
        return owned(labels.astype(np.int64))

    @property
    def connected(self) -> bool:
        """Whether the graph is connected."""
        return self.form is not None or not self.components.any()

    @cached_property
    def farthest(self) -> Surd:
        """The largest finite distance."""
        if self._tree:  # a node farthest from any node is an end of a longest path
            end = int(np.argmax(self._rows(np.array([0]))))
            return self._surd(int(self._rows(np.array([end])).max()))
        rows = self._every_row()
        return self._surd(int(max(row[np.isfinite(row)].max() for row in rows)))

    @property
    def least_distance(self) -> Surd:
        """The smallest positive distance: the shortest link."""
        return self._surd(int(self.numerators.min()))

    def kernel_product(self, epsilon: float, v: FloatArray) -> FloatArray:
        """Φ v with Φ = exp(-ε d); v may have several columns."""
        if self._tree:
            return kernel_products.tree_product(self._root_tree, epsilon / self.denominator, v)
        return super().kernel_product(epsilon, v)

    def describe(self) -> dict[str, Any]:
        """The document form of the space."""
        if self.form is not None:
            return dict(self.form)
        lengths = [str(Fraction(x, self.denominator)) for x in self.numerators.tolist()]
        edges = [[i, j, length] for (i, j), length in zip(self.links, lengths, strict=True)]
        nodes = [plain(label) for label in self.points]
        return {"family": "graph", "nodes": nodes, "edges": edges}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            (self.points, self.denominator, self.form)
            == (other.points, other.denominator, other.form)
            and self.links == other.links
            and np.array_equal(self.numerators, other.numerators)
        )

    def __hash__(self) -> int:
        return hash((self.size, len(self.links), self.denominator, self.numerators.tobytes()))

    def _surd(self, numerator: int) -> Surd:
        return INFINITE if numerator == _EXACT else Surd.of(Fraction(numerator, self.denominator))

    @cached_property
    def _adjacency(self) -> Any:
        ends = np.concatenate([self.links.first, self.links.second])
        others = np.concatenate([self.links.second, self.links.first])
        lengths = np.tile(self.numerators.astype(np.float64), 2)
        from scipy.sparse import csr_array  # slow to import

        return csr_array((lengths, (ends, others)), shape=(self.size, self.size))

    def _rows(self, sources: NDArray[Any], limit: float = np.inf) -> FloatArray:
        """Distances from some nodes to all, as exact integers in doubles."""
        from scipy.sparse.csgraph import dijkstra

        return np.asarray(dijkstra(self._adjacency, indices=sources, limit=limit))

    @cached_property
    def _table(self) -> FloatArray:
        return self._rows(np.arange(self.size))

    def _every_row(self, limit: float = np.inf) -> Iterator[FloatArray]:
        """All rows of distances; those above the limit may be infinite."""
        if self.size <= _WHOLE_TABLE:
            yield from self._table
            return
        for start in range(0, self.size, 100):
            stop = min(start + 100, self.size)
            yield from self._rows(np.arange(start, stop), limit)

    def _numerators(self, i: Any, j: Any) -> FloatArray:
        if self.size <= _WHOLE_TABLE:
            return np.asarray(self._table[i, j])
        if np.size(j) < np.size(i):
            i, j = j, i
        i, j = np.broadcast_arrays(i, j)
        sources, which = np.unique(i, return_inverse=True)
        which = which.reshape(i.shape)
        numerators = np.empty(i.shape)
        step = max(1, _WHOLE_TABLE**2 // self.size)
        for start in range(0, len(sources), step):
            rows = self._rows(sources[start : start + step])
            here = (which >= start) & (which < start + step)
            numerators[here] = rows[which[here] - start, j[here]]
        return numerators

    def _keys(self, i: Any, j: Any) -> IntArray:
        """Numerators of distances; infinite ones are longer than all."""
        return np.minimum(self._numerators(i, j), _EXACT).astype(np.int64)

    @cached_property
    def _tree(self) -> bool:
        return len(self.links) == self.size - 1 and self.connected

    @cached_property
    def _shortest_links(self) -> Pairs:
        """Links as long as the distance of their ends."""
        if self._uniform:
            return self.links
        tight = self._numerators(self.links.first, self.links.second) == self.numerators
        return Pairs(self.links.first[tight], self.links.second[tight])

    def _link_span(self) -> tuple[Surd, Surd]:
        """The lengths of the shortest and the longest link between neighbors."""
        if self._uniform or self.size > _WHOLE_TABLE:
            return self.least_distance, self._surd(int(self.numerators.max()))
        links = self._shortest_links
        lengths = self._numerators(links.first, links.second)
        return self._surd(int(lengths.min())), self._surd(int(lengths.max()))

    @property
    def _uniform(self) -> bool:
        """Whether all links are irreducible at sight: equal lengths, or a tree."""
        return self._tree or len(np.unique(self.numerators)) == 1

    @cached_property
    def _edges(self) -> Pairs:
        """From every node, the links to nodes that no shortest path enters elsewhere."""
        if self._uniform:
            return self.links
        adjacency = self._adjacency.tocoo()
        tails, heads, lengths = adjacency.row, adjacency.col, adjacency.data
        starts = self._adjacency.indptr
        kept = []
        for i, row in enumerate(self._every_row(float(self.numerators.max()))):
            entered = np.zeros(self.size, dtype=np.bool_)
            entered[heads[(row[tails] + lengths == row[heads]) & (tails != i)]] = True
            own = slice(starts[i], starts[i + 1])
            ends = heads[own][(lengths[own] == row[heads[own]]) & ~entered[heads[own]]]
            ends = np.sort(ends[ends > i])
            kept.append(np.stack([np.full(len(ends), i), ends]))
        first, second = np.concatenate(kept, axis=1).astype(np.int64)
        return Pairs(first, second)

    @cached_property
    def _root_tree(self) -> kernel_products.Rooted:
        """The tree as seen from node 0."""
        from scipy.sparse.csgraph import breadth_first_order

        order, parents = breadth_first_order(self._adjacency, 0, directed=False)
        children = order[1:].astype(np.int64)
        above = parents[children].astype(np.int64)
        lengths = np.asarray(self._adjacency[children, above]).ravel().astype(np.int64)
        return kernel_products.Rooted.of(children, above, lengths)


def graph(nodes: Iterable[Label], edges: Iterable[Sequence[Any]]) -> Graph:
    """The graph with edges (index, index, length); of parallel edges the shortest counts.

    A missing length is 1; an edge from a node to itself is left out. Nodes that no path joins
    are at an infinite distance.

    Returns: a `Graph`; its points are the nodes, its distances the lengths of shortest paths.

    Raises: `BadSpace` where there is no edge, a node occurs twice, an edge names no index, or a
    length is not above 0.

    >>> space = graph(["a", "b", "c"], [(0, 1, "1/2"), (1, 2, 2)])
    >>> str(space.distance(0, 2)), list(space.edges())
    ('5/2', [(0, 1), (1, 2)])
    """
    labels = check_labels(nodes)
    shortest: dict[tuple[int, int], Fraction] = {}
    known: dict[Number, Fraction] = {}
    for edge in edges:
        i, j, length = check_edge(edge, len(labels))
        if length not in known:
            known[length] = positive_rational(length, "the length of an edge")
        ends = (min(i, j), max(i, j))
        if i != j and known[length] < shortest.get(ends, known[length] + 1):
            shortest[ends] = known[length]
    if not shortest:
        raise BadSpace("a graph needs at least one edge: without any, nothing is protected.")
    pairs = sorted(shortest)
    denominator = lcm(*{length.denominator for length in shortest.values()})
    lengths = [int(shortest[ends] * denominator) for ends in pairs]
    _check_total(lengths)
    links = Pairs(
        np.array([i for i, _ in pairs], dtype=np.int64),
        np.array([j for _, j in pairs], dtype=np.int64),
    )
    return Graph(labels, links, np.array(lengths, dtype=np.int64), denominator)


def _check_total(lengths: list[int]) -> None:
    if sum(lengths) >= _EXACT:
        raise BadSpace("the lengths of the edges together need more than 15 digits; round them.")


def star(leaves: int) -> Graph:
    """A center 0 and leaves 1, 2, ... at distance 1 from it.

    Returns: a `Graph`; its points are the numbers from 0.

    Raises: `BadSpace` where the number is not whole and at least 1; `TooLarge` beyond a million.

    >>> str(star(4).distance(1, 2))
    '2'
    """
    leaves = whole_between("the number of leaves", leaves, most=_MOST_NODES)
    links = Pairs(np.zeros(leaves, dtype=np.int64), np.arange(1, leaves + 1))
    form = (("family", "star"), ("leaves", leaves))
    return Graph(range(leaves + 1), links, np.ones(leaves, dtype=np.int64), 1, form)


def check_edge(edge: Any, nodes: int) -> tuple[int, int, Number]:
    """Two indices and a length, 1 if none is given; refused where they are none."""
    if not isinstance(edge, list | tuple) or len(edge) not in (2, 3):
        raise BadSpace(f"an edge must be two node indices and a length, found {show(edge)}.")
    for end in edge[:2]:
        if not isinstance(end, int | np.integer) or isinstance(end, bool) or not 0 <= end < nodes:
            raise BadSpace(
                f"an edge must join node indices from 0 to {nodes - 1}, found {show(edge)}."
            )
    length = edge[2] if len(edge) == 3 else 1
    if not isinstance(length, int | float | str | Fraction) or isinstance(length, bool):
        raise BadSpace(f"the length of an edge must be a number, found {show(length)}.")
    return int(edge[0]), int(edge[1]), length
