"""Newton matrices of a cone program, factored: dense, or banded where pairs are close.

With weights w on the pairs, H = Gᵀ W G has w_ab + κ² w_ba summed on its diagonal and
-κ (w_ab + w_ba) beside it. It is scaled to a unit diagonal before it is factored. Columns
A (sparse) tie the copies of the cone to the rows of the program: `gram` is Aᵀ H⁻¹ A.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import lapack
from scipy.sparse import coo_array, csr_array

from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, tolerances

_NARROW = 12
"""A matrix at least so many times as wide as its band is factored as a band."""


class Factor(Protocol):
    """A factored Newton matrix H with columns A."""

    @property
    def gram(self) -> FloatArray:
        """Aᵀ H⁻¹ A."""
        ...

    def half(self, side: FloatArray) -> FloatArray:
        """The first part of H⁻¹ side."""
        ...

    def met(self, half: FloatArray) -> FloatArray:
        """Aᵀ H⁻¹ side."""
        ...

    def whole(self, half: FloatArray, rows: FloatArray) -> FloatArray:
        """H⁻¹ (side + A rows)."""
        ...


@dataclass(frozen=True, eq=False)
class Incidence:
    """Pairs (first < second) with shares κ, each used in both directions.

    Numbers on directed pairs are arrays of twice the length: first the constraints
    v[first] >= κ v[second], then v[second] >= κ v[first].
    """

    width: int
    first: IntArray
    second: IntArray
    shares: FloatArray
    push: csr_array
    pull: csr_array
    weigh: csr_array

    @classmethod
    def of(cls, width: int, first: IntArray, second: IntArray, shares: FloatArray) -> Incidence:
        """The operators of the pairs: G, Gᵀ and the diagonal of GᵀWG."""
        count = 2 * len(first)
        rows = np.tile(np.arange(count), 2)
        places = np.concatenate([first, second, second, first])
        signs = np.concatenate([np.ones(count), -shares, -shares])
        push = coo_array((signs, (rows, places)), shape=(count, width)).tocsr()
        squares = coo_array((signs**2, (places, rows)), shape=(width, count)).tocsr()
        return cls(width, first, second, shares, push, push.T.tocsr(), squares)

    @property
    def band(self) -> int:
        """The largest distance of an entry from the diagonal."""
        return int((self.second - self.first).max(initial=0))

    def factor(self, weight: FloatArray, columns: csr_array, room: FloatArray) -> Factor:
        """H for these weights on directed pairs; `room` is memory that it may overwrite."""
        diagonal = self.weigh @ weight
        scale = 1 / np.sqrt(diagonal)
        count = len(self.first)
        beside = weight[:count] + weight[count:]
        beside *= self.shares
        beside *= -scale[self.first]
        beside *= scale[self.second]
        room.fill(0.0)
        flat = room.reshape(-1)
        if self.banded:
            step = room.shape[1]
            flat[self.first * step + self.second - self.first] = beside
            flat[::step] = 1 + tolerances.CONE_REGULARIZATION
            return _Banded.of(room.T, scale, columns)
        flat[self.first * self.width + self.second] = beside
        flat[:: self.width + 1] = 1 + tolerances.CONE_REGULARIZATION
        return _Dense.of(room.T, scale, columns)

    @property
    def banded(self) -> bool:
        """Whether a band is worth its while."""
        return (self.band + 1) * _NARROW <= self.width

    @property
    def room(self) -> tuple[int, int]:
        """The shape of the memory that a factor needs."""
        return (self.width, self.band + 1 if self.banded else self.width)


@dataclass(frozen=True, eq=False)
class _Dense:
    """D H D = L Lᵀ with D = diag(scale); `joined` is L⁻¹ D A."""

    lower: FloatArray
    scale: FloatArray
    joined: FloatArray
    gram: FloatArray

    @classmethod
    def of(cls, matrix: FloatArray, scale: FloatArray, columns: csr_array) -> _Dense:
        lower, failed = lapack.dpotrf(matrix, lower=1, overwrite_a=1, clean=0)
        _check(failed)
        scaled = _scaled(columns, scale).toarray(order="F")
        joined, _ = lapack.dtrtrs(lower, scaled, lower=1, overwrite_b=1)
        return cls(lower, scale, joined, joined.T @ joined)

    def half(self, side: FloatArray) -> FloatArray:
        return np.asarray(lapack.dtrtrs(self.lower, side * self.scale, lower=1)[0])

    def met(self, half: FloatArray) -> FloatArray:
        return np.asarray(self.joined.T @ half)

    def whole(self, half: FloatArray, rows: FloatArray) -> FloatArray:
        solved, _ = lapack.dtrtrs(self.lower, self.joined @ rows + half, lower=1, trans=1)
        return np.asarray(solved * self.scale)


@dataclass(frozen=True, eq=False)
class _Banded:
    """D H D = L Lᵀ with a narrow L."""

    lower: FloatArray
    scale: FloatArray
    columns: csr_array
    gram: FloatArray

    @classmethod
    def of(cls, band: FloatArray, scale: FloatArray, columns: csr_array) -> _Banded:
        lower, failed = lapack.dpbtrf(band, lower=1, overwrite_ab=1)
        _check(failed)
        scaled = _scaled(columns, scale)
        solved, _ = lapack.dpbtrs(lower, scaled.toarray(order="F"), lower=1, overwrite_b=1)
        return cls(lower, scale, scaled, scaled.T @ solved)

    def half(self, side: FloatArray) -> FloatArray:
        return side * self.scale

    def met(self, half: FloatArray) -> FloatArray:
        return np.asarray(self.columns.T @ lapack.dpbtrs(self.lower, half, lower=1)[0])

    def whole(self, half: FloatArray, rows: FloatArray) -> FloatArray:
        solved, _ = lapack.dpbtrs(self.lower, half + self.columns @ rows, lower=1)
        return np.asarray(solved * self.scale)


def _scaled(columns: csr_array, scale: FloatArray) -> csr_array:
    found = columns.copy()
    found.data *= np.repeat(scale, np.diff(columns.indptr))
    return found


def _check(failed: int) -> None:
    if failed:
        raise SolverFailed("a Newton matrix of the cone program is not positive definite.")
