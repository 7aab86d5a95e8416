"""ε* of wide squares from above: noise that is clipped in parts.

Noise X with a density proportional to e^(-max(|x₁|, |x₂|)), lengths in units of 1/ε, is added to
the input, and each coordinate y of the sum becomes an answer by a rising function. Its values
[γ, L - γ] are cut into k equal parts, at most 2γ long. Part i is moved by γ s_i: it is the answer
to y - γ s_i in it; what lies between parts, or outside all, goes to the nearest end. Let
-1 <= s_1 <= … <= s_k <= 1. An answer within γ of x, in a coordinate, is one between x - γ and
x + γ, which lie in different parts, or outside. So it is near enough if, for some i from 0 to k,

    -γ (1 - s_i) <= X <= γ (1 + s_(i+1)),    without the ends s_0 and s_(k+1).

The noise has level ε, and so have functions of it. In a wide square inputs in the middle fail on
both sides: the shifts give them what inputs at the sides can spare.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import ceil, exp, inf, log

import numpy as np
from flint import arb, ctx

from tightrope.exact import FloatArray, ball_of, float_above

MOST_PARTS = 16
"""Beyond, noise for the plane is within about one percent."""
_RAREST = 2.0**-900
"""Failures below this are lost in doubles."""
_SPARES = (24, 16, 8)
"""The proof may take a radius that is longer by 2^-24, or more, than the search found."""

Margins = tuple[float, float]
"""How far noise may go down and up, in units of 1/ε, where an input is still served."""


def clipped_level(length: Fraction, radius: Fraction, failure: Fraction) -> float | None:
    """A level that suffices on a square, proved; None where nothing is found.

    >>> round(clipped_level(Fraction(6), Fraction(1), Fraction(1, 10)), 3)
    3.537
    """
    parts = max(1, ceil(length / (2 * radius)) - 1)
    if parts > MOST_PARTS or failure < Fraction(_RAREST):
        return None
    shortest, shifts = search_shifts(parts, float(failure))
    for spare in _SPARES:
        reach = Fraction(shortest) * (1 + Fraction(1, 2**spare))
        if fails_at_most(failure, reach, shifts):
            return float_above(ball_of(reach / radius, 128))
    return None


def search_shifts(parts: int, failure: float) -> tuple[float, list[Fraction]]:
    """The least εγ, nearly, and its shifts, antisymmetric about the middle."""
    from scipy.optimize import minimize

    def all_shifts(half: FloatArray) -> list[float]:
        middle = [0.0] * (parts % 2)
        return [*half, *middle, *(-half[::-1])]

    def slack(point: FloatArray) -> list[float]:
        margins = _margins(point[0], all_shifts(point[1:]))
        return [log(failure) - log(_failure(one, other))
                for one, other in combinations_with_replacement(margins, 2)]

    start = [3 - log(failure), *[0.0] * (parts // 2)]
    reach, *half = minimize(
        lambda point: point[0], start, method="SLSQP", constraints={"type": "ineq", "fun": slack},
        bounds=[(2.0**-20, None), *[(-0.9, 0.0)] * (parts // 2)], options={"maxiter": 200}).x
    return float(reach), [Fraction(s) for s in all_shifts(np.array(half))]


def _margins(reach: float, shifts: Sequence[float]) -> list[Margins]:
    down = [inf, *(reach * (1 - s) for s in shifts)]
    up = [*(reach * (1 + s) for s in shifts), inf]
    return list(zip(down, up, strict=True))


def _failure(first: Margins, second: Margins) -> float:
    """The chance that noise leaves these margins in one coordinate or the other."""
    alone = sum(exp(-a) * (2 + a) / 4 for a in (*first, *second) if a < inf)
    both = sum(exp(-max(a, b)) * (2 + abs(a - b)) / 8
               for a in first for b in second if max(a, b) < inf)
    return alone - both


def fails_at_most(failure: Fraction, reach: Fraction, shifts: Sequence[Fraction]) -> bool:
    """Whether no input fails more often, decided in balls.

    P(X₁ > a) = e^(-a) (2 + a)/4 and P(X₁ > a, X₂ > b) = e^(-a) (2 + a - b)/8 for a >= b >= 0.
    """
    if shifts[0] < -1 or shifts[-1] > 1 or any(a > b for a, b in pairwise(shifts)):
        return False
    down = [None, *(reach * (1 - s) for s in shifts)]
    up = [*(reach * (1 + s) for s in shifts), None]

    def chance(a: Fraction, factor: Fraction) -> arb:
        return (-ball_of(a, 192)).exp() * ball_of(factor, 192)

    with ctx.workprec(192):
        for one, other in combinations_with_replacement(zip(down, up, strict=True), 2):
            ends = [[a for a in margins if a is not None] for margins in (one, other)]
            total = sum((chance(a, (2 + a) / 4) for a in (*ends[0], *ends[1])), arb(0)) - sum(
                (chance(max(a, b), (2 + abs(a - b)) / 8) for a in ends[0] for b in ends[1]),
                arb(0))
            if not total <= ball_of(failure, 192):
                return False
    return True
