"""Counts and sums of rows by cell; sums are kept in two halves, so that no integer overflows."""

from __future__ import annotations

import numpy as np

from tightrope.declarations import Tallied, Tally
from tightrope.exact import IntArray
from tightrope.tables.sources.people import Rows

HALF = 20
"""Bits of the lower half of a code."""


class Sums:
    """Counts and sums of codes, cell by cell; where codes are counted, of cells that rows touch."""

    def __init__(self, tally: Tally) -> None:
        self._cells = np.zeros(0, dtype=np.int64) if tally.fine else None
        size = 0 if tally.fine else tally.size
        self._counts = np.zeros(size, dtype=np.int64)
        self._halves = np.zeros((len(tally.measures), 2, size), dtype=np.int64)
        self._met = np.zeros((len(tally.conditions), size), dtype=np.int64)

    def add(self, rows: Rows) -> None:
        """Add rows that count."""
        places = self._places(rows.cells)
        size = len(self._counts)
        self._counts += np.bincount(places, minlength=size)
        for halves, codes in zip(self._halves, rows.measures, strict=True):
            for half, part in zip(halves, (codes & (2**HALF - 1), codes >> HALF), strict=True):
                # below 2^20 each, and fewer than 2^33 rows: doubles hold the sums exactly
                added = np.bincount(places, weights=part, minlength=size)
                half += added.astype(np.int64)
        for met, truth in zip(self._met, rows.met, strict=True):
            met += np.bincount(places[truth], minlength=size)

    def _places(self, cells: IntArray) -> IntArray:
        """Where the numbers of cells are, with room for those that are touched anew."""
        if self._cells is None:
            return cells
        known = np.union1d(self._cells, cells)
        before = np.searchsorted(known, self._cells)
        self._cells = known
        for name in ("_counts", "_halves", "_met"):
            numbers = getattr(self, name)
            grown = np.zeros((*numbers.shape[:-1], len(known)), dtype=np.int64)
            grown[..., before] = numbers
            setattr(self, name, grown)
        return np.searchsorted(known, cells)

    def statistic(self) -> Tallied:
        """The statistic of all rows that were added."""
        sums = [[a + (b << HALF) for a, b in zip(*halves.tolist(), strict=True)]
                for halves in self._halves]
        return Tallied(tuple(self._counts.tolist()), tuple(map(tuple, sums)),
                       tuple(map(tuple, self._met.tolist())),
                       None if self._cells is None else tuple(self._cells.tolist()))
