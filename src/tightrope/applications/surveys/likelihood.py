"""The most likely shares: maximum likelihood over the probability simplex.

Maximize Σ_z f_z ln (Pᵀπ)_z over π >= 0, Σ π = 1. Where the unbiased estimate lies in the
simplex and P is square, it is the answer (H16, Theorem 6.1); elsewhere the answer lies on the
boundary. The problem is concave, and g_x = Σ_z f_z P[x][z]/(Pᵀπ)_z bounds what is missing: no
π gains more than ln max_x g_x. Each step solves a non-negative least-squares problem, the
quadratic model of the likelihood, and goes toward it as far as the likelihood grows.
"""

from __future__ import annotations

import numpy as np

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, tolerances

_MOST_STEPS = 500


def most_likely(
    P: FloatArray, frequencies: FloatArray, start: FloatArray | None = None
) -> FloatArray:
    """The shares π that make the observed frequencies of the responses most likely.

    >>> P = np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> most_likely(P, np.array([0.7, 0.3])).round(6).tolist()
    [0.9, 0.1]
    >>> most_likely(P, np.array([0.9, 0.1])).round(6).tolist()
    [1.0, 0.0]
    """
    seen = frequencies > 0
    P, f = P[:, seen], frequencies[seen]
    law = np.full(len(P), 1 / len(P))
    if start is not None and start.min() >= 0:  # the unbiased estimate, often the answer
        law = start / start.sum()
    for _ in range(_MOST_STEPS):
        q = law @ P
        gradient = P @ (f / q)
        if gradient.max() - 1 <= tolerances.LIKELIHOOD_GAP:
            return law
        law = _step(P, f, law, q)
    raise SolverFailed("the most likely shares were not found; the design is nearly singular.")


def _step(P: FloatArray, f: FloatArray, law: FloatArray, q: FloatArray) -> FloatArray:
    """The best point toward the minimum of the quadratic model, at least as likely as before."""
    from scipy.optimize import nnls

    scale = np.sqrt(f)
    rows = np.vstack([(P / q * scale).T, np.ones(len(P))])
    aim, _ = nnls(rows, np.append(2 * scale, 1.0))
    if aim.sum() <= 0:
        return np.asarray(law * (P @ (f / q)))
    aim /= aim.sum()
    before = float(f @ np.log(q))
    room = tolerances.LENGTH_ERROR * (1 + abs(before))  # a gain that doubles can see
    length = 1.0
    while length > tolerances.LIKELIHOOD_GAP:
        q_new = (law + length * (aim - law)) @ P
        if (q_new > 0).all() and float(f @ np.log(q_new)) >= before - room:
            return np.asarray(law + length * (aim - law))
        length /= 2
    return np.asarray(law * (P @ (f / q)))  # a step of expectation-maximization never loses
