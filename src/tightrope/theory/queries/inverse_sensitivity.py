"""Quantiles and the mode of bounded integers by inverse sensitivity, at a level.

Rungs change by at most 1 when one record is replaced, so weights e^(-ε t/2) have level ε
(WXH, Theorem 2). How many records there are is public; neighbors differ in one of them.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from tightrope.errors import BadInput
from tightrope.exact import Level, Number, Surd
from tightrope.mechanisms import ModeMechanism, QuantileMechanism
from tightrope.privacy import level_of
from tightrope.spaces import Records


def quantile(
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    size: int,
    low: int,
    high: int,
    rank: int,
) -> QuantileMechanism:
    """The rank-th smallest (1 is the minimum) of so many records within bounds, at the level.

    Returns: a `QuantileMechanism` on such records, not yet certified.

    Raises: `BadInput` unless ε is above 0, `low` is below `high`, and the rank is from 1 to `size`.

    >>> from tightrope.privacy import certified
    >>> level = Level.ratio(4)
    >>> proved = certified(quantile(level, size=3, low=0, high=9, rank=2), level)
    >>> [proved.mechanism.law([4, 8, 5]).rung(r) for r in range(10)]
    [2, 2, 2, 2, 1, 0, 1, 1, 1, 2]
    """
    level = Level.positive(level_of(epsilon, ratio=ratio))
    return QuantileMechanism(Records(size, low, high), rank, _half(level))


def median(
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    size: int,
    low: int,
    high: int,
) -> QuantileMechanism:
    """The lower median, the ceil(n/2)-th smallest record.

    Returns: a `QuantileMechanism` on such records, not yet certified.

    Raises: `BadInput` unless ε is above 0, there is a record, and `low` is below `high`.

    >>> from tightrope.privacy import certified
    >>> from tightrope.samplers import SeededSource, draw
    >>> level = Level.epsilon(2)
    >>> proved = certified(median(level, size=50, low=0, high=10), level)
    >>> draw(proved, [3] * 50, SeededSource(1))
    3
    """
    level = Level.positive(level_of(epsilon, ratio=ratio))
    return quantile(level, size=size, low=low, high=high, rank=rank_of("1/2", size))


def rank_of(share: Fraction | float | str, size: int) -> int:
    """The rank of a quantile: ceil(share · n), at least 1.

    >>> rank_of("0.9", 10), rank_of(0, 10), rank_of(1, 10)
    (9, 1, 10)
    """
    exact = Fraction(share)
    if not 0 <= exact <= 1:
        raise BadInput(f"expected a share from 0 to 1, found {share}.")
    return max(1, ceil(exact * size))


def mode(
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    size: int,
    low: int,
    high: int,
) -> ModeMechanism:
    """The most frequent of so many records within bounds, at the level.

    Returns: a `ModeMechanism` on such records, not yet certified.

    Raises: `BadInput` unless ε is above 0, there is a record, and `low` is below `high`; also for
    more than 10,000,000 values.

    >>> law = mode(Level.ratio(4), size=4, low=0, high=3).law([1, 1, 1, 2])
    >>> [str(law.probability(r)) for r in range(4)]
    ['1/8', '1/2', '1/4', '1/8']
    """
    level = Level.positive(level_of(epsilon, ratio=ratio))
    return ModeMechanism(Records(size, low, high), _half(level))


def _half(level: Level) -> Fraction:
    """A rational number at or just below e^(ε/2)."""
    return level.pure.scaled(Fraction(1, 2)).ratio_below(Surd.of(1))
