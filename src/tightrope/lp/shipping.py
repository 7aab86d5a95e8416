"""Shipping with losses: the dual of a linear program over a cone.

A unit sent from a arrives as κ[a, b] < 1 at b. Given surpluses g > 0 and deficits g < 0, find
shipments that leave every place with at least t, for the largest t <= 0. If t = 0 they prove
⟨g, v⟩ >= 0 for every v with v[a] >= κ[a, b] v[b]. Where losses obey the triangle inequality,
shipping directly from surplus to deficit is enough, and a basic solution has at most one
shipment for each place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from tightrope.errors import SolverFailed
from tightrope.exact import tolerances

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


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
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = routes + 1, places
    program.col_cost_ = np.append(np.zeros(routes), -1.0)
    program.col_lower_ = np.append(np.zeros(routes), -highspy.kHighsInf)
    program.col_upper_ = np.append(np.full(routes, highspy.kHighsInf), 0.0)
    program.row_lower_ = np.full(places, -highspy.kHighsInf)
    program.row_upper_ = balance
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = np.append(2 * np.arange(routes + 1), 2 * routes + places)
    program.a_matrix_.index_ = np.append(
        np.stack([origins, targets], axis=1).ravel(), np.arange(places)
    )
    program.a_matrix_.value_ = np.append(
        np.stack([np.ones(routes), -shares], axis=1).ravel(), np.ones(places)
    )
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(name, tolerances.SHIPPING_ERROR)
    solver.passModel(program)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise SolverFailed("the shipping program that proves the bound was not solved.")
    found = np.array(solver.getSolution().col_value)
    return np.asarray(np.maximum(0.0, found[:routes])), -float(found[routes])
