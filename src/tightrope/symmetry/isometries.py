"""Isometries of a space as permutations of its points, read off its structure.

Boxes are reflected along their axes, cycles turned, values and items exchanged, axes and
factors that are alike swapped; the rest is searched for (`automorphisms`). A permutation p
takes point i to point p[i], keeps every distance and every declared pair of neighbors. The
group may be smaller than that of all isometries, never larger.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, assert_never

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import IntArray, owned
from tightrope.spaces import (
    Directed,
    Graph,
    Lattice,
    MatrixSpace,
    Metric,
    PointSpace,
    Product,
    Simplex,
    Space,
    distinct,
)
from tightrope.symmetry.automorphisms import MOST_SEARCHED, automorphisms

MOST_MOVED: Final = 10_000
"""Points of a space whose symmetries are written out."""

_MOST_SWAPS: Final = 32  # things that are swapped next to next; of more, only the first two


@lru_cache(maxsize=8)
def symmetries(space: Space) -> tuple[IntArray, ...]:
    """Generators of a group of isometries; none for spaces of more than 10,000 points.

    None are sought where distances are directed.

    There are more generators than the group needs, so that a prior or a loss that breaks
    some of them may keep others. Those of the last few spaces are remembered.

    >>> from tightrope.spaces import parse
    >>> [p.tolist() for p in symmetries(parse("path:0..3"))]
    [[3, 2, 1, 0]]
    >>> len(symmetries(parse("grid:4x4"))), len(symmetries(parse("path:0..10000")))
    (3, 0)
    """
    if space.size > MOST_MOVED or isinstance(space, Directed):
        return ()
    seen = {np.arange(space.size).tobytes()}
    kept = []
    for permutation in _isometries(space):
        moves = np.ascontiguousarray(permutation, dtype=np.int64)
        if moves.tobytes() not in seen:
            seen.add(moves.tobytes())
            kept.append(owned(moves))
    return tuple(kept)


def _isometries(space: Space) -> Iterator[IntArray]:
    if space.size == 2:
        yield np.array([1, 0])
    elif isinstance(space, Lattice):
        yield from (
            _of_simplex(space.region) if isinstance(space.region, Simplex) else _of_box(space)
        )
    elif isinstance(space, Product):
        parts = list(_parts(space, space))
        alike = [parts.index(part) for part in parts]
        yield from _of_axes([part.size for part in parts], alike, lambda a: symmetries(parts[a]))
    elif isinstance(space, Graph) and space.form is not None:  # a star
        for shuffle in _shuffles(space.size - 1):
            yield np.concatenate([[0], 1 + shuffle])
    elif space.size <= MOST_SEARCHED:
        yield from _of_table(space)


def _of_box(space: Lattice) -> Iterator[IntArray]:
    """Of an axis: reversal, any exchange of values, or turns, as the metric allows."""
    axes = space.region.reach
    shape = [steps + 1 for steps in axes if steps]

    def along(axis: int) -> Sequence[IntArray]:
        every = np.arange(shape[axis])
        match space.norm.metric:
            case Metric.MANHATTAN | Metric.CHEBYSHEV | Metric.EUCLIDEAN:
                return [every[::-1]]
            case Metric.HAMMING:
                return _shuffles(shape[axis])
            case Metric.CYCLIC:
                return [np.roll(every, -1), every[::-1]]
            case _:
                assert_never(space.norm.metric)

    return _of_axes(shape, shape, along)


def _of_axes(
    shape: Sequence[int], alike: Sequence[Hashable], along: Callable[[int], Sequence[IntArray]]
) -> Iterator[IntArray]:
    """Exchanges of axes that are alike, then the permutations along each axis."""
    indices = np.arange(int(np.prod(shape))).reshape(shape)
    for kind in dict.fromkeys(alike):
        places = np.array([axis for axis, other in enumerate(alike) if other == kind])
        for shuffle in _shuffles(len(places)):
            order = np.arange(len(shape))
            order[places] = places[shuffle]
            yield indices.transpose(order).ravel()
    for axis in range(len(shape)):
        for permutation in along(axis):
            yield indices.take(permutation, axis).ravel()


def _of_simplex(region: Simplex) -> Iterator[IntArray]:
    """Exchanges of cells; of a single cell with people outside, the two ends."""
    if region.axes == 1:
        yield np.arange(region.size)[::-1]
    cells = np.array(region.every_cell)
    for shuffle in _shuffles(region.axes):
        # sorted, the moved cells are the cells again
        moved = np.empty(region.size, dtype=np.int64)
        moved[np.lexsort(cells[shuffle][::-1])] = np.arange(region.size)
        yield moved


def _of_table(space: Space) -> list[IntArray]:
    """Automorphisms of the table of distances; declared neighbors are kept apart."""
    table = _classes(space)
    if space.neighbors is not None:
        pairs = space.neighbors.pairs
        table = 2 * table
        table[pairs.first, pairs.second] += 1
        table[pairs.second, pairs.first] += 1
    return automorphisms(table)


def _classes(space: Space) -> NDArray[Any]:
    """The class of every pair's distance, by integers where the space has them."""
    every = np.arange(space.size)
    if isinstance(space, MatrixSpace):
        return distinct(space.numerators)[1]
    if isinstance(space, PointSpace):
        return distinct(space.keys(every[:, None], every))[1]
    return space.classes(every[:, None], every)[1]


def _parts(space: Space, whole: Product) -> Iterator[Space]:
    """The factors of a product, those of factors that combine likewise included."""
    if isinstance(space, Product) and space.combine is whole.combine:
        yield from _parts(space.first, whole)
        yield from _parts(space.second, whole)
    else:
        yield space


def _shuffles(count: int) -> list[IntArray]:
    """Generators of all permutations: a cycle, and swaps next to next."""
    every = np.arange(count)
    generators = [np.roll(every, -1)]
    for place in range(count - 1 if count <= _MOST_SWAPS else 1):
        swap = every.copy()
        swap[[place, place + 1]] = place + 1, place
        generators.append(swap)
    return generators
