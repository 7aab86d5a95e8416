"""The optimal mechanism for any finite space, prior and loss, proved optimal.

A mechanism is a set of columns in the privacy cone that add up to one. Minimizing a linear
loss over them is a program over copies of one cone (`lp.minimize`), and so is the loss of the
worst input, whose dual is the least favorable prior. Columns are made
feasible (`columns`) and proved like any other matrix; multipliers prove a lower bound on the loss
of every mechanism. The reported gap is that between the two, whatever the solver did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil
from time import monotonic

import numpy as np
from threadpoolctl import threadpool_limits

from tightrope.choices import Goal
from tightrope.constructions.measures import rescale, whole_units
from tightrope.constructions.optimum.columns import (
    Rays,
    balance,
    inner_kernel,
    length_matrix,
    near_pairs,
)
from tightrope.constructions.optimum.effort import Effort
from tightrope.errors import TooLarge
from tightrope.exact import FloatArray, IntArray, check_entries
from tightrope.lp import (
    ConeProgram,
    ConeSolution,
    DualFlow,
    memory_of_lists,
    minimize,
    refuse_memory,
)
from tightrope.privacy import repair
from tightrope.spaces import Space
from tightrope.symmetry import Symmetry
from tightrope.utility import Multipliers, Prior, Problem, Solution, best_dual

_PRIOR_BITS = 48
"""Bits of the probabilities of a least favorable prior."""

_DIGITS = 80
"""Bits after the binary point of multipliers in doubles; the rest is rounded down."""

_BYTES_PROOF, _BYTES_TABLES = 350, 80
"""Bytes for each pair of inputs, or of input and output: in all, and during the search."""

_NEAREST = 4
"""Nearest pairs of each input that are always active in a column."""

_PROVED, _POWERS = 100_000, 25_000
"""Entries proved in a second, and distinct distances whose powers are: time kept for the proof."""

_MOMENT = 2.0
"""Seconds that a proof may always take, even if less time is allowed."""

_SHARE = 0.95
"""Share of the requested gap at which the search stops; the rest is for rounding."""

_QUICK, _QUICK_SHARE = 2_500, 0.05
"""Entries up to which the search goes on to this smaller share: another digit, at no cost."""


def solve_cone(problem: Problem, effort: Effort) -> Solution:
    """The best mechanism on a connected space at δ = 0: solve, make feasible, prove both sides."""
    started = monotonic()
    space, level, outputs = problem.space, problem.level, problem.outputs
    worst = problem.goal is Goal.WORST
    lengths = length_matrix(space)
    proof = space.size * len(problem.answers) / _PROVED + len(np.unique(lengths)) / _POWERS
    _refuse_short(proof, effort.seconds)
    symmetry = effort.symmetry_of(problem)
    tables = _BYTES_TABLES * space.size * max(space.size, len(problem.answers))
    lists = memory_of_lists(len(symmetry.representatives), space.size, _list_length(space))
    _refuse(tables + lists)
    losses, unit = rescale(problem.losses)
    costs = problem.chances[:, None] * losses
    rays = Rays.of(losses, lengths, float(level.inside(space.least_distance)))
    program = _program(problem, costs, symmetry, rays)
    kernel = inner_kernel(lengths, space, level)
    own_rays = rays.columns[symmetry.representatives]

    def feasible(vectors: FloatArray) -> FloatArray:
        columns = symmetry.settled(vectors)
        with threadpool_limits(1, "blas"):
            return balance(columns, kernel, symmetry, own_rays, program.value)

    seconds = max(effort.seconds / 2, effort.seconds - proof - (monotonic() - started))
    optimum = _minimize(program, effort, seconds, np.ldexp(1 / space.size, unit), feasible, tables)
    prior = problem.averaged
    if worst:
        prior = _least_favorable(optimum.minimax_weights, program.classes)
        costs = prior.on(space)[:, None] * losses
    matrix = symmetry.spread(feasible(optimum.vectors))
    certified = repair(matrix, space, level, outputs=outputs, costs=costs).certified
    multipliers = _multipliers(space.size, program.sizes, optimum.flows, symmetry, unit)
    solution = Solution(problem, certified, "optimal")
    solution = solution.proved(best_dual(problem, multipliers, prior))
    reached = solution.gap is not None and solution.gap <= effort.gap
    statistics = {
        "iterations": optimum.iterations,
        "finished": reached,
        "exhausted": not reached and (optimum.finished or optimum.exhausted),
        "interrupted": optimum.interrupted,
        "orbits": len(symmetry.representatives),
        "pairs": 2 * len(program.first),
        "seconds": monotonic() - started,
    }
    return solution.noting(statistics=statistics)


def refuse_large(size: int, answers: int) -> None:
    """Refuse sizes that cannot be proved within the memory allowed, even with much symmetry."""
    check_entries(size, answers)
    _refuse(_BYTES_PROOF * size * max(size, answers))


def _list_length(space: Space) -> int:
    """The least number of active pairs in a column: the nearest pairs of every input."""
    pairs = space.edges()
    degrees = np.bincount(np.concatenate([pairs.first, pairs.second]), minlength=space.size)
    return int(np.minimum(degrees, _NEAREST).sum())


def _refuse(needed: int) -> None:
    advice = "ask for fewer inputs or outputs, or for another construction"
    refuse_memory(needed, "least memory for the search and proof of the optimum", advice)


def _refuse_short(proof: float, seconds: float) -> None:
    """Refuse a search whose proof would take more than half of the time allowed."""
    if proof > max(seconds / 2, _MOMENT):
        raise TooLarge(
            "the time for preparing and proving the optimum, in seconds,",
            ceil(proof),
            ceil(seconds / 2),
            f"that is half of the time allowed: allow {ceil(2 * proof)} seconds or more",
        )


def _program(
    problem: Problem, costs: FloatArray, symmetry: Symmetry, rays: Rays
) -> ConeProgram:
    """The cone program of the orbits, with costs scaled to about one for each input."""
    space, chosen = problem.space, symmetry.representatives
    first, second = near_pairs(space, len(chosen))
    sizes = symmetry.sizes.astype(np.float64)
    return ConeProgram(
        costs[:, chosen].T * space.size * sizes[:, None],
        first,
        second,
        np.exp(-rays.epsilon * space.lengths(first, second)),
        symmetry.input_orbits,
        sizes,
        problem.goal is Goal.WORST,
        rays.start()[chosen],
        rays.columns[chosen],
        np.exp(-float(problem.level) * space.lengths(first, second)),
    )


def _minimize(
    program: ConeProgram,
    effort: Effort,
    seconds: float,
    unit: float,
    feasible: Callable[[FloatArray], FloatArray],
    reserved: int,
) -> ConeSolution:
    watch = effort.watch

    def report(iteration: int, value: float, bound: float) -> None:
        if watch is not None:
            watch(iteration, value * unit, bound * unit)

    def judge(vectors: FloatArray) -> float:
        return program.value(feasible(vectors))

    share = _SHARE if program.costs.size > _QUICK else _QUICK_SHARE
    return minimize(program, gap=share * effort.gap, seconds=seconds, watch=report, judge=judge,
                    reserved=reserved)


def _least_favorable(minimax_weights: FloatArray, classes: IntArray) -> Prior:
    """The prior in exact fractions, even within a class."""
    shares = np.maximum(minimax_weights / minimax_weights.sum(), 0.0)
    parts = np.floor(np.ldexp(shares, _PRIOR_BITS)).astype(int)
    total, counts = int(parts.sum()), np.bincount(classes)
    exact = [Fraction(int(part), int(k) * total) for part, k in zip(parts, counts, strict=True)]
    return Prior(tuple(exact[k] for k in classes.tolist()))


def _multipliers(
    size: int, sizes: FloatArray, flows: Sequence[DualFlow], symmetry: Symmetry, unit: int
) -> list[Multipliers]:
    """Multipliers in whole units for every output, carried from one output of each orbit."""
    units = [
        whole_units(flow.amounts / (size * many), unit, digits=_DIGITS)
        for flow, many in zip(flows, sizes.tolist(), strict=True)
    ]
    multipliers = []
    for position, carrier in symmetry.carriers():
        flow = flows[position]
        multipliers.append(
            Multipliers(carrier[flow.tails], carrier[flow.heads], units[position])
        )
    return multipliers
