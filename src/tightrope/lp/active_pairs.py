"""Active pairs of the copies of a cone: the initial ones, and which enter and leave later.

At first, the fixed pairs are active and those that are nearly tight in a guess.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tightrope.exact import FloatArray, IntArray
from tightrope.lp.arcs import Arcs

_NEAR = 0.1
"""Slack in the guess, as a share of the largest possible, below which a pair is active at first."""

_FEWER = 48
"""Nearest pairs of each coordinate that may be active at first where memory is short."""

_TRIED = 16
"""Copies whose initial pairs are counted to estimate memory."""

_DROP, _ADD = 0.6, 0.22
"""Slacks, as shares of the largest possible: above the first a pair is dropped, below the second
it becomes active."""

_ENTERING = 0.1, 0.1, 4.0
"""Of a new pair: the least slack assumed for its multiplier, as a share of the largest; the largest
multiplier, as a share of the outflow of its ends; how many new pairs may have that at one end."""

_SMALL = 1e-3
"""Relative gap below which no pair is dropped: some would leave and enter at every step."""

_OFTEN, _FURTHER, _FURTHEST = 3, 1.5, 0.95
"""Failures that are usual; the growth of `_ADD` with each further one; its largest value."""


def limits_at(gap: float, failed: int) -> FloatArray:
    """The slacks at which pairs leave and enter at a relative gap, and the limits of new pairs.

    The more often the repaired vectors have `failed` to close the gap, the larger is the slack at
    which pairs enter: some that were not active turned out to matter.

    >>> limits_at(0.1, 0).tolist()
    [0.6, 0.22, 0.1, 0.1, 4.0]
    >>> limits_at(1e-5, 5).round(3).tolist()
    [inf, 0.495, 0.1, 0.1, 4.0]
    """
    add = min(_FURTHEST, _ADD * _FURTHER ** max(0, failed - _OFTEN))
    return np.array([_DROP if gap > _SMALL else np.inf, add, *_ENTERING])


@dataclass(frozen=True, eq=False)
class InitialPairs:
    """The pairs that are active at first, given these guesses.

    Where they are to be `short`, only pairs of coordinates near each other: along a line to the
    best coordinate of a copy all pairs are tight in a guess, and the long ones follow from the
    short ones. Any pair that becomes nearly tight enters later.
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
        """The initial pairs of a few copies, evenly chosen."""
        copies = len(self.guess)
        return [self.of(copy) for copy in range(0, copies, -(-copies // _TRIED))]
