"""Tight-constraints mechanisms on large grids, up to millions of cells.

P(z | y) = w_z e^(-ε d(y,z)) with Φ w = 1, kept as a rounded kernel: the weights are integers,
and the rate is so little below ε that rounding and normalizers use up the difference, so the
level asked for is the level proved. The same weights prove that no private mechanism has a
binary gain above Σ w / (n min Φ w), for the uniform prior (ECP, Theorem 2): value and bound
agree to about ten digits. Distances are Euclidean, or Manhattan: then w is a product over the
axes of 1/(1+α) at both ends and (1-α)/(1+α) between, α = e^(-ε step), and always positive.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import isqrt

from flint import ctx

from tightrope.errors import CannotCheck, Infeasible, NotPrivate
from tightrope.exact import Level, ball_of, float_below, sizes, tolerances
from tightrope.kernels import (
    GridWeights,
    binary_bound,
    corner_proof,
    grid_floats,
    proved_weights,
    whole_weights,
)
from tightrope.mechanisms import KernelMechanism
from tightrope.privacy import Certified, certified
from tightrope.spaces import Family, Lattice, Metric
from tightrope.utility import Problem, Solution

BOUND = (
    "a tight-constraints mechanism has the largest binary gain for the uniform prior "
    "(ECP, Theorem 4)"
)

_ROOM = (tolerances.INSIDE_BITS, tolerances.INSIDE_BITS - 6, tolerances.INSIDE_BITS - 12)
"""Bits of the room left below the level, tried one after the other."""

_FEW, _PROVED, _WRITTEN = 256, 400, isqrt(sizes.LARGEST_MATRIX)
"""Cells of a Euclidean grid that is written out, of one that is proved optimal by a dual too,
and of a Manhattan grid that is written out."""

_CORNER = 10_000
"""Cells beyond which a corner is tried first for a proof that no weights exist: a second."""


def is_large_grid(problem: Problem) -> bool:
    """Whether the space is a grid whose tight-constraints mechanism is to be kept as a kernel."""
    space = problem.space
    if not isinstance(space, Lattice) or space.family is not Family.GRID:
        return False
    if space.norm.metric not in (Metric.EUCLIDEAN, Metric.MANHATTAN):
        return False
    return space.size > (_FEW if space.norm.metric is Metric.EUCLIDEAN else _WRITTEN)


def tight_on_grid(problem: Problem) -> Solution:
    """The certified tight-constraints mechanism of a grid, with its proved bound.

    Raises `Infeasible`, with the cell and a bound on its weight, where none exists.

    >>> s = tight_on_grid(Problem("grid:30x30", 1, loss="binary"))
    >>> s.certified.certificate.evidence.value, round(1 - s.value, 9), s.gap < 1e-10
    ('kernel', 0.172991095, True)
    """
    space, level = problem.space, problem.level
    assert isinstance(space, Lattice)
    if space.size > _CORNER:
        _refuse_by_corner(space, level)
    floats = grid_floats(space, float(level) * float(space.least_distance))
    weights = check_positive(proved_weights(space, level.pure, floats), level)
    proved = _inside(space, level, weights)
    solution = Solution(problem, proved, "tight")
    if not problem.plain:
        return solution
    gain = weights.largest_gain / space.size
    bound = float_below(ball_of(1 - gain, 128))
    shares = [Fraction(w, weights.scale * space.size) for w in weights.integers.tolist()]
    proof = partial(binary_bound, problem, shares) if space.size <= _PROVED else None
    return solution.noting(theorem=BOUND).against(bound, proof)


def _refuse_by_corner(space: Lattice, level: Level) -> None:
    proof = corner_proof(space, level.pure)
    if proof is not None:
        raise Infeasible(
            f"no tight-constraints mechanism exists on {space.text} at ε = {level.text}: a vector "
            f"u on the {proof.width} × {proof.width} cells at a corner, with Φ u >= 0 at all cells "
            "and a negative sum, rules w >= 0 out.",
            proof,
        )


def check_positive(weights: GridWeights, level: Level) -> GridWeights:
    """The weights, if they are proved to be positive; `Infeasible` if one is negative."""
    least = Fraction(int(weights.integers[weights.least]), weights.scale)
    grid = weights.grid
    if least > weights.error or grid.norm.metric is Metric.MANHATTAN:
        return weights
    cell = grid.points[weights.least]
    if least < -weights.error:
        raise Infeasible(
            f"no tight-constraints mechanism exists on {grid.text} at ε = {level.text}: the only "
            f"solution of Φ w = 1 is negative at the point {cell}, at most "
            f"{float(least + weights.error):.9g}.",
            weights,
        )
    raise CannotCheck(
        f"whether a tight-constraints mechanism exists on {grid.text} at ε = {level.text} is too "
        f"close to call: the weight at {cell} is {float(least):.1e}, known within "
        f"{float(weights.error):.1e}; use a slightly different ε."
    )


def _inside(space: Lattice, level: Level, weights: GridWeights) -> Certified:
    """The mechanism just inside the level, proved at the level."""
    step = space.least_distance
    failure: Exception | None = None
    for bits in _ROOM:
        ratio = level.pure.inside(step, bits).ratio_below(step)
        with ctx.workprec(128):
            rate = float(ball_of(ratio, 128).log().mid())
        integers, _ = whole_weights(grid_floats(space, rate, weights.floats))
        if int(integers.min()) <= 0:
            break
        kernel = KernelMechanism(
            space, ratio, space.norm.step, tuple(integers.tolist()), rounded=True
        )
        try:
            return certified(kernel, level)
        except (NotPrivate, CannotCheck) as error:
            failure = error
    raise CannotCheck(
        f"the tight-constraints mechanism on {space.text} exists at ε = {level.text}, but no "
        "rounding of it was proved; use a slightly larger ε."
    ) from failure
