"""L0 and L1 sensitivity of whole numbers that are made from a tally.

The space of the numbers holds both: at most `touched` of them differ between neighbors (L0), by
at most `change` in all (L1).
"""

from __future__ import annotations

from tightrope.declarations import Neighbors, Tally
from tightrope.spaces import Tallies


def cell_sensitivity(tally: Tally, least: int, most: int) -> Tallies:
    """One number a cell, when a unit contributes between `least` and `most` in total."""
    unit = tally.declaration.unit
    l0, l1 = tally.touched, max(-least, most)
    if unit.neighbors is Neighbors.REPLACE:
        # one cell: from the least to the most; several: one set of cells for another
        l0, l1 = min(2 * l0, tally.size), most - least if tally.size == 1 else 2 * l1
    return Tallies(tally.size, min(l0, l1), l1)


def joint_sensitivity(tally: Tally, numbers: int, total: int) -> Tallies:
    """Several numbers a cell, when a unit contributes at most `total` to all of them together."""
    l0, l1 = tally.touched * numbers, total
    if tally.declaration.unit.neighbors is Neighbors.REPLACE:
        l0, l1 = 2 * l0, 2 * l1
    cells = tally.size * numbers
    return Tallies(cells, min(l0, cells, l1), l1)
