"""Uniform orders and places: every one is exactly as likely as any other."""

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


def uniform_slots(counts: IntArray, source: Source = SYSTEM) -> IntArray:
    """A uniform place for each row, among as many places as its count says, from 0.

    >>> from tightrope.samplers import SeededSource
    >>> uniform_slots(np.array([1, 1, 1]), SeededSource(1)).tolist()
    [0, 0, 0]
    """
    slots = np.zeros(len(counts), dtype=np.int64)
    for count in np.unique(counts).tolist():
        rows = np.flatnonzero(counts == count)
        slots[rows] = uniform_numbers(count, len(rows), source)
    return slots
