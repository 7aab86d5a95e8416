"""Directed pairs of coordinates, v[tail] >= share · v[head], and multipliers on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import FloatArray, IntArray

Ends = tuple[IntArray, IntArray, FloatArray]

_CACHED_LISTS = 4
"""Lists whose ends are cached: the last few, which every step asks for many times."""

_NEAREST = 4
"""Pairs of each coordinate, those with the largest shares, that stay active in every copy."""


@dataclass(frozen=True, eq=False)
class Arcs:
    """The directed pairs of a cone; `fixed` ones are always active."""

    width: int
    tails: NDArray[np.int32]
    heads: NDArray[np.int32]
    shares: FloatArray
    fixed: NDArray[np.bool_]
    _cached: list[tuple[tuple[IntArray, IntArray], Ends]] = field(default_factory=list)
    _near: dict[int, NDArray[np.bool_]] = field(default_factory=dict)

    @classmethod
    def of(cls, width: int, first: IntArray, second: IntArray, shares: FloatArray) -> Arcs:
        """All pairs in both directions; fixed are the nearest ones and some that connect all."""
        tails, heads = np.concatenate([first, second]), np.concatenate([second, first])
        fixed = _nearest(tails, np.tile(shares, 2), _NEAREST)
        fixed |= np.roll(fixed, len(first))
        connecting = _connecting(width, first, second, shares)
        fixed[connecting] = fixed[connecting + len(first)] = True
        short = tails.astype(np.int32), heads.astype(np.int32)
        return cls(width, *short, np.tile(shares, 2), fixed)

    def with_shares(self, shares: FloatArray) -> Arcs:
        """The same pairs with other shares, one for each pair and both its directions."""
        return Arcs(self.width, self.tails, self.heads, np.tile(shares, 2), self.fixed)

    def nearest(self, many: int) -> NDArray[np.bool_]:
        """Whether a pair is among so many of its tail that have the largest shares."""
        if many not in self._near:
            self._near[many] = _nearest(self.tails, self.shares, many)
        return self._near[many]

    def ends(self, starts: IntArray, pairs: IntArray) -> Ends:
        """Tails and heads of listed pairs, numbered through all copies, and their shares.

        Those of the last few lists are kept, since every step asks for them many times.
        """
        for known, ends in self._cached:
            if known[0] is starts and known[1] is pairs:
                return ends
        places = np.repeat(np.arange(len(starts) - 1) * self.width, np.diff(starts))
        ends = places + self.tails[pairs], places + self.heads[pairs], self.shares[pairs]
        self._cached.append(((starts, pairs), ends))
        del self._cached[:-_CACHED_LISTS]
        return ends

    def flow(self, pairs: IntArray, amounts: FloatArray) -> DualFlow:
        """Amounts on some of the pairs."""
        tails, heads = (ends[pairs].astype(np.int64) for ends in (self.tails, self.heads))
        return DualFlow(tails, heads, self.shares[pairs], amounts)

    @cached_property
    def largest_slacks(self) -> FloatArray:
        """1 - share²: the largest slack of a pair, as a share of v[tail]."""
        return np.asarray(1 - self.shares**2)


@dataclass(frozen=True, eq=False)
class DualFlow:
    """The multipliers of one copy: amounts on directed pairs, v[tail] >= κ v[head]."""

    tails: IntArray
    heads: IntArray
    shares: FloatArray
    amounts: FloatArray

    def net_outflow(self, width: int) -> FloatArray:
        """Gᵀ amounts: the left-hand side of dual feasibility, coordinate by coordinate."""
        out = np.bincount(self.tails, self.amounts, minlength=width)
        back = np.bincount(self.heads, self.shares * self.amounts, minlength=width)
        return np.asarray(out - back)


def _nearest(tails: NDArray[Any], shares: FloatArray, many: int) -> NDArray[np.bool_]:
    """Whether a pair is among so many with the largest shares of its tail."""
    order = np.lexsort((-shares, tails))
    ordered = tails[order]
    starts = np.searchsorted(ordered, ordered)
    nearest = np.empty(len(tails), dtype=np.bool_)
    nearest[order] = np.arange(len(tails)) - starts < many
    return nearest


def _connecting(width: int, first: IntArray, second: IntArray, shares: FloatArray) -> IntArray:
    """Places of pairs that form a spanning tree of largest shares, by Borůvka's rounds.

    Every part takes the best pair that leaves it, and parts that are joined become one.
    """
    order = np.argsort(-shares, kind="stable")
    ranks = np.empty_like(order)
    ranks[order] = everyone = np.arange(len(order))
    parts, taken = np.arange(width), np.zeros(len(order), dtype=np.bool_)
    while True:
        left, right = parts[first], parts[second]
        leaving = everyone[left != right]
        if not len(leaving):
            return np.flatnonzero(taken)
        best = np.full(width, len(order))
        np.minimum.at(best, left[leaving], ranks[leaving])
        np.minimum.at(best, right[leaving], ranks[leaving])
        own = np.flatnonzero(best < len(order))
        pairs = order[best[own]]
        taken[pairs] = True
        onward = np.arange(width)
        onward[own] = left[pairs] + right[pairs] - own
        back = (onward[onward] == np.arange(width)) & (onward > np.arange(width))
        onward[back] = np.flatnonzero(back)  # of two that chose each other, one stays
        while not np.array_equal(further := onward[onward], onward):
            onward = further
        parts = onward[parts]
