"""The state of the interior-point method for cone programs, and its Newton directions.

Primal: vectors v_z with slacks S = G v_z, and in the worst case the height t with room
σ_k = t - mean of class k. Dual: multipliers M of the pairs, prices of the rows, and in the
worst case the emphasis λ_k of the classes. A direction solves, for given targets R,

    M ΔS + S ΔM = R,   λ Δσ + σ Δλ = R',   both sides feasible.

Copies are worked on in blocks of a few, side by side: a number on a directed pair is a row.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from scipy.sparse import csr_array

from tightrope.exact import FloatArray, tolerances
from tightrope.lp.factors import Factor, Incidence

if TYPE_CHECKING:
    from tightrope.lp.cones import ConeProgram

T = TypeVar("T")

_WORTH_THREADS = 100_000
"""Multipliers from which on several threads are quicker than one."""

_BLOCK = 100_000
"""Multipliers of a block: few enough for a processor's cache, enough to be worth a call."""


@dataclass(frozen=True, eq=False)
class Direction:
    """A step of vectors, prices, height and emphasis, and the longest lengths allowed."""

    vectors: FloatArray
    prices: FloatArray
    height: float
    emphasis: FloatArray
    room: FloatArray
    primal: float
    dual: float

    @property
    def finite(self) -> bool:
        """Whether every number of the step is one."""
        parts = (self.vectors, self.prices, self.height, self.emphasis)
        return all(bool(np.isfinite(part).all()) for part in parts)


class Block:
    """The multipliers, slacks and targets of a few copies, one column for each."""

    def __init__(self, copies: slice, multipliers: FloatArray) -> None:
        self.copies = copies
        self.multipliers = multipliers
        self.slacks = np.empty_like(multipliers)
        self.targets = np.empty_like(multipliers)
        self.earlier = np.empty_like(multipliers)

    @property
    def places(self) -> range:
        """The copies, one by one."""
        return range(self.copies.start, self.copies.stop)


class Iterate:
    """The state of the method; changes in place, lives only inside `minimize`."""

    def __init__(self, program: ConeProgram, pool: ThreadPoolExecutor) -> None:
        self.program, self.pool = program, pool
        n, copies = program.width, program.copies
        self.incidence = Incidence.of(n, program.first, program.second, program.shares)
        self.counts = np.bincount(program.classes).astype(np.float64)
        self.shares = 1 / self.counts[program.classes]
        self.vectors = np.full((copies, n), 1 / program.sizes.sum())
        self.emphasis = self.counts.copy()
        deepest = float(np.abs(program.costs / program.sizes[:, None]).max()) or 1.0
        self.prices = -deepest * self.counts
        self.blocks = self._blocks()
        self.pairs = copies * 2 * len(program.first)
        self.means = self._means()
        peak = float(np.abs(self.means).max()) or 1.0
        self.height = float(self.means.max()) + peak if program.worst else 0.0
        self.aims = self.earlier_aims = np.zeros(len(self.counts))
        self.columns = [self._columns(z) for z in range(copies)]
        self.rooms = np.empty((copies, *self.incidence.room))
        self.factors: list[Factor] = []
        self.joining = np.empty((0, 0))
        self._measure()

    def _blocks(self) -> list[Block]:
        """Blocks with M[a, b] = x[a] and Gᵀ M = costs - prices: dual feasible, all positive."""
        program = self.program
        first, second = program.first, program.second
        matrix = np.zeros((program.width, program.width))
        matrix[first, second] = matrix[second, first] = -program.shares
        matrix[np.diag_indices(program.width)] += np.bincount(
            np.concatenate([first, second]), minlength=program.width
        )
        pull = (self.prices / self.counts)[program.classes]
        sides = (program.costs - np.outer(program.sizes, pull)).T
        solved: FloatArray = np.linalg.solve(matrix, sides).astype(np.float64)
        copies = program.copies
        many = max(1, min(_BLOCK // max(1, 2 * len(first)), -(-copies // 4)))
        parts = [slice(start, min(start + many, copies)) for start in range(0, copies, many)]
        ends = np.concatenate([first, second])
        return [Block(part, solved[ends, part]) for part in parts]

    def _columns(self, z: int) -> csr_array:
        """The columns A of one copy: its part in the rows, and in the worst case in the means."""
        program, n = self.program, self.program.width
        entries = [np.full(n, program.sizes[z]) * self.shares]
        if program.worst:
            entries.append(program.costs[z] * self.shares)
        blocks = len(entries)
        places = program.classes[:, None] + len(self.counts) * np.arange(blocks)
        return csr_array(
            (np.stack(entries, axis=1).ravel(), places.ravel(), np.arange(n + 1) * blocks),
            shape=(n, blocks * len(self.counts)),
        )

    def each(self, work: Callable[[Block], T]) -> list[T]:
        """The work done for every block, on several threads where it is worth their while."""
        if self.pairs < _WORTH_THREADS:
            return [work(block) for block in self.blocks]

        def quietly(block: Block) -> T:  # errstate belongs to a thread
            with np.errstate(all="ignore"):
                return work(block)

        return list(self.pool.map(quietly, self.blocks))

    def write_multipliers(self, out: FloatArray) -> None:
        """Write the multipliers into an array with one row for each copy."""
        for block in self.blocks:
            out[block.copies] = block.multipliers.T

    def _rows(self) -> FloatArray:
        totals = (self.program.sizes @ self.vectors) * self.shares
        return np.bincount(self.program.classes, totals).astype(np.float64)

    def _means(self) -> FloatArray:
        totals = np.einsum("zy,zy->y", self.program.costs, self.vectors) * self.shares
        return np.bincount(self.program.classes, totals).astype(np.float64)

    def _measure(self) -> None:
        """Slacks and means of the present vectors."""

        def slack(block: Block) -> None:
            block.slacks = self.incidence.push @ self.vectors[block.copies].T

        self.each(slack)
        self.means = self._means()

    @property
    def room(self) -> FloatArray:
        """σ: what the classes have left below the height."""
        return self.height - self.means

    def value(self) -> float:
        """The objective of the present vectors."""
        if self.program.worst:
            return float(self.means.max() * self.counts.sum())
        return float(self.means @ self.counts)

    def complementarity(self) -> float:
        """The mean product of slack and multiplier."""
        pairs = self.each(lambda block: float(np.vdot(block.multipliers, block.slacks)))
        return self._mean(sum(pairs), self.emphasis * self.room)

    def _mean(self, pairs: float, classes: FloatArray) -> float:
        if self.program.worst:
            return (pairs + float(classes.sum())) / (self.pairs + len(classes))
        return pairs / self.pairs

    def factorize(self) -> None:
        """Factor every copy's Newton matrix, and sum up the matrix of the joining rows."""

        def factor(block: Block) -> list[Factor]:
            weights = np.ascontiguousarray((block.multipliers / block.slacks).T)
            return [
                self.incidence.factor(weight, self.columns[z], self.rooms[z])
                for z, weight in zip(block.places, weights, strict=True)
            ]

        self.factors = [factor for found in self.each(factor) for factor in found]
        joining = sum((factor.gram for factor in self.factors), np.zeros(()))
        if self.program.worst:
            k = len(self.counts)
            joining[range(k, 2 * k), range(k, 2 * k)] += self.room / self.emphasis
            border = np.concatenate([np.zeros(k), -np.ones(k)])
            joining = np.block([[joining, border[:, None]], [border, np.zeros(1)]])
        self.joining = joining

    def aim_at_zero(self) -> None:
        """Targets -M S of the predictor."""

        def aim(block: Block) -> None:
            np.multiply(block.multipliers, block.slacks, out=block.targets)
            np.negative(block.targets, out=block.targets)

        self.each(aim)
        self.aims = -self.emphasis * self.room

    def aim_at_center(self, ahead: Direction, middle: float) -> None:
        """Targets of the corrector: the products that the predictor misses, and the middle."""

        def correct(block: Block) -> None:
            change, step = self._steps(block, ahead.vectors)
            change *= step
            block.targets -= change
            block.targets += middle

        self.each(correct)
        self.aims += middle - ahead.room * ahead.emphasis

    def aim_at_middle(self, step: Direction, middle: float) -> None:
        """Pull products that a longer step would leave far from the middle back towards it."""
        self.earlier_aims = self.aims
        primal = min(1.0, 1.5 * step.primal + 0.3)
        dual = min(1.0, 1.5 * step.dual + 0.3)

        def correct(block: Block) -> None:
            change, further = self._steps(block, step.vectors)
            change *= primal
            change += block.slacks
            further *= dual
            further += block.multipliers
            change *= further
            block.earlier[...] = block.targets
            block.targets += _pulled(change, middle)

        self.each(correct)
        reached = (self.room + primal * step.room) * (self.emphasis + dual * step.emphasis)
        self.aims = self.aims + _pulled(reached, middle)

    def take_back(self) -> None:
        """Undo `aim_at_middle`."""
        for block in self.blocks:
            block.targets, block.earlier = block.earlier, block.targets
        self.aims = self.earlier_aims

    def direction(self) -> Direction:
        """The Newton direction for the present targets."""
        program, incidence, k = self.program, self.incidence, len(self.counts)
        pull = (self.prices / self.counts)[program.classes]
        share = (self.emphasis / self.counts)[program.classes]

        def half(block: Block) -> list[FloatArray]:
            step = block.targets / block.slacks
            step += block.multipliers
            side = incidence.pull @ step
            side -= (share * program.costs[block.copies]).T
            side += np.outer(pull, program.sizes[block.copies])
            return [self.factors[z].half(one) for z, one in zip(block.places, side.T, strict=True)]

        halves = [found for part in self.each(half) for found in part]
        met = sum((self.factors[z].met(one) for z, one in enumerate(halves)), np.zeros(()))
        right = 1 - self._rows()
        if program.worst:
            short = self.counts.sum() - self.emphasis.sum()
            right = np.concatenate([right, -self.aims / self.emphasis, [short]])
        right[: len(met)] -= met
        found: FloatArray = np.linalg.solve(self.joining, right).astype(np.float64)
        vectors = np.empty_like(self.vectors)

        def whole(block: Block) -> tuple[float, float]:
            for z in block.places:
                vectors[z] = self.factors[z].whole(halves[z], found[: len(met)])
            change, step = self._steps(block, vectors)
            change /= block.slacks
            step /= block.multipliers
            return -float(change.min()), -float(step.min())

        steepest = np.array(self.each(whole)).max(axis=0)
        height, emphasis, room = 0.0, np.zeros(k), np.zeros(k)
        if program.worst:
            emphasis, height = -found[k : 2 * k], float(found[-1])
            room = (self.aims - self.room * emphasis) / self.emphasis
            steepest[0] = max(steepest[0], float((-room / self.room).max()))
            steepest[1] = max(steepest[1], float((-emphasis / self.emphasis).max()))
        primal, dual = (float(1 / s) if s > 1 else 1.0 for s in steepest)
        return Direction(vectors, found[:k], height, emphasis, room, primal, dual)

    def _steps(self, block: Block, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(ΔS, ΔM) of a block for steps of all vectors."""
        change = np.asarray(self.incidence.push @ vectors[block.copies].T)
        step = block.multipliers * change
        np.subtract(block.targets, step, out=step)
        step /= block.slacks
        return change, step

    def complementarity_after(self, ahead: Direction) -> float:
        """The mean product after the longest step in that direction."""

        def product(block: Block) -> float:
            change, step = self._steps(block, ahead.vectors)
            change *= ahead.primal
            change += block.slacks
            step *= ahead.dual
            step += block.multipliers
            return float(np.vdot(change, step))

        room = self.room + ahead.primal * ahead.room
        emphasis = self.emphasis + ahead.dual * ahead.emphasis
        return self._mean(sum(self.each(product)), room * emphasis)

    def move(self, step: Direction) -> None:
        """Go almost to the boundary."""
        primal, dual = (tolerances.CONE_STEP * length for length in (step.primal, step.dual))

        def move(block: Block) -> None:
            change = self._steps(block, step.vectors)[1]
            change *= dual
            block.multipliers += change

        self.each(move)
        self.vectors += primal * step.vectors
        self.prices += dual * step.prices
        self.emphasis = self.emphasis + dual * step.emphasis
        self.height += primal * step.height
        self._measure()


def _pulled(products: FloatArray, middle: float) -> FloatArray:
    """The corrections that bring products into reach of the middle, bounded below."""
    low, high = 0.3 * middle, 3 * middle
    pulled = np.clip(products, low, high)
    pulled -= products
    return np.asarray(np.maximum(pulled, -high, out=pulled))
