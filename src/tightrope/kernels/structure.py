"""`solve`: the w >= 0 with Φ w = b, Φ = exp(-ε d), or the proof that there is none.

For b = 1, the equation of tight-constraints mechanisms, structure answers first: on trees
w_y = 1 - Σ q/(1 + q) over the links of y, with q = e^(-ε length); where all points see the
same distances w is constant (ECP, Proposition 9, with the minus sign that is missing there);
a sum of distances is a Kronecker product, solved factor by factor; large Euclidean grids are
solved by conjugate gradients (`grids`). All else, and any other b, goes through the orbits of
the symmetries (`equations`). A sign is only stated where it is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

import numpy as np
from flint import arb, ctx

from tightrope.errors import CannotCheck, SolverFailed, TooLarge
from tightrope.exact import (
    IntArray,
    Level,
    RadicalField,
    Surd,
    lower_bound,
    sizes,
    upper_bound,
)
from tightrope.kernels.equations import KernelWeights, NoWeights, solve_on_orbits, solve_reduced
from tightrope.kernels.grids import grid_floats, proved_weights, separation
from tightrope.kernels.radicals import rounded
from tightrope.kernels.reduction import reduced_kernel
from tightrope.spaces import Combine, Family, Graph, Lattice, Metric, Product, Space

Q = Callable[[Surd], Any]
"""e^(-ε d) for a distance, as a fraction or a ball."""

_LARGE = 4_000
"""Cells from which on conjugate gradients are quicker than orbits."""


def solve(
    space: Space, level: Level, right: Sequence[Fraction] | None = None, *, sharp: bool = False
) -> KernelWeights | NoWeights:
    """The w >= 0 with Φ w = right (all ones if not given), or the proof that there is none.

    `sharp` asks for errors far below the rounding of doubles, as a mechanism needs them.

    >>> from tightrope.spaces import path, star
    >>> solve(path(0, 2), Level.ratio(2)).each
    (Fraction(2, 3), Fraction(1, 3), Fraction(2, 3))
    >>> solve(star(4), Level.ratio(2)).point
    0
    """
    if right is None:
        return _by_structure(space, level.pure, sharp=sharp)
    return solve_on_orbits(space, level, right, sharp=sharp)


def _by_structure(space: Space, level: Level, *, sharp: bool) -> KernelWeights | NoWeights:
    """The solution for all ones: by a closed form, factor by factor, or through orbits."""
    if isinstance(space, Product) and space.combine is Combine.SUM:
        return _kronecker(space, level, sharp=sharp)
    if isinstance(space, Graph) and len(space.links) == space.size - 1:
        return _by_formula(space, level, np.arange(space.size), lambda q: _tree(space, q))
    if isinstance(space, Lattice) and always_positive(space):
        axes = [steps + 1 for steps in space.region.reach if steps]
        step = space.least_distance
        if space.norm.metric is not Metric.HAMMING:
            return _by_formula(
                space, level, inner_axes(axes), lambda q: path_weights(q(step), len(axes))
            )
        return _by_formula(
            space, level, None, lambda q: [1 / prod(1 + (n - 1) * q(step) for n in axes)]
        )
    if not sharp and (weights := _on_large_grid(space, level)) is not None:
        return weights
    kernel = reduced_kernel(space)
    if kernel.alike:
        counts = np.bincount(kernel.table[: space.size]).tolist()
        pairs = list(zip(counts, kernel.classes, strict=True))
        return _by_formula(space, level, None, lambda q: [1 / sum(n * q(d) for n, d in pairs)])
    return solve_reduced(kernel, level, (Fraction(1),) * kernel.size, sharp=sharp)


def always_positive(space: Space) -> bool:
    """Whether a closed form has positive weights at every ε > 0: products of paths, Hamming.

    >>> from tightrope.spaces import path, star
    >>> always_positive(path(0, 9)), always_positive(star(3))
    (True, False)
    """
    if not isinstance(space, Lattice) or space.family is Family.HISTOGRAM:
        return False
    line = sum(steps > 0 for steps in space.region.reach) == 1
    straight = Metric.MANHATTAN, *((Metric.EUCLIDEAN,) if line else ())
    paths = space.norm.metric in straight and space.norm.block == 1
    return paths or space.norm.metric is Metric.HAMMING


def _on_large_grid(space: Space, level: Level) -> KernelWeights | NoWeights | None:
    """The solution on a large Euclidean grid where its signs are proved there, else None."""
    if not isinstance(space, Lattice) or space.family is not Family.GRID:
        return None
    if space.norm.metric is not Metric.EUCLIDEAN or space.size < _LARGE:
        return None
    rate = float(level) * float(space.least_distance)
    try:
        weights = proved_weights(space, level, grid_floats(space, rate))
        values = tuple(Fraction(w, weights.scale) for w in weights.integers.tolist())
        if values[weights.least] < -weights.error:
            against = separation(weights, level)
            upper = float(values[weights.least] + weights.error)
            if against is None:
                return None
            return NoWeights(space, space.points[weights.least], upper, against)
    except (SolverFailed, TooLarge):
        return None
    if values[weights.least] <= weights.error:
        return None
    return KernelWeights(space, np.arange(space.size), values, weights.error, "conjugate gradients")


def _tree(space: Graph, q: Q) -> list[Any]:
    """1 - Σ q/(1 + q) over the links of every node."""
    weights: list[Any] = [1] * space.size
    powers = {n: q(Surd.of(Fraction(n, space.denominator))) for n in set(space.numerators.tolist())}
    for (i, j), length in zip(space.links, space.numerators.tolist(), strict=True):
        share = powers[length] / (1 + powers[length])
        weights[i] -= share
        weights[j] -= share
    return weights


def _by_formula(
    space: Space, level: Level, orbit: IntArray | None, formula: Callable[[Q], list[Any]]
) -> KernelWeights | NoWeights:
    """Weights from a closed form in q = e^(-ε d): fractions where those are rational, or balls."""
    where = np.zeros(space.size, dtype=np.int64) if orbit is None else orbit
    values: tuple[Fraction, ...]
    try:
        values = tuple(Fraction(x) for x in formula(partial(_inverse_power, level)))
        error = Fraction(0)
    except _Irrational:
        values, error = _signs(level, formula)
    used = values[: int(where.max()) + 1]
    if min(used) >= 0:
        return KernelWeights(space, where, used, error, "closed form")
    worst = int(np.argmax(where == used.index(min(used))))
    upper = float(min(used) + error)
    separation = _tree_separation(space, level, worst, values)
    return NoWeights(space, space.points[worst], upper, separation)


def _tree_separation(
    space: Space, level: Level, worst: int, weights: tuple[Fraction, ...]
) -> tuple[Fraction, ...]:
    """u with Φ u = e_worst + share on a tree: a row of the inverse, and some of the solution."""
    assert isinstance(space, Graph)
    vector = [Fraction(n == worst) for n in range(space.size)]
    for (i, j), length in zip(space.links, space.numerators.tolist(), strict=True):
        if worst in (i, j):  # with p = 1/q as near as 1/(p - 1) needs it, however small ε is
            p = level.ratio_above(Surd.of(Fraction(length, space.denominator)))
            vector[worst] += 1 / (p * p - 1)
            vector[j if i == worst else i] -= p / (p * p - 1)
    share = -weights[worst] / (2 * sum(map(abs, weights)))
    return tuple(x + share * w for x, w in zip(vector, weights, strict=True))


class _Irrational(Exception):
    """A power that is not rational."""


def _inverse_power(level: Level, distance: Surd) -> Fraction:
    power = level.power(distance)
    if power is None:
        raise _Irrational
    return 1 / power


def _ball_power(level: Level, bits: int, distance: Surd) -> arb:
    return (-level.ball(bits) * distance.ball(bits)).exp()


def _field(level: Level, formula: Callable[[Q], list[Any]]) -> RadicalField | None:
    """The field of the powers that a formula asks for."""
    asked: list[Surd] = []

    def noted(distance: Surd) -> arb:
        asked.append(distance)
        return _ball_power(level, 64, distance)

    formula(noted)
    return RadicalField.of(level, asked)


def _signs(
    level: Level, formula: Callable[[Q], list[Any]]
) -> tuple[tuple[Fraction, ...], Fraction]:
    """The values within an error so small that no sign is open; those that are 0 exactly so."""
    bits = 256
    field = _field(level, formula)
    while bits <= (512 if field else sizes.MOST_BALL_BITS):
        with ctx.workprec(bits):
            balls = [arb(x) for x in formula(partial(_ball_power, level, bits))]
            if all(x > 0 or x < 0 for x in balls):
                ends = [(lower_bound(x), upper_bound(x)) for x in balls]
                middle = tuple((low + high) / 2 for low, high in ends)
                return middle, max((high - low) / 2 for low, high in ends)
        bits *= 2
    if field is None:
        raise CannotCheck(
            f"a weight at ε = {level.text} is too close to 0 for its sign to be proved."
        )
    exact = rounded([field.number(0) + x for x in formula(partial(field.power, sign=-1))])
    assert exact.values is not None
    return exact.values, exact.error


def _kronecker(space: Product, level: Level, *, sharp: bool) -> KernelWeights | NoWeights:
    """Products of the weights of the factors; none if one factor has none.

    Each factor's solution has a positive coordinate, so a negative one of another factor
    meets it in the product; and if u rules out a factor, u ⊗ 1 rules out the product.
    """
    first = _by_structure(space.first, level, sharp=sharp)
    if isinstance(first, NoWeights):
        return first
    second = _by_structure(space.second, level, sharp=sharp)
    if isinstance(second, NoWeights):
        return second
    values = tuple(a * b for a in first.values for b in second.values)
    error = first.error * max(second.values) + second.error * (max(first.values) + first.error)
    orbit = np.add.outer(first.orbit * len(second.values), second.orbit).ravel()
    return KernelWeights(space, orbit, values, error, f"{first.method}, {second.method}")


def inner_axes(shape: Sequence[int]) -> IntArray:
    """For every cell of a box, along how many axes it is not at an end."""
    inner = np.zeros(1, dtype=np.int64)
    for side in shape:
        along = np.ones(side, dtype=np.int64)
        along[[0, -1]] = 0
        inner = np.add.outer(inner, along).ravel()
    return inner


def path_weights(alpha: Any, axes: int) -> list[Any]:
    """Products of 1/(1+α) at ends and (1-α)/(1+α) between, by the number of axes between."""
    return [(1 - alpha) ** inner / (1 + alpha) ** axes for inner in range(axes + 1)]
