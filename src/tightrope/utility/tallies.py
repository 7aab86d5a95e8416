"""Tallies of a randomized column: how often each output occurs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadTable


@dataclass(frozen=True)
class Tally:
    """Shares of the outputs, how many rows there were, and how many they count for.

    Rows with weights w count as (Σw)²/Σw² rows.
    """

    shares: tuple[float, ...]
    n: int
    effective: float

    @classmethod
    def of(cls, counts: Sequence[int] | NDArray[np.integer]) -> Tally:
        """The tally of counts, one for each output.

        >>> Tally.of([30, 10])
        Tally(shares=(0.75, 0.25), n=40, effective=40.0)
        """
        array = np.asarray(counts)
        if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer) or (array < 0).any():
            raise BadTable("expected counts that are whole numbers and not negative.")
        n = int(array.sum())
        if n == 0:
            raise BadTable("there is nothing to estimate from: all counts are zero.")
        return cls(tuple((array / n).tolist()), n, float(n))

    @classmethod
    def weighted(cls, codes: Sequence[int], weights: Sequence[float], outputs: int) -> Tally:
        """The tally of outputs (their positions), each with a weight above 0."""
        array = np.asarray(weights, dtype=np.float64)
        if len(codes) != len(array) or not len(array):
            raise BadTable(f"expected one weight for each answer, found {len(array)} weights.")
        if not (np.isfinite(array).all() and (array > 0).all()):
            raise BadTable("expected weights that are finite and above 0.")
        total = float(array.sum())
        sums = np.bincount(np.asarray(codes), weights=array, minlength=outputs)
        return cls(tuple((sums / total).tolist()), len(array), total**2 / float((array**2).sum()))
