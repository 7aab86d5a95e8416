"""A promise at one distance, on cells: whose cells are near are told apart by the factor at most.

"Positions within 200 m look the same up to a factor 2" asks for nothing finer between nearer
positions. Between positions farther apart it asks only for what follows along a chain of near ones.
On cells that is a graph: cells are joined if positions in them may be so near, and neighbors have
the factor. Cells cost less here than with a level for each meter, which pays √2 times their width.
The optimum on the graph keeps the promise and nothing more.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tightrope.constructions import Effort, design
from tightrope.exact import Level
from tightrope.spaces import MOVED, Graph, graph
from tightrope.utility import LossMatrix, PriorLike, Solution

_ROOM = 2 * MOVED + Fraction(1, 64)
"""Meters that rounding adds to a distance at most, and more than doubles miss at an edge."""


def near_space(
    shape: tuple[int, int], step: Fraction, within: Fraction, *, anywhere: bool = False
) -> Graph:
    """Cells as a graph: those whose centers are at most so far apart are at distance 1.

    With `anywhere`, those of which any two points are, before positions are rounded: then all
    positions that are near are in cells that are joined, or in the same.

    >>> len(near_space((3, 3), Fraction(2), Fraction(3)).edges())  # a side or a corner in common
    20
    >>> len(near_space((3, 3), Fraction(2), Fraction(1), anywhere=True).edges())
    20
    """
    less, limit = (1, within + _ROOM) if anywhere else (0, within)
    reach = int(limit / step) + less
    edges = []
    for a in range(reach + 1):
        for b in range(-reach, reach + 1):
            gap = max(a - less, 0) ** 2 + max(abs(b) - less, 0) ** 2
            if (a, b) > (0, 0) and gap * step**2 <= limit**2:
                edges += [(i * shape[1] + j, (i + a) * shape[1] + j + b)
                          for i in range(shape[0] - a)
                          for j in range(max(0, -b), min(shape[1], shape[1] - b))]
    return graph([str(k) for k in range(shape[0] * shape[1])], edges)


def best_near(
    space: Graph, shape: tuple[int, int], step: Fraction, level: Level, prior: PriorLike,
    effort: Effort,
) -> Solution:
    """The optimum on such cells; losses are the distances of centers in meters, rounded down."""
    east, north = np.indices(shape).reshape(2, -1)
    far = np.hypot(east[:, None] - east, north[:, None] - north) * float(step) * (1 - 2.0**-48)
    return design(space, level, prior=prior, loss=LossMatrix(far, "m"), construction="optimal",
                  effort=effort)
