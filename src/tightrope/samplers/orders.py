"""Uniform orders: every order of so many rows is exactly as likely as any other."""

from __future__ import annotations

import numpy as np

from tightrope.exact import IntArray
from tightrope.samplers.sources import SYSTEM, Source, uniform_numbers


def uniform_order(count: int, source: Source = SYSTEM) -> IntArray:
    """The places from 0 to count - 1 in a uniform order.

    Places are sorted by independent 64-bit numbers; given that all of these differ every order is
    equally likely, and where two are equal all are drawn again.

    >>> from tightrope.samplers import SeededSource
    >>> sorted(uniform_order(5, SeededSource(1)).tolist())
    [0, 1, 2, 3, 4]
    """
    while True:
        keys = np.frombuffer(source.bytes(8 * count), dtype="<u8")
        order = np.argsort(keys, kind="stable")
        if not (np.diff(keys[order]) == 0).any():
            return order.astype(np.int64)


def uniform_parts(count: int, parts: int, source: Source = SYSTEM) -> IntArray:
    """The part of each of so many rows, each uniform and independent.

    Parts that are put in a uniform order each, one after the other, are rows in a uniform order.
    """
    return np.asarray(uniform_numbers(parts, count, source), dtype=np.int64)
