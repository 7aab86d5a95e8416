"""Dense factors of Newton matrices, one call of LAPACK for each.

For matrices of some hundred rows whose sparse factors would be nearly full, and for all of them
where loops are not compiled.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray
from tightrope.lp.arcs import Arcs
from tightrope.lp.batches import class_sums, newton_matrices


class DenseFactors:
    """Cholesky factors of the Newton matrices of a block, D H D = Uᵀ U each."""

    def __init__(self, arcs: Arcs) -> None:
        self.arcs = arcs
        self.entries = 0
        self.uppers: list[FloatArray] = []
        self.scales = np.empty((0, arcs.width))

    def factor(self, starts: IntArray, pairs: IntArray, weights: FloatArray) -> None:
        """Factor H = Gᵀ W G of every copy."""
        self.scales, matrices = newton_matrices(self.arcs, starts, pairs, weights)
        self.uppers, self.entries = [], matrices.size
        for matrix in matrices:
            upper, failed = lapack.dpotrf(matrix.T, lower=0, overwrite_a=1, clean=0)
            if failed:
                raise SolverFailed("a Newton matrix of the cone program is not positive definite.")
            self.uppers.append(upper)

    def solve(self, sides: FloatArray) -> FloatArray:
        """H⁻¹ sides, copy by copy."""
        scaled = sides * self.scales
        for upper, side in zip(self.uppers, scaled, strict=True):
            side[:] = lapack.dpotrs(upper, side, lower=0)[0]
        scaled *= self.scales
        return scaled

    def add_windows(
        self, sums: FloatArray, costs: FloatArray, classes: IntArray, chosen: IntArray,
        gram: FloatArray, double: bool = True,
    ) -> None:
        """Add Aᵀ H⁻¹ A of every copy to `gram`; all classes are taken, whichever are chosen."""
        half = int(classes.max()) + 1
        for z, (upper, scale) in enumerate(zip(self.uppers, self.scales, strict=True)):
            inverse = lapack.dpotri(upper, lower=0)[0]
            inverse = np.triu(inverse) + np.triu(inverse, 1).T
            left = sums[z] * scale
            gram[:half, :half] += class_sums(inverse * left[:, None] * left, classes)
            if len(costs):
                right = costs[z] * scale
                gram[half:, half:] += class_sums(inverse * right[:, None] * right, classes)
                beside = class_sums(inverse * left[:, None] * right, classes)
                gram[:half, half:] += beside
                gram[half:, :half] += beside.T
