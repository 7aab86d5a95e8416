"""Rounded kernels on grids, drawn by rejection in time that does not grow with the grid.

A displacement s is proposed with probability proportional to κ(s), whatever the input; the
cell y + s is accepted with probability w / 2^b (2^b the least power of two above all
weights) if it lies on the grid, and all starts again otherwise: accepted cells follow
w_z κ(z - y) / N_y. In units of 2^-61, κ(s) is a whole number, kept in a table of finite
reach, and a rest below 1. The rests are proposed together: one more entry, as large as the
number of displacements, stands for "any displacement, all alike", which is kept with the
probability of its rest. That entry comes up about once in 10^13 draws; nothing is cut off.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tightrope.exact import IntArray
from tightrope.mechanisms import UNIT_BITS, KernelMechanism, sides
from tightrope.samplers.laws import RationalLaw
from tightrope.samplers.sources import Source
from tightrope.samplers.tables import Tables

_WORD: Final = 64
_MOST_PROPOSALS: Final = 1 << 19
"""Proposals made at a time."""


class DisplacementSampler:
    """Proposes displacements and accepts cells, column by column.

    With `rounds` every input is proposed that many displacements in any case, and the first
    accepted one counts: the work then depends on the position of an input only if none of them
    is accepted. Without, a column takes about size / (chance of acceptance) proposals.
    """

    def __init__(self, mechanism: KernelMechanism, rounds: int | None = None) -> None:
        self._mechanism = mechanism
        self._rounds = rounds
        self._shape = np.array(sides(mechanism.grid), dtype=np.int64)
        self._weights = np.array(mechanism.weights, dtype=np.uint64)
        self._shift = np.uint64(_WORD - int(self._weights.max()).bit_length())
        taps = mechanism.taps
        places = np.flatnonzero(taps)
        reach = np.array(taps.shape)[:, None] // 2
        self._offsets: IntArray = np.array(np.unravel_index(places, taps.shape)) - reach
        widths = 2 * self._shape - 1
        self._everywhere = int(np.prod(widths.astype(object)))
        units = [*taps.ravel()[places].tolist(), self._everywhere]
        self.proposals = Tables(lambda _: RationalLaw(lambda: units), 1, len(units))

    def draw(self, codes: IntArray, source: Source) -> IntArray:
        """One output index for each input index."""
        drawn = np.full(len(codes), -1, dtype=np.int64)
        if self._rounds is not None:
            self._every_round(codes, drawn, self._rounds, source)
        open_ = np.flatnonzero(drawn < 0)
        while len(open_):
            # Several proposals at once while there are few inputs left; the first counts.
            copies = max(1, min(64, _MOST_PROPOSALS // (4 * len(open_))))
            for start in range(0, len(open_), _MOST_PROPOSALS):
                part = open_[start : start + _MOST_PROPOSALS]
                drawn[part] = self._first(codes[part], copies, source)
            open_ = open_[drawn[open_] < 0]
        return drawn

    def _every_round(self, codes: IntArray, drawn: IntArray, rounds: int, source: Source) -> None:
        """A fixed number of proposals for every input, whatever was accepted before."""
        for _ in range(rounds):
            cells = self._first(codes, 1, source)
            np.copyto(drawn, cells, where=drawn < 0)

    def _first(self, codes: IntArray, copies: int, source: Source) -> IntArray:
        """The first accepted of some proposals for each input, -1 where none was."""
        cells = self._propose(np.repeat(codes, copies), source).reshape(-1, copies)
        place = np.argmax(cells >= 0, axis=1)
        return np.asarray(cells[np.arange(len(cells)), place])

    def _propose(self, codes: IntArray, source: Source) -> IntArray:
        """One proposal for each input: the cell if it was accepted, else -1."""
        entries = self.proposals.draw(np.zeros(len(codes), dtype=np.int64), source)
        last = self._offsets.shape[1]
        steps = self._offsets[:, np.minimum(entries, last - 1)]
        gone = np.zeros(len(codes), dtype=np.bool_)
        for place in np.flatnonzero(entries == last).tolist():
            rest = self._rest(source)
            if rest is None:
                gone[place] = True
            else:
                steps[:, place] = rest
        cells = np.array(np.unravel_index(codes, tuple(self._shape.tolist()))) + steps
        inside = ((cells >= 0) & (cells < self._shape[:, None])).all(axis=0) & ~gone
        places = np.zeros(len(codes), dtype=np.int64)
        for axis, side in enumerate(self._shape.tolist()):
            places = places * side + cells[axis]
        places[~inside] = 0
        words = np.frombuffer(source.bytes(8 * len(codes)), dtype="<u8")
        accepted = inside & ((words >> self._shift) < self._weights[places])
        return np.where(accepted, places, -1)

    def _rest(self, source: Source) -> IntArray | None:
        """Any displacement, kept with the probability of what the table leaves of its κ."""
        widths = (2 * self._shape - 1).tolist()
        offset = np.array([_below(width, source) for width in widths]) - self._shape + 1
        grid = self._mechanism.grid
        key = int(grid.norm.key(int(step) for step in offset))
        mantissa, exponent = self._mechanism.value(grid.norm.surd(key))
        places = -exponent - UNIT_BITS  # κ = mantissa / 2^places units
        rest = mantissa & ((1 << places) - 1)
        return offset if _bits(places, source) < rest else None


def _bits(count: int, source: Source) -> int:
    """A uniform whole number of so many bits."""
    size = -(-count // 8)
    return int.from_bytes(source.bytes(size), "little") >> (8 * size - count)


def _below(bound: int, source: Source) -> int:
    """A uniform whole number below a bound."""
    while True:
        number = _bits(bound.bit_length(), source)
        if number < bound:
            return number
