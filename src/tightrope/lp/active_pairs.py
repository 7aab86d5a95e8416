"""Active pairs of the copies of a cone: the first ones, and which enter and leave later.

A list begins with fixed pairs and those that are nearly tight in a guess.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tightrope.exact import FloatArray, IntArray
from tightrope.lp.arcs import Arcs

_NEAR = 0.1
"""Pairs whose slack in the guess is below this share of the largest possible are in first lists."""

_FEWER = 48
"""Pairs of each coordinate, the nearest, that may be in first lists which are to be short."""

_TRIED = 16
"""Copies whose first lists are made to tell how long all are, about."""

_LIMITS = 0.6, 0.22, 0.1, 0.1, 4.0
"""Slacks from which on a pair is dropped and up to which it is added, as shares of the largest;
the least slack that a new pair is given credit for; the most that it carries, as a share
of what leaves its ends; how many may do so at one end before each has to carry less."""

_SMALL = 1e-3
"""The relative gap from which on no pair is dropped: some would come and go for ever."""

_OFTEN, _FURTHER, _FURTHEST = 3, 1.5, 0.95
"""Failures that are nothing unusual; by what the second limit grows with each one more; to what."""


def limits_at(gap: float, failed: int) -> FloatArray:
    """The limits for a pair to leave and to enter at a relative gap, and for what it then has.

    The more often vectors have `failed` by what they are worth once they are put right, the
    further away are the pairs that enter: some that are not listed turned out to matter.

    >>> limits_at(0.1, 0).tolist()
    [0.6, 0.22, 0.1, 0.1, 4.0]
    >>> limits_at(1e-5, 5).round(3).tolist()
    [inf, 0.495, 0.1, 0.1, 4.0]
    """
    drop, add, *new = _LIMITS
    further = min(_FURTHEST, add * _FURTHER ** max(0, failed - _OFTEN))
    return np.array([drop if gap > _SMALL else np.inf, further, *new])


@dataclass(frozen=True, eq=False)
class InitialPairs:
    """The first lists of copies with these guesses.

    Short ones have only pairs of coordinates that are near each other: along a line to the best
    coordinate of a copy all pairs are tight in a guess, and the long ones say what short ones
    together do. Any pair that comes near enters later.
    """

    arcs: Arcs
    guess: FloatArray
    short: bool = False

    def of(self, copy: int) -> IntArray:
        """The pairs of one copy."""
        arcs, guess = self.arcs, self.guess[copy]
        top = guess[arcs.tails]
        near = top - arcs.shares * guess[arcs.heads] < _NEAR * arcs.largest_slacks * top
        if self.short:
            near &= arcs.nearest(_FEWER)
        return np.flatnonzero(arcs.fixed | near)

    def some(self) -> list[IntArray]:
        """The lists of a few copies, evenly chosen."""
        copies = len(self.guess)
        return [self.of(copy) for copy in range(0, copies, -(-copies // _TRIED))]
