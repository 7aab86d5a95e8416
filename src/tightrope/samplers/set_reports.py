"""Reports of sets, drawn by the column: exact coins and uniform subsets.

A coin with a rational chance compares one random byte with the first byte of the chance; only
if they are equal does it look at the next. A uniform set of w of the k - 1 other values is
drawn by coins of no particular chance and mended to its size one uniform value at a time: no
step prefers a value, so every set of that size is equally likely. No step but the last, which
puts the truth in its place, looks at the input.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import IntArray
from tightrope.mechanisms import ReportMechanism, SubsetMechanism
from tightrope.samplers.sources import Source

Bits = NDArray[np.bool_]

CELLS: Final = 1 << 21
"""Values of reports that are drawn at a time."""

_SHORT: Final = 4096
"""With more values than this, a place among them is drawn from four bytes, not two."""


class ReportSampler:
    """One packed report for each input index."""

    def __init__(self, mechanism: ReportMechanism) -> None:
        self._mechanism = mechanism
        self._truth_chance = mechanism.held
        self._added = mechanism.added

    def draw(self, codes: IntArray, source: Source) -> NDArray[Any]:
        """Rows of packed bits, bit v mod 8 of byte v // 8 for the value v."""
        k = self._mechanism.space.size
        step = max(1, CELLS // k)
        drawn = np.empty((len(codes), (k + 7) // 8), dtype=np.uint8)
        for start in range(0, len(codes), step):
            part = codes[start : start + step]
            truths = coins(self._truth_chance, len(part), source)
            report = np.empty((len(part), k), dtype=np.bool_)
            report[:, : k - 1] = self._others(truths, source)
            # The other values are a uniform set or independent: any order of them will do.
            everyone = np.arange(len(part))
            report[:, k - 1] = report[everyone, np.minimum(part, k - 2)]
            report[everyone, part] = truths
            drawn[start : start + step] = np.packbits(report, axis=1, bitorder="little")
        return drawn

    def _others(self, truths: Bits, source: Source) -> Bits:
        """Which of the k - 1 other values are in the report, one row for each report."""
        others = self._mechanism.space.size - 1
        if isinstance(self._mechanism, SubsetMechanism):
            return subsets(self._mechanism.size - truths, others, source)
        return coins(self._added, len(truths) * others, source).reshape(len(truths), others)


def coins(chance: Fraction, count: int, source: Source) -> Bits:
    """Independent coins, each true with exactly this chance below 1."""
    scaled = chance * 256
    first = int(scaled)
    words = np.frombuffer(source.bytes(count), dtype=np.uint8)
    outcomes: Bits = words < first
    rest = scaled - first
    if rest:
        equal = np.flatnonzero(words == first)
        if len(equal):
            outcomes[equal] = coins(rest, len(equal), source)
    return outcomes


def subsets(sizes: IntArray, values: int, source: Source) -> Bits:
    """A uniform set of so many of the values for each size.

    Values are taken by coins first, with any chance a little below the share wanted. Whatever
    number of them was taken, they are a uniform set of that size; then uniform members are taken
    away, or uniform others added, one at a time. Of large sets the rest is drawn.
    """
    most = int(sizes.max(initial=0))
    if 2 * most > values + 1:
        return ~subsets(values - sizes, values, source)
    share = max(0, most - isqrt(most)) * 256 // values
    words = np.frombuffer(source.bytes(len(sizes) * values), dtype=np.uint8)
    members: Bits = (words < share).reshape(len(sizes), values)
    surplus = np.count_nonzero(members, axis=1) - sizes
    width = 2 if values <= _SHORT else 4
    beyond = 256**width // values * values
    left = np.flatnonzero(surplus)
    while len(left):
        keys = np.frombuffer(source.bytes(width * len(left)), f"<u{width}").astype(np.int64)
        places = keys % values
        extra = surplus[left] > 0
        hit = (members[left, places] == extra) & (keys < beyond)
        rows = left[hit]
        members[rows, places[hit]] = ~extra[hit]
        surplus[rows] -= np.where(extra[hit], 1, -1)
        left = left[surplus[left] != 0]
    return members
