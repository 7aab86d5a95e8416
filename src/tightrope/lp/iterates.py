"""The state of the interior-point method for cone programs, and its Newton directions.

Primal: vectors v_z with slacks S = G v_z, and in the worst case the height t with room
σ_k = t - mean of class k. Dual: multipliers M of the pairs, prices of the rows, and in the
worst case the emphasis λ_k of the classes. A direction solves, for given targets R,

    M ΔS + S ΔM = R,   λ Δσ + σ Δλ = R',   both sides feasible.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from tightrope.exact import tolerances
from tightrope.lp.factors import Factor, Incidence

if TYPE_CHECKING:
    from tightrope.lp.cones import ConeProgram

FloatArray = NDArray[np.float64]
T = TypeVar("T")

_WORTH_THREADS = 100_000
"""Multipliers from which on several threads are quicker than one."""


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
        self.multipliers = self._first_multipliers()
        self.slacks = np.empty_like(self.multipliers)
        self.targets = np.empty_like(self.multipliers)
        self.earlier = np.empty_like(self.multipliers)
        self.means = self._means()
        peak = float(np.abs(self.means).max()) or 1.0
        self.height = float(self.means.max()) + peak if program.worst else 0.0
        self.aims = self.earlier_aims = np.zeros(len(self.counts))
        self.columns = [self._columns(z) for z in range(copies)]
        self.rooms = np.empty((copies, *self.incidence.room))
        self.factors: list[Factor] = []
        self.joining = np.empty((0, 0))
        self._measure()

    def _first_multipliers(self) -> FloatArray:
        """M[a, b] = x[a] with Gᵀ M = costs - prices: dual feasible, all positive."""
        program = self.program
        first, second = program.first, program.second
        matrix = np.zeros((program.width, program.width))
        matrix[first, second] = matrix[second, first] = -program.shares
        matrix[np.diag_indices(program.width)] += np.bincount(
            np.concatenate([first, second]), minlength=program.width
        )
        pull = (self.prices / self.counts)[program.classes]
        solved = np.linalg.solve(matrix, (program.costs - np.outer(program.sizes, pull)).T).T
        return np.concatenate([solved[:, first], solved[:, second]], axis=1)

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

    def each(self, work: Callable[[int], T]) -> list[T]:
        """The work done for every copy, on several threads where it is worth their while."""
        copies = range(self.program.copies)
        if self.rooms.size < _WORTH_THREADS:
            return [work(z) for z in copies]

        def quietly(z: int) -> T:  # errstate belongs to a thread
            with np.errstate(all="ignore"):
                return work(z)

        return list(self.pool.map(quietly, copies))

    def _rows(self) -> FloatArray:
        totals = (self.program.sizes @ self.vectors) * self.shares
        return np.bincount(self.program.classes, totals).astype(np.float64)

    def _means(self) -> FloatArray:
        totals = np.einsum("zy,zy->y", self.program.costs, self.vectors) * self.shares
        return np.bincount(self.program.classes, totals).astype(np.float64)

    def _measure(self) -> None:
        """Slacks and means of the present vectors."""

        def slack(z: int) -> None:
            self.slacks[z] = self.incidence.push @ self.vectors[z]

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
        pairs = float(np.vdot(self.multipliers, self.slacks))
        return self._mean(pairs, self.emphasis * self.room)

    def _mean(self, pairs: float, classes: FloatArray) -> float:
        if self.program.worst:
            return (pairs + float(classes.sum())) / (self.multipliers.size + len(classes))
        return pairs / self.multipliers.size

    def factorize(self) -> None:
        """Factor every copy's Newton matrix, and sum up the matrix of the joining rows."""

        def factor(z: int) -> Factor:
            weight = self.multipliers[z] / self.slacks[z]
            return self.incidence.factor(weight, self.columns[z], self.rooms[z])

        self.factors = self.each(factor)
        joining = sum((factor.gram for factor in self.factors), np.zeros(()))
        if self.program.worst:
            k = len(self.counts)
            joining[range(k, 2 * k), range(k, 2 * k)] += self.room / self.emphasis
            border = np.concatenate([np.zeros(k), -np.ones(k)])
            joining = np.block([[joining, border[:, None]], [border, np.zeros(1)]])
        self.joining = joining

    def aim_at_zero(self) -> None:
        """Targets -M S of the predictor."""
        np.multiply(self.multipliers, self.slacks, out=self.targets)
        np.negative(self.targets, out=self.targets)
        self.aims = -self.emphasis * self.room

    def aim_at_center(self, ahead: Direction, middle: float) -> None:
        """Targets of the corrector: the products that the predictor misses, and the middle."""

        def correct(z: int) -> None:
            change, step = self._steps(z, ahead.vectors)
            self.targets[z] -= change * step
            self.targets[z] += middle

        self.each(correct)
        self.aims += middle - ahead.room * ahead.emphasis

    def aim_at_middle(self, step: Direction, middle: float) -> None:
        """Pull products that a longer step would leave far from the middle back towards it."""
        self.earlier[...], self.earlier_aims = self.targets, self.aims
        primal = min(1.0, 1.5 * step.primal + 0.3)
        dual = min(1.0, 1.5 * step.dual + 0.3)

        def correct(z: int) -> None:
            change, further = self._steps(z, step.vectors)
            change *= primal
            change += self.slacks[z]
            further *= dual
            further += self.multipliers[z]
            change *= further
            self.targets[z] += _pulled(change, middle)

        self.each(correct)
        reached = (self.room + primal * step.room) * (self.emphasis + dual * step.emphasis)
        self.aims = self.aims + _pulled(reached, middle)

    def take_back(self) -> None:
        """Undo `aim_at_middle`."""
        self.targets, self.earlier = self.earlier, self.targets
        self.aims = self.earlier_aims

    def direction(self) -> Direction:
        """The Newton direction for the present targets."""
        program, incidence, k = self.program, self.incidence, len(self.counts)
        pull = (self.prices / self.counts)[program.classes]
        share = (self.emphasis / self.counts)[program.classes]

        def half(z: int) -> FloatArray:
            step = self.targets[z] / self.slacks[z]
            step += self.multipliers[z]
            side = incidence.pull @ step - share * program.costs[z] + program.sizes[z] * pull
            return self.factors[z].half(side)

        halves = self.each(half)
        met = sum(self.each(lambda z: self.factors[z].met(halves[z])), np.zeros(()))
        right = 1 - self._rows()
        if program.worst:
            short = self.counts.sum() - self.emphasis.sum()
            right = np.concatenate([right, -self.aims / self.emphasis, [short]])
        right[: len(met)] -= met
        found: FloatArray = np.linalg.solve(self.joining, right).astype(np.float64)
        vectors = np.empty_like(self.vectors)

        def whole(z: int) -> tuple[float, float]:
            vectors[z] = self.factors[z].whole(halves[z], found[: len(met)])
            change, step = self._steps(z, vectors[z : z + 1], z)
            change /= self.slacks[z]
            step /= self.multipliers[z]
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

    def _steps(self, z: int, vectors: FloatArray, start: int = 0) -> tuple[FloatArray, FloatArray]:
        """(ΔS, ΔM) of one copy for steps of the vectors from `start` on."""
        change = np.asarray(self.incidence.push @ vectors[z - start])
        step = self.multipliers[z] * change
        np.subtract(self.targets[z], step, out=step)
        step /= self.slacks[z]
        return change, step

    def complementarity_after(self, ahead: Direction) -> float:
        """The mean product after the longest step in that direction."""

        def product(z: int) -> float:
            change, step = self._steps(z, ahead.vectors)
            change *= ahead.primal
            change += self.slacks[z]
            step *= ahead.dual
            step += self.multipliers[z]
            return float(np.vdot(change, step))

        room = self.room + ahead.primal * ahead.room
        emphasis = self.emphasis + ahead.dual * ahead.emphasis
        return self._mean(sum(self.each(product)), room * emphasis)

    def move(self, step: Direction) -> None:
        """Go almost to the boundary."""
        primal, dual = (tolerances.CONE_STEP * length for length in (step.primal, step.dual))

        def move(z: int) -> None:
            self.multipliers[z] += dual * self._steps(z, step.vectors)[1]

        self.each(move)
        self.vectors += primal * step.vectors
        self.prices += dual * step.prices
        self.emphasis = self.emphasis + dual * step.emphasis
        self.height += primal * step.height
        self._measure()


def _pulled(products: FloatArray, middle: float) -> FloatArray:
    """The corrections that bring products into reach of the middle, bounded below."""
    low, high = 0.3 * middle, 3 * middle
    return np.asarray(np.maximum(np.clip(products, low, high) - products, -high))
