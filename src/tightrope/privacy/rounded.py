"""Privacy of rounded kernels on grids, from bounds on their normalizers.

κ(d) lies between q^(-d/unit) and that divided by 1 + 2^-61, so the triangle inequality gives
P(z | a) / P(z | b) <= q^t f with t = d(a,b)/unit >= 1 and f = (1 + 2^-61) max N / min N >= 1.
Since q^t f <= (q f)^t, one comparison decides for all pairs: q f with e^(ε unit).
Normalizers are sums of the same powers, so that N_b / N_a is at most q^t (1 + 2^-61) too: twice
the rate is a level that needs no normalizer at all.
In the other direction the output z = a is attained between adjacent inputs:
P(a | a) / P(a | b) = N_b / (N_a κ(unit)).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import ctx

from tightrope.errors import CannotCheck
from tightrope.exact import (
    Level,
    Surd,
    ball_of,
    float_above,
    float_below,
    power_of_two,
    sizes,
)
from tightrope.mechanisms import UNIT_BITS, KernelMechanism, sides
from tightrope.privacy.evidence import Certificate, Evidence, Smallest
from tightrope.privacy.normalizers import KernelSpot


@dataclass(frozen=True)
class Span:
    """Two adjacent inputs, a lower bound on their ratio at the first, an upper one for all.

    `most` is None where the normalizers are not even known to be positive.
    """

    first: int
    second: int
    attained: Fraction
    most: Fraction | None

    def smallest(self, step: Surd) -> Smallest | None:
        """The smallest level lies between the two; None if there is no upper one."""
        if self.most is None:
            return None
        with ctx.workprec(192):
            length = step.ball(192)
            high = ball_of(self.most, 192).log() / length
            low = ball_of(max(self.attained, Fraction(1)), 192).log() / length
        return Smallest(max(0.0, float_below(low)), float_above(high), None)


def distance_bound(mechanism: KernelMechanism) -> Fraction:
    """Upper bound on the ratio of rows one step apart, whatever the weights are."""
    return (mechanism.ratio * (1 + Fraction(1, 1 << UNIT_BITS))) ** 2


@lru_cache(maxsize=4)
def span(mechanism: KernelMechanism) -> Span:
    """Bounds on the ratios of all pairs of inputs, from bounds on the normalizers."""
    sums = mechanism.sums
    rounding = 1 + Fraction(1, 1 << UNIT_BITS)
    most = None
    if sums.least > 0:
        most = mechanism.ratio * rounding * Fraction(sums.most, sums.least)
    first, second = _steepest(mechanism)
    head, tail = mechanism.value(mechanism.space.least_distance)
    reached = Fraction(sums.lows[second], sums.lows[first] + sums.width)
    return Span(first, second, reached / (head * power_of_two(tail)), most)


def judge_by_normalizers(
    mechanism: KernelMechanism, level: Level
) -> Certificate | KernelSpot | None:
    """A certificate, a ratio that breaks the level, or None where the bounds leave it open."""
    space, step = mechanism.space, mechanism.space.least_distance
    large = space.size > sizes.MOST_WRITTEN_KERNEL
    if large and level.compare(distance_bound(mechanism), step) <= 0:
        return _distance_certificate(mechanism, level)
    bounds = span(mechanism)
    if bounds.most is not None and level.compare(bounds.most, step) <= 0:
        return Certificate(
            level,
            Evidence.KERNEL,
            bounds.smallest(step),
            (Fraction(0), Fraction(0)),
            None if space.neighbors is None else space.neighbors.relation,
            space.size,
            "rows are implied by distances: the triangle inequality and bounds on all "
            "normalizers, from an exact convolution, bound every ratio",
        )
    if level.delta == 0 and level.compare(bounds.attained, step) > 0:
        over, under = bounds.attained.as_integer_ratio()
        return KernelSpot(bounds.first, bounds.second, step, over, under, True)
    if large:
        raise CannotCheck(
            f"the normalizers of the kernel on {space.text} differ too much for a proof, and "
            f"{space.size:,} rows are too many to write out."
        )
    return None


def _distance_certificate(mechanism: KernelMechanism, level: Level) -> Certificate:
    """The certificate that rests on distances alone.

    The ratios of two adjacent rows at their own outputs have the product 1/κ², at least q²: with
    weights on all points the smallest level is at least ln q for each step.
    """
    space = mechanism.space
    least = mechanism.ratio if min(mechanism.weights) > 0 else Fraction(1)
    bracket = Span(0, 0, least, distance_bound(mechanism)).smallest(space.least_distance)
    return Certificate(
        level,
        Evidence.KERNEL,
        bracket,
        (Fraction(0), Fraction(0)),
        None if space.neighbors is None else space.neighbors.relation,
        space.size,
        "rows are implied by distances: the triangle inequality bounds every weight and, once "
        "more, every normalizer",
    )


def _steepest(mechanism: KernelMechanism) -> tuple[int, int]:
    """Adjacent inputs with the largest N_b / N_a, as far as doubles tell; w_a > 0."""
    normalizers = mechanism.sums.floats().reshape(sides(mechanism.grid))
    positive = np.array(mechanism.weights, dtype=np.int64).reshape(normalizers.shape) > 0
    places = np.arange(mechanism.space.size).reshape(normalizers.shape)
    best = (-1.0, 0, 0)
    for axis in range(normalizers.ndim):
        for way in (slice(None), slice(None, None, -1)):
            turn = tuple(way if k == axis else slice(None) for k in range(normalizers.ndim))
            n, h, p = normalizers[turn], positive[turn], places[turn]
            near = tuple(slice(None, -1) if k == axis else slice(None) for k in range(n.ndim))
            next_ = tuple(slice(1, None) if k == axis else slice(None) for k in range(n.ndim))
            ratios = np.full(h[near].shape, -1.0)  # a sum of no whole unit has no weight of its own
            np.divide(n[next_], n[near], out=ratios, where=h[near])
            if ratios.size and float(ratios.max()) > best[0]:
                at = int(np.argmax(ratios))
                best = (float(ratios.max()), int(p[near].flat[at]), int(p[next_].flat[at]))
    return best[1], best[2]
