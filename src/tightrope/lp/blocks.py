"""Blocks of copies of a cone with their lists of pairs, and steps of all of them together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tightrope.exact import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Direction:
    """A step of vectors, prices, epigraph, minimax weights, and its primal and dual lengths."""

    vectors: FloatArray
    prices: FloatArray
    epigraph: float
    minimax_weights: FloatArray
    class_slacks: FloatArray
    primal: float
    dual: float
    slacks: list[FloatArray]
    multipliers: list[FloatArray]

    @property
    def finite(self) -> bool:
        """Whether every number of the step is one."""
        parts = (self.vectors, self.prices, self.epigraph, self.minimax_weights)
        return all(bool(np.isfinite(part).all()) for part in parts)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Active pairs and multipliers of all blocks, prices and minimax weights, after a step."""

    lists: list[tuple[IntArray, IntArray]]
    multipliers: list[FloatArray]
    prices: FloatArray
    minimax_weights: FloatArray


class Block:
    """A few copies: their active pairs, slacks, multipliers and targets."""

    def __init__(self, copies: slice, starts: IntArray, pairs: IntArray, factors: Any) -> None:
        self.copies, self.starts, self.pairs, self.factors = copies, starts, pairs, factors
        self.slacks = self.multipliers = self.targets = self.missing = np.empty(0)

    @property
    def lists(self) -> tuple[IntArray, IntArray]:
        """Where the list of each copy starts, and the pairs."""
        return self.starts, self.pairs

    def restore_multipliers(self, before: FloatArray, most: float) -> None:
        """Earlier multipliers for copies whose products became so many times larger on average."""
        begins = self.starts[:-1]
        small = np.add.reduceat(before * self.slacks, begins)
        large = np.add.reduceat(self.multipliers * self.slacks, begins)
        kept = np.repeat(large <= most * small, np.diff(self.starts))
        self.multipliers = np.where(kept, self.multipliers, before)


def boundary_rate(change: FloatArray, numbers: FloatArray) -> float:
    """How fast the first of some positive numbers comes to zero."""
    return -float((change / numbers).min())


def centering_corrections(products: FloatArray, middle: float) -> FloatArray:
    """Corrections that bring products of slack and multiplier near their mean, bounded below."""
    low, high = 0.3 * middle, 3 * middle
    change = np.clip(products, low, high)
    change -= products
    return np.asarray(np.maximum(change, -high, out=change))
