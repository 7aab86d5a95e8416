"""Exact laws on finitely many outputs, cut at the boundaries of their cumulative sums.

With U uniform on [0, 1) and boundaries 0 < c_1 < ... < c_s < 1 the output is the number of
boundaries at or below U. A law keeps 64-bit enclosures, low_j <= 2^64 c_j < high_j + 1, which
decide a U of 64 bits except inside an enclosure, and encloses each boundary as closely as
asked. `settle` draws further bits of U until the answer is certain. So a probability of
e^-500 is drawn with probability e^-500: nothing is rounded and no tail is cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import IntArray
from tightrope.samplers.sources import Source

Thresholds: TypeAlias = NDArray[np.uint64]

WORD: Final = 64


class Law(Protocol):
    """A law: its outputs of positive probability, and enclosures of the boundaries between.

    `enclosure(j, bits)` is a pair with first <= 2^bits c_j < second, at most 2 apart.
    """

    @property
    def outputs(self) -> IntArray: ...
    @property
    def low(self) -> Thresholds: ...
    @property
    def high(self) -> Thresholds: ...
    def enclosure(self, j: int, bits: int) -> tuple[int, int]: ...


@dataclass(frozen=True, eq=False)
class RationalLaw:
    """The law with probabilities proportional to integers; outputs of weight 0 never come up.

    The integers may be long and are needed again once in 2^50 draws, so the law keeps the
    function that gives them.

    >>> law = RationalLaw(lambda: [1, 0, 3])
    >>> law.outputs.tolist(), law.low.tolist() == [2**62], law.enclosure(0, 3)
    ([0, 2], True, (2, 3))
    """

    integers: Callable[[], Sequence[int]]

    @cached_property
    def _thresholds(self) -> tuple[IntArray, Thresholds]:
        weights = self.integers()
        outputs = [z for z, weight in enumerate(weights) if weight]
        *sums, total = accumulate(weights[z] for z in outputs)
        floors = np.array([(c << WORD) // total for c in sums], dtype=np.uint64)
        return np.array(outputs, dtype=np.int64), floors

    @property
    def outputs(self) -> IntArray:
        """The outputs of positive probability, in increasing order."""
        return self._thresholds[0]

    @property
    def low(self) -> Thresholds:
        """The floors of 2^64 c_j."""
        return self._thresholds[1]

    @property
    def high(self) -> Thresholds:
        """The same floors: they are exact."""
        return self._thresholds[1]

    def enclosure(self, j: int, bits: int) -> tuple[int, int]:
        """The floor of 2^bits c_j, and one more."""
        weights = self.integers()
        below = sum(weights[z] for z in self.outputs[: j + 1].tolist())
        floor = (below << bits) // sum(weights)
        return floor, floor + 1


@dataclass(frozen=True, eq=False)
class GeometricLaw:
    """A geometric number with P(g) proportional to x^g, x = q^-power, cut at `size`.

    With `tail` the output `size` stands for all numbers from there on: c_j = 1 - x^j.
    Without it the number is conditioned to be below `size`: c_j = (1 - x^j)/(1 - x^size).
    Powers of q can be far too long to write out, so boundaries are enclosed between
    directed roundings instead.

    >>> GeometricLaw(Fraction(3), 1, 2, tail=True).enclosure(0, 3)   # c_1 = 2/3
    (5, 6)
    """

    ratio: Fraction
    power: int
    size: int
    tail: bool

    @property
    def outputs(self) -> IntArray:
        """0 to size - 1, and `size` if there is a tail."""
        return np.arange(self.size + self.tail, dtype=np.int64)

    @cached_property
    def _thresholds(self) -> tuple[Thresholds, Thresholds]:
        pairs = [self.enclosure(j, WORD) for j in range(len(self.outputs) - 1)]
        low = np.array([first for first, _ in pairs], dtype=np.uint64)
        high = np.array([second - 1 for _, second in pairs], dtype=np.uint64)
        # Roundings of boundaries that nearly coincide may cross; these enclosures do not.
        return np.minimum.accumulate(low[::-1])[::-1], np.maximum.accumulate(high)

    @property
    def low(self) -> Thresholds:
        """Integers at or below 2^64 c_j."""
        return self._thresholds[0]

    @property
    def high(self) -> Thresholds:
        """Integers whose successors are above 2^64 c_j."""
        return self._thresholds[1]

    def enclosure(self, j: int, bits: int) -> tuple[int, int]:
        """Integers around 2^bits c_(j+1), at most 2 apart."""
        work = bits + WORD
        while True:
            unit = 1 << work
            least, most = _power_bounds(self.ratio, self.power * (j + 1), work)
            end = (0, 0) if self.tail else _power_bounds(self.ratio, self.power * self.size, work)
            if end[1] < unit:
                first = ((unit - most) << bits) // (unit - end[0])
                second = ((unit - least) << bits) // (unit - end[1]) + 1
                if second - first <= 2:
                    return max(first, 0), min(second, 1 << bits)
            work *= 2


def settle(law: Law, word: int, source: Source) -> int:
    """The output for a U whose first 64 bits, `word`, lie inside an enclosure."""
    passed = int(np.searchsorted(law.high, np.uint64(word), side="left"))
    open_ = range(passed, int(np.searchsorted(law.low, np.uint64(word), side="right")))
    candidates, bits = list(open_), WORD
    while candidates:
        word = word << WORD | int.from_bytes(source.bytes(WORD // 8), "little")
        bits += WORD
        undecided = []
        for j in candidates:
            first, second = law.enclosure(j, bits)
            if second <= word:
                passed += 1
            elif first <= word:
                undecided.append(j)
        candidates = undecided
    return int(law.outputs[passed])


def _power_bounds(ratio: Fraction, exponent: int, bits: int) -> tuple[int, int]:
    """Integers at or below and at or above 2^bits ratio^-exponent, for a ratio above 1."""
    unit = 1 << bits
    least = (ratio.denominator << bits) // ratio.numerator
    squares = least, least + 1
    low = high = unit
    while exponent:
        if exponent & 1:
            low, high = low * squares[0] >> bits, min((high * squares[1] >> bits) + 1, unit)
        # powers are at most 1; bounds rounded beyond it would be squared out of all memory
        squares = squares[0] ** 2 >> bits, min((squares[1] ** 2 >> bits) + 1, unit)
        exponent >>= 1
    return low, high
