"""ECP, Figure 7: tight constraints against planar noise on 100 × 100 locations.

Gains of the planar Laplace and the planar geometric are computed in doubles: their law on the
whole plane, or on the whole lattice, with everything outside moved to the nearest location.
That is post-processing, so both have level ε exactly; their privacy is by theorem, not checked
here. For the uniform prior every output is best read as itself.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import cos, exp, pi, sin

import numpy as np
from scipy.integrate import quad

from tightrope.exact import Level
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.spaces import grid, reduced_kernel
from tightrope.utility import KernelWeights, NoWeights, solve_reduced

SIDE = 100
_FAR = 400


def planar_laplace_gain(epsilon: float, side: int) -> float:
    """The mean over locations of the mass that stays in the own cell, and beyond at the border."""

    def within(radius: float) -> float:
        return 1 - (1 + epsilon * radius) * exp(-epsilon * radius)

    eighth = quad(lambda t: within(0.5 / cos(t)), 0, pi / 4)[0] / (2 * pi)
    band = quad(lambda t: within(0.5 / sin(t)) if t > 0 else 1.0, 0, pi / 2)[0] / (2 * pi)
    inner, edge, corner = 8 * eighth, 4 * eighth + 2 * band, 1 / 4 + 2 * band + 2 * eighth
    return _mean(inner, edge, corner, side)


def planar_geometric_gain(epsilon: float, side: int) -> float:
    """The same for the law proportional to e^(-ε d) on all points of the lattice."""
    steps = np.arange(_FAR + 1)
    kernel = np.exp(-epsilon * np.hypot(steps[:, None], steps[None, :]))
    ray, quarter = float(kernel[0].sum()), float(kernel.sum())
    total = 4 * quarter - 4 * ray + 1
    return _mean(1 / total, ray / total, quarter / total, side)


def _mean(inner: float, edge: float, corner: float, side: int) -> float:
    cells = (side - 2) ** 2 * inner + 4 * (side - 2) * edge + 4 * corner
    return cells / side**2


@cache
def _solutions(*levels: str) -> tuple[KernelWeights | NoWeights, ...]:
    """The weights at some levels, or the proofs that there are none."""
    kernel = reduced_kernel(grid((SIDE, SIDE)))
    ones = (Fraction(1),) * kernel.size
    return tuple(solve_reduced(kernel, Level.epsilon(level), ones) for level in levels)


def _run() -> Finding:
    below, above = "0.665351", "0.665352"
    absent, present, usual = _solutions(below, above, "1")
    proved = isinstance(absent, NoWeights) and isinstance(present, KernelWeights)
    assert isinstance(usual, KernelWeights)
    tight = float(sum(usual.total) / 2 / SIDE**2)
    laplace, geometric = planar_laplace_gain(1.0, SIDE), planar_geometric_gain(1.0, SIDE)
    return judged(
        "the gain of the tight-constraints mechanism is plotted from ε = 0.4, above the Laplace",
        f"none at {below}, exists at {above}: {'both proved' if proved else 'not so'}; at ε = 1 "
        f"the gain is {tight:.6f} against {laplace:.6f} for the planar Laplace and "
        f"{geometric:.6f} for the planar geometric (both in doubles)",
        not proved or tight <= max(laplace, geometric),
        "below the endpoint some weights are negative; above it the mechanism is better, as the "
        "paper says. The planar Laplace over cells, truncated, needs no adjusted ε.",
    )


ITEMS = (
    Item("ecp", "figure-7", "100 × 100 locations: tight constraints against planar noise",
         Verdict.CORRECTED, _run),
)
