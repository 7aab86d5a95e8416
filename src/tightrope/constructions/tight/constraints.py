"""Tight-constraints mechanisms: every constraint against the diagonal holds with equality.

P(z | y) = w_z e^(-ε d(y,z)) with Φ w = 1, Φ = exp(-ε d). Such a mechanism exists iff that
equation has a solution w >= 0 (ECP, Proposition 7), and then it has the largest binary gain of
all private mechanisms, for every regular prior at once, the uniform one included (Theorem 4,
Proposition 8).

The equation is solved by structure: on trees w_y = 1 - Σ q/(1 + q) over the links of y, with
q = e^(-ε length); where all points see the same distances w is constant (Proposition 9, with
the minus sign that is missing there); a sum of distances is a Kronecker product, solved factor
by factor. All else goes through the orbits of the symmetries (`kernel_weights`), or through
conjugate gradients on large Euclidean grids (`grid_equations`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import gcd, lcm, prod
from typing import Any

import numpy as np
from flint import arb, ctx

from tightrope.constructions.closed_forms.geometric import inner_axes, path_weights
from tightrope.constructions.closed_forms.kernels import WRITTEN_OUT, exact_kernel, rounded_kernel
from tightrope.constructions.tight.grid_equations import grid_floats, proved_weights, separation
from tightrope.errors import CannotCheck, Infeasible, SolverFailed, TooLarge
from tightrope.exact import Level, Surd, lower_bound, tolerances, upper_bound
from tightrope.mechanisms import FiniteMechanism
from tightrope.spaces import (
    Combine,
    Graph,
    IntArray,
    Lattice,
    Metric,
    Product,
    Space,
    pair_classes,
    reduced_kernel,
    require_connected,
)
from tightrope.utility import KernelWeights, NoWeights, solve_reduced

Q = Callable[[Surd], Any]
"""e^(-ε d) for a distance, as a fraction or a ball."""

_LARGE = 4_000
"""Cells from which on conjugate gradients are quicker than orbits."""


def tight_constraints(space: Space, level: Level) -> FiniteMechanism:
    """The tight-constraints mechanism of a space, or `Infeasible` with the proof against it.

    >>> from tightrope.spaces import path
    >>> [str(p) for p in tight_constraints(path(0, 2), Level.ratio(2)).row(0)]
    ['2/3', '1/6', '1/6']
    """
    require_connected(space, "a tight-constraints mechanism needs")
    exact = _exact_mechanism(space, level.pure)
    if exact is not None:
        return exact
    tight_weights(space, level)
    inside = level.pure.inside(space.least_distance)
    try:
        return rounded_kernel(space, inside, tight_weights(space, inside, sharp=True).each)
    except Infeasible:
        raise CannotCheck(
            f"the tight-constraints mechanism on {space.text} exists at ε = {level.text} but not "
            "just below, so it cannot be written out in rounded numbers; use a larger ε."
        ) from None


def tight_weights(space: Space, level: Level, *, sharp: bool = False) -> KernelWeights:
    """w >= 0 with Φ w = 1, each within a proved error, or `Infeasible` with the proof.

    `sharp` asks for errors far below the rounding of doubles, as a mechanism needs them.

    >>> from tightrope.spaces import star
    >>> tight_weights(star(3), Level.ratio(2)).each[:2]
    (Fraction(0, 1), Fraction(2, 3))
    >>> tight_weights(star(4), Level.ratio(2))
    Traceback (most recent call last):
        ...
    tightrope.errors.Infeasible: no tight-constraints mechanism exists on star:4 at ε = ln(2): \
the only solution of Φ w = 1 is negative at the point 0, at most -0.333333333.
    """
    require_connected(space, "a tight-constraints mechanism needs")
    found = _weights(space, level.pure, sharp=sharp)
    if isinstance(found, NoWeights):
        raise Infeasible(_absence(space, level.pure, found), found)
    return found


def _absence(space: Space, level: Level, found: NoWeights) -> str:
    shown = level.text if len(level.text) <= 24 else f"{float(level):.12g}"
    factor = "" if found.space == space else f"on its factor {found.space.text} "
    why = "Φ is singular, and a vector u with Φ u >= 0 and a negative sum rules w >= 0 out"
    if found.upper is not None:
        why = (
            f"the only solution of Φ w = 1 is negative at the point {found.point}, "
            f"at most {found.upper:.9g}"
        )
    return f"no tight-constraints mechanism exists on {space.text} at ε = {shown}: {factor}{why}."


def _weights(space: Space, level: Level, *, sharp: bool) -> KernelWeights | NoWeights:
    """The solution by structure, or through orbits."""
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
    if not sharp and (found := _on_large_grid(space, level)) is not None:
        return found
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
    if not isinstance(space, Lattice) or space.describe()["family"] == "histogram":
        return False
    line = sum(steps > 0 for steps in space.region.reach) == 1
    straight = Metric.MANHATTAN, *((Metric.EUCLIDEAN,) if line else ())
    paths = space.norm.metric in straight and space.norm.block == 1
    return paths or space.norm.metric is Metric.HAMMING


def _on_large_grid(space: Space, level: Level) -> KernelWeights | NoWeights | None:
    """The solution on a large Euclidean grid where its signs are proved there, else None."""
    if not isinstance(space, Lattice) or space.describe()["family"] != "grid":
        return None
    if space.norm.metric is not Metric.EUCLIDEAN or space.size < _LARGE:
        return None
    rate = float(level) * float(space.least_distance)
    try:
        found = proved_weights(space, level, grid_floats(space, rate))
        values = tuple(Fraction(w, found.scale) for w in found.integers.tolist())
        if values[found.least] < -found.error:
            against = separation(found, level)
            upper = float(values[found.least] + found.error)
            if against is None:
                return None
            return NoWeights(space, space.points[found.least], upper, against)
    except (SolverFailed, TooLarge):
        return None
    if values[found.least] <= found.error:
        return None
    return KernelWeights(space, np.arange(space.size), values, found.error, "conjugate gradients")


def _tree(space: Graph, q: Q) -> list[Any]:
    """1 - Σ q/(1 + q) over the links of every node."""
    found: list[Any] = [1] * space.size
    held = {n: q(Surd.of(Fraction(n, space.denominator))) for n in set(space.numerators.tolist())}
    for (i, j), length in zip(space.links, space.numerators.tolist(), strict=True):
        share = held[length] / (1 + held[length])
        found[i] -= share
        found[j] -= share
    return found


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
        balls = _signed(level, formula)
        ends = [(lower_bound(x), upper_bound(x)) for x in balls]
        values = tuple((low + high) / 2 for low, high in ends)
        error = max((high - low) / 2 for low, high in ends)
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
    found = np.zeros(space.size)
    found[worst] = 1.0
    lengths = space.numerators / space.denominator
    for (i, j), q in zip(space.links, np.exp(-float(level) * lengths).tolist(), strict=True):
        if worst in (i, j):
            found[worst] += q * q / (1 - q * q)
            found[j if i == worst else i] -= q / (1 - q * q)
    share = -weights[worst] / (2 * sum(map(abs, weights)))
    return tuple(Fraction(x) + share * w for x, w in zip(found.tolist(), weights, strict=True))


class _Irrational(Exception):
    """A power that is not rational."""


def _inverse_power(level: Level, distance: Surd) -> Fraction:
    power = level.power(distance)
    if power is None:
        raise _Irrational
    return 1 / power


def _ball_power(level: Level, bits: int, distance: Surd) -> arb:
    return (-level.ball(bits) * distance.ball(bits)).exp()


def _signed(level: Level, formula: Callable[[Q], list[Any]]) -> list[arb]:
    """The values as balls so small that no sign is open."""
    bits = 256
    while bits <= tolerances.MOST_BALL_BITS:
        with ctx.workprec(bits):
            found = [arb(x) for x in formula(partial(_ball_power, level, bits))]
            if all(x > 0 or x < 0 for x in found):
                return found
        bits *= 2
    raise CannotCheck(f"a weight at ε = {level.text} is too close to 0 for its sign to be proved.")


def _kronecker(space: Product, level: Level, *, sharp: bool) -> KernelWeights | NoWeights:
    """Products of the weights of the factors; none if one factor has none.

    Each factor's solution has a positive coordinate, so a negative one of another factor
    meets it in the product; and if u rules out a factor, u ⊗ 1 rules out the product.
    """
    first = _weights(space.first, level, sharp=sharp)
    if isinstance(first, NoWeights):
        return first
    second = _weights(space.second, level, sharp=sharp)
    if isinstance(second, NoWeights):
        return second
    values = tuple(a * b for a in first.values for b in second.values)
    error = first.error * max(second.values) + second.error * (max(first.values) + first.error)
    orbit = np.add.outer(first.orbit * len(second.values), second.orbit).ravel()
    return KernelWeights(space, orbit, values, error, f"{first.method}, {second.method}")


def _exact_mechanism(space: Space, level: Level) -> FiniteMechanism | None:
    """The mechanism with a rational ratio: where weights are equal or rational; else None."""
    units = [d.rational for d in pair_classes(space, space.edges())[0]]
    if any(unit is None for unit in units):
        return None
    unit = Fraction(
        gcd(*(u.numerator for u in units if u)), lcm(*(u.denominator for u in units if u))
    )
    if isinstance(space, Lattice) and space.norm.metric in (Metric.HAMMING, Metric.CYCLIC):
        ratio = level.ratio_below(Surd.of(unit))
        return exact_kernel(space, ratio, unit, (Fraction(1),) * space.size)
    exact = level.power(Surd.of(unit))
    written = space.size <= WRITTEN_OUT or space.describe()["family"] == "path"
    if exact is None or not written:
        return None
    weights = tight_weights(space, level)
    return exact_kernel(space, exact, unit, weights.each) if weights.exact else None
