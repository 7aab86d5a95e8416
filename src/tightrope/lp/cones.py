"""Linear programs over many copies of one cone, by an interior-point method.

    minimize    Σ_z ⟨c_z, v_z⟩
    subject to  Σ_z s_z · mean over class k of v_z = 1   for every class k of coordinates,
                v_z[a] >= κ[a, b] · v_z[b]               for every pair (a, b) of the mask.

Every v_z lies in the same cone, and only the class rows join the copies, so one Newton step
is a Cholesky factorization for each copy and a small dense system for the rows. Constant
vectors lie inside the cone and a simple choice of multipliers is dual feasible, so the
method starts feasible on both sides. Predictor and corrector follow Mehrotra. Any
non-negative multipliers prove a bound (`bound_from`), wherever the method is stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from tightrope.errors import SolverFailed
from tightrope.exact import tolerances

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
T = TypeVar("T")

_WORTH_THREADS = 200_000
"""Multipliers from which on several threads are quicker than one."""


@dataclass(frozen=True, eq=False)
class ConeProgram:
    """The data of the program.

    `costs` has one row for each copy; `kernel` is κ with zeros off the mask; `classes` gives
    the class of every coordinate; `sizes` are the factors s_z.
    """

    costs: FloatArray
    kernel: FloatArray
    classes: IntArray
    sizes: FloatArray

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
    is proved by the multipliers up to rounding.
    """

    vectors: FloatArray
    multipliers: FloatArray
    value: float
    bound: float
    iterations: int
    finished: bool


Watch = Callable[[int, float, float], None]


def bound_from(program: ConeProgram, multipliers: FloatArray) -> float:
    """The lower bound on the objective that non-negative multipliers prove."""
    return float((class_prices(program, multipliers) * np.bincount(program.classes)).sum())


def class_prices(program: ConeProgram, multipliers: FloatArray) -> FloatArray:
    """The largest price per coordinate of every class that the multipliers allow."""
    low = np.full(int(program.classes.max()) + 1, np.inf)
    for z in range(program.copies):
        slack = (program.costs[z] - _pull(program.kernel, multipliers[z])) / program.sizes[z]
        np.minimum.at(low, program.classes, slack)
    return low


def _push(kernel: FloatArray, mask: FloatArray, vector: FloatArray) -> FloatArray:
    """G v: the slack v[a] - κ[a, b] v[b] of every pair of the mask."""
    slack = np.multiply(kernel, -vector)
    slack += mask * vector[:, None]
    return slack


def _pull(kernel: FloatArray, pairs: FloatArray) -> FloatArray:
    """Gᵀ x for numbers on the pairs."""
    return np.asarray(pairs.sum(axis=1) - np.einsum("ab,ab->b", kernel, pairs))


class _Iterate:
    """The state of the method; changes in place, lives only inside `minimize`."""

    def __init__(self, program: ConeProgram, pool: ThreadPoolExecutor) -> None:
        self.program, self.pool = program, pool
        n, copies = program.width, program.copies
        self.mask = (program.kernel > 0).astype(np.float64)
        self.blank = 1.0 - self.mask
        self.counts = np.bincount(program.classes).astype(np.float64)
        self.spread = np.zeros((n, len(self.counts)))
        self.spread[np.arange(n), program.classes] = 1 / self.counts[program.classes]
        self.vectors = np.full((copies, n), 1 / program.sizes.sum())
        deepest = float(np.abs(program.costs / program.sizes[:, None]).max()) or 1.0
        self.prices = -30 * deepest * self.counts
        matrix = np.diag(self.mask.sum(axis=1)) - program.kernel.T
        self.multipliers = np.empty((copies, n, n))
        targets = program.costs - np.outer(
            program.sizes, (self.prices / self.counts)[program.classes]
        )
        for z, solved in enumerate(np.linalg.solve(matrix, targets.T).T):
            self.multipliers[z] = self.mask * solved[:, None]
        self.pairs = copies * int(self.mask.sum())
        self.factors: list[tuple[FloatArray, FloatArray, FloatArray]] = []
        self.targets = np.empty_like(self.multipliers)

    def each(self, work: Callable[[int], T]) -> list[T]:
        """The work done for every copy, on several threads where it is worth their while."""
        copies = range(self.program.copies)
        if self.multipliers.size < _WORTH_THREADS:
            return [work(z) for z in copies]
        return list(self.pool.map(work, copies))

    def slack(self, z: int) -> FloatArray:
        return _push(self.program.kernel, self.mask, self.vectors[z])

    def rows(self, vectors: FloatArray) -> FloatArray:
        return np.asarray((self.program.sizes @ vectors) @ self.spread)

    def complementarity(self) -> float:
        products = self.each(lambda z: float(np.vdot(self.multipliers[z], self.slack(z))))
        return sum(products) / self.pairs

    def factorize(self) -> FloatArray:
        """Factor every copy's Newton matrix; returns the matrix of the joining rows."""
        total = np.zeros((len(self.counts),) * 2)
        self.factors = self.each(self._factor)
        for _, _, joined in self.factors:
            total += joined.T @ joined
        return total

    def _factor(self, z: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        kernel = self.program.kernel
        weight = self.multipliers[z] / (self.slack(z) + self.blank)
        cross = weight * kernel
        matrix = -(cross + cross.T)
        diagonal = weight.sum(axis=1) + np.einsum("ab,ab->b", cross, kernel)
        matrix[np.diag_indices(len(kernel))] += diagonal
        scale = 1 / np.sqrt(diagonal)
        matrix *= scale[:, None]
        matrix *= scale
        matrix[np.diag_indices(len(kernel))] += tolerances.CONE_REGULARIZATION
        lower, failed = lapack.dpotrf(matrix.T, lower=1, overwrite_a=1, clean=1)
        if failed:
            raise SolverFailed("a Newton matrix of the cone program is not positive definite.")
        joined, _ = lapack.dtrtrs(
            lower, self.program.sizes[z] * self.spread * scale[:, None], lower=1
        )
        return lower, scale, joined

    def direction(self, joining: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Steps of prices and vectors towards M·ΔS + S·ΔM = targets, and feasibility."""
        program = self.program
        pull = (self.prices / self.counts)[program.classes]

        def right_side(z: int) -> FloatArray:
            lower, scale, _ = self.factors[z]
            step = self.targets[z] / (self.slack(z) + self.blank) + self.multipliers[z]
            side = _pull(program.kernel, step) - program.costs[z] + program.sizes[z] * pull
            solved, _ = lapack.dtrtrs(lower, side * scale, lower=1)
            return np.asarray(solved)

        sides = self.each(right_side)
        right = 1 - self.rows(self.vectors)
        for side, (_, _, joined) in zip(sides, self.factors, strict=True):
            right -= joined.T @ side
        prices = np.linalg.solve(joining, right)
        vectors = np.empty_like(self.vectors)
        for z, (side, (lower, scale, joined)) in enumerate(zip(sides, self.factors, strict=True)):
            solved, _ = lapack.dtrtrs(lower, joined @ prices + side, lower=1, trans=1)
            vectors[z] = solved * scale
        return np.asarray(prices, dtype=np.float64), vectors

    def multiplier_step(
        self, z: int, vectors: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(S, ΔS, ΔM) of one copy for a step of its vector."""
        slack = self.slack(z)
        change = _push(self.program.kernel, self.mask, vectors[z])
        step = (self.targets[z] - self.multipliers[z] * change) / (slack + self.blank)
        return slack, change, step

    def lengths(self, vectors: FloatArray) -> tuple[float, float]:
        """The longest steps that keep slacks and multipliers positive, at most 1."""

        def steepest(z: int) -> tuple[float, float]:
            slack, change, step = self.multiplier_step(z, vectors)
            primal = float((-change / (slack + self.blank)).max())
            return primal, float((-step / (self.multipliers[z] + self.blank)).max())

        found = self.each(steepest)
        primal, dual = (max(side) for side in zip(*found, strict=True))
        return (1 / primal if primal > 1 else 1.0), (1 / dual if dual > 1 else 1.0)


def minimize(
    program: ConeProgram,
    *,
    gap: float,
    seconds: float = np.inf,
    watch: Watch | None = None,
    threads: int = 2,
) -> ConeSolution:
    """Solve the program to a relative gap, or until the time is up or Ctrl-C is pressed.

    `watch` is called with (iteration, value, bound) after every step.
    """
    started = monotonic()
    with ThreadPoolExecutor(threads) as pool:
        try:
            state = _Iterate(program, pool)
        except np.linalg.LinAlgError:
            raise SolverFailed("the cone program has no strictly feasible start.") from None
        best = bound_from(program, state.multipliers)
        value, iteration, finished = np.inf, 0, False
        kept = state.multipliers.copy()
        try:
            while not finished and monotonic() - started < seconds:
                iteration += 1
                if not _moves(state):
                    break
                value = float(np.vdot(program.costs, state.vectors))
                bound = bound_from(program, state.multipliers)
                if bound > best:
                    best = bound
                    kept[...] = state.multipliers
                if watch is not None:
                    watch(iteration, value, best)
                finished = value - best <= gap * abs(value)
        except KeyboardInterrupt:
            pass
        return ConeSolution(state.vectors, kept, value, best, iteration, finished)


def _moves(state: _Iterate) -> bool:
    """Whether a step could be made; a singular system means that rounding has won."""
    try:
        return _advance(state)
    except (SolverFailed, np.linalg.LinAlgError):
        return False


def _advance(state: _Iterate) -> bool:
    """One predictor–corrector step; False where rounding allows no further progress."""
    program = state.program
    middle = state.complementarity()
    if not middle > tolerances.CONE_GAP_FLOOR * max(1.0, float(np.abs(program.costs).max())):
        return False
    joining = state.factorize()

    def aim(z: int) -> None:
        np.multiply(state.multipliers[z], state.slack(z), out=state.targets[z])
        np.negative(state.targets[z], out=state.targets[z])

    state.each(aim)
    _, vectors = state.direction(joining)
    primal, dual = state.lengths(vectors)

    def ahead(z: int) -> float:
        slack, change, step = state.multiplier_step(z, vectors)
        reached = float(np.vdot(slack + primal * change, state.multipliers[z] + dual * step))
        state.targets[z] -= change * step
        return reached

    reached = sum(state.each(ahead)) / state.pairs
    center = max((reached / middle) ** 3, 0.5 * (1 - min(primal, dual)) ** 3)
    for z in range(program.copies):
        state.targets[z] += center * middle * state.mask
    prices, vectors = state.direction(joining)
    primal, dual = (tolerances.CONE_STEP * length for length in state.lengths(vectors))

    def move(z: int) -> None:
        _, _, step = state.multiplier_step(z, vectors)
        state.multipliers[z] += dual * step

    state.each(move)
    state.vectors += primal * vectors
    state.prices += dual * prices
    return True
