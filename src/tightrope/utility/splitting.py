"""The split of a level among questions or columns, from their error curves alone.

A level is cut into equal units. Each curve maps a number of units to a cost that should not rise
with it; if one is seen to rise, nothing is claimed of the best split. The best split of the
numbers tried is found exactly, by dynamic programming. If every interval between two tried numbers
had the cost of its upper end at its lower end, no split could cost less than the best one then:
that is the bound. Intervals that decide on it are halved until bound and value are close, so that
each curve is evaluated at few places.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from math import inf, isqrt

import numpy as np

from tightrope.choices import member_of
from tightrope.exact import FloatArray, IntArray

CLOSE = 0.01
"""The gap at which the search ends: errors are shown in four digits, and wanted in two."""

ROUNDS = 24
"""Times at most that each curve is evaluated again: a sum takes most, a largest about 12."""

MOST_TRIED = 100
"""Numbers of units tried for a curve while its jumps are sought: a dozen each, and each costs."""

Curve = Callable[[int], float]


class Aim(StrEnum):
    """The aim of a split: the least of the largest error over wanted error, or of their sum."""

    LARGEST = "largest"
    SUM = "sum"


@dataclass(frozen=True)
class Division:
    """Units for each question, the value of the aim, a bound on it, and its value if all had equal.

    `gap` is how far the value is above the bound, relative to it; infinite if none is proved.

    >>> two = divide([lambda units: 4 / units, lambda units: 1 / units], 10, Aim.LARGEST)
    >>> two.units, two.value, two.equal
    ((8, 2), 0.5, 0.8)
    """

    units: tuple[int, ...]
    value: float
    bound: float
    equal: float

    @property
    def gap(self) -> float:
        """Value over bound, less 1."""
        return 0.0 if self.value <= self.bound else inf if not self.bound else (
            self.value / self.bound - 1)


def divide(
    curves: Sequence[Curve], units: int, aim: Aim | str, rounds: int | None = None
) -> Division:
    """The split of so many units that makes the aim least among the numbers of units tried."""
    aim = member_of(Aim, aim, "aim")
    even, most = units // len(curves), units - len(curves) + 1
    tried = [{place: curve(place) for place in {1, even, most}} for curve in curves]
    equal = _total([costs[even] for costs in tried], aim)
    for curve, costs in zip(curves, tried, strict=True):
        _find_jumps(curve, costs)
    chosen = _bracket(tried, units, aim, equal)
    for _ in range(ROUNDS if rounds is None else rounds):
        middles = _middles(tried, units, aim)
        if chosen.gap <= CLOSE or not any(middles):
            break
        for curve, costs, middle in zip(curves, tried, middles, strict=True):
            if middle:
                costs[middle] = curve(middle)
            _find_jumps(curve, costs)
        chosen = _bracket(tried, units, aim, equal)
    if aim is Aim.LARGEST:  # no more than is needed; the rest stays in the budget
        frugal = tuple(_least(curve, costs, chosen.value)
                       for curve, costs in zip(curves, tried, strict=True))
        chosen = replace(chosen, units=frugal)
    return replace(chosen, bound=0.0) if any(map(_rises, tried)) else chosen


def _find_jumps(curve: Curve, costs: dict[int, float]) -> None:
    """Try numbers of units until each rise that was seen is between two that follow each other.

    Where another mechanism errs less on average, its 95 % error may jump up; the best split may
    lie just before.
    """
    while len(costs) < MOST_TRIED:
        middle = next(((low + high) // 2 for low, high in pairwise(sorted(costs))
                       if costs[low] < costs[high] and high - low > 1), None)
        if middle is None:
            return
        costs[middle] = curve(middle)


def _rises(costs: dict[int, float]) -> bool:
    """Whether some number of units costs more than a smaller one."""
    return any(costs[low] < costs[high] for low, high in pairwise(sorted(costs)))


def _bracket(
    tried: Sequence[dict[int, float]], units: int, aim: Aim, equal: float
) -> Division:
    """The best split of the numbers tried, and the bound that they prove."""
    reached = _best([sorted(costs.items()) for costs in tried], units, aim)
    least = _best([_optimistic(costs) for costs in tried], units, aim)
    return Division(reached.units, reached.value, least.value, equal)


def _middles(tried: Sequence[dict[int, float]], units: int, aim: Aim) -> list[int | None]:
    """A number in each of the intervals that decide on the bound, None where there is none."""
    least = _best([_optimistic(costs) for costs in tried], units, aim)
    return [_middle(costs, place) for costs, place in zip(tried, least.units, strict=True)]


def _optimistic(costs: dict[int, float]) -> list[tuple[int, float]]:
    """Each cost at the least number of units that may have it."""
    places = sorted(costs)
    return [(before + 1, costs[place]) for before, place in zip([0, *places], places, strict=False)]


def _least(curve: Curve, costs: dict[int, float], value: float) -> int:
    """The least number of units whose cost is at most a value that some tried number has."""
    high = min(place for place, cost in costs.items() if cost <= value)
    low = max((place for place in costs if place < high), default=0)
    while high - low > 1:
        place = (low + high) // 2
        low, high = (low, place) if curve(place) <= value else (place, high)
    return high


def _middle(costs: dict[int, float], least: int) -> int | None:
    """A number of units in the interval that begins there, None if it has no other one."""
    places = sorted(costs)
    end = places[bisect_left(places, least)]
    return None if end == least else min(max(isqrt(least * end), least), end - 1)


@dataclass(frozen=True)
class _Best:
    units: tuple[int, ...]
    value: float


def _best(options: Sequence[Sequence[tuple[int, float]]], units: int, aim: Aim) -> _Best:
    """One option for each question, within so many units, with the least total cost."""
    values: FloatArray = np.zeros(units + 1)
    chosen: list[IntArray] = []
    for listed in options:
        best, choice = np.full(units + 1, inf), np.zeros(units + 1, dtype=np.int64)
        for number, (place, cost) in enumerate(listed):
            before = values[: units + 1 - place]
            reached = np.maximum(before, cost) if aim is Aim.LARGEST else before + cost
            better = reached < best[place:]
            best[place:][better] = reached[better]
            choice[place:][better] = number
        values = best
        chosen.append(choice)
    left = int(np.argmin(values))
    value, places = float(values[left]), []
    for listed, choice in zip(reversed(options), reversed(chosen), strict=True):
        place, _ = listed[choice[left]]
        places.append(place)
        left -= place
    return _Best(tuple(reversed(places)), value)


def _total(costs: Sequence[float], aim: Aim) -> float:
    return max(costs) if aim is Aim.LARGEST else sum(costs)
