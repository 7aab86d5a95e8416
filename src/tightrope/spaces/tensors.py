"""Spaces whose distances add up over parts: their kernel is a Kronecker product."""

from __future__ import annotations

from tightrope.spaces.families import complete, grid
from tightrope.spaces.lattices import Lattice
from tightrope.spaces.norms import Metric
from tightrope.spaces.products import Combine, Product
from tightrope.spaces.protocol import Space
from tightrope.spaces.regions import Box


def tensor_factors(space: Space) -> tuple[Space, ...]:
    """Spaces A, B, ... such that the space is A * B * ..., the first slowest; itself if alone.

    >>> from tightrope.spaces import hamming, grid, path
    >>> [part.text for part in tensor_factors(hamming(values=4, people=2))]
    ['complete:4', 'complete:4']
    >>> [part.text for part in tensor_factors(grid((3, 1, 2), 1, "manhattan"))]
    ['grid:3,metric=manhattan', 'grid:2,metric=manhattan']
    """
    if isinstance(space, Product) and space.combine is Combine.SUM:
        return (*tensor_factors(space.first), *tensor_factors(space.second))
    if not isinstance(space, Lattice) or not isinstance(space.region, Box):
        return (space,)
    sides = [side for side in space.region.shape if side > 1]
    if len(sides) == 1:
        return (space,)
    if space.norm.metric is Metric.HAMMING:
        return tuple(complete(side) for side in sides)
    if space.norm.metric is Metric.MANHATTAN and space.norm.block == 1:
        return tuple(grid((side,), space.norm.step, "manhattan") for side in sides)
    return (space,)
