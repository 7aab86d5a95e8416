"""What was seen of a randomized column: how often each output occurs."""

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
        held = np.asarray(counts)
        if held.ndim != 1 or not np.issubdtype(held.dtype, np.integer) or (held < 0).any():
            raise BadTable("expected counts that are whole numbers and not negative.")
        n = int(held.sum())
        if n == 0:
            raise BadTable("there is nothing to estimate from: all counts are zero.")
        return cls(tuple((held / n).tolist()), n, float(n))

    @classmethod
    def weighted(cls, codes: Sequence[int], weights: Sequence[float], outputs: int) -> Tally:
        """The tally of outputs (their positions), each with a weight above 0."""
        held = np.asarray(weights, dtype=np.float64)
        if len(codes) != len(held) or not len(held):
            raise BadTable(f"expected one weight for each answer, found {len(held)} weights.")
        if not (np.isfinite(held).all() and (held > 0).all()):
            raise BadTable("expected weights that are finite and above 0.")
        total = float(held.sum())
        sums = np.bincount(np.asarray(codes), weights=held, minlength=outputs)
        return cls(tuple((sums / total).tolist()), len(held), total**2 / float((held**2).sum()))
