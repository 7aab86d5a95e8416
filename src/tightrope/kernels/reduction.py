"""The kernel Φ = exp(-ε d) on vectors that symmetries leave as they are.

Let a group of isometries act on a space. On vectors that are constant on its orbits, Φ is
the smaller matrix A[o, p] = Σ_{z in p} Φ[y, z], y any point of o. If Φ w = b has a solution
w >= 0 and b is constant on orbits, the mean of w over the group is one that is constant too:
so A decides existence, whether or not Φ is singular.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from tightrope.exact import FloatArray, IntArray, Surd, own, sizes
from tightrope.spaces import Space, refuse_above, require_connected
from tightrope.symmetry import orbits, symmetries

_LIMB = 40


@dataclass(frozen=True, eq=False)
class ReducedKernel:
    """Distances from one point of every orbit to all points, sorted by orbit.

    >>> from tightrope.spaces import path
    >>> kernel = reduced_kernel(path(0, 2))
    >>> kernel.orbit.tolist(), kernel.sums(np.array([1.0, 0.5, 0.25])).tolist()
    ([0, 1, 0], [[1.25, 0.5], [1.0, 1.0]])
    """

    space: Space
    orbit: IntArray
    representatives: IntArray
    classes: tuple[Surd, ...]
    entries: NDArray[np.int64]
    table: NDArray[np.int32]

    def __post_init__(self) -> None:
        own(self)

    @property
    def size(self) -> int:
        """The number of orbits."""
        return len(self.representatives)

    @property
    def sizes(self) -> IntArray:
        """The number of points in every orbit."""
        return np.bincount(self.orbit)

    @property
    def alike(self) -> bool:
        """Whether all points see the same distances: the space is ball-size symmetric."""
        if self.size == 1:
            return True
        rows = self.table.reshape(self.size, -1)
        totals = rows.sum(axis=1, dtype=np.int64)
        if (totals != totals[0]).any():
            return False
        return bool((np.sort(rows, axis=1) == np.sort(rows[0])).all())

    def sums(self, values: FloatArray) -> FloatArray:
        """The matrix Σ_{z in p} values[class of (y, z)], in doubles."""
        totals = np.bincount(self.entries, weights=values[self.table], minlength=self.size**2)
        return np.asarray(totals, dtype=np.float64).reshape(self.size, self.size)

    def integers(self, values: Sequence[int]) -> list[int]:
        """The same sums of non-negative integers below 2^120, exactly, row by row."""
        whole = np.array(values, dtype=object)
        total = np.zeros(self.size**2, dtype=object)
        for limb in range(3):
            part = (whole >> (_LIMB * limb)) & (2**_LIMB - 1)
            sums = self.sums(part.astype(np.float64)).ravel()  # exact: below 2^53
            total = total + (sums.astype(np.int64).astype(object) << (_LIMB * limb))
        return list(total)

    def exact(self, values: Sequence[Any]) -> list[list[Any]]:
        """The same sums of fractions, or of other exact numbers."""
        sums: list[list[Any]] = [[Fraction(0)] * self.size for _ in range(self.size)]
        for (row, column), number, count in self._count():
            sums[row][column] += values[number] * count
        return sums

    def balls(self, epsilon: arb, bits: int) -> list[list[arb]]:
        """The matrix A as balls, for ε in a ball."""
        with ctx.workprec(bits):
            values = [(-epsilon * distance.ball(bits)).exp() for distance in self.classes]
            sums = [[arb(0)] * self.size for _ in range(self.size)]
            for (row, column), number, count in self._count():
                sums[row][column] += values[number] * count
        return sums

    def _count(self) -> list[tuple[tuple[int, int], int, int]]:
        """How many points of an orbit are at which distance from a representative."""
        codes = self.entries * len(self.classes) + self.table
        values, counts = np.unique(codes, return_counts=True)
        where, number = np.divmod(values, len(self.classes))
        pairs = [divmod(entry, self.size) for entry in where.tolist()]
        return list(zip(pairs, number.tolist(), counts.tolist(), strict=True))


def reduced_kernel(space: Space, fixed: Sequence[Fraction] | None = None) -> ReducedKernel:
    """Φ on vectors that are constant on the orbits of the symmetries that leave `fixed` alone."""
    require_connected(space, "the equation of the kernel is solved on")
    refuse_above(
        sizes.LARGEST_REDUCED,
        space.size,
        "the number of points",
        "the kernel is solved for smaller spaces only",
    )
    generators = symmetries(space)
    if fixed is not None:
        kinds: dict[Fraction, int] = {}
        kind = np.array([kinds.setdefault(value, len(kinds)) for value in fixed])
        generators = tuple(g for g in generators if (kind[g] == kind).all())
    orbit = orbits(space.size, generators)
    representatives = np.unique(orbit, return_index=True)[1].astype(np.int64)
    size = len(representatives)
    refuse_above(
        sizes.LARGEST_MATRIX,
        size * space.size,
        "the number of distances",
        "the kernel is solved for smaller or more symmetric spaces only",
    )
    every = np.arange(space.size)
    classes, table = space.classes(representatives[:, None], every[None, :])
    entries = np.arange(size, dtype=np.int64)[:, None] * size + orbit[None, :]
    return ReducedKernel(
        space,
        orbit,
        representatives,
        tuple(classes),
        entries.ravel(),
        np.asarray(table).ravel().astype(np.int32),
    )
