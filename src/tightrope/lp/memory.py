"""The memory that a search over copies of a cone takes, told before it is taken."""

from __future__ import annotations

from tightrope.errors import TooLarge
from tightrope.exact import sizes

_LISTED, _NUMBER = 110, 180
"""Bytes for each listed pair, and for each number of the vectors."""

_ENTRY, _TWICE = 10, 2
"""Bytes for each entry of a factor; many times as many where its inverse is kept too."""

_MEGABYTE = 10**6


def memory_of_lists(copies: int, width: int, listed: int) -> int:
    """Bytes for the vectors of so many copies and for lists of so many pairs of each.

    >>> memory_of_lists(1000, 1000, 6000)
    840000000
    """
    return copies * (_LISTED * listed + _NUMBER * width)


def memory_of_factors(copies: int, entries: int, rows: int, threads: int, inverted: bool) -> int:
    """Bytes for factors of so many entries of each copy, and for the Schur complement."""
    return copies * entries * _ENTRY * (_TWICE if inverted else 1) + 8 * (threads + 3) * rows**2


def exceeds_memory(needed: int) -> bool:
    """Whether so many bytes are more than the memory allowed."""
    return needed > sizes.LARGEST_CONE_MEMORY


def refuse_memory(needed: int, what: str, advice: str) -> None:
    """Refuse what would take more than the memory allowed."""
    if exceeds_memory(needed):
        most = sizes.LARGEST_CONE_MEMORY // _MEGABYTE
        raise TooLarge(f"the {what}, in megabytes,", needed // _MEGABYTE, most, advice)
