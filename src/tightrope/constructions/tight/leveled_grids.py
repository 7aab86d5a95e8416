"""The exponential mechanism on large grids, with a base measure that levels its normalizers.

P(z | y) = w_z e^(-ρ d(y,z)) / N_y has the level ρ + ln(max N / min N) / step: the normalizers cost
their spread, not half of the level. Least is w' Φ w / 2 - Σ w over w >= 0:
there N = 1 on the cells with a weight and N >= 1 on the others. Where that leaves no cell
without weight it is the tight-constraints mechanism; elsewhere it exists all the same. ρ is
the largest rate found whose spread the level pays for; weights are whole numbers, and the
level is proved from an exact convolution. The weights at the rate ε bound every private
mechanism's binary gain by Σ w / (n min Φ w), as tight ones do.

Where the level does not pay for any such rate above ε/2, and on grids of too many cells to be
leveled, equal weights at ε/2 do: normalizers then differ by no more than the other half.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt, log

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import CannotCheck, NotPrivate
from tightrope.exact import FloatArray, Level, Surd, ball_of, float_below, sizes, tolerances
from tightrope.kernels import Torus, proved_weights, whole_weights
from tightrope.mechanisms import KernelMechanism, sides
from tightrope.privacy import Certified, certified
from tightrope.spaces import Family, Lattice, Metric, Space
from tightrope.utility import Problem, Solution

WRITTEN = 1_024
"""Grids with at most this many cells are written out, with a uniform base measure."""

_LEVELED, _SHORT = 250_000, 0.25
"""Cells of the largest grid that is leveled whatever its level, minutes where the noise reaches
far; at this level for each step and above, larger ones are too, within half a minute."""

LARGEST = sizes.LARGEST_GRID
"""Cells of the largest grid."""

_TURNS, _ROUNDS, _RATES = 40, 200, 12
"""Most changes of the support, conjugate gradient steps for each, and rates tried."""
_LEAST = 2
"""Rates below the level divided by this are not tried: half of the level needs no leveling."""


def is_leveled_grid(space: Space) -> bool:
    """Whether the space is a grid on which normalizers are leveled."""
    if not isinstance(space, Lattice) or space.family is not Family.GRID:
        return False
    wide = sum(side > 1 for side in sides(space))
    chebyshev = space.norm.metric is Metric.CHEBYSHEV  # positive definite on the plane
    return space.size > WRITTEN and (wide == 2 or not chebyshev)


def is_worth_leveling(problem: Problem) -> bool:
    """Whether the normalizers of a grid are leveled: it is not too large for its level."""
    rate = float(problem.level) * float(problem.space.least_distance)
    return problem.space.size <= _LEVELED or rate >= _SHORT


def exponential_on_grid(problem: Problem) -> Solution:
    """The certified mechanism, with a proved bound for the binary loss and the uniform prior.

    >>> s = exponential_on_grid(Problem("grid:40x40", "0.6", loss="binary"))
    >>> round(1 - s.value, 3), round(1 - s.bound, 3)  # no tight-constraints mechanism exists
    (0.066, 0.068)
    """
    space, level = problem.space, problem.level
    assert isinstance(space, Lattice)
    rate = float(level) * float(space.least_distance)
    weights, spread = _level_normalizers(Torus.around(space, rate))
    proved = _prove(space, level, rate, weights, spread)
    solution = Solution(problem, proved, "exponential")
    if not problem.plain:
        return solution
    gain = proved_weights(space, level.pure, weights).largest_gain / space.size
    return solution.against(float_below(ball_of(1 - gain, 128)))


def halved_on_grid(problem: Problem) -> Solution:
    """Equal weights at half of the level, proved from distances alone.

    >>> s = halved_on_grid(Problem("grid:80x80", "0.05", loss="euclidean"))
    >>> s.certified.certificate.evidence.value, round(s.value)
    ('kernel', 33)
    """
    space, level = problem.space, problem.level
    assert isinstance(space, Lattice)
    step = space.least_distance
    ratio = level.pure.scaled(Fraction(1, 2)).inside(step).ratio_below(step)
    weights = (2**tolerances.MANTISSA_BITS - 1,) * space.size
    kernel = KernelMechanism(space, ratio, space.norm.step, weights, rounded=True)
    return Solution(problem, certified(kernel, level), "exponential")


def _prove(
    space: Lattice, level: Level, most: float, weights: FloatArray, spread: float
) -> Certified:
    """The mechanism at the largest rate found whose spread the level pays for, proved.

    Weights and spread are those at the level's own rate, `most`.
    """
    rate = most
    for _ in range(_RATES):
        rate = min(rate, most - log(spread)) - tolerances.LEVELED_ROOM
        if rate < most / _LEAST:
            break
        weights, spread = _level_normalizers(Torus.around(space, rate), weights)
        if rate + log(spread) < most:
            ratio = Level.epsilon(Fraction(rate)).ratio_below(Surd.of(1))
            integers = tuple(whole_weights(weights)[0].tolist())
            try:
                kernel = KernelMechanism(space, ratio, space.norm.step, integers, rounded=True)
                return certified(kernel, level)
            except (NotPrivate, CannotCheck):  # more room is needed
                rate -= tolerances.LEVELED_ROOM
    raise CannotCheck(
        f"the normalizers on {space.text} still differ by a factor of {spread:.4g} at the rate "
        f"{max(rate, 0.0):.2g} per step, more than ε = {level.text} pays for; use a larger ε, a "
        f"coarser grid, or one of at most {isqrt(sizes.LARGEST_MATRIX):,} cells."
    )


def _level_normalizers(torus: Torus, start: FloatArray | None = None) -> tuple[FloatArray, float]:
    """Weights w >= 0 whose normalizers are 1 where w > 0 and no less elsewhere; max N / min N.

    An active-set method: cells with a negative weight leave the support, those whose normalizer
    is then below 1 return, until there are none of either.
    """
    solution = np.ones(torus.shape) if start is None else start
    support = solution > 0
    for _ in range(_TURNS):
        solution = _solve_on_support(torus, support, solution)
        normalizers = torus.product(np.maximum(solution, 0))
        negative = support & (solution < 0)
        short = ~support & (normalizers < 1 - tolerances.SOLVER_ERROR)
        if negative.any():
            support &= ~negative
        elif short.any():
            support |= short
        else:
            break
    weights = np.maximum(solution, 0)
    normalizers = torus.product(weights)
    return weights, float(normalizers.max() / normalizers.min())


def _solve_on_support(torus: Torus, support: NDArray[np.bool_], start: FloatArray) -> FloatArray:
    """w with Φ w = 1 on the support and w = 0 elsewhere, by conjugate gradients."""
    w = np.where(support, start, 0.0)
    residual = np.where(support, 1 - torus.product(w), 0.0)
    direction = z = np.where(support, torus.precondition(residual), 0.0)
    slope = float(np.vdot(residual, z))
    for _ in range(_ROUNDS):
        if float(np.abs(residual).max()) <= tolerances.LEVELED_ERROR or slope <= 0:
            break
        image = np.where(support, torus.product(direction), 0.0)
        step = slope / float(np.vdot(direction, image))
        w = w + step * direction
        residual = residual - step * image
        z = np.where(support, torus.precondition(residual), 0.0)
        slope, before = float(np.vdot(residual, z)), slope
        direction = z + (slope / before) * direction
    return w
