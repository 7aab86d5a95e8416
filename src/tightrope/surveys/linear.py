"""Linear regression of a number that is only seen randomized.

β solves Σ x (u - v xβ) = 0, where one response counts for u of the number and v of having one, so
that the equation is right on average whatever the design is. A coefficient b is kept if the mean of
its part of the equation, with the others fitted, is as near to 0 as chance allows if b is the
truth. Its variance is the larger of two: the sandwich HC3, which does not rest on equal variances,
but misses what few people did not happen to send; and that of the likeliest shares of all people,
moved for each person until their mean is xβ. The quantile accounts for the skewness there
(see `mean_scores`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import Infeasible
from tightrope.exact import FloatArray, tolerances
from tightrope.surveys.designs import Design
from tightrope.surveys.estimation import estimate_answers
from tightrope.surveys.mean_scores import MeanScore, gamma_quantile, normal_quantile
from tightrope.surveys.means import Numbers, response_values, score_of
from tightrope.utility import Tally

_DOUBLINGS = 60
"""Doublings of the distance after which an interval has no end."""

LinearFit = tuple[list[float], list[float], list[float], list[float], list[float]]
"""Coefficients, their standard errors, both ends of their intervals, p-values."""


def fit_linear(
    X: FloatArray, codes: NDArray[np.intp], design: Design, numbers: Numbers, confidence: float
) -> LinearFit:
    """The coefficients of the columns of X, given the response of each person.

    Raises `Infeasible` if too few people seem to have a number, or all sent the same.
    """
    from scipy.stats import t

    u = response_values(design, [Fraction(0) if s is None else s for s in numbers])[codes]
    v = response_values(design, [Fraction(s is not None) for s in numbers])[codes]
    bread = X.T @ (v[:, None] * X)
    if np.linalg.eigvalsh((bread + bread.T) / 2)[0] <= 0:
        raise Infeasible("the coefficients cannot be told: too few people seem to have a number; "
                         "leave terms out or ask more people.")
    inverse = np.linalg.inv(bread)
    beta = inverse @ (X.T @ u)
    leverage = v * ((X @ inverse) * X).sum(axis=1)
    residuals = (u - v * (X @ beta)) / np.where(leverage < 1, 1 - leverage, 1)
    errors = np.sqrt(((inverse @ (X * residuals[:, None]).T) ** 2).sum(axis=1))
    if errors.min() <= tolerances.SOLVER_ENTRY * np.abs(u).max(initial=1.0):
        raise Infeasible("no error can be estimated: all people who are told apart here sent "
                         "responses of one value; leave terms out or ask more people.")
    counts = np.bincount(codes, minlength=len(design.responses))
    everybody = score_of(estimate_answers(design, Tally.of(counts)), numbers)
    rows, people = np.unique(X, axis=0, return_counts=True)
    law = t(len(u) - X.shape[1])
    factor = float(law.isf((1 - confidence) / 2))
    scores = [_Score(everybody, people, rows @ beta, rows @ inverse[j], float(inverse[j, j]),
                     float(errors[j])) for j in range(len(beta))]
    return (beta.tolist(), errors.tolist(),
            [b - score.margin(-1, factor) for b, score in zip(beta.tolist(), scores, strict=True)],
            [b + score.margin(1, factor) for b, score in zip(beta.tolist(), scores, strict=True)],
            [2 * float(law.sf(score.quantile(b)))
             for b, score in zip(beta.tolist(), scores, strict=True)])


@dataclass(frozen=True)
class _Score:
    """One coefficient: how far it may be from its estimate.

    For each different row of X `people` have it, `fitted` is its xβ, `parts` what the equation of
    one of them adds to the coefficient. If that is d larger, xβ is larger by d `parts` / `own`.
    """

    everybody: MeanScore
    people: NDArray[np.intp]
    fitted: FloatArray
    parts: FloatArray
    own: float
    error: float

    def law(self, shift: float) -> tuple[float, float]:
        """The standard deviation and skewness of the estimate if it is off by this much."""
        means = (self.fitted + shift * self.parts / self.own).tolist()
        second, third = np.array([self.everybody.moments(mean) for mean in means]).T
        variance = max(float(self.people @ (self.parts**2 * second)), self.error**2)
        return sqrt(variance), float(self.people @ (self.parts**3 * third)) / variance**1.5

    def margin(self, sign: int, quantile: float) -> float:
        """How far the interval reaches to this side of the estimate."""
        from scipy.optimize import brentq

        def over(distance: float) -> float:
            deviation, skewness = self.law(sign * distance)
            return distance - deviation * max(gamma_quantile(quantile, -sign * skewness), 0.0)

        near, far = 0.0, -over(0.0)
        if far <= 0:  # no confidence
            return 0.0
        for _ in range(_DOUBLINGS):
            if over(far) > 0:
                return float(brentq(over, near, far))
            near, far = far, 2 * far
        return inf

    def quantile(self, estimate: float) -> float:
        """The quantile at which the interval first reaches 0."""
        deviation, skewness = self.law(-estimate)
        return normal_quantile(abs(estimate) / deviation,
                               skewness if estimate > 0 else -skewness)
