"""Quantiles and the mode of bounded integers by inverse sensitivity.

The rung of an answer r is how many records must be replaced for r to be right; rung t weighs
q^-t. With sorted records x_1 <= ... <= x_n and the bounds beyond them, r is the k-th smallest
after t replacements iff x_(k-t) <= r <= x_(k+t): rungs are nested intervals, found by one
sort. For the mode, t replacements that all become r suffice iff what other values have above
count(r) + t is at most t. Tails are never cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput
from tightrope.exact import IntArray, own, own_numbers
from tightrope.mechanisms.answers import Answers, Single, check_noise
from tightrope.mechanisms.piecewise import RungLaw
from tightrope.spaces import Records

MOST_MODES = 10_000_000
"""Values among which the most frequent is looked for."""

Held = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class QuantileMechanism(Single):
    """The rank-th smallest record (1 is the minimum), each replacement more q times rarer.

    >>> middle = QuantileMechanism(Records(3, 0, 9), 2, Fraction(2))
    >>> [middle.law([4, 8, 5]).rung(r) for r in range(10)]
    [2, 2, 2, 2, 1, 0, 1, 1, 1, 2]
    """

    space: Records
    rank: int
    ratio: Fraction
    answers: ClassVar = Answers.INTEGERS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio", whole=("rank",))
        check_noise(self.space, (Records,), self.ratio)
        if not 1 <= self.rank <= self.space.size:
            raise BadInput(f"expected a rank from 1 to {self.space.size}, found {self.rank}.")

    def law(self, data: Held) -> RungLaw:
        """The law of the answer for these records; a curator's figure, not private.

        Records outside the bounds are moved to the nearest one. Time is that of a sort.
        """
        records, rank = np.sort(self.space.accept(data)), self.rank
        most = max(rank, len(records) - rank + 1)
        lows = np.full(most + 1, self.space.low, dtype=np.int64)
        highs = np.full(most + 1, self.space.high, dtype=np.int64)
        lows[:rank] = records[rank - 1 :: -1]
        highs[: len(records) - rank + 1] = records[rank - 1 :]
        return RungLaw(self.ratio, lows, highs, 0)


@dataclass(frozen=True, eq=False)
class ModeLaw:
    """The law of a mode, or of other listed values: position k of the rungs is values[k]."""

    rungs: RungLaw
    values: IntArray

    def __post_init__(self) -> None:
        own(self, "values")

    def rung(self, z: int) -> int:
        """How many records or edges must change for z to be right."""
        places = np.flatnonzero(self.values == z)
        if not len(places):
            raise BadInput(f"{z} is on no rung.")
        return self.rungs.rung(int(places[0]))

    def probability(self, z: int) -> Fraction:
        """The probability of z."""
        return self.rungs.ratio ** -self.rung(z) / self.rungs.normalizer


@dataclass(frozen=True, repr=False)
class ModeMechanism(Single):
    """The most frequent value, each replacement more q times rarer.

    >>> law = ModeMechanism(Records(4, 0, 3), Fraction(2)).law([1, 1, 1, 2])
    >>> [str(law.probability(r)) for r in range(4)]
    ['1/8', '1/2', '1/4', '1/8']
    """

    space: Records
    ratio: Fraction
    answers: ClassVar = Answers.INTEGERS

    def __post_init__(self) -> None:
        own_numbers(self, "ratio")
        check_noise(self.space, (Records,), self.ratio)
        if self.space.high - self.space.low >= MOST_MODES:
            raise BadInput(f"expected at most {MOST_MODES:,} possible values for a mode.")

    def law(self, data: Held) -> ModeLaw:
        """The law of the answer for these records; a curator's figure, not private."""
        low, high = self.space.low, self.space.high
        rungs = mode_rungs(np.bincount(self.space.accept(data) - low, minlength=high - low + 1))
        values = np.argsort(rungs, kind="stable") + low
        highs = np.cumsum(np.bincount(rungs)) - 1
        return ModeLaw(RungLaw(self.ratio, np.zeros_like(highs), highs, 0), values)


def mode_rungs(counts: IntArray) -> IntArray:
    """For every value, given how often each occurs, how many records to replace for a mode.

    >>> mode_rungs(np.array([0, 3, 1, 0])).tolist()
    [2, 0, 1, 2]
    """
    order = np.sort(counts)[::-1]
    rungs: dict[int, int] = {}
    for count in np.unique(counts).tolist():
        left, right = 0, int(order[0]) - count
        while left < right:
            middle = (left + right) // 2
            above = order[: int(np.searchsorted(-order, -(count + middle)))]
            if int(above.sum()) - len(above) * (count + middle) <= middle:
                right = middle
            else:
                left = middle + 1
        rungs[count] = left
    table = np.array([rungs.get(c, 0) for c in range(int(order[0]) + 1)], dtype=np.int64)
    return np.asarray(table[counts])
