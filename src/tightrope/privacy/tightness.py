"""Which constraints are tight: row graphs, loose entries, maximal generality.

For one output, join two inputs of an irreducible pair if their probabilities differ by the
largest factor allowed. If this row graph is connected for every output that occurs, every
column is an extreme ray of the cone and the mechanism is not a post-processing of any other
one at this level (KL10, Theorem 3.3.3). An entry on no tight pair is loose (H16, Definition
5.5). Weights rounded just inside an irrational level count as tight (`TIGHT_MARGIN`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tightrope.exact import Level, tolerances
from tightrope.mechanisms import FiniteMechanism, written_out
from tightrope.spaces import IntArray, Label, Space


@dataclass(frozen=True)
class Tightness:
    """Tight pairs of every output, loose entries, and whether all row graphs are connected.

    `loose` lists (input index, output index); `connected` has one entry per output, None
    for outputs that never occur.
    """

    tight: int
    loose: tuple[tuple[int, int], ...]
    connected: tuple[bool | None, ...]

    @property
    def maximally_general(self) -> bool:
        """Whether no other mechanism at this level yields this one by post-processing."""
        return all(joined is not False for joined in self.connected)


def tightness(mechanism: FiniteMechanism, space: Space, level: Level) -> Tightness:
    """The tight constraints of a mechanism at a level.

    >>> from tightrope.exact import Weights
    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import categories
    >>> a = Weights.from_integers([[4, 1, 2], [3, 2, 2], [2, 1, 4]])  # H16, Example 5.2
    >>> tightness(MatrixMechanism(categories(3), (0, 1, 2), a), categories(3), Level.ratio(2)).loose
    ((1, 0),)
    """
    from scipy.sparse import coo_array  # slow to import
    from scipy.sparse.csgraph import connected_components

    size, count = space.size, len(mechanism.outputs)
    loose = np.zeros((size, count), dtype=bool)
    connected: list[bool | None] = []
    total = 0
    for z, found in enumerate(_tight_pairs(mechanism, space, level)):
        if found is None:
            connected.append(None)
            continue
        first, second = found
        total += len(first)
        graph = coo_array((np.ones(len(first)), (first, second)), (size, size))
        connected.append(int(connected_components(graph, directed=False)[0]) == 1)
        loose[:, z] = True
        loose[first, z] = loose[second, z] = False
    listed = tuple((int(y), int(z)) for y, z in np.argwhere(loose))
    return Tightness(total, listed, tuple(connected))


@dataclass(frozen=True)
class RowGraph:
    """The tight pairs of one output, each as (likelier input, other input), by index.

    If the graph is connected it determines the likelihood function y ↦ P(output | y) up to a
    factor: along an edge the likelihood falls by e^(ε d).
    """

    output: Label
    edges: tuple[tuple[int, int], ...]
    connected: bool


def row_graphs(mechanism: FiniteMechanism, space: Space, level: Level) -> tuple[RowGraph, ...]:
    """The row graphs of all outputs that occur (KL10, Definition 3.3.2).

    >>> from tightrope.exact import Weights
    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import path
    >>> rows = Weights.from_integers([[4, 1, 1], [2, 2, 2], [1, 1, 4]])  # geometric, e^ε = 2
    >>> row_graphs(MatrixMechanism(path(0, 2), (0, 1, 2), rows), path(0, 2), Level.ratio(2))[1]
    RowGraph(output=1, edges=((1, 0), (1, 2)), connected=True)
    """
    matrix = written_out(mechanism)
    heads, powers = matrix.weights.scaled
    connected = tightness(matrix, space, level).connected
    graphs = []
    for z, found in enumerate(_tight_pairs(matrix, space, level)):
        if found is None:
            continue
        logs = np.log2(heads[:, z]) + powers[:, z]
        pairs = zip(found[0].tolist(), found[1].tolist(), strict=True)
        edges = tuple((x, y) if logs[x] >= logs[y] else (y, x) for x, y in pairs)
        graphs.append(RowGraph(matrix.outputs[z], edges, connected[z] is True))
    return tuple(graphs)


def _tight_pairs(
    mechanism: FiniteMechanism, space: Space, level: Level
) -> Iterator[tuple[IntArray, IntArray] | None]:
    """For every output its tight irreducible pairs; None for an output that never occurs."""
    matrix = written_out(mechanism)
    heads, powers = matrix.weights.scaled
    pairs = space.edges()
    first, second = pairs.first, pairs.second
    allowed = float(level) / np.log(2) * space.lengths(first, second)
    for z in range(len(matrix.outputs)):
        if not heads[:, z].any():
            yield None
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log2(heads[first, z] / heads[second, z])
            logs += powers[first, z] - powers[second, z]
        tight = np.abs(np.abs(logs) - allowed) <= tolerances.TIGHT_MARGIN * np.maximum(1, allowed)
        yield first[tight], second[tight]
