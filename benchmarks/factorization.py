"""The factorization mechanism for linear queries under local privacy, optimized from scratch.

A strategy Q with a row for each output, z ≤ Q ≤ e^ε z and columns that add up to one; minimized
is tr(WᵀW (Qᵀ D⁻¹ Q)⁻¹) with D the row sums, as McKenna, Maity, Mazumdar and Miklau propose (VLDB
2020), who take projected gradient steps. Here Q = z (1 + (e^ε - 1) σ(x)), and a quasi-Newton method
on an augmented Lagrangian, which came closer to the optimum than our projected gradient did.
Written for the benchmark, to have a figure of the same run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Array = NDArray[np.float64]
STARTS, ROUNDS = 3, 8


def optimize(W: Array, ratio: float, steps: int) -> float:
    """The least variance of one respondent at equal shares, over a few random starts."""
    values = W.shape[1]
    known = float(((W @ np.full(values, 1 / values)) ** 2).sum())
    G = W.T @ W + 1e-9 * np.trace(W.T @ W) / values * np.eye(values)
    return min(_descend(G, ratio, steps, seed) for seed in range(STARTS)) / values - known


def _descend(G: Array, ratio: float, steps: int, seed: int) -> float:
    values = len(G)
    outputs = 4 * values
    scale = abs(np.trace(G)) * values
    start = np.random.default_rng(seed).normal(0, 0.7, (outputs, values))
    floors = np.full((outputs, 1), -np.log(outputs * (1 + ratio) / 2))
    x, prices, weight = np.hstack([floors, start]).ravel(), np.zeros(values), 10.0

    edges = ([(-30, 0)] + [(-15, 15)] * values) * outputs

    def columns(x: Array) -> tuple[Array, Array, Array]:
        parts = x.reshape(outputs, values + 1)
        z, inside = np.exp(parts[:, :1]), 1 / (1 + np.exp(-parts[:, 1:]))
        return z, inside, z * (1 + (ratio - 1) * inside)

    def lagrangian(x: Array) -> tuple[float, Array]:
        z, inside, Q = columns(x)
        value, slope = _loss(Q, G)
        off = Q.sum(axis=0) - 1
        slope = slope / scale + prices + weight * off
        moved = np.hstack([(slope * Q).sum(axis=1, keepdims=True),
                           slope * z * (ratio - 1) * inside * (1 - inside)])
        return value / scale + float(prices @ off + weight / 2 * off @ off), moved.ravel()

    for _ in range(ROUNDS):
        x = minimize(lagrangian, x, jac=True, method="L-BFGS-B", bounds=edges,
                     options={"maxiter": steps, "maxfun": 2 * steps, "maxcor": 30, "ftol": 1e-14,
                              "gtol": 1e-10}).x
        off = columns(x)[2].sum(axis=0) - 1
        prices, weight = prices + weight * off, weight * 4
    Q = columns(x)[2]
    return _loss(Q / Q.sum(axis=0), G)[0]


def _loss(Q: Array, G: Array) -> tuple[float, Array]:
    """The objective and its gradient in Q."""
    sums = Q.sum(axis=1)
    inverse = np.linalg.inv((Q.T / sums) @ Q)
    images = Q @ (inverse @ G @ inverse)
    along = np.einsum("ij,ij->i", images, Q)
    return float(np.trace(G @ inverse)), -2 * images / sums[:, None] + (along / sums**2)[:, None]
