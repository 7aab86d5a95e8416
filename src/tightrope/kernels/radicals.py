"""The equation Φ μ = b where all e^(-ε d) are radicals: ties and singular Φ are decided.

At e^ε = √2, for instance, a weight can be exactly 0 and Φ singular, which no precision of balls
settles. In the field of the radicals both are decided; what is handed on is rational again:
weights within an error (a weight that is 0 is 0), and a vector with room to spare on all sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from tightrope.exact import (
    Level,
    Radical,
    RadicalField,
    ball_of,
    lower_bound,
    sizes,
    upper_bound,
)
from tightrope.kernels.reduction import ReducedKernel
from tightrope.lp import nonnegative_radical, solve_radical

_BITS = 256
_ROOM = 4
"""Parts of the room below 0 that a separating vector keeps, over those it gives away."""


@dataclass(frozen=True)
class RadicalAnswer:
    """Weights within an error; or, if one is negative, where, how much, and the proof u.

    `values` is None if there are none; `worst` is the orbit with the negative weight, and
    `upper` a bound of it, None if the equation has no solution or many.
    """

    values: tuple[Fraction, ...] | None
    error: Fraction
    worst: int = 0
    upper: Fraction | None = None
    separation: tuple[Fraction, ...] = ()


def solve_in_radicals(
    kernel: ReducedKernel, level: Level, right: Sequence[Fraction]
) -> RadicalAnswer | None:
    """The answer in the field of the level; None where there is no field, or it is too large."""
    field = RadicalField.of(level, kernel.classes)
    if field is None or field.degree * kernel.size > sizes.MOST_RADICAL_UNKNOWNS:
        return None
    powers = [field.power(distance, sign=-1) for distance in kernel.classes]
    matrix: list[list[Radical]] = [
        [field.number(0) + entry for entry in row] for row in kernel.exact(powers)
    ]
    goal = [field.number(x) for x in right]
    solution = solve_radical(matrix, goal)
    if solution is None:
        values, vector = nonnegative_radical(matrix, goal)
        if values is not None:
            return rounded(values)
        worst = min(range(kernel.size), key=lambda k: lower_bound(vector[k].ball(_BITS)))
        return RadicalAnswer(None, Fraction(0), worst, None, _separate(vector, right))
    if all(x.sign >= 0 for x in solution):
        return rounded(solution)
    worst = min(range(kernel.size), key=lambda k: upper_bound(solution[k].ball(_BITS)))
    unit = [field.number(k == worst) for k in range(kernel.size)]
    solved = solve_radical(list(zip(*matrix, strict=True)), unit)
    assert solved is not None
    upper = upper_bound(solution[worst].ball(_BITS))
    return RadicalAnswer(None, Fraction(0), worst, upper, _separate(solved, right))


def rounded(values: Sequence[Radical]) -> RadicalAnswer:
    """Weights as fractions within an error; those that are 0 are 0 exactly."""
    ends = []
    for value in values:
        ball = value.ball(_BITS)
        ends.append((lower_bound(ball), upper_bound(ball)) if value.sign else (0, 0))
    middle = tuple(Fraction(low + high) / 2 for low, high in ends)
    return RadicalAnswer(middle, max(Fraction(high - low) / 2 for low, high in ends))


def _separate(vector: Sequence[Radical], right: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """A rational vector near u + share, share > 0, so that u A has room and u b is negative.

    Every entry of A is positive, so that a constant lifts each entry of u A by more than the
    rounding takes away.
    """
    bits = _BITS
    while True:
        with ctx.workprec(bits):
            balls = [number.ball(bits) for number in vector]
            parts = (x * ball_of(b, bits) for x, b in zip(balls, right, strict=True))
            below = sum(parts, arb(0))
            if below < 0:
                share = -upper_bound(below) / (_ROOM * sum(right, Fraction(0)))
                ends = [(lower_bound(x), upper_bound(x)) for x in balls]
                if share > _ROOM * max(high - low for low, high in ends):
                    return tuple((low + high) / 2 + share for low, high in ends)
        bits *= 2
