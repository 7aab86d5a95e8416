"""Rays of a cone with the least cost for their size, by simplex steps on trees of tight arcs.

The cone has v[a] >= s v[b] for its arcs (a, b, s). A spanning tree of tight arcs fixes a vector
up to its scale. Multipliers of the tree write the costs, up to a rest at the root: from the leaves
inwards each is a sum of terms of its own magnitude, so that none is lost beside larger ones,
however small the entries are. An arc with a negative multiplier leaves the tree, and the part that
it held moves until another arc is tight. Numbers may be doubles, balls or rationals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf

import numpy as np

from tightrope.exact import FloatArray, IntArray
from tightrope.lp.cone_basis import Scalar

_MOST_STEPS = 400
"""Steps of one search, at most: where many arcs are tight together, steps may go in circles."""

_MOST_RATES = 20
"""Searches for a lesser cost per size, at most; three or four are usual."""


@dataclass(frozen=True, eq=False)
class ConeArcs:
    """The arcs of a cone on some coordinates, with logarithms of their shares."""

    size: int
    tails: IntArray
    heads: IntArray
    logs: FloatArray

    def nearest(self, root: int) -> list[int] | None:
        """A tree of arcs along which entries fall fastest from a root; None if one is not bound."""
        into: list[list[int]] = [[] for _ in range(self.size)]
        for e, head in enumerate(self.heads.tolist()):
            into[head].append(e)
        lengths, tree, waiting = {}, [], [(0.0, root, -1)]
        while waiting:
            length, y, e = heappop(waiting)
            if y in lengths:
                continue
            lengths[y] = length
            tree += [e] if e >= 0 else []
            for e in into[y]:
                heappush(waiting, (length - self.logs[e], int(self.tails[e]), e))
        return tree if len(lengths) == self.size else None


class LeastRay:
    """The ray with the least cost at its root's scale, and the tree of tight arcs that it has."""

    def __init__(self, arcs: ConeArcs, root: int, tree: Sequence[int]) -> None:
        self.arcs, self.root = arcs, root
        self._take(tree)

    def _take(self, tree: Sequence[int]) -> None:
        """Walk a tree outwards: `ways` has (input, parent, arc, whether the input is its tail)."""
        self.tree = tuple(tree)
        beside: list[list[tuple[int, int, bool]]] = [[] for _ in range(self.arcs.size)]
        for e in tree:
            a, b = int(self.arcs.tails[e]), int(self.arcs.heads[e])
            beside[a].append((e, b, False))
            beside[b].append((e, a, True))
        heights, waiting = [0.0] * self.arcs.size, [(self.root, -1)]
        self.ways: list[tuple[int, int, int, bool]] = []
        for y, before in waiting:
            for e, other, tail in beside[y]:
                if e != before:
                    more = self.arcs.logs[e]
                    heights[other] = heights[y] + more if tail else heights[y] - more
                    self.ways.append((other, y, e, tail))
                    waiting.append((other, e))
        self.heights = np.array(heights)

    def vector(self, shares: Sequence[Scalar], one: Scalar) -> list[Scalar]:
        """The ray, with 1 for its largest entry."""
        entries = [one] * self.arcs.size
        for y, parent, e, tail in self.ways:
            entries[y] = entries[parent] * shares[e] if tail else entries[parent] / shares[e]
        largest = entries[int(np.argmax(self.heights))]
        return [entry / largest for entry in entries]

    def multipliers(
        self, costs: Sequence[Scalar], shares: Sequence[Scalar]
    ) -> tuple[dict[int, Scalar], Scalar]:
        """Multipliers of the tree's arcs that add up to the costs, but for a rest at the root."""
        rest, amounts = list(costs), {}
        for y, parent, e, tail in reversed(self.ways):
            amounts[e] = rest[y] if tail else -rest[y] / shares[e]
            rest[parent] += amounts[e] * shares[e] if tail else -amounts[e]
        return amounts, rest[self.root]

    def improve(
        self, costs: Sequence[Scalar], shares: Sequence[Scalar], margin: float = 0.0
    ) -> bool:
        """Make steps until no multiplier is negative; False where that takes too many.

        With doubles, `margin` is the share of the terms of a sum that may be an error.
        """
        for _ in range(_MOST_STEPS):
            leaving = self._negative(costs, shares, margin)
            if leaving is None:
                return True
            self._step(leaving)
        return False

    def _negative(
        self, costs: Sequence[Scalar], shares: Sequence[Scalar], margin: float
    ) -> int | None:
        """The place of the outermost arc with a negative multiplier."""
        rest = list(costs)
        bulk = [margin * abs(cost) for cost in costs] if margin else []
        for place in range(len(self.ways) - 1, -1, -1):
            y, parent, e, tail = self.ways[place]
            share = shares[e] if tail else 1 / shares[e]
            outward = rest[y] if tail else -rest[y]
            if outward < (-bulk[y] if margin else 0):
                return place
            rest[parent] += share * rest[y]
            if margin:
                bulk[parent] += share * bulk[y]
        return None

    def _step(self, leaving: int) -> None:
        """Free the part beyond an arc, and move it until another arc is tight."""
        top, _, gone, grows = self.ways[leaving]
        inside = np.zeros(self.arcs.size, dtype=np.bool_)
        inside[top] = True
        for y, parent, _, _ in self.ways[leaving + 1 :]:
            inside[y] |= inside[parent]
        tails, heads = inside[self.arcs.tails], inside[self.arcs.heads]
        slacks = self.heights[self.arcs.tails] - self.heights[self.arcs.heads] - self.arcs.logs
        stops = (~tails & heads) if grows else (tails & ~heads)
        entering = int(np.argmin(np.where(stops, slacks, inf)))
        self._take([*(e for e in self.tree if e != gone), entering])

    def least_rate(
        self, costs: Sequence[Scalar], shares: Sequence[Scalar], one: Scalar,
        rate: Scalar, margin: float = 0.0,
    ) -> tuple[list[Scalar], Scalar] | None:
        """The ray with the least cost per sum of its entries, if that is below a rate <= 0.

        At the scale of the root alone, small costs of huge entries would hide large ones: costs
        less the rate are searched, and the rate falls to that of the ray until it is the least.
        """
        best = None
        for _ in range(_MOST_RATES):
            before = self.tree
            self.improve([cost - rate for cost in costs], shares, margin)
            entries = self.vector(shares, one)
            total = sum((c * v for c, v in zip(costs, entries, strict=True)), 0 * one)
            now = total / sum(entries, 0 * one)
            if not now < rate * (1 + _SAME):
                if best is not None:
                    self._take(before)
                break
            best, rate = (entries, total), now
        return best


_SAME = 2.0**-20
"""A relative change of rates that is none."""
