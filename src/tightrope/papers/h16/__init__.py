"""H16: Holohan, Mathematical foundations of differential privacy (thesis, Dublin, 2016)."""

from tightrope.papers.h16 import (
    binary_designs,
    categorical,
    extreme_points,
    loose_entries,
    sufficient_sets,
)

ITEMS = (
    *categorical.ITEMS,
    *sufficient_sets.ITEMS,
    loose_entries.ITEM,
    *extreme_points.ITEMS,
    binary_designs.ITEM,
)

__all__ = ["ITEMS"]
