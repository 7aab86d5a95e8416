"""Symmetry of a design: exchanges of inputs and outputs that change neither prior nor loss.

Let g permute inputs and h outputs such that distances, prior and loss stay as they are. A mechanism
P moved along, P[g y, h z] = P[y, z], is as private and as good as before. Averaged over all such
moves, an optimal mechanism is still optimal and does not change under any of them: one column per
orbit of outputs says it all. That column is itself unchanged by the moves that fix its output, so
it is constant on their orbits of inputs.

Generators suffice. The orbits of a group on pairs (input, output) give the exact average
over all its elements, whose number may be astronomical: the mean over the orbit of the pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.exact import FloatArray, IntArray, own, owned
from tightrope.symmetry.permutations import join, orbits

_BLOCK: Final = 64  # outputs looked at together


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A group that acts on `inputs` indices and on `outputs` indices, by its generators.

    A generator is a pair of permutations (g, h): input y goes to g[y], output z to h[z].
    Made by `preserving`; without generators every orbit has one member.

    >>> turn = np.array([2, 1, 0])
    >>> both = Symmetry(3, 3, ((turn, turn),))
    >>> both.output_orbits.tolist(), both.representatives.tolist(), both.sizes.tolist()
    ([0, 1, 0], [0, 1], [2, 1])
    """

    inputs: int
    outputs: int
    generators: tuple[tuple[IntArray, IntArray], ...] = ()

    def __post_init__(self) -> None:
        own(self)

    @cached_property
    def input_orbits(self) -> IntArray:
        """The orbit of every input, numbered in the order of first members."""
        return owned(orbits(self.inputs, [g for g, _ in self.generators]))

    @cached_property
    def output_orbits(self) -> IntArray:
        """The orbit of every output, numbered in the order of first members."""
        return owned(orbits(self.outputs, [h for _, h in self.generators]))

    @cached_property
    def representatives(self) -> IntArray:
        """The first output of every orbit of outputs."""
        return owned(np.unique(self.output_orbits, return_index=True)[1].astype(np.int64))

    @property
    def sizes(self) -> IntArray:
        """The number of outputs in every orbit of outputs."""
        return np.bincount(self.output_orbits)

    @cached_property
    def fixing_orbits(self) -> IntArray:
        """For every representative (row), the orbits of inputs under the moves that fix it.

        An orbit is named by its least input. These moves are never written out: two inputs
        belong together iff a way around among the outputs takes one to the other.

        >>> turn = np.array([2, 1, 0])
        >>> Symmetry(3, 3, ((turn, turn),)).fixing_orbits.tolist()
        [[0, 1, 2], [0, 1, 0]]
        """
        size = len(self.representatives) * self.inputs
        labels = np.arange(size)
        for g, h in self.generators:
            pairs = [(labels[:0], labels[:0])]
            for start in range(0, self.outputs, _BLOCK):
                here = labels.take(self._origins[start : start + _BLOCK])
                there = labels.take(self._origins[h[start : start + _BLOCK]].take(g, axis=1))
                apart = here != there
                pairs.append((here[apart], there[apart]))
            first, second = (np.concatenate(side) for side in zip(*pairs, strict=True))
            if len(first):
                labels = join(size, first, second)[labels]
        least = np.unique(labels, return_index=True)[1]
        return owned(np.asarray(least[labels] % self.inputs).reshape(-1, self.inputs))

    def spread(self, columns: FloatArray) -> FloatArray:
        """The matrix (inputs × outputs) with one given column for every representative.

        Each column is moved along its orbit, P[g y, h z] = P[y, z]. The matrix is unchanged
        by the whole group iff each column is constant on the `fixing_orbits` of its
        representative; `settled` makes it so.

        >>> turn = np.array([2, 1, 0])
        >>> Symmetry(3, 3, ((turn, turn),)).spread(np.array([[3., 2., 1.], [5., 6., 5.]]))
        array([[3., 5., 1.],
               [2., 6., 2.],
               [1., 5., 3.]])
        """
        return np.ascontiguousarray(self._carry(columns).T)

    def carriers(self) -> Iterator[tuple[int, IntArray]]:
        """For every output, its orbit and the move of inputs that `spread` makes there.

        With (k, g) for the output z, P[g y, z] is entry y of column k.
        """
        for row in self._origins:
            yield int(row[0]) // self.inputs, np.argsort(row % self.inputs)

    def settled(self, columns: FloatArray) -> FloatArray:
        """The representatives' columns, averaged over the moves that fix the representative."""
        height, width = columns.shape
        codes = self.fixing_orbits + self.inputs * np.arange(height)[:, None]
        return np.asarray(_means(codes, columns, height * width)[codes])

    def average(self, matrix: FloatArray) -> FloatArray:
        """The representatives' columns of a matrix averaged over the whole group.

        `spread` of the result is that average, unchanged by every generator.

        >>> turn = np.array([2, 1, 0])
        >>> both = Symmetry(3, 3, ((turn, turn),))
        >>> both.average(np.array([[4., 5., 0.], [2., 6., 2.], [0., 3., 2.]])).tolist()
        [[3.0, 2.0, 0.0], [4.0, 6.0, 4.0]]
        """
        count = len(self.representatives)
        codes = self.fixing_orbits + self.inputs * np.arange(count)[:, None]
        whole = _means(codes.ravel()[self._origins], matrix.T, codes.size)
        return np.asarray(whole[codes])

    @cached_property
    def _walk(self) -> list[tuple[int, IntArray, IntArray]]:
        """Steps (number of a generator, outputs, their images) that reach every output once."""
        reached = np.zeros(self.outputs, dtype=np.bool_)
        border = self.representatives
        reached[border] = True
        steps = []
        while len(border):
            fresh = [border[:0]]
            for number, (_, h) in enumerate(self.generators):
                new = ~reached[h[border]]
                if new.any():
                    images = h[border[new]]
                    reached[images] = True
                    steps.append((number, border[new], images))
                    fresh.append(images)
            border = np.concatenate(fresh)
        return steps

    def _carry(self, columns: NDArray[Any]) -> NDArray[Any]:
        """One row per output: its representative's row, moved along the walk."""
        carried = np.empty((self.outputs, self.inputs), dtype=columns.dtype)
        carried[self.representatives] = columns
        inverses = [np.argsort(g) for g, _ in self.generators]
        for number, outputs, images in self._walk:
            carried[images] = carried[outputs].take(inverses[number], axis=1)
        return carried

    @cached_property
    def _origins(self) -> NDArray[np.int32]:
        """For every output (row) and input, the pair at the representative that is moved there.

        Pairs are numbered representative by representative.
        """
        count = len(self.representatives)
        numbers = np.arange(count * self.inputs, dtype=np.int32)
        return self._carry(numbers.reshape(count, self.inputs))


def _means(codes: NDArray[Any], values: FloatArray, count: int) -> FloatArray:
    """For every code below `count`, the mean of the values with that code, or 0.

    Differences from one of the values are averaged, so that equal values stay as they are.
    """
    flat, numbers = codes.ravel(), values.ravel()
    base = np.zeros(count)
    base[flat] = numbers
    rest = np.bincount(flat, numbers - base[flat], minlength=count)
    return np.asarray(base + rest / np.maximum(np.bincount(flat, minlength=count), 1))
