"""Shipping with losses: the dual of a linear program over a cone.

A unit sent from a arrives as κ[a, b] < 1 at b. Given surpluses g > 0 and deficits g < 0, find
shipments that leave every place with at least t, for the largest t <= 0. If t = 0 they prove
⟨g, v⟩ >= 0 for every v with v[a] >= κ[a, b] v[b]. Where losses obey the triangle inequality,
shipping directly from surplus to deficit is enough, and a basic solution has at most one
shipment for each place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tightrope.exact import FloatArray, IntArray, tolerances
from tightrope.lp.programs import LinearProgram, solve


@dataclass(frozen=True, eq=False)
class Shipments:
    """Amounts sent from `origins` to `targets`."""

    origins: IntArray
    targets: IntArray
    amounts: FloatArray


def ship(
    balance: FloatArray,
    kernel: FloatArray,
    hint: Shipments | None = None,
    enough: float = 0.0,
) -> Shipments:
    """Sparse shipments that cover the deficits of `balance`, or come as close as possible.

    The strongest routes of the hint are tried first; if they leave more than `enough` missing
    at some place, all direct ones are.
    """
    for faint in tolerances.FAINT_SHIPMENTS:
        if hint is None:
            break
        strong = np.flatnonzero(hint.amounts > faint * hint.amounts.max(initial=0.0))
        found, missing = _along(balance, hint.origins[strong], hint.targets[strong], kernel)
        if missing <= max(enough, tolerances.SHIPPING_ERROR):
            return found
    surplus, deficit = np.flatnonzero(balance > 0), np.flatnonzero(balance < 0)
    origins, targets = np.repeat(surplus, len(deficit)), np.tile(deficit, len(surplus))
    return _along(balance, origins, targets, kernel)[0]


def _along(
    balance: FloatArray, origins: IntArray, targets: IntArray, kernel: FloatArray
) -> tuple[Shipments, float]:
    """Shipments along given routes, and what is still missing at the worst place."""
    if not len(origins):
        return Shipments(origins, targets, np.empty(0)), -float(balance.min())
    amounts, missing = _solve(balance, origins, targets, kernel[origins, targets])
    used = amounts > 0
    return Shipments(origins[used], targets[used], amounts[used]), missing


def _solve(
    balance: FloatArray, origins: IntArray, targets: IntArray, shares: FloatArray
) -> tuple[FloatArray, float]:
    """Maximize t <= 0 subject to Σ sent - Σ received + t <= balance at every place."""
    places, routes = len(balance), len(origins)
    program = LinearProgram(
        costs=np.append(np.zeros(routes), -1.0),
        rows=np.append(np.stack([origins, targets], axis=1).ravel(), np.arange(places)),
        columns=np.append(np.repeat(np.arange(routes), 2), np.full(places, routes)),
        entries=np.append(np.stack([np.ones(routes), -shares], axis=1).ravel(), np.ones(places)),
        row_lower=np.full(places, -np.inf),
        row_upper=balance,
        lower=np.append(np.zeros(routes), -np.inf),
        upper=np.append(np.full(routes, np.inf), 0.0),
    )
    found = solve(program, tolerance=tolerances.SHIPPING_ERROR).values
    return np.asarray(np.maximum(0.0, found[:routes])), -float(found[routes])
