"""The most likely proportions behind a randomized column.

With frequencies q̂ of the outputs, the mean log-likelihood Σ_z q̂_z ln (Pᵀπ)_z is concave in π.
No π' is better than π by more than max_x g_x - 1, where g_x = Σ_z P[x,z] q̂_z / (Pᵀπ)_z: the gap
that is reported. For a matrix, each step solves a non-negative
least-squares problem, the quadratic model of the likelihood, and goes toward it as far as the
likelihood grows. Where all points are equally far apart the answer has a closed form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadTable, SolverFailed
from tightrope.exact import FloatArray, own, tolerances
from tightrope.mechanisms import FiniteMechanism, KernelMechanism, written_out

_MOST_STEPS = 500
"""Steps after which the search ends; its gap then decides whether the answer stands."""


@dataclass(frozen=True)
class Likelihood:
    """The most likely proportions, and a bound on what the mean log-likelihood could still grow."""

    proportions: FloatArray
    gap: float

    def __post_init__(self) -> None:
        own(self)


def most_likely(
    counts: Sequence[float] | NDArray[np.integer] | FloatArray,
    mechanism: FiniteMechanism,
    *,
    start: FloatArray | None = None,
) -> Likelihood:
    """The proportions of the inputs that make these counts (or shares) of outputs likeliest.

    They exist for every mechanism; where its outputs do not determine the proportions, they
    are one of several equally likely answers. Where the estimate that is right on average is a
    vector of proportions and the mechanism square, it is the answer (H16, Theorem 6.1); given
    as `start`, it saves the search.

    >>> from fractions import Fraction
    >>> from tightrope.spaces import parse
    >>> space, weights = parse("categories:no/yes"), (Fraction(1), Fraction(1))
    >>> response = KernelMechanism(space, Fraction(3), Fraction(1), weights)
    >>> most_likely([70, 30], response).proportions.round(6).tolist()
    [0.9, 0.1]
    >>> most_likely([80, 20], response).proportions.tolist()  # fewer yes than lies alone give
    [1.0, 0.0]
    """
    amounts = np.asarray(counts, dtype=np.float64)
    total = float(amounts.sum())
    if amounts.shape != (len(mechanism.outputs),) or not total > 0 or (amounts < 0).any():
        raise BadTable(
            f"expected counts of {len(mechanism.outputs)} outputs that are not all zero."
        )
    shares, channel = amounts / total, _channel_of(mechanism)
    law = channel.likeliest(shares, start)
    expected = channel.forward(law)
    if not (expected[shares > 0] > 0).all():
        raise BadTable("the mechanism never gives one of the values that were counted.")
    gap = float(channel.back(_ratios(shares, expected)).max()) - 1
    if not gap <= tolerances.LIKELIHOOD_GAP:
        raise SolverFailed(
            "the most likely proportions were not found: some inputs hardly change the outputs; "
            "use the unbiased estimate."
        )
    return Likelihood(law, max(gap, 0.0))


def _ratios(shares: FloatArray, expected: FloatArray) -> FloatArray:
    """Observed over expected frequencies; 0 where an output was not observed."""
    return np.divide(shares, expected, out=np.zeros_like(expected), where=shares > 0)


class _Channel(Protocol):
    """A mechanism as a linear map between proportions and frequencies."""

    def forward(self, law: FloatArray) -> FloatArray:
        """Pᵀπ: how often each output occurs."""

    def back(self, values: FloatArray) -> FloatArray:
        """P u: the mean of values of the outputs, for each input."""

    def likeliest(self, shares: FloatArray, start: FloatArray | None) -> FloatArray:
        """The proportions that make these shares likeliest, as near as doubles get."""


def _channel_of(mechanism: FiniteMechanism) -> _Channel:
    if isinstance(mechanism, KernelMechanism) and mechanism.equidistant:
        (step,) = mechanism.steps([mechanism.space.diameter])
        return _EquidistantChannel(
            np.array([float(w) for w in mechanism.weights]),
            np.array([float(total) for total in mechanism.normalizers]),
            float(mechanism.ratio**-step),
        )
    return _MatrixChannel(written_out(mechanism).weights.floats)


@dataclass(frozen=True)
class _MatrixChannel:
    P: FloatArray

    def forward(self, law: FloatArray) -> FloatArray:
        return law @ self.P

    def back(self, values: FloatArray) -> FloatArray:
        return self.P @ values

    def likeliest(self, shares: FloatArray, start: FloatArray | None) -> FloatArray:
        seen = shares > 0
        P, f = self.P[:, seen], shares[seen]
        law = np.full(len(P), 1 / len(P))
        if start is not None and start.min() >= -tolerances.LENGTH_ERROR:
            kept = np.maximum(start, 0)
            law = kept / kept.sum() if (kept @ P > 0).all() else law
        q = law @ P
        for _ in range(_MOST_STEPS if (q > 0).all() else 0):
            if (P @ (f / q)).max() - 1 <= tolerances.LIKELIHOOD_GAP:
                break
            law = _step(P, f, law, q)
            q = law @ P
        return law


def _step(P: FloatArray, f: FloatArray, law: FloatArray, q: FloatArray) -> FloatArray:
    """The best point toward the minimum of the quadratic model, at least as likely as before."""
    from scipy.optimize import nnls

    scale = np.sqrt(f)
    rows = np.vstack([(P / q * scale).T, np.ones(len(P))])
    aim, _ = nnls(rows, np.append(2 * scale, 1.0))
    if aim.sum() > 0:
        aim /= aim.sum()
        before = float(f @ np.log(q))
        room = tolerances.LENGTH_ERROR * (1 + abs(before))  # a gain that doubles can see
        length = 1.0
        while length > tolerances.LIKELIHOOD_GAP:
            tried = law + length * (aim - law)
            frequencies = tried @ P
            if (frequencies > 0).all() and float(f @ np.log(frequencies)) >= before - room:
                return np.asarray(tried)
            length /= 2
    return np.asarray(law * (P @ (f / q)))  # a step of expectation-maximization never loses


@dataclass(frozen=True)
class _EquidistantChannel:
    """P[y,z] = w_z (f + (1-f) 1{y=z}) / N_y."""

    weights: FloatArray
    normalizers: FloatArray
    far: float

    def forward(self, law: FloatArray) -> FloatArray:
        pulled = law / self.normalizers
        return np.asarray(self.weights * (self.far * pulled.sum() + (1 - self.far) * pulled))

    def back(self, values: FloatArray) -> FloatArray:
        weighed = self.weights * values
        mean = self.far * weighed.sum() + (1 - self.far) * weighed
        return np.asarray(mean / self.normalizers)

    def likeliest(self, shares: FloatArray, start: FloatArray | None) -> FloatArray:
        """By the conditions of Karush, Kuhn and Tucker.

        With u = π/N and s = Σ u, outputs come with frequencies w a, a = f s + (1-f) u. The
        maximum of Σ q̂ ln a under Σ w a = 1 and u >= 0 is a_z = max(q̂_z/(w_z + m), f s), for the
        one m >= 0 that makes Σ w a = 1. It is 0 if no proportion would be negative.
        """
        from scipy.optimize import brentq

        def beyond(m: float) -> float:
            return float(self.weights @ self._heights(shares, m)[0]) - 1

        most = float(self.weights.sum())  # Σ w a <= Σ w / m
        m = brentq(beyond, 0.0, most, xtol=most * 2.0**-60) if beyond(0.0) > 0 else 0.0
        heights, floor = self._heights(shares, m)
        law = (heights - floor) * self.normalizers
        with np.errstate(invalid="ignore"):
            return np.asarray(law / law.sum())

    def _heights(self, shares: FloatArray, m: float) -> tuple[FloatArray, float]:
        """a and f s for this m: f s is the largest f Σ_j a_z / (1 - f + j f) over the j largest."""
        raised = self.weights + m
        heights = np.divide(shares, raised, out=np.zeros_like(shares), where=shares > 0)
        totals = np.cumsum(np.sort(heights)[::-1])
        ranks = np.arange(1, len(heights) + 1)
        floor = float((self.far * totals / (1 - self.far + self.far * ranks)).max())
        return np.maximum(heights, floor), floor
