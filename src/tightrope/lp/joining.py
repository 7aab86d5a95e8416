"""The system of the rows that join the copies, by conjugate gradients.

With A_z the part of copy z in the rows, the system is Σ_z A_zᵀ H_z⁻¹ A_z: dense, and too dear
to write out for many copies. Its product with a vector is one solve with every copy. As an
approximation the same sum is written out with each inverse cut to the classes where the
copy's vector is largest; a few iterations then suffice. Where classes are few, nothing is cut.
In the worst case as many rows follow for the means of the classes, and one for the height.
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

_WINDOW, _WIDER, _MANY = 130, 1.3, 9
"""Classes of a copy to which its inverse is cut; how many times more where iterations are many."""

_REFINED = 2
"""Solutions that make up a step, with those of what the ones before have left."""

_ITERATIONS = 150
"""Iterations after which the direction is taken as it is."""


class Joining:
    """The joining system at one state; made anew by `prepare`, lives inside an `Iterate`."""

    def __init__(self, state: Iterate) -> None:
        self.state = state
        self.rows = (2 if state.program.worst else 1) * len(state.counts)
        self.scale = np.empty(0)
        self.inverse: Callable[[FloatArray], FloatArray] = np.copy
        self.uplift = np.empty(0)
        self.iterations: list[int] = []
        self.window, self.double = _WINDOW, False
        self.enough = np.inf  # what rows may be off by, where iterations end
        self.tolerated = np.inf  # and after a step

    def prepare(self) -> None:
        """Factor the approximation."""
        state = self.state
        self._adapt()
        self.iterations = []
        self._approximate()
        if state.program.worst:
            border = np.repeat([0.0, 1.0], len(state.counts))
            self.uplift = self._conjugate(border, tolerances.EXACT_JOINING_ERROR)

    def _approximate(self) -> None:
        state = self.state
        few = min(self.window, len(state.counts))
        parts = np.array_split(np.arange(len(state.blocks)), state.threads)

        def summed(part: int) -> FloatArray:
            gram = np.zeros((self.rows, self.rows))
            for k in parts[part].tolist():
                state.deadline.check()
                self._add(state.blocks[k], few, gram)
            return gram

        gram = np.sum(list(state.pool.map(summed, range(len(parts)))), axis=0)
        if state.program.worst:
            half = len(state.counts)
            gram[range(half, 2 * half), range(half, 2 * half)] += state.room / state.emphasis
        self._factor(gram)

    def _adapt(self) -> None:
        """Widen the windows where iterations take longer than they, by a rough count.

        Where nothing is cut and iterations are many, digits are missing, and more so at every step.
        """
        most, count = len(self.state.counts), sum(self.iterations)
        if self.state.dense or max(self.iterations, default=0) <= _MANY:
            return
        if self.window >= most:
            self.double |= self._takes(2 * count, most)
        elif self._takes(count, most):
            self.window = most
        elif self._takes(count, self.window):
            self.window = min(int(_WIDER * self.window), most)

    def _takes(self, iterations: int, few: int) -> bool:
        """Whether so many iterations take longer than windows of so many classes.

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
            return tolerances.EXACT_JOINING_ERROR
        least, most = tolerances.EXACT_JOINING_ERROR, tolerances.JOINING_ERROR
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
        ridge = tolerances.JOINING_RIDGE
        if self.state.dense or self.double:
            ridge = tolerances.CONE_REGULARIZATION
        while ridge < 1:
            gram[np.diag_indices(self.rows)] = 1 + ridge
            found = solver(gram)
            if found is not None:
                self.inverse = found
                return
            ridge *= 10
        raise SolverFailed("the joining system of the cone program is not positive definite.")

    def _are_short(self, iterations: int) -> bool:
        """Whether windows are cut, and so many iterations took longer than whole ones do."""
        most = len(self.state.counts)
        return not self.state.dense and self.window < most and self._takes(iterations, most)

    def _near(self, right: FloatArray) -> FloatArray:
        """The solution of the approximation."""
        return np.asarray(self.scale * self.inverse(self.scale * right))

    def spread(self, rows: FloatArray, copies: slice) -> FloatArray:
        """A_z rows, for some copies."""
        program, half = self.state.program, len(self.state.counts)
        even = self.state.evenly
        found = program.sizes[copies, None] * (rows[:half][program.classes] * even)
        if program.worst:
            found = found + program.costs[copies] * (rows[half:][program.classes] * even)
        return np.asarray(found)

    def gathered(self, vectors: FloatArray, copies: slice) -> FloatArray:
        """Σ A_zᵀ v_z over some copies."""
        program, gather = self.state.program, self.state.gather
        found = gather(program.sizes[copies] @ vectors)
        if program.worst:
            found = np.append(found, gather(np.einsum("zy,zy->y", program.costs[copies], vectors)))
        return found

    def times(self, rows: FloatArray) -> FloatArray:
        """The system times a vector."""
        state = self.state

        def part(block: Block) -> FloatArray:
            solved = block.factors.solve(self.spread(rows, block.copies))
            return self.gathered(solved, block.copies)

        found = np.sum(state.each(part), axis=0)
        if state.program.worst:
            half = len(state.counts)
            found[half:] += rows[half:] * state.room / state.emphasis
        return np.asarray(found)

    def solve(self, vectors: FloatArray, precision: float) -> tuple[FloatArray, float]:
        """Steps of the rows, and of the height; vectors that step without them are put right.

        Where rounding leaves rows further from what they should be than the gap allows, what is
        left is solved for as well.
        """
        found, height = np.zeros(self.rows), 0.0
        for _ in range(_REFINED):
            lacking = self._lacking(vectors, found, height)
            if found.any() and np.abs(lacking).max() <= self.tolerated:
                break
            step = self._conjugate(lacking, precision)
            if self.state.program.worst:
                half = len(self.state.counts)
                short = self.state.counts.sum() - self.state.emphasis.sum() + found[half:].sum()
                rise = -float((short + step[half:].sum()) / self.uplift[half:].sum())
                step, height = step + rise * self.uplift, height + rise
            found = found + step
            self._add_step(vectors, step)
        return found, height

    def _lacking(self, vectors: FloatArray, found: FloatArray, height: float) -> FloatArray:
        """What rows lack of one after a step of the vectors, and means of what is left for them."""
        state, program, half = self.state, self.state.program, len(self.state.counts)
        lacking = -self.gathered(vectors, slice(0, program.copies))
        lacking[:half] += 1 - state.gather(program.sizes @ state.vectors)
        if program.worst:
            lacking[half:] += state.short_of_room + height
            lacking[half:] -= (state.aims + found[half:] * state.room) / state.emphasis
        return lacking

    def _add_step(self, vectors: FloatArray, step: FloatArray) -> None:
        """Let vectors follow a step of the rows."""

        def follow(block: Block) -> None:
            vectors[block.copies] += block.factors.solve(self.spread(step, block.copies))

        self.state.each(follow)

    def _conjugate(self, right: FloatArray, precision: float) -> FloatArray:
        """The solution up to a relative error."""
        found = np.zeros(self.rows)
        residual = right.copy()
        near = self._near(residual)
        along = near
        size = first = float(residual @ near)
        largest = min(1.0, float(np.abs(right).max()))
        enough = min(self.enough, 100 * precision * largest)
        count = 0
        while size > 0 and count < _ITERATIONS:
            count += 1
            image = self.times(along)
            length = size / float(along @ image)
            found += length * along
            residual -= length * image
            near = self._near(residual)
            new = float(residual @ near)
            if new <= precision**2 * first and np.abs(residual).max() < enough:
                break
            along = near + new / size * along
            size = new
            if self._are_short(count):
                self.window, self.iterations, count = len(self.state.counts), [], 0
                self._approximate()
                along = near = self._near(residual)
                size = float(residual @ near)
        self.iterations.append(count)
        return found
