"""The lower bound on ε* that disjoint balls prove (KL-pc, Section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np

from tightrope.exact import FloatArray, tolerances
from tightrope.spaces import Label, Space
from tightrope.symmetry import orbits, symmetries
from tightrope.theory.limits.aims import Aim
from tightrope.theory.limits.covers import disjoint_rows


@dataclass(frozen=True)
class PackingBound:
    """Points with disjoint balls and the lower bound on ε* that they prove."""

    points: tuple[Label, ...]
    center: Label
    epsilon: float


def packing_bound(
    space: Space, radius: Fraction, failure: Fraction, *, closed: bool = True
) -> PackingBound:
    """The lower bound of disjoint balls: (1 - δ)(1 + Σ_i e^(-ε d(y, y_i))) <= 1.

    Every ball has probability 1 - δ for its own center and so at least
    (1 - δ) e^(-ε d) for y; disjoint events have probabilities that add up to at most 1.
    The level is rounded down; 0 if the packing proves nothing.

    >>> from tightrope.spaces import path
    >>> from fractions import Fraction
    >>> found = packing_bound(path(0, 4), Fraction(0), Fraction(1, 10))
    >>> len(found.points)
    5
    """
    return aimed_packing(Aim(space, radius, failure, closed))


def aimed_packing(aim: Aim) -> PackingBound:
    """The same for any aim: inputs without a common answer, at their distances as inputs."""
    space = aim.space
    best = PackingBound((space.points[0],), space.points[0], 0.0)
    for first in _starts(space):
        chosen = disjoint_rows(aim.near, first)
        for y in chosen:
            others = np.array([other for other in chosen if other != y], dtype=np.int64)
            lengths = space.lengths(np.full(len(others), y), others)
            epsilon = packing_root(lengths, aim.failure, best.epsilon)
            if epsilon > best.epsilon:
                labels = tuple(space.points[i] for i in chosen)
                best = PackingBound(labels, space.points[y], epsilon)
    return best


def _starts(space: Space) -> list[int]:
    """Points to start a packing from: one of each orbit, and not too many."""
    kinds = orbits(space.size, symmetries(space))
    first: list[int] = np.unique(kinds, return_index=True)[1].tolist()
    return first[:: max(1, len(first) // 16)]


def packing_root(
    lengths: FloatArray,
    failure: Fraction,
    least: float = 0.0,
    counts: FloatArray | float = 1.0,
) -> float:
    """A level above `least` at which Σ e^(-ε d) certainly exceeds δ/(1 - δ); 0 if there is none.

    With `counts`, so many points are at each distance.
    """

    def total(epsilon: float) -> float:
        return float((counts * np.exp(-epsilon * lengths)).sum())

    goal = float(failure / (1 - failure)) * (1 + tolerances.LEVEL_WIDTH)
    if total(least) <= goal:
        return 0.0
    if goal == 0:
        return inf if failure == 0 else 0.0  # 0 by underflow proves nothing
    low, high = least, max(1.0, 2 * least)
    while total(high) > goal:
        low, high = high, 2 * high
    while high - low > tolerances.LEVEL_WIDTH * high:
        middle = (low + high) / 2
        short = total(middle) > goal
        low, high = (middle, high) if short else (low, middle)
    return low
