"""Geometric mechanisms for whole numbers.

With α = e^(-ε), the two-sided geometric adds noise k with probability
(1 - α)/(1 + α) α^|k|. The truncated one moves everything below the range to the lowest
value and everything above to the highest: P(z | y) = w_z α^|y-z| with w = 1/(1 + α) at the
ends and (1 - α)/(1 + α) between. Its rows add up to 1 exactly.

Where one person moves a sum by up to v, the noise is that of ε/v per unit; where one person
moves k counts at once, every count has noise of its own at ε/k.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from tightrope.constructions.closed_forms.written_kernels import (
    WRITTEN_OUT,
    check_ratio,
    exact_kernel,
    rounded_kernel,
)
from tightrope.exact import Level, Surd, check_entries
from tightrope.kernels import inner_axes, path_weights
from tightrope.mechanisms import FiniteMechanism, MatrixMechanism, NoiseMechanism
from tightrope.spaces import Space, grid
from tightrope.utility import Loss, LossMatrix, Prior, best_remap, remapped

_ONE = Surd.of(1)

UNIVERSAL = "geometric plus best remap is optimal on a path for losses that grow with distance"


def truncated_geometric(space: Space, level: Level) -> FiniteMechanism:
    """The truncated geometric mechanism on a path, on sums or on several counts.

    >>> from tightrope.spaces import path
    >>> [str(p) for p in truncated_geometric(path(0, 2), Level.ratio(2)).row(0)]
    ['2/3', '1/6', '1/6']
    """
    form = space.describe()
    match form["family"]:
        case "sum":
            return _rounded(space, (space.size,), level.scaled(Fraction(1, form["max"])))
        case "counts":
            shape = (form["people"] + 1,) * form["queries"]
            return _rounded(space, shape, level.scaled(Fraction(1, form["queries"])))
    between = space.size - 2
    exact = level.pure.power(_ONE)
    if exact is not None:
        alpha = 1 / exact
        end, middle = 1 / (1 + alpha), (1 - alpha) / (1 + alpha)
        return exact_kernel(space, exact, Fraction(1), (end, *(middle,) * between, end))
    return _rounded(space, (space.size,), level)


def _rounded(space: Space, shape: Sequence[int], level: Level) -> MatrixMechanism:
    """Truncated geometric noise along every axis of a box, written out just inside the level.

    The points of the space are the cells of the box, one unit apart along each axis.
    """
    check_entries(space.size, space.size)
    inside = level.pure.inside(_ONE)
    with ctx.workprec(160):
        small = (-inside.ball(160)).exp()
        kinds = path_weights(small, len(shape))
    base: list[arb | Fraction] = [kinds[k] for k in inner_axes(shape).tolist()]
    box = grid(tuple(shape), metric="manhattan")
    return MatrixMechanism(space, space.points, rounded_kernel(box, inside, base).weights)


def remapped_geometric(
    space: Space, level: Level, *, prior: Prior, loss: Loss | LossMatrix
) -> tuple[FiniteMechanism, str | None]:
    """The truncated geometric with its best remap, and the theorem that makes it optimal.

    If the loss of input i grows with the distance |i - r| of the answer r, no mechanism at
    this level has a smaller average loss, for any prior (Ghosh, Roughgarden, Sundararajan).
    """
    theorem = UNIVERSAL if grows_with_distance(loss.matrix(space, space.points)) else None
    if space.size <= WRITTEN_OUT:
        exact = truncated_geometric(space, level)
        return remapped(exact, prior=prior, loss=loss, outputs=space.points), theorem
    rounded = _rounded(space, (space.size,), level)
    targets = best_remap(rounded, prior=prior, loss=loss, outputs=space.points)
    if targets == tuple(range(space.size)):
        return truncated_geometric(space, level), theorem
    return MatrixMechanism(space, space.points, rounded.weights.merged(targets)), theorem


def grows_with_distance(table: NDArray[np.float64]) -> bool:
    """Whether every row depends on |i - r| only and does not fall as it grows."""
    size = len(table)
    for i, row in enumerate(table):
        left, right = row[i::-1], row[i:]
        shared = min(len(left), len(right))
        longer = left if len(left) > len(right) else right
        if (left[:shared] != right[:shared]).any() or (np.diff(longer) < 0).any():
            return False
    return size > 0


def two_sided_geometric(space: Space, level: Level) -> NoiseMechanism:
    """Two-sided geometric noise on all integers, with a rational ratio at or just below e^ε."""
    ratio = level.pure.ratio_below(_ONE)
    check_ratio(ratio)
    return NoiseMechanism(space, ratio)
