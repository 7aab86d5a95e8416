"""H16: Holohan, Mathematical foundations of differential privacy (thesis, Dublin, 2016)."""

from tightrope.papers.h16 import binary_designs, loose_entries

ITEMS = (loose_entries.ITEM, binary_designs.ITEM)

__all__ = ["ITEMS"]
