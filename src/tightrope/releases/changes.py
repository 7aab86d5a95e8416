"""What one unit changes about whole numbers that are made from a tally."""

from __future__ import annotations

from tightrope.declarations import Neighbors, Tally
from tightrope.spaces import Tallies


def changed_in_cells(tally: Tally, least: int, most: int) -> Tallies:
    """What neighbors change if a unit adds from `least` to `most` to the numbers, in all."""
    unit = tally.declaration.unit
    change, touched = max(-least, most), tally.touched
    if unit.neighbors is Neighbors.REPLACE:
        # one cell: from the least to the most; several: one set of cells for another
        change = most - least if tally.size == 1 else 2 * change
        touched = min(2 * touched, tally.size)
    return Tallies(tally.size, min(touched, change), change)


def changed_together(tally: Tally, numbers: int, change: int) -> Tallies:
    """The same for several numbers in each cell, which a unit changes by so much together."""
    unit, touched = tally.declaration.unit, tally.touched * numbers
    if unit.neighbors is Neighbors.REPLACE:
        touched, change = 2 * touched, 2 * change
    cells = tally.size * numbers
    return Tallies(cells, min(touched, cells, change), change)
