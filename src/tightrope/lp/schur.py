"""The Schur complement of the rows that join the copies, by conjugate gradients.

With A_z the part of copy z in the rows, it is Σ_z A_zᵀ H_z⁻¹ A_z: dense, and too large to write
out for many copies. Its product with a vector is one solve with every copy. The preconditioner is
the same sum with each inverse cut to a window, the classes where the copy's vector is largest; a
few iterations then suffice. Where classes are few, nothing is cut.
In the worst case as many rows follow for the means of the classes, and one for the epigraph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, tolerances
from tightrope.lp.batches import solver

if TYPE_CHECKING:
    from tightrope.lp.blocks import Block
    from tightrope.lp.iterates import Iterate

_WINDOW, _WIDENING, _MANY = 130, 1.3, 9
"""Classes in the window of a copy, how it widens, and from how many iterations on: larger windows
take longer to write out and save iterations."""

_REFINEMENTS = 2
"""Solves of a step: the second one is iterative refinement, where rounding left too much."""

_ITERATIONS = 150
"""Limit of conjugate gradient iterations, after which the direction is used as it is."""


class SchurComplement:
    """The Schur complement at one state; made anew by `prepare`, lives inside an `Iterate`."""

    def __init__(self, state: Iterate) -> None:
        self.state = state
        self.rows = (2 if state.program.worst else 1) * len(state.counts)
        self.scale = np.empty(0)
        self.inverse: Callable[[FloatArray], FloatArray] = np.copy
        self.epigraph_solution = np.empty(0)
        self.iterations: list[int] = []
        self.window, self.double = _WINDOW, False
        self.enough = np.inf  # largest primal residual where iterations end
        self.tolerated = np.inf  # and after a step

    def prepare(self) -> None:
        """Factor the preconditioner."""
        state = self.state
        self._widen()
        self.iterations = []
        self._approximate()
        if state.program.worst:
            border = np.repeat([0.0, 1.0], len(state.counts))
            self.epigraph_solution = self._conjugate_gradients(border, tolerances.EXACT_SCHUR_ERROR)

    def _approximate(self) -> None:
        state = self.state
        few = min(self.window, len(state.counts))
        parts = np.array_split(np.arange(len(state.blocks)), state.threads)

        def sum_blocks(part: int) -> FloatArray:
            gram = np.zeros((self.rows, self.rows))
            for k in parts[part].tolist():
                state.deadline.check()
                self._add(state.blocks[k], few, gram)
            return gram

        gram = np.sum(list(state.pool.map(sum_blocks, range(len(parts)))), axis=0)
        if state.program.worst:
            half = len(state.counts)
            diagonal = range(half, 2 * half)
            gram[diagonal, diagonal] += state.class_slacks / state.minimax_weights
        self._factor(gram)

    def _widen(self) -> None:
        """Widen the windows where iterations cost more than they, by a rough count of operations.

        Where nothing is cut and iterations are many, digits are missing, and more so at every step.
        """
        most, count = len(self.state.counts), sum(self.iterations)
        if self.state.dense or max(self.iterations, default=0) <= _MANY:
            return
        if self.window >= most:
            self.double |= self._costs_more(2 * count, most)
        elif self._costs_more(count, most):
            self.window = most
        elif self._costs_more(count, self.window):
            self.window = min(int(_WIDENING * self.window), most)

    def _costs_more(self, iterations: int, few: int) -> bool:
        """Whether so many iterations cost more than windows of so many classes.

        Products with windows are quicker than those with entries of a factor, which are looked
        up one by one; of whole windows only a third is worked out, unless classes are few.
        """
        copies, n = self.state.vectors.shape
        entries = sum(block.factors.entries for block in self.state.blocks)
        part = few / n
        products = copies * few**2 * n / 48 * (1 - 2 * part / 3)
        solved = few * entries / 12 * (1 - part / 2)
        taken = iterations * (2 * (entries + self.rows**2) + 10 * copies * n)
        return bool(taken > products + solved)

    def precision(self, gap: float) -> float:
        """The relative error asked of solutions at a gap: little where it costs little."""
        self.tolerated = gap / 10
        if self.state.dense:
            return tolerances.EXACT_SCHUR_ERROR
        least, most = tolerances.EXACT_SCHUR_ERROR, tolerances.SCHUR_ERROR
        self.enough = max(least, gap / 100)
        return min(most, max(least, gap / 10))

    def _add(self, block: Block, few: int, gram: FloatArray) -> None:
        state, program = self.state, self.state.program
        vectors = state.vectors[block.copies]
        if len(state.counts) < program.width:
            means = np.array([state.gather(vector) for vector in vectors])
        else:
            means = vectors[:, np.argsort(program.classes)]
        chosen = np.argpartition(-means, few - 1, axis=1)[:, :few]
        sums = program.sizes[block.copies, None] * state.evenly
        costs = np.empty((0, program.width))
        if program.worst:
            costs = program.costs[block.copies] * state.evenly
        block.factors.add_windows(sums, costs, program.classes, chosen, gram, self.double)

    def _factor(self, gram: FloatArray) -> None:
        diagonal = gram.diagonal().copy()
        diagonal[diagonal <= 0] = 1.0
        self.scale = 1 / np.sqrt(diagonal)
        gram = (gram + gram.T) / 2 * self.scale[:, None] * self.scale
        ridge = tolerances.SCHUR_RIDGE
        if self.state.dense or self.double:
            ridge = tolerances.CONE_REGULARIZATION
        while ridge < 1:
            gram[np.diag_indices(self.rows)] = 1 + ridge
            inverse = solver(gram)
            if inverse is not None:
                self.inverse = inverse
                return
            ridge *= 10
        raise SolverFailed("the Schur complement of the cone program is not positive definite.")

    def _should_widen(self, iterations: int) -> bool:
        """Whether windows are cut, and so many iterations cost more than whole windows do."""
        most = len(self.state.counts)
        return not self.state.dense and self.window < most and self._costs_more(iterations, most)

    def _precondition(self, right: FloatArray) -> FloatArray:
        """The preconditioner times a vector."""
        return np.asarray(self.scale * self.inverse(self.scale * right))

    def expand(self, rows: FloatArray, copies: slice) -> FloatArray:
        """A_z rows, for some copies."""
        program, half = self.state.program, len(self.state.counts)
        even = self.state.evenly
        columns = program.sizes[copies, None] * (rows[:half][program.classes] * even)
        if program.worst:
            columns = columns + program.costs[copies] * (rows[half:][program.classes] * even)
        return np.asarray(columns)

    def reduce(self, vectors: FloatArray, copies: slice) -> FloatArray:
        """Σ A_zᵀ v_z over some copies."""
        program, gather = self.state.program, self.state.gather
        sums = gather(program.sizes[copies] @ vectors)
        if program.worst:
            sums = np.append(sums, gather(np.einsum("zy,zy->y", program.costs[copies], vectors)))
        return sums

    def times(self, rows: FloatArray) -> FloatArray:
        """The Schur complement times a vector."""
        state = self.state

        def part(block: Block) -> FloatArray:
            solved = block.factors.solve(self.expand(rows, block.copies))
            return self.reduce(solved, block.copies)

        product = np.sum(state.each(part), axis=0)
        if state.program.worst:
            half = len(state.counts)
            product[half:] += rows[half:] * state.class_slacks / state.minimax_weights
        return np.asarray(product)

    def solve(self, vectors: FloatArray, precision: float) -> tuple[FloatArray, float]:
        """Steps of the duals of the rows and of the epigraph; vectors follow in place.

        Where rounding leaves a primal residual larger than the gap allows, it is solved for as
        well.
        """
        duals, epigraph = np.zeros(self.rows), 0.0
        for _ in range(_REFINEMENTS):
            residual = self._residual(vectors, duals, epigraph)
            if duals.any() and np.abs(residual).max() <= self.tolerated:
                break
            step = self._conjugate_gradients(residual, precision)
            if self.state.program.worst:
                half = len(self.state.counts)
                weights = self.state.minimax_weights
                short = self.state.counts.sum() - weights.sum() + duals[half:].sum()
                rise = -float((short + step[half:].sum()) / self.epigraph_solution[half:].sum())
                step, epigraph = step + rise * self.epigraph_solution, epigraph + rise
            duals = duals + step
            self._add_step(vectors, step)
        return duals, epigraph

    def _residual(self, vectors: FloatArray, duals: FloatArray, epigraph: float) -> FloatArray:
        """Primal residual of the row sums after a step, and the class means that remain."""
        state, program, half = self.state, self.state.program, len(self.state.counts)
        residual = -self.reduce(vectors, slice(0, program.copies))
        residual[:half] += 1 - state.gather(program.sizes @ state.vectors)
        if program.worst:
            residual[half:] += state.epigraph_residual + epigraph
            targets = state.class_targets + duals[half:] * state.class_slacks
            residual[half:] -= targets / state.minimax_weights
        return residual

    def _add_step(self, vectors: FloatArray, step: FloatArray) -> None:
        """Add to the vectors the step that follows from one of the duals."""

        def follow(block: Block) -> None:
            vectors[block.copies] += block.factors.solve(self.expand(step, block.copies))

        self.state.each(follow)

    def _conjugate_gradients(self, right: FloatArray, precision: float) -> FloatArray:
        """The solution up to a relative error."""
        solution = np.zeros(self.rows)
        residual = right.copy()
        near = self._precondition(residual)
        along = near
        size = first = float(residual @ near)
        largest = min(1.0, float(np.abs(right).max()))
        enough = min(self.enough, 100 * precision * largest)
        count = 0
        while size > 0 and count < _ITERATIONS:
            count += 1
            image = self.times(along)
            length = size / float(along @ image)
            solution += length * along
            residual -= length * image
            near = self._precondition(residual)
            new = float(residual @ near)
            if new <= precision**2 * first and np.abs(residual).max() < enough:
                break
            along = near + new / size * along
            size = new
            if self._should_widen(count):
                self.window, self.iterations, count = len(self.state.counts), [], 0
                self._approximate()
                along = near = self._precondition(residual)
                size = float(residual @ near)
        self.iterations.append(count)
        return solution
