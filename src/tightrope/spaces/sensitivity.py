"""A query between two metric spaces, and how far one person can move its answer.

Datasets have a metric d' about privacy: neighbors are at a distance of at most 1. Values
have a metric d about utility, and a base measure. With f(x) the value of dataset x:

- global sensitivity: max d(f(x), f(y)) over neighbors;
- local sensitivity at x: the same over the neighbors y of x;
- local sensitivity at distance t: the largest local sensitivity of datasets within t of x.

Distances are exact, square roots included. WXH, Section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput
from tightrope.exact import IntArray, Surd, own, owned
from tightrope.spaces.cards import query_line
from tightrope.spaces.classes import distance_table
from tightrope.spaces.components import require_both_ways, require_connected
from tightrope.spaces.lattices import Family, Lattice
from tightrope.spaces.protocol import Label, Pairs, Space

UNREACHED = 2**31 - 1
"""Steps between datasets that no path joins."""


@dataclass(frozen=True, eq=False)
class MetricQuery:
    """A query as a table: `values[x]` is the index of f(x) among the points of `codomain`.

    `measure` weighs the points of the codomain (counting measure: all 1). Made by `query`.
    """

    datasets: Space
    codomain: Space
    values: tuple[int, ...]
    measure: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        own(self)
        require_connected(self.codomain, "the values of a query need")
        if len(self.values) != self.datasets.size:
            raise BadInput(
                f"expected a value for each of {self.datasets.size} datasets, "
                f"found {len(self.values)}."
            )
        if len(self.measure) != self.codomain.size or min(self.measure) < 0:
            raise BadInput(
                f"expected a base measure with {self.codomain.size} entries, none negative."
            )
        if not any(self.measure):
            raise BadInput("the base measure is zero everywhere; expected a weight above 0.")

    __repr__ = query_line

    @cached_property
    def steps(self) -> IntArray:
        """ceil(d'(x, y)) for every pair of datasets: y is a neighbor of distance k of x.

        It is `UNREACHED` where no path joins them.
        """
        require_both_ways(self.datasets, "sensitivity is about")
        classes, table = distance_table(self.datasets)
        steps = [UNREACHED if d.infinite else ceiling(d, Surd.of(1)) for d in classes]
        return owned(np.array(steps)[table])

    @cached_property
    def neighbors(self) -> Pairs:
        """The pairs of datasets at a distance of at most 1."""
        first, second = np.nonzero(np.triu(self.steps == 1, 1))
        return Pairs(first.astype(np.int64), second.astype(np.int64))

    @cached_property
    def _distances(self) -> tuple[tuple[Surd, ...], NDArray[np.int32]]:
        classes, table = distance_table(self.codomain)
        return tuple(classes), table

    @property
    def lengths(self) -> tuple[Surd, ...]:
        """The distinct distances of the codomain, in increasing order."""
        return self._distances[0]

    @cached_property
    def ranks(self) -> IntArray:
        """For every dataset and output, which of `lengths` is d(f(x), r)."""
        return owned(self._distances[1][list(self.values)].astype(np.int64))

    @cached_property
    def _local(self) -> IntArray:
        """Which of `lengths` is the local sensitivity of each dataset."""
        between = self.ranks[:, list(self.values)]
        return np.asarray(np.where(self.steps <= 1, between, 0).max(axis=1))

    @property
    def global_sensitivity(self) -> Surd:
        """The largest d(f(x), f(y)) over neighbors x and y."""
        return self.lengths[int(self._local.max())]

    def local_sensitivity(self, x: int, t: int = 0) -> Surd:
        """The largest local sensitivity of a dataset within distance t of dataset x."""
        return self.lengths[int(self._local[self.steps[x] <= t].max())]

    def ladder(self, x: int) -> tuple[int, ...]:
        """Which of `lengths` is the local sensitivity of dataset x at distance 0, 1, ...

        The last one, at the distance of the farthest dataset that a path leads to, is the
        global sensitivity of that part of the space.
        """
        near = self.steps[x] != UNREACHED
        reached = np.zeros(int(self.steps[x][near].max()) + 1, dtype=np.int64)
        np.maximum.at(reached, self.steps[x][near], self._local[near])
        return tuple(np.maximum.accumulate(reached).tolist())

    @property
    def is_monotone(self) -> bool:
        """Whether farther datasets never have nearer values (WXH, Definition 10)."""
        require_both_ways(self.datasets, "a monotone query is about")
        ties, ranks = distance_table(self.datasets)[1], self.ranks[:, list(self.values)]
        for near, value in zip(ties, ranks, strict=True):
            order = np.argsort(near, kind="stable")
            starts = np.unique(near[order], return_index=True)[1]
            high = np.maximum.accumulate(np.maximum.reduceat(value[order], starts))
            low = np.minimum.reduceat(value[order], starts)
            if (low[1:] < high[:-1]).any():
                return False
        return True

    @property
    def is_permutation(self) -> bool:
        """Whether the values are the datasets again, each once, with the same metric."""
        return self.datasets == self.codomain and len(set(self.values)) == self.datasets.size

    @property
    def is_identity(self) -> bool:
        """Whether every dataset is its own value."""
        return self.is_permutation and self.values == tuple(range(self.datasets.size))

    @cached_property
    def changes(self) -> tuple[frozenset[tuple[Fraction, ...]], ...] | None:
        """For every dataset x the set of f(x') - f(x) over its neighbors x' (WXH, Definition 9).

        Values are numbers or tuples of them, or the nodes of a cycle, which are subtracted
        modulo its length; None where they are something else.
        """
        values = [_vector(self.codomain.points[v]) for v in self.values]
        around = _length_of_cycle(self.codomain)
        changes: list[set[tuple[Fraction, ...]]] = [set() for _ in values]
        for i, j in self.neighbors:
            here, there = values[i], values[j]
            if here is None or there is None or len(here) != len(there):
                return None
            moved = tuple(b - a for a, b in zip(here, there, strict=True))
            back = tuple(-step for step in moved)
            changes[i].add(tuple(step % around for step in moved) if around else moved)
            changes[j].add(tuple(step % around for step in back) if around else back)
        return tuple(map(frozenset, changes))

    @property
    def uneven(self) -> tuple[Label, Label] | None:
        """Two datasets whose neighbors change the value by different amounts, if there are any.

        If a step can change the value at all, there are some on every finite space, unless the
        values go around a cycle: where the value is largest, it can only fall.
        """
        sets = self.changes or ()
        other = next((x for x, each in enumerate(sets) if each != sets[0]), None)
        return None if other is None else (self.datasets.points[0], self.datasets.points[other])

    @property
    def is_linear(self) -> bool:
        """Whether neighbors change the value by the same amounts, whatever the dataset is."""
        return self.changes is not None and self.uneven is None


def metric_query(
    datasets: Space, codomain: Space, function: Callable[[Label], Label]
) -> MetricQuery:
    """A query from a function to the points of a space, all of which weigh the same."""
    values = tuple(codomain.index(function(x)) for x in datasets.points)
    return MetricQuery(datasets, codomain, values, (Fraction(1),) * codomain.size)


def ceiling(length: Surd, unit: Surd) -> int:
    """The smallest whole i with length <= i · unit, exactly.

    >>> ceiling(Surd.root(2), Surd.of(1)), ceiling(Surd.of(4), Surd.of(2))
    (2, 2)
    """
    if length.rational is not None and unit.rational is not None:
        return ceil(length.rational / unit.rational)
    ratio = max(0, ceil(float(length) / float(unit)))
    while length > unit * ratio:
        ratio += 1
    while ratio > 0 and length <= unit * (ratio - 1):
        ratio -= 1
    return ratio


def _vector(label: Label) -> tuple[Fraction, ...] | None:
    """A label as a tuple of numbers, or None where it is none."""
    parts = label if isinstance(label, tuple) else (label,)
    try:
        return tuple(Fraction(part) for part in parts)  # type: ignore[arg-type]
    except (TypeError, ValueError, ZeroDivisionError):
        return None


def _length_of_cycle(space: Space) -> int | None:
    """The number of nodes of a cycle, None for other spaces."""
    cyclic = isinstance(space, Lattice) and space.family is Family.CYCLE
    return space.size if cyclic else None
