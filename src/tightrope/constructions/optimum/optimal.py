"""The optimal mechanism for any finite space, prior and loss, proved optimal.

A mechanism is a set of columns in the privacy cone that add up to one. Minimizing a linear
loss over them is a program over copies of one cone (`lp.minimize`), and so is the loss of the
worst input, whose dual is the least favorable prior. Columns are put right (`columns`) and
proved like any other matrix; multipliers are made sparse (`lp.ship`) and prove a lower bound
on the loss of every mechanism. The gap between the two is what is reported, whatever the
solver did.
"""

from __future__ import annotations

from fractions import Fraction
from time import monotonic

import numpy as np

from tightrope.constructions.measures import rescale, whole_units
from tightrope.constructions.optimum.columns import balance, kernel_matrix, near_pairs
from tightrope.constructions.optimum.effort import Effort
from tightrope.errors import SolverFailed, TooLarge
from tightrope.exact import FloatArray, IntArray, sizes, tolerances
from tightrope.lp import ConeProgram, ConeSolution, Shipments, class_prices, minimize, ship
from tightrope.privacy import repair
from tightrope.symmetry import Symmetry
from tightrope.utility import Goal, Multipliers, Prior, Problem, Solution, prove_bound

MOST_ENTRIES = 300_000_000
"""Copies of the cone times pairs of inputs: what is solved in minutes and about 4 GB."""

_PRIOR_BITS = 48
"""Length of the whole numbers that a least favorable prior is made of."""

_FEW_ROUTES = 8
"""Pairs for each input up to which a proof may carry a multiplier for all of them."""


def solve_cone(problem: Problem, effort: Effort) -> Solution:
    """The best mechanism on a connected space at δ = 0: solve, put right, prove both sides."""
    started = monotonic()
    space, level, outputs = problem.space, problem.level, problem.outputs
    worst = problem.goal is Goal.WORST
    _refuse_large(space.size, len(problem.answers))
    symmetry = _symmetry(problem, effort)
    losses, unit = rescale(problem.losses)
    costs = problem.chances[:, None] * losses
    program = _program(problem, costs, symmetry, effort.gap)
    found = _minimize(program, effort, np.ldexp(1 / space.size, unit))
    prior, emphasis = problem.averaged, found.emphasis
    if worst:
        prior, emphasis = _least_favorable(found.emphasis, program.classes)
        costs = prior.on(space)[:, None] * losses
    matrix = symmetry.spread(
        balance(symmetry.settled(found.vectors), space, level, program.classes, program.sizes)
    )
    mended = repair(matrix, space, level, outputs=outputs, costs=costs)
    prices = class_prices(program, found.multipliers, emphasis)[program.classes]
    multipliers = _multipliers(problem, costs, prices, program, found, symmetry, effort.gap, unit)
    statistics = {
        "iterations": found.iterations,
        "finished": found.finished,
        "orbits": len(symmetry.representatives),
        "pairs": 2 * len(program.first),
        "seconds": monotonic() - started,
    }
    solution = Solution(problem, mended.certified, "optimal", statistics=statistics)
    return solution.proved(prove_bound(problem, multipliers, prior))


def _refuse_large(size: int, answers: int) -> None:
    """Refuse what the solver cannot hold even with much symmetry."""
    if size * size > sizes.LARGEST_CONE or size * answers > sizes.LARGEST_CONE:
        raise TooLarge(
            "the number of matrix entries",
            size * max(size, answers),
            sizes.LARGEST_CONE,
            "the optimal mechanism is found for smaller spaces only",
        )


def _symmetry(problem: Problem, effort: Effort) -> Symmetry:
    found = effort.symmetry_of(problem)
    entries = len(found.representatives) * problem.space.size**2
    if entries > MOST_ENTRIES:
        raise TooLarge(
            "the number of cone entries",
            entries,
            MOST_ENTRIES,
            "the optimal mechanism is found for smaller or more symmetric problems only",
        )
    return found


def _program(
    problem: Problem, costs: FloatArray, symmetry: Symmetry, gap: float
) -> ConeProgram:
    """The cone program of the orbits, with costs scaled to about one for each input."""
    space = problem.space
    inner = float(problem.level.inside(space.least_distance))
    first, second = near_pairs(space, len(symmetry.representatives), gap)
    sizes = symmetry.sizes.astype(np.float64)
    return ConeProgram(
        costs[:, symmetry.representatives].T * space.size * sizes[:, None],
        first,
        second,
        np.exp(-inner * space.lengths(first, second)),
        symmetry.input_orbits,
        sizes,
        problem.goal is Goal.WORST,
    )


def _minimize(program: ConeProgram, effort: Effort, unit: float) -> ConeSolution:
    watch = effort.watch

    def scaled(iteration: int, value: float, bound: float) -> None:
        if watch is not None:
            watch(iteration, value * unit, bound * unit)

    found = minimize(program, gap=effort.gap / 4, seconds=effort.seconds, watch=scaled)
    if not np.isfinite(found.value):
        raise SolverFailed("the solver was stopped before its first step; allow it more time.")
    return found


def _least_favorable(emphasis: FloatArray, classes: IntArray) -> tuple[Prior, FloatArray]:
    """The prior in exact fractions, even within a class, and the emphasis that it stands for."""
    parts = np.floor(np.ldexp(np.maximum(emphasis / emphasis.sum(), 0.0), _PRIOR_BITS)).astype(int)
    total, counts = int(parts.sum()), np.bincount(classes)
    shares = [Fraction(int(part), int(k) * total) for part, k in zip(parts, counts, strict=True)]
    return Prior(tuple(shares[k] for k in classes.tolist())), parts / total * len(classes)


def _multipliers(
    problem: Problem,
    costs: FloatArray,
    prices: FloatArray,
    program: ConeProgram,
    found: ConeSolution,
    symmetry: Symmetry,
    gap: float,
    unit: int,
) -> list[Multipliers]:
    """Sparse multipliers for every output, shipped for one output of each orbit.

    Where pairs are few and the gap asked for is finer than shipping, the solver's own do.
    """
    size = problem.space.size
    enough = gap / 8 * abs(found.value) / size
    kernel = kernel_matrix(problem.space, float(problem.level))
    origins = np.concatenate([program.first, program.second])
    targets = np.concatenate([program.second, program.first])
    fine = enough < tolerances.SHIPPING_ERROR and len(origins) <= _FEW_ROUTES * size
    shipped = []
    for position, z in enumerate(symmetry.representatives):
        balance = costs[:, z] * size - prices
        hint = Shipments(origins, targets, found.multipliers[position] / program.sizes[position])
        shipments = hint if fine else ship(balance, kernel, hint, enough)
        units = whole_units(shipments.amounts / size, unit, digits=80 if fine else 52)
        shipped.append((shipments.origins, shipments.targets, units))
    multipliers = []
    for position, carrier in symmetry.carriers():
        first, second, units = shipped[position]
        multipliers.append(Multipliers(carrier[first], carrier[second], units))
    return multipliers
