"""Lower bounds for large regions, proved without solving for the whole of them.

*Truths spread evenly over a convex region R, level ε at every distance.* Take the price λ = c/ε
on what lies at least w/ε inside R, and 0 in the margin. Prices bound the mean displacement by
their own mean, c/ε times the share of R that is not margin, if for every answer z no column v of
the mechanism has ∫ v(x) (|x - z| - λ(x)) dx < 0. Answers outside R may be moved to it. Along a
ray from z, e^(ε r) v(r) never falls, so that it is enough to look at e^(-ε r) from any point of
the ray on, where it meets margin, inside and margin again, at least w/ε long. With u = ε times
the way to where the inside ends, all are at least 0 if for every u >= 0

    (2 - c) + c (1 + u) e^-u  >=  (s² + 2s + 2) e^-s,   s = u + w.

Both sides fall with u, so that a table of u proves it. Far from the edge c is close to 2, which
is what planar noise has.

*Other priors.* Truths in a block of cells alone lose at least what is best for the block, with the
prior given the block: the whole loses at least Σ π(B) opt(B). A block is a rectangle. An answer
outside it may be moved to it, nearer to all of its cells, so only its own cells count as answers.

*A promise at one distance.* Whatever keeps the factor within that distance is private on the graph
that joins cells whose centers are so near. The optimum on it, or on its blocks, is a bound for
noise in steps, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from time import monotonic
from typing import Final

import numpy as np
from flint import ctx

from tightrope.constructions import Effort, design
from tightrope.exact import FloatArray, Level, ball_of
from tightrope.locations.covering import Cells
from tightrope.locations.nearness import best_near, near_space
from tightrope.spaces import PER_METER, Region, grid
from tightrope.utility import Prior, uniform

_PRICES: Final = tuple(Fraction(c, 1000) for c in
                       (1000, 1200, 1400, 1500, 1600, 1700, 1760, 1820, 1860, 1900, 1930, 1950,
                        1970, 1980, 1990, 1995, 1998, 1999))
_STEP: Final = Fraction(1, 128)
_SIDE: Final = 12
"""Cells along a block, at most."""
_GAP: Final = 0.01


def even_bound(region: Region, rate: float) -> float:
    """Meters below which no mean displacement is, for truths spread evenly over the hull.

    `rate` is ε for each meter of the plane.

    >>> from tightrope.spaces import Region
    >>> madrid = Region.box(-4, 40, -3, 41)
    >>> [round(even_bound(madrid, rate) * rate, 2) for rate in (0.0001, 0.001, 0.01)]
    [1.23, 1.87, 1.98]
    """
    bound = 0.0
    for price in _PRICES:
        width = _margin(float(price))
        share = _inner_share(region, width / rate)
        if float(price) * share / rate > bound and _inequality_holds(price, Fraction(width)):
            bound = float(price) * share / rate
    return bound


@cache
def _margin(price: float) -> float:
    """The least w of a few for which the inequality seems to hold."""
    u = np.arange(0, 60, float(_STEP))
    least = (2 - price) + price * (1 + u[1:]) * np.exp(-u[1:])

    def fits(w: float) -> bool:
        s = u[:-1] + w
        return bool((least > (s * s + 2 * s + 2) * np.exp(-s)).all())

    low, high = 0.0, 20.0
    while high - low > 1 / 64:
        middle = (low + high) / 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high + 1 / 64


@cache
def _inequality_holds(price: Fraction, width: Fraction) -> bool:
    """Whether the inequality holds for every u >= 0, in balls.

    >>> [_inequality_holds(Fraction(19, 10), Fraction(w, 10)) for w in (11, 9)]
    [True, False]
    """
    with ctx.workprec(96):
        c = ball_of(price, 96)
        for k in range(60 * _STEP.denominator):
            s, u = (ball_of(k * _STEP + width, 96), ball_of((k + 1) * _STEP, 96))
            most = (s * s + 2 * s + 2) * (-s).exp()
            if most < 2 - c:  # and so for every larger u
                return True
            if not (2 - c) + c * (1 + u) * (-u).exp() > most:
                return False
        return False


def _inner_share(region: Region, width: float) -> float:
    """The share of the hull that is at least so many meters inside, or less."""
    hull = region.hull / PER_METER
    if region.boxed:
        sides = np.ptp(hull, axis=0)
        return float(np.prod(np.maximum(sides - 2 * width, 0) / sides))
    ends = np.roll(hull, -1, axis=0)
    area = abs(float((hull[:, 0] * ends[:, 1] - hull[:, 1] * ends[:, 0]).sum())) / 2
    length = float(np.hypot(*(ends - hull).T).sum())
    return max(0.0, 1 - width * length / area)


def block_bound(
    cells: Cells, level: Level, shares: FloatArray, seconds: float, within: Fraction | None = None
) -> float:
    """Meters below which no mean is, for truths and answers at centers of cells, by these shares.

    Blocks are solved from the likeliest on as long as there is time; the others count 0. With a
    distance `within`, the level is that of two cells so near, and nothing finer is asked for.
    """
    ends, bound = monotonic() + seconds, 0.0
    table = shares.reshape(cells.shape)
    for block in sorted(_blocks(cells), key=lambda part: -float(table[part].sum())):
        weights = table[block]
        left, weight = ends - monotonic(), float(weights.sum())
        if left <= 0 or not weight:
            break
        prior = Prior(tuple(Fraction(part) / Fraction(weight) for part in weights.ravel().tolist()))
        given = uniform if np.ptp(weights) == 0 else prior
        effort, step = Effort(_GAP, left), cells.space.step
        best = design(grid(weights.shape, step), level, prior=given, loss="euclidean",
                      construction="optimal", effort=effort) if within is None else (
            best_near(near_space(weights.shape, step, within), weights.shape, step, level, given,
                      effort))
        bound += weight * (best.bound or 0.0)
    return bound


def _blocks(cells: Cells) -> Iterator[tuple[slice, slice]]:
    """Rectangles of at most so many cells a side, as even as can be."""
    cuts = [np.linspace(0, side, -(-side // _SIDE) + 1).astype(int) for side in cells.shape]
    for a, b in zip(cuts[0], cuts[0][1:], strict=False):
        for c, d in zip(cuts[1], cuts[1][1:], strict=False):
            yield slice(int(a), int(b)), slice(int(c), int(d))
