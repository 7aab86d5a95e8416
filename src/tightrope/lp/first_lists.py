"""The lists with which copies of a cone begin: fixed pairs, and those nearly tight in a guess."""

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


@dataclass(frozen=True, eq=False)
class FirstLists:
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
        near = top - arcs.shares * guess[arcs.heads] < _NEAR * arcs.rooms * top
        if self.short:
            near &= arcs.nearest(_FEWER)
        return np.flatnonzero(arcs.fixed | near)

    def some(self) -> list[IntArray]:
        """The lists of a few copies, evenly chosen."""
        copies = len(self.guess)
        return [self.of(copy) for copy in range(0, copies, -(-copies // _TRIED))]
