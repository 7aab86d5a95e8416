"""Regular priors: mixtures of the corner priors of a space at a level.

With Φ = exp(-ε d), a prior π is regular iff π = Φ μ for some μ >= 0 (ECP, Definition 4). The
rows of Φ, scaled to add up to 1, are the corner priors (Definition 5); regular priors are their
mixtures, with shares γ_y = μ_y Σ_z Φ[y, z] (Proposition 3). No private mechanism has a binary
gain above Σ μ for such a prior (Theorem 2). The regions need not grow with ε.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import floor

import numpy as np

from tightrope.exact import FloatArray, Level, Number, Surd
from tightrope.kernels.equations import KernelWeights, NoWeights
from tightrope.kernels.structure import solve
from tightrope.markup import brief
from tightrope.privacy import level_of
from tightrope.spaces import (
    Box,
    Lattice,
    Space,
    distance_table,
    require_connected,
    space_of,
    tensor_factors,
)
from tightrope.utility import (
    SCALE,
    Dual,
    Multipliers,
    Prior,
    PriorLike,
    Problem,
    prior_of,
    prove_bound,
    uniform,
)

_DIGITS = 80
"""Binary digits after the point of a multiplier."""


@dataclass(frozen=True, eq=False)
class Regular:
    """A regular prior: π = Φ μ, where μ >= 0 is the scale times the coefficients."""

    coefficients: KernelWeights
    scale: Fraction = Fraction(1)

    __repr__ = brief

    @property
    def gain(self) -> Fraction:
        """An upper bound of Σ μ, and so of the binary gain of every private mechanism."""
        return self.coefficients.total[1] * self.scale

    @property
    def floats(self) -> FloatArray:
        """The coefficients μ as doubles, one for every point."""
        return self.coefficients.floats * float(self.scale)


@dataclass(frozen=True, eq=False)
class Irregular:
    """A prior that is not regular, with the vector u that proves it: Φ u >= 0 but π u < 0."""

    proof: NoWeights

    __repr__ = brief


def regularity(
    space: Space | str,
    epsilon: Level | Number | None = None,
    prior: PriorLike = uniform,
    *,
    ratio: Number | None = None,
) -> Regular | Irregular:
    """Whether a prior is regular at a level: some weights μ >= 0 give it as π = Φ μ.

    Φ holds e^(-ε d). Under a regular prior no mechanism at the level is right more often than
    Σ μ (`gain`).

    Returns: `Regular` with the coefficients μ, or `Irregular` with the proof that there are none.

    Raises: `BadInput` for an ε that is not above 0, an infinite distance, or a prior that does
    not fit.

    >>> from tightrope.spaces import categories
    >>> flat = regularity(categories(4), Level.ratio(2), Prior.of(["0.4", "0.2", "0.2", "0.2"]))
    >>> [str(x) for x in flat.coefficients.each], str(flat.gain)
    (['2/5', '0', '0', '0'], '2/5')
    >>> skewed = Prior.of(["0.4", "0.4", "0.1", "0.1"])
    >>> regularity(categories(4), Level.ratio(2), skewed).proof.point
    2
    """
    level, space = Level.positive(level_of(epsilon, ratio=ratio)), space_of(space)
    prior = prior_of(prior, space)
    prior.check(space)
    require_connected(space, "regular priors are for")
    parts = tensor_priors(space, prior)
    if parts is not None:
        return _tensor(space, [regularity(part, level, law) for part, law in parts])
    if prior.weights is None:
        answer = solve(space, level)
        scale = Fraction(1, space.size)
    else:
        answer, scale = solve(space, level, prior.weights), Fraction(1)
    return Irregular(answer) if isinstance(answer, NoWeights) else Regular(answer, scale)


def tensor_priors(space: Space, prior: Prior) -> list[tuple[Space, Prior]] | None:
    """The factors of a space and the marginals of a prior that is their product; else None.

    >>> from tightrope.spaces import hamming
    >>> coin = [Fraction(1, 3), Fraction(2, 3)]
    >>> both = Prior.of([a * b for a in coin for b in coin])
    >>> [law.weights == tuple(coin) for _, law in tensor_priors(hamming(values=2, people=2), both)]
    [True, True]
    """
    factors = tensor_factors(space)
    if len(factors) == 1:
        return None
    if prior.weights is None:
        return [(factor, uniform) for factor in factors]
    laws = [_marginal(prior.weights, factors, axis) for axis in range(len(factors))]
    joint = [Fraction(1)]
    for law in laws:
        joint = [a * b for a in joint for b in law]
    if tuple(joint) != prior.weights:
        return None
    return [(factor, Prior(law)) for factor, law in zip(factors, laws, strict=True)]


def _marginal(
    weights: tuple[Fraction, ...], factors: tuple[Space, ...], axis: int
) -> tuple[Fraction, ...]:
    table = np.array(weights, dtype=object).reshape([factor.size for factor in factors])
    others = tuple(k for k in range(len(factors)) if k != axis)
    return tuple(table.sum(axis=others).tolist())


def _tensor(space: Space, parts: list[Regular | Irregular]) -> Regular | Irregular:
    """Products of the coefficients; a product is regular iff every factor is."""
    orbit, values = np.zeros(1, dtype=np.int64), [Fraction(1)]
    error, scale = Fraction(0), Fraction(1)
    for part in parts:
        if isinstance(part, Irregular):
            return part
        own = part.coefficients
        error = error * (max(own.values) + own.error) + own.error * max(values)
        orbit = np.add.outer(orbit * len(own.values), own.orbit).ravel()
        values = [a * b for a in values for b in own.values]
        scale *= part.scale
    return Regular(KernelWeights(space, orbit, tuple(values), error, "factor by factor"), scale)


def corner_priors(space: Space, level: Level) -> FloatArray:
    """The corner priors, one in each row: c_y[z] = Φ[y, z] / Σ_x Φ[y, x], in doubles.

    >>> from tightrope.spaces import path
    >>> corner_priors(path(0, 1), Level.ratio(3)).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    kernel = _kernel(space, level, -1)
    return np.asarray(kernel / kernel.sum(axis=1, keepdims=True))


def regular_bounds(space: Space, level: Level) -> tuple[FloatArray, FloatArray]:
    """Lower and upper bounds of every probability under regular priors, in doubles.

    1 / Σ_z e^(ε d(y,z)) <= π_y <= 1 / Σ_z e^(-ε d(y,z)) (ECP, Proposition 2). The upper bounds
    are attained by the corner priors, the lower ones not always: on three points in a row
    every corner prior is above that of the middle.

    >>> from tightrope.spaces import path
    >>> [bound.tolist() for bound in regular_bounds(path(0, 1), Level.ratio(3))]
    [[0.25, 0.25], [0.75, 0.75]]
    """
    with np.errstate(over="ignore"):  # infinite beyond doubles: no bound but 0
        low = 1 / _kernel_sums(space, level, 1)
    return low, 1 / _kernel_sums(space, level, -1)


def _kernel_sums(space: Space, level: Level, sign: int) -> FloatArray:
    """Σ_z e^(sign ε d(y,z)) for every point y; on boxes without a table of all distances."""
    require_connected(space, "regular priors are for")
    factors = tensor_factors(space)
    if len(factors) > 1:
        parts = [_kernel_sums(factor, level, sign) for factor in factors]
        return reduce(lambda sums, part: np.multiply.outer(sums, part).ravel(), parts)
    if not isinstance(space, Lattice) or not isinstance(space.region, Box):
        return np.asarray(_kernel(space, level, sign).sum(axis=1))
    offsets = np.ix_(*(np.arange(side) for side in space.region.shape))
    keys = np.broadcast_to(np.asarray(space.norm.key(offsets)), space.region.shape)
    distinct, where = np.unique(keys, return_inverse=True)
    lengths = [space.norm.surd(int(key)) for key in distinct]
    sums = _powers(lengths, level, sign)[where].reshape(space.region.shape)
    for axis in range(sums.ndim):  # both ways from a cell, the cell itself once
        lines = np.moveaxis(sums, axis, 0)
        ahead = np.cumsum(np.concatenate([np.zeros_like(lines[:1]), lines[1:]]), axis=0)
        sums = np.moveaxis(lines[:1] + ahead + ahead[::-1], 0, axis)
    return np.asarray(sums.ravel())


def _kernel(space: Space, level: Level, sign: int) -> FloatArray:
    require_connected(space, "regular priors are for")
    classes, table = distance_table(space)
    return np.asarray(_powers(classes, level, sign)[table])


def _powers(distances: Sequence[Surd], level: Level, sign: int) -> FloatArray:
    """e^(sign ε d) in doubles, rounded once where it is rational."""
    values = np.exp(sign * float(level) * np.array([float(distance) for distance in distances]))
    for k, distance in enumerate(distances):
        power = level.power(distance)
        if power is not None and power < 2**60:
            values[k] = float(power**sign)
    return values


def binary_bound(problem: Problem, coefficients: Sequence[Fraction]) -> Dual:
    """A lower bound on the binary loss of every mechanism, by multipliers m_z[y, z] = μ_y.

    The problem has the binary loss. For a regular prior Φ μ every price is prior[y] - μ_y, so
    that the bound is 1 - Σ μ. Any coefficients prove one: they are rounded down, and negative
    ones left out.

    >>> from tightrope.spaces import categories
    >>> asked = Problem(categories(4), Level.ratio(2), ["0.4", "0.2", "0.2", "0.2"])
    >>> found = binary_bound(asked, [Fraction(2, 5), 0, 0, 0])
    >>> round(float(found.bound), 12)
    0.6
    """
    amounts = np.array([floor(mu * 2**_DIGITS) << SCALE - _DIGITS for mu in coefficients], object)
    senders = np.flatnonzero(amounts > 0)
    multipliers = []
    for z in range(problem.space.size):
        others = senders[senders != z]
        units = tuple(amounts[others].tolist())
        multipliers.append(Multipliers(others, np.full(len(others), z), units))
    return prove_bound(problem, multipliers)
