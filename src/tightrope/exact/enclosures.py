"""Linear systems solved in doubles, with an error bound that is a proof.

For A x = b take any approximate inverse R. If ‖I - R A‖ <= α < 1 in the maximum norm, A is
regular, and an approximation y has |x - y| <= ρ + α/(1 - α) max ρ with ρ = |R (b - A y)|. All
rounding of the products is bounded a priori: a sum of m products, in any order, is off by at
most γ = (m + 4) 2^-52 times the sum of their absolute values.

The matrix may also move along a line, A(t) = A0 - t A1 + t²/2 A2 with 0 <= A2 <= `curve`:
then y + t c is compared with the true solution for all |t| <= `half` at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tightrope.exact import tolerances
from tightrope.exact.arrays import FloatArray
from tightrope.exact.ownership import own

_SLACK = 1 + 2.0**-20  # bounds are sums of non-negative doubles, far more accurate than this


@dataclass(frozen=True, eq=False)
class Line:
    """The matrices A0 - t A1 + t²/2 A2, |t| <= half, 0 <= A2 <= curve; all entries non-negative.

    `error` is the relative error of every entry.
    """

    start: FloatArray
    slope: FloatArray
    curve: FloatArray
    half: float
    error: float

    def __post_init__(self) -> None:
        own(self)

    @classmethod
    def still(cls, matrix: FloatArray, error: float) -> Line:
        """One matrix that does not move."""
        nothing = np.zeros_like(matrix)
        return cls(matrix, nothing, nothing, 0.0, error)


@dataclass(frozen=True, eq=False)
class Enclosure:
    """The solutions are within `radius` of middle + t · slope; `inverse` and `alpha` prove it."""

    middle: FloatArray
    slope: FloatArray
    radius: FloatArray
    half: float
    inverse: FloatArray
    alpha: float

    def __post_init__(self) -> None:
        own(self)

    @property
    def low(self) -> FloatArray:
        """Lower bounds of the solutions, for every t."""
        return np.asarray(self.middle - (self.half * np.abs(self.slope) + self.radius) * _SLACK)

    @property
    def high(self) -> FloatArray:
        """Upper bounds of the solutions, for every t."""
        return np.asarray(self.middle + (self.half * np.abs(self.slope) + self.radius) * _SLACK)

    def corrected(self, residual: FloatArray, error: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The step R r for a residual r known within `error`, and the bound on x - y without it."""
        bound = _image(self.inverse, residual, error, _gamma(len(residual)))
        return self.inverse @ residual, _spread(bound, self.alpha)


def enclose(line: Line, right: FloatArray) -> Enclosure | None:
    """An enclosure of the solutions of A(t) x = right for all t, or None if nothing is proved.

    >>> found = enclose(Line.still(np.array([[1.0, 0.5], [0.5, 1.0]]), 0.0), np.ones(2))
    >>> [bool((found.low < 2 / 3).all()), bool((2 / 3 < found.high).all())]
    [True, True]
    """
    a0, a1, half = line.start, line.slope, line.half
    gamma = _gamma(len(right))
    try:
        inverse: FloatArray = np.asarray(np.linalg.inv(a0), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    x = inverse @ right
    x += inverse @ (right - a0 @ x)
    c = inverse @ (a1 @ x)
    alpha = _contraction(line, inverse, gamma)
    if not alpha < 0.5 or not np.isfinite(x).all():
        return None
    rounding, least = gamma + line.error, tolerances.UNDERFLOW * len(right)
    errors = [
        rounding * (a0 @ np.abs(x) + np.abs(right)) + least,
        rounding * (a1 @ np.abs(x) + a0 @ np.abs(c)) + least,
        rounding * (a1 @ np.abs(c)) + least,
    ]
    residuals = [right - a0 @ x, a1 @ x - a0 @ c, a1 @ c]
    bound = np.abs(inverse) @ (line.curve @ (np.abs(x) + half * np.abs(c))) * (half * half)
    for power, (residual, error) in enumerate(zip(residuals, errors, strict=True)):
        bound = bound + half**power * _image(inverse, residual, error, gamma)
    return Enclosure(x, c, _spread(bound, alpha), half, inverse, alpha)


def _gamma(size: int) -> float:
    return (size + 4) * 2.0**-52


def _contraction(line: Line, inverse: FloatArray, gamma: float) -> float:
    """A bound on the norm of I - R A(t) for every t.

    Its term `rounding` is far above all that products below the range of doubles lose.
    """
    size, half = len(inverse), line.half
    large, ones = np.abs(inverse), np.ones(len(inverse))
    rounding = gamma + line.error
    gap = np.abs(np.eye(size) - inverse @ line.start).sum(axis=1)
    gap = gap + rounding * (large @ (line.start @ ones)) + rounding
    if half:
        gap = gap + half * np.abs(inverse @ line.slope).sum(axis=1)
        gap = gap + half * rounding * (large @ (line.slope @ ones))
        gap = gap + half * half * (large @ (line.curve @ ones))
    return float(gap.max()) * _SLACK


def _image(
    inverse: FloatArray, vector: FloatArray, error: FloatArray, gamma: float
) -> FloatArray:
    """A bound on |R v| for every v within `error` of the given one."""
    large = np.abs(inverse)
    return np.asarray(np.abs(inverse @ vector) + large @ (gamma * np.abs(vector) + error))


def _spread(bound: FloatArray, alpha: float) -> FloatArray:
    return np.asarray((bound + alpha / (1 - alpha) * bound.max()) * _SLACK)
