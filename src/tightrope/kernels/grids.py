"""Φ w = b on Euclidean grids of any size: solved in doubles, proved in integers.

Products with Φ = exp(-ε d) are convolutions; on a torus a little larger than the grid they are
diagonal, which also gives the preconditioner of the conjugate gradients. What is proved does
not rest on any of that: the residual of the rounded solution comes from an exact
convolution of integers, and Φ is at least λ = φ(π, ..., π) > 0, where
φ(ξ) = c ε / (ε² + |ξ|²)^((m+1)/2), c = 2^m π^((m-1)/2) Γ((m+1)/2), is the Fourier transform of
e^(-ε|x|) in m dimensions (by Poisson summation the symbol of Φ is a sum of copies of φ, all
positive). So |w - true| <= √n max |residual| / λ, which settles signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import exp, isqrt

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, Level, Surd, float_below, lower_bound, own, tolerances
from tightrope.mechanisms import UNIT_BITS, Sums, kernel_sums, kernel_taps, sides
from tightrope.spaces import Lattice, Metric

_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class Torus:
    """Products with the kernel of a grid, and their approximate inverse, by Fourier transform."""

    shape: tuple[int, ...]
    padded: tuple[int, ...]
    spectrum: NDArray[np.float64]
    floor: float

    @classmethod
    def around(cls, grid: Lattice, rate: float) -> Torus:
        """The torus that a grid fits into, far enough from itself."""
        import scipy.fft  # slow to import

        shape = tuple(side for side in sides(grid) if side > 1)
        reach = int(UNIT_BITS / (rate * 1.4)) + 1
        padded = tuple(
            scipy.fft.next_fast_len(side + min(side - 1, reach), real=True) for side in shape
        )
        axes = np.ix_(*((np.arange(n) + n // 2) % n - n // 2 for n in padded))
        spectrum = scipy.fft.rfftn(np.exp(-rate * _lengths(grid.norm.metric, axes))).real
        return cls(shape, padded, spectrum, float_below(least_eigenvalue(arb(rate), len(shape))))

    def product(self, v: FloatArray) -> FloatArray:
        """Φ v."""
        return self._filter(v, self.spectrum)

    def preconditioned(self, v: FloatArray) -> FloatArray:
        """Nearly the inverse of Φ, symmetric and positive definite."""
        return self._filter(v, self._inverse)

    @cached_property
    def _inverse(self) -> NDArray[np.float64]:
        return 1 / np.maximum(self.spectrum, self.floor)

    def _filter(self, v: FloatArray, factors: NDArray[np.float64]) -> FloatArray:
        import scipy.fft  # slow to import

        transform = scipy.fft.rfftn(v, self.padded, workers=-1)
        transform *= factors
        product = scipy.fft.irfftn(transform, self.padded, workers=-1)
        return np.asarray(product[tuple(slice(side) for side in self.shape)])


def _lengths(metric: Metric, axes: Sequence[NDArray[np.int64]]) -> FloatArray:
    """The lengths of displacements, in steps."""
    parts = np.broadcast_arrays(*(np.abs(axis).astype(np.float64) for axis in axes))
    match metric:
        case Metric.EUCLIDEAN:
            return np.asarray(np.sqrt(sum(part * part for part in parts)))
        case Metric.CHEBYSHEV:
            return np.asarray(np.maximum.reduce(parts))
        case _:
            return np.asarray(sum(parts))


def least_eigenvalue(rate: arb, axes: int) -> arb:
    """A ball around φ(π, ..., π), at or below every eigenvalue of Φ for this rate per step."""
    with ctx.workprec(128):
        rate, half = arb(rate), arb(axes + 1) / 2
        constant = arb(2) ** axes * arb.pi() ** (half - 1) * half.gamma()
        return constant * rate / (rate**2 + axes * arb.pi() ** 2) ** half


def conjugate_gradients(
    torus: Torus, right: FloatArray, start: FloatArray | None = None
) -> FloatArray:
    """w with Φ w = right, as far as doubles go; raises `SolverFailed` if that is not far."""
    w = torus.preconditioned(right) if start is None else start.copy()
    residual = right - torus.product(w)
    best, stalled = float(np.abs(residual).max()), 0
    solution = w.copy()
    direction = z = torus.preconditioned(residual)
    slope = float(np.vdot(residual, z))
    for _ in range(_ROUNDS):
        image = torus.product(direction)
        step = slope / float(np.vdot(direction, image))
        w = w + step * direction
        residual = residual - step * image
        size = float(np.abs(residual).max())
        if size < best / 2:
            best, stalled, solution = size, 0, w
        else:
            stalled += 1
        if best <= tolerances.RESIDUAL_FLOOR or stalled > 10:
            break
        z = torus.preconditioned(residual)
        slope, before = float(np.vdot(residual, z)), slope
        direction = z + (slope / before) * direction
    worst = float(np.abs(right - torus.product(solution)).max())
    if not worst <= tolerances.SOLVER_ERROR:
        raise SolverFailed(
            f"conjugate gradients stopped with a residual of {worst:.1e} on a grid of "
            f"{right.size:,} points; use a larger ε or a coarser grid."
        )
    return solution


@dataclass(frozen=True, eq=False)
class GridWeights:
    """Integers W with Φ (W / scale) close to 1, what Φ W lies between, and the proved error."""

    grid: Lattice
    floats: FloatArray
    integers: NDArray[np.int64]
    scale: int
    sums: Sums
    error: Fraction

    def __post_init__(self) -> None:
        own(self)

    @property
    def least(self) -> int:
        """The index of the smallest weight."""
        return int(np.argmin(self.integers))

    @property
    def largest_gain(self) -> Fraction:
        """A proved upper bound on Σ_z max_y P(z | y) over all private mechanisms, for W >= 0.

        Columns h of a private mechanism have h_y >= e^(-ε d(y,y')) h_y' for all y', so that
        Σ_y W_y h_y >= (Φ W)_y' h_y' >= min (Φ W) max h; columns add up to 1, so
        Σ max h <= Σ W / min (Φ W).
        """
        return Fraction(sum(self.integers.tolist()) << UNIT_BITS, self.sums.least)


def whole_weights(floats: FloatArray) -> tuple[NDArray[np.int64], int]:
    """Weights times an integer scale, rounded to whole numbers just below 2^62."""
    room = (1 << tolerances.MANTISSA_BITS) - (1 << 12)
    scale = int(room / float(np.abs(floats).max()))
    return np.rint(floats.ravel() * float(scale)).astype(np.int64), scale


def grid_floats(grid: Lattice, rate: float, start: FloatArray | None = None) -> FloatArray:
    """The solution of Φ w = 1 in doubles, for a rate per step; Euclidean or Manhattan."""
    if grid.norm.metric is Metric.MANHATTAN:
        alpha = exp(-rate)
        weights = np.ones(())
        for side in (side for side in sides(grid) if side > 1):
            along = np.full(side, (1 - alpha) / (1 + alpha))
            along[[0, -1]] = 1 / (1 + alpha)
            weights = np.multiply.outer(weights, along)
        return weights
    torus = Torus.around(grid, rate)
    return conjugate_gradients(torus, np.ones(torus.shape), start)


def proved_weights(grid: Lattice, level: Level, floats: FloatArray) -> GridWeights:
    """Weights in whole numbers, what Φ makes of them, and on Euclidean grids their error."""
    step = grid.least_distance
    integers, scale = whole_weights(floats)
    with ctx.workprec(160):
        rate = level.ball(160) * step.ball(160)
    taps = kernel_taps(grid, rate, lambda d: _units(level, d))
    sums = kernel_sums(grid, integers, taps, doubt=2)
    unit = scale << UNIT_BITS
    worst = Fraction(max(abs(sums.least - unit), abs(sums.most - unit)), unit)
    with ctx.workprec(128):
        axes = sum(side > 1 for side in sides(grid))
        least = lower_bound(least_eigenvalue(rate, axes))
    return GridWeights(grid, floats, integers, scale, sums, worst * (isqrt(grid.size) + 1) / least)


def separation(weights: GridWeights, level: Level) -> tuple[Fraction, ...] | None:
    """u with Φ u >= 0 and Σ u < 0, checked in integers; None if it is not found.

    With Φ x = 1 at the cell of the least weight, u = x + share · w for a small share.
    """
    torus = Torus.around(weights.grid, float(level) * float(weights.grid.least_distance))
    unit = np.zeros(weights.grid.size)
    unit[weights.least] = 1.0
    share = -weights.floats.min() / (2 * np.abs(weights.floats).sum())
    u = conjugate_gradients(torus, unit.reshape(torus.shape)) + share * weights.floats
    vector = proved_weights(weights.grid, level, u)
    if vector.sums.least < 0 or sum(vector.integers.tolist()) >= 0:
        return None
    return tuple(Fraction(x, vector.scale) for x in vector.integers.tolist())


def _units(level: Level, distance: Surd) -> int:
    """e^(-ε d) in units of 2^-61, rounded down, by less than 2."""
    with ctx.workprec(128):
        low = lower_bound(1 / level.power_ball(distance, 128))
    return int(low * (1 << UNIT_BITS))
