"""Refutations that rest on doubles being binary numbers, and say so."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tightrope.exact import (
    Level,
    Surd,
    Weights,
    row_of_doubles,
    shortest_decimal,
    told_as_binary,
)


def decided_by_doubles(
    weights: Weights, pair: tuple[int, int], outputs: Sequence[int], level: Level, distance: Surd
) -> str:
    """A sentence if the outputs break the level as binary numbers, but not as decimals; else "".

    >>> import numpy as np
    >>> weights = Weights.from_floats(np.array([[0.55, 0.45], [0.45, 0.55]]))
    >>> decided_by_doubles(weights, (0, 1), [0], Level.ratio("11/9"), Surd.of(1))[-35:]
    'is exact, and keeps the level here.'
    """
    rows = [row_of_doubles(weights, i) for i in pair]
    told = told_as_binary(row[z] for row in rows for z in outputs) if all(rows) else None
    if told is None:
        return ""
    high, low = (
        sum((shortest_decimal(row[z]) for z in outputs), Fraction(0))
        / sum(map(shortest_decimal, row))
        for row in rows
    )
    if high > level.delta and (not low or level.compare((high - level.delta) / low, distance) > 0):
        return ""
    return f" {told}, and keeps the level here."
