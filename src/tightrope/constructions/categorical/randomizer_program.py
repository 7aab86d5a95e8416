"""The convex program of the best randomizer, in floating point; nothing here is a proof.

Minimize tr(G J⁻¹), J = Σ_j θ_j v_j v_jᵀ/(v_j·p), over θ > 0 with Σ_j θ_j v_j = 1. Newton's method
on a logarithmic barrier solves it on some rays. At the optimum, with Z = J⁻¹Wᵀ and y the
multipliers of the equations, ‖Zᵀv‖² ≤ (v·p)(v·y) holds for every ray; rays that break it join.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, tolerances

_ROUNDS = 60
_JOINING = 200
"""Rays that join in a round: fewer take more rounds, more make each Newton step slower."""
_STEPS, _REDUCTIONS = 50, 60
_BARRIER = 0.15
"""Factor of the barrier after each center: smaller ones take more Newton steps in between."""
_TO_EDGE = 0.95
"""Part of the way to the edge that a Newton step may go."""


@dataclass(frozen=True)
class ProgramSolution:
    """Rays as rows (sets of values as 0 and 1), their shares θ, Z, y, and the relative excess.

    `excess` is the largest of ‖Zᵀv‖²/((v·p)(v·y)) over all rays, less 1.
    """

    sets: FloatArray
    shares: FloatArray
    Z: FloatArray
    y: FloatArray
    excess: float

    def moment(self, W: FloatArray) -> float:
        """tr(W J⁻¹ Wᵀ), the second moment of the best unbiased estimates."""
        return float(np.trace(W @ self.Z))

    def gap(self, W: FloatArray) -> float:
        """The relative gap of second moments that Z and y prove."""
        return 1 - self.moment(W) / ((1 + self.excess) * float(self.y.sum()))


def all_sets(values: int) -> FloatArray:
    """All sets of values but none and all, as rows of 0 and 1."""
    numbers = np.arange(1, 2**values - 1)[:, None]
    return np.asarray((numbers >> np.arange(values)) & 1, dtype=np.float64)


def solve_program(
    W: FloatArray, prior: FloatArray, ratio: float, goal: float, sets: FloatArray | None = None,
    *, start: FloatArray | None = None,
) -> ProgramSolution:
    """The best shares of all rays, or of those of given sets, until the gap is below a goal.

    A search among all rays begins with those of the sets `start`, if given, beside single values.
    """
    best: ProgramSolution | None = None
    for ridge in tolerances.RANDOMIZER_RIDGES:
        try:
            solution = _solve_ridged(W, prior, ratio, goal, sets, ridge, start)
        except (SolverFailed, np.linalg.LinAlgError):  # such as too few sets to tell all queries
            break
        if best is not None and solution.gap(W) >= best.gap(W):
            break
        best, start = solution, solution.sets
        if sets is not None or best.gap(W) <= 10 * goal:
            break
    if best is None:
        raise SolverFailed("no randomizer was found; the level may be too small or too large.")
    return best


def _solve_ridged(
    W: FloatArray, prior: FloatArray, ratio: float, goal: float, sets: FloatArray | None,
    ridge: float, start: FloatArray | None,
) -> ProgramSolution:
    listed = all_sets(len(prior)) if sets is None else sets
    rays = 1 + (ratio - 1) * listed
    means, G = rays @ prior, W.T @ W
    G = G + ridge * np.trace(G) / len(prior) * np.eye(len(prior))
    sizes = listed.sum(axis=1)
    active = np.flatnonzero((sizes == 1) | (sizes == len(prior) - 1)) if sets is None else (
        np.arange(len(listed)))
    if sets is None and start is not None:  # a set's bits are its number, from 1 on
        active = np.union1d(active, start.astype(int) @ (1 << np.arange(len(prior))) - 1)
    best: ProgramSolution | None = None
    for _ in range(_ROUNDS if sets is None else 1):
        shares, y = _center(rays[active], prior, G)
        J = (rays[active].T * (shares / means[active])) @ rays[active]
        Z = np.asarray(np.linalg.solve(J, W.T), dtype=np.float64)
        y = y + tolerances.RANDOMIZER_FLOOR * y.mean()
        along = rays @ y
        needs = np.where(along > 0, ((rays @ Z) ** 2).sum(axis=1) / means / abs(along), np.inf)
        excess = float(needs.max()) - 1
        solution = ProgramSolution(listed[active], shares, Z, y, excess)
        best = solution if best is None or excess < best.excess else best
        if excess <= goal:
            break
        kept = active[shares > tolerances.RANDOMIZER_RARE * shares.max()]
        worst = np.argsort(-needs)[:_JOINING]
        joining = worst[needs[worst] > 1 + goal / 2]
        merged = np.union1d(kept, joining)
        if sets is None and np.array_equal(merged, active):
            break
        active = merged
    assert best is not None
    return _without_rare(best, ratio)


def _without_rare(solution: ProgramSolution, ratio: float) -> ProgramSolution:
    """The same without negligible rays, the others adjusted so that they add up to one."""
    kept = solution.shares > tolerances.RANDOMIZER_RARE * solution.shares.max()
    rays, shares = 1 + (ratio - 1) * solution.sets[kept], solution.shares[kept]
    for _ in range(3):
        scaled = rays * shares[:, None] ** 2
        shares = shares + scaled @ np.linalg.solve(rays.T @ scaled, 1 - rays.T @ shares)
    if float(shares.min()) <= 0:
        raise SolverFailed("these rays do not add up to one.")
    return replace(solution, sets=solution.sets[kept], shares=shares)


def _center(rays: FloatArray, prior: FloatArray, G: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The shares of the rays and the multipliers of Σ θ v = 1 at the end of the central path."""
    means = rays @ prior
    scaled, root = rays / np.sqrt(means)[:, None], np.linalg.cholesky(G)
    shares = np.full(len(rays), 1 / rays.sum(axis=0).mean())
    weight, value, multipliers = 0.0, 0.0, np.zeros(len(prior))
    for _ in range(_REDUCTIONS):
        for _ in range(_STEPS):
            half = np.linalg.inv(np.linalg.cholesky((scaled.T * shares) @ scaled))
            along = scaled @ half.T  # Gram matrices stay definite where J is nearly singular
            images = along @ (half @ root)
            value = float(((half @ root) ** 2).sum())
            weight = weight or value / len(rays) / 10
            gradient = -(images**2).sum(axis=1) - weight / shares
            hessian = 2 * (along @ along.T) * (images @ images.T)
            diagonal = np.diag_indices_from(hessian)
            hessian[diagonal] = (1 + tolerances.RANDOMIZER_JITTER) * hessian[diagonal] + (
                weight / shares**2)
            step, multipliers = _newton_step(rays, hessian, gradient, 1 - rays.T @ shares)
            falling = step < 0
            length = min(1.0, _TO_EDGE * float(np.min(-shares[falling] / step[falling]))) if (
                falling.any()) else 1.0
            shares = shares + length * step
            if length > 0.9 and float(np.max(np.abs(step) / shares)) < 0.1:
                break
        if weight * len(rays) < tolerances.RANDOMIZER_GAP * value:
            break
        weight *= _BARRIER
    missing = float(np.abs(1 - rays.T @ shares).max())
    if not missing <= tolerances.RANDOMIZER_RESIDUAL:  # nor a NaN
        raise SolverFailed("these rays do not add up to one.")
    return shares, -multipliers


def _newton_step(
    rays: FloatArray, hessian: FloatArray, gradient: FloatArray, residual: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The step d and λ with H d + g = V λ and Vᵀ d = residual."""
    from scipy.linalg import cho_solve

    try:
        factor = np.linalg.cholesky(hessian)
        solved = cho_solve((factor, True), np.column_stack([rays, gradient]), check_finite=False)
        inner, along = solved[:, :-1], solved[:, -1]
        multipliers = np.linalg.solve(rays.T @ inner, residual + rays.T @ along)
    except np.linalg.LinAlgError:
        raise SolverFailed("the Newton system is singular.") from None
    return inner @ multipliers - along, np.asarray(multipliers, dtype=np.float64)
