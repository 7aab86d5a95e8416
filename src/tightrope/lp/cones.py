"""Linear programs over many copies of one cone, by an interior-point method.

    minimize    Σ_z ⟨c_z, v_z⟩, or n times the largest mean over a class (`worst`)
    subject to  Σ_z s_z · mean over class k of v_z = 1   for every class k of coordinates,
                v_z[a] >= κ v_z[b], v_z[b] >= κ v_z[a]   for every pair (a, b) with share κ.

Every v_z lies in the same cone, and only the class rows join the copies, so one Newton step
is a Cholesky factorization for each copy and a small dense system for the rows. Constant
vectors lie inside the cone and a simple choice of multipliers is dual feasible, so the
method starts feasible on both sides. Predictor and corrector follow Mehrotra, further
correctors Gondzio. Any non-negative multipliers prove a bound (`bound_from`), wherever the
method is stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, tolerances

if TYPE_CHECKING:  # both need scipy, which is slow to import
    from tightrope.lp.factors import Incidence
    from tightrope.lp.iterates import Direction, Iterate


Watch = Callable[[int, float, float], None]

_CORRECTORS = (2, 6)
"""Solves with one factorization beyond predictor and corrector, where it is cheap and dear."""

_MOST_STEPS = 200
"""Steps after which no further progress is to be hoped for."""


@dataclass(frozen=True, eq=False)
class ConeProgram:
    """The data of the program.

    `costs` has one row for each copy; pairs have first < second; `classes` gives the class of
    every coordinate; `sizes` are the factors s_z. With `worst`, the mean of a class k is
    Σ_z Σ_{y in k} c_z[y] v_z[y] / |k|.
    """

    costs: FloatArray
    first: IntArray
    second: IntArray
    shares: FloatArray
    classes: IntArray
    sizes: FloatArray
    worst: bool = False

    @property
    def copies(self) -> int:
        """The number of vectors v_z."""
        return len(self.costs)

    @property
    def width(self) -> int:
        """The number of coordinates of each vector."""
        return int(self.costs.shape[1])


@dataclass(frozen=True, eq=False)
class ConeSolution:
    """Vectors inside the cone, multipliers of its pairs, and what they prove.

    `value` is the objective of the vectors, whose rows add up to 1 within rounding; `bound`
    is proved by the multipliers up to rounding. `emphasis` are the weights of the classes for
    which the bound holds, |k| each unless the program is for the worst class. Multipliers
    have one row for each copy: all pairs v[first] >= κ v[second], then all reversed ones.
    """

    vectors: FloatArray
    multipliers: FloatArray
    emphasis: FloatArray
    value: float
    bound: float
    iterations: int
    finished: bool


def bound_from(
    program: ConeProgram, multipliers: FloatArray, emphasis: FloatArray | None = None
) -> float:
    """The lower bound on the objective that non-negative multipliers prove."""
    prices = class_prices(program, multipliers, emphasis)
    return float((prices * np.bincount(program.classes)).sum())


def class_prices(
    program: ConeProgram, multipliers: FloatArray, emphasis: FloatArray | None = None
) -> FloatArray:
    """The largest price per coordinate of every class that the multipliers allow."""
    from tightrope.lp.factors import Incidence

    incidence = Incidence.of(program.width, program.first, program.second, program.shares)
    counts = np.bincount(program.classes)
    share = (counts if emphasis is None else emphasis) / counts
    parts = ((slice(z, z + 1), multipliers[z : z + 1].T) for z in range(program.copies))
    return _prices(program, incidence, parts, share[program.classes])


def _prices(
    program: ConeProgram,
    incidence: Incidence,
    parts: Iterable[tuple[slice, FloatArray]],
    share: FloatArray,
) -> FloatArray:
    """The prices from parts: some copies, and their multipliers side by side."""
    least = np.full(program.width, np.inf)
    for copies, multipliers in parts:
        slack = (share * program.costs[copies]).T - incidence.pull @ multipliers
        np.minimum(least, (slack / program.sizes[copies]).min(axis=1), out=least)
    low = np.full(int(program.classes.max()) + 1, np.inf)
    np.minimum.at(low, program.classes, least)
    return low


def minimize(
    program: ConeProgram,
    *,
    gap: float,
    seconds: float = np.inf,
    watch: Watch | None = None,
    threads: int = 2,
) -> ConeSolution:
    """Solve the program to a relative gap, or until the time is up or Ctrl-C is pressed.

    `watch` is called with (iteration, value, bound) after every step. A step that is not a
    number ends the search at the one before.
    """
    from tightrope.lp.iterates import Iterate

    started = monotonic()
    # Copies go to threads of our own; threads of BLAS inside them would only be in the way.
    with (
        threadpool_limits(1, "blas"),
        ThreadPoolExecutor(threads) as pool,
        np.errstate(all="ignore"),
    ):
        try:
            state = Iterate(program, pool)
        except np.linalg.LinAlgError:
            raise SolverFailed("the cone program has no strictly feasible start.") from None
        best, value, iteration, finished = -np.inf, np.inf, 0, False
        kept = np.empty((program.copies, 2 * len(program.first)))
        emphasis = state.emphasis.copy()
        state.write_multipliers(kept)
        try:
            while not finished and iteration < _MOST_STEPS and monotonic() - started < seconds:
                iteration += 1
                if not _moves(state):
                    break
                value, bound = state.value(), _bound(state)
                if bound > best:
                    best, emphasis = bound, state.emphasis.copy()
                    state.write_multipliers(kept)
                if watch is not None:
                    watch(iteration, value, best)
                finished = value - best <= gap * abs(value)
        except KeyboardInterrupt:
            pass
        if not np.isfinite(best):
            best = bound_from(program, kept, emphasis)
        return ConeSolution(state.vectors, kept, emphasis, value, best, iteration, finished)


def _bound(state: Iterate) -> float:
    share = (state.emphasis / state.counts)[state.program.classes]
    parts = ((block.copies, block.multipliers) for block in state.blocks)
    prices = _prices(state.program, state.incidence, parts, share)
    return float((prices * state.counts).sum())


def _moves(state: Iterate) -> bool:
    """Whether a step could be made; a singular system means that rounding has won."""
    try:
        return _advance(state)
    except (SolverFailed, np.linalg.LinAlgError):
        return False


def _advance(state: Iterate) -> bool:
    """One predictor–corrector step; False where rounding allows no further progress."""
    largest = max(1.0, float(np.abs(state.program.costs).max()))
    middle = state.complementarity()
    if not middle > tolerances.CONE_GAP_FLOOR * largest:
        return False
    state.factorize()
    state.aim_at_zero()
    ahead = state.direction()
    reached = state.complementarity_after(ahead)
    center = max((reached / middle) ** 3, 0.5 * (1 - min(ahead.primal, ahead.dual)) ** 3)
    state.aim_at_center(ahead, center * middle)
    step = state.direction()
    for _ in range(_correctors(state.program, len(state.counts))):
        further = _corrected(state, step, center * middle)
        if further is None:
            break
        step = further
    if not step.finite:  # a slack of 0: the digits have come to their end
        return False
    state.move(step)
    return True


def _correctors(program: ConeProgram, rows: int) -> int:
    """How many correctors pay: the work of a factorization over that of a direction."""
    factoring = program.width**2 * (program.width / 3 + rows)
    return int(np.clip(factoring / (200 * max(1, len(program.first))), *_CORRECTORS))


def _corrected(state: Iterate, step: Direction, middle: float) -> Direction | None:
    """A longer step, after products far from the middle have been pulled towards it."""
    if min(step.primal, step.dual) >= tolerances.CONE_STEP:
        return None
    state.aim_at_middle(step, middle)
    further = state.direction()
    gained = further.primal + further.dual - step.primal - step.dual
    if gained > 0.02 * min(step.primal, step.dual):
        return further
    state.take_back()
    return None
