"""The source papers, item by item: published, found, verdict, reason.

A new item is a small module with an `ITEM`, listed in the front door of its paper.
"""

from tightrope.papers import ecp, h16, kl10, klpc, wxh
from tightrope.papers.item import Finding, Item, Verdict

__all__ = ["Finding", "Item", "Verdict", "items"]


def items() -> tuple[Item, ...]:
    """Every item of every paper, in order."""
    return (*ecp.ITEMS, *h16.ITEMS, *kl10.ITEMS, *klpc.ITEMS, *wxh.ITEMS)
