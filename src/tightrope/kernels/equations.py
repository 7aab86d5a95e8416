"""The equation Φ μ = b with μ >= 0, Φ = exp(-ε d): a solution, or a proof that there is none.

Everything about regular priors and tight-constraints mechanisms is this equation (ECP,
Definition 4 and Proposition 7). It is solved on the orbits of the symmetries that leave b
alone: in rational numbers where e^(-ε d) is rational and orbits are few, else in doubles with
a proved error, else in balls of growing precision. A sign is only stated where it is proved.

If ε is algebraic (every decimal is) and b > 0, refining ends: by Lindemann and Weierstrass
neither det Φ nor a coordinate of its solution is zero, since both tend to something positive
as ε grows. Ties and singular Φ occur at algebraic e^ε only; they are decided in rational
numbers where all e^(-ε d) are rational, and in the field of their radicals where they are roots
of rationals (`radicals`). A tie between transcendental powers would be refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat, fmpz_mat

from tightrope.errors import CannotCheck
from tightrope.exact import (
    Enclosure,
    FloatArray,
    IntArray,
    Level,
    Line,
    RadicalField,
    ball_of,
    enclose,
    from_flint,
    lower_bound,
    own,
    sizes,
    to_flint,
    upper_bound,
)
from tightrope.kernels.radicals import solve_in_radicals
from tightrope.kernels.reduction import ReducedKernel, reduced_kernel
from tightrope.lp import Separated, nonnegative_solution
from tightrope.markup import brief
from tightrope.spaces import Label, Space

_UNIT = 120  # bits after the binary point of refined solutions


@dataclass(frozen=True, eq=False)
class KernelWeights:
    """μ >= 0 with Φ μ = b: one value for every orbit, each within `error` of the true one.

    `exact` says that the values themselves solve the equation.
    """

    space: Space
    orbit: IntArray
    values: tuple[Fraction, ...]
    error: Fraction
    method: str

    __repr__ = brief

    def __post_init__(self) -> None:
        own(self)

    @property
    def exact(self) -> bool:
        """Whether the values are the solution and not only close to it."""
        return self.error == 0

    @property
    def each(self) -> tuple[Fraction, ...]:
        """One value for every point."""
        return tuple(self.values[k] for k in self.orbit.tolist())

    @property
    def floats(self) -> FloatArray:
        """One double for every point."""
        return np.array([float(value) for value in self.values])[self.orbit]

    @property
    def total(self) -> tuple[Fraction, Fraction]:
        """Bounds of Σ μ."""
        sizes = np.bincount(self.orbit, minlength=len(self.values)).tolist()
        middle = sum((n * v for n, v in zip(sizes, self.values, strict=True)), Fraction(0))
        return middle - len(self.orbit) * self.error, middle + len(self.orbit) * self.error


@dataclass(frozen=True, eq=False)
class NoWeights:
    """Proof that no μ >= 0 has Φ μ = b: a vector u with Φ u >= 0 and Σ b u < 0.

    Where Φ is regular, the only solution has a coordinate, at `point`, that is at most
    `upper` < 0; else `upper` is None. `separation` is u, one number for every point of the
    space (of a product, the factor that has no solution): exact, so that anybody can check it.
    """

    space: Space
    point: Label
    upper: float | None
    separation: tuple[Fraction, ...]


def solve_on_orbits(
    space: Space, level: Level, right: Sequence[Fraction] | None = None, *, sharp: bool = False
) -> KernelWeights | NoWeights:
    """The μ >= 0 with Φ μ = right (all ones if not given), whatever the structure of the space.

    `sharp` asks for errors near 2^-100 instead of the rounding of doubles.

    >>> from tightrope.spaces import path
    >>> solve_on_orbits(path(0, 2), Level.ratio(2)).each
    (Fraction(2, 3), Fraction(1, 3), Fraction(2, 3))
    >>> from tightrope.spaces import star
    >>> solve_on_orbits(star(4), Level.ratio(2)).point
    0
    """
    kernel = reduced_kernel(space, right)
    if right is None:
        chosen = (Fraction(1),) * kernel.size
    else:
        chosen = tuple(right[k] for k in kernel.representatives.tolist())
    return solve_reduced(kernel, level.pure, chosen, sharp=sharp)


def solve_reduced(
    kernel: ReducedKernel, level: Level, right: Sequence[Fraction], *, sharp: bool = False
) -> KernelWeights | NoWeights:
    """The same for a reduced kernel and one number for every orbit."""
    powers = _powers(kernel, level)
    if powers is not None and kernel.size <= sizes.MOST_EXACT_ORBITS:
        return _rational(kernel, powers, right)
    solution = None
    if kernel.size <= sizes.MOST_ORBITS:
        solution = _in_doubles(kernel, level, right, sharp=sharp)
    if solution is None and kernel.size <= sizes.MOST_BALL_ORBITS:
        ties = powers is not None or RadicalField.of(level, kernel.classes) is not None
        solution = _in_balls(kernel, level, right, 512 if ties else sizes.MOST_BALL_BITS)
        if solution is None and powers is not None:
            solution = _rational(kernel, powers, right)
        elif solution is None and ties:
            solution = _in_field(kernel, level, right)
    if solution is None:
        raise CannotCheck(
            f"the signs of the solution on {kernel.space.text} at ε = {level.text} could not be "
            f"proved with {kernel.size:,} unknowns; use another ε or a smaller space."
        )
    return solution


def kernel_line(kernel: ReducedKernel, epsilon: Fraction, half: Fraction) -> Line:
    """The reduced kernel for all levels within `half` of ε, as a line with a curvature."""
    lengths = np.array([float(distance) for distance in kernel.classes])
    start = kernel_floats(kernel, epsilon)
    error = (int(kernel.sizes.max()) + 16) * 2.0**-52
    if not half:
        return Line.still(kernel.sums(start), error)
    wide = kernel_floats(kernel, epsilon - half)
    return Line(
        kernel.sums(start),
        kernel.sums(lengths * start),
        kernel.sums(lengths * lengths * wide),
        float(half),
        error,
    )


def kernel_floats(kernel: ReducedKernel, epsilon: Fraction | arb) -> FloatArray:
    """e^(-ε d) of every class, each double within 2^-52 relatively (or the least doubles)."""
    with ctx.workprec(128):
        rate = ball_of(epsilon, 128) if isinstance(epsilon, Fraction) else epsilon
        return np.array([float((-rate * d.ball(128)).exp().mid()) for d in kernel.classes])


def _powers(kernel: ReducedKernel, level: Level) -> list[Fraction] | None:
    """e^(-ε d) of every class where all of them are rational."""
    powers = []
    for distance in reversed(kernel.classes):
        power = level.power(distance)
        if power is None:
            return None
        powers.append(1 / power)
    return powers[::-1]


def _rational(
    kernel: ReducedKernel, powers: Sequence[Fraction], right: Sequence[Fraction]
) -> KernelWeights | NoWeights:
    """The solution in rational numbers; where A is singular, by the simplex method."""
    matrix = kernel.exact(powers)
    size = kernel.size
    entries = [to_flint(x) for row in matrix for x in row]
    exact = fmpq_mat(size, size, entries)
    try:
        solved = exact.solve(fmpq_mat(size, 1, [to_flint(x) for x in right]))
    except ZeroDivisionError:
        program = nonnegative_solution(matrix, right)
        if isinstance(program, Separated):
            worst = program.vector.index(min(program.vector))
            return _refusal(kernel, worst, None, program.vector)
        return KernelWeights(kernel.space, kernel.orbit, program, Fraction(0), "exact program")
    values = tuple(from_flint(x) for x in solved.entries())
    if min(values) >= 0:
        return KernelWeights(kernel.space, kernel.orbit, values, Fraction(0), "rational numbers")
    worst = values.index(min(values))
    unit = fmpq_mat(size, 1, [fmpq(i == worst) for i in range(size)])
    solved = exact.transpose().solve(unit)
    vector = tuple(from_flint(x) for x in solved.entries())
    return _refusal(kernel, worst, values[worst], vector)


def _in_field(
    kernel: ReducedKernel, level: Level, right: Sequence[Fraction]
) -> KernelWeights | NoWeights | None:
    """The solution in a field of radicals, as fractions; None where the field is too large."""
    solution = solve_in_radicals(kernel, level, right)
    if solution is None:
        return None
    if solution.values is None:
        return _refusal(kernel, solution.worst, solution.upper, solution.separation)
    return KernelWeights(kernel.space, kernel.orbit, solution.values, solution.error, "radicals")


def _refusal(
    kernel: ReducedKernel, orbit: int, upper: Fraction | None, vector: Sequence[Fraction]
) -> NoWeights:
    point = kernel.space.points[int(kernel.representatives[orbit])]
    bound = None if upper is None else float(upper)
    shares = [x / size for x, size in zip(vector, kernel.sizes.tolist(), strict=True)]
    return NoWeights(kernel.space, point, bound, tuple(shares[k] for k in kernel.orbit.tolist()))


def _in_doubles(
    kernel: ReducedKernel, level: Level, right: Sequence[Fraction], *, sharp: bool
) -> KernelWeights | NoWeights | None:
    """The solution in doubles with a proved error, refined if needed; None if undecided."""
    epsilon = level.ball(160)
    matrix = kernel.sums(kernel_floats(kernel, epsilon))
    error = (int(kernel.sizes.max()) + 16) * 2.0**-52
    enclosure = enclose(Line.still(matrix, error), np.array([float(x) for x in right]))
    if enclosure is None:
        return None
    if enclosure.high.min() < 0:
        worst = int(np.argmin(enclosure.high))
        vector = _separate(enclosure, worst)
        return _refusal(kernel, worst, Fraction(float(enclosure.high[worst])), vector)
    if enclosure.low.min() > 0 and not sharp:
        plain = tuple(Fraction(float(x)) for x in enclosure.middle)
        most = Fraction(float(enclosure.radius.max()))
        return KernelWeights(kernel.space, kernel.orbit, plain, most, "proved error")
    values, radius = _refine(kernel, epsilon, right, enclosure)
    if all(value > bound for value, bound in zip(values, radius, strict=True)):
        return KernelWeights(kernel.space, kernel.orbit, values, max(radius), "proved error")
    worst = min(range(kernel.size), key=lambda k: values[k] + radius[k])
    upper = values[worst] + radius[worst]
    if upper < 0:
        return _refusal(kernel, worst, upper, _separate(enclosure, worst))
    return None


def _separate(enclosure: Enclosure, worst: int) -> tuple[Fraction, ...]:
    """u with u A = e_worst + share, so that u b is negative and u A has room to spare."""
    share = abs(enclosure.middle[worst]) / (2 * np.abs(enclosure.middle).sum())
    vector = enclosure.inverse[worst] + share * enclosure.inverse.sum(axis=0)
    return tuple(Fraction(float(x)) for x in vector)


def _refine(
    kernel: ReducedKernel, epsilon: arb, right: Sequence[Fraction], enclosure: Enclosure
) -> tuple[tuple[Fraction, ...], list[Fraction]]:
    """The solution in units of 2^-120 by residuals in integers, and bounds of its errors.

    A class is rounded to 2^-120, off by 2 units at most, so an entry is off by twice the
    number of points of its orbit.
    """
    unit = 1 << _UNIT
    size = kernel.size
    with ctx.workprec(_UNIT + 40):
        units = [
            min(unit - 1, int(lower_bound((-epsilon * d.ball(_UNIT + 40)).exp()) * unit))
            for d in kernel.classes
        ]
    matrix = fmpz_mat(size, size, kernel.integers(units))
    goal = [(x.numerator << 2 * _UNIT) // x.denominator for x in right]
    current = [int(Fraction(float(x)) * unit) for x in enclosure.middle]
    for last in (False, False, True):
        product = (matrix * fmpz_mat(size, 1, current)).entries()
        gaps = [g - int(p) for g, p in zip(goal, product, strict=True)]
        residual = np.array([float(Fraction(gap, unit * unit)) for gap in gaps])
        sizes = np.array([abs(float(Fraction(x, unit))) for x in current])
        slip = 2.0 ** (2 - _UNIT) * float(kernel.sizes @ (sizes + 1))
        step, bound = enclosure.corrected(residual, np.abs(residual) * 2.0**-52 + slip)
        if last:
            return (
                tuple(Fraction(x, unit) for x in current),
                [Fraction(float(x)) for x in bound],
            )
        current = [x + int(Fraction(float(s)) * unit) for x, s in zip(current, step, strict=True)]
    raise AssertionError("unreachable")


def _in_balls(
    kernel: ReducedKernel, level: Level, right: Sequence[Fraction], limit: int
) -> KernelWeights | NoWeights | None:
    """The solution in balls of growing precision; None if undecided at the last."""
    size, bits = kernel.size, 256
    while bits <= limit:
        with ctx.workprec(bits):
            matrix = arb_mat(kernel.balls(level.ball(bits), bits))
            goal = arb_mat([[ball_of(x, bits)] for x in right])
            try:
                solved = matrix.solve(goal).entries()
            except ZeroDivisionError:
                solved = []
            if solved and all(x > 0 for x in solved):
                values = tuple((lower_bound(x) + upper_bound(x)) / 2 for x in solved)
                error = max((upper_bound(x) - lower_bound(x)) / 2 for x in solved)
                return KernelWeights(kernel.space, kernel.orbit, values, error, "balls")
            if any(x < 0 for x in solved):
                worst = min(range(size), key=lambda k: upper_bound(solved[k]))
                share = -solved[worst].mid() / (2 * sum((abs(x.mid()) for x in solved), arb(0)))
                unit = arb_mat([[share + int(k == worst)] for k in range(size)])
                vector = matrix.transpose().solve(unit).entries()
                exact = tuple((lower_bound(x) + upper_bound(x)) / 2 for x in vector)
                return _refusal(kernel, worst, upper_bound(solved[worst]), exact)
        bits *= 2
    return None
