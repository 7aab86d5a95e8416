"""Finite unions of closed intervals with rational ends, and their exact arithmetic.

Ends are whole multiples of one rational unit, kept as sorted 64-bit integers. So sums and
differences of thousands of intervals are a few array operations and still exact. Sets that differ
in finitely many points are told apart only where it matters: `without` returns closed intervals,
and measures do not see their ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput, TooLarge
from tightrope.exact.numbers import exact_number
from tightrope.exact.ownership import own, own_numbers

Ends = NDArray[np.int64]
MOST_INTERVALS = 2_000_000
LARGEST_END = 2**53
"""Ends in units are below this, so that a few sums of them never leave 64 bits."""
LARGEST_SCALE = 2**1100
"""Common denominators are below this, which those of all doubles are."""

_LONGEST_TEXT = 100_000


@dataclass(frozen=True, eq=False)
class Intervals:
    """The union of [lows[k], highs[k]] · unit: disjoint, not touching, in increasing order.

    >>> v = Intervals.of([(0, 1), ("1000", "1001")])
    >>> v.measure, v.symmetric().measure, (v + v).pairs()[1]
    (Fraction(2, 1), Fraction(4, 1), (Fraction(1000, 1), Fraction(1002, 1)))
    """

    lows: Ends
    highs: Ends
    unit: Fraction

    def __post_init__(self) -> None:
        own(self, "lows", "highs")
        own_numbers(self, "unit")
        if len(self.lows) and max(abs(int(self.lows[0])), abs(int(self.highs[-1]))) >= 2**60:
            raise TooLarge("the largest end in units", int(self.highs[-1]), 2**60, "round the ends")
        ordered = (self.lows <= self.highs).all() and (self.lows[1:] > self.highs[:-1]).all()
        if len(self.lows) != len(self.highs) or not len(self.lows) or not ordered or self.unit <= 0:
            raise BadInput("expected disjoint intervals in increasing order and a unit above 0.")

    @classmethod
    def union(cls, parts: Sequence[Intervals]) -> Intervals:
        """The union of many sets at once."""
        unit = Fraction(1, lcm(*(part.unit.denominator for part in parts)))
        fine = [part.in_units(unit) for part in parts]
        lows, highs = (np.concatenate([getattr(p, end) for p in fine]) for end in ("lows", "highs"))
        return _union(lows, highs, unit)

    @classmethod
    def of(cls, pairs: Iterable[Sequence[Any]]) -> Intervals:
        """The union of closed intervals (low, high) with rational ends; low = high is a point."""
        try:
            exact = [(Fraction(low), Fraction(high)) for low, high in pairs]
        except (ValueError, TypeError, ZeroDivisionError, OverflowError):
            raise BadInput("expected intervals as pairs of finite rational ends.") from None
        if not exact or any(low > high for low, high in exact):
            raise BadInput("expected at least one interval, each with low <= high.")
        scale = 1
        for low, high in exact:
            scale = lcm(scale, low.denominator, high.denominator)
            if scale >= LARGEST_SCALE:
                raise TooLarge("the common denominator of the ends", scale, LARGEST_SCALE,
                               "round the ends")
        largest = int(max(abs(end) for pair in exact for end in pair) * scale)
        if largest >= LARGEST_END:
            raise TooLarge("the largest end in units", largest, LARGEST_END,
                           "measure the sets in larger units, or round their ends")
        ends = np.array([[int(end * scale) for end in pair] for pair in exact], dtype=np.int64)
        return _union(ends[:, 0], ends[:, 1], Fraction(1, scale))

    @classmethod
    def parse(cls, text: str) -> Intervals:
        """The union that a text states, closed intervals and single points joined by `|`.

        >>> Intervals.parse("[1, 2] | {5, 13/2}").pairs()[1:]
        [(Fraction(5, 1), Fraction(5, 1)), (Fraction(13, 2), Fraction(13, 2))]
        """
        if len(text) > _LONGEST_TEXT:
            raise BadInput(f"expected intervals in at most {_LONGEST_TEXT:,} characters.")
        return cls.of([pair for part in re.split(r"[|∪]", text) for pair in _part(part.strip())])

    def pairs(self) -> list[tuple[Fraction, Fraction]]:
        """The intervals as pairs of fractions."""
        ends = zip(self.lows.tolist(), self.highs.tolist(), strict=True)
        return [(low * self.unit, high * self.unit) for low, high in ends]

    def __len__(self) -> int:
        return len(self.lows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Intervals):
            return NotImplemented
        return self.pairs() == other.pairs()

    __hash__ = None  # type: ignore[assignment]

    @property
    def measure(self) -> Fraction:
        """The total length."""
        return int((self.highs - self.lows).sum()) * self.unit

    @property
    def reach(self) -> Fraction:
        """The largest absolute value of a point."""
        return max(abs(int(self.lows[0])), abs(int(self.highs[-1]))) * self.unit

    def in_units(self, unit: Fraction) -> Intervals:
        """The same set, its ends as multiples of a finer unit."""
        factor = self.unit / unit
        if factor.denominator != 1:
            raise BadInput(f"{unit} does not divide {self.unit}.")
        if self.reach / unit >= LARGEST_END:
            raise TooLarge("the largest end in units", int(self.reach / unit), LARGEST_END,
                           "round the ends")
        whole = int(factor) if factor < LARGEST_END else 0  # all ends are 0, or they are too long
        return Intervals(self.lows * whole, self.highs * whole, unit)

    def __add__(self, other: Intervals) -> Intervals:
        """All sums of a point of one and a point of the other."""
        here, there = _align(self, other)
        if len(here) * len(there) > MOST_INTERVALS:
            raise TooLarge("the number of intervals", len(here) * len(there), MOST_INTERVALS,
                           "use a query with fewer gaps, or a larger δ")
        lows = (here.lows[:, None] + there.lows[None, :]).ravel()
        highs = (here.highs[:, None] + there.highs[None, :]).ravel()
        return _union(lows, highs, here.unit)

    def __or__(self, other: Intervals) -> Intervals:
        """The union."""
        here, there = _align(self, other)
        return _union(np.concatenate([here.lows, there.lows]),
                      np.concatenate([here.highs, there.highs]), here.unit)

    def symmetric(self) -> Intervals:
        """The union with its mirror image."""
        return self | Intervals(-self.highs[::-1], -self.lows[::-1], self.unit)

    def without(self, other: Intervals) -> Intervals | None:
        """The closure of the difference, without single points; None if nothing is left."""
        here, there = _align(self, other)
        cuts = np.sort(np.concatenate([here.lows, here.highs, there.lows, there.highs]))
        apart = cuts[:-1] < cuts[1:]
        lows, highs = cuts[:-1][apart], cuts[1:][apart]
        kept = here._covers(lows, highs) & ~there._covers(lows, highs)
        if not kept.any():
            return None
        return _union(lows[kept], highs[kept], here.unit)

    def contains(self, other: Intervals) -> bool:
        """Whether every point of the other is one of this set."""
        here, there = _align(self, other)
        return bool(here._covers(there.lows, there.highs).all())

    def _covers(self, lows: Ends, highs: Ends) -> NDArray[np.bool_]:
        """Which intervals lie inside one interval of this set."""
        at = np.searchsorted(self.lows, lows, side="right") - 1
        inside: NDArray[np.bool_] = (at >= 0) & (self.highs[np.maximum(at, 0)] >= highs)
        return inside


def _part(text: str) -> list[tuple[Fraction, Fraction]]:
    """The intervals of one part of a text: [low, high] or {point, point, ...}."""
    ends = [end.strip() for end in text[1:-1].split(",")]
    try:
        exact = [exact_number(end) for end in ends]
    except ValueError:
        exact = []
    if text[:1] + text[-1:] == "{}" and exact:
        return [(end, end) for end in exact]
    if text[:1] + text[-1:] == "[]" and len(exact) == 2 and exact[0] <= exact[1]:
        return [(exact[0], exact[1])]
    shown = "nothing" if not text else repr(text if len(text) <= 40 else f"{text[:37]}...")
    raise BadInput(
        "expected closed intervals and points, such as [-1, 1], [1, 2] | [5, 6] or {1, 3}, with "
        f"low <= high; found {shown}."
    )


def _align(first: Intervals, second: Intervals) -> tuple[Intervals, Intervals]:
    if first.unit == second.unit:
        return first, second
    bottom = lcm(first.unit.denominator, second.unit.denominator)
    return first.in_units(Fraction(1, bottom)), second.in_units(Fraction(1, bottom))


def _union(lows: Ends, highs: Ends, unit: Fraction) -> Intervals:
    """The intervals merged where they overlap or touch."""
    order = np.argsort(lows, kind="stable")
    lows, highs = lows[order], np.maximum.accumulate(highs[order])
    fresh = np.concatenate(([True], lows[1:] > highs[:-1]))
    last = np.concatenate((fresh[1:], [True]))
    return Intervals(lows[fresh], highs[last], unit)
