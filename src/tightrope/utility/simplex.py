"""Vectors of proportions: not negative, adding up to 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def nearest_law(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The point of the probability simplex nearest to a vector.

    It is max(values - t, 0) for the one t that makes it add up to 1.

    >>> nearest_law(np.array([0.75, 0.5, -0.25])).tolist()
    [0.625, 0.375, 0.0]
    """
    ordered = np.sort(values)[::-1]
    levels = (np.cumsum(ordered) - 1) / np.arange(1, len(values) + 1)
    kept = int(np.flatnonzero(ordered > levels)[-1])
    law = np.maximum(values - levels[kept], 0)
    return np.asarray(law / law.sum())
