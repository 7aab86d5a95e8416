"""Pairs of a product, from the pairs of its two parts."""

from __future__ import annotations

import numpy as np

from tightrope.spaces.protocol import MOST_PAIRS, Pairs, refuse_above


def moves(first: Pairs, rows: int, second: Pairs, columns: int, *, both: bool) -> Pairs:
    """Pairs of points (i, k), numbered i · columns + k, that move along the given pairs.

    One part moves and the other stays, or, if asked, both move at once.

    >>> step = Pairs(np.array([0]), np.array([1]))
    >>> list(moves(step, 2, step, 2, both=False))
    [(0, 2), (1, 3), (0, 1), (2, 3)]
    """
    count = len(first) * columns + rows * len(second) + 2 * len(first) * len(second) * both
    refuse_pairs(count)
    low, high = first.first[:, None] * columns, first.second[:, None] * columns
    stay, start = np.arange(columns), np.arange(rows)[:, None] * columns
    steps = [(low + stay, high + stay), (start + second.first, start + second.second)]
    if both:
        steps += [(low + second.first, high + second.second)]
        steps += [(low + second.second, high + second.first)]
    return Pairs(
        np.concatenate([a.ravel() for a, _ in steps]),
        np.concatenate([b.ravel() for _, b in steps]),
    )


def refuse_pairs(count: int) -> None:
    """Raise `TooLarge` if there are more pairs than may be held."""
    refuse_above(MOST_PAIRS, count, "the number of pairs to list", "use a smaller space")
