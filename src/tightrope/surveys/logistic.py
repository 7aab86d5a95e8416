"""Logistic regression of a yes that is only seen randomized.

If a person's true answer is yes with probability μ = 1/(1 + e^-xβ), response z comes with
a_z + d_z μ, where a is the design's row of no and a + d that of yes. The log-likelihood is not
concave in β, so Newton's steps, turned uphill where it bends up, go from several starts. Standard
errors are of the observed information. The interval of a coefficient holds all values at which
the likelihood, maximized over the others, falls by less than half a χ² quantile. A higher value
far away, as at infinity where few people are told apart, may be missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import Infeasible, SolverFailed
from tightrope.exact import FloatArray, tolerances

_MOST_STEPS: Final = 300
"""Newton steps after which a search gives up; about ten are needed."""

_LONGEST: Final = 4.0
"""Largest change of a person's log-odds in one of the first steps, before steps may double."""

_STARTS: Final = (-6.0, -2.0, 2.0, 6.0)
"""Log-odds, as root mean squares, from which the search starts along each column."""

_FEW_COLUMNS: Final = 8
"""Columns up to which each maximum is searched from all starts; with more that takes minutes."""

_FARTHEST: Final = 20.0
"""Largest log-odds of a person: beyond e^20 the likelihood is flat, and its maximum at infinity."""


@dataclass(frozen=True)
class LogisticFit:
    """The most likely coefficients, their standard errors, intervals and p-values.

    The p-value is that of the likelihood ratio test of a coefficient of 0; an end of an interval
    may be infinite.
    """

    coefficients: tuple[float, ...]
    errors: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    p_values: tuple[float, ...]
    log_likelihood: float


@dataclass(frozen=True)
class _Likelihood:
    """Different rows of columns, scaled to 1, and how often each response came with each."""

    X: FloatArray
    counts: FloatArray
    no: FloatArray
    step: FloatArray

    def value(self, beta: FloatArray) -> float:
        p = self._chances(beta)[1]
        return float((self.counts * np.log(p, where=self.counts > 0, out=np.zeros_like(p))).sum())

    def slopes(self, beta: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Gradient and observed information."""
        mu, p = self._chances(beta)
        w = mu * (1 - mu)
        slope = self.step * w[:, None] / p
        weights = self.counts * slope
        observed = (self.counts * slope**2).sum(axis=1) - (1 - 2 * mu) * weights.sum(axis=1)
        X = self.X
        return np.asarray(X.T @ weights.sum(axis=1)), np.asarray((X.T * observed) @ X)

    def _chances(self, beta: FloatArray) -> tuple[FloatArray, FloatArray]:
        from scipy.special import expit

        mu = expit(self.X @ beta)
        return mu, np.maximum(self.no + self.step * mu[:, None], tolerances.UNDERFLOW)

    def starts(self, free: NDArray[np.bool_]) -> list[FloatArray]:
        """Starts of a search over free coefficients: 0, and others along each of their columns.

        Those change the log-odds by one column, made independent of those before it.
        """
        X, starts = self.X[:, free], [np.zeros(len(free))]
        for axis in np.linalg.pinv(np.linalg.qr(X)[1]).T * sqrt(len(X)):
            for odds in _STARTS if len(free) <= _FEW_COLUMNS else ():
                starts.append(np.zeros(len(free)))
                starts[-1][free] = odds * axis
        return starts

    def climb(
        self, beta: FloatArray, free: NDArray[np.bool_], *, to_rest: bool
    ) -> tuple[FloatArray, float]:
        """The maximum over free coefficients from a start.

        It ends when steps have no length (`to_rest`), or else when nothing is gained any more: a
        maximum at infinity is met in its value.
        """
        value = self.value(beta)
        for _ in range(_MOST_STEPS):
            step = _ascent(*self.slopes(beta), free)
            size = float(np.abs(self.X @ step).max())
            if size < tolerances.SOLVER_ENTRY:
                return beta, value
            far = float(np.abs(self.X @ beta).max())
            step *= min(1.0, max(_LONGEST, far) / size)  # twice as far at most, to end at infinity
            nearer, better = self._search(beta, value, step)
            gain, beta, value = better - value, nearer, better
            if to_rest and np.abs(self.X @ beta).max() > _FARTHEST:
                return beta, value
            if gain <= 0 or (not to_rest and gain < tolerances.LIKELIHOOD_GAP):
                return beta, value
        raise SolverFailed("the most likely coefficients were not found: the search did not end.")

    def _search(
        self, beta: FloatArray, value: float, step: FloatArray
    ) -> tuple[FloatArray, float]:
        """The first halved step that gains, else the start."""
        length = 1.0
        while length > tolerances.SOLVER_ENTRY:
            tried = beta + length * step
            if (better := self.value(tried)) > value:
                return tried, better
            length /= 2
        return beta, value


def fit_logistic(
    X: FloatArray, responses: NDArray[np.integer], rows: FloatArray, confidence: float,
    names: tuple[str, ...],
) -> LogisticFit:
    """The most likely logistic model of a yes.

    Parameters
    ----------
    X
        A row for each person, with a column for each coefficient.
    responses
        The position of each person's response.
    rows
        The design: the chances of the responses if the truth is no, and if it is yes.
    names
        Names of the columns, for what is said where there is no maximum.

    Returns
    -------
    LogisticFit
        Coefficients, standard errors, profile intervals, p-values.

    Raises
    ------
    Infeasible
        If the likelihood grows without end, as where some people can all be told apart.
    SolverFailed
        If the search did not end.

    >>> X, sent = np.ones((100, 1)), np.repeat([0, 1], [60, 40])
    >>> fit = fit_logistic(X, sent, np.array([[0.75, 0.25], [0.25, 0.75]]), 0.95, ("intercept",))
    >>> f"{fit.coefficients[0]:.4f}"  # the share is 0.3: ln(0.3/0.7)
    '-0.8473'
    """
    from scipy.stats import chi2

    scale = np.abs(X).max(axis=0)
    unique, places = np.unique(X / scale, axis=0, return_inverse=True)
    counts = np.zeros((len(unique), rows.shape[1]))
    np.add.at(counts, (places.ravel(), responses), 1)
    model = _Likelihood(unique, counts, rows[0], rows[1] - rows[0])
    beta, value = _best(model)
    _, observed = model.slopes(beta)
    if np.abs(unique @ beta).max() > _FARTHEST or not _is_positive(observed):
        worst = names[int(np.abs(beta * np.ptp(unique, axis=0)).argmax())]
        raise Infeasible(
            f"the likelihood has no largest value: it grows as the coefficient of {worst!r} goes "
            "to infinity, as where one response alone came; leave terms out or ask more people.")
    covariance = np.linalg.inv(observed)
    errors = np.sqrt(covariance.diagonal())
    drop = float(chi2.isf(1 - confidence, 1)) / 2
    profiles = [_Profile(model, beta, value, j, _directions(model.X, j, covariance[j]),
                         float(errors[j])) for j in range(len(beta))]
    low, high = ([profile.end(sign, drop) for profile in profiles] for sign in (-1, 1))
    p_values = [float(chi2.sf(2 * profile.fall(0.0), 1)) for profile in profiles]
    unscaled = [tuple((np.array(column) / scale).tolist())
                for column in (beta, errors, low, high)]
    return LogisticFit(unscaled[0], unscaled[1], unscaled[2], unscaled[3], tuple(p_values), value)


def _best(model: _Likelihood) -> tuple[FloatArray, float]:
    """The highest of the maxima from several starts; the search must rest, or run to infinity."""
    free = np.ones(model.X.shape[1], dtype=bool)
    return max((model.climb(start, free, to_rest=True) for start in model.starts(free)),
               key=lambda climbed: climbed[1])


@dataclass(frozen=True)
class _Profile:
    """The likelihood as a function of one coefficient, maximized over the others.

    `directions` are how all may move with that one: where a maximization starts.
    """

    model: _Likelihood
    beta: FloatArray
    value: float
    place: int
    directions: FloatArray
    error: float

    def fall(self, at: float) -> float:
        return max(self.value - self._highest(at, self.beta)[1], 0.0)

    def _over(self, at: float, near: Sequence[FloatArray], drop: float) -> float:
        return self.value - self._maximum(at, near)[1] - drop

    def _maximum(self, at: float, starts: Sequence[FloatArray]) -> tuple[FloatArray, float]:
        """The highest maximum from some starts with this coefficient held."""
        free = np.arange(len(self.beta)) != self.place
        return max((self.model.climb(start + (at - start[self.place]) * direction, free,
                                     to_rest=False)
                    for start in starts for direction in self.directions),
                   key=lambda climbed: climbed[1])

    def _highest(self, at: float, near: FloatArray) -> tuple[FloatArray, float]:
        """The highest maximum with this coefficient held that is found from everywhere."""
        held = np.arange(len(self.beta)) == self.place
        free = [self.model.climb(np.where(held, at, start), ~held, to_rest=False)
                for start in self.model.starts(~held)]
        return max(self._maximum(at, (self.beta, near)), *free, key=lambda climbed: climbed[1])

    def end(self, sign: int, drop: float) -> float:
        """Where the likelihood has fallen by `drop`; infinite if it never does."""
        from scipy.optimize import brentq

        beta, near = self.beta, float(self.beta[self.place])
        step = max(sqrt(2 * drop) * self.error, tolerances.SOLVER_ENTRY)
        column = self.model.X[:, self.place]
        spread = float(np.ptp(column)) or float(np.abs(column).max())
        while abs(near - self.beta[self.place]) * spread <= 2 * _FARTHEST:
            far = near + sign * step
            reached, value = self._highest(far, beta)
            over = partial(self._over, near=(beta, reached), drop=drop)
            if self.value - value > drop and over(near) <= 0 < over(far):
                return float(brentq(over, near, far))
            beta, near, step = reached, far, 2 * step
        return sign * inf


def _directions(X: FloatArray, place: int, covariances: FloatArray) -> FloatArray:
    """How coefficients may move with one: to first order, or so that some people's odds stay.

    Those are the people with large numbers in its column, or all others.
    """
    column, free = X[:, place], np.arange(X.shape[1]) != place
    middle = (column.min() + column.max()) / 2
    directions = [covariances / covariances[place]]
    for people in (column >= middle, column <= middle) if len(free) <= _FEW_COLUMNS else ():
        directions.append(np.ones(X.shape[1]))
        directions[-1][free] = -np.linalg.lstsq(X[people][:, free], column[people], rcond=None)[0]
    return np.array(directions)


def _ascent(
    gradient: FloatArray, observed: FloatArray, free: NDArray[np.bool_]
) -> FloatArray:
    """Newton's step over the free coefficients, uphill along every axis of the information."""
    step = np.zeros(len(gradient))
    if free.any():
        sizes, axes = np.linalg.eigh(observed[np.ix_(free, free)])
        lengths = np.abs(sizes)
        least = max(float(lengths.max()) * np.finfo(float).eps, tolerances.UNDERFLOW)
        step[free] = axes @ (axes.T @ gradient[free] / np.maximum(lengths, least))
    return step


def _is_positive(matrix: FloatArray) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True
