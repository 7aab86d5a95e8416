"""Laws drawn by the column: one look into a table for nearly every row.

The first b bits of U pick a cell [u, u + 1)/2^b. A cell that no boundary touches has one
output, which the table holds; the cells that boundaries touch hold a mark. A marked draw
extends its bits to 64 and searches the boundaries; inside the enclosure of a boundary it
asks `settle` for more bits still. Each step only reveals further bits of the same U, so the
law is exact whatever b is. Tables are made when needed, and draws do not depend on which
were made before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import IntArray
from tightrope.samplers.laws import WORD, Law, Thresholds, settle
from tightrope.samplers.sources import Source

TABLE_BYTES: Final = 1 << 24
"""Room for all tables of one mechanism; more inputs get fewer bits each."""

FEW: Final = 512
"""Columns shorter than this are searched: their tables would not pay for themselves."""

_MOST_BITS: Final = 24


class Tables:
    """The laws of all inputs of a mechanism; each is cut into cells when first drawn from.

    `law(code)` is the law of one input, `outputs` bounds every output from above.
    """

    def __init__(
        self, law: Callable[[int], Law], inputs: int, outputs: int, bits: int | None = None
    ) -> None:
        cell = next(t for t in (np.uint8, np.uint16, np.uint32) if outputs <= np.iinfo(t).max)
        self.bits = resolution(inputs, outputs, np.dtype(cell).itemsize) if bits is None else bits
        self._law = law
        self._laws: dict[int, Law] = {}
        self._mark = cell(np.iinfo(cell).max)
        self._cells: NDArray[Any] = np.empty((inputs, 1 << self.bits), dtype=cell)
        self._ready = np.zeros(inputs, dtype=np.bool_)
        self._width = 2 if self.bits <= 16 else 4

    def law(self, code: int) -> Law:
        """The law of one input."""
        law = self._laws.get(code)
        if law is None:
            law = self._laws.setdefault(code, self._law(code))
        return law

    def draw(self, codes: IntArray, source: Source) -> IntArray:
        """One output for each input of a column that fits in memory."""
        if len(codes) < FEW:
            words = np.frombuffer(source.bytes(8 * len(codes)), dtype="<u8")
            return self._search(codes, words, source)
        self._prepare(codes)
        words = np.frombuffer(source.bytes(self._width * len(codes)), dtype=f"<u{self._width}")
        where = codes << self.bits
        np.bitwise_or(where, words >> (8 * self._width - self.bits), out=where)
        entries = np.empty(len(codes), dtype=self._cells.dtype)
        # "wrap" spares a check of bounds; every position is in bounds by construction.
        np.take(self._cells.reshape(-1), where, out=entries, mode="wrap")
        drawn = entries.astype(np.int64)
        marked = np.flatnonzero(entries == self._mark)
        if len(marked):
            more = np.frombuffer(source.bytes(8 * len(marked)), dtype="<u8")
            head = words[marked].astype(np.uint64) << np.uint64(WORD - 8 * self._width)
            full = head | more >> np.uint64(8 * self._width)
            drawn[marked] = self._search(codes[marked], full, source)
        return drawn

    def _prepare(self, codes: IntArray) -> None:
        """Cut the laws of inputs that occur for the first time."""
        for code in np.unique(codes[~self._ready[codes]]).tolist():
            # Written in one piece, so that another thread never sees a row half made.
            self._cells[code] = cells(self.law(code), self.bits, self._mark)
            self._ready[code] = True

    def _search(self, codes: IntArray, words: Thresholds, source: Source) -> IntArray:
        """The outputs for 64 bits of U each, input by input."""
        drawn = np.empty(len(codes), dtype=np.int64)
        order = np.argsort(codes, kind="stable")
        changes = np.flatnonzero(np.diff(codes[order])) + 1
        for group in np.split(order, changes) if len(order) else ():
            law = self.law(int(codes[group[0]]))
            inside = words[group]
            passed = np.searchsorted(law.high, inside, side="left")
            drawn[group] = law.outputs[passed]
            reached = np.searchsorted(law.low, inside, side="right")
            for place in group[passed != reached].tolist():
                drawn[place] = settle(law, int(words[place]), source)
        return drawn


def resolution(inputs: int, outputs: int, size: int) -> int:
    """How many bits pick a cell: enough that few cells are marked, if the tables have room."""
    wanted = max(16, outputs.bit_length() + 4)
    room = (TABLE_BYTES // (inputs * size)).bit_length() - 1
    return max(1, min(wanted, room, _MOST_BITS))


def cells(law: Law, bits: int, mark: np.unsignedinteger[Any]) -> NDArray[Any]:
    """The output of every cell [u, u + 1)/2^bits, or the mark where a boundary may touch it."""
    first = (law.low >> np.uint64(WORD - bits)).astype(np.int64)
    last = (law.high >> np.uint64(WORD - bits)).astype(np.int64)
    edges = np.concatenate(([0], last + 1, [1 << bits]))
    made = np.repeat(law.outputs.astype(mark.dtype), np.diff(edges))
    made[first] = mark
    made[last] = mark
    return made
