"""The optimal mechanism for any finite space, prior and loss, proved optimal.

A mechanism is a set of columns in the privacy cone that add up to one. Minimizing a linear
loss over them is a program over copies of one cone (`lp.minimize`), and so is the loss of the
worst input, whose dual is the least favorable prior. Columns are put right (`columns`) and
proved like any other matrix; multipliers are made sparse (`lp.ship`) and prove a lower bound
on the loss of every mechanism. The gap between the two is what is reported, whatever the
solver did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from tightrope.constructions.measures import measured, whole_units
from tightrope.constructions.objective import Goal, Objective
from tightrope.constructions.optimum.columns import balanced, kernel_matrix, near_pairs
from tightrope.constructions.optimum.separate import solved_by_component
from tightrope.constructions.solution import Solution
from tightrope.errors import SolverFailed, TooLarge
from tightrope.exact import FloatArray, Level, sizes, tolerances
from tightrope.lp import ConeProgram, ConeSolution, Shipments, class_prices, minimize, ship
from tightrope.privacy import repair
from tightrope.spaces import Label, Space, is_connected
from tightrope.symmetry import Symmetry, preserving, symmetries
from tightrope.utility import (
    Loss,
    LossMatrix,
    Multipliers,
    Prior,
    expected_loss,
    prove_bound,
    uniform,
    worst_loss,
)

Watch = Callable[[int, float, float], None]

MOST_ENTRIES = 300_000_000
"""Copies of the cone times pairs of inputs: what is solved in minutes and about 4 GB."""

_PRIOR_BITS = 48
"""Length of the whole numbers that a least favorable prior is made of."""

_FEW_ROUTES = 8
"""Pairs for each input up to which a proof may carry a multiplier for all of them."""


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
    return _solved(space, level, prior, loss, outputs, effort, worst=False)


def min_worst_loss_given_level(
    space: Space,
    level: Level,
    *,
    loss: Loss | LossMatrix,
    outputs: Sequence[Label] | None = None,
    effort: Effort = ORDINARY,
) -> Solution:
    """The mechanism with the smallest loss for its worst input, and the proof that it is.

    minimize max_y Σ_z P(z | y) loss[y, z] over all mechanisms with these outputs (the inputs
    if not given) that have the level. The bound is that of the average over the least
    favorable prior, which the dual carries.

    >>> from tightrope.spaces import categories
    >>> from tightrope.utility import binary
    >>> found = min_worst_loss_given_level(categories(4), Level.ratio(2), loss=binary)
    >>> round(found.value, 6), found.gap < 1e-6
    (0.6, True)
    """
    return _solved(space, level, uniform, loss, outputs, effort, worst=True)


def _solved(
    space: Space,
    level: Level,
    prior: Prior,
    loss: Loss | LossMatrix,
    outputs: Sequence[Label] | None,
    effort: Effort,
    *,
    worst: bool,
) -> Solution:
    """Solve, put right, prove both sides; components of a space each on their own."""
    if not is_connected(space):
        goal = Goal.WORST if worst else Goal.AVERAGE
        return solved_by_component(
            space,
            level,
            Objective(prior, loss, goal, outputs),
            lambda part, own: _solved(
                part, level, own.prior, own.loss, own.outputs, effort, worst=worst
            ),
        )
    started = monotonic()
    answers = space.points if outputs is None else outputs
    _refuse_large(space.size, len(answers))
    symmetry = _symmetry(space, answers, prior, loss, effort)
    losses, unit = measured(loss.matrix(space, answers))
    costs = prior.on(space)[:, None] * losses
    program = _program(space, level, costs, symmetry, effort.gap, worst)
    found = _minimize(program, effort, np.ldexp(1 / space.size, unit))
    if worst:
        prior, emphasis = _least_favorable(found.emphasis, program.classes)
        costs = prior.on(space)[:, None] * losses
    else:
        emphasis = found.emphasis
    matrix = symmetry.spread(
        balanced(symmetry.settled(found.vectors), space, level, program.classes, program.sizes)
    )
    mended = repair(
        matrix, space, level, outputs=None if outputs is None else answers, costs=costs
    )
    prices = class_prices(program, found.multipliers, emphasis)[program.classes]
    multipliers = _multipliers(
        space, level, costs, prices, program, found, symmetry, effort.gap, unit
    )
    dual = prove_bound(
        space, level, prior=prior, loss=loss, outputs=answers, multipliers=multipliers
    )
    mechanism = mended.certified.mechanism
    if worst:
        value = worst_loss(mechanism, loss=loss)
    else:
        value = expected_loss(mechanism, prior=prior, loss=loss)
    statistics = {
        "iterations": found.iterations,
        "finished": found.finished,
        "orbits": len(symmetry.representatives),
        "pairs": 2 * len(program.first),
        "seconds": monotonic() - started,
    }
    return Solution(mended.certified, "optimal", value, statistics=statistics).proved(dual)


def _refuse_large(size: int, answers: int) -> None:
    """Refuse what the solver cannot hold even with much symmetry."""
    if size * size > sizes.LARGEST_CONE or size * answers > sizes.LARGEST_CONE:
        raise TooLarge(
            "the number of matrix entries",
            size * max(size, answers),
            sizes.LARGEST_CONE,
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


def _program(
    space: Space, level: Level, costs: FloatArray, symmetry: Symmetry, gap: float, worst: bool
) -> ConeProgram:
    """The cone program of the orbits, with costs scaled to about one for each input."""
    inner = float(level.pure.inside(space.least_distance))
    first, second = near_pairs(space, len(symmetry.representatives), gap)
    sizes = symmetry.sizes.astype(np.float64)
    return ConeProgram(
        costs[:, symmetry.representatives].T * space.size * sizes[:, None],
        first,
        second,
        np.exp(-inner * space.lengths(first, second)),
        symmetry.input_orbits,
        sizes,
        worst,
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


def _least_favorable(emphasis: FloatArray, classes: NDArray[np.int64]) -> tuple[Prior, FloatArray]:
    """The prior in exact fractions, even within a class, and the emphasis that it stands for."""
    parts = np.floor(np.ldexp(np.maximum(emphasis / emphasis.sum(), 0.0), _PRIOR_BITS)).astype(int)
    total, counts = int(parts.sum()), np.bincount(classes)
    shares = [Fraction(int(part), int(k) * total) for part, k in zip(parts, counts, strict=True)]
    return Prior(tuple(shares[k] for k in classes.tolist())), parts / total * len(classes)


def _multipliers(
    space: Space,
    level: Level,
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
    enough = gap / 8 * abs(found.value) / space.size
    kernel = kernel_matrix(space, float(level))
    origins = np.concatenate([program.first, program.second])
    targets = np.concatenate([program.second, program.first])
    size = space.size
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
