"""Quantiles and the mode of bounded integers by inverse sensitivity.

The rung of an answer r is how many records must be replaced for r to be right. With sorted
records x_1 <= ... <= x_n and the bounds beyond them, r is the k-th smallest after t
replacements iff x_(k-t) <= r <= x_(k+t): rungs are nested intervals, found by one sort. For
the mode, t replacements that all become r suffice iff what other values have above
count(r) + t is at most t. Rungs change by at most 1 when one record is replaced, so weights
e^(-ε t/2) have level ε (WXH, Theorem 2). Tails are never cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput
from tightrope.exact import IntArray, Level, Surd, own
from tightrope.mechanisms import RungLaw
from tightrope.privacy import CertifiedLaw
from tightrope.privacy.theorems import Lemma, certified_rungs


def quantile_law(
    records: Sequence[int] | NDArray[np.int64],
    level: Level,
    *,
    rank: int,
    low: int,
    high: int,
) -> CertifiedLaw:
    """The law of the rank-th smallest record (1 is the minimum), proved at the level.

    Records outside the declared bounds are moved to the nearest one. Time is that of a sort.

    >>> proved = quantile_law([4, 8, 5], Level.ratio(4), rank=2, low=0, high=9)
    >>> [proved.law.rung(r) for r in range(10)]
    [2, 2, 2, 2, 1, 0, 1, 1, 1, 2]
    """
    held = np.sort(_bounded(records, low, high))
    size = len(held)
    if not 1 <= rank <= size:
        raise BadInput(f"expected a rank from 1 to {size}, found {rank}.")
    most = max(rank, size - rank + 1)
    lows = np.full(most + 1, low, dtype=np.int64)
    highs = np.full(most + 1, high, dtype=np.int64)
    lows[:rank] = held[rank - 1 :: -1] if rank <= size else low
    highs[: size - rank + 1] = held[rank - 1 :]
    return certified_rungs(RungLaw(_half(level), lows, highs, 0), level, Lemma.REPLACEMENTS)


def median_law(
    records: Sequence[int] | NDArray[np.int64], level: Level, *, low: int, high: int
) -> CertifiedLaw:
    """The law of the lower median, the ceil(n/2)-th smallest record.

    >>> from tightrope.samplers import SeededSource, draw_answer
    >>> proved = median_law([3] * 50, Level.epsilon(2), low=0, high=10)
    >>> draw_answer(proved, SeededSource(1))
    3
    """
    return quantile_law(records, level, rank=max(1, (len(records) + 1) // 2), low=low, high=high)


def rank_of(share: Fraction | float | str, size: int) -> int:
    """The rank of a quantile: ceil(share · n), at least 1.

    >>> rank_of("0.9", 10), rank_of(0, 10), rank_of(1, 10)
    (9, 1, 10)
    """
    exact = Fraction(share)
    if not 0 <= exact <= 1:
        raise BadInput(f"expected a share from 0 to 1, found {share}.")
    return max(1, ceil(exact * size))


def mode_rungs(
    records: Sequence[int] | NDArray[np.int64], *, low: int, high: int
) -> IntArray:
    """For every value from low to high, how many records must be replaced to make it a mode.

    >>> mode_rungs([1, 1, 1, 2], low=0, high=3).tolist()
    [2, 0, 1, 2]
    """
    held = _bounded(records, low, high)
    if high - low >= 10**7:
        raise BadInput("expected at most 10,000,000 possible values for a mode.")
    counts = np.bincount(held - low, minlength=high - low + 1)
    order = np.sort(counts)[::-1]
    found: dict[int, int] = {}
    for count in np.unique(counts).tolist():
        left, right = 0, int(order[0]) - count
        while left < right:
            middle = (left + right) // 2
            above = order[: int(np.searchsorted(-order, -(count + middle)))]
            if int(above.sum()) - len(above) * (count + middle) <= middle:
                right = middle
            else:
                left = middle + 1
        found[count] = left
    table = np.array([found.get(c, 0) for c in range(int(order[0]) + 1)], dtype=np.int64)
    return np.asarray(table[counts])


@dataclass(frozen=True, eq=False)
class ModeLaw:
    """The law of a mode: a certified draw k stands for values[k], listed rung by rung."""

    certified: CertifiedLaw
    values: IntArray

    def __post_init__(self) -> None:
        own(self)


def mode_law(
    records: Sequence[int] | NDArray[np.int64], level: Level, *, low: int, high: int
) -> ModeLaw:
    """The law of the most frequent value, proved at the level.

    >>> found = mode_law([1, 1, 1, 2], Level.ratio(4), low=0, high=3)
    >>> found.values.tolist(), [str(found.certified.law.probability(k)) for k in range(4)]
    ([1, 2, 0, 3], ['1/2', '1/4', '1/8', '1/8'])
    """
    rungs = mode_rungs(records, low=low, high=high)
    values = np.argsort(rungs, kind="stable") + low
    highs = np.cumsum(np.bincount(rungs)) - 1
    law = RungLaw(_half(level), np.zeros_like(highs), highs, 0)
    return ModeLaw(certified_rungs(law, level, Lemma.REPLACEMENTS), values)


def _bounded(records: Sequence[int] | NDArray[np.int64], low: int, high: int) -> IntArray:
    """The records within the bounds; what they were is not told."""
    if not isinstance(low, int) or not isinstance(high, int) or low >= high:
        raise BadInput("expected whole bounds low < high: unbounded records have no such law.")
    if max(-low, high) >= 2**61:
        raise BadInput("expected bounds below 2^61: laws are counted in 64-bit integers.")
    held = np.asarray(records)
    if held.ndim != 1 or not len(held) or held.dtype.kind not in "iu":
        raise BadInput("expected at least one record, all whole numbers.")
    clipped: IntArray = np.clip(held, low, high).astype(np.int64)
    return clipped


def _half(level: Level) -> Fraction:
    """A rational number at or just below e^(ε/2)."""
    return level.pure.scaled(Fraction(1, 2)).ratio_below(Surd.of(1))
