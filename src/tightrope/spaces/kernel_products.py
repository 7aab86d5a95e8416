"""Products with the kernel Φ = exp(-ε d), by the structure of the space.

Along a path Φ v is one forward and one backward recursion; between values that are all at
distance 1 it is a sum; around a cycle it is a circulant; these act axis by axis where the
distance is a sum over axes. Other lattice distances are convolutions, done by a Fourier
transform with zero padding. Trees take one pass to the root and one back. What is left is
multiplied in blocks of rows, so that no square matrix is ever held.
Fourier products have an absolute error near 1e-15 times the sum of |v|, the others a small
relative error where v is non-negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import exp, expm1, prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import FloatArray, IntArray
from tightrope.spaces.norms import Metric, Norm
from tightrope.spaces.protocol import Space, refuse_above
from tightrope.spaces.regions import Box

if TYPE_CHECKING:
    from tightrope.spaces.lattices import Lattice

_BLOCK = 4_000_000
_MOST_DENSE = 100_000


def path_product(q: float, v: FloatArray, axis: int = 0) -> FloatArray:
    """Σ_j q^|i-j| v_j along an axis."""
    from scipy.signal import lfilter  # slow to import

    def swept(w: FloatArray) -> FloatArray:
        return np.asarray(lfilter([1.0], [1.0, -q], w, axis=0))

    moved = np.moveaxis(v, axis, 0)
    result = swept(moved)
    result[:-1] += q * swept(moved[::-1])[::-1][1:]
    return np.moveaxis(result, 0, axis)


def complete_product(q: float, rest: float, v: FloatArray, axis: int = 0) -> FloatArray:
    """(1-q) v + q Σ v along an axis, with rest = 1 - q."""
    return np.asarray(rest * v + q * v.sum(axis=axis, keepdims=True))


def lattice_product(lattice: Lattice, epsilon: float, v: FloatArray) -> FloatArray:
    """Φ v on a lattice: in its box, or in the box around it where that pays."""
    region, norm = lattice.region, lattice.norm
    rate = epsilon * float(norm.step)
    columns = v.reshape(v.shape[0], -1)
    if isinstance(region, Box):
        sides = tuple(side for side in region.shape if side > 1)
        return _box_product(norm, rate, columns.reshape(*sides, -1)).reshape(v.shape)
    free = region.parts - 1  # the other counts follow
    if free == 0 or ((region.people + 1) * 2) ** free > region.size**2:
        return dense_product(lattice, epsilon, v)
    sides = (region.people + 1,) * free
    inside = np.ravel_multi_index(tuple(region.every_cell[:free]), sides)
    field = np.zeros((prod(sides), columns.shape[1]))
    field[inside] = columns
    result = _box_product(norm, rate, field.reshape(*sides, -1), balanced=not region.slack)
    return result.reshape(field.shape)[inside].reshape(v.shape)


def _box_product(norm: Norm, rate: float, field: FloatArray, balanced: bool = False) -> FloatArray:
    """Φ v on a box; the last axis of the field holds the columns."""
    import scipy.fft  # slow to import

    shape = field.shape[:-1]
    if norm.metric is Metric.MANHATTAN and norm.block == 1:
        for axis in range(len(shape)):
            field = path_product(exp(-rate), field, axis)
        return field
    if norm.metric is Metric.HAMMING:
        for axis in range(len(shape)):
            field = complete_product(exp(-rate), -expm1(-rate), field, axis)
        return field
    padded = shape
    if norm.metric is not Metric.CYCLIC:
        padded = tuple(scipy.fft.next_fast_len(2 * side - 1, True) for side in shape)
    axes = tuple(range(len(shape)))
    spectrum = _spectrum(norm, balanced, rate, padded)[..., None]
    transform = scipy.fft.rfftn(field, padded, axes=axes, workers=-1) * spectrum
    product = scipy.fft.irfftn(transform, padded, axes=axes, workers=-1)
    return np.asarray(product[tuple(slice(side) for side in shape)])


@lru_cache(maxsize=2)
def _spectrum(
    norm: Norm, balanced: bool, rate: float, padded: tuple[int, ...]
) -> NDArray[np.complex128]:
    """The transform of the kernel on a periodic box; `balanced` adds the last count back."""
    import scipy.fft  # slow to import

    offsets: list[NDArray[Any]] = list(
        np.ix_(*((np.arange(n) + n // 2) % n - n // 2 for n in padded))
    )
    if balanced:
        offsets.append(np.asarray(-sum(offsets)))
    unit = Norm(norm.metric, norm.block)
    kernel = np.exp(-rate * unit.floats(np.broadcast_to(unit.key(offsets), padded)))
    return np.asarray(scipy.fft.rfftn(kernel, workers=-1))


@dataclass(frozen=True)
class Rooted:
    """A tree: nodes that have a parent in order of depth, and the lengths of their links."""

    nodes: IntArray
    parents: IntArray
    lengths: IntArray
    levels: list[slice]

    @classmethod
    def of(cls, nodes: IntArray, parents: IntArray, lengths: IntArray) -> Rooted:
        """The tree with its levels: runs of nodes of equal depth."""
        depth = [0] * (len(nodes) + 1)
        for node, parent in zip(nodes.tolist(), parents.tolist(), strict=True):
            depth[node] = depth[parent] + 1
        deeper = np.flatnonzero(np.diff(np.array(depth)[nodes])) + 1
        levels = [slice(a, b) for a, b in pairwise([0, *deeper.tolist(), len(nodes)])]
        return cls(nodes, parents, lengths, levels)


def tree_product(tree: Rooted, rate: float, v: FloatArray) -> FloatArray:
    """Φ v on a tree.

    One pass adds up what lies below every node, one brings back what lies elsewhere.
    """
    below = v.astype(np.float64)
    nodes, parents = tree.nodes, tree.parents
    factors = np.exp(-rate * tree.lengths).reshape(-1, *(1,) * (v.ndim - 1))
    for level in reversed(tree.levels):
        np.add.at(below, parents[level], factors[level] * below[nodes[level]])
    total = below.copy()
    for level in tree.levels:
        q, own = factors[level], below[nodes[level]]
        total[nodes[level]] = own + q * (total[parents[level]] - q * own)
    return total


def dense_product(space: Space, epsilon: float, v: FloatArray) -> FloatArray:
    """Φ v by blocks of rows."""
    refuse_above(
        _MOST_DENSE,
        space.size,
        "the number of points",
        "this space has no structure that multiplies faster; use a smaller one",
    )
    every = np.arange(space.size)
    rows = max(1, _BLOCK // space.size)
    blocks = (every[start : start + rows, None] for start in range(0, space.size, rows))
    return np.concatenate(
        [np.exp(-epsilon * space.lengths(block, every[None, :])) @ v for block in blocks]
    )
