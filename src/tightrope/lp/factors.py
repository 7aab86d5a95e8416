"""Factors of the Newton matrices of a block: dense ones, in batches where they fit, or sparse."""

from __future__ import annotations

from typing import Any

from tightrope.lp import batches, kernels_numba
from tightrope.lp.arcs import Arcs


def factors_for(arcs: Arcs, dense: bool) -> Any:
    """Empty factors, to be filled at every step."""
    if not dense:
        return kernels_numba.SparseFactors(arcs)
    if arcs.width <= batches.LARGEST:
        return batches.BatchFactors(arcs)
    from tightrope.lp.dense import DenseFactors  # needs scipy, which is slow to import

    return DenseFactors(arcs)
