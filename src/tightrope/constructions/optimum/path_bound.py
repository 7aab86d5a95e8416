"""The bound beside the theorem on paths: multipliers without a solver.

Let α = e^(-ε), Φ[x, y] = α^|x-y| and c_z[y] = prior[y] · loss[y, z]. The remapped geometric
replaces x by an answer that makes (Φ c_z)[x] least. By complementary slackness the prices of
a matching dual are Φ⁻¹ min_z Φ c_z, and Φ⁻¹ has three diagonals.

What c_z leaves above the prices has to be shipped from places with too much to places with
too little, a unit shrinking to α at each step. On a path that is a sweep from both ends
toward z: a surplus is passed on, a deficit is asked of the next place. Whatever is sent
proves a bound; it meets the loss if the remapped geometric is optimal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tightrope.constructions.measures import measured, whole_units
from tightrope.exact import Level, tolerances
from tightrope.spaces import Space
from tightrope.utility import Dual, Loss, LossMatrix, Multipliers, Prior, prove_bound

FloatArray = NDArray[np.float64]

_DIGITS = 60
"""Binary digits after the point of a multiplier."""


def path_bound(
    space: Space, level: Level, *, prior: Prior, loss: Loss | LossMatrix
) -> Dual | None:
    """A bound on the average loss of every mechanism on a path that answers with its values.

    None where the path is long or what is sent leaves the range of doubles.

    >>> from tightrope.spaces import path
    >>> from tightrope.utility import absolute, uniform
    >>> found = path_bound(path(0, 2), Level.ratio(2), prior=uniform, loss=absolute)
    >>> round(float(found.bound), 12)
    0.555555555556
    """
    if space.size > tolerances.LARGEST_PATH_BOUND or float(level) > tolerances.LARGEST_CONE_REACH:
        return None
    small = float(np.exp(-float(level)))
    losses, unit = measured(loss.matrix(space, space.points))
    costs = prior.on(space)[:, None] * losses
    with np.errstate(over="ignore"):
        sent = _sent(costs - _prices(costs, small)[:, None], small)
    if not np.isfinite(sent).all():
        return None
    multipliers = []
    for flows in sent.T:
        tails = np.flatnonzero(flows)
        onward = flows[tails] > 0
        units = whole_units(np.abs(flows[tails]), unit, digits=_DIGITS)
        multipliers.append(
            Multipliers(np.where(onward, tails, tails + 1), np.where(onward, tails + 1, tails),
                        units)
        )
    return prove_bound(
        space, level, prior=prior, loss=loss, outputs=space.points, multipliers=multipliers
    )


def _prices(costs: FloatArray, small: float) -> FloatArray:
    """Φ⁻¹ min_z Φ c_z."""
    before, after = np.zeros_like(costs), np.zeros_like(costs)
    for y in range(1, len(costs)):
        before[y] = small * (before[y - 1] + costs[y - 1])
        after[-1 - y] = small * (after[-y] + costs[-y])
    least = (before + after + costs).min(axis=1)
    prices = (1 + small**2) * least
    prices[[0, -1]] = least[[0, -1]]
    beside = np.zeros_like(least)
    beside[1:] += least[:-1]
    beside[:-1] += least[1:]
    prices -= small * beside
    return np.asarray(prices / (1 - small**2))


def _sent(balance: FloatArray, small: float) -> FloatArray:
    """For every step (y, y + 1) and output what is sent along it, negative if backward."""
    size = len(balance)
    sent = np.zeros((size - 1, size))
    for ends in (1, -1):  # toward z from the low end, then, mirrored, from the high end
        near = balance[::ends, ::ends]
        steps = sent[::ends, ::ends]
        carry = np.zeros(size)
        for y in range(size - 1):
            carry = near[y] + np.where(carry > 0, small * carry, carry / small)
            carry[: y + 1] = 0.0  # only outputs further on
            steps[y] += ends * np.where(carry > 0, carry, carry / small)
    return sent
