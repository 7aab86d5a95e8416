"""The state of the interior-point method for cone programs, and its Newton directions.

Primal: vectors v_z, slacks S of their active pairs, and in the worst case the `epigraph` t above
all means with `class_slacks` σ_k = t - mean of class k. Dual: multipliers M of the pairs, prices of
the rows, and in the worst case the `minimax_weights` λ_k of the classes. A direction
solves, for given targets R,

    M ΔS + S ΔM = R,   λ Δσ + σ Δλ = R',   S + ΔS = G (v + Δv),   both sides feasible,

wherever the state is: S may differ from G v, row sums from 1. Threads take blocks of copies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tightrope.exact import FloatArray, IntArray, tolerances
from tightrope.extras import available, install_line
from tightrope.lp import batches, kernels_numba, kernels_numpy
from tightrope.lp.active_pairs import InitialPairs, limits_at
from tightrope.lp.arcs import Arcs
from tightrope.lp.blocks import Block, Direction, Snapshot, boundary_rate, centering_corrections
from tightrope.lp.deadlines import Deadline
from tightrope.lp.factors import factors_for
from tightrope.lp.memory import exceeds_memory, memory_of_factors, memory_of_lists, refuse_memory
from tightrope.lp.schur import SchurComplement

if TYPE_CHECKING:
    from tightrope.lp.interior_point import ConeProgram

T = TypeVar("T")
P = TypeVar("P")

_WORTH_COMPILING = 300_000_000
"""Copies times coordinates³ from which on compiled loops save more than loading them takes."""

_WORTH_THREADS = 20_000_000
"""Copies times coordinates³ from which on several threads save time, also for whole arrays."""

_BLOCK = 120_000
"""Active pairs of a block: few enough for a processor's cache, enough to be worth a call."""

_PARTS = 1, 4
"""Blocks for each thread: few for whole arrays, more for loops, whose time varies."""

_USUAL_PAIRS = 8
"""Active pairs for each coordinate, about; only for the number of blocks."""

_DENSE_FILL = 0.15
"""Fill of a sparse factor, as a share of the matrix, from which on a dense one is quicker."""

_STEP_ROUNDS, _BOUND_ROUNDS = 3, 8
"""Rounds of rescaling in a step, and before a bound is proved, where accuracy counts more."""

_LARGEST_DECREASE = 0.5
"""Largest relative decrease of a coordinate's outgoing multipliers per round; larger ones leave
products so small that they limit every step length."""

_LARGEST_GROWTH = 4.0
"""Largest growth of the mean product of a copy by rescaling; beyond it the multipliers before are
restored, since rescaling diverges and Newton steps reach dual feasibility without it."""


def loops_for(program: ConeProgram) -> Any:
    """The loops to work with: compiled ones, which are loaded, or those on whole arrays."""
    if not available("fast") or program.copies * program.width**3 <= _WORTH_COMPILING:
        return kernels_numpy
    kernels_numba.load()
    return kernels_numba


class Iterate:
    """The state of the method; changes in place, lives only inside `minimize`."""

    def __init__(
        self, program: ConeProgram, pool: ThreadPoolExecutor, threads: int, reserved: int = 0
    ) -> None:
        self.program, self.pool, self.deadline = program, pool, Deadline()
        n, copies = program.width, program.copies
        self.kernels = loops_for(program)
        self.threads = threads if copies * n**3 > _WORTH_THREADS else 1
        self.arcs = Arcs.of(n, program.first, program.second, program.shares)
        self.counts = np.bincount(program.classes).astype(np.float64)
        self.evenly = 1 / self.counts[program.classes]
        self.vectors = program.start.copy()
        self.minimax_weights = self.counts.copy()
        deepest = float(np.abs(program.costs / program.sizes[:, None]).max()) or 1.0
        self.prices = -deepest * self.counts
        self.first = InitialPairs(self.arcs, program.guess)
        self.dense = self.kernels is kernels_numpy
        self._choose_factors(reserved)
        self.blocks = self._blocks()
        self.means = program.means(self.vectors)
        peak = float(np.abs(self.means).max()) or 1.0
        self.epigraph = float(self.means.max()) + peak if program.worst else 0.0
        self.class_slacks = self.epigraph - self.means
        self.class_targets = np.zeros(len(self.counts))
        self.agreement = tolerances.RESCALING_ERROR  # of multipliers with prices
        self.schur = SchurComplement(self)
        self.outflows = np.empty((copies, n))
        self.each(self._begin)
        self.measure()

    def _blocks(self) -> list[Block]:
        """Blocks with their initial pairs: fixed ones, and those nearly tight in the guess."""
        arcs, copies = self.arcs, self.program.copies
        count = -(-copies * _USUAL_PAIRS * arcs.width // _BLOCK)
        if self.threads > 1:  # as many for each thread, and as even as can be
            rounds = max(_PARTS[self.kernels is kernels_numba], -(-count // self.threads))
            count = min(copies, rounds * self.threads)
        cuts = [copies * k // count for k in range(count + 1)]
        return self.each_of([slice(*ends) for ends in pairwise(cuts)], self._block)

    def _block(self, part: slice) -> Block:
        chosen = [self.first.of(copy) for copy in range(part.start, part.stop)]
        starts = np.cumsum([0, *map(len, chosen)])
        pairs: Any = np.concatenate(chosen).astype(np.int32)
        return Block(part, starts, pairs, factors_for(self.arcs, self.dense))

    def _choose_factors(self, reserved: int) -> None:
        """Choose dense or sparse factors, and how many initial pairs; refuse too much memory."""
        needed = reserved + self._memory()
        if exceeds_memory(needed):
            self.first = replace(self.first, short=True)
            needed = reserved + self._memory()
        fast = "" if available("fast") else f", or {install_line('fast')}, which needs less"
        refuse_memory(
            needed, "memory for the search of the optimum", f"ask for fewer inputs or outputs{fast}"
        )

    def _memory(self) -> int:
        """Bytes for pairs and factors, by the initial pairs of some copies and a factor of one."""
        copies, entries, lists = self.program.copies, self.arcs.width**2, self.first.some()
        if self.kernels is kernels_numba:
            first: Any = lists[0].astype(np.int32)
            fill = kernels_numba.fill(np.array([0, len(first)]), first, self.arcs)
            self.dense = fill > _DENSE_FILL * entries
            entries = entries if self.dense else fill
        active = sum(map(len, lists)) // len(lists)
        rows, inverted = 2 * len(self.counts), self.dense and self.arcs.width <= batches.LARGEST
        return memory_of_lists(copies, self.arcs.width, active) + memory_of_factors(
            copies, entries, rows, self.threads, inverted
        )

    def _begin(self, block: Block) -> None:
        """Slacks of the start, and multipliers of even products that come near feasible."""
        block.slacks = self.kernels.pair_slacks(*block.lists, self.vectors[block.copies], self.arcs)
        block.multipliers = 1 / block.slacks
        tops = np.maximum.reduceat(block.multipliers, block.starts[:-1])
        block.multipliers /= np.repeat(tops, np.diff(block.starts))
        self._rescale(block, 1, 1000, tolerances.RESCALING_ERROR - 1)

    def _rescale(self, block: Block, rounds: int, sweeps: int, low: float) -> None:
        """Rescale the multipliers of each tail towards dual feasibility at the present prices."""
        costs = self._reduced_costs(block)
        block.multipliers = self._towards(
            costs, block.lists, block.multipliers, rounds, sweeps, low, self.agreement)

    def _towards(
        self, allowed: FloatArray, lists: tuple[IntArray, IntArray], multipliers: FloatArray,
        rounds: int, sweeps: int, low: float, tolerance: float,
    ) -> FloatArray:
        """Multipliers whose Gᵀ M is nearer to the reduced costs allowed."""
        scaled = multipliers.copy()
        missing = allowed - self.kernels.net_outflow(*lists, scaled, self.arcs)
        self.kernels.rescale(
            *lists, scaled, self.arcs, missing, rounds, sweeps, low, np.inf, tolerance)
        return scaled

    def snapshot(self) -> Snapshot:
        """A snapshot of the state; later steps make arrays of their own."""
        lists = [block.lists for block in self.blocks]
        multipliers = [block.multipliers for block in self.blocks]
        return Snapshot(lists, multipliers, self.prices, self.minimax_weights)

    def restore_dual(self, snapshot: Snapshot) -> tuple[Snapshot, FloatArray]:
        """The state with multipliers as near to dual feasible as rescaling goes, and their Gᵀ M."""
        outflows = np.empty_like(self.outflows)
        allowed = self.reduced_costs(snapshot.minimax_weights, snapshot.prices / self.counts)

        def rescale(k: int) -> FloatArray:
            lists, own = snapshot.lists[k], self.blocks[k].copies
            multipliers = self._towards(
                allowed[own], lists, snapshot.multipliers[k], _BOUND_ROUNDS, 200, -1.0,
                tolerances.RESCALING_ERROR)
            outflows[own] = self.kernels.net_outflow(*lists, multipliers, self.arcs)
            return multipliers

        rescaled = self.each_of(range(len(self.blocks)), rescale)
        return replace(snapshot, multipliers=rescaled), outflows

    def each(self, work: Callable[[Block], T]) -> list[T]:
        """The work done for every block, on several threads where it is worth their while."""
        return self.each_of(self.blocks, work)

    def each_of(self, parts: Sequence[P], work: Callable[[P], T]) -> list[T]:
        """The work done for every part; raises `OutOfTime` where it is late."""

        def quietly(part: P) -> T:  # errstate belongs to a thread
            self.deadline.check()
            with np.errstate(all="ignore"):
                return work(part)

        return list((map if self.threads == 1 else self.pool.map)(quietly, parts))

    def gather(self, numbers: FloatArray) -> FloatArray:
        """The means over classes of numbers on coordinates."""
        return np.bincount(self.program.classes, numbers * self.evenly).astype(np.float64)

    def _reduced_costs(self, block: Block) -> FloatArray:
        """The reduced costs of a block at the present prices: Gᵀ M has to equal them."""
        return self.reduced_costs(self.minimax_weights, self.prices / self.counts, block.copies)

    def reduced_costs(
        self, minimax_weights: FloatArray, prices: FloatArray, copies: slice = slice(None)
    ) -> FloatArray:
        """Costs minus prices per coordinate, of some copies; dual feasible Gᵀ M are no larger."""
        program = self.program
        costs = (minimax_weights / self.counts)[program.classes] * program.costs[copies]
        return np.asarray(costs - program.sizes[copies, None] * prices[program.classes])

    @property
    def epigraph_residual(self) -> FloatArray:
        """Residual of the rows of the epigraph: t - mean - σ for every class."""
        return np.asarray(self.epigraph - self.means - self.class_slacks)

    @property
    def row_residual(self) -> float:
        """Largest primal residual of the class rows."""
        return float(np.abs(1 - self.gather(self.program.sizes @ self.vectors)).max())

    @property
    def active(self) -> int:
        """Number of active pairs of all copies."""
        return sum(len(block.pairs) for block in self.blocks)

    def class_prices(self, outflows: FloatArray, minimax_weights: FloatArray) -> FloatArray:
        """The largest dual feasible price per coordinate of every class, given Gᵀ M."""
        share = (minimax_weights / self.counts)[self.program.classes]
        least = (share * self.program.costs - outflows) / self.program.sizes[:, None]
        low = np.full(len(self.counts), np.inf)
        np.minimum.at(low, self.program.classes, least.min(axis=0))
        return low

    def measure(self) -> None:
        """Compute Gᵀ M and the class means of the present vectors."""

        def net_outflow(block: Block) -> None:
            self.outflows[block.copies] = self.kernels.net_outflow(
                *block.lists, block.multipliers, self.arcs)

        self.each(net_outflow)
        self.means = self.program.means(self.vectors)

    def update_pairs(self, gap: float, failed: int = 0) -> None:
        """Update the active pairs of every copy; see `limits_at`."""
        self.agreement = max(tolerances.RESCALING_ERROR, tolerances.AGREEMENT * gap)
        middle = self.complementarity()
        limits = limits_at(gap, failed)

        def update_pairs(block: Block) -> None:
            block.starts, block.pairs, block.slacks, block.multipliers = self.kernels.update_pairs(
                self.vectors[block.copies], *block.lists, block.slacks, block.multipliers,
                self.arcs, middle, limits,
            )
            before = block.multipliers
            self._rescale(block, _STEP_ROUNDS, 30, -_LARGEST_DECREASE)
            block.restore_multipliers(before, _LARGEST_GROWTH)

        self.each(update_pairs)
        self.measure()

    def complementarity(self) -> float:
        """The mean product of slack and multiplier."""
        pairs = sum(float(block.multipliers @ block.slacks) for block in self.blocks)
        return self._mean(pairs, self.minimax_weights * self.class_slacks)

    def _mean(self, pairs: float, classes: FloatArray) -> float:
        if self.program.worst:
            return (pairs + float(classes.sum())) / (self.active + len(classes))
        return pairs / self.active

    def factorize(self) -> None:
        """Factor every copy's Newton matrix, and prepare the Schur complement."""

        def factor(block: Block) -> None:
            block.factors.factor(*block.lists, block.multipliers / block.slacks)
            own = self.vectors[block.copies]
            block.missing = self.kernels.pair_slacks(*block.lists, own, self.arcs)
            block.missing -= block.slacks

        self.each(factor)
        self.schur.prepare()

    def aim_at_zero(self) -> None:
        """Targets -M S of the predictor."""
        for block in self.blocks:
            block.targets = -block.multipliers * block.slacks
        self.class_targets = -self.minimax_weights * self.class_slacks

    def aim_at_center(self, ahead: Direction, middle: float) -> None:
        """Targets of the corrector: the products that the predictor misses, and the middle."""
        for k, block in enumerate(self.blocks):
            block.targets -= ahead.slacks[k] * ahead.multipliers[k]
            block.targets += middle
        self.class_targets = self.class_targets + middle
        self.class_targets -= ahead.class_slacks * ahead.minimax_weights

    def aim_at_middle(self, step: Direction, middle: float) -> Callable[[], None]:
        """Pull products that a longer step would leave far from the middle back towards it.

        Returns how to take that back.
        """
        earlier, class_targets = [block.targets for block in self.blocks], self.class_targets
        primal = min(1.0, 1.5 * step.primal + 0.3)
        dual = min(1.0, 1.5 * step.dual + 0.3)

        def correct(numbered: tuple[int, Block]) -> None:
            k, block = numbered
            reached = block.slacks + primal * step.slacks[k]
            reached *= block.multipliers + dual * step.multipliers[k]
            block.targets = block.targets + centering_corrections(reached, middle)

        list(map(correct, enumerate(self.blocks)))
        weights = self.minimax_weights + dual * step.minimax_weights
        reached = (self.class_slacks + primal * step.class_slacks) * weights
        self.class_targets = self.class_targets + centering_corrections(reached, middle)

        def undo() -> None:
            for block, targets in zip(self.blocks, earlier, strict=True):
                block.targets = targets
            self.class_targets = class_targets

        return undo

    def direction(self, precision: float) -> Direction:
        """The Newton direction for the present targets."""
        program, k = self.program, len(self.counts)
        vectors = np.empty_like(self.vectors)

        def alone(block: Block) -> None:
            numbers = (block.targets - block.multipliers * block.missing) / block.slacks
            side = self.kernels.net_outflow(*block.lists, numbers, self.arcs)
            side += self.outflows[block.copies]
            side -= self._reduced_costs(block)
            vectors[block.copies] = block.factors.solve(side)

        self.each(alone)
        duals, epigraph = self.schur.solve(vectors, precision)

        def whole(block: Block) -> tuple[FloatArray, FloatArray, tuple[float, float]]:
            change = self.kernels.pair_slacks(*block.lists, vectors[block.copies], self.arcs)
            change += block.missing
            step = (block.targets - block.multipliers * change) / block.slacks
            rates = boundary_rate(change, block.slacks), boundary_rate(step, block.multipliers)
            return change, step, rates

        slacks, multipliers, rates_of_blocks = zip(*self.each(whole), strict=True)
        fastest = [max(rates) for rates in zip(*rates_of_blocks, strict=True)]
        minimax_weights, class_slacks = np.zeros(k), np.zeros(k)
        if program.worst:
            minimax_weights = -duals[k:]
            class_slacks = self.class_targets - self.class_slacks * minimax_weights
            class_slacks /= self.minimax_weights
            fastest[0] = max(fastest[0], float((-class_slacks / self.class_slacks).max()))
            fastest[1] = max(fastest[1], float((-minimax_weights / self.minimax_weights).max()))
        primal, dual = (float(1 / s) if s > 1 else 1.0 for s in fastest)
        return Direction(
            vectors, duals[:k], epigraph, minimax_weights, class_slacks, primal, dual,
            list(slacks), list(multipliers),
        )

    def complementarity_after(self, ahead: Direction) -> float:
        """The mean product after the longest step in that direction."""
        pairs = 0.0
        for k, block in enumerate(self.blocks):
            slacks = block.slacks + ahead.primal * ahead.slacks[k]
            pairs += float(slacks @ (block.multipliers + ahead.dual * ahead.multipliers[k]))
        class_slacks = self.class_slacks + ahead.primal * ahead.class_slacks
        minimax_weights = self.minimax_weights + ahead.dual * ahead.minimax_weights
        return self._mean(pairs, class_slacks * minimax_weights)

    def move(self, step: Direction) -> None:
        """Go almost to the boundary."""
        primal, dual = (tolerances.CONE_STEP * length for length in (step.primal, step.dual))
        for k, block in enumerate(self.blocks):
            block.slacks = block.slacks + primal * step.slacks[k]
            block.multipliers = block.multipliers + dual * step.multipliers[k]
        self.vectors = self.vectors + primal * step.vectors
        self.prices = self.prices + dual * step.prices
        self.minimax_weights = self.minimax_weights + dual * step.minimax_weights
        self.epigraph += primal * step.epigraph
        self.class_slacks = self.class_slacks + primal * step.class_slacks
        self.measure()
