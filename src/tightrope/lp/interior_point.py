"""Linear programs over many copies of one cone, by an interior-point method.

    minimize    Σ_z ⟨c_z, v_z⟩, or n times the largest mean over a class (`worst`)
    subject to  Σ_z s_z · mean over class k of v_z = 1   for every class k of coordinates,
                v_z[a] >= κ v_z[b], v_z[b] >= κ v_z[a]   for every pair (a, b) with share κ.

Every v_z lies in the same cone, and only the class rows join the copies. Most pairs are far
from tight in most copies, and redundant ones that are nearly tight shorten every step. So each
copy has active pairs of its own, which are or may become tight: about six for each coordinate,
and pairs enter and leave as the method goes on. Predictor and corrector follow
Mehrotra, further correctors Gondzio. Any non-negative multipliers prove a bound, wherever the
method is stopped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, tolerances
from tightrope.lp.arcs import DualFlow
from tightrope.lp.deadlines import Clock, Deadline, OutOfTime
from tightrope.lp.thinning import sparsify

if TYPE_CHECKING:
    from tightrope.lp.blocks import Direction, Snapshot
    from tightrope.lp.iterates import Iterate

Watch = Callable[[int, float, float], None]

_CORRECTORS = 2
"""Gondzio correctors for each factorization: each costs one solve and may lengthen the step."""

_MOST_STEPS = 200
"""Limit of interior-point steps, after which no further progress is expected."""

_CHANGING_GAP = 5.0
"""Relative gap below which active pairs change: slacks of worse iterates say little."""

_DUAL_LAG = 0.1
"""Share of the gap left by the prices below which only multipliers have to catch up."""

_RECENT = 8
"""Steps whose vectors are kept: when rounding stops the search, the last is not always best."""

_STALLED = 0.9
"""The search has stalled if `_RECENT` steps leave more than this share of the judged gap."""

_PATIENCE = 2.0
"""Seconds for sparsifying multipliers after a search that was stopped before its end."""


@dataclass(frozen=True, eq=False)
class ConeProgram:
    """The data of the program.

    `costs` has one row for each copy; pairs have first < second; `classes` gives the class of
    every coordinate; `sizes` are the factors s_z. With `worst`, the mean of a class k is
    Σ_z Σ_{y in k} c_z[y] v_z[y] / |k|. The method starts from `start`, vectors strictly inside
    the cone whose rows add up to one, and with the pairs that are nearly tight in `guess`.
    Multipliers are made to prove the bound with the shares `proof`, where those are a hair less.
    """

    costs: FloatArray
    first: IntArray
    second: IntArray
    shares: FloatArray
    classes: IntArray
    sizes: FloatArray
    worst: bool = False
    start: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    guess: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    proof: FloatArray = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        if not len(self.start):
            even = np.full(self.costs.shape, 1 / self.sizes.sum())
            object.__setattr__(self, "start", even)
        if not len(self.guess):
            object.__setattr__(self, "guess", self.start)
        if not len(self.proof):
            object.__setattr__(self, "proof", self.shares)

    @property
    def copies(self) -> int:
        """The number of vectors v_z."""
        return len(self.costs)

    @property
    def width(self) -> int:
        """The number of coordinates of each vector."""
        return int(self.costs.shape[1])

    def means(self, vectors: FloatArray) -> FloatArray:
        """The mean cost of every class."""
        costs = np.einsum("zy,zy->y", self.costs, vectors)
        return np.asarray(np.bincount(self.classes, costs) / np.bincount(self.classes))

    def value(self, vectors: FloatArray) -> float:
        """The objective."""
        if self.worst:
            return float(self.means(vectors).max() * self.width)
        return float(np.vdot(self.costs, vectors))


@dataclass(frozen=True, eq=False)
class ConeSolution:
    """Vectors nearly in the cone, multipliers of its pairs, and the bound that these prove.

    `value` is the objective of the vectors, whose rows add up to 1 and whose pairs hold within
    a small error; `bound` is proved by the multipliers, one flow for each copy, up to
    rounding. `minimax_weights` are the weights of the classes for which the bound holds, |k| each
    unless the program is for the worst class. Where it is not `finished`, the gap
    asked for is open: the digits came to their end (`exhausted`), the search was stopped by
    Ctrl-C (`interrupted`) or its time was up.
    """

    vectors: FloatArray
    flows: tuple[DualFlow, ...]
    minimax_weights: FloatArray
    value: float
    bound: float
    iterations: int
    finished: bool
    exhausted: bool = False
    interrupted: bool = False


def minimize(
    program: ConeProgram,
    *,
    gap: float,
    seconds: float = np.inf,
    watch: Watch | None = None,
    judge: Callable[[FloatArray], float] | None = None,
    threads: int = 2,
    reserved: int = 0,
    clock: Clock = monotonic,
) -> ConeSolution:
    """Solve the program to a relative gap, or until the time is up or Ctrl-C is pressed.

    `watch` is called with (iteration, value, bound) after every step. Where `judge` is given,
    it says what vectors are worth once they are put right, and the gap is asked of that. A step
    that is not a number, or that is not done when the search has to stop, is not taken. Memory
    is refused before it is taken; `reserved` are bytes that the caller holds, which count too.
    """
    from tightrope.lp.iterates import Iterate, loops_for

    deadline = Deadline(seconds, clock)
    loops_for(program)  # only threads of libraries that are loaded can be limited
    # Copies go to threads of our own; threads of BLAS inside them would only be in the way.
    with threadpool_limits(1, "blas"), np.errstate(all="ignore"):
        pool = ThreadPoolExecutor(threads)
        try:
            state = Iterate(program, pool, threads, reserved)
            search = _Search(state)
            state.deadline = deadline
            _run(search, gap, watch, judge)
        except np.linalg.LinAlgError:
            raise SolverFailed("the cone program has no strictly feasible start.") from None
        finally:
            pool.shutdown(cancel_futures=True)
        with ThreadPoolExecutor(threads) as pool:
            state.pool = pool
            state.deadline = Deadline()
            solution = search.solution(clock)
            del state.schur  # it knows its state: without it, memory is free at once
            return solution


def _run(
    search: _Search, gap: float, watch: Watch | None, judge: Callable[[FloatArray], float] | None
) -> None:
    """Make steps until the gap is reached, nothing helps, time is up or Ctrl-C is pressed."""
    try:
        while search.iteration < _MOST_STEPS and search.step(gap):
            if watch is not None:
                watch(search.iteration, search.value, search.best)
            if search.closes(gap, judge):
                search.finished = True
                break
            if search.stuck:
                search.exhausted = True
                search.choose(judge)
                break
        else:
            search.exhausted = True
            search.choose(judge)
    except KeyboardInterrupt:
        search.interrupted = True
    except OutOfTime:
        pass


class _Search:
    """Steps of an iterate, the state after the last whole one, and the best bound so far."""

    def __init__(self, state: Iterate) -> None:
        self.state = state
        self.iteration, self.finished, self.exhausted, self.interrupted = 0, False, False, False
        self.recent: deque[FloatArray] = deque(maxlen=_RECENT)
        self.judged: list[float] = []  # what vectors were worth since value and bound have met
        self._keep()

    def _keep(self) -> None:
        """Remember the present vectors, and multipliers if they prove more than those before."""
        state = self.state
        self.vectors = state.vectors
        self.recent.append(self.vectors)
        self.value = state.program.value(self.vectors)
        self.snapshot = state.snapshot()
        self._prove(self.snapshot, state.outflows)

    def _prove(self, snapshot: Snapshot, outflows: FloatArray) -> None:
        """Keep multipliers if they prove more than those before."""
        prices = self.state.class_prices(outflows, snapshot.minimax_weights)
        bound = float(prices @ self.state.counts)
        if not self.iteration or bound > self.best:
            self.proved = bound, prices, snapshot  # at once, since Ctrl-C may come anywhere

    def step(self, asked: float) -> bool:
        """Whether a step could be made; where rounding has won, the state is the one before.

        Lists stay as they are while the gap asked for is open and only multipliers lag behind.
        """
        state, gap = self.state, self.gap
        try:
            if gap < _CHANGING_GAP and not (gap > asked and self.lagging):
                state.update_pairs(gap, len(self.judged))
            if not _advance(state, gap):
                return False
        except (SolverFailed, np.linalg.LinAlgError):
            return False
        # vectors that break pairs which are not listed may be worth less than the bound
        open_gap = max(abs(self.gap), asked, tolerances.CONE_GAP_FLOOR)
        if state.row_residual > open_gap and self.iteration:
            return False
        self.iteration += 1
        self._keep()
        return True

    @property
    def best(self) -> float:
        """The best bound so far."""
        return self.proved[0]

    @property
    def gap(self) -> float:
        """The relative gap between value and bound."""
        if not self.iteration or not self.value:
            return 0.0 if self.value == self.best else np.inf
        return float((self.value - self.best) / abs(self.value))

    @property
    def lagging(self) -> bool:
        """Whether prices are nearly optimal and multipliers not yet dual feasible.

        Steps make them so, and every change of active pairs puts them off again.
        """
        return self.value - float(self.state.prices.sum()) < _DUAL_LAG * (self.value - self.best)

    def closes(self, gap: float, judge: Callable[[FloatArray], float] | None) -> bool:
        """Whether the gap is reached, also by what the vectors are worth in the end."""
        state, least = self.state, self.value - gap * abs(self.value)
        if self.best < least < float(state.prices.sum()):  # if multipliers are feasible
            self._prove(*state.restore_dual(self.snapshot))
        if self.best < least:
            return False
        if judge is None:
            return True
        value = judge(self.vectors)
        self.judged.append(value)
        return value - self.best <= gap * abs(value)

    @property
    def stuck(self) -> bool:
        """Whether only what vectors are worth leaves the gap open, and no longer falls."""
        earlier, later = self.judged[:-_RECENT], self.judged[-_RECENT:]
        if not earlier:
            return False
        return min(later) - self.best > _STALLED * (min(earlier) - self.best)

    def choose(self, judge: Callable[[FloatArray], float] | None) -> None:
        """Take the vectors of the last steps that are worth least once they are put right."""
        if judge is not None:
            self.vectors = min(self.recent, key=judge)

    def solution(self, clock: Clock) -> ConeSolution:
        """The solution with multipliers sparsified, for a moment only if the search was stopped."""
        state = self.state
        self._prove(*state.restore_dual(self.snapshot))
        bound, prices, kept = self.proved
        allowed = state.reduced_costs(kept.minimax_weights, prices)
        blocks = [((*lists, amounts), allowed[block.copies]) for lists, amounts, block
                  in zip(kept.lists, kept.multipliers, state.blocks, strict=True)]
        enough = _sparsifying_tolerance(state.program, bound)
        ended = self.finished or self.exhausted
        deadline = Deadline(np.inf if ended else _PATIENCE, clock)
        proof = state.arcs.with_shares(state.program.proof)
        flows = state.each_of(
            blocks, lambda block: sparsify(
                state.kernels, state.arcs, *block, enough, deadline, proof)
        )
        return ConeSolution(
            self.vectors, tuple(chain(*flows)), kept.minimax_weights,
            state.program.value(self.vectors), bound, self.iteration, self.finished,
            self.exhausted, self.interrupted,
        )


def _sparsifying_tolerance(program: ConeProgram, bound: float) -> float:
    """Dual infeasibility tolerated after sparsifying, relative to the costs and to the bound."""
    mean = float(np.abs(program.costs).mean())
    own = tolerances.THINNING_SHARE * abs(bound) / program.width
    least = tolerances.RESCALING_ERROR / 100 * mean
    return min(tolerances.THINNING_ERROR * mean, max(own, least))


def _advance(state: Iterate, gap: float) -> bool:
    """One predictor–corrector step; False where rounding allows no further progress."""
    precision = state.schur.precision(gap)
    largest = max(1.0, float(np.abs(state.program.costs).max()))
    middle = state.complementarity()
    if not middle > tolerances.CONE_GAP_FLOOR * largest:
        return False
    state.factorize()
    state.aim_at_zero()
    ahead = state.direction(100 * precision)
    reached = state.complementarity_after(ahead)
    center = max((reached / middle) ** 3, 0.5 * (1 - min(ahead.primal, ahead.dual)) ** 3)
    state.aim_at_center(ahead, center * middle)
    step = state.direction(precision)
    for _ in range(_CORRECTORS):
        further = _correct_again(state, step, center * middle, precision)
        if further is None:
            break
        step = further
    if not step.finite:  # a slack of 0: the digits have come to their end
        return False
    state.move(step)
    return True


def _correct_again(
    state: Iterate, step: Direction, middle: float, precision: float
) -> Direction | None:
    """A longer step by a Gondzio corrector; None where it gains too little."""
    if min(step.primal, step.dual) >= tolerances.CONE_STEP:
        return None
    undo = state.aim_at_middle(step, middle)
    further = state.direction(precision)
    gained = further.primal + further.dual - step.primal - step.dual
    if gained > 0.02 * min(step.primal, step.dual):
        return further
    undo()
    return None
