"""The optimal mechanism for any finite space, prior and loss, proved optimal.

A mechanism is a set of columns in the privacy cone that add up to one. Minimizing a linear
loss over them is a program over copies of one cone (`lp.minimize`). Its columns are repaired
and proved like any other matrix; its multipliers are made sparse (`lp.ship`) and prove a lower
bound on the loss of every mechanism. The gap between the two is what is reported, whatever
the solver did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from tightrope.constructions.solution import Solution
from tightrope.errors import SolverFailed, TooLarge
from tightrope.exact import Level, ball_of, float_below, tolerances
from tightrope.lp import ConeProgram, ConeSolution, class_prices, minimize, ship
from tightrope.privacy import repair
from tightrope.spaces import Label, Space, Symmetry, preserving, symmetries
from tightrope.utility import (
    Loss,
    LossMatrix,
    Multipliers,
    Prior,
    expected_loss,
    prove_bound,
    relative_gap,
    uniform,
)

FloatArray = NDArray[np.float64]
Watch = Callable[[int, float, float], None]

MOST_ENTRIES = 30_000_000
"""Copies of the cone times pairs of inputs: what is solved in minutes and about 2 GB."""


@dataclass(frozen=True)
class Effort:
    """How hard to try: the relative gap asked for, the seconds allowed, who watches."""

    gap: float = tolerances.DEFAULT_GAP
    seconds: float = 600.0
    watch: Watch | None = None
    symmetry: bool = True


ORDINARY = Effort()


def min_loss_given_level(
    space: Space,
    level: Level,
    *,
    prior: Prior = uniform,
    loss: Loss | LossMatrix,
    outputs: Sequence[Label] | None = None,
    effort: Effort = ORDINARY,
) -> Solution:
    """The mechanism with the smallest average loss at the level, and the proof that it is.

    minimize Σ_y prior[y] Σ_z P(z | y) loss[y, z] over all mechanisms with these outputs
    (the inputs if not given) that have the level.
    """
    started = monotonic()
    answers = space.points if outputs is None else outputs
    _refuse_large(space.size, len(answers))
    costs = prior.on(space)[:, None] * loss.matrix(space, answers)
    symmetry = _symmetry(space, answers, prior, loss, effort)
    program = _program(space, level, costs, symmetry)
    found = _minimize(program, effort, space.size)
    matrix = symmetry.spread(symmetry.settled(found.vectors))
    mended = repair(
        _stochastic(matrix), space, level, outputs=None if outputs is None else answers, costs=costs
    )
    multipliers = _multipliers(space, level, costs, program, found, symmetry)
    dual = prove_bound(
        space, level, prior=prior, loss=loss, outputs=answers, multipliers=multipliers
    )
    value = expected_loss(mended.certified.mechanism, prior=prior, loss=loss)
    bound = float_below(ball_of(dual.bound, 128))
    return Solution(
        mended.certified,
        "optimal",
        value,
        bound,
        relative_gap(value, bound),
        dual=dual,
        statistics={
            "iterations": found.iterations,
            "finished": found.finished,
            "orbits": len(symmetry.representatives),
            "seconds": monotonic() - started,
        },
    )


def _refuse_large(size: int, answers: int) -> None:
    """Refuse what the solver cannot hold even with much symmetry."""
    if size * size > tolerances.LARGEST_CONE or size * answers > tolerances.LARGEST_CONE:
        raise TooLarge(
            "the number of matrix entries",
            size * max(size, answers),
            tolerances.LARGEST_CONE,
            "the optimal mechanism is found for smaller spaces only",
        )


def _symmetry(
    space: Space, answers: Sequence[Label], prior: Prior, loss: Loss | LossMatrix, effort: Effort
) -> Symmetry:
    generators = symmetries(space) if effort.symmetry else ()
    found = preserving(
        space,
        answers,
        generators,
        prior=prior.on(space),
        loss=loss.matrix(space, answers),
        slack=tolerances.LOSS_ERROR,
    )
    copies = len(found.representatives)
    if copies * space.size**2 > MOST_ENTRIES:
        raise TooLarge(
            "the number of cone entries",
            copies * space.size**2,
            MOST_ENTRIES,
            "the optimal mechanism is found for smaller or more symmetric problems only",
        )
    return found


def _program(space: Space, level: Level, costs: FloatArray, symmetry: Symmetry) -> ConeProgram:
    """The cone program of the orbits, with costs scaled to about one for each input."""
    size = space.size
    inner = float(level.pure.inside(space.least_distance))
    kernel = np.zeros((size, size))
    edges = space.edges()
    kernel[edges.first, edges.second] = np.exp(-inner * space.lengths(edges.first, edges.second))
    kernel += kernel.T
    sizes = symmetry.sizes.astype(np.float64)
    chosen = costs[:, symmetry.representatives].T * size * sizes[:, None]
    return ConeProgram(chosen, kernel, symmetry.input_orbits, sizes)


def _minimize(program: ConeProgram, effort: Effort, size: int) -> ConeSolution:
    watch = effort.watch

    def scaled(iteration: int, value: float, bound: float) -> None:
        if watch is not None:
            watch(iteration, value / size, bound / size)

    found = minimize(program, gap=effort.gap / 4, seconds=effort.seconds, watch=scaled)
    if not np.isfinite(found.value):
        raise SolverFailed("the solver was stopped before its first step; allow it more time.")
    return found


def _stochastic(matrix: FloatArray) -> FloatArray:
    """Rows that add up to 1 within rounding, as `repair` expects them."""
    totals = matrix.sum(axis=1)
    if np.abs(totals - 1).max() > tolerances.ROW_TOTAL_ERROR:
        matrix = matrix / totals.max()
        matrix = matrix + (1 - matrix.sum(axis=1, keepdims=True)) / matrix.shape[1]
    return matrix


def _multipliers(
    space: Space,
    level: Level,
    costs: FloatArray,
    program: ConeProgram,
    found: ConeSolution,
    symmetry: Symmetry,
) -> list[Multipliers]:
    """Sparse multipliers for every output, shipped for one output of each orbit."""
    everyone = np.arange(space.size)
    epsilon = float(level)
    kernel = np.exp(-epsilon * space.lengths(everyone[:, None], everyone[None, :]))
    np.fill_diagonal(kernel, 0.0)
    size = space.size
    prices = class_prices(program, found.multipliers)[program.classes]
    shipped = []
    for z in symmetry.representatives:
        shipments = ship(costs[:, z] * size - prices, kernel)
        amounts = np.ldexp(shipments.amounts / size, 52)
        units = tuple(int(amount) << 44 for amount in amounts.tolist())
        shipped.append((shipments.origins, shipments.targets, units))
    multipliers = []
    for position, carrier in symmetry.carriers():
        origins, targets, units = shipped[position]
        multipliers.append(Multipliers(carrier[origins], carrier[targets], units))
    return multipliers
