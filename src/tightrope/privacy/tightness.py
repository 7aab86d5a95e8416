"""Which constraints are tight: row graphs, loose entries, maximal generality.

For one output, join two inputs of an irreducible pair if their probabilities differ by the
largest factor allowed. If this row graph is connected for every output that occurs, every
column is an extreme ray of the cone and the mechanism is not a post-processing of any other
one at this level (KL10, Theorem 3.3.3). An entry on no tight pair is loose (H16, Definition
5.5). Weights rounded just inside an irrational level count as tight (`TIGHT_MARGIN`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tightrope.exact import Level, tolerances
from tightrope.mechanisms import FiniteMechanism, written_out
from tightrope.spaces import Space


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

    matrix = written_out(mechanism)
    heads, powers = matrix.weights.scaled
    pairs = space.edges()
    allowed = float(level) / np.log(2) * space.lengths(pairs.first, pairs.second)
    size, count = space.size, len(matrix.outputs)
    loose = np.zeros((size, count), dtype=bool)
    connected: list[bool | None] = []
    total = 0
    for z in range(count):
        if not heads[:, z].any():
            connected.append(None)
            continue
        first, second = pairs.first, pairs.second
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log2(heads[first, z] / heads[second, z])
            logs += powers[first, z] - powers[second, z]
        tight = np.abs(np.abs(logs) - allowed) <= tolerances.TIGHT_MARGIN * np.maximum(1, allowed)
        total += int(tight.sum())
        graph = coo_array((np.ones(int(tight.sum())), (first[tight], second[tight])), (size, size))
        connected.append(int(connected_components(graph, directed=False)[0]) == 1)
        loose[:, z] = True
        loose[first[tight], z] = loose[second[tight], z] = False
    found = tuple((int(y), int(z)) for y, z in np.argwhere(loose))
    return Tightness(total, found, tuple(connected))
