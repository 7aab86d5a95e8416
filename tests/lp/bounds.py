"""The bound that multipliers prove, worked out apart from the method that finds them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tightrope.exact import FloatArray
from tightrope.lp import ConeProgram, DualFlow


def bound_from(
    program: ConeProgram, flows: Sequence[DualFlow], minimax_weights: FloatArray | None = None
) -> float:
    """The lower bound on the objective that non-negative multipliers prove."""
    prices = class_prices(program, flows, minimax_weights)
    return float((prices * np.bincount(program.classes)).sum())


def class_prices(
    program: ConeProgram, flows: Sequence[DualFlow], minimax_weights: FloatArray | None = None
) -> FloatArray:
    """The largest price per coordinate of every class that the multipliers allow."""
    counts = np.bincount(program.classes)
    share = ((counts if minimax_weights is None else minimax_weights) / counts)[program.classes]
    least = np.full(program.width, np.inf)
    for costs, size, flow in zip(program.costs, program.sizes, flows, strict=True):
        np.minimum(least, (share * costs - flow.net_outflow(program.width)) / size, out=least)
    low = np.full(len(counts), np.inf)
    np.minimum.at(low, program.classes, least)
    return low
